//! A way over an edge from one floor to another: a part of the edge in; links for the parts of it where an agent that
//! is driven gets across out.

use onion_format::{ACROSS_UNIT, LinkRecord, WHOLE_EDGE};
use onion_runtime::navigation::{LinkKind, PathPoint};

use super::arc::Arc;
use super::depth::highest;
use super::drive::{LONG_TICKS, SHORT_TICKS, SHORTEST_TICKS, point};
use super::ground::Ground;
use super::line::{Line, Part, Place, moved, toward};
use super::piece::Piece;
use crate::tolerance::{FROM_END, NEXT_TO};

/// The way that an agent is driven before and after an edge, in units.
const RUN_UP: f64 = 2.0;

/// Parts of an edge shorter than this are not divided to find those where an agent gets across, in units.
const SHORTEST: f64 = 4.0;

/// Greatest distance between the places where agents are driven over an edge that they drop or jump from, in units: no
/// more than the width of Quake's players, and no expanded brush is narrower.
const BETWEEN_DRIVES: f64 = 32.0;

/// Greatest distance between the places there where room is looked for, in units: corners of expanded brushes may be
/// narrow.
const BETWEEN_ROOMS: f64 = 4.0;

/// The parts of an edge at which agents were driven, at how many ticks per second, and whether they got across.
type Driven = Vec<(f64, f32, bool)>;

/// A way that is tried.
pub(super) struct Way<'a, 'b> {
    pub(super) from: &'a Piece<'b>,
    pub(super) to: &'a Piece<'b>,
    pub(super) kind: LinkKind,
    /// The edge that it leads over: of the floor that it leads to if it stands up, otherwise of the other.
    pub(super) line: Line,
    /// Length of the way across the edge, in units.
    pub(super) across: f64,
}

impl Way<'_, '_> {
    /// Adds links for those parts of a part of the edge where an agent gets across. Paths may turn at their ends,
    /// except at the ends of the whole part: see [`LinkRecord::turns`].
    pub(super) fn add(&self, ground: &Ground<'_>, part: Part, links: &mut Vec<LinkRecord>) {
        let mut free = Vec::new();
        self.find(ground, part, &mut free);
        let walks = self.kind == LinkKind::Walk;
        links.extend(free.into_iter().map(|[start, end]| {
            let turns = u8::from(start > part[0]) | u8::from(end < part[1]) << 1;
            LinkRecord {
                part: quantized(if walks {
                    [start, end]
                } else {
                    self.inner([start, end])
                }),
                edge: self.line.number,
                across: self.quantized_across(),
                ..LinkRecord::new(self.to.floor.number, self.kind as u8, turns)
            }
        }));
    }

    /// Finds the parts of a part where an agent gets across. Where it leaves the ground, those with room come first.
    fn find(&self, ground: &Ground<'_>, part: Part, free: &mut Vec<Part>) {
        let mut driven = Vec::new();
        if self.kind.is_on_foot() {
            return self.divide(ground, part, SHORT_TICKS, &mut driven, free);
        }
        let n_parts = self.n_parts(part, BETWEEN_ROOMS);
        let inner = self.inner(part);
        let has_room = |number: usize| self.has_room(ground, at(inner, number, n_parts));
        let rooms = Vec::from_iter((0..=n_parts).map(has_room));
        let mut first = 0;
        for run in rooms.chunk_by(|one, other| one == other) {
            let last = first + run.len() - 1;
            if run[0] && first < last {
                let ends = [first, last].map(|number| at(part, number, n_parts));
                self.divide(ground, ends, LONG_TICKS, &mut driven, free);
            }
            first = last + 1;
        }
    }

    /// Finds the parts of a part where an agent that is driven gets across: all of it, or those of its halves, which
    /// are joined where they meet.
    fn divide(
        &self,
        ground: &Ground<'_>,
        part: Part,
        ticks: f32,
        driven: &mut Driven,
        free: &mut Vec<Part>,
    ) {
        let [start, end] = part;
        if self.works_along(ground, self.inner(part), ticks, driven) {
            match free.last_mut() {
                Some(last) if last[1] == start => last[1] = end,
                _ => free.push(part),
            }
        } else if (end - start) * self.line.length > SHORTEST {
            let middle = (start + end) / 2.0;
            self.divide(ground, [start, middle], ticks, driven, free);
            self.divide(ground, [middle, end], ticks, driven, free);
        }
    }

    /// Returns into how many equal parts a part is divided so that none is longer than a limit, in units.
    fn n_parts(&self, [start, end]: Part, longest: f64) -> usize {
        ((end - start) * self.line.length / longest).ceil().max(1.0) as usize
    }

    /// Returns a part without its very ends, where a corner of a wall or ledge may be: paths keep away from the corners
    /// that they turn around.
    fn inner(&self, [start, end]: Part) -> Part {
        // Paths cross the ends of walking links on a slant, so that they come nearer to the corners there.
        let from_end = match self.kind {
            LinkKind::Walk => FROM_END / 2.0,
            _ => FROM_END,
        };
        let inset = (from_end / self.line.length).min((end - start) / 2.0);
        [start + inset, end - inset]
    }

    /// Returns whether an agent gets across at both ends of a part; if it leaves the ground, in the shortest ticks as
    /// well, and at places between.
    fn works_along(
        &self,
        ground: &Ground<'_>,
        part: Part,
        ticks: f32,
        driven: &mut Driven,
    ) -> bool {
        let in_air = !self.kind.is_on_foot();
        let n_parts = self.n_parts(part, BETWEEN_DRIVES);
        let between = (1..n_parts).filter(|_| in_air);
        let mut between = between.map(|number| at(part, number, n_parts));
        // Halves of a part have one of its ends.
        let mut works = |place: f64, ticks: f32| {
            let mut before = driven.iter();
            let known = before.find(|(at, rate, _)| (*at, *rate) == (place, ticks));
            known.map(|(.., works)| *works).unwrap_or_else(|| {
                let works = self.works(ground, place, ticks);
                driven.push((place, ticks, works));
                works
            })
        };
        part.iter().all(|&end| works(end, ticks))
            && between.all(|place| works(place, ticks))
            && (!in_air || part.iter().all(|&end| works(end, SHORTEST_TICKS)))
    }

    /// Returns the length of the way across, as a file has it.
    fn quantized_across(&self) -> u16 {
        (self.across * f64::from(ACROSS_UNIT)).round() as u16
    }

    /// Returns the direction in which agents leave.
    fn outward(&self) -> Place {
        match self.kind {
            LinkKind::Stand => self.line.outward.map(|at| -at),
            _ => self.line.outward,
        }
    }

    /// Returns the place on the other side, as readers of the file find it.
    fn lands(&self, leaves: Place) -> Place {
        let across = f64::from(self.quantized_across()) / f64::from(ACROSS_UNIT);
        moved(leaves, self.outward(), across)
    }

    /// Returns whether a fall, jump or climb at a part of the edge has room, and leads through no trigger.
    fn has_room(&self, ground: &Ground<'_>, part: f64) -> bool {
        let leaves = self.line.at(part);
        let (before, lands) = (
            moved(leaves, self.outward(), -self.from.run_up()),
            self.lands(leaves),
        );
        if !self.to.floor.contains(lands) {
            return false;
        }
        let before = point(self.from, before, LinkKind::Walk);
        let mut end = point(self.to, lands, self.kind);
        // In the stance in which it leaves.
        end.position[2] += self.to.feet - self.from.feet;
        if self.kind.is_climb() {
            return self.has_depth(
                ground,
                [leaves, lands],
                end.position[2] - before.position[2],
            ) && ground.driver.has_room(&before, &end);
        }
        // An agent that drops falls from the edge on. On the very edge, which lies in the plane of a wall below it,
        // traces would take ten times as long.
        let start = match self.kind {
            LinkKind::Drop => point(
                self.from,
                moved(leaves, self.outward(), NEXT_TO),
                LinkKind::Walk,
            ),
            _ => before,
        };
        let arc = Arc::new(&ground.driver, [&start, &end], self.to.floor.normal);
        let has_room = match self.kind {
            LinkKind::Drop => match arc.blocked(&ground.driver) {
                Some(blocked) => self.slides(ground, part, &arc, blocked),
                None => true,
            },
            _ => ground.driver.has_room(&before, &end),
        };
        has_room && !arc.is_carried_off(&ground.driver, [&before, &end])
    }

    /// Returns whether a liquid or a ladder is all the way between a place of the edge and one on a floor that is
    /// `rise` units higher.
    fn has_depth(&self, ground: &Ground<'_>, [leaves, lands]: [Place; 2], rise: f64) -> bool {
        if rise >= 0.0 {
            return rise <= highest(ground, self.from, leaves, self.kind);
        }
        // An agent that climbs down moves across first.
        self.kind == LinkKind::Climb && -rise <= highest(ground, self.to, lands, self.kind)
    }

    /// Returns whether an agent gets across although it hits an obstacle while it falls, after the position of its arc
    /// with the index `blocked`. Only driving it tells whether it slides along the obstacle or gets stuck.
    fn slides(&self, ground: &Ground<'_>, part: f64, arc: &Arc, blocked: usize) -> bool {
        let comes_down = arc.comes_down(&ground.driver, blocked);
        let mut rates = [LONG_TICKS, SHORT_TICKS].into_iter();
        comes_down.is_some_and(|at| self.to.floor.contains(at))
            && rates.all(|ticks| self.works(ground, part, ticks))
    }

    /// Returns whether an agent that is driven gets across at a part of the edge.
    fn works(&self, ground: &Ground<'_>, part: f64, ticks: f32) -> bool {
        let leaves = self.line.at(part);
        let behind = moved(leaves, self.outward(), -RUN_UP);
        let start = match self.from.floor.contains(behind) {
            true => behind,
            false => toward(leaves, self.from.center, RUN_UP),
        };
        let mut points = vec![point(self.from, start, LinkKind::Walk)];
        match self.kind {
            LinkKind::Walk => points.extend(self.straight_over(leaves)),
            _ => {
                let before = moved(leaves, self.outward(), -self.from.run_up());
                let lands = self.lands(leaves);
                if !self.to.floor.contains(lands) {
                    return false;
                }
                points.push(point(self.from, before, LinkKind::Walk));
                points.push(point(self.to, lands, self.kind));
            }
        }
        ground.driver.arrives(&points, &self.to.floor, ticks)
    }

    /// Returns the points of a walk straight over a place of the edge, as paths go that turn at the end of a link.
    fn straight_over(&self, leaves: Place) -> impl Iterator<Item = PathPoint> {
        let beside = |piece, by| (piece, moved(leaves, self.outward(), by));
        let end = toward(leaves, self.to.center, RUN_UP);
        [beside(self.from, -FROM_END), beside(self.to, FROM_END)]
            .into_iter()
            .filter(|(piece, at)| piece.floor.contains(*at))
            .chain([(self.to, end)])
            .map(|(piece, at)| point(piece, at, self.kind))
    }
}

/// Returns the start of one of `n_parts` equal parts of a part, or the end of the last.
fn at([start, end]: Part, number: usize, n_parts: usize) -> f64 {
    start + (end - start) * number as f64 / n_parts as f64
}

/// Returns a part in the numbers of a file, which are no larger than the part unless it is tiny.
fn quantized(part: Part) -> [u16; 2] {
    let [start, end] = part.map(|end| end * f64::from(WHOLE_EDGE));
    let [start, end] = [start.ceil() as u16, end.floor() as u16];
    [start.min(end), end]
}
