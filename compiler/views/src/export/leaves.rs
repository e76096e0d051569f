//! Converts the leaves of a compiled file's trees to solids: an object for each model, tree and set of hulls for which
//! a leaf is solid. Cells are cut exactly, by the planes in the file, from a box around everything solid.

use glam::DVec3;
use onion_compiler::group::grouping;
use onion_compiler::hull::HullSpec;
use onion_compiler::verify::plane_ids;
use onion_format::{Child, HullSet, NodePlane, WORLD_LIMIT};
use onion_geometry::{Bounds, Cell, PlaneId, PlaneSet, Split};
use onion_runtime::OnionMap;

use super::object::{COLORS, Object};
use crate::boxes;
use crate::editor_text::leaf_kind;

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
            let mut found = cells(map, root, cell, &planes, &ids);
            found.sort_by_key(|&(solidity, _)| solidity);
            let origin = boxes::origin(map, model);
            for of_kind in found.chunk_by(|(one, _), (next, _)| one == next) {
                let solidity = of_kind[0].0;
                let tree = grouping::names(&[own], &hulls);
                let cells = of_kind.iter().map(|(_, cell)| cell);
                let shown = cells.clone();
                let polygons = shown.flat_map(|cell| polygons(cell, &planes, origin));
                let solid = cells.filter(|_| !solidity.is_empty());
                objects.push(Object {
                    name: format!("leaves.{tree}.model{model}.{}", leaf_kind(solidity, &hulls)),
                    color: color(solidity),
                    polygons: polygons.collect(),
                    brushes: solid.map(|cell| cell.planes().count()).collect(),
                    ..Object::default()
                });
            }
        }
    }
    objects
}

/// Returns a box with integer corners around all solid space of some hulls in a model, with a little to spare.
fn bounds<D: AsRef<[u8]>>(map: &OnionMap<D>, model: usize, hulls: HullSet) -> Bounds {
    let model = map.model(model);
    let model = model.map_or(boxes::ORIGIN, |model| boxes::of_model(&model));
    let own = map.hulls().filter(|hull| hulls.contains(hull.id.index()));
    let around = own.map(|hull| boxes::touching(model, boxes::of_hull(&hull)));
    let around = around.fold(Bounds::NONE, Bounds::union);
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
    planes: &PlaneSet,
    ids: &[PlaneId],
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
        match cell.split(planes, ids[NodePlane(node.plane).index() as usize]) {
            Split::Front => pending.push((front, cell)),
            Split::Back => pending.push((back, cell)),
            Split::Both(before, behind) => pending.extend([(back, behind), (front, before)]),
        }
    }
    found
}

/// Returns the faces of a cell, moved to the origin of its model.
fn polygons(
    cell: &Cell,
    planes: &PlaneSet,
    origin: DVec3,
) -> impl Iterator<Item = (DVec3, Vec<DVec3>)> {
    let faces = cell.planes().zip(cell.face_positions());
    faces.map(move |(plane, corners)| {
        let corners = corners.into_iter().map(|corner| corner + origin);
        (planes[plane].normal, corners.collect())
    })
}

/// Returns the color of a kind of leaf: the color of the skin of the last of its hulls.
fn color(solidity: HullSet) -> [f32; 3] {
    let last = solidity.iter().last();
    last.map_or(EMPTY, |hull| COLORS[hull % (COLORS.len() - 1)])
}
