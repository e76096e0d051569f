//! Converts the leaves of a compiled file's trees to solids: an object for each model, tree and set of hulls for
//! which a leaf is solid. Cells are cut exactly, by the planes in the file, from a box around everything solid.

use glam::DVec3;
use onion_compiler::group::grouping;
use onion_compiler::hull::HullSpec;
use onion_compiler::verify::plane_ids;
use onion_format::{Child, HullSet, NodePlane, WORLD_LIMIT};
use onion_geometry::{Bounds, Cell, Cut, PlaneId, PlaneSet};
use onion_runtime::OnionMap;

use super::object::{COLORS, Object};

/// The color of empty leaves.
const EMPTY: [f32; 3] = [0.92, 0.94, 0.96];

/// Returns the leaves of all trees, without those outside the box around everything solid.
pub(super) fn leaves<D: AsRef<[u8]>>(map: &OnionMap<D>) -> Vec<Object> {
    let file = map.inspect();
    let hulls: Vec<HullSpec> = map.hulls().map(HullSpec::from).collect();
    let mut planes = PlaneSet::default();
    let ids = plane_ids(file, &mut planes);
    let mut objects = Vec::new();
    for model in 0..map.n_models() {
        for (group, root) in file.roots_of(model).enumerate() {
            let own = file.hulls_of_group(group);
            let bounds = bounds(map, model, own).insert_planes(&mut planes);
            let cell = Cell::from_box(&planes, bounds);
            let mut found = cells(map, root, cell, (&planes, &ids));
            found.sort_by_key(|&(solidity, _)| solidity);
            let origin = map.model(model).map_or([0.0; 3], |model| model.origin());
            let origin = DVec3::from_array(origin.map(f64::from));
            for of_kind in found.chunk_by(|(one, _), (next, _)| one == next) {
                let kind = kind(of_kind[0].0, &hulls);
                let tree = grouping::names(&[own], &hulls);
                let cells = of_kind.iter().map(|(_, cell)| cell);
                let mut object = Object {
                    name: format!("leaves.{tree}.model{model}.{kind}"),
                    color: color(of_kind[0].0),
                    ..solids(cells, &planes, origin)
                };
                if of_kind[0].0.is_empty() {
                    object.brushes.clear();
                }
                objects.push(object);
            }
        }
    }
    objects
}

/// Returns a box with whole coordinates around everything that is solid for some hulls in a model, and a little more.
fn bounds<D: AsRef<[u8]>>(map: &OnionMap<D>, model: usize, hulls: HullSet) -> Bounds {
    let vector = |corner: [f32; 3]| DVec3::from_array(corner.map(f64::from));
    let (mins, maxs) = map
        .model(model)
        .map_or(([0.0; 3], [0.0; 3]), |model| model.bounds());
    let own = map.hulls().filter(|hull| hulls.contains(hull.id.index()));
    let around = own.fold(Bounds::NONE, |around, hull| Bounds {
        mins: around.mins.min(vector(mins) - vector(hull.maxs)),
        maxs: around.maxs.max(vector(maxs) - vector(hull.mins)),
    });
    let limit = DVec3::splat(WORLD_LIMIT);
    Bounds {
        mins: (around.mins.floor() - 1.0).clamp(-limit, limit),
        maxs: (around.maxs.ceil() + 1.0).clamp(-limit, limit),
    }
}

/// Returns the leaves below a child, with their cells.
fn cells<D: AsRef<[u8]>>(
    map: &OnionMap<D>,
    root: Child,
    cell: Cell,
    (planes, ids): (&PlaneSet, &[PlaneId]),
) -> Vec<(HullSet, Cell)> {
    let file = map.inspect();
    let mut found = Vec::new();
    let mut pending = vec![(root, cell)];
    while let Some((child, cell)) = pending.pop() {
        if child.is_leaf() {
            found.push((file.leaf(child.index()).unwrap_or_default(), cell));
            continue;
        }
        let Some(node) = file.node(child.index()) else {
            continue;
        };
        let [front, back] = node.children(child.index());
        match cell.cut(planes, ids[NodePlane(node.plane).index() as usize]) {
            Cut::Front => pending.push((front, cell)),
            Cut::Back => pending.push((back, cell)),
            Cut::Both(before, behind) => pending.extend([(back, behind), (front, before)]),
        }
    }
    found
}

/// Converts cells to brushes, moved to the origin of their model.
fn solids<'a>(cells: impl Iterator<Item = &'a Cell>, planes: &PlaneSet, origin: DVec3) -> Object {
    let (mut polygons, mut brushes) = (Vec::new(), Vec::new());
    for cell in cells {
        let before = polygons.len();
        for (plane, corners) in cell.planes().zip(cell.face_corners()) {
            let corners = corners
                .iter()
                .map(|&corner| &cell.vertices()[corner as usize]);
            let corners = corners.map(|vertex| vertex.position + origin);
            polygons.push((planes[plane].normal, corners.collect()));
        }
        brushes.push(polygons.len() - before);
    }
    Object {
        name: String::new(),
        color: EMPTY,
        polygons,
        brushes,
    }
}

/// Names the hulls for which a leaf is solid.
fn kind(solidity: HullSet, hulls: &[HullSpec]) -> String {
    if solidity.is_empty() {
        return "empty".to_owned();
    }
    format!("solid.{}", grouping::names(&[solidity], hulls))
}

/// Returns the color of a kind of leaf: the color of the skin of the last of its hulls.
fn color(solidity: HullSet) -> [f32; 3] {
    let last = solidity.iter().last();
    last.map_or(EMPTY, |hull| COLORS[hull % (COLORS.len() - 1)])
}
