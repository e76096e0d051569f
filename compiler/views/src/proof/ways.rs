//! The floors of a class of agents as a graph: links lead from one to another, and where two stances have room on the
//! same ground, the agent changes from one to the other. In: a file and a class. Out: the floors that an agent reaches
//! from some floors, and those from which it reaches them.

use std::collections::HashMap;

use glam::DVec3;
use onion_geometry::Bounds;
use onion_geometry::spatial::SpatialIndex;
use onion_runtime::navigation::{AgentClass, Floor};
use onion_runtime::{Hull, OnionMap};

use crate::outline;

/// A floor of a class.
pub(super) struct Piece<'a> {
    /// The hull that stands on it.
    pub hull: Hull<'a>,
    /// Positions of the hull's origin at its corners.
    pub corners: Vec<DVec3>,
    /// The box around the corners.
    pub bounds: Bounds,
    /// Area as seen from above, in square units.
    pub area: f64,
}

impl<'a> Piece<'a> {
    fn new(hull: Hull<'a>, floor: &Floor<'_>) -> Self {
        let corners: Vec<DVec3> = floor.corners().map(DVec3::from_array).collect();
        Self {
            hull,
            bounds: Bounds::of(corners.iter().copied()),
            area: outline::area(&corners),
            corners,
        }
    }

    /// Returns the lowest and the highest position of the hull's feet on the floor.
    pub(super) fn feet(&self) -> [f64; 2] {
        let below = f64::from(self.hull.bounds.mins[2]);
        [self.bounds.mins.z + below, self.bounds.maxs.z + below]
    }
}

/// The floors of a class and the ways between them.
pub(super) struct Ways<'a> {
    /// The floors, in the order of the file.
    pub pieces: Vec<Piece<'a>>,
    /// The floors by their numbers in the file.
    by_number: HashMap<u32, usize>,
    /// For each floor, those that an agent gets to from it without crossing others.
    next: Vec<Vec<usize>>,
    /// For each floor, those from which an agent gets to it without crossing others.
    before: Vec<Vec<usize>>,
}

/// A direction along ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Along,
    Back,
}

impl<'a> Ways<'a> {
    pub(super) fn new<D: AsRef<[u8]>>(map: &'a OnionMap<D>, class: &AgentClass) -> Self {
        let hulls = map.hulls();
        let hulls = hulls.filter(|hull| class.hulls.contains(hull.id.index()));
        let floors = hulls.flat_map(|hull| map.floors(hull.id).map(move |floor| (hull, floor)));
        let floors = floors.map(|(hull, floor)| (floor.number, Piece::new(hull, &floor)));
        let (numbers, pieces): (Vec<u32>, Vec<Piece<'_>>) = floors.unzip();
        let by_number = numbers.iter().zip(0..).map(|(&number, at)| (number, at));
        let mut ways = Self {
            by_number: by_number.collect(),
            next: vec![Vec::new(); pieces.len()],
            before: vec![Vec::new(); pieces.len()],
            pieces,
        };
        for (from, number) in numbers.into_iter().enumerate() {
            for link in map.links_from(number) {
                ways.add(from, ways.by_number.get(&link.to).copied());
            }
        }
        ways.add_changes(f64::from(class.settings.step_height));
        ways
    }

    /// Returns a floor by its number in the file, or `None` if it is of another class.
    pub(super) fn piece(&self, number: u32) -> Option<usize> {
        self.by_number.get(&number).copied()
    }

    /// Returns, for each floor, whether an agent gets from some floors to it, or from it to them.
    pub(super) fn reached(&self, from: &[usize], direction: Direction) -> Vec<bool> {
        let steps = match direction {
            Direction::Along => &self.next,
            Direction::Back => &self.before,
        };
        let mut is_reached = vec![false; self.pieces.len()];
        let mut pending = from.to_vec();
        while let Some(at) = pending.pop() {
            if !std::mem::replace(&mut is_reached[at], true) {
                pending.extend(&steps[at]);
            }
        }
        is_reached
    }

    /// Returns the floors to which or from which ways lead without crossing others.
    pub(super) fn beside(&self, at: usize) -> impl Iterator<Item = usize> {
        self.next[at].iter().chain(&self.before[at]).copied()
    }

    fn add(&mut self, from: usize, to: Option<usize>) {
        if let Some(to) = to {
            self.next[from].push(to);
            self.before[to].push(from);
        }
    }

    /// Adds ways between floors of different hulls on the same ground: with feet at most a step apart.
    fn add_changes(&mut self, step: f64) {
        let flat = self.pieces.iter().map(|piece| {
            let [low, high] = piece.feet();
            Bounds {
                mins: piece.bounds.mins.with_z(low),
                maxs: piece.bounds.maxs.with_z(high),
            }
        });
        let flat: Vec<Bounds> = flat.collect();
        let index = SpatialIndex::new(flat.iter().copied());
        for (at, bounds) in flat.iter().enumerate() {
            for other in index.touching(&bounds.widened(step)) {
                let [one, two] = [at, other as usize].map(|at| &self.pieces[at]);
                let is_change = one.hull.id != two.hull.id;
                if is_change && outline::overlap(&one.corners, &two.corners) {
                    self.add(at, Some(other as usize));
                }
            }
        }
    }
}
