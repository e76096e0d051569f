//! Verification: proves a compiled file against its map, with the options that the file records. It
//! uses nothing of the builder (union, tree, splitter, classification): the map's brushes are expanded
//! anew, and the tree comes from the file's bytes, whose planes are exact. Of filled hulls it proves
//! that what is filled cannot be reached from the map's seeds.

use nalgebra::Vector3;
use onion_format::{Child, HullSet, NodePlane, PlaneRecord, unpadded};
use onion_runtime::OnionMap;
use onion_runtime::inspect::Inspect;

use crate::audit::{Audit, audit};
use crate::brush::{ModelBrushes, Source};
use crate::bsp::{ModelTree, Tree};
use crate::error::VerifyError;
use crate::expand::roomy_bounds;
use crate::geometry::grid::DIST_ONE;
use crate::geometry::{Plane, PlaneId, PlaneSet};
use crate::hull::HullSpec;
use crate::id::ModelId;
use crate::map::Map;
use crate::seal::Claim;
use crate::seeds::{seeds, stances};
use crate::{arguments, brush, expand, provenance};

/// Audits a compiled file against the map it was compiled from.
///
/// # Errors
/// The file does not load, was compiled from another map, or has a wrong leaf.
pub fn verify(bytes: &[u8], map: &Map) -> Result<Audit, VerifyError> {
    let file = OnionMap::from_bytes(bytes)?;
    let in_file = file.n_models();
    let in_map = map.models.len();
    if in_file != in_map {
        return Err(VerifyError::OtherMap { in_file, in_map });
    }
    let hulls: Vec<HullSpec> = file.hulls().map(HullSpec::from).collect();
    let inspect = file.inspect();
    let options = arguments::options(hulls, inspect.options())?;
    let hulls = &options.hulls;
    let mut planes = PlaneSet::default();
    let brushes = brush::build(
        map,
        inspect.info().patch_error,
        &mut planes,
        &mut Vec::new(),
    )?;
    let solids = expand::expand(&brushes, hulls, &mut planes);
    let plane_ids: Vec<PlaneId> = inspect
        .planes()
        .map(|record| planes.insert(exact_plane(&record)))
        .collect();
    let reader = TreeReader {
        file: inspect,
        plane_ids,
    };
    let mut trees = Vec::new();
    for (model, solids) in solids.iter().enumerate() {
        let bounds = roomy_bounds(solids).insert_planes(&mut planes);
        let groups = (0..).map(|group| inspect.hulls_of_group(group));
        let roots = inspect.roots_of(model);
        trees.extend(groups.zip(roots).map(|(hulls, root)| ModelTree {
            model: ModelId(model as u32),
            hulls,
            tree: reader.subtree(root),
            bounds,
        }));
    }
    let filled = file.hulls().filter(|hull| hull.filled);
    let filled = filled.map(|hull| hull.id.index()).collect();
    let seeds = seeds(
        map,
        &options.fill,
        &solids[0],
        hulls,
        &mut planes,
        &mut Vec::new(),
    );
    let claim = Claim {
        filled,
        seeds: &seeds,
        stances: &stances(hulls),
    };
    let audit = audit(&solids, &trees, hulls, claim, &planes);
    if let Some(place) = audit.first {
        return Err(VerifyError::WrongLeaf {
            impure: audit.impure,
            leaf_hulls: audit.leaf_hulls,
            place,
        });
    }
    if file.has_hit_data() || file.has_brush_shapes() {
        check_brushes(inspect, map, &brushes, &mut planes)?;
    }
    Ok(audit)
}

/// Whether what a file tells of hits is what the map says: its brushes with their sides
/// and surfaces.
fn check_brushes(
    file: Inspect<'_>,
    map: &Map,
    models: &[ModelBrushes],
    planes: &mut PlaneSet,
) -> Result<(), VerifyError> {
    let table = provenance::sides(map, models, planes);
    let mut in_file = file.brushes();
    let listed = (0..).zip(models).zip(&table.models);
    for ((model, own), sides) in listed {
        for (brush, sides) in own.iter().zip(sides) {
            let found = in_file.next();
            let is_right = found.is_some_and(|found| {
                let source = match found.source {
                    onion_runtime::Source::Brush(number) => Source::Brush(number as usize),
                    onion_runtime::Source::Patch(number) => Source::Patch(number as usize),
                };
                let same =
                    (source, found.contents, found.model) == (brush.source, brush.contents, model);
                same && file.sides(found.number).count() == sides.sides.len()
                    && sides
                        .sides
                        .iter()
                        .zip(file.sides(found.number))
                        .enumerate()
                        .all(|(number, (side, found))| {
                            let surface = &table.surfaces[side.face.surface as usize];
                            let plane = &planes[side.plane];
                            (found.normal, found.dist) == (plane.normal.to_array(), plane.dist)
                                && found.number == side.face.number
                                && found.is_bevel == (number >= brush.faces.len())
                                && found.surface.name_bytes == unpadded(&surface.name)
                                && (found.surface.flags, found.surface.contents)
                                    == (surface.flags, surface.contents)
                        })
            });
            if !is_right {
                let place = format!("{} of model {model}", brush.source);
                return Err(VerifyError::WrongBrush { place });
            }
        }
    }
    match in_file.next() {
        None => Ok(()),
        Some(_) => Err(VerifyError::WrongBrush {
            place: "a brush that the map does not have".to_owned(),
        }),
    }
}

/// The plane of a record; its distance is a multiple of 2^-36 below 2^17, so this is exact.
fn exact_plane(record: &PlaneRecord) -> Plane {
    Plane {
        normal: Vector3::from(record.normal.map(i64::from)),
        dist: (record.dist * DIST_ONE as f64) as i64,
    }
}

struct TreeReader<'a> {
    file: Inspect<'a>,
    plane_ids: Vec<PlaneId>,
}

impl TreeReader<'_> {
    /// The tree below a child. Loading bounded its depth.
    fn subtree(&self, at: Child) -> Tree {
        let leaf = self.file.leaf(at.index());
        let node = self.file.node(at.index());
        match (at.is_leaf(), leaf, node) {
            (true, Some(leaf), _) => Tree::Leaf {
                solidity: HullSet::from_bits(leaf.solidity),
            },
            (false, _, Some(node)) => {
                let plane = NodePlane(node.plane);
                Tree::Node {
                    plane: self.plane_ids[plane.index() as usize],
                    faces: [plane.has_front_faces(), plane.has_back_faces()],
                    owners: Box::default(),
                    children: Box::new(node.children.map(|child| self.subtree(Child(child)))),
                }
            }
            _ => unreachable!("loading checked every child"),
        }
    }
}
