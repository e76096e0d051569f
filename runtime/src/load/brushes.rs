//! Checks the chunks of brushes, hits and shapes: every number refers to an existing record, lists follow each other
//! without gaps, and boxes form a tree no deeper than a query's stack.

use onion_format::{
    BoxRecord, BoxesRecord, BrushRecord, ChoiceRecord, CornerRecord, EdgeRecord, FACE_LOOKS_BACK,
    FaceRecord, HitAt, HitRecord, HitTest, MAX_BOX_DEPTH, MAX_HULLS, Record, SideRecord,
    SolidRecord, SurfaceRecord, WORLD_LIMIT, unpadded,
};

use crate::error::{LoadError, require};
use crate::file::records::Records;
use crate::file::stack::Stack;
use crate::file::view::View;
use crate::math::aabb::Aabb;

/// Fewest faces of a convex solid: those of a tetrahedron.
const MIN_FACES: u32 = 4;
/// Fewest corners of a convex solid, likewise.
const MIN_CORNERS: u32 = 4;
/// Fewest edges of a convex solid, likewise.
const MIN_EDGES: u32 = 6;

/// Checks those of the chunks that the file has. Each part relies on those before it: sides refer to surfaces, faces to
/// sides, and boxes to brushes.
pub(super) fn check(map: &View<'_>) -> Result<(), LoadError> {
    check_surfaces(map)?;
    check_sides(map)?;
    if map.has_hit_data() {
        check_hits(map)?;
    }
    if map.has_brush_shapes() {
        check_solids(map)?;
        check_faces(map)?;
        check_boxes(map)?;
    }
    Ok(())
}

/// Checks that nothing follows the end of a name, so that equal names have equal bytes.
fn check_surfaces(map: &View<'_>) -> Result<(), LoadError> {
    let rule = "the name is padded with zero bytes";
    all(rule, map.surfaces(), |_, SurfaceRecord { name, .. }| {
        let padding = name.get(unpadded(&name).len()..);
        padding.is_some_and(|padding| padding.iter().all(|&byte| byte == 0))
    })
}

/// Checks a rule for all records of a chunk, with their numbers; the error names the first that is wrong.
fn all<R: Record>(
    rule: &'static str,
    records: Records<'_, R>,
    mut is_right: impl FnMut(usize, R) -> bool,
) -> Result<(), LoadError> {
    let mut records = records.iter().enumerate();
    records.try_for_each(|(index, record)| require::<R>(is_right(index, record), index, rule))
}

/// Lists that must follow each other without gaps.
#[derive(Clone, Copy, Default)]
struct Lists {
    /// Number of items in the lists so far, which is the first number of the next list.
    end: u64,
}

impl Lists {
    /// Whether a list of `count` items begins where the previous one ends.
    fn follows(&mut self, first: u32, count: u64) -> bool {
        let begins = u64::from(first) == self.end;
        self.end = self.end.saturating_add(count);
        begins
    }

    /// Checks that the last list ends with its chunk.
    fn end_with<R: Record>(&self, records: Records<'_, R>) -> Result<(), LoadError> {
        let length = records.len();
        require::<R>(
            self.end == length as u64,
            length,
            "the chunk ends with its last list",
        )
    }
}

/// Checks the brushes, then their sides: those of a brush end where those of the next one begin, so the loop over all
/// sides meets the first of each brush in turn.
fn check_sides(map: &View<'_>) -> Result<(), LoadError> {
    let (mut first, mut model) = (None, 0);
    // A brush without contents would block nothing, so a compiler writes none.
    let rule = "models and sides are in order, the kind is known, and there are contents";
    all(rule, map.brushes(), |_, brush: BrushRecord| {
        let in_order = brush.model >= model && (brush.model as usize) < map.models().len();
        model = brush.model;
        // Every brush has a side.
        let follows = match first {
            None => brush.first_side == 0,
            Some(before) => brush.first_side > before,
        };
        first = Some(brush.first_side);
        in_order
            && follows
            && brush.kind <= 1
            && brush.contents != 0
            && (brush.first_side as usize) < map.sides().len()
    })?;
    // A file without brushes has no sides.
    let has_owners = first.is_some() || map.sides().is_empty();
    require::<SideRecord>(has_owners, 0, "every side is of a brush")?;
    let starts = map.brushes().iter().map(|brush| brush.first_side as usize);
    let (mut starts, mut before) = (starts.peekable(), None);
    let rule = "the numbers of a brush's sides ascend, and the surface exists";
    all(rule, map.sides(), |index, side: SideRecord| {
        // The first side of the next brush: numbers begin again.
        if starts.next_if_eq(&index).is_some() {
            before = None;
        }
        let in_order = before.is_none_or(|before| side.number > before);
        before = Some(side.number);
        in_order && (side.surface as usize) < map.surfaces().len()
    })
}

/// Checks hits and choices. A choice may lead only to earlier ones, so no chain of choices is endless.
fn check_hits(map: &View<'_>) -> Result<(), LoadError> {
    let n_hits = map.hits().len();
    require::<HitRecord>(n_hits == map.nodes.len(), n_hits, "every node has one")?;
    // `n_choices` counts the choices that a hit may lead to: from a node all of them, from a choice those before it.
    let is_right = |hit: u32, n_choices: usize| {
        let hit = HitAt(hit);
        let count = if hit.is_choice() {
            n_choices
        } else {
            map.sides().len()
        };
        hit.is_nothing() || (hit.index() as usize) < count
    };
    all("it exists", map.hits(), |_, HitRecord { hit }| {
        is_right(hit, map.choices().len())
    })?;
    let rule = "the test is known, and the hits are sides or earlier choices";
    all(
        rule,
        map.choices(),
        |number, ChoiceRecord { test, hits }| {
            let is_test = match HitTest::from_bits(test) {
                Some(HitTest::Plane(plane)) => (plane as usize) < map.planes.len(),
                Some(HitTest::Hull(hull)) => (hull as usize) < MAX_HULLS,
                Some(HitTest::Look) => true,
                None => false,
            };
            is_test && hits.iter().all(|&hit| is_right(hit, number))
        },
    )
}

/// Checks the lists of the brushes' parts, then corners and edges. Faces are not needed for that.
fn check_solids(map: &View<'_>) -> Result<(), LoadError> {
    let n_solids = map.solids().len();
    require::<SolidRecord>(
        n_solids == map.brushes().len(),
        n_solids,
        "every brush has one",
    )?;
    let [mut faces, mut corners, mut edges] = [Lists::default(); 3];
    let rule = "it has the least parts of a solid, after those of the brush before";
    all(rule, map.solids(), |_, solid: SolidRecord| {
        let n_faces = u64::from(solid.n_faces) + u64::from(solid.n_bevels);
        solid.n_faces >= MIN_FACES
            && solid.n_corners >= MIN_CORNERS
            && solid.n_edges >= MIN_EDGES
            && faces.follows(solid.first_face, n_faces)
            && corners.follows(solid.first_corner, solid.n_corners.into())
            && edges.follows(solid.first_edge, solid.n_edges.into())
    })?;
    // Lists that follow each other and fill the chunk leave no record without an owner.
    faces.end_with(map.faces())?;
    corners.end_with(map.corners())?;
    edges.end_with(map.edges())?;
    // NaN fails. The tolerances of shapes rely on the limit: they exceed the rounding error of products of such
    // coordinates.
    let rule = "it is within 2^16 units of the origin";
    all(rule, map.corners(), |_, CornerRecord { position }| {
        position.iter().all(|number| number.abs() <= WORLD_LIMIT)
    })?;
    check_edges(map)
}

/// Checks that the plane of each face and bevel exists, and that it belongs to a side of its own brush.
fn check_faces(map: &View<'_>) -> Result<(), LoadError> {
    for (number, solid) in (0..).zip(map.solids().iter()) {
        let sides = map.sides_of(number);
        let is_right = |face: FaceRecord| {
            ((face.plane & !FACE_LOOKS_BACK) as usize) < map.planes.len()
                && sides.contains(&face.side)
        };
        for (index, face) in (solid.first_face as usize..).zip(map.faces_of(&solid).iter()) {
            let rule = "its plane exists, and its side is one of the brush";
            require::<FaceRecord>(is_right(face), index, rule)?;
        }
    }
    Ok(())
}

/// Checks that each edge joins two corners and two faces of its own brush.
fn check_edges(map: &View<'_>) -> Result<(), LoadError> {
    for solid in map.solids().iter() {
        // Edges number corners and faces from the first one of their brush. They join faces only: bevels touch a brush
        // where it has none.
        let first = solid.first_edge as usize;
        let own = map.edges().slice(first, solid.n_edges as usize);
        let is_right = |edge: EdgeRecord| {
            edge.corners[0] != edge.corners[1]
                && edge.faces[0] != edge.faces[1]
                && edge.corners.iter().all(|&corner| corner < solid.n_corners)
                && edge.faces.iter().all(|&face| face < solid.n_faces)
        };
        // The lists of all brushes were checked before, so this one is there.
        for (index, edge) in (first..).zip(own.unwrap_or(Records::new(&[])).iter()) {
            let rule = "it has two corners and two faces of the brush";
            require::<EdgeRecord>(is_right(edge), index, rule)?;
        }
    }
    Ok(())
}

/// Checks the trees of boxes. Brushes stand in the order of their models, so one pass counts those of each model.
fn check_boxes(map: &View<'_>) -> Result<(), LoadError> {
    let n_trees = map.boxes_of_models().len();
    require::<BoxesRecord>(
        n_trees == map.models().len(),
        n_trees,
        "every model has one",
    )?;
    let mut lists = Lists::default();
    let mut owners = map.brushes().iter().map(|brush| brush.model);
    let mut owner = owners.next();
    for (model, boxes) in (0..).zip(map.boxes_of_models().iter()) {
        let BoxesRecord { first, n_boxes } = boxes;
        let mut n_brushes = 0u64;
        while owner == Some(model) {
            n_brushes += 1;
            owner = owners.next();
        }
        // In a binary tree, n leaves are below n - 1 nodes.
        let expected = (2 * n_brushes).saturating_sub(1);
        let is_right = u64::from(n_boxes) == expected && lists.follows(first, expected);
        let rule = "one box less than twice the brushes, after those of the model before";
        require::<BoxesRecord>(is_right, model as usize, rule)?;
        if n_boxes > 0 {
            check_tree(map, model, first, n_boxes)?;
        }
    }
    lists.end_with(map.boxes())
}

/// Checks that a model's boxes form one tree in pre-order, with each box inside its parent.
fn check_tree(map: &View<'_>, model: u32, first: u32, n_boxes: u32) -> Result<(), LoadError> {
    // Second children still to come, with their parents' boxes and the number of boxes above them.
    let mut places = [(0, Aabb::ALL, 0); MAX_BOX_DEPTH];
    let mut pending = Stack::on(&mut places);
    let (mut around, mut n_above) = (Aabb::ALL, 0);
    for at in first..first + n_boxes {
        let check = |holds, rule| require::<BoxRecord>(holds, at as usize, rule);
        // A record that is missing is read as zeros here, and refused by the check that follows.
        let record = map.boxes().get(at as usize).unwrap_or(BoxRecord::read(&[]));
        check((at as usize) < map.boxes().len(), "boxes exist")?;
        let extent = Aabb::new(record.mins, record.maxs);
        check(extent.is_within(&around), "it is inside the box above")?;
        // Below a node, its first child is next, and the second one waits with the box it must be in.
        if record.second != 0 {
            // Queries have a stack of this depth, and no way to report that it is full.
            let is_low = n_above < MAX_BOX_DEPTH;
            n_above += 1;
            let is_node =
                record.brush == 0 && is_low && pending.push((record.second, extent, n_above));
            check(
                is_node,
                "a box with children has no brush, and 32 at most above it",
            )?;
            around = extent;
            continue;
        }
        let brush = map.brushes().get(record.brush as usize);
        let is_own = brush.is_some_and(|brush| brush.model == model);
        check(is_own, "a leaf has a brush of the model")?;
        // A leaf ends what is below the nearest node that waits, if any does.
        let is_next = match pending.pop() {
            Some((second, holder, depth)) => {
                (around, n_above) = (holder, depth);
                second == at + 1
            }
            None => at + 1 == first + n_boxes,
        };
        check(is_next, "boxes are in pre-order")?;
    }
    let is_over = pending.items().is_empty();
    require::<BoxRecord>(
        is_over,
        first as usize,
        "the tree ends with the model's boxes",
    )
}
