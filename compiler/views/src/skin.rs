//! Computes the skins of a compiled file's hulls as polygons for display: the surfaces where a tree changes from empty
//! to solid. For each node, the polygon where its plane cuts its cell is pushed down both children. A piece that
//! arrives in an empty leaf on one side and in a solid leaf on the other is a part of a skin. Positions are rounded;
//! they serve display only. Stage 4, fill, pushes exact polygons, for which it has the planes and the cells.

use glam::DVec3;
use onion_format::{Child, HullSet, NodePlane};
use onion_geometry::Bounds;
use onion_geometry::polygon::{split, square};
use onion_runtime::inspect::Inspect;
use onion_runtime::{HullId, OnionMap};

use crate::boxes;

/// A piece of a skin.
#[derive(Clone, Debug)]
pub struct SkinPiece {
    /// Its corners, counterclockwise seen from where the hull is free.
    pub corners: Vec<DVec3>,
    /// Unit normal, out of the solid.
    pub normal: DVec3,
    /// The hulls of the tree for which the leaf behind it is solid.
    pub solid: HullSet,
}

/// A half-space: the normal and distance of its plane, and whether it is in front of the plane.
type Side = (DVec3, f64, bool);

/// Returns the skin of a hull in a model, at the position that the model's entity gives it.
pub fn skin<D: AsRef<[u8]>>(map: &OnionMap<D>, model: usize, hull: HullId) -> Vec<SkinPiece> {
    let file = map.inspect();
    let groups = (0..file.n_groups()).map(|group| file.hulls_of_group(group));
    let mut roots = groups.zip(file.roots_of(model));
    let root = roots.find(|(hulls, _)| hulls.contains(hull.index()));
    let (Some((_, root)), Some(place), Some(shape)) = (root, map.model(model), map.hull(hull))
    else {
        return Vec::new();
    };
    // The skin lies within the hull's box of the brushes; a unit more shows all of it.
    let Bounds { mins, maxs } = boxes::touching(boxes::of_model(&place), boxes::of_hull(&shape));
    let planes = file.planes().map(|plane| {
        let normal = DVec3::from_array(plane.normal.map(f64::from));
        (normal / onion_format::NORMAL_ONE as f64, plane.dist)
    });
    let mut skin = Skin {
        file,
        planes: planes.collect(),
        hull: hull.index(),
        bounds: [mins - 1.0, maxs + 1.0],
        pieces: Vec::new(),
    };
    skin.walk(root, &mut Vec::new());
    let origin = boxes::vector(place.origin());
    let corners = skin.pieces.iter_mut().flat_map(|piece| &mut piece.corners);
    corners.for_each(|corner| *corner += origin);
    skin.pieces
}

struct Skin<'a> {
    file: Inspect<'a>,
    planes: Vec<(DVec3, f64)>,
    hull: usize,
    bounds: [DVec3; 2],
    pieces: Vec<SkinPiece>,
}

impl Skin<'_> {
    /// Returns the plane and the children of a node, or `None` if it is a leaf. Loading checked that they exist.
    fn node(&self, child: Child) -> Option<((DVec3, f64), [Child; 2])> {
        let number = child.index();
        let node = (!child.is_leaf()).then(|| self.file.node(number))??;
        let plane = self.planes[NodePlane(node.plane).index() as usize];
        Some((plane, node.children(number)))
    }

    fn walk(&mut self, child: Child, above: &mut Vec<Side>) {
        let Some(((normal, dist), [front, back])) = self.node(child) else {
            return;
        };
        if let Some(corners) = self.sheet(normal, dist, above) {
            let mut before = Vec::new();
            self.down(front, corners, &mut before);
            for (before, corners) in before {
                let mut behind = Vec::new();
                self.down(back, corners, &mut behind);
                for (behind, corners) in behind {
                    self.add(corners, normal, [before, behind]);
                }
            }
        }
        for (child, is_front) in [(front, true), (back, false)] {
            above.push((normal, dist, is_front));
            self.walk(child, above);
            above.pop();
        }
    }

    /// Returns the polygon where a plane cuts a cell, which is given by the half-spaces of the nodes above.
    fn sheet(&self, normal: DVec3, dist: f64, above: &[Side]) -> Option<Vec<DVec3>> {
        let [mins, maxs] = self.bounds;
        let size = 4.0 * mins.abs().max(maxs.abs()).max_element();
        let walls = DVec3::AXES
            .into_iter()
            .flat_map(|axis| [(axis, mins.dot(axis), true), (axis, maxs.dot(axis), false)]);
        let mut sides = walls.chain(above.iter().copied());
        let whole = square(normal, dist, size);
        sides.try_fold(whole, |corners, (normal, dist, is_front)| {
            let [front, back] = split(corners, normal, dist);
            if is_front { front } else { back }
        })
    }

    /// Pushes a polygon down a child, and adds each piece that arrives in a leaf to `found`, with the leaf's solidity.
    fn down(&self, child: Child, corners: Vec<DVec3>, found: &mut Vec<(HullSet, Vec<DVec3>)>) {
        let Some(((normal, dist), children)) = self.node(child) else {
            let solidity = self.file.leaf(child.index()).unwrap_or_default();
            found.push((solidity, corners));
            return;
        };
        for (child, part) in children.into_iter().zip(split(corners, normal, dist)) {
            if let Some(part) = part {
                self.down(child, part, found);
            }
        }
    }

    fn add(&mut self, mut corners: Vec<DVec3>, normal: DVec3, [before, behind]: [HullSet; 2]) {
        let (normal, solid) = match [before, behind].map(|solid| solid.contains(self.hull)) {
            [false, true] => (normal, behind),
            [true, false] => {
                corners.reverse();
                (-normal, before)
            }
            _ => return,
        };
        self.pieces.push(SkinPiece {
            corners,
            normal,
            solid,
        });
    }
}
