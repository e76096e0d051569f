//! Recovers solids from Quake BSP files without brushes. The nodes of hull 0, the tree in which Quake traces points,
//! divide a box around the map; each leaf that is not empty becomes a convex brush. Two brushes of the same contents
//! are merged if together they are convex. All of it is exact: a point is in a recovered brush if and only if the
//! file's tree has it in such a leaf. The facts that hull 0 does not contain are lost: brushes that only clip, and
//! which leaves once were one brush.

use glam::DVec3;
use onion_geometry::{Bounds, Cell, Cut, PlaneId, PlaneSet};

use super::contents;
use super::lumps::{Records, f32s, i32s, u16s};
use super::merge::{self, MergedSolid};
use crate::error::MapError;
use crate::parts::{Halfspace, MapBrush, MapModel, MapSide, Warning};

/// Distance in units that solids extend beyond the models' boxes: the outside of a map is solid in hull 0, and has to
/// end somewhere.
const MARGIN: f64 = 256.0;

/// Largest coordinate of a brush, in units: brushes must end within the world.
const FARTHEST: f64 = onion_format::WORLD_LIMIT - 1.0;

/// Maximum number of nodes above a leaf: several times what real maps have, and few enough to limit the time that it
/// takes.
const MAX_DEPTH: usize = 1 << 11;

/// The tree in which points are traced.
pub struct PointTree<'a> {
    /// Whether children of nodes have 32 bits rather than 16.
    pub is_wide: bool,
    /// Planes of nodes.
    pub planes: Records<'a>,
    /// Nodes.
    pub nodes: Records<'a>,
    /// Leaves.
    pub leaves: Records<'a>,
    /// Models, the world first; each has a node of its own.
    pub models: Records<'a>,
}

impl PointTree<'_> {
    /// Returns the children of a node, front and back: a node, or -1 minus a leaf.
    fn children(&self, node: &[u8]) -> [i64; 2] {
        if self.is_wide {
            i32s(node, 4).map(i64::from)
        } else {
            u16s(node, 4).map(|child: u16| i64::from(child.cast_signed()))
        }
    }
}

/// Recovers the brushes of a file's models.
pub fn models(
    tree: &PointTree<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<MapModel>, MapError> {
    let mut planes = PlaneSet::default();
    let world = map_box(tree).insert_planes(&mut planes);
    let mut models = Vec::with_capacity(tree.models.len());
    let (mut n_leaves, mut n_brushes) = (0, 0);
    let mut n_visits = 0;
    for (number, record) in tree.models.iter().enumerate() {
        let root = i64::from(i32s::<1>(record, 36)[0]);
        let leaves = divide(tree, number, root, &mut planes, world, &mut n_visits)?;
        n_leaves += leaves.len();
        let solids = merge::merge(leaves, &planes, world);
        let numbers = n_brushes..;
        n_brushes += solids.len();
        models.push(MapModel {
            brushes: numbers
                .zip(solids)
                .map(|(number, solid)| brush(number, &solid, &planes))
                .collect(),
            ..MapModel::default()
        });
    }
    warnings.push(warning(n_brushes, n_leaves));
    Ok(models)
}

fn warning(n_brushes: usize, n_leaves: usize) -> Warning {
    let message = format!(
        "the file has none, so {n_brushes} are recovered from {n_leaves} leaves of its hull 0; brushes that only \
         clip are lost: compile the map with brushes in it (-wrbrushes of ericw-tools), or compile its .map file"
    );
    Warning::new("brushes", message)
}

/// Returns a box with whole coordinates around all models, ignoring models whose own boxes make no sense.
fn map_box(tree: &PointTree<'_>) -> Bounds {
    let boxes = tree.models.iter().map(|model| {
        let [a, b, c, d, e, f] = f32s(model, 0).map(f64::from);
        Bounds {
            mins: DVec3::new(a, b, c),
            maxs: DVec3::new(d, e, f),
        }
    });
    let make_sense = |bounds: &Bounds| {
        bounds.mins.cmple(bounds.maxs).all() && bounds.maxs.is_finite() && bounds.mins.is_finite()
    };
    let origin = Bounds {
        mins: DVec3::ZERO,
        maxs: DVec3::ZERO,
    };
    let all = boxes.filter(make_sense).fold(origin, Bounds::union);
    let farthest = DVec3::splat(FARTHEST);
    Bounds {
        mins: (all.mins.floor() - MARGIN).clamp(-farthest, farthest),
        maxs: (all.maxs.ceil() + MARGIN).clamp(-farthest, farthest),
    }
}

/// A part of the box that is still to be divided by a node, or that is a leaf.
struct Part {
    child: i64,
    parent: Option<i64>,
    depth: usize,
    cell: Cell,
}

/// Returns the leaves of a model that are not empty, in the order of the tree.
fn divide(
    tree: &PointTree<'_>,
    model: usize,
    root: i64,
    planes: &mut PlaneSet,
    world: [PlaneId; 6],
    n_visits: &mut i64,
) -> Result<Vec<MergedSolid>, MapError> {
    let mut solids = Vec::new();
    let mut open = vec![Part {
        child: root,
        parent: None,
        depth: 0,
        cell: Cell::from_box(planes, world),
    }];
    while let Some(part) = open.pop() {
        let place = || match part.parent {
            Some(node) => format!("node {node}"),
            None => format!("model {model}"),
        };
        if part.child < 0 {
            solids.extend(leaf(tree, part.child, place, part.cell)?);
            continue;
        }
        let node = tree.nodes.get(part.child, place)?;
        *n_visits += 1;
        tree.nodes.check_sharing(*n_visits)?;
        open.extend(halves(tree, part, node, planes)?);
    }
    Ok(solids)
}

/// Divides a part by the plane of its node: the part behind it, and the one in front, which is visited next.
fn halves(
    tree: &PointTree<'_>,
    part: Part,
    node: &[u8],
    planes: &mut PlaneSet,
) -> Result<impl Iterator<Item = Part>, MapError> {
    let number = part.child;
    if part.depth == MAX_DEPTH {
        return Err(MapError::BadNumber {
            place: format!("node {number}"),
            what: format!("more than {MAX_DEPTH} nodes lie above it"),
        });
    }
    let [front, back] = tree.children(node);
    let [ahead, behind] = cut(tree, number, node, planes, part.cell)?;
    let halves = [(back, behind), (front, ahead)].into_iter();
    Ok(halves.filter_map(move |(child, cell)| {
        Some(Part {
            child,
            parent: Some(number),
            depth: part.depth + 1,
            cell: cell?,
        })
    }))
}

/// Returns the parts of a cell in front of and behind the plane of a node.
fn cut(
    tree: &PointTree<'_>,
    number: i64,
    node: &[u8],
    planes: &mut PlaneSet,
    cell: Cell,
) -> Result<[Option<Cell>; 2], MapError> {
    let plane = i64::from(i32s::<1>(node, 0)[0]);
    let record = tree.planes.get(plane, || format!("node {number}"))?;
    let plane = match super::build::side(record, plane, 0)?.halfspace {
        Halfspace::Behind(plane) => planes.insert(plane),
        Halfspace::World => return Ok([None, Some(cell)]),
        Halfspace::Nothing => return Ok([Some(cell), None]),
    };
    Ok(match cell.cut(planes, plane) {
        Cut::Front => [Some(cell), None],
        Cut::Back => [None, Some(cell)],
        Cut::Both(ahead, behind) => [Some(ahead), Some(behind)],
    })
}

/// Returns the solid that a leaf makes of its cell, or `None` if the leaf is empty.
fn leaf(
    tree: &PointTree<'_>,
    child: i64,
    place: impl Fn() -> String,
    cell: Cell,
) -> Result<Option<MergedSolid>, MapError> {
    let number = -1 - child;
    let [kind] = i32s(tree.leaves.get(number, place)?, 0);
    let Some(contents) = contents::quake(kind) else {
        return Err(MapError::BadNumber {
            place: format!("leaf {number}"),
            what: format!("its contents {kind} are unknown"),
        });
    };
    Ok((contents != 0).then(|| MergedSolid::new(contents, cell)))
}

fn brush(number: usize, solid: &MergedSolid, planes: &PlaneSet) -> MapBrush {
    let sides = solid.cell.planes().map(|plane| MapSide {
        halfspace: Halfspace::Behind(planes[plane].plane),
        surface: 0,
    });
    MapBrush {
        number,
        contents: solid.contents,
        sides: sides.collect(),
    }
}
