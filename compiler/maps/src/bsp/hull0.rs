//! Recovers solids from Quake BSP files without brushes. The nodes of hull 0, the tree in which Quake traces points,
//! divide a box around the map; each leaf that is not empty becomes a convex brush. Two brushes of the same contents
//! are merged if their union is convex. The result is exact: a point is in a recovered brush if and only if the file's
//! tree has it in such a leaf. Two facts are not in hull 0 and are lost: brushes that only clip, and which leaves came
//! from one brush.

use glam::{DVec3, Vec3};
use onion_geometry::{Bounds, Cell, PlaneId, PlaneSet, Split};

use super::lumps::{Records, f32s, i32s, u16s};
use super::merge::{self, MergedSolid};
use super::{build, contents};
use crate::error::MapError;
use crate::parts::{Halfspace, MapBrush, MapModel, MapSide, Warning};

/// Distance in units that solids extend beyond the models' boxes: the outside of a map is solid in hull 0, and has to
/// end somewhere.
const MARGIN: f64 = 256.0;

/// Largest coordinate of a brush, in units: brushes must end within the world.
const FARTHEST: f64 = onion_format::WORLD_LIMIT - 1.0;

/// Maximum number of nodes above a leaf: several times the depth of real maps, and low enough to limit the time of a
/// compile.
const MAX_DEPTH: usize = 1 << 11;

/// The tree in which points are traced.
pub struct PointTree<'a> {
    /// Whether children of nodes have 32 bits rather than 16.
    pub is_wide: bool,
    pub planes: Records<'a>,
    pub nodes: Records<'a>,
    pub leaves: Records<'a>,
    /// Models, the world first; each has a node of its own.
    pub models: Records<'a>,
}

/// Recovers the brushes of a file's models.
pub fn models(
    tree: &PointTree<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<MapModel>, MapError> {
    let mut planes = PlaneSet::default();
    // All models share one box, because a leaf of hull 0 may reach beyond the stored box of its model.
    let world = map_box(tree).insert_planes(&mut planes);
    let mut divider = BoxDivider {
        tree,
        planes,
        n_visits: 0,
    };
    let mut models = Vec::with_capacity(tree.models.len());
    let (mut n_leaves, mut n_brushes) = (0, 0);
    for (number, record) in tree.models.iter().enumerate() {
        let leaves = divider.divide(number, record, world)?;
        n_leaves += leaves.len();
        let solids = merge::merge(leaves, &divider.planes, world);
        let numbers = n_brushes..;
        n_brushes += solids.len();
        let brushes = numbers.zip(&solids);
        let brushes = brushes.map(|(number, solid)| brush(number, solid, &divider.planes));
        models.push(MapModel {
            brushes: brushes.collect(),
            ..MapModel::default()
        });
    }
    let message = format!(
        "the file has none, so {n_brushes} are recovered from {n_leaves} leaves of its hull 0; brushes that only \
         clip are lost: compile the map with brushes in it (-wrbrushes of ericw-tools), or compile its .map file"
    );
    warnings.push(Warning::new("brushes", message));
    Ok(models)
}

/// Returns a box with integer corners around all models, ignoring models whose stored boxes are invalid.
fn map_box(tree: &PointTree<'_>) -> Bounds {
    let boxes = tree.models.iter().map(|model| {
        let [mins, maxs] = [0, 12].map(|at| Vec3::from(f32s(model, at)).as_dvec3());
        Bounds { mins, maxs }
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

/// A convex part of the box, with the node that divides it or the leaf that it is.
struct Part {
    /// Number of the node; a leaf if it is negative.
    child: i64,
    /// Number of the node above, if there is one.
    parent: Option<i64>,
    /// Number of nodes above.
    depth: usize,
    /// The space of the part.
    cell: Cell,
}

/// Divides the box by the nodes of models.
struct BoxDivider<'a> {
    tree: &'a PointTree<'a>,
    planes: PlaneSet,
    /// Number of visits to nodes so far, which is limited.
    n_visits: i64,
}

impl BoxDivider<'_> {
    /// Returns the leaves of a model that are not empty, in the order of the tree.
    fn divide(
        &mut self,
        model: usize,
        record: &[u8],
        world: [PlaneId; 6],
    ) -> Result<Vec<MergedSolid>, MapError> {
        let mut solids = Vec::new();
        // A list instead of recursion: the file decides how deep its tree is.
        let mut open = vec![Part {
            child: i32s::<1>(record, 36)[0].into(),
            parent: None,
            depth: 0,
            cell: Cell::from_box(&self.planes, world),
        }];
        while let Some(part) = open.pop() {
            let place = || match part.parent {
                Some(node) => format!("node {node}"),
                None => format!("model {model}"),
            };
            if part.child < 0 {
                solids.extend(self.leaf(part.child, place, part.cell)?);
                continue;
            }
            let node = self.tree.nodes.get(part.child, place)?;
            self.n_visits += 1;
            self.tree.nodes.check_sharing(self.n_visits)?;
            open.extend(self.halves(part, node)?);
        }
        Ok(solids)
    }

    /// Divides a part by the plane of its node. Returns the part behind the plane, then the part in front, which is
    /// visited next.
    fn halves(&mut self, part: Part, node: &[u8]) -> Result<impl Iterator<Item = Part>, MapError> {
        let number = part.child;
        if part.depth == MAX_DEPTH {
            return Err(MapError::bad_number(
                format_args!("node {number}"),
                format_args!("more than {MAX_DEPTH} nodes lie above it"),
            ));
        }
        // Children, front and back: a node, or -1 minus a leaf.
        let [front, back] = if self.tree.is_wide {
            i32s(node, 4).map(i64::from)
        } else {
            u16s(node, 4).map(|child: u16| child.cast_signed().into())
        };
        let [front_cell, back_cell] = self.split(number, node, part.cell)?;
        let halves = [(back, back_cell), (front, front_cell)].into_iter();
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
    fn split(
        &mut self,
        number: i64,
        node: &[u8],
        cell: Cell,
    ) -> Result<[Option<Cell>; 2], MapError> {
        let [plane] = i32s(node, 0).map(i64::from);
        let record = self.tree.planes.get(plane, || format!("node {number}"))?;
        let side = build::side(f32s(record, 0), 0, || format!("plane {plane}"))?;
        let plane = match side.halfspace {
            Halfspace::Behind(plane) => self.planes.insert(plane),
            Halfspace::World => return Ok([None, Some(cell)]),
            Halfspace::Nothing => return Ok([Some(cell), None]),
        };
        Ok(match cell.split(&self.planes, plane) {
            Split::Front => [Some(cell), None],
            Split::Back => [None, Some(cell)],
            Split::Both(front, back) => [Some(front), Some(back)],
        })
    }

    /// Returns the solid that a leaf makes of its cell, or `None` if the leaf is empty.
    fn leaf(
        &self,
        child: i64,
        place: impl Fn() -> String,
        cell: Cell,
    ) -> Result<Option<MergedSolid>, MapError> {
        let number = -1 - child;
        let [kind] = i32s(self.tree.leaves.get(number, place)?, 0);
        let contents = contents::quake(kind).ok_or_else(|| {
            let problem = format!("its contents {kind} are unknown");
            MapError::bad_number(format_args!("leaf {number}"), problem)
        })?;
        Ok((contents != 0).then(|| MergedSolid::new(contents, cell)))
    }
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
