//! Objects of an exported scene, such as the skin of a hull or a wall, in a form that does not depend on the file
//! format: polygons with a name and a color.

use glam::DVec3;

/// Colors of hulls in their order, repeated; the last one is the color of walls.
pub(super) const COLORS: [[f32; 3]; 6] = [
    [0.96, 0.69, 0.30],
    [0.42, 0.48, 0.56],
    [0.75, 0.29, 0.48],
    [0.27, 0.45, 0.72],
    [0.20, 0.61, 0.58],
    [0.80, 0.76, 0.70],
];

/// An object of a scene: polygons of one kind.
#[derive(Clone, Debug, Default)]
pub struct Object {
    /// Its name.
    pub name: String,
    /// Red, green and blue, from 0 to 1.
    pub color: [f32; 3],
    /// Its polygons, counterclockwise, each with its unit normal.
    pub polygons: Vec<(DVec3, Vec<DVec3>)>,
    /// For each convex brush of the object, the number of its faces, which are the next of the polygons; empty if the
    /// object is not made of brushes.
    pub brushes: Vec<usize>,
    /// For each polygon, the leaves in front of it and behind it; empty if the object is not made of portals.
    pub leaves: Vec<[u32; 2]>,
}
