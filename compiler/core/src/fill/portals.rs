//! Portals are the openings between the leaves of a tree (Carmack's portals, with exact geometry). For each node, the
//! polygon where its plane cuts its cell is pushed down the front child, and each piece that arrives in a leaf is
//! pushed down the back child. Every piece with an area that arrives there joins two leaves. (To draw the
//! trees of files, `views/src/skin.rs` pushes rounded polygons.)

use glam::DVec3;
use onion_format::HullSet;
use onion_geometry::{Cell, PlaneId, PlaneSet, Split, Winding};

use crate::bsp::leaf_tree::{Branch, LeafTree};
use crate::fill::chunked_vec::ChunkedVec;

/// Down to this depth, the two children of a node are visited in parallel.
const TASK_DEPTH: usize = 12;

/// A polygon in a node's plane that two leaves share.
pub(crate) struct Opening {
    /// Number of the node.
    pub(crate) node: u32,
    /// The leaves in front of and behind the node's plane.
    pub(crate) leaves: [u32; 2],
    /// The hulls that mark both leaves.
    pub(crate) hulls: HullSet,
    /// The polygon; it faces the leaf in front.
    pub(crate) winding: Winding,
}

/// An opening between two leaves, without its polygon.
#[derive(Clone, Debug)]
pub struct Portal {
    /// The leaves in front of and behind its plane.
    pub leaves: [u32; 2],
    /// The hulls for which neither leaf is solid.
    pub hulls: HullSet,
    /// The center of the opening, in units.
    pub center: DVec3,
}

/// The points of a leaf's cell through which a leak may pass.
#[derive(Clone, Debug)]
pub struct LeafPlace {
    /// The center of the cell, in units.
    pub center: DVec3,
    /// The center of a face of the cell in the tree's box, in units, or `None` if the cell does not touch the box. The
    /// leaf extends beyond the box without end.
    pub exit: Option<DVec3>,
}

/// The portals of a tree, and its leaves.
#[derive(Clone, Debug, Default)]
pub struct Portals {
    /// The portals that are open for any hull.
    pub list: Vec<Portal>,
    /// The leaves in order.
    pub leaves: Vec<LeafPlace>,
}

/// The neighbors of all leaves: the number of a leaf, of the leaf on the other side of a portal, and of the portal,
/// ordered by leaf and portal.
pub struct Neighbors(Vec<(u32, u32, u32)>);

impl Neighbors {
    /// Returns the leaves on the other side of a leaf's portals, each with the number of the portal.
    pub fn of(&self, leaf: u32) -> impl Iterator<Item = (u32, u32)> {
        let start = self.0.partition_point(|&(own, ..)| own < leaf);
        let own = self.0[start..].iter();
        own.take_while(move |&&(own, ..)| own == leaf)
            .map(|&(_, other, portal)| (other, portal))
    }
}

impl Portals {
    /// Finds the portals that are open for any hull, which means that it finds both leaves empty. Portals end at
    /// `bounds`, the box of the tree.
    pub(crate) fn new(tree: &LeafTree, planes: &PlaneSet, bounds: [PlaneId; 6]) -> Self {
        let empty = tree.solidity.iter().map(|&solidity| !solidity).collect();
        let portal = |opening: Opening| Portal {
            leaves: opening.leaves,
            hulls: opening.hulls,
            center: opening.winding.center(),
        };
        let maker = OpeningMaker {
            bounds,
            with_leaves: true,
            make: &portal,
        };
        let (list, leaves) = maker.all(tree.whole(planes, &tree.marks(empty)));
        Self { list, leaves }
    }

    /// Lists the neighbors of all leaves.
    pub fn neighbors(&self) -> Neighbors {
        let portals = (0..).zip(&self.list);
        let both = portals.flat_map(|(number, portal)| {
            let [front, back] = portal.leaves;
            [(front, back, number), (back, front, number)]
        });
        let mut list: Vec<_> = both.collect();
        list.sort_unstable_by_key(|&(leaf, _, portal)| (leaf, portal));
        Neighbors(list)
    }
}

/// Returns the openings between leaves that are marked by the same hull.
pub(crate) fn openings(whole: Branch<'_>, bounds: [PlaneId; 6]) -> Vec<Opening> {
    let maker = OpeningMaker {
        bounds,
        with_leaves: false,
        make: &|opening| opening,
    };
    maker.all(whole).0
}

/// A callback that receives a leaf, the piece that touches it, and the hulls that mark it.
type OnLeaf<'a> = &'a mut dyn FnMut(u32, Winding, HullSet);

struct OpeningMaker<'a, T> {
    bounds: [PlaneId; 6],
    /// Whether leaves are needed besides openings.
    with_leaves: bool,
    /// Converts each opening to a result.
    make: &'a (dyn Fn(Opening) -> T + Sync),
}

impl<T: Send> OpeningMaker<'_, T> {
    /// Returns the results for all openings in a tree, and the leaves if they are needed.
    fn all(&self, whole: Branch<'_>) -> (Vec<T>, Vec<LeafPlace>) {
        let (mut made, mut leaves) = (ChunkedVec::default(), ChunkedVec::default());
        let cell = Cell::from_box(whole.planes, self.bounds);
        self.below(whole, cell, 0, &mut made, &mut leaves);
        (made.into_vec(), leaves.into_vec())
    }

    /// Adds the results for all openings in a branch, and its leaves if they are needed.
    fn below(
        &self,
        branch: Branch<'_>,
        cell: Cell,
        depth: usize,
        made: &mut ChunkedVec<T>,
        leaves: &mut ChunkedVec<LeafPlace>,
    ) {
        let Some((plane, [front, back])) = branch.split() else {
            if self.with_leaves {
                leaves.push(self.place(&cell));
            }
            return;
        };
        if !self.with_leaves && branch.any().is_empty() {
            return;
        }
        let Split::Both(front_cell, back_cell) = cell.split(branch.planes, plane) else {
            unreachable!("a node's plane cuts its cell");
        };
        let opening = back_cell.winding_on(plane);
        let opening = opening.expect("the part behind a plane has a face in it");
        drop(cell);
        let (mut made_behind, mut leaves_behind) = Default::default();
        let is_task = depth < TASK_DEPTH;
        let in_front = || {
            self.across(branch.number(), [front, back], opening, made);
            self.below(front, front_cell, depth + 1, made, leaves);
        };
        if is_task {
            let behind = || {
                self.below(
                    back,
                    back_cell,
                    depth + 1,
                    &mut made_behind,
                    &mut leaves_behind,
                )
            };
            rayon::join(in_front, behind);
            made.append(made_behind);
            leaves.append(leaves_behind);
        } else {
            in_front();
            self.below(back, back_cell, depth + 1, made, leaves);
        }
    }

    fn place(&self, cell: &Cell) -> LeafPlace {
        let mut exits = cell.planes().filter(|plane| self.bounds.contains(plane));
        let exit = exits.find_map(|plane| cell.winding_on(plane));
        LeafPlace {
            center: cell.center(),
            exit: exit.map(|exit| exit.center()),
        }
    }

    /// Adds the results for the openings in a node's plane; `stretch` is the polygon where it cuts the node's cell.
    fn across(
        &self,
        node: u32,
        [front, back]: [Branch<'_>; 2],
        stretch: Winding,
        made: &mut ChunkedVec<T>,
    ) {
        push(front, stretch, HullSet::FULL, &mut |leaf, piece, hulls| {
            push(back, piece, hulls, &mut |other, winding, hulls| {
                made.push((self.make)(Opening {
                    node,
                    leaves: [leaf, other],
                    hulls,
                    winding,
                }));
            });
        });
    }
}

/// Pushes a polygon down a child of its node, and calls `on_leaf` for each piece that arrives in a leaf that any of the
/// hulls mark.
fn push(branch: Branch<'_>, winding: Winding, hulls: HullSet, on_leaf: OnLeaf<'_>) {
    let hulls = hulls & branch.any();
    if hulls.is_empty() {
        return;
    }
    let Some((plane, [front, back])) = branch.split() else {
        return on_leaf(branch.number(), winding, hulls);
    };
    match winding.split(branch.planes, plane) {
        Some(Split::Front) => push(front, winding, hulls, on_leaf),
        Some(Split::Back) => push(back, winding, hulls, on_leaf),
        None => unreachable!("no plane splits a cell that it bounds"),
        Some(Split::Both(in_front, behind)) => {
            push(front, in_front, hulls, on_leaf);
            push(back, behind, hulls, on_leaf);
        }
    }
}
