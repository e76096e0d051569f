//! The floors that a short walk leads to, with the length of the walk: a link that takes an agent across is of no use
//! where walking is as cheap (Dijkstra, 1959, over the middles of links).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use onion_format::LinkRecord;

use super::ground::Ground;
use super::line::{Place, distance};

/// The walks from one place.
pub(super) struct Walks<'g, 'a> {
    ground: &'g Ground<'a>,
    /// For each floor that was reached, its number among those of the class and the length of the walk to a place of
    /// it, in units. Few, so that they are searched one by one.
    reached: Vec<(usize, f64, Place)>,
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
    /// Returns the walks of at most some length from a place of a floor, given the walking links of all floors.
    pub(super) fn new(
        ground: &'g Ground<'a>,
        walks: &[Vec<LinkRecord>],
        (floor, place): (usize, Place),
        longest: f64,
    ) -> Self {
        let mut reached: Vec<(usize, f64, Place)> = Vec::new();
        let mut is_reached = vec![false; walks.len()];
        let mut open = BinaryHeap::from([Open(Reverse(0.0), floor, place)]);
        while let Some(Open(Reverse(length), floor, place)) = open.pop() {
            if std::mem::replace(&mut is_reached[floor], true) {
                continue;
            }
            reached.push((floor, length, place));
            for link in &walks[floor] {
                let middle = ground.floors[floor].place(link, 0.5);
                let length = length + distance(place, middle);
                if length <= longest {
                    open.push(Open(Reverse(length), ground.index(link.to), middle));
                }
            }
        }
        Self { ground, reached }
    }

    /// Whether a walk to a place of a floor is at most this long.
    pub(super) fn leads_to(&self, floor: u32, place: Place, longest: f64) -> bool {
        let index = self.ground.index(floor);
        let mut walks = self.reached.iter().filter(|(known, ..)| *known == index);
        walks.any(|(_, length, at)| length + distance(*at, place) <= longest)
    }
}
