//! Writes a sample map as a Quake III BSP file (IBSP version 46).
//!
//! In: a `Map`. Out: the bytes of a complete file: planes in pairs, six axial sides first in every brush, one node
//! with two leafs, draw surfaces for every visible face. No edge bevels are written (a reader must make its own), and
//! no lightmaps, light grid or visibility.

use super::brush::{Brush, Face, Vec3, dot};
use super::map::{Map, Model, NODRAW, Patch, Shader};
use super::records::{
    Bounds, LUMPS, PlanePairs, SURFACE, empty, entity_text, grow, int, join, put_i32, put_model,
    put_shader, put_surface, put_tree, put_vertex, single,
};

/// Everything in the file, as unfinished lumps.
#[derive(Default)]
struct Lumps {
    shaders: Vec<Shader>,
    planes: PlanePairs,
    sides: Vec<(usize, usize)>,
    brushes: Vec<(usize, usize, usize)>,
    vertices: Vec<u8>,
    vertex_count: usize,
    indices: Vec<i32>,
    surfaces: Vec<u8>,
    models: Vec<u8>,
}

impl Lumps {
    fn shader(&mut self, shader: Shader) -> usize {
        match self.shaders.iter().position(|&s| s == shader) {
            Some(at) => at,
            None => {
                self.shaders.push(shader);
                self.shaders.len() - 1
            }
        }
    }

    /// Returns the plane of a face. The distance is computed again for the rounded normal, so that the corners lie on
    /// the plane as well as the format allows.
    fn face_plane(&mut self, face: &Face) -> usize {
        let normal = single(face.normal);
        let wide = normal.map(f64::from);
        let sum: f64 = face.winding.iter().map(|&p| dot(wide, p)).sum();
        let dist = sum / face.winding.len() as f64;
        self.planes.plane(normal, dist as f32)
    }

    fn vertex(&mut self, at: Vec3, normal: Vec3, shader: Shader) {
        // Light from above and slightly from one side.
        let light = 0.7 + 0.06 * normal[0] - 0.04 * normal[1] + 0.2 * normal[2];
        let color = shader.color().map(|c| (f64::from(c) * light) as u8);
        put_vertex(&mut self.vertices, single(at), single(normal), color);
        self.vertex_count += 1;
    }

    fn flat(&mut self, face: &Face, shader: Shader) {
        let number = self.shader(shader);
        let first_vertex = self.vertex_count;
        let first_index = self.indices.len();
        for &p in &face.winding {
            self.vertex(p, face.normal, shader);
        }
        let corners = face.winding.len();
        for i in 1..corners - 1 {
            self.indices.extend([0, int(i), int(i + 1)]);
        }
        let count = self.indices.len() - first_index;
        let head = [number, 1, first_vertex, corners, first_index, count];
        let vecs = [[0.0; 3], [0.0; 3], face.normal];
        put_surface(&mut self.surfaces, head, [0, 0], vecs);
    }

    fn patch(&mut self, patch: &Patch) -> Bounds {
        let number = self.shader(patch.shader);
        let first_vertex = self.vertex_count;
        let mut bounds = empty();
        for (j, row) in patch.points.iter().enumerate() {
            for (i, &p) in row.iter().enumerate() {
                grow(&mut bounds, p);
                self.vertex(p, patch_normal(patch, i, j), patch.shader);
            }
        }
        let head = [number, 2, first_vertex, 9, 0, 0];
        let vecs = [bounds.0, bounds.1, [0.0; 3]];
        put_surface(&mut self.surfaces, head, [3, 3], vecs);
        bounds
    }
}

/// Returns the normal of the control net at point (i, j), toward the visible side.
fn patch_normal(patch: &Patch, i: usize, j: usize) -> Vec3 {
    let p = &patch.points;
    let next = |k: usize| (k + 1).min(2);
    let along = super::brush::sub(p[j][next(i)], p[j][i.saturating_sub(1)]);
    let down = super::brush::sub(p[next(j)][i], p[j.saturating_sub(1)][i]);
    let n = super::brush::cross(down, along);
    let length = dot(n, n).sqrt();
    n.map(|x| if x == 0.0 { 0.0 } else { x / length })
}

/// The boxes of a model and its parts.
struct Boxes {
    model: Bounds,
    brushes: Vec<Bounds>,
    surfaces: Vec<Bounds>,
}

impl Lumps {
    fn model(&mut self, model: &Model) -> Boxes {
        let first_brush = self.brushes.len();
        let first_surface = self.surfaces.len() / SURFACE;
        let mut boxes = Boxes {
            model: empty(),
            brushes: Vec::new(),
            surfaces: Vec::new(),
        };
        for (brush, shader) in &model.brushes {
            self.brush(brush, *shader);
            boxes.brushes.push((brush.mins, brush.maxs));
            grow(&mut boxes.model, brush.mins);
            grow(&mut boxes.model, brush.maxs);
            if shader.flags() & NODRAW == 0 {
                boxes.surfaces.extend(brush.faces.iter().map(around));
            }
        }
        for patch in &model.patches {
            let bounds = self.patch(patch);
            boxes.surfaces.push(bounds);
            grow(&mut boxes.model, bounds.0);
            grow(&mut boxes.model, bounds.1);
        }
        let surfaces = self.surfaces.len() / SURFACE - first_surface;
        let brushes = self.brushes.len() - first_brush;
        let ranges = [first_surface, surfaces, first_brush, brushes];
        put_model(&mut self.models, &boxes.model, ranges);
        boxes
    }

    /// Adds a brush with the surfaces of its faces. The six axial sides come first.
    fn brush(&mut self, brush: &Brush, shader: Shader) {
        let material = self.shader(shader);
        let first_side = self.sides.len();
        for axis in 0..3 {
            for (sign, dist) in [(-1.0, -brush.mins[axis]), (1.0, brush.maxs[axis])] {
                let mut normal = [0.0f32; 3];
                normal[axis] = sign;
                let plane = self.planes.plane(normal, dist as f32);
                self.sides.push((plane, material));
            }
        }
        for face in &brush.faces {
            if !face.normal.iter().any(|x| x.abs() == 1.0) {
                let plane = self.face_plane(face);
                self.sides.push((plane, material));
            }
            if shader.flags() & NODRAW == 0 {
                self.flat(face, shader);
            }
        }
        let count = self.sides.len() - first_side;
        self.brushes.push((first_side, count, material));
    }
}

fn around(face: &Face) -> Bounds {
    let mut bounds = empty();
    face.winding.iter().for_each(|&p| grow(&mut bounds, p));
    bounds
}

/// Writes the map.
pub fn write(map: &Map) -> Vec<u8> {
    let mut l = Lumps::default();
    let boxes: Vec<Boxes> = map.models.iter().map(|model| l.model(model)).collect();
    let mut lumps: [Vec<u8>; LUMPS] = Default::default();
    let world = &boxes[0];
    put_tree(
        &mut lumps,
        &mut l.planes,
        &world.model,
        &world.surfaces,
        &world.brushes,
    );
    lumps[0] = entity_text(&map.entities);
    for s in &l.shaders {
        put_shader(&mut lumps[1], s.name(), s.flags(), s.contents());
    }
    lumps[2] = l.planes.lump();
    lumps[7] = l.models;
    for &(first, count, shader) in &l.brushes {
        put_i32(&mut lumps[8], &[first, count, shader].map(int));
    }
    for &(plane, shader) in &l.sides {
        put_i32(&mut lumps[9], &[plane, shader].map(int));
    }
    lumps[10] = l.vertices;
    put_i32(&mut lumps[11], &l.indices);
    // 12 is fogs, which are empty.
    lumps[13] = l.surfaces;
    // 14 to 16 are lightmaps, light grid and visibility, which are empty.
    join(&lumps)
}
