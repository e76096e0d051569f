//! The memory of a path search, which belongs to the caller: the nodes of the search, a heap of those that are open,
//! and the least cost of each place where paths turn. Nothing is cleared before a search.

use super::cone::Cone;

/// A part of the memory of a path search; see [`OnionMap::path`](crate::OnionMap::path). Any bits are a value, so that
/// other languages can lend memory as it is.
#[derive(Clone, Copy, Debug, Default)]
pub struct PathScratch {
    /// The node with this number.
    node: Node,
    /// An entry of the heap: the number of an open node.
    open: u32,
    /// For the turning place with this number, the number of its entry among `turned` and `cost`.
    entry: u32,
    /// An entry: a turning place that was reached.
    turned: u32,
    /// The least cost at which it was reached.
    cost: f64,
    /// An entry of the list of floors that a flood has reached.
    flooded: u32,
    /// For the floor with this number, the number of its entry in that list.
    flood: u32,
}

/// A node of the search: a floor that is entered through a window, and the last place where the way there turned.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Node {
    /// The last place where the way turned, and the window that it enters the floor by.
    pub(super) cone: Cone,
    /// Cost of the way to the root.
    pub(super) cost: f64,
    /// Lower bound on the cost of the whole path.
    pub(super) bound: f64,
    /// Number of the floor that is entered.
    pub(super) floor: u32,
    /// Number of the floor before it, or [`NONE`].
    pub(super) before: u32,
    /// Number of the link between the two, or [`NONE`].
    pub(super) link: u32,
    /// Number of the node before, or [`NONE`].
    pub(super) parent: u32,
    /// Number of the root as a turning place, or [`NONE`] if it is the start.
    pub(super) turned: u32,
    /// Whether paths may turn at the right end of the window.
    pub(super) has_right: Flag,
    /// Whether paths may turn at its left end.
    pub(super) has_left: Flag,
    /// Whether the node is the goal.
    pub(super) is_goal: Flag,
}

/// A truth value that any byte is: a `bool` would have to be 0 or 1.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Flag(u8);

impl From<bool> for Flag {
    fn from(is_set: bool) -> Self {
        Self(is_set.into())
    }
}

impl Flag {
    pub(super) fn is_set(self) -> bool {
        self.0 != 0
    }
}

/// The number of no node, link, floor or turning place.
pub(super) const NONE: u32 = u32::MAX;

/// The memory of one search.
pub(super) struct Memory<'s> {
    all: &'s mut [PathScratch],
    n_nodes: usize,
    n_open: usize,
    n_turned: usize,
    n_flooded: usize,
}

impl<'s> Memory<'s> {
    pub(super) fn new(all: &'s mut [PathScratch]) -> Self {
        Self {
            all,
            n_nodes: 0,
            n_open: 0,
            n_turned: 0,
            n_flooded: 0,
        }
    }

    /// Forgets nodes and turning places.
    pub(super) fn forget(&mut self) {
        (self.n_nodes, self.n_open, self.n_turned) = (0, 0, 0);
    }

    pub(super) fn node(&self, number: u32) -> Option<&Node> {
        let known = self.all.get(..self.n_nodes)?;
        known.get(number as usize).map(|scratch| &scratch.node)
    }

    /// Adds an open node. Whether there was room for it.
    pub(super) fn push(&mut self, node: Node) -> bool {
        let Some(scratch) = self.all.get_mut(self.n_nodes) else {
            return false;
        };
        scratch.node = node;
        self.all[self.n_open].open = self.n_nodes as u32;
        self.n_nodes += 1;
        self.n_open += 1;
        // Up in the heap, above those that come later.
        let mut at = self.n_open - 1;
        while at > 0 && self.is_before(at, (at - 1) / 2) {
            self.swap(at, (at - 1) / 2);
            at = (at - 1) / 2;
        }
        true
    }

    /// Takes the open node with the least bound; of equal ones, the one that was added first.
    pub(super) fn pop(&mut self) -> Option<u32> {
        let last = self.n_open.checked_sub(1)?;
        self.swap(0, last);
        self.n_open = last;
        let mut at = 0;
        loop {
            let below = [2 * at + 1, 2 * at + 2].into_iter();
            let first = below.filter(|&child| child < last).reduce(|one, other| {
                if self.is_before(other, one) {
                    other
                } else {
                    one
                }
            });
            match first {
                Some(child) if self.is_before(child, at) => {
                    self.swap(at, child);
                    at = child;
                }
                _ => return Some(self.all[last].open),
            }
        }
    }

    fn is_before(&self, one: usize, other: usize) -> bool {
        let [one, other] = [one, other].map(|at| self.all[at].open);
        let [a, b] = [one, other].map(|number| self.all[number as usize].node.bound);
        a < b || (a == b && one < other)
    }

    fn swap(&mut self, one: usize, other: usize) {
        let [a, b] = [one, other].map(|at| self.all[at].open);
        (self.all[one].open, self.all[other].open) = (b, a);
    }

    /// Returns the least cost at which a turning place was reached: infinite if it was not.
    pub(super) fn least(&self, turned: u32) -> f64 {
        self.entry(turned)
            .map_or(f64::INFINITY, |entry| self.all[entry].cost)
    }

    /// Returns the entry of a turning place. What an earlier search left there names another place, or no entry of
    /// this search (Briggs and Torczon, "An efficient representation for sparse sets", 1993).
    fn entry(&self, turned: u32) -> Option<usize> {
        let entry = self.all.get(turned as usize)?.entry as usize;
        let is_own = entry < self.n_turned && self.all[entry].turned == turned;
        is_own.then_some(entry)
    }

    /// Records that a turning place was reached at this cost, which is less than before. Whether there was room for
    /// it.
    pub(super) fn reach(&mut self, turned: u32, cost: f64) -> bool {
        let entry = self.entry(turned).unwrap_or(self.n_turned);
        if turned as usize >= self.all.len() || entry >= self.all.len() {
            return false;
        }
        if entry == self.n_turned {
            self.n_turned += 1;
        }
        self.all[turned as usize].entry = entry as u32;
        (self.all[entry].turned, self.all[entry].cost) = (turned, cost);
        true
    }

    /// Adds a floor to those that a flood has reached, if it is not one of them. Whether there was room for it.
    pub(super) fn flood(&mut self, floor: u32) -> bool {
        let Some(scratch) = self.all.get(floor as usize) else {
            return false;
        };
        let entry = scratch.flood as usize;
        let is_known = entry < self.n_flooded && self.all[entry].flooded == floor;
        if !is_known {
            self.all[floor as usize].flood = self.n_flooded as u32;
            self.all[self.n_flooded].flooded = floor;
            self.n_flooded += 1;
        }
        true
    }

    /// Returns a floor that a flood has reached, by its number in their order.
    pub(super) fn flooded(&self, number: usize) -> Option<u32> {
        let known = self.all.get(..self.n_flooded)?;
        known.get(number).map(|scratch| scratch.flooded)
    }
}
