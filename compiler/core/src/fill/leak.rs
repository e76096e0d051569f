//! A leak is a path from a seed out of the map, as points for an editor. Of all paths, it passes through the fewest
//! leaves. It runs straight from the center of each leaf to the center of a portal and on to the center of the next
//! leaf, so it stays out of solid.

use std::collections::VecDeque;

use glam::DVec3;
use onion_format::HullSet;

use crate::fill::portals::Portals;
use crate::fill::seeds::Seed;
use crate::id::HullIndex;

/// Maximum distance between neighboring points of an exported path, in units.
const STEP: f64 = 4.0;

/// A path out of the map.
#[derive(Clone, Debug)]
pub struct Leak {
    /// The hull that gets out.
    pub hull: HullIndex,
    /// Number of the entity where the path begins.
    pub entity: usize,
    /// The path, in units: straight from each point to the next.
    pub path: Vec<[f64; 3]>,
}

impl Leak {
    /// Returns the path as points a few units apart, as editors of the Quake family show it.
    pub fn points(&self) -> Vec<[f64; 3]> {
        let mut points = Vec::new();
        for pair in self.path.windows(2) {
            let [from, to] = [pair[0], pair[1]].map(DVec3::from);
            let n_steps = (from.distance(to) / STEP).ceil().max(1.0);
            let steps = (0..n_steps as u64).map(|step| step as f64 / n_steps);
            points.extend(steps.map(|part| from.lerp(to, part).to_array()));
        }
        points.extend(self.path.last());
        points
    }
}

/// Converts three numbers to text, rounded for reading.
pub(crate) fn units([x, y, z]: [f64; 3]) -> String {
    let round = |units: f64| (units * 1000.0).round() / 1000.0;
    format!("{} {} {}", round(x), round(y), round(z))
}

/// The step by which the search reached a leaf.
#[derive(Clone, Copy)]
enum Before {
    /// The seed with this number is in the leaf.
    Seed(usize),
    /// The leaf was reached from this leaf, through the portal with this number.
    Leaf(u32, u32),
}

/// Returns the path through the fewest leaves from any seed of `stances`, the hulls of one agent, to a leaf that
/// touches the box of the tree, or `None` if there is no path. The leak is attributed to `hull`.
pub fn path_out(
    portals: &Portals,
    starts: &[(Seed, Vec<u32>)],
    hull: HullIndex,
    stances: HullSet,
) -> Option<Leak> {
    let neighbors = portals.neighbors();
    let mut before: Vec<Option<Before>> = vec![None; portals.leaves.len()];
    let mut pending = VecDeque::new();
    let of_hull = |(_, (seed, _)): &(usize, &(Seed, Vec<u32>))| seed.hull.is_in(stances);
    for (number, (_, leaves)) in starts.iter().enumerate().filter(of_hull) {
        for &leaf in leaves {
            if before[leaf as usize].is_none() {
                before[leaf as usize] = Some(Before::Seed(number));
                pending.push_back(leaf);
            }
        }
    }
    while let Some(leaf) = pending.pop_front() {
        if let Some(exit) = portals.leaves[leaf as usize].exit {
            let mut path = vec![exit, portals.leaves[leaf as usize].center];
            let mut reached = leaf;
            let seed = loop {
                match before[reached as usize].expect("every leaf on the path was reached") {
                    Before::Seed(number) => break &starts[number].0,
                    Before::Leaf(leaf, portal) => {
                        path.push(portals.list[portal as usize].center);
                        path.push(portals.leaves[leaf as usize].center);
                        reached = leaf;
                    }
                }
            };
            path.push(seed.point.position);
            let path = path.into_iter().rev().map(|point| point.to_array());
            return Some(Leak {
                hull,
                entity: seed.entity,
                path: path.collect(),
            });
        }
        for (other, portal) in neighbors.of(leaf) {
            let open = portals.list[portal as usize].hulls.intersects(stances);
            if open && before[other as usize].is_none() {
                before[other as usize] = Some(Before::Leaf(leaf, portal));
                pending.push_back(other);
            }
        }
    }
    None
}
