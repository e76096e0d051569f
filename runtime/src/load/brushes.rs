//! Checks of the optional chunks: every number refers to a record that is there, lists follow each other
//! without gaps, and boxes are a tree that is no deeper than a query's stack.

use onion_format::{
    BoxRecord, BoxesRecord, BrushRecord, CornerRecord, EdgeRecord, FaceRecord, FirstFaceRecord,
    MAX_BOX_DEPTH, Record, SIDE_LOOKS_BACK, SideRecord, SolidRecord, SurfaceRecord, WORLD_LIMIT,
    unpadded,
};

use super::bad;
use crate::error::LoadError;
use crate::map::OnionMap;

/// Fewest faces, corners and edges of a convex solid.
const LEAST_FACES: u32 = 4;
const LEAST_CORNERS: u32 = 4;
const LEAST_EDGES: u32 = 6;

pub(super) fn check(map: &OnionMap<'_>) -> Result<(), LoadError> {
    check_surfaces(map)?;
    check_sides(map)?;
    if !map.brushes.first_faces.is_empty() {
        check_faces(map)?;
    }
    if !map.brushes.models.is_empty() {
        check_solids(map)?;
        check_boxes(map)?;
    }
    Ok(())
}

fn check_surfaces(map: &OnionMap<'_>) -> Result<(), LoadError> {
    all(map.brushes.surfaces, |_, SurfaceRecord { name, .. }| {
        let padding = name.get(unpadded(&name).len()..);
        padding.is_some_and(|padding| padding.iter().all(|&byte| byte == 0))
    })
}

/// Whether all records of a chunk, with their numbers, are right; the error names the first that is not.
fn all<R: Record, const SIZE: usize>(
    records: &[[u8; SIZE]],
    mut is_right: impl FnMut(usize, R) -> bool,
) -> Result<(), LoadError> {
    let mut records = records.iter().enumerate();
    match records.find(|(index, bytes)| !is_right(*index, R::read(*bytes))) {
        Some((index, _)) => Err(bad(R::TAG, index)),
        None => Ok(()),
    }
}

/// Lists that follow each other.
#[derive(Default)]
struct Lists {
    end: u64,
}

impl Lists {
    /// Whether a list of so many begins where the one before ends.
    fn follows(&mut self, first: u32, count: u64) -> bool {
        let begins = u64::from(first) == self.end;
        self.end = self.end.saturating_add(count);
        begins
    }

    fn end_at(&self, tag: [u8; 4], length: usize) -> Result<(), LoadError> {
        if self.end == length as u64 {
            Ok(())
        } else {
            Err(bad(tag, length))
        }
    }
}

fn check_sides(map: &OnionMap<'_>) -> Result<(), LoadError> {
    let brushes = &map.brushes;
    let (mut sides, mut model) = (Lists::default(), 0);
    all(brushes.brushes, |_, brush: BrushRecord| {
        let n_sides = u64::from(brush.n_faces) + u64::from(brush.n_bevels);
        let in_order = brush.model >= model && (brush.model as usize) < map.models.len();
        model = brush.model;
        in_order
            && brush.kind <= 1
            && brush.contents != 0
            && brush.n_faces >= LEAST_FACES
            && sides.follows(brush.first_side, n_sides)
    })?;
    sides.end_at(SideRecord::TAG, brushes.sides.len())?;
    all(brushes.sides, |_, side: SideRecord| {
        ((side.plane & !SIDE_LOOKS_BACK) as usize) < map.planes.len()
            && (side.surface as usize) < brushes.surfaces.len()
    })
}

fn check_faces(map: &OnionMap<'_>) -> Result<(), LoadError> {
    let brushes = &map.brushes;
    let firsts = brushes.first_faces;
    if firsts.len() != map.n_nodes() + 1 {
        return Err(bad(FirstFaceRecord::TAG, firsts.len()));
    }
    let mut last = 0;
    all(firsts, |index, FirstFaceRecord { first }| {
        let in_order = first >= last && (index > 0 || first == 0);
        last = first;
        in_order
    })?;
    if last as usize != brushes.faces.len() {
        return Err(bad(FirstFaceRecord::TAG, map.n_nodes()));
    }
    let mut starts = firsts
        .iter()
        .map(|bytes| FirstFaceRecord::read(bytes).first);
    let mut next_start = starts.next();
    let mut before = None;
    all(brushes.faces, |index, FaceRecord { side }| {
        while next_start.is_some_and(|start| start as usize <= index) {
            before = None;
            next_start = starts.next();
        }
        let in_order = before.is_none_or(|before| side > before);
        before = Some(side);
        in_order && (side as usize) < brushes.sides.len()
    })
}

fn check_solids(map: &OnionMap<'_>) -> Result<(), LoadError> {
    let brushes = &map.brushes;
    if brushes.solids.len() != brushes.brushes.len() {
        return Err(bad(SolidRecord::TAG, brushes.solids.len()));
    }
    let (mut corners, mut edges) = (Lists::default(), Lists::default());
    all(brushes.solids, |_, solid: SolidRecord| {
        solid.n_corners >= LEAST_CORNERS
            && solid.n_edges >= LEAST_EDGES
            && corners.follows(solid.first_corner, solid.n_corners.into())
            && edges.follows(solid.first_edge, solid.n_edges.into())
    })?;
    corners.end_at(CornerRecord::TAG, brushes.corners.len())?;
    edges.end_at(EdgeRecord::TAG, brushes.edges.len())?;
    all(brushes.corners, |_, CornerRecord { position }| {
        position.iter().all(|number| number.abs() <= WORLD_LIMIT)
    })?;
    let owners = brushes.solids.iter().zip(brushes.brushes);
    for (solid, brush) in owners {
        let (solid, brush) = (SolidRecord::read(solid), BrushRecord::read(brush));
        let first = solid.first_edge as usize;
        let own = brushes.edges.get(first..first + solid.n_edges as usize);
        let is_right = |edge: EdgeRecord| {
            edge.corners[0] != edge.corners[1]
                && edge.faces[0] != edge.faces[1]
                && edge.corners.iter().all(|&corner| corner < solid.n_corners)
                && edge.faces.iter().all(|&face| face < brush.n_faces)
        };
        let mut own = own.unwrap_or(&[]).iter();
        if let Some(wrong) = own.position(|edge| !is_right(EdgeRecord::read(edge))) {
            return Err(bad(EdgeRecord::TAG, first + wrong));
        }
    }
    Ok(())
}

fn check_boxes(map: &OnionMap<'_>) -> Result<(), LoadError> {
    let brushes = &map.brushes;
    if brushes.models.len() != map.models.len() {
        return Err(bad(BoxesRecord::TAG, brushes.models.len()));
    }
    let mut lists = Lists::default();
    let mut owners = brushes
        .brushes
        .iter()
        .map(|bytes| BrushRecord::read(bytes).model);
    let mut owner = owners.next();
    for (model, bytes) in (0..).zip(brushes.models) {
        let BoxesRecord { first, n_boxes } = BoxesRecord::read(bytes);
        let mut n_brushes = 0u64;
        while owner == Some(model) {
            n_brushes += 1;
            owner = owners.next();
        }
        let expected = (2 * n_brushes).saturating_sub(1);
        if u64::from(n_boxes) != expected || !lists.follows(first, expected) {
            return Err(bad(BoxesRecord::TAG, model as usize));
        }
        if n_boxes > 0 {
            check_tree(map, model, first, n_boxes)?;
        }
    }
    lists.end_at(BoxRecord::TAG, brushes.boxes.len())
}

/// Whether a model's boxes are one tree in pre-order, each box within the one that holds it.
fn check_tree(map: &OnionMap<'_>, model: u32, first: u32, n_boxes: u32) -> Result<(), LoadError> {
    let brushes = &map.brushes;
    // Second children still to come, with the boxes that hold them.
    let mut pending = [(0, Extent::ALL); MAX_BOX_DEPTH];
    let mut n_pending = 0;
    let mut around = Extent::ALL;
    for at in first..first + n_boxes {
        let wrong = bad(BoxRecord::TAG, at as usize);
        let Some(bytes) = brushes.boxes.get(at as usize) else {
            return Err(wrong);
        };
        let record = BoxRecord::read(bytes);
        let extent = Extent::of(&record);
        if !extent.is_within(&around) {
            return Err(wrong);
        }
        if record.second != 0 {
            let Some(slot) = pending.get_mut(n_pending).filter(|_| record.brush == 0) else {
                return Err(wrong);
            };
            *slot = (record.second, extent);
            n_pending += 1;
            around = extent;
            continue;
        }
        let brush = brushes.brushes.get(record.brush as usize);
        if brush.is_none_or(|bytes| BrushRecord::read(bytes).model != model) {
            return Err(wrong);
        }
        let next = n_pending.checked_sub(1).and_then(|last| pending.get(last));
        match next {
            Some(&(second, holder)) if second == at + 1 => {
                n_pending -= 1;
                around = holder;
            }
            None if at + 1 == first + n_boxes => {}
            _ => return Err(wrong),
        }
    }
    if n_pending == 0 {
        Ok(())
    } else {
        Err(bad(BoxRecord::TAG, first as usize))
    }
}

/// The corners of a box.
#[derive(Clone, Copy)]
struct Extent {
    mins: [f32; 3],
    maxs: [f32; 3],
}

impl Extent {
    const ALL: Self = Self {
        mins: [f32::MIN; 3],
        maxs: [f32::MAX; 3],
    };

    fn of(record: &BoxRecord) -> Self {
        Self {
            mins: record.mins,
            maxs: record.maxs,
        }
    }

    /// Whether it is a box, and within another one.
    fn is_within(&self, other: &Self) -> bool {
        (0..3).all(|axis| {
            other.mins[axis] <= self.mins[axis]
                && self.mins[axis] <= self.maxs[axis]
                && self.maxs[axis] <= other.maxs[axis]
        })
    }
}
