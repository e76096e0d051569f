//! The floors that a short walk leads to, with the length of the walk: a link that takes an agent across is of no use
//! where walking is as cheap (Dijkstra, 1959, over the middles of links).

use std::cmp::Reverse;
use std::collections::binary_heap::PeekMut;
use std::collections::hash_map::Entry;
use std::collections::{BinaryHeap, HashMap};

use foldhash::fast::RandomState;
use onion_format::LinkRecord;

use super::ground::Ground;
use super::line::{Place, distance};

/// The walks from one place, searched as far as they were asked for.
pub(super) struct Walks<'g, 'a> {
    ground: &'g Ground<'a>,
    /// The walking links of all floors.
    links: &'g [Vec<LinkRecord>],
    /// For the number of each floor that was reached among those of the class, the length of the walk to a place of it,
    /// in units.
    reached: HashMap<usize, (f64, Place), RandomState>,
    open: BinaryHeap<Open>,
}

/// A walk of some length, which ends at a place of a floor. The shortest is the greatest, as heaps want it.
#[derive(PartialEq)]
struct Open(Reverse<f64>, usize, Place);

impl Eq for Open {}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Open {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let by_length = other.0.0.total_cmp(&self.0.0);
        by_length.then(other.1.cmp(&self.1))
    }
}

impl<'g, 'a> Walks<'g, 'a> {
    /// Returns the walks from a place of a floor, given the walking links of all floors.
    pub(super) fn new(
        ground: &'g Ground<'a>,
        links: &'g [Vec<LinkRecord>],
        (floor, place): (usize, Place),
    ) -> Self {
        Self {
            ground,
            links,
            reached: HashMap::default(),
            open: BinaryHeap::from([Open(Reverse(0.0), floor, place)]),
        }
    }

    /// Whether a walk to a place of a floor is at most this long.
    pub(super) fn leads_to(&mut self, floor: u32, place: Place, longest: f64) -> bool {
        let goal = self.ground.index(floor);
        while !self.reached.contains_key(&goal) {
            let next = self.open.peek_mut().filter(|next| next.0.0 <= longest);
            let Some(next) = next.map(PeekMut::pop) else {
                return false;
            };
            self.extend(next);
        }
        let (length, at) = self.reached[&goal];
        length + distance(at, place) <= longest
    }

    /// Adds the walks over the links of a floor, unless a shorter walk leads there.
    fn extend(&mut self, Open(Reverse(length), floor, place): Open) {
        let Entry::Vacant(entry) = self.reached.entry(floor) else {
            return;
        };
        entry.insert((length, place));
        for link in &self.links[floor] {
            let middle = self.ground.floors[floor].place(link, 0.5);
            let length = length + distance(place, middle);
            let next = Open(Reverse(length), self.ground.index(link.to()), middle);
            self.open.push(next);
        }
    }
}
