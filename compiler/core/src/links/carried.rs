//! The links of floors in teleporters, on jump pads and under lifts: such a floor in; the link to where the game takes
//! an agent from it out. An agent is put or thrown as the game does it, and the floor where it comes to rest is the
//! one that the link leads to. An agent that follows a path over a jump pad gets there from every link that leads onto
//! the pad.

use onion_format::LinkRecord;
use onion_runtime::navigation::{LinkKind, PathPoint};

use super::drive::{Driver, point};
use super::ground::Ground;
use super::line::{Line, Place, distance, toward};
use super::piece::Piece;
use crate::fill::seeds::EXTRA_LIFT;
use crate::floors::triggers::Effect;
use crate::tolerance::{FROM_END, LANDING, SETTLED};

/// Floors within this distance of the highest point of a flight are tried as landings, as seen from above, in units.
const STEERING: f64 = 128.0;

/// The greatest number of places there that are tried.
const MOST_LANDINGS: usize = 8;

/// Returns the link from a floor, or `None` if none is found: the floor is in no trigger, or agents do not come to rest
/// on one floor.
pub(super) fn link(
    ground: &Ground<'_>,
    walks: &[Vec<LinkRecord>],
    from: &Piece<'_>,
) -> Option<LinkRecord> {
    let Some(trigger) = from.trigger else {
        return from.lift;
    };
    let driver = &ground.driver;
    match driver.volumes.triggers[trigger].effect {
        Effect::Teleport(to) => {
            let free = free_position(driver, from, to.to_array())?;
            let rest = driver.rest(from, free, None)?;
            Some(record(&landing(ground, from, rest, LinkKind::Teleport)?))
        }
        Effect::Hurt | Effect::Climb => None,
        Effect::JumpPad(_) => {
            let entries = entries(ground, walks, from);
            Some(record(&thrown(ground, from, trigger, &entries)?))
        }
    }
}

/// Returns a place that a jump pad throws agents to, wherever they enter a floor of it: at one of `entries`, or over
/// the middle of an edge.
fn thrown(
    ground: &Ground<'_>,
    from: &Piece<'_>,
    pad: usize,
    entries: &[Place],
) -> Option<PathPoint> {
    let driver = &ground.driver;
    let starts = Vec::from_iter(starts(from, entries).map(|at| point(from, at, LinkKind::Walk)));
    let leaves = starts[0];
    // Where an agent comes down that is thrown from one place, others may get as well.
    let rests = starts.iter().filter_map(|start| {
        let rest = driver.rest(from, start.position, Some(pad))?;
        landing(ground, from, rest, LinkKind::JumpPad)
    });
    let mut landings = rests.chain(beside(ground, from, pad));
    landings.find(|lands| {
        let to = &ground.floors[ground.index(lands.floor)].floor;
        let mut starts = starts.iter();
        starts.all(|start| driver.is_thrown(pad, start, &[leaves, *lands], to))
    })
}

/// Returns the places nearest to the highest point of an agent's flight from a jump pad on the floors around it that
/// are higher than the pad: where agents steer to that are thrown straight up.
fn beside<'g>(
    ground: &'g Ground<'_>,
    from: &Piece<'_>,
    pad: usize,
) -> impl Iterator<Item = PathPoint> + 'g {
    let way = ground.driver.volumes.triggers[pad].effect.way();
    let [x, y] = from.center;
    let (top, feet) = ([x + way[0], y + way[1]], from.height(from.center));
    let around = [-STEERING, STEERING].map(|by| top.map(|at| at + by));
    let step = f64::from(ground.driver.class.settings.step_height);
    let heights = [feet + step, feet + way[2]];
    nearest(ground, from, top, (around, heights), LinkKind::JumpPad)
}

/// Returns the places nearest to `top` on the floors in a box that agents can stand on, except those that touch what
/// the floor `from` touches. The box is that of the feet: two corners as seen from above, and its heights.
pub(super) fn nearest<'g>(
    ground: &'g Ground<'_>,
    from: &Piece<'_>,
    top: Place,
    (corners, heights): ([Place; 2], [f64; 2]),
    kind: LinkKind,
) -> impl Iterator<Item = PathPoint> + use<'g> {
    let near = ground.near(&corners, heights);
    let is_apart = |to: &Piece<'_>| from.trigger.is_none() || to.trigger != from.trigger;
    let places = near.filter(|to| to.tall >= from.tall && is_apart(to));
    let places = places.flat_map(|to| {
        let [x, y, _] = to.floor.nearest([top[0], top[1], to.floor.height(top)]);
        let nearest = toward([x, y], to.center, LANDING);
        // Straight ahead of the middle of the floor is more room.
        let out = Line::new(0, to.center, top);
        let before = out.and_then(|out| {
            let [_, end] = out.part_before(&to.corners, 0.0, LANDING)?;
            Some(out.at(end))
        });
        [Some(nearest), before]
            .into_iter()
            .flatten()
            .map(move |at| {
                let at = at.map(|at| f64::from(at as f32));
                (distance(at, top), point(to, at, kind))
            })
    });
    let mut places = Vec::from_iter(places);
    places.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    places
        .into_iter()
        .take(MOST_LANDINGS)
        .map(|(_, lands)| lands)
}

/// Returns the link to a place.
pub(super) fn record(lands: &PathPoint) -> LinkRecord {
    let [x, y, _] = lands.position.map(|at| at as f32);
    LinkRecord::carried(lands.floor, lands.kind as u8, [x, y])
}

/// Returns the place of the link's end where an agent comes to rest, if it is on another floor than that which it left.
fn landing(
    ground: &Ground<'_>,
    from: &Piece<'_>,
    [x, y, height]: [f64; 3],
    kind: LinkKind,
) -> Option<PathPoint> {
    // As a file has it.
    let place = [x, y].map(|at| f64::from(at as f32));
    let to = floor_under(ground, from, place, height)?;
    (to.trigger != from.trigger).then(|| point(to, place, kind))
}

/// Returns the ends of the links over which agents walk to a floor.
fn entries(ground: &Ground<'_>, walks: &[Vec<LinkRecord>], to: &Piece<'_>) -> Vec<Place> {
    let ends = ground.floors.iter().zip(walks).flat_map(|(piece, own)| {
        let own = own.iter().filter(|link| link.to() == to.floor.number);
        own.flat_map(|link| [0.0, 1.0].map(|part| piece.place(link, part)))
    });
    ends.collect()
}

/// Returns the middle of a floor, the middles of its edges, and where links lead to it.
pub(super) fn starts(floor: &Piece<'_>, entries: &[Place]) -> impl Iterator<Item = Place> {
    let ends = floor
        .lines()
        .map(|line| line.at(0.5))
        .chain(entries.iter().copied());
    let near = ends.map(|end| toward(end, floor.center, FROM_END));
    std::iter::once(floor.center).chain(near)
}

/// Returns the lowest free position of an agent at an entity, as for the seeds of a fill.
fn free_position(driver: &Driver<'_>, floor: &Piece<'_>, [x, y, z]: [f64; 3]) -> Option<[f64; 3]> {
    let n_lifts = (f64::from(EXTRA_LIFT) - floor.feet).max(0.0) as u32;
    let positions = (0..=n_lifts).map(|lift| [x, y, z + f64::from(lift)]);
    let mut free = positions.filter(|at| !driver.view(floor.hull).is_solid(*at));
    free.next()
}

/// Returns the floor at a place on which an agent rests with its origin at a height, that of the tallest stance.
fn floor_under<'g, 'a>(
    ground: &'g Ground<'a>,
    like: &Piece<'a>,
    place: Place,
    height: f64,
) -> Option<&'g Piece<'a>> {
    let feet = height + like.feet;
    let near = ground.near(&[place], [feet - SETTLED, feet + SETTLED]);
    let under = near.filter(|piece| {
        let off = (piece.height(place) - feet).abs();
        piece.tall >= like.tall && off <= SETTLED && piece.floor.contains(place)
    });
    under.max_by(|one, other| one.tall.total_cmp(&other.tall))
}
