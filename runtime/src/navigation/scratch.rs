//! The memory of a path search, which belongs to the caller: the nodes of the search, a heap of those that are open,
//! and the least cost of each place where paths turn. Nothing is cleared before a search.

use super::cone::{Cone, Place, Sight, distance};
use crate::tolerance::NEAR;

/// The number of nodes, open nodes, turning places and floors in a part of the memory. Entries with consecutive numbers
/// share cache lines, because a search reads the entries of one floor together.
const N: usize = 16;

/// A part of the memory of a path search; see [`OnionMap::path`](crate::OnionMap::path). Any bits are a value, so that
/// other languages can lend memory as it is.
#[derive(Clone, Copy, Debug, Default)]
pub struct PathScratch {
    nodes: [Node; N],
    /// The heap of open nodes.
    open: [Open; N],
    /// For each turning place, the number of its entry in `turned`.
    entries: [u32; N],
    /// The turning places that were reached.
    turned: [Turned; N],
    /// For each walking link, the last node behind it.
    latest: [u32; N],
    /// The floors that a flood has reached.
    flooded: [u32; N],
    /// For each floor, the number of its entry in `flooded`.
    floods: [u32; N],
}

impl PathScratch {
    /// Returns the number of parts with room for `n` nodes, turning places and floors each.
    pub(super) fn count(n: usize) -> usize {
        n.div_ceil(N)
    }
}

/// An open node.
#[derive(Clone, Copy, Debug, Default)]
struct Open {
    /// Lower bound on the cost of the whole path.
    bound: f64,
    /// The number of the node.
    node: u32,
}

impl Open {
    /// Whether this node is expanded before another: by the lower bound, then by the lower number.
    fn is_before(&self, other: &Self) -> bool {
        self.bound < other.bound || (self.bound == other.bound && self.node < other.node)
    }
}

/// A turning place that was reached.
#[derive(Clone, Copy, Debug, Default)]
struct Turned {
    /// The least cost at which it was reached.
    cost: f64,
    /// The number of the place.
    place: u32,
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
    /// The floors that the path has crossed: bit n stands for all floors whose number modulo 64 is n.
    pub(super) passed: u64,
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

impl Node {
    /// Returns whether paths from this node may go on in this way: straight, or around an end of its window.
    pub(super) fn may_turn(&self, sight: Sight) -> bool {
        match sight {
            Sight::Straight => true,
            Sight::AroundRight => self.has_right.is_set(),
            Sight::AroundLeft => self.has_left.is_set(),
        }
    }

    /// Returns whether another node behind the same link can be left out: it sees the floor from the same root through
    /// the same window, at no less cost.
    pub(super) fn is_as_good_as(&self, other: &Self) -> bool {
        let same = |one: Place, other: Place| distance(one, other) <= NEAR;
        same(self.cone.root, other.cone.root)
            && same(self.cone.right, other.cone.right)
            && same(self.cone.left, other.cone.left)
            && self.has_right.0 >= other.has_right.0
            && self.has_left.0 >= other.has_left.0
            && other.cost >= self.cost - NEAR
    }
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
        let number = number as usize;
        let part = self.all.get(number / N)?;
        (number < self.n_nodes).then(|| &part.nodes[number % N])
    }

    /// Returns the last node that a walking link was entered by. What an earlier search left there is no node behind
    /// the link, or the search has set it since.
    pub(super) fn latest(&self, link: u32) -> Option<&Node> {
        let at = link as usize;
        let node = self.node(self.all.get(at / N)?.latest[at % N])?;
        (node.link == link).then_some(node)
    }

    /// Adds an open node behind a walking link. Whether there was room for it.
    pub(super) fn push_behind(&mut self, link: u32, node: Node) -> bool {
        let at = link as usize;
        if let Some(part) = self.all.get_mut(at / N) {
            part.latest[at % N] = self.n_nodes as u32;
        }
        self.push(node)
    }

    /// Adds an open node. Whether there was room for it.
    pub(super) fn push(&mut self, node: Node) -> bool {
        let (part, place) = (self.n_nodes / N, self.n_nodes % N);
        let Some(scratch) = self.all.get_mut(part) else {
            return false;
        };
        scratch.nodes[place] = node;
        let open = Open {
            bound: node.bound,
            node: self.n_nodes as u32,
        };
        self.n_nodes += 1;
        // Up in the heap, above those that come later.
        let mut at = self.n_open;
        self.n_open += 1;
        while at > 0 && open.is_before(&self.open((at - 1) / 2)) {
            self.set_open(at, self.open((at - 1) / 2));
            at = (at - 1) / 2;
        }
        self.set_open(at, open);
        true
    }

    /// Takes the first open node.
    pub(super) fn pop(&mut self) -> Option<u32> {
        let last = self.n_open.checked_sub(1)?;
        let (first, moved) = (self.open(0), self.open(last));
        self.n_open = last;
        let mut at = 0;
        loop {
            let below = [2 * at + 1, 2 * at + 2].into_iter();
            let below = below.filter(|&child| child < last);
            let below = below.map(|child| (child, self.open(child)));
            let next = below.reduce(|one, other| match other.1.is_before(&one.1) {
                true => other,
                false => one,
            });
            match next {
                Some((child, open)) if open.is_before(&moved) => {
                    self.set_open(at, open);
                    at = child;
                }
                _ => break,
            }
        }
        self.set_open(at, moved);
        Some(first.node)
    }

    fn open(&self, at: usize) -> Open {
        self.all[at / N].open[at % N]
    }

    fn set_open(&mut self, at: usize, open: Open) {
        self.all[at / N].open[at % N] = open;
    }

    /// Returns the least cost at which a turning place was reached: infinite if it was not.
    pub(super) fn least(&self, place: u32) -> f64 {
        let turned = self.entry(place).map(|entry| self.turned(entry));
        turned.map_or(f64::INFINITY, |turned| turned.cost)
    }

    /// Returns the entry of a turning place. What an earlier search left there names another place, or no entry of
    /// this search (Briggs and Torczon, "An efficient representation for sparse sets", 1993).
    fn entry(&self, place: u32) -> Option<usize> {
        let at = place as usize;
        let entry = self.all.get(at / N)?.entries[at % N] as usize;
        (entry < self.n_turned && self.turned(entry).place == place).then_some(entry)
    }

    fn turned(&self, entry: usize) -> Turned {
        self.all[entry / N].turned[entry % N]
    }

    /// Records that a turning place was reached at this cost, which is less than before. Whether there was room for
    /// it.
    pub(super) fn reach(&mut self, place: u32, cost: f64) -> bool {
        let (at, room) = (place as usize, self.all.len() * N);
        let entry = self.entry(place).unwrap_or(self.n_turned);
        if at >= room || entry >= room {
            return false;
        }
        if entry == self.n_turned {
            self.n_turned += 1;
        }
        self.all[at / N].entries[at % N] = entry as u32;
        self.all[entry / N].turned[entry % N] = Turned { cost, place };
        true
    }

    /// Adds a floor to those that a flood has reached, if it is not one of them. Whether there was room for it.
    pub(super) fn flood(&mut self, floor: u32) -> bool {
        let at = floor as usize;
        let Some(scratch) = self.all.get(at / N) else {
            return false;
        };
        let entry = scratch.floods[at % N] as usize;
        if self.flooded(entry) != Some(floor) {
            let entry = self.n_flooded;
            self.all[at / N].floods[at % N] = entry as u32;
            self.all[entry / N].flooded[entry % N] = floor;
            self.n_flooded += 1;
        }
        true
    }

    /// Returns a floor that a flood has reached, by its number in their order.
    pub(super) fn flooded(&self, number: usize) -> Option<u32> {
        let part = self.all.get(number / N)?;
        (number < self.n_flooded).then(|| part.flooded[number % N])
    }
}
