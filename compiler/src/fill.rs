//! Stage 4, fill, finds what no agent can reach in the world, for each hull, and drops the faces of the skin
//! that look at nothing else (Carmack's filling of the outside, extended to sealed pockets). A first tree is
//! built over all skins and flooded from the [`seeds`](crate::seeds) through its portals, for all hulls at
//! once. What is out of reach counts as solid when the final tree is built.
//!
//! Hulls that are [`stances`] of one agent are reached together. If they get out of the map they leak and are
//! not filled.

use onion_format::HullSet;
use rayon::prelude::*;
use serde::Serialize;

use crate::error::CompileError;
use crate::expand::ModelSolids;
use crate::geometry::PlaneSet;
use crate::id::HullId;
use crate::leak::{self, Leak};
use crate::map::{Map, Warning};
use crate::options::CompileOptions;
use crate::portals::{LeafTree, Marks, Portals, Unreachable};
use crate::seal::Claim;
use crate::seeds::{Fill, Seed, seeds, stances};
use crate::tree;
use crate::union::Face;

/// What the filling did, for all hulls.
#[derive(Clone, Debug, Default)]
pub struct Filling {
    /// The hulls that are filled.
    pub filled: HullSet,
    /// Where agents come into the world.
    pub seeds: Vec<Seed>,
    /// For each hull, its stances, which are reached together.
    pub stances: Vec<HullSet>,
    /// What was done for each hull.
    pub hulls: Vec<HullFilling>,
    /// The path out of the map of the first hull that leaks.
    pub leak: Option<Leak>,
    /// What was odd, and which hulls are not filled.
    pub warnings: Vec<Warning>,
    unreachable: Option<Unreachable>,
}

impl Filling {
    /// What the filled hulls cannot reach in the world; none if no hull was to be filled.
    pub fn unreachable(&self) -> Option<&Unreachable> {
        self.unreachable.as_ref()
    }

    /// What the audit is to prove.
    pub fn claim(&self) -> Claim<'_> {
        Claim {
            filled: self.filled,
            seeds: &self.seeds,
            stances: &self.stances,
        }
    }
}

impl Outcome {
    fn of(leak: &Leak, map: &Map) -> Self {
        let [from, to] = [leak.path.first(), leak.path.last()];
        let mut points = map.points.iter();
        let start = points.find(|point| point.number == leak.entity);
        Self::Leaks {
            entity: leak.entity,
            class: start.map(|point| point.class.clone()).unwrap_or_default(),
            from: from.copied().unwrap_or_default(),
            to: to.copied().unwrap_or_default(),
        }
    }
}

/// What the filling did for a hull.
#[derive(Clone, Debug, Serialize)]
pub struct HullFilling {
    /// Name of the hull.
    pub hull: String,
    /// Whether it is filled, or why not.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// Entities of the classes that agents start from.
    pub starts: usize,
    /// Those of them from which it was flooded.
    pub seeds: usize,
    /// Faces of its skin that were dropped.
    pub faces_dropped: usize,
}

/// Whether a hull is filled, or why not.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "fill", rename_all = "snake_case")]
pub enum Outcome {
    /// What cannot be reached is solid.
    Filled,
    /// Filling is off.
    Off,
    /// Nothing blocks the hull, so it gets everywhere.
    NothingSolid,
    /// No entity to start from, or none has room for the hull.
    NoSeed,
    /// An agent gets out of the map.
    Leaks {
        /// Number of the entity where the path out of the map begins.
        entity: usize,
        /// Its class.
        class: String,
        /// Where that is, in units.
        from: [f64; 3],
        /// Where the path leaves the box around the map, in units.
        to: [f64; 3],
    },
}

/// Fills the world: the skins without the faces that are out of reach, and what was done.
///
/// # Errors
/// The first tree is deeper than the format allows.
pub fn fill(
    map: &Map,
    options: &CompileOptions,
    models: &[ModelSolids],
    mut skins: Vec<Vec<Face>>,
    planes: &mut PlaneSet,
) -> Result<(Vec<Vec<Face>>, Filling), CompileError> {
    let CompileOptions { hulls, fill, .. } = options;
    let mut warnings = Vec::new();
    let seeds = seeds(map, fill, &models[0], hulls, planes, &mut warnings);
    let mut filling = Filling::new(map, options, &models[0], seeds);
    if filling.hulls.iter().any(HullFilling::is_open) {
        let first = FirstTree::new(&models[0], &skins[0], &filling, planes)?;
        filling.judge(map, &first);
        filling.take_faces(&first, &mut skins[0], planes);
        filling.unreachable = Some(Unreachable {
            tree: first.tree,
            reached: first.reached,
            filled: filling.filled,
        });
    }
    warnings.extend(filling.hulls.iter().filter_map(|hull| hull.warning(fill)));
    filling.warnings = warnings;
    Ok((skins, filling))
}

/// The first tree, its portals, and the hulls that get into each leaf.
struct FirstTree {
    tree: LeafTree,
    portals: Portals,
    reached: Vec<HullSet>,
    /// The seeds, each with the leaves where it begins.
    starts: Vec<(Seed, Vec<u32>)>,
}

impl FirstTree {
    fn new(
        world: &ModelSolids,
        skin: &[Face],
        filling: &Filling,
        planes: &mut PlaneSet,
    ) -> Result<Self, CompileError> {
        let sketch = tree::sketch(world, skin, planes)?;
        let tree = LeafTree::new(&sketch.tree);
        let portals = tree.portals(planes, &sketch);
        let start = |seed: &Seed| {
            let mut leaves = tree.leaves_touching(planes, &seed.point);
            leaves.retain(|&leaf| !seed.hull.is_in(tree.solidity[leaf as usize]));
            (seed.clone(), leaves)
        };
        let starts: Vec<_> = filling.seeds.iter().map(start).collect();
        let reached = flood(&tree, &portals, &starts, &filling.stances);
        Ok(Self {
            tree,
            portals,
            reached,
            starts,
        })
    }

    /// Whether a hull gets out of the map.
    fn leaks(&self, hull: HullId) -> bool {
        let mut leaves = self.portals.leaves.iter().zip(&self.reached);
        leaves.any(|(place, &reached)| place.exit.is_some() && hull.is_in(reached))
    }
}

/// For each leaf, the hulls that get there from the seeds of their stances.
fn flood(
    tree: &LeafTree,
    portals: &Portals,
    starts: &[(Seed, Vec<u32>)],
    stances: &[HullSet],
) -> Vec<HullSet> {
    // All stances, of those that some hulls have, that are not solid in a leaf.
    let with_stances = |hulls: HullSet, leaf: u32| {
        let taken = stances.iter().filter(|stances| stances.intersects(hulls));
        let taken = taken.fold(HullSet::EMPTY, |all, &stances| all | stances);
        taken.without(tree.solidity[leaf as usize])
    };
    let neighbors = leak::neighbors(portals);
    let mut reached = vec![HullSet::EMPTY; portals.leaves.len()];
    // For each leaf, the hulls that got there and have not gone on yet.
    let mut fresh = vec![HullSet::EMPTY; portals.leaves.len()];
    let mut pending = Vec::new();
    for (seed, leaves) in starts {
        for &leaf in leaves {
            fresh[leaf as usize] |= with_stances(seed.hull.alone(), leaf);
            pending.push(leaf);
        }
    }
    while let Some(leaf) = pending.pop() {
        let hulls = std::mem::take(&mut fresh[leaf as usize]);
        reached[leaf as usize] |= hulls;
        for &(other, portal) in &neighbors[leaf as usize] {
            let open = hulls & portals.portals[portal as usize].hulls;
            let known = &mut fresh[other as usize];
            let new = open.without(reached[other as usize] | *known);
            if !new.is_empty() {
                *known |= with_stances(new, other).without(reached[other as usize]);
                pending.push(other);
            }
        }
    }
    reached
}

impl Filling {
    fn new(map: &Map, options: &CompileOptions, world: &ModelSolids, seeds: Vec<Seed>) -> Self {
        let CompileOptions { hulls, fill, .. } = options;
        let stances = stances(hulls);
        let starts = map.points.iter().filter(|point| fill.names(&point.class));
        let starts = starts.count();
        let hulls = HullId::first(hulls.len()).zip(hulls).zip(world);
        let hulls = hulls.map(|((id, hull), solid)| {
            let n_seeds = seeds.iter().filter(|seed| seed.hull == id).count();
            let is_start = |seed: &Seed| seed.hull.is_in(stances[id.index()]);
            HullFilling {
                hull: hull.name.clone(),
                outcome: match (fill, solid.brushes.len(), seeds.iter().any(is_start)) {
                    (Fill::Off, ..) => Outcome::Off,
                    (_, 0, _) => Outcome::NothingSolid,
                    (_, _, false) => Outcome::NoSeed,
                    _ => Outcome::Filled,
                },
                starts,
                seeds: n_seeds,
                faces_dropped: 0,
            }
        });
        Self {
            hulls: hulls.collect(),
            seeds,
            stances,
            ..Self::default()
        }
    }

    /// Decides which hulls are filled.
    fn judge(&mut self, map: &Map, first: &FirstTree) {
        for (id, hull) in HullId::first(self.hulls.len()).zip(&mut self.hulls) {
            if !hull.is_open() {
                continue;
            }
            if !first.leaks(id) {
                self.filled |= id.alone();
                continue;
            }
            let stances = self.stances[id.index()];
            let Some(leak) = leak::path_out(&first.portals, &first.starts, id, stances) else {
                unreachable!("what was reached has a path there");
            };
            hull.outcome = Outcome::of(&leak, map);
            self.leak.get_or_insert(leak);
        }
    }

    /// Drops the faces of filled hulls that no reached leaf touches in front.
    fn take_faces(&mut self, first: &FirstTree, skin: &mut Vec<Face>, planes: &PlaneSet) {
        let tree = &first.tree;
        let marks: Marks = tree.marks(first.reached.clone());
        let is_seen = |Face { owner, winding }: &Face| {
            let hull = owner.hull;
            !hull.is_in(self.filled) || tree.front_touches(planes, winding, &marks, hull.alone())
        };
        let seen: Vec<bool> = skin.par_iter().map(is_seen).collect();
        let mut seen = seen.into_iter();
        skin.retain(|face| {
            let keep = seen.next() == Some(true);
            self.hulls[face.owner.hull.index()].faces_dropped += usize::from(!keep);
            keep
        });
    }
}

impl HullFilling {
    /// Whether nothing stands against filling it.
    fn is_open(&self) -> bool {
        self.outcome == Outcome::Filled
    }

    /// Why no entity is one to start from.
    fn no_seed(&self, fill: &Fill) -> String {
        let none = match self.starts {
            0 if *fill == Fill::default() => {
                return "the map has no entity that agents start from; name classes with --fill-from, \
                        or use --no-fill"
                    .to_owned();
            }
            0 => return "the map has no entity of the classes that --fill-from names".to_owned(),
            1 => "the only entity to start from has no room".to_owned(),
            starts => format!("none of the {starts} entities to start from has room"),
        };
        format!("{none} for it; make the hull smaller, or name other classes with --fill-from")
    }

    fn warning(&self, fill: &Fill) -> Option<Warning> {
        let message = match &self.outcome {
            Outcome::Filled | Outcome::Off | Outcome::NothingSolid => return None,
            Outcome::NoSeed => format!("not filled: {}", self.no_seed(fill)),
            Outcome::Leaks {
                entity,
                class,
                from,
                to,
            } => format!(
                "not filled: the map leaks (path from {class} (entity {entity}) at {} exits at {})",
                leak::units(*from),
                leak::units(*to)
            ),
        };
        Some(Warning::new(format!("hull {}", self.hull), message))
    }
}
