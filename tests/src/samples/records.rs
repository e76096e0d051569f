//! The lowest layer of writing IBSP 46 files: numbers, planes in pairs, draw surfaces, a minimal tree of one node
//! with two leafs, and the lumps joined into a file. It is independent of the sample maps; `write` and the generator
//! of large maps share it.

use std::collections::HashMap;

use super::brush::Vec3;

/// Number of lumps.
pub const LUMPS: usize = 17;

/// Bytes of a surface record.
pub const SURFACE: usize = 104;

/// Lowest and highest corner.
pub type Bounds = (Vec3, Vec3);

/// Returns the bounds of the empty set.
pub fn empty() -> Bounds {
    ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3])
}

/// Extends bounds to contain a point.
pub fn grow(bounds: &mut Bounds, p: Vec3) {
    for (axis, &x) in p.iter().enumerate() {
        bounds.0[axis] = bounds.0[axis].min(x);
        bounds.1[axis] = bounds.1[axis].max(x);
    }
}

/// Appends integers.
pub fn put_i32(out: &mut Vec<u8>, values: &[i32]) {
    for v in values {
        out.extend_from_slice(&v.to_le_bytes());
    }
}

/// Appends single-precision numbers.
pub fn put_f32(out: &mut Vec<u8>, values: &[f32]) {
    for v in values {
        out.extend_from_slice(&v.to_le_bytes());
    }
}

/// Rounds a vector to single precision.
pub fn single(v: Vec3) -> [f32; 3] {
    v.map(|x| x as f32)
}

/// Converts a number or offset to the type in the file.
///
/// # Panics
/// If it needs more than 31 bits: the format has no larger files.
pub fn int(n: usize) -> i32 {
    i32::try_from(n).expect("an IBSP file has less than 2 GiB")
}

/// The distinct planes of a file, each followed by its flip.
#[derive(Default)]
pub struct PlanePairs {
    list: Vec<([f32; 3], f32)>,
    numbers: HashMap<[u32; 4], usize>,
}

impl PlanePairs {
    /// Returns the index of a plane, and makes the pair if it is new. The plane whose first nonzero coordinate is
    /// positive has the even number.
    pub fn plane(&mut self, normal: [f32; 3], dist: f32) -> usize {
        // Negative zeros become zeros, so that equal planes have equal bits.
        let plus = |x: f32| if x == 0.0 { 0.0 } else { x };
        let (normal, dist) = (normal.map(plus), plus(dist));
        let flip = |n: [f32; 3], d: f32| (n.map(|x| plus(-x)), plus(-d));
        let odd = normal.iter().find(|&&x| x != 0.0).is_some_and(|&x| x < 0.0);
        let even = if odd {
            flip(normal, dist)
        } else {
            (normal, dist)
        };
        let ([x, y, z], d) = even;
        let list = &mut self.list;
        let at = *self
            .numbers
            .entry([x, y, z, d].map(f32::to_bits))
            .or_insert_with(|| {
                list.extend([even, flip(even.0, even.1)]);
                list.len() - 2
            });
        at + usize::from(odd)
    }

    /// Writes the lump.
    pub fn lump(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for (normal, dist) in &self.list {
            put_f32(&mut out, normal);
            put_f32(&mut out, &[*dist]);
        }
        out
    }
}

/// Appends a vertex; its texture is projected along the axis that the normal is closest to.
pub fn put_vertex(out: &mut Vec<u8>, at: [f32; 3], normal: [f32; 3], color: [u8; 3]) {
    let n = normal.map(f32::abs);
    let st = if n[2] >= n[0] && n[2] >= n[1] {
        [at[0], -at[1]]
    } else if n[0] >= n[1] {
        [at[1], -at[2]]
    } else {
        [at[0], -at[2]]
    };
    put_f32(out, &at);
    put_f32(out, &st.map(|x| x / 64.0));
    put_f32(out, &[0.0, 0.0]);
    put_f32(out, &normal);
    let [r, g, b] = color;
    out.extend_from_slice(&[r, g, b, 255]);
}

/// Appends one surface record. `head` is shader, type, first vertex, vertices, first index and indices, `size` the
/// grid of a patch, `vecs` the three lightmap vectors; the last one is the normal.
pub fn put_surface(out: &mut Vec<u8>, head: [usize; 6], size: [i32; 2], vecs: [Vec3; 3]) {
    let [shader, kind, first_vertex, vertices, first_index, indices] = head.map(int);
    put_i32(out, &[shader, -1, kind, first_vertex, vertices]);
    put_i32(out, &[first_index, indices]);
    // Lit by its vertices: lightmap -3, without a position or size in a lightmap.
    put_i32(out, &[-3, 0, 0, 0, 0]);
    put_f32(out, &[0.0; 3]);
    for v in vecs {
        put_f32(out, &single(v));
    }
    put_i32(out, &size);
}

/// Appends one shader record.
pub fn put_shader(out: &mut Vec<u8>, name: &str, flags: i32, contents: i32) {
    let mut field = [0u8; 64];
    field[..name.len()].copy_from_slice(name.as_bytes());
    out.extend_from_slice(&field);
    put_i32(out, &[flags, contents]);
}

/// Appends one model record. `ranges` is first surface, surfaces, first brush, brushes.
pub fn put_model(out: &mut Vec<u8>, bounds: &Bounds, ranges: [usize; 4]) {
    put_f32(out, &single(bounds.0));
    put_f32(out, &single(bounds.1));
    put_i32(out, &ranges.map(int));
}

/// Writes the lumps 3 to 6: one node across the middle of the world, a leaf on either side, and the
/// surfaces and brushes, given by their bounds, that touch each leaf.
pub fn put_tree(
    lumps: &mut [Vec<u8>; LUMPS],
    planes: &mut PlanePairs,
    world: &Bounds,
    surfaces: &[Bounds],
    brushes: &[Bounds],
) {
    let middle = ((world.0[0] + world.1[0]) / 2.0).round();
    let plane = planes.plane([1.0, 0.0, 0.0], middle as f32);
    let low = world.0.map(|x| x.floor() as i32);
    let high = world.1.map(|x| x.ceil() as i32);
    put_i32(&mut lumps[3], &[int(plane), -1, -2]);
    put_i32(&mut lumps[3], &low);
    put_i32(&mut lumps[3], &high);
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
        put_i32(&mut lumps[4], &[0, 0]);
        put_i32(&mut lumps[4], &least);
        put_i32(&mut lumps[4], &most);
        for (lump, boxes) in [(5, surfaces), (6, brushes)] {
            let touching = (0..boxes.len()).filter(|&i| touches(&boxes[i]));
            let touching: Vec<i32> = touching.map(int).collect();
            let range = [int(lumps[lump].len() / 4), int(touching.len())];
            put_i32(&mut lumps[4], &range);
            put_i32(&mut lumps[lump], &touching);
        }
    }
}

/// Joins the lumps into the whole file.
pub fn join(lumps: &[Vec<u8>; LUMPS]) -> Vec<u8> {
    let mut file = b"IBSP".to_vec();
    put_i32(&mut file, &[46]);
    let mut at = 8 + 8 * LUMPS;
    for lump in lumps {
        put_i32(&mut file, &[int(at), int(lump.len())]);
        at += lump.len().next_multiple_of(4);
    }
    for lump in lumps {
        file.extend_from_slice(lump);
        file.resize(file.len().next_multiple_of(4), 0);
    }
    file
}

/// Writes the entity text, terminated by a zero byte as the game's compiler writes it.
pub fn entity_text<'a, E, K, V>(entities: E) -> Vec<u8>
where
    E: IntoIterator<Item = &'a Vec<(K, V)>>,
    K: AsRef<str> + 'a,
    V: AsRef<str> + 'a,
{
    let mut text = String::new();
    for entity in entities {
        text.push_str("{\n");
        for (key, value) in entity {
            let (key, value) = (key.as_ref(), value.as_ref());
            text.push_str(&format!("\"{key}\" \"{value}\"\n"));
        }
        text.push_str("}\n");
    }
    text.push('\0');
    text.into_bytes()
}
