//! The queries of one hull in one map: an exact map to walk in, a filled one that shows where agents can be, and a
//! seed in; lists of distinct segments, agent by agent and shuffled, out.

use clap::ValueEnum;
use onion_runtime::{Hull, OnionMap};
use onion_tests::queries::along;
use onion_tests::random::Random;

use crate::agents::Agent;
use crate::rival::{Question, Segment};

/// A kind of query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// From a place just above a floor, 1 to 64 units sideways and slightly up or down.
    Walk,
    /// Every trace that simulated players make.
    Moves,
    /// From players' positions, 8,192 units in any direction; every other one nearly level.
    Shot,
    /// Between two places anywhere, the first one not in solid.
    Uniform,
    /// Whether a place is solid: near a player, or anywhere.
    Points,
}

/// The order of the queries of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Order {
    /// Agent by agent, in the order in which each made them.
    Coherent,
    /// Two neighbors have nothing in common.
    Shuffled,
    /// Shuffled, and the caches hold nothing of the map before each group of [`crate::timing::GROUP`].
    Cold,
}

/// All kinds.
pub const KINDS: [Kind; 5] = [
    Kind::Walk,
    Kind::Moves,
    Kind::Shot,
    Kind::Uniform,
    Kind::Points,
];

/// All orders.
pub const ORDERS: [Order; 3] = [Order::Coherent, Order::Shuffled, Order::Cold];

/// Number of agents; each makes an equal share of the queries.
const AGENTS: usize = 256;
/// Number of moves of one walker.
const WALKS: usize = 32;
/// Divisor for the number of long segments, which cost ten times as much as short ones.
const LONG_SHARE: usize = 4;
/// Length of a shot, in units.
const SHOT: f64 = 8192.0;
/// Half-width of the box around a player in which points are queried, in units.
const NEAR: f64 = 64.0;
/// Highest vertical component of a level shot's direction.
const LEVEL: f64 = 0.1;
/// Number of places that are tried before the last one must do.
const TRIES: usize = 10_000;

impl Kind {
    /// Returns its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Walk => "walk",
            Self::Moves => "moves",
            Self::Shot => "shot",
            Self::Uniform => "uniform",
            Self::Points => "points",
        }
    }

    /// Returns the question about its segments.
    pub fn question(self) -> Question {
        match self {
            Self::Points => Question::Point,
            _ => Question::Trace,
        }
    }
}

impl Order {
    /// Returns its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Coherent => "coherent",
            Self::Shuffled => "shuffled",
            Self::Cold => "cold",
        }
    }
}

/// A generator of the queries of a hull.
pub struct Queries<'a> {
    map: &'a OnionMap<Vec<u8>>,
    hull: Hull<'a>,
    filled: &'a OnionMap<Vec<u8>>,
    /// A hull for which the filled map has room where agents start.
    visitor: Hull<'a>,
    bounds: [[f64; 3]; 2],
    random: Random,
}

impl<'a> Queries<'a> {
    /// Prepares queries for a hull of a map that is not filled; `filled` has the same hulls, and `bounds` are the
    /// world's.
    pub fn new(
        map: &'a OnionMap<Vec<u8>>,
        filled: &'a OnionMap<Vec<u8>>,
        hull: Hull<'a>,
        bounds: [[f64; 3]; 2],
    ) -> Self {
        let own = filled.hulls().nth(hull.id.index());
        let some = filled.hulls().find(|other| other.filled);
        let visitor = own.filter(|own| own.filled).or(some).or(own);
        Self {
            map,
            filled,
            visitor: visitor.unwrap_or(hull),
            hull,
            bounds,
            random: Random::new(1),
        }
    }

    /// Makes a list of distinct queries, agent by agent.
    pub fn list(&mut self, kind: Kind, n_queries: usize) -> Vec<Segment> {
        let long = n_queries.div_ceil(LONG_SHARE);
        match kind {
            Kind::Walk => self.walks(n_queries),
            Kind::Moves => self.moves(n_queries),
            Kind::Shot => self.around_agents(long, Self::shot),
            Kind::Uniform => (0..long).map(|_| self.uniform()).collect(),
            Kind::Points => self.around_agents(n_queries, Self::point),
        }
    }

    /// Returns the same queries in random order.
    pub fn shuffled(&mut self, mut queries: Vec<Segment>) -> Vec<Segment> {
        for last in (1..queries.len()).rev() {
            queries.swap(last, self.random.below(last + 1));
        }
        queries
    }

    /// Picks places where agents can be, on the floor.
    pub fn places(&mut self, n_places: usize) -> Vec<[f32; 3]> {
        (0..n_places).map(|_| self.standing_place()).collect()
    }

    /// Picks a place where an agent can be, on the floor.
    fn standing_place(&mut self) -> [f32; 3] {
        let mut place = [0.0; 3];
        for _ in 0..TRIES {
            place = self.anywhere();
            let free = !self.map.world().is_solid(self.hull.id, place);
            if free && !self.filled.world().is_solid(self.visitor.id, place) {
                break;
            }
        }
        let below = [place[0], place[1], place[2] - 4096.0];
        self.map.world().trace(self.hull.id, place, below).end_pos
    }

    fn anywhere(&mut self) -> [f32; 3] {
        let [mins, maxs] = self.bounds;
        self.random.point(mins, maxs).map(|x| x as f32)
    }

    fn walks(&mut self, n_queries: usize) -> Vec<Segment> {
        let mut walks = Vec::with_capacity(n_queries);
        while walks.len() < n_queries {
            let mut at = self.standing_place();
            for _ in 0..WALKS {
                let angle = self.random.between(0.0, std::f64::consts::TAU);
                let direction = [angle.cos(), angle.sin(), self.random.between(-0.3, 0.1)];
                let end = self.far(at, direction, 1.0, 64.0);
                walks.push([at, end]);
                at = self.map.world().trace(self.hull.id, at, end).end_pos;
            }
        }
        walks.truncate(n_queries);
        walks
    }

    fn far(&mut self, at: [f32; 3], direction: [f64; 3], near: f64, far: f64) -> [f32; 3] {
        let distance = self.random.between(near, far);
        along(at.map(f64::from), direction, distance).map(|x| x as f32)
    }

    fn moves(&mut self, n_queries: usize) -> Vec<Segment> {
        let mut moves = Vec::with_capacity(n_queries);
        while moves.len() < n_queries {
            let share = n_queries.div_ceil(AGENTS).min(n_queries - moves.len());
            let at = self.standing_place();
            let mut agent = Agent::new(self.map, self.hull.id, at, &mut self.random);
            while agent.traces.len() < share {
                agent.walk(&mut self.random);
            }
            moves.extend_from_slice(&agent.traces[..share]);
        }
        moves
    }

    /// Makes one query for each place of walking agents.
    fn around_agents(
        &mut self,
        n_queries: usize,
        query: fn(&mut Self, [f32; 3]) -> Segment,
    ) -> Vec<Segment> {
        let mut queries = Vec::with_capacity(n_queries);
        while queries.len() < n_queries {
            let share = n_queries.div_ceil(AGENTS).min(n_queries - queries.len());
            let at = self.standing_place();
            let mut agent = Agent::new(self.map, self.hull.id, at, &mut self.random);
            for _ in 0..share {
                agent.walk(&mut self.random);
                queries.push(query(self, agent.at));
            }
        }
        queries
    }

    fn shot(&mut self, at: [f32; 3]) -> Segment {
        let mut direction = self.random.direction();
        if self.random.below(2) == 0 {
            let angle = self.random.between(0.0, std::f64::consts::TAU);
            let rise = self.random.between(-LEVEL, LEVEL);
            let level = (1.0 - rise * rise).sqrt();
            direction = [angle.cos() * level, angle.sin() * level, rise];
        }
        [at, self.far(at, direction, SHOT, SHOT)]
    }

    fn point(&mut self, at: [f32; 3]) -> Segment {
        if self.random.below(2) == 0 {
            return [self.anywhere(); 2];
        }
        let near = self.random.point([-NEAR; 3], [NEAR; 3]);
        [along(at.map(f64::from), near, 1.0).map(|x| x as f32); 2]
    }

    fn uniform(&mut self) -> Segment {
        let mut start = self.anywhere();
        for _ in 0..TRIES {
            if !self.map.world().is_solid(self.hull.id, start) {
                break;
            }
            start = self.anywhere();
        }
        [start, self.anywhere()]
    }
}
