//! Finds the borders of the leaves of a compiled file's trees, as polygons for display. For each node, the polygon
//! where its plane cuts its cell is pushed down both children. Each piece arrives in a leaf on either side. Positions
//! are rounded; they serve display only. Stage 4, fill, pushes exact polygons, for which it has the planes and the
//! cells.

use glam::DVec3;
use onion_format::{Child, HullSet, NORMAL_ONE, NodePlane};
use onion_geometry::Bounds;
use onion_geometry::polygon::{split, square};
use onion_runtime::inspect::Inspect;
use onion_runtime::{HullId, OnionMap};

use crate::boxes;

/// A polygon where two leaves touch.
pub(crate) struct Border {
    /// Its corners, counterclockwise seen from the leaf in front.
    pub corners: Vec<DVec3>,
    /// Unit normal, into the leaf in front.
    pub normal: DVec3,
    /// The leaves in front and behind.
    pub leaves: [Leaf; 2],
}

/// A leaf of a tree.
pub(crate) struct Leaf {
    /// Its number in the file.
    pub number: u32,
    /// The hulls of the tree for which it is solid.
    pub solid: HullSet,
}

/// A half-space: the normal and distance of its plane, and whether it is in front of the plane.
type Side = (DVec3, f64, bool);

/// Finds the borders in the tree of a hull in a model, at the position that the model's entity gives it. They are cut
/// off a unit beyond the places where the hull touches the box around the model's brushes.
pub(crate) fn borders<D: AsRef<[u8]>>(
    map: &OnionMap<D>,
    model: usize,
    hull: HullId,
    mut found: impl FnMut(Border),
) {
    let file = map.inspect();
    let groups = (0..file.n_groups()).map(|group| file.hulls_of_group(group));
    let mut roots = groups.zip(file.roots_of(model));
    let root = roots.find(|(hulls, _)| hulls.contains(hull.index()));
    let (Some((_, root)), Some(place), Some(shape)) = (root, map.model(model), map.hull(hull))
    else {
        return;
    };
    let Bounds { mins, maxs } = boxes::touching(boxes::of_model(&place), boxes::of_hull(&shape));
    let planes = file.planes().map(|plane| {
        // Normals in a file are of nearly unit length.
        let normal = DVec3::from_array(plane.normal.map(f64::from)) / f64::from(NORMAL_ONE);
        let length = normal.length();
        (normal / length, plane.dist / length)
    });
    let tree = Tree {
        file,
        planes: planes.collect(),
        bounds: [mins - 1.0, maxs + 1.0],
    };
    let origin = boxes::vector(place.origin());
    tree.walk(root, &mut Vec::new(), &mut |mut border| {
        let corners = border.corners.iter_mut();
        corners.for_each(|corner| *corner += origin);
        found(border);
    });
}

/// A tree of a file, whose cells are looked at.
struct Tree<'a> {
    file: Inspect<'a>,
    /// Its planes: unit normals, and distances in units.
    planes: Vec<(DVec3, f64)>,
    /// The lower and the upper corner of the space that is looked at, in units.
    bounds: [DVec3; 2],
}

impl Tree<'_> {
    /// Returns the plane and the children of a node, or `None` if it is a leaf. Loading checked that they exist.
    fn node(&self, child: Child) -> Option<((DVec3, f64), [Child; 2])> {
        let number = child.index();
        let node = (!child.is_leaf()).then(|| self.file.node(number))??;
        let plane = self.planes[NodePlane(node.plane).index() as usize];
        Some((plane, node.children(number)))
    }

    fn walk(&self, child: Child, above: &mut Vec<Side>, found: &mut dyn FnMut(Border)) {
        let Some(((normal, dist), [front, back])) = self.node(child) else {
            return;
        };
        if let Some(corners) = self.sheet(normal, dist, above) {
            self.down(front, corners, &mut |before, corners| {
                self.down(back, corners, &mut |behind, corners| {
                    found(Border {
                        corners,
                        normal,
                        leaves: [before, behind].map(|leaf| self.leaf(leaf)),
                    });
                });
            });
        }
        for (child, is_front) in [(front, true), (back, false)] {
            above.push((normal, dist, is_front));
            self.walk(child, above, found);
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

    /// Pushes a polygon down a child, and reports each piece that arrives in a leaf.
    fn down(&self, child: Child, corners: Vec<DVec3>, arrives: &mut dyn FnMut(Child, Vec<DVec3>)) {
        let Some(((normal, dist), children)) = self.node(child) else {
            arrives(child, corners);
            return;
        };
        for (child, part) in children.into_iter().zip(split(corners, normal, dist)) {
            if let Some(part) = part {
                self.down(child, part, arrives);
            }
        }
    }

    fn leaf(&self, child: Child) -> Leaf {
        let number = child.index();
        Leaf {
            number,
            solid: self.file.leaf(number).unwrap_or_default(),
        }
    }
}
