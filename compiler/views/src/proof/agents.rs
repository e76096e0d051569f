//! The agents of one class in a level: the floors that they reach from their starts, the entities that they do not get
//! to, the traps that they fall into, and the places that they reach and agents of another class do not.

use glam::DVec3;
use onion_geometry::Bounds;
use onion_runtime::OnionMap;
use onion_runtime::navigation::AgentClass;

use super::conditions::{Conditions, Requirement};
use super::found::{AgentReach, EntityPlace, Missing, Only, Proof, Stranded, Trap};
use super::places::Part;
use super::ways::{Direction, Piece, Ways};
use super::{places, presence};
use crate::boxes;
use crate::marked_entities::MarkedEntity;
use crate::outline;
use crate::tolerance::MIN_AREA;

/// The agents of a class.
pub(super) struct Agents<'a, D> {
    /// Name of the class.
    pub name: String,
    map: &'a OnionMap<D>,
    class: AgentClass,
    ways: Ways<'a>,
    /// The entities that have a position.
    entities: &'a [MarkedEntity],
    /// Those that agents start from or get to, by which places are described.
    marks: &'a [MarkedEntity],
    /// The entities from which agents start, each with the floor on which they come to stand.
    starts: Vec<(&'a MarkedEntity, Option<usize>)>,
    /// Whether agents reach each floor from any start.
    is_reached: Vec<bool>,
}

impl<'a, D: AsRef<[u8]>> Agents<'a, D> {
    pub(super) fn new(
        map: &'a OnionMap<D>,
        class: AgentClass,
        conditions: &Conditions,
        entities: &'a [MarkedEntity],
        marks: &'a [MarkedEntity],
    ) -> Self {
        let ways = Ways::new(map, &class);
        let mut agents = Self {
            name: map.agent_name(&class).unwrap_or_default().to_owned(),
            map,
            class,
            is_reached: Vec::new(),
            ways,
            entities,
            marks,
            starts: Vec::new(),
        };
        agents.starts = agents.standing(|entity| conditions.are_starts(entity));
        let from: Vec<usize> = agents.starts.iter().filter_map(|start| start.1).collect();
        agents.is_reached = agents.ways.reached(&from, Direction::Along);
        agents
    }

    /// Returns what the agents reach from their starts.
    pub(super) fn reach(&self) -> AgentReach {
        AgentReach {
            agent: self.name.clone(),
            starts: self.starts.iter().filter(|start| start.1.is_some()).count(),
            floor: places::area(self.ways.pieces.iter().map(with_area)),
            reached: places::area(self.reached().map(with_area)),
        }
    }

    /// Adds what breaks a requirement.
    pub(super) fn require(&self, requirement: &Requirement, proof: &mut Proof) {
        let starts = self.standing(|entity| requirement.starts.matches(&entity.class));
        if !requirement.is_from_any {
            self.add_stranded(&starts, proof);
        }
        let reached = starts.iter().filter_map(|&(start, floor)| {
            Some((start, self.ways.reached(&[floor?], Direction::Along)))
        });
        let reached: Vec<_> = reached.collect();
        let goals = self.entities.iter();
        for goal in goals.filter(|entity| requirement.goals.matches(&entity.class)) {
            let touched = self.touched(goal);
            let misses = |is_reached: &[bool]| !touched.iter().any(|&at| is_reached[at]);
            let from = reached.iter().filter(|(_, is_reached)| misses(is_reached));
            let from: Vec<_> = from.map(|(start, _)| EntityPlace::of(start)).collect();
            let is_met = match requirement.is_from_any {
                true => from.len() < reached.len(),
                false => from.is_empty(),
            };
            if !is_met {
                proof.missing.push(Missing {
                    agent: self.name.clone(),
                    require: requirement.text.clone(),
                    entity: EntityPlace::of(goal),
                    from,
                });
            }
        }
    }

    /// Adds the traps: floors that are reached from a start, and from which no start's floor is.
    pub(super) fn forbid_traps(&self, proof: &mut Proof) {
        let from: Vec<usize> = self.starts.iter().filter_map(|start| start.1).collect();
        if from.is_empty() {
            self.add_stranded(&self.starts, proof);
        }
        let leads_back = self.ways.reached(&from, Direction::Back);
        let traps = (0..leads_back.len()).filter(|&at| self.is_reached[at] && !leads_back[at]);
        let traps = traps.map(|piece| Part {
            piece,
            corners: self.ways.pieces[piece].corners.clone(),
            is_whole: true,
        });
        let traps = places::places(&self.ways, traps.collect(), self.marks).into_iter();
        proof.traps.extend(traps.map(|place| Trap {
            agent: self.name.clone(),
            place,
        }));
    }

    /// Returns the places that these agents reach from their starts, and where other agents do not come to stand from
    /// theirs.
    pub(super) fn beyond(&self, other: &Self) -> Vec<Only> {
        let step = f64::from(self.class.settings.step_height);
        let theirs: Vec<&Piece<'_>> = other.reached().collect();
        let own = (0..self.is_reached.len()).filter(|&at| self.is_reached[at]);
        let parts = own.flat_map(|piece| {
            let whole = &self.ways.pieces[piece];
            let parts = without(whole, &theirs, step).into_iter();
            parts.map(move |corners| Part {
                piece,
                is_whole: corners == whole.corners,
                corners,
            })
        });
        let places = places::places(&self.ways, parts.collect(), self.marks).into_iter();
        let only = places.map(|place| Only {
            agent: self.name.clone(),
            other: other.name.clone(),
            place,
        });
        only.collect()
    }

    /// Returns the floors that agents reach from any start.
    fn reached(&self) -> impl Iterator<Item = &Piece<'a>> {
        let pieces = self.ways.pieces.iter().zip(&self.is_reached);
        pieces
            .filter(|(_, is_reached)| **is_reached)
            .map(|(piece, _)| piece)
    }

    /// Returns the entities at which agents appear, each with the floor on which they come to stand.
    fn standing(
        &self,
        appears: impl Fn(&MarkedEntity) -> bool,
    ) -> Vec<(&'a MarkedEntity, Option<usize>)> {
        let entities = self.entities.iter().filter(|entity| appears(entity));
        let standing = entities.map(|entity| {
            let floor = presence::standing(self.map, &self.class, &self.ways, entity);
            (entity, floor)
        });
        standing.collect()
    }

    /// Returns the floors on which an agent touches an entity.
    fn touched(&self, entity: &MarkedEntity) -> Vec<usize> {
        let pieces = self.ways.pieces.iter().enumerate();
        let touched =
            pieces.filter(|(_, piece)| presence::touches(self.map, self.class.jump, piece, entity));
        touched.map(|(at, _)| at).collect()
    }

    /// Adds the starts at which agents come to stand on no floor, once each.
    fn add_stranded(&self, starts: &[(&MarkedEntity, Option<usize>)], proof: &mut Proof) {
        for (start, _) in starts.iter().filter(|(_, floor)| floor.is_none()) {
            let stranded = Stranded {
                agent: self.name.clone(),
                entity: EntityPlace::of(start),
            };
            if !proof.stranded.contains(&stranded) {
                proof.stranded.push(stranded);
            }
        }
    }
}

/// Returns the parts of a floor where no hull of other floors stands on the same ground: with feet at most a step
/// apart, and in positions no farther apart than one box is wider than the other on one side.
fn without(piece: &Piece<'_>, others: &[&Piece<'_>], step: f64) -> Vec<Vec<DVec3>> {
    let [low, high] = piece.feet();
    let size = |piece: &Piece<'_>| {
        let Bounds { mins, maxs } = boxes::of_hull(&piece.hull);
        (maxs - mins).truncate()
    };
    let mut parts = vec![piece.corners.clone()];
    for other in others {
        let [bottom, top] = other.feet();
        if bottom - step <= high && low <= top + step {
            let wider = (size(other) - size(piece)).abs() / 2.0;
            let rest = parts.into_iter();
            let rest = rest.flat_map(|part| outline::without(part, &other.corners, wider));
            parts = rest.collect();
        }
    }
    parts.retain(|part| outline::area(part) >= MIN_AREA);
    parts
}

fn with_area<'a>(piece: &'a Piece<'a>) -> (&'a Piece<'a>, f64) {
    (piece, piece.area)
}
