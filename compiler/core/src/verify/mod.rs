//! Verification proves a compiled file against its map, with the options that the file records. For the trees, it
//! uses nothing of the builder (union, tree, splitter, classification): it expands the map's brushes again and reads
//! the trees from the file, whose planes are exact. For filled hulls it proves that filled space cannot be reached
//! from the map's seeds. For a hull without extent, it floods a cube in its place again, with the same code as a
//! compile, and proves the result too. Blocks are proven against the trees; entities and hit data are compared with
//! the map; the shapes of brushes, floors and links with those that the stages of a compile make of it again.

use nalgebra::Vector3;
use onion_format::{Child, HullSet, NodePlane};
use onion_geometry::grid::DIST_ONE;
use onion_geometry::{ExactPlane, PlaneId, PlaneSet};
use onion_maps::{Map, MapEntity, ReadOptions};
use onion_runtime::OnionMap;
use onion_runtime::inspect::Inspect;

use crate::audit::seal::Claim;
use crate::audit::{Audit, audit};
use crate::brush::ModelBrushes;
use crate::bsp::{ModelTree, Tree};
use crate::error::VerifyError;
use crate::expand::{self, ModelSolids, roomy_bounds};
use crate::fill::cracks;
use crate::fill::seeds::seeds;
use crate::hull::{HullSpec, stances};
use crate::id::ModelId;
use crate::options::CompileOptions;
use crate::options::arguments::{self, Recorded};
use crate::{brush, fast, serialize};

mod floors;
mod links;
mod names;

/// Returns the options that read the map of a compiled file, which [`verify`] relies on.
///
/// # Errors
/// The options that the file records are not a compiler's.
pub fn read_options<D: AsRef<[u8]>>(file: &OnionMap<D>) -> Result<ReadOptions, VerifyError> {
    Ok(arguments::recorded(Vec::new(), file.inspect().options())?.reading)
}

/// Audits a compiled file against the map it was compiled from.
///
/// # Errors
/// The file does not load or was compiled from another map or by unknown options, or a leaf, the count of leaves, a
/// block, a floor, a link, a model, an entity or the hit data of a brush is wrong.
pub fn verify(bytes: &[u8], map: &Map) -> Result<Audit, VerifyError> {
    let file = OnionMap::from_bytes(bytes)?;
    let in_file = file.n_models();
    let in_map = map.models.len();
    if in_file != in_map {
        return Err(VerifyError::OtherMap { in_file, in_map });
    }
    let inspect = file.inspect();
    let hulls = file.hulls().map(HullSpec::from).collect();
    let Recorded { options, .. } = arguments::recorded(hulls, inspect.options())?;
    let mut planes = PlaneSet::default();
    let patch_error = inspect.info().patch_error;
    let brushes = brush::build(map, patch_error, &mut planes, &mut Vec::new())?;
    let (solids, mut cells) = expand::expand(&brushes, &options.hulls, &mut planes);
    // The compile has already reported the oddities of the map.
    let mut oddities = Vec::new();
    let CompileOptions { hulls, fill, .. } = &options;
    let seeds = &seeds(map, fill, &solids[0], hulls, &mut planes, &mut oddities);
    let (world, cells) = (&solids[0], cells.swap_remove(0));
    let mut seals = cracks::seals(map, &options, &brushes[0], world, cells, seeds, &mut planes)?;
    let plane_ids = plane_ids(inspect, &mut planes);
    let trees = read_trees(inspect, &solids, &plane_ids, &mut planes);
    let filled = file.hulls().filter(|hull| hull.filled);
    let filled: HullSet = filled.map(|hull| hull.id.index()).collect();
    seals.retain(|seal| seal.stand_in.hull.is_in(filled));
    let claim = Claim {
        filled,
        seeds,
        stances: &stances(hulls, &options.agents),
        seals: &seals,
    };
    let audit = right(audit(&solids, &trees, hulls, claim, &planes))?;
    check_parts(&file, &options)?;
    check_records(&file, map, &brushes, &audit)?;
    let volumes = floors::check(&file, map, &options)?;
    links::check(&file, &options, &volumes)?;
    check_blocks(inspect, hulls.len(), &trees, &plane_ids, &mut planes)?;
    let subject = names::Subject {
        file: inspect,
        has_shapes: file.has_brush_shapes(),
        map,
        hulls,
        models: &brushes,
        solids: &solids,
        trees: &trees,
        seals: &seals,
    };
    if file.has_hit_data() || subject.has_shapes {
        names::check(&subject, &plane_ids, &mut planes)?;
    }
    Ok(audit)
}

/// Reads the trees of all models and groups.
fn read_trees(
    file: Inspect<'_>,
    solids: &[ModelSolids],
    plane_ids: &[PlaneId],
    planes: &mut PlaneSet,
) -> Vec<ModelTree> {
    let mut trees = Vec::new();
    for (model, solids) in (0..).map(ModelId).zip(solids) {
        let bounds = roomy_bounds(solids).insert_planes(planes);
        let groups = (0..).map(|group| file.hulls_of_group(group));
        let roots = file.roots_of(model.index());
        trees.extend(groups.zip(roots).map(|(hulls, root)| ModelTree {
            model,
            hulls,
            tree: subtree(file, plane_ids, root),
            bounds,
        }));
    }
    trees
}

/// Adds the planes of a file to the set. Their distances are multiples of 2^-36 below 2^17, so this is exact.
#[doc(hidden)]
pub fn plane_ids(file: Inspect<'_>, planes: &mut PlaneSet) -> Vec<PlaneId> {
    let ids = file.planes().map(|record| {
        planes.insert(ExactPlane {
            normal: Vector3::from(record.normal.map(i64::from)),
            dist: (record.dist * DIST_ONE as f64) as i64,
        })
    });
    ids.collect()
}

/// Returns the audit if it found nothing wrong.
fn right(audit: Audit) -> Result<Audit, VerifyError> {
    match audit.first {
        None => Ok(audit),
        Some(place) => Err(VerifyError::WrongLeaf {
            impure: audit.impure,
            leaf_hulls: audit.leaf_hulls,
            place,
        }),
    }
}

/// Proves the blocks of a file, if it has them, against its trees.
fn check_blocks(
    file: Inspect<'_>,
    n_hulls: usize,
    trees: &[ModelTree],
    plane_ids: &[PlaneId],
    planes: &mut PlaneSet,
) -> Result<(), VerifyError> {
    match fast::file::read(file, n_hulls, plane_ids) {
        Some(form) => fast::proof::prove(&form, trees, planes).map_err(VerifyError::WrongFastForm),
        None => Ok(()),
    }
}

/// Checks that a file has the optional parts that its options say, and no others.
fn check_parts(file: &OnionMap<&[u8]>, options: &CompileOptions) -> Result<(), VerifyError> {
    let has_blocks = file.inspect().has_fast_form();
    let parts = [
        ("entities", options.entities, file.has_entities()),
        ("hit data", options.surfaces, file.has_hit_data()),
        ("brushes", options.brushes, file.has_brush_shapes()),
        ("blocks", options.fast, has_blocks),
        ("floors", options.floors, file.has_floors()),
        ("links", options.floors, file.has_links()),
    ];
    match parts.into_iter().find(|(_, said, has)| said != has) {
        None => Ok(()),
        Some((part, ..)) => Err(VerifyError::OtherPart(part)),
    }
}

/// Compares the models, the number of proven leaves and the entities of a file with the map and the audit.
fn check_records(
    file: &OnionMap<&[u8]>,
    map: &Map,
    brushes: &[ModelBrushes],
    audit: &Audit,
) -> Result<(), VerifyError> {
    let inspect = file.inspect();
    let expected = serialize::model_records(map, brushes);
    let mut models = inspect.models().zip(expected);
    if let Some(number) = models.position(|(found, expected)| found != expected) {
        return Err(VerifyError::WrongModel { number });
    }
    let (stated, proven) = (inspect.info().leaf_hulls, audit.leaf_hulls);
    if stated != proven {
        return Err(VerifyError::WrongCount { stated, proven });
    }
    check_entities(file, map)
}

/// Checks that the entities of a file, if it has them, are the map's.
fn check_entities(file: &OnionMap<&[u8]>, map: &Map) -> Result<(), VerifyError> {
    let Ok(mut in_file) = file.entities() else {
        return Ok(());
    };
    let is_wrong = |entity: &MapEntity| {
        let pairs = entity.iter().map(|(key, value)| (&**key, &**value));
        !in_file.next().is_some_and(|found| found.pairs().eq(pairs))
    };
    let wrong = map.entities.iter().position(is_wrong);
    let rest = in_file.next().map(|found| found.number() as usize);
    match wrong.or(rest) {
        Some(number) => Err(VerifyError::WrongEntity { number }),
        None => Ok(()),
    }
}

/// Returns the tree below a child.
fn subtree(file: Inspect<'_>, plane_ids: &[PlaneId], child: Child) -> Tree {
    // Loading checked that every child exists, and bounded the depth.
    let exists = "loading checked every child";
    let number = child.index();
    if child.is_leaf() {
        let solidity = file.leaf(number).expect(exists);
        return Tree::Leaf { solidity };
    }
    let node = file.node(number).expect(exists);
    let plane = NodePlane(node.plane).index() as usize;
    let children = node.children(number);
    let children = children.map(|child| subtree(file, plane_ids, child));
    Tree::node(plane_ids[plane], &[], children)
}
