//! Stage 4, fill, finds the space of the world that no agent can reach, for each hull, and drops the faces of the skin
//! that bound only such space (Carmack's filling of the outside, extended to sealed pockets). In the final tree, all
//! space that a [`flood`] from the [`seeds`](mod@seeds) does not reach is solid. Hulls that are the [`stances`] of one
//! agent are flooded together. If they get out of the map, they leak and are not filled. Hulls without extent do not
//! pass through `cracks`.

pub mod chunked_vec;
pub(crate) mod cracks;
pub mod filled_space;
pub mod flood;
pub mod kept;
pub mod leak;
pub mod portals;
pub mod seeds;

use onion_format::HullSet;
use onion_geometry::PlaneSet;
use onion_maps::{Map, PointEntity, Warning};
use rayon::prelude::*;
use serde::Serialize;

use crate::audit::seal::Claim;
use crate::brush::ModelBrushes;
use crate::error::CompileError;
use crate::expand::ModelSolids;
use crate::fill::filled_space::FilledSpace;
use crate::fill::flood::Flood;
use crate::fill::seeds::{Fill, LINKED_PORTAL, Seed, is_in_world, seeds};
use crate::hull::stances;
use crate::id::HullIndex;
use crate::options::CompileOptions;
use crate::union::Face;
use cracks::{PointFlood, Seal};
use leak::Leak;

/// The result of filling, for all hulls.
#[derive(Clone, Debug, Default)]
pub struct Filling {
    /// The hulls that are filled.
    pub filled: HullSet,
    /// The positions where agents enter the world, for all hulls.
    pub seeds: Vec<Seed>,
    /// For each hull, the stances of its agent, which are flooded together.
    pub stances: Vec<HullSet>,
    /// The result of filling for each hull.
    pub hulls: Vec<HullFilling>,
    /// The number of faces of all skins before filling.
    pub n_faces: usize,
    /// The path out of the map of the first hull that leaks, or `None` if no hull leaks.
    pub leak: Option<Leak>,
    /// Warnings about origins of entities, and about hulls that are not filled.
    pub warnings: Vec<Warning>,
    /// The hulls without extent, which have floods of their own.
    flooded: HullSet,
    seals: Vec<Seal>,
    spaces: Vec<FilledSpace>,
}

impl Filling {
    /// Returns the space that is filled, with one entry for each flood.
    pub fn spaces(&self) -> &[FilledSpace] {
        &self.spaces
    }

    /// Returns the claim about the filled hulls, for the audit to prove.
    pub fn claim(&self) -> Claim<'_> {
        Claim {
            filled: self.filled,
            seeds: &self.seeds,
            stances: &self.stances,
            seals: &self.seals,
        }
    }
}

/// The result of filling for a hull.
#[derive(Clone, Debug, Serialize)]
pub struct HullFilling {
    /// Name of the hull.
    pub hull: String,
    /// Whether it is filled, and if not, the reason.
    #[serde(flatten)]
    pub outcome: FillOutcome,
    /// The number of entities of the classes that agents start from.
    pub n_starts: usize,
    /// The number of these entities that have a seed of the hull.
    pub n_seeds: usize,
    /// The number of faces of its skin that were dropped.
    pub n_faces_dropped: usize,
}

/// Whether a hull is filled, and if not, the reason.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "fill", rename_all = "snake_case")]
pub enum FillOutcome {
    /// It is not decided yet, while fill runs; no report has this.
    #[serde(skip)]
    Pending,
    /// The hull is filled: the space that it cannot reach is solid.
    Filled,
    /// Filling is off.
    Off,
    /// Nothing blocks the hull, so it gets everywhere.
    NothingSolid,
    /// There is no entity to start from, or none has room for the hull.
    NoSeed,
    /// An agent gets out of the map.
    Leaks {
        /// Number of the entity where the path out of the map begins.
        entity: usize,
        /// The class of that entity.
        class: String,
        /// The start of the path, in units.
        from: [f64; 3],
        /// The place where the path leaves the box around the map, in units.
        to: [f64; 3],
    },
}

/// Fills the world. Returns the skins of all models, without the faces of the world that are out of reach and with the
/// caps that close cracks, and the result of filling.
///
/// # Errors
/// A temporary tree is deeper than the format allows.
pub fn fill(
    map: &Map,
    options: &CompileOptions,
    brushes: &ModelBrushes,
    world: &ModelSolids,
    mut skins: Vec<Vec<Face>>,
    planes: &mut PlaneSet,
) -> Result<(Vec<Vec<Face>>, Filling), CompileError> {
    let CompileOptions { hulls, fill, .. } = options;
    let mut warnings = Vec::new();
    let seeds = seeds(map, fill, world, hulls, planes, &mut warnings);
    warnings.extend(linked_portals_in_solid(map, fill, &seeds));
    let points = cracks::floods(map, options, brushes, world, &skins[0], &seeds, planes)?;
    let mut filling = Filling::new(map, options, world, seeds, &points);
    filling.n_faces = skins.iter().map(Vec::len).sum();
    let mut leaks = filling.fill_boxes(world, &mut skins[0], planes)?;
    for point in points {
        leaks.extend(filling.fill_point(point, &mut skins[0], planes));
    }
    leaks.sort_by_key(|leak| leak.hull);
    filling.record_leaks(map, leaks);
    warnings.extend(filling.hulls.iter().filter_map(|hull| hull.warning(fill)));
    filling.warnings = warnings;
    Ok((skins, filling))
}

/// Returns a warning for each linked portal in whose middle no hull has room. Portals outside the world have a warning
/// of their own already.
fn linked_portals_in_solid(map: &Map, fill: &Fill, seeds: &[Seed]) -> Vec<Warning> {
    let portals = map.points.iter();
    let portals = portals.filter(|point| point.class == LINKED_PORTAL && fill.names(&point.class));
    let portals = portals.filter(|point| is_in_world(point));
    let in_solid = portals.filter(|point| seeds.iter().all(|seed| seed.entity != point.number));
    let warning = |point: &PointEntity| {
        let message = "no hull has room in the middle of this linked portal";
        Warning::new(format!("entity {}", point.number), message)
    };
    in_solid.map(warning).collect()
}

impl Filling {
    fn new(
        map: &Map,
        options: &CompileOptions,
        world: &ModelSolids,
        mut seeds: Vec<Seed>,
        points: &[PointFlood],
    ) -> Self {
        let CompileOptions { hulls, fill, .. } = options;
        let flooded: HullSet = points.iter().map(|point| point.hull().index()).collect();
        for point in points {
            if let PointFlood::ByCube(flood) = point {
                seeds.retain(|seed| seed.hull != flood.stand_in.hull);
                seeds.extend(flood.stand_in.seeds_of_point());
            }
        }
        let stances = stances(hulls, &options.agents);
        let is_start = |point: &&PointEntity| fill.names(&point.class);
        let n_starts = map.points.iter().filter(is_start).count();
        let hulls = HullIndex::first(hulls.len()).zip(hulls).zip(world);
        let hulls = hulls.map(|((id, hull), solid)| {
            let of_hull = seeds.iter().filter(|seed| seed.hull == id);
            let mut entities: Vec<_> = of_hull.map(|seed| seed.entity).collect();
            entities.dedup();
            let is_seed = |seed: &Seed| seed.hull.is_in(stances[id.index()]);
            HullFilling {
                hull: hull.name.clone(),
                outcome: match (fill, solid.brushes.len(), seeds.iter().any(is_seed)) {
                    (Fill::Off, ..) => FillOutcome::Off,
                    (_, 0, _) => FillOutcome::NothingSolid,
                    (_, _, false) => FillOutcome::NoSeed,
                    _ => FillOutcome::Pending,
                },
                n_starts,
                n_seeds: entities.len(),
                n_faces_dropped: 0,
            }
        });
        Self {
            hulls: hulls.collect(),
            seeds,
            stances,
            flooded,
            ..Self::default()
        }
    }

    /// Returns the hulls that may still be filled.
    fn pending(&self) -> HullSet {
        let hulls = HullIndex::first(self.hulls.len()).zip(&self.hulls);
        let pending = hulls.filter(|(_, hull)| hull.outcome == FillOutcome::Pending);
        pending.map(|(id, _)| id.index()).collect()
    }

    /// Fills the world for all hulls without a flood of their own, in one flood. Returns the leaks of those that leak.
    fn fill_boxes(
        &mut self,
        world: &ModelSolids,
        skin: &mut Vec<Face>,
        planes: &mut PlaneSet,
    ) -> Result<Vec<Leak>, CompileError> {
        let hulls = self.pending().without(self.flooded);
        if hulls.is_empty() {
            return Ok(Vec::new());
        }
        let flood = Flood::new(world, hulls, skin, &self.seeds, &self.stances, planes)?;
        let mut filled = HullSet::EMPTY;
        let mut leaks = Vec::new();
        for hull in hulls.iter().map(HullIndex::new) {
            match flood.path_out(hull, self.stances[hull.index()]) {
                None => filled |= hull.alone(),
                Some(leak) => leaks.push(leak),
            }
        }
        self.apply(flood.fill(filled), skin, planes);
        Ok(leaks)
    }

    /// Fills the world for a hull without extent. Returns its leak, or `None` if it is filled or may not be filled.
    fn fill_point(
        &mut self,
        point: PointFlood,
        skin: &mut Vec<Face>,
        planes: &PlaneSet,
    ) -> Option<Leak> {
        let hull = point.hull();
        if !hull.is_in(self.pending()) {
            return None;
        }
        let flood = match point {
            PointFlood::Own(_, flood) => {
                self.apply(flood.fill(hull.alone()), skin, planes);
                return None;
            }
            PointFlood::ByCube(flood) => flood,
        };
        if let Some(leak) = flood.path_out() {
            return Some(leak);
        }
        let places = flood.places(planes);
        self.seals.push(flood.seal(&places));
        let (caps, space) = places.close(hull);
        self.apply(space, skin, planes);
        skin.extend(caps);
        // Faces stay ordered by hull.
        skin.sort_by_key(|face| face.owner.hull);
        None
    }

    /// Drops the faces of filled hulls that have no reached leaf in front of them, and records the filled space.
    fn apply(&mut self, space: FilledSpace, skin: &mut Vec<Face>, planes: &PlaneSet) {
        let marks = space.tree.marks(space.reached.clone());
        let whole = space.tree.whole(planes, &marks);
        let is_seen = |Face { owner, winding }: &Face| {
            let is_filled = owner.hull.is_in(space.filled);
            !is_filled || whole.touches_front_of(winding, owner.hull.alone())
        };
        let seen: Vec<bool> = skin.par_iter().map(is_seen).collect();
        let mut seen = seen.into_iter();
        skin.retain(|face| {
            let keep = seen.next() == Some(true);
            self.hulls[face.owner.hull.index()].n_faces_dropped += usize::from(!keep);
            keep
        });
        for hull in space.filled.iter() {
            self.hulls[hull].outcome = FillOutcome::Filled;
        }
        self.filled |= space.filled;
        self.spaces.push(space);
    }

    /// Records leaks, which are ordered by hull.
    fn record_leaks(&mut self, map: &Map, leaks: Vec<Leak>) {
        for Leak { hull, entity, path } in &leaks {
            let start = map.points.iter().find(|point| point.number == *entity);
            self.hulls[hull.index()].outcome = FillOutcome::Leaks {
                entity: *entity,
                class: start.map(|point| point.class.clone()).unwrap_or_default(),
                from: path.first().copied().unwrap_or_default(),
                to: path.last().copied().unwrap_or_default(),
            };
        }
        self.leak = leaks.into_iter().next();
    }
}

impl HullFilling {
    /// Returns the reason why the hull has no seed.
    fn no_seed(&self, fill: &Fill) -> String {
        let none = match self.n_starts {
            0 if *fill == Fill::default() => {
                return "the map has no entity that agents start from; name classes with --fill-from, \
                        or use --no-fill"
                    .to_owned();
            }
            0 => return "the map has no entity of the classes that --fill-from names".to_owned(),
            1 => "the only entity to start from has no room".to_owned(),
            n_starts => format!("none of the {n_starts} entities to start from has room"),
        };
        format!("{none} for it; make the hull smaller, or name other classes with --fill-from")
    }

    fn warning(&self, fill: &Fill) -> Option<Warning> {
        let message = match &self.outcome {
            FillOutcome::Pending | FillOutcome::Filled => return None,
            FillOutcome::Off | FillOutcome::NothingSolid => return None,
            FillOutcome::NoSeed => format!("not filled: {}", self.no_seed(fill)),
            FillOutcome::Leaks {
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
