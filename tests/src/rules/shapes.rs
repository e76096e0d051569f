//! Rules for the shapes of brushes. Each row has a text that says how a rule is broken, and a function that plants
//! the fault and returns the runtime's error, which names the first wrong record.

use onion_format::{
    BoxRecord, BoxesRecord, BrushRecord, CornerRecord, EdgeRecord, FaceRecord, PlaneRecord,
    SolidRecord,
};

use super::rule::{Rule, at, beyond, change, last, one_more};
use crate::planted::{edit, record, replace};

/// Rules for the faces of solids.
pub(super) const FACES: &[Rule] = &[
    ("three faces", |file| {
        change::<SolidRecord>(file, 1, |solid| {
            solid.n_bevels += solid.n_faces - 3;
            solid.n_faces = 3;
        })
    }),
    ("faces that do not follow", |file| {
        change::<SolidRecord>(file, 1, |solid| solid.first_face += 1)
    }),
    ("a face too many", one_more::<FaceRecord>),
    ("a face's plane that is not there", |file| {
        beyond::<PlaneRecord, FaceRecord>(file, 1, |face, n_planes| face.plane = n_planes)
    }),
    ("a face's side that is another brush's", |file| {
        let first = record::<BrushRecord>(file, 1).first_side;
        change::<FaceRecord>(file, 1, |face| face.side = first)
    }),
    ("a face with an unknown bit", |file| {
        change::<FaceRecord>(file, 1, |face| face.plane |= 1 << 30)
    }),
    ("a face's side that is not there", |file| {
        change::<FaceRecord>(file, 0, |face| face.side = u32::MAX)
    }),
];

/// Rules for corners and edges.
pub(super) const EDGES: &[Rule] = &[
    ("a solid too many", one_more::<SolidRecord>),
    ("three corners", |file| {
        change::<SolidRecord>(file, 1, |solid| solid.n_corners = 3)
    }),
    ("five edges", |file| {
        change::<SolidRecord>(file, 1, |solid| solid.n_edges = 5)
    }),
    ("corners that do not follow", |file| {
        change::<SolidRecord>(file, 1, |solid| solid.first_corner += 1)
    }),
    ("edges that do not follow", |file| {
        change::<SolidRecord>(file, 1, |solid| solid.first_edge += 1)
    }),
    ("a corner too many", one_more::<CornerRecord>),
    ("an edge too many", one_more::<EdgeRecord>),
    ("a corner too far out", |file| {
        change::<CornerRecord>(file, 1, |corner| corner.position[1] = -65_537.0)
    }),
    ("a corner that is no number", |file| {
        change::<CornerRecord>(file, 1, |corner| corner.position[2] = f64::NAN)
    }),
    ("an edge from a corner to itself", |file| {
        change::<EdgeRecord>(file, 1, |edge| edge.corners[1] = edge.corners[0])
    }),
    ("an edge of a face with itself", |file| {
        change::<EdgeRecord>(file, 1, |edge| edge.faces[1] = edge.faces[0])
    }),
    ("an edge's corner that is another brush's", |file| {
        let n_corners = record::<SolidRecord>(file, 0).n_corners;
        change::<EdgeRecord>(file, 1, |edge| edge.corners[1] = n_corners)
    }),
    ("an edge's face that is a bevel", |file| {
        let n_faces = record::<SolidRecord>(file, 0).n_faces;
        change::<EdgeRecord>(file, 1, |edge| edge.faces[1] = n_faces)
    }),
];

/// Rules for the trees of boxes.
pub(super) const BOXES: &[Rule] = &[
    ("a model too many", one_more::<BoxesRecord>),
    ("models that are all missing", |file| {
        replace::<BoxesRecord>(file, &[]);
        at::<BoxesRecord>(0)
    }),
    ("boxes that do not follow", |file| {
        change::<BoxesRecord>(file, 1, |boxes| boxes.first += 1)
    }),
    ("a number that is not that of the brushes", |file| {
        change::<BoxesRecord>(file, 0, |boxes| boxes.n_boxes -= 2)
    }),
    ("a box too many", one_more::<BoxRecord>),
    ("a box that is larger than what it is in", |file| {
        let around = record::<BoxRecord>(file, 0).maxs[0];
        change::<BoxRecord>(file, 1, |inner| inner.maxs[0] = around + 1.0)
    }),
    ("a box that begins before what it is in", |file| {
        let around = record::<BoxRecord>(file, 0).mins[1];
        change::<BoxRecord>(file, 1, |inner| inner.mins[1] = around - 1.0)
    }),
    ("a box the wrong way round", |file| {
        change::<BoxRecord>(file, 0, |root| root.mins[1] = root.maxs[1] + 1.0)
    }),
    ("a box that is no number", |file| {
        change::<BoxRecord>(file, 0, |root| root.maxs[2] = f32::NAN)
    }),
    ("a brush in the middle of the tree", |file| {
        change::<BoxRecord>(file, 0, |root| root.brush = 1)
    }),
    (
        "a second child that is not where it is said to be",
        |file| {
            let second = record::<BoxRecord>(file, 0).second;
            edit::<BoxRecord>(file, 0, |root| root.second += 1);
            at::<BoxRecord>(second as usize - 1)
        },
    ),
    ("a leaf where the tree goes on", |file| {
        change::<BoxRecord>(file, 0, |root| root.second = 0)
    }),
    ("a brush that is not there", |file| {
        let leaf = last::<BoxRecord>(file);
        beyond::<BrushRecord, BoxRecord>(file, leaf, |leaf, n_brushes| leaf.brush = n_brushes)
    }),
    ("a brush of another model", |file| {
        let leaf = last::<BoxRecord>(file);
        change::<BoxRecord>(file, leaf, |leaf| leaf.brush = 0)
    }),
    ("a box that is not finite", |file| {
        change::<BoxRecord>(file, 0, |root| root.mins[0] = f32::NEG_INFINITY)
    }),
];
