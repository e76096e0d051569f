//! Writes a sample map as a Quake III BSP file (IBSP version 46).
//!
//! In: a `Map`. Out: the bytes of a complete file: planes in pairs, six axial sides first in every
//! brush, one node with two leafs, draw surfaces for every face that is seen. No edge bevels are
//! written (a reader must make its own), and no lightmaps, light grid or visibility.

use super::brush::{Face, Vec3, dot};
use super::map::{Map, NODRAW, Patch, Shader};

/// Number of lumps.
const LUMPS: usize = 17;

/// Everything the file holds, as lumps in the making.
#[derive(Default)]
struct Lumps {
    shaders: Vec<Shader>,
    planes: Vec<([f32; 3], f32)>,
    sides: Vec<(usize, usize)>,
    brushes: Vec<(usize, usize, usize)>,
    vertices: Vec<u8>,
    vertex_count: usize,
    indices: Vec<i32>,
    surfaces: Vec<u8>,
    models: Vec<u8>,
}

/// Lowest and highest corner.
type Bounds = (Vec3, Vec3);

fn grow(bounds: &mut Bounds, p: Vec3) {
    for (axis, &x) in p.iter().enumerate() {
        bounds.0[axis] = bounds.0[axis].min(x);
        bounds.1[axis] = bounds.1[axis].max(x);
    }
}

fn empty() -> Bounds {
    ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3])
}

fn put_i32(out: &mut Vec<u8>, values: &[i32]) {
    for v in values {
        out.extend_from_slice(&v.to_le_bytes());
    }
}

fn put_f32(out: &mut Vec<u8>, values: &[f32]) {
    for v in values {
        out.extend_from_slice(&v.to_le_bytes());
    }
}

fn single(v: Vec3) -> [f32; 3] {
    v.map(|x| x as f32)
}

fn int(n: usize) -> i32 {
    i32::try_from(n).expect("a sample map is small")
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

    /// Index of a plane; makes the pair when it is new. The plane whose first nonzero coordinate is
    /// positive has the even number.
    fn plane(&mut self, normal: [f32; 3], dist: f32) -> usize {
        let flip = |n: [f32; 3], d: f32| {
            let minus = |x: f32| if x == 0.0 { 0.0 } else { -x };
            (n.map(minus), minus(d))
        };
        let dist = if dist == 0.0 { 0.0 } else { dist };
        let odd = normal.iter().find(|&&x| x != 0.0).is_some_and(|&x| x < 0.0);
        let even = if odd {
            flip(normal, dist)
        } else {
            (normal, dist)
        };
        let at = match self.planes.iter().position(|p| *p == even) {
            Some(at) => at,
            None => {
                self.planes.push(even);
                self.planes.push(flip(even.0, even.1));
                self.planes.len() - 2
            }
        };
        at + usize::from(odd)
    }

    /// Plane of a face. The distance is taken anew for the rounded normal, so that the corners lie
    /// on the plane as well as the format allows.
    fn face_plane(&mut self, face: &Face) -> usize {
        let normal = single(face.normal);
        let wide = normal.map(f64::from);
        let sum: f64 = face.winding.iter().map(|&p| dot(wide, p)).sum();
        let dist = sum / face.winding.len() as f64;
        self.plane(normal, dist as f32)
    }

    fn vertex(&mut self, at: Vec3, normal: Vec3, shader: Shader) {
        // The texture lies flat on the axis the normal is closest to.
        let n = normal.map(f64::abs);
        let st = if n[2] >= n[0] && n[2] >= n[1] {
            [at[0], -at[1]]
        } else if n[0] >= n[1] {
            [at[1], -at[2]]
        } else {
            [at[0], -at[2]]
        };
        put_f32(&mut self.vertices, &single(at));
        put_f32(&mut self.vertices, &st.map(|x| (x / 64.0) as f32));
        put_f32(&mut self.vertices, &[0.0, 0.0]);
        put_f32(&mut self.vertices, &single(normal));
        // Light from above and a little from one side.
        let light = 0.7 + 0.06 * normal[0] - 0.04 * normal[1] + 0.2 * normal[2];
        let [r, g, b] = shader.color().map(|c| (f64::from(c) * light) as u8);
        self.vertices.extend_from_slice(&[r, g, b, 255]);
        self.vertex_count += 1;
    }

    /// One surface record. `vecs` are the three lightmap vectors; the last one is the normal.
    fn surface(&mut self, head: [usize; 6], patch: Option<[i32; 2]>, vecs: [Vec3; 3]) {
        let [shader, kind, first_vertex, vertices, first_index, indices] = head.map(int);
        let out = &mut self.surfaces;
        put_i32(out, &[shader, -1, kind, first_vertex, vertices]);
        put_i32(out, &[first_index, indices]);
        // Lit by its vertices: lightmap -3, no place or size in one.
        put_i32(out, &[-3, 0, 0, 0, 0]);
        put_f32(out, &[0.0; 3]);
        for v in vecs {
            put_f32(out, &single(v));
        }
        put_i32(out, &patch.unwrap_or([0, 0]));
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
        self.surface(head, None, [[0.0; 3], [0.0; 3], face.normal]);
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
        self.surface(head, Some([3, 3]), [bounds.0, bounds.1, [0.0; 3]]);
        bounds
    }
}

/// Normal of the control net at point (i, j), toward the visible side.
fn patch_normal(patch: &Patch, i: usize, j: usize) -> Vec3 {
    let p = &patch.points;
    let next = |k: usize| (k + 1).min(2);
    let along = super::brush::sub(p[j][next(i)], p[j][i.saturating_sub(1)]);
    let down = super::brush::sub(p[next(j)][i], p[j.saturating_sub(1)][i]);
    let n = super::brush::cross(down, along);
    let length = dot(n, n).sqrt();
    n.map(|x| if x == 0.0 { 0.0 } else { x / length })
}

/// Writes the map.
pub fn write(map: &Map) -> Vec<u8> {
    let mut l = Lumps::default();
    let mut boxes: Vec<Bounds> = Vec::new(); // of the world's brushes
    let mut surface_boxes: Vec<Bounds> = Vec::new(); // of the world's surfaces
    let mut world = empty();
    for (number, model) in map.models.iter().enumerate() {
        let mut bounds = empty();
        let first_brush = l.brushes.len();
        let first_surface = l.surfaces.len() / 104;
        for (brush, shader) in &model.brushes {
            let material = l.shader(*shader);
            let first_side = l.sides.len();
            for axis in 0..3 {
                for sign in [-1.0, 1.0] {
                    let mut normal = [0.0f32; 3];
                    normal[axis] = sign as f32;
                    let dist = if sign < 0.0 {
                        -brush.mins[axis]
                    } else {
                        brush.maxs[axis]
                    };
                    let plane = l.plane(normal, dist as f32);
                    l.sides.push((plane, material));
                }
            }
            for face in &brush.faces {
                if !face.normal.iter().any(|x| x.abs() == 1.0) {
                    let plane = l.face_plane(face);
                    l.sides.push((plane, material));
                }
                if shader.flags() & NODRAW == 0 {
                    l.flat(face, *shader);
                    if number == 0 {
                        let mut b = empty();
                        face.winding.iter().for_each(|&p| grow(&mut b, p));
                        surface_boxes.push(b);
                    }
                }
            }
            let count = l.sides.len() - first_side;
            l.brushes.push((first_side, count, material));
            grow(&mut bounds, brush.mins);
            grow(&mut bounds, brush.maxs);
            if number == 0 {
                boxes.push((brush.mins, brush.maxs));
            }
        }
        for patch in &model.patches {
            let b = l.patch(patch);
            grow(&mut bounds, b.0);
            grow(&mut bounds, b.1);
            if number == 0 {
                surface_boxes.push(b);
            }
        }
        if number == 0 {
            world = bounds;
        }
        let surfaces = l.surfaces.len() / 104 - first_surface;
        let brushes = l.brushes.len() - first_brush;
        put_f32(&mut l.models, &single(bounds.0));
        put_f32(&mut l.models, &single(bounds.1));
        let ranges = [first_surface, surfaces, first_brush, brushes];
        put_i32(&mut l.models, &ranges.map(int));
    }

    // One node across the middle of the world, a leaf on either side.
    let middle = ((world.0[0] + world.1[0]) / 2.0).round();
    let plane = l.plane([1.0, 0.0, 0.0], middle as f32);
    let low = world.0.map(|x| x.floor() as i32);
    let high = world.1.map(|x| x.ceil() as i32);
    let mut nodes = Vec::new();
    put_i32(&mut nodes, &[int(plane), -1, -2]);
    put_i32(&mut nodes, &low);
    put_i32(&mut nodes, &high);
    let mut leafs = Vec::new();
    let mut leaf_surfaces = Vec::new();
    let mut leaf_brushes = Vec::new();
    for front in [true, false] {
        let mut least = low;
        let mut most = high;
        if front {
            least[0] = middle as i32;
        } else {
            most[0] = middle as i32;
        }
        let touches = |b: &Bounds| {
            if front {
                b.1[0] >= middle
            } else {
                b.0[0] <= middle
            }
        };
        let pick = |of: &[Bounds]| -> Vec<i32> {
            (0..of.len())
                .filter(|&i| touches(&of[i]))
                .map(int)
                .collect()
        };
        let surfaces = pick(&surface_boxes);
        let brushes = pick(&boxes);
        put_i32(&mut leafs, &[0, 0]);
        put_i32(&mut leafs, &least);
        put_i32(&mut leafs, &most);
        put_i32(
            &mut leafs,
            &[int(leaf_surfaces.len() / 4), int(surfaces.len())],
        );
        put_i32(
            &mut leafs,
            &[int(leaf_brushes.len() / 4), int(brushes.len())],
        );
        put_i32(&mut leaf_surfaces, &surfaces);
        put_i32(&mut leaf_brushes, &brushes);
    }

    let mut shaders = Vec::new();
    for s in &l.shaders {
        let mut name = [0u8; 64];
        name[..s.name().len()].copy_from_slice(s.name().as_bytes());
        shaders.extend_from_slice(&name);
        put_i32(&mut shaders, &[s.flags(), s.contents()]);
    }
    let mut planes = Vec::new();
    for (normal, dist) in &l.planes {
        put_f32(&mut planes, normal);
        put_f32(&mut planes, &[*dist]);
    }
    let mut brushes = Vec::new();
    for &(first, count, shader) in &l.brushes {
        put_i32(&mut brushes, &[first, count, shader].map(int));
    }
    let mut sides = Vec::new();
    for &(plane, shader) in &l.sides {
        put_i32(&mut sides, &[plane, shader].map(int));
    }
    let mut indices = Vec::new();
    put_i32(&mut indices, &l.indices);

    let mut lumps: [Vec<u8>; LUMPS] = Default::default();
    lumps[0] = entities(map);
    lumps[1] = shaders;
    lumps[2] = planes;
    lumps[3] = nodes;
    lumps[4] = leafs;
    lumps[5] = leaf_surfaces;
    lumps[6] = leaf_brushes;
    lumps[7] = l.models;
    lumps[8] = brushes;
    lumps[9] = sides;
    lumps[10] = l.vertices;
    lumps[11] = indices;
    // 12 is fogs: there are none.
    lumps[13] = l.surfaces;
    // 14 to 16 are lightmaps, light grid and visibility: there are none.

    let mut file = b"IBSP".to_vec();
    put_i32(&mut file, &[46]);
    let mut at = 8 + 8 * LUMPS;
    for lump in &lumps {
        put_i32(&mut file, &[int(at), int(lump.len())]);
        at += lump.len().next_multiple_of(4);
    }
    for lump in &lumps {
        file.extend_from_slice(lump);
        file.resize(file.len().next_multiple_of(4), 0);
    }
    file
}

/// The entity text, ended by a zero byte as the game's compiler writes it.
fn entities(map: &Map) -> Vec<u8> {
    let mut text = String::new();
    for entity in &map.entities {
        text.push_str("{\n");
        for (key, value) in entity {
            text.push_str(&format!("\"{key}\" \"{value}\"\n"));
        }
        text.push_str("}\n");
    }
    text.push('\0');
    text.into_bytes()
}
