//! Linked portals: pairs of openings in a map that are one opening ("silent teleporters"). A [`LinkedWorld`] is a world
//! in which traces and agents pass through them, in the space of the place where a tick begins: what lies behind an
//! opening is where it would be if its partner were there. At the end of the tick, the agent is put where it really
//! is. Worlds without portals are not changed by any of this.
//!
//! An opening is a rectangle that stands upright and faces along an axis. So the space behind it is turned by quarter
//! turns, which are exact, and the boxes of hulls stay the same. What passes is the origin of a hull: around both
//! openings there has to be room for the hull, as its box is on the side of its origin.

use super::agent::Agent;
use super::world::{Ground, Stop, World};
use crate::error::{PortalError, Unsupported};
use crate::file::entity::Entity;
use crate::file::hull::HullId;
use crate::map::OnionMap;
use crate::math::aabb::Aabb;
use crate::math::coordinate::{Coordinate, narrowed, widened};
use crate::math::segment::point_at;
use crate::math::vector::{Vector, add, dot, sub};

/// The most portals that a trace passes; it ends at the next one.
const MAX_PASSES: usize = 64;

/// An opening that leads to its partner, laid out as in C.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct LinkedPortal {
    /// The middle of the opening, in units of the world.
    pub center: [f64; 3],
    /// Half of its width and height, in units; above 0.
    pub half_size: [f64; 2],
    /// The direction that it faces, in quarter turns counterclockwise from the x axis, 0 to 3.
    pub facing: u32,
    /// Number of its partner in the list of all portals, from 0 on.
    pub partner: u32,
}

impl LinkedPortal {
    /// Returns the fraction of a segment at which it enters the opening from the front, or `None` if it does not.
    fn crossing(&self, [start, end]: &[Vector; 2]) -> Option<f64> {
        let outward = turned((self.facing % 4) as u8, [1.0, 0.0, 0.0]);
        let ahead = [start, end].map(|point| dot(&outward, &sub(point, &self.center)));
        // From the front only. So what has just come out of an opening, and starts in its plane, does not go in again.
        // Written so that NaN does not pass.
        if !(ahead[0] >= 0.0 && ahead[1] < 0.0) {
            return None;
        }
        let fraction = ahead[0] / (ahead[0] - ahead[1]);
        let [x, y, z] = sub(&point_at(&[*start, *end], fraction), &self.center);
        // An opening that faces along x is as wide as its extent along y, and the other way around.
        let across = if self.facing.is_multiple_of(2) { y } else { x };
        let [half_width, half_height] = self.half_size;
        (across.abs() <= half_width && z.abs() <= half_height).then_some(fraction)
    }

    /// Returns the quarter turns of what passes through to the partner: what goes against the direction of one opening
    /// comes out in that of the other.
    fn quarters_to(&self, partner: &Self) -> u8 {
        // Of the six, two are the half turn between going in and coming out, and four keep the difference from falling
        // below 0.
        (partner.facing % 4 + 6 - self.facing % 4) as u8 % 4
    }

    /// Returns the place to which a place at this opening corresponds at the partner's.
    fn beyond(&self, partner: &Self, place: &Vector) -> Vector {
        let away = turned(self.quarters_to(partner), sub(place, &self.center));
        add(&away, &partner.center)
    }
}

/// Turns a vector by quarter turns about the z axis.
fn turned(quarters: u8, [x, y, z]: Vector) -> Vector {
    match quarters % 4 {
        0 => [x, y, z],
        1 => [-y, x, z],
        2 => [-x, -y, z],
        _ => [y, -x, z],
    }
}

/// The pose of the space behind passed portals: a turn, then a move.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Passage {
    /// Quarter turns counterclockwise about the z axis, 0 to 3.
    quarters: u8,
    /// The move after the turn, in units.
    offset: Vector,
}

impl Passage {
    /// No portal is passed.
    const NONE: Self = Self {
        quarters: 0,
        offset: [0.0; 3],
    };

    /// Returns the passage through this one and then through a portal.
    fn through(&self, portal: &LinkedPortal, partner: &LinkedPortal) -> Self {
        Self {
            quarters: (self.quarters + portal.quarters_to(partner)) % 4,
            offset: portal.beyond(partner, &self.offset),
        }
    }

    /// Whether no portal is passed, or those that are passed lead back to where they began.
    fn is_none(&self) -> bool {
        *self == Self::NONE
    }

    /// Returns the real place of a point.
    fn place(&self, point: Vector) -> Vector {
        if self.is_none() {
            point
        } else {
            add(&turned(self.quarters, point), &self.offset)
        }
    }

    /// Returns the point of a real place.
    fn point(&self, place: Vector) -> Vector {
        if self.is_none() {
            place
        } else {
            turned(4 - self.quarters, sub(&place, &self.offset))
        }
    }

    /// Returns the point of a real place in the precision of the caller.
    fn point_of<T: Coordinate>(&self, place: [T; 3]) -> [T; 3] {
        if self.is_none() {
            place
        } else {
            narrowed(self.point(widened(place)))
        }
    }

    /// Turns a vector from the space of the eye to the real one.
    fn turn<T: Coordinate>(&self, vector: [T; 3]) -> [T; 3] {
        narrowed(turned(self.quarters, widened(vector)))
    }

    /// Turns a real vector to the space of the eye.
    fn turn_back<T: Coordinate>(&self, vector: [T; 3]) -> [T; 3] {
        narrowed(turned(4 - self.quarters, widened(vector)))
    }
}

/// A world whose linked portals lead to each other, as seen from a place. Make one for each agent and tick.
///
/// Points and directions are those of the space around the place: behind an opening, they are beyond it, and
/// [`LinkedWorld::place`] tells where that is.
#[derive(Debug)]
pub struct LinkedWorld<'a, W: ?Sized> {
    /// The world on both sides of all openings.
    world: &'a W,
    /// All openings; the partner of each is a number in this list.
    portals: &'a [LinkedPortal],
    /// The position, in units, whose space points are in.
    eye: Vector,
}

impl<'a, W: ?Sized> LinkedWorld<'a, W> {
    /// Returns the world as seen from a place, such as the position of an agent. Portals whose partner is not in the
    /// list lead nowhere.
    pub fn new<T: Coordinate>(
        world: &'a W,
        portals: &'a [LinkedPortal],
        eye: impl Into<[T; 3]>,
    ) -> Self {
        Self {
            world,
            portals,
            eye: widened(eye.into()),
        }
    }

    /// Returns the real place of a point, and the quarter turns from directions here to those there.
    pub fn place<T: Coordinate>(&self, point: impl Into<[T; 3]>) -> ([T; 3], u8) {
        let point = point.into();
        let passage = self.passage_to(widened(point));
        if passage.is_none() {
            (point, 0)
        } else {
            (narrowed(passage.place(widened(point))), passage.quarters)
        }
    }

    /// Puts an agent that has moved in this world where it really is, and turns its velocity. Returns the quarter
    /// turns by which the game turns its view: 0 if it has passed no portal. An agent that would arrive in solid,
    /// because there is too little room around an opening, goes back to where the tick began, at rest and in the air.
    pub fn arrive<T: Coordinate>(&self, agent: &mut Agent<T>) -> u8
    where
        W: World<T>,
    {
        let passage = self.passage_to(widened(agent.position));
        let place = narrowed(passage.place(widened(agent.position)));
        let start = narrowed(self.eye);
        let is_solid = |place| self.world.is_solid(agent.stance, place);
        // An agent that slides past the edge of an opening after it went through has not passed it as seen from where
        // it started, and may be in the wall around the opening.
        if is_solid(place) && !is_solid(start) {
            (agent.position, agent.velocity) = (start, [T::default(); 3]);
            agent.on_ground = None;
            return 0;
        }
        if !passage.is_none() {
            agent.position = place;
            agent.velocity = passage.turn(agent.velocity);
            agent.on_ground = agent.on_ground.map(|ground| Ground {
                normal: passage.turn(ground.normal),
                velocity: passage.turn(ground.velocity),
                ..ground
            });
        }
        passage.quarters
    }

    /// Returns the passage of the segment from the eye to a point.
    fn passage_to(&self, point: Vector) -> Passage {
        let mut passage = Passage::NONE;
        let mut start = self.eye;
        for _ in 0..MAX_PASSES {
            // From where the last opening was left: a portal behind that is not passed.
            let segment = [start, passage.place(point)];
            let Some((fraction, portal, partner)) = self.first(&segment) else {
                break;
            };
            start = portal.beyond(partner, &point_at(&segment, fraction));
            passage = passage.through(portal, partner);
        }
        passage
    }

    /// Returns the first portal that a segment enters, with the fraction and the partner.
    fn first(&self, segment: &[Vector; 2]) -> Option<(f64, &LinkedPortal, &LinkedPortal)> {
        let entered = self.portals.iter().filter_map(|portal| {
            let fraction = portal.crossing(segment)?;
            Some((fraction, portal, self.portals.get(portal.partner as usize)?))
        });
        entered.reduce(|first, next| if next.0 < first.0 { next } else { first })
    }

    /// Traces through portals: `trace` is the trace of the world itself.
    fn follow<T: Coordinate>(
        &self,
        [start, end]: [[T; 3]; 2],
        trace: impl Fn(&W, [T; 3], [T; 3]) -> Stop<T>,
    ) -> Stop<T> {
        let mut passage = self.passage_to(widened(start));
        let mut from = passage.place(widened(start));
        let mut done = 0.0;
        for _ in 0..=MAX_PASSES {
            let segment = [from, passage.place(widened(end))];
            let [start, end] = segment.map(narrowed);
            let stop = trace(self.world, start, end);
            match self.first(&segment) {
                // A box that is stopped on its way to the opening does not go through.
                Some((fraction, portal, partner)) if fraction < stop.fraction => {
                    // Fractions are those of the whole segment, whose rest was traced.
                    done += (1.0 - done) * fraction;
                    from = portal.beyond(partner, &point_at(&segment, fraction));
                    passage = passage.through(portal, partner);
                }
                _ => {
                    // A sum of rounded parts may miss 1, by which agents know that nothing was in the way.
                    let is_whole = stop.fraction >= 1.0;
                    let fraction = done + (1.0 - done) * stop.fraction;
                    return Stop {
                        fraction: if is_whole { 1.0 } else { fraction },
                        end_pos: passage.point_of(stop.end_pos),
                        met: stop.met.map(|met| Ground {
                            normal: passage.turn_back(met.normal),
                            ..met
                        }),
                    };
                }
            }
        }
        Stop {
            // Too many portals: it ends at the next one, and meets nothing.
            fraction: done,
            end_pos: narrowed(passage.point(from)),
            met: None,
        }
    }
}

impl<T: Coordinate, W: World<T> + ?Sized> World<T> for LinkedWorld<'_, W> {
    fn trace(&self, hull: HullId, start: [T; 3], end: [T; 3]) -> Stop<T> {
        self.follow([start, end], |world, start, end| {
            world.trace(hull, start, end)
        })
    }

    fn trace_ground(&self, hull: HullId, start: [T; 3], end: [T; 3]) -> Stop<T> {
        self.follow([start, end], |world, start, end| {
            world.trace_ground(hull, start, end)
        })
    }

    fn is_solid(&self, hull: HullId, point: [T; 3]) -> bool {
        self.world.is_solid(hull, self.place(point).0)
    }

    fn bounds(&self, hull: HullId) -> Option<Aabb<f32>> {
        self.world.bounds(hull)
    }

    fn contents(&self, point: [T; 3]) -> u32 {
        self.world.contents(self.place(point).0)
    }
}

/// The class of the entities that declare linked portals.
const CLASS: &str = "info_linked_portal";

/// The most linked portals of a map: each is compared with all entities, and each trace with all portals.
const MAX_PORTALS: usize = 256;
const _: () = assert!(MAX_PORTALS == 256, "the error says so");

impl<D: AsRef<[u8]>> OnionMap<D> {
    /// Returns the linked portals that the map declares, in the order of their entities, which are of the class
    /// `info_linked_portal`: `origin` is the middle of the opening, `angle` the direction that it faces (0, 90, 180 or
    /// 270 degrees), `size` its width and height, and `target` the `targetname` of its partner, whose target it is.
    ///
    /// # Errors
    /// [`Unsupported::NoEntities`] if the file was compiled without entities. An item is an error if an entity's keys
    /// are not as they should be, or if there are 256 before it; then no list of the others is right, as partners are
    /// numbers of entities of the class. So collect all of them into a `Result`.
    pub fn linked_portals(
        &self,
    ) -> Result<impl Iterator<Item = Result<LinkedPortal, PortalError>>, Unsupported> {
        let declared = || {
            Ok(self
                .entities()?
                .filter(|entity| entity.get("classname") == Some(CLASS)))
        };
        let all = declared()?;
        Ok(all
            .take(MAX_PORTALS + 1)
            .enumerate()
            .map(move |(index, entity)| {
                if index == MAX_PORTALS {
                    let (entity, what) = (entity.number(), "there are more than 256");
                    return Err(PortalError { entity, what });
                }
                // The entities are searched again for each portal, because there is no memory to keep them in.
                let others = declared().into_iter().flatten().enumerate();
                let mut partners = others.filter(|(_, other)| are_partners(&entity, other));
                // Two partners are as wrong as none.
                let partner = partners.next().map(|(number, _)| number as u32);
                portal_of(&entity, partner.filter(|_| partners.next().is_none()))
            }))
    }
}

/// Whether two entities name each other, and have openings of the same size.
fn are_partners(entity: &Entity<'_>, other: &Entity<'_>) -> bool {
    let names = |from: &Entity<'_>, to: &Entity<'_>| {
        let target = from.get("target");
        target.is_some() && target == to.get("targetname")
    };
    entity.number() != other.number()
        && names(entity, other)
        && names(other, entity)
        && numbers::<2>(entity, "size") == numbers::<2>(other, "size")
}

/// Returns the portal that an entity declares, given the number of its partner, or the first thing that is wrong.
fn portal_of(entity: &Entity<'_>, partner: Option<u32>) -> Result<LinkedPortal, PortalError> {
    let needs = |what| PortalError {
        entity: entity.number(),
        what,
    };
    let size = numbers::<2>(entity, "size").filter(|size| size.iter().all(|&size| size > 0.0));
    let [angle] = match entity.get("angle") {
        Some(_) => numbers(entity, "angle").ok_or(needs("its angle is not a number"))?,
        None => [0.0],
    };
    let facing = (0..4).find(|&quarters: &u32| f64::from(quarters) * 90.0 == angle);
    Ok(LinkedPortal {
        center: numbers(entity, "origin").ok_or(needs("it needs an origin of three numbers"))?,
        facing: facing.ok_or(needs("its angle must be 0, 90, 180 or 270"))?,
        half_size: size
            .ok_or(needs("it needs a size: a width and a height above 0"))?
            .map(|size| size / 2.0),
        partner: partner.ok_or(needs(
            "it needs one partner of the same size: each must have the other's targetname as its target",
        ))?,
    })
}

/// Returns the numbers of a key, if it has exactly this many and all are finite.
fn numbers<const N: usize>(entity: &Entity<'_>, key: &str) -> Option<[f64; N]> {
    let mut words = entity.get(key)?.split_ascii_whitespace();
    let mut numbers = [0.0; N];
    for number in &mut numbers {
        *number = words.next()?.parse().ok().filter(|x: &f64| x.is_finite())?;
    }
    words.next().is_none().then_some(numbers)
}
