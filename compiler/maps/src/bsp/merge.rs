//! Merges convex solids: two solids of the same contents whose union is convex become one. In: solids that do not
//! overlap. Out: fewer solids that fill exactly the same space.

use std::collections::BTreeMap;

use onion_geometry::{Bounds, Cell, Location, PlaneId, PlaneSet};

use crate::contents::Contents;

/// A convex part of a model with uniform contents.
pub struct MergedSolid {
    pub contents: Contents,
    pub cell: Cell,
    /// Box around it, in units.
    pub bounds: Bounds,
}

impl MergedSolid {
    pub fn new(contents: Contents, cell: Cell) -> Self {
        Self {
            contents,
            bounds: cell.bounds(),
            cell,
        }
    }
}

/// Merges solids within the box of six planes.
pub fn merge(solids: Vec<MergedSolid>, planes: &PlaneSet, world: [PlaneId; 6]) -> Vec<MergedSolid> {
    let mut pool = Pool {
        planes,
        solids: Vec::with_capacity(2 * solids.len()),
        by_plane: BTreeMap::new(),
    };
    for solid in solids {
        pool.add(solid);
    }
    let mut number = 0;
    // A merged solid is appended to the list, so it is tried later.
    while number < pool.solids.len() {
        if let Some((other, shared)) = pool.partner(number)
            && let Some(one) = pool.solids[number].take()
            && let Some(other) = pool.solids[other].take()
        {
            pool.add(united(&one, &other, shared, planes, world));
        }
        number += 1;
    }
    pool.solids.into_iter().flatten().collect()
}

/// All solids, with `None` in place of those that have been merged into others.
struct Pool<'a> {
    planes: &'a PlaneSet,
    solids: Vec<Option<MergedSolid>>,
    /// The numbers of the solids with a face in a plane.
    by_plane: BTreeMap<PlaneId, Vec<usize>>,
}

impl Pool<'_> {
    fn add(&mut self, solid: MergedSolid) {
        for plane in solid.cell.planes() {
            let numbers = self.by_plane.entry(plane).or_default();
            numbers.push(self.solids.len());
        }
        self.solids.push(Some(solid));
    }

    /// Finds a solid whose union with a given one is convex, and the plane that they share.
    fn partner(&self, number: usize) -> Option<(usize, PlaneId)> {
        let solid = self.solids[number].as_ref()?;
        solid.cell.planes().find_map(|shared| {
            // Only solids with a face in the same plane, facing the other way, can touch this face.
            let mut others = self.by_plane.get(&shared.flipped())?.iter().copied();
            let fits = |other: &MergedSolid| self.is_convex(solid, other, shared);
            let other = others.find(|&other| self.solids[other].as_ref().is_some_and(fits))?;
            Some((other, shared))
        })
    }

    /// Whether the union of a solid behind a plane and one in front of it is convex: each is behind all other planes of
    /// the other. Then every point behind all these planes is in one of the two.
    fn is_convex(&self, back: &MergedSolid, front: &MergedSolid, shared: PlaneId) -> bool {
        front.contents == back.contents
            && front.bounds.touches(&back.bounds)
            && self.lies_behind(&back.cell, &front.cell, shared.flipped())
            && self.lies_behind(&front.cell, &back.cell, shared)
    }

    /// Whether a cell is behind all planes of another except one.
    fn lies_behind(&self, cell: &Cell, other: &Cell, but: PlaneId) -> bool {
        let mut others = other.planes().filter(|&plane| plane != but);
        others.all(|plane| !cell.locate(self.planes, plane).contains(&Location::Front))
    }
}

fn united(
    one: &MergedSolid,
    other: &MergedSolid,
    shared: PlaneId,
    planes: &PlaneSet,
    world: [PlaneId; 6],
) -> MergedSolid {
    // The union is convex, so the planes of both solids bound it, without the one between them.
    let sides = one.cell.planes().chain(other.cell.planes());
    let sides = sides.filter(|side| side.canonical() != shared.canonical());
    match Cell::from_planes(planes, world, sides) {
        Some(cell) => MergedSolid::new(one.contents, cell),
        None => unreachable!("a union has at least the volume of its parts"),
    }
}
