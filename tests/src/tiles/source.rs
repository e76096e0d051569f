//! The world of a map, as the generator repeats it: brushes with their planes, patches with their vertices, shaders,
//! and point entities. Doors and other inline models are left out, and so are brushes with empty contents, which
//! compilers do not read.

use onion_maps::{MapEntity, entities};

use crate::samples::records::{Bounds, empty, grow};
use crate::samples::{BspFile, read};

/// Surface type of a patch.
const PATCH: i32 = 2;

/// A plane as stored: normal and distance.
pub type StoredPlane = ([f32; 3], f32);

/// A brush of the world.
pub struct Brush {
    /// Its planes with their shaders.
    pub sides: Vec<(StoredPlane, i32)>,
    /// Index of its shader.
    pub shader: i32,
    /// The box of its axial sides.
    pub bounds: Bounds,
}

/// A patch of the world.
pub struct Patch {
    /// Index of its shader.
    pub shader: i32,
    /// Columns and rows.
    pub size: [usize; 2],
    /// Place and normal of its vertices, by row.
    pub vertices: Vec<([f32; 3], [f32; 3])>,
}

/// The world of a map.
pub struct World {
    /// Names, surface flags, contents.
    pub shaders: Vec<(String, i32, i32)>,
    /// Its brushes, in the order of the file.
    pub brushes: Vec<Brush>,
    /// Its patches, in the order of the file.
    pub patches: Vec<Patch>,
    /// The worldspawn.
    pub worldspawn: MapEntity,
    /// Entities that have a place and show no inline model.
    pub things: Vec<MapEntity>,
    /// Box around brushes and patches.
    pub bounds: Bounds,
}

impl World {
    /// Reads the world of an IBSP 46 map.
    pub fn read(map: &[u8]) -> Result<Self, String> {
        let file = read(map)?;
        let Some(&(_, [first_surface, n_surfaces, first_brush, n_brushes])) = file.models.first()
        else {
            return Err("it has no models".to_owned());
        };
        let mut brushes = Vec::new();
        for record in range(&file.brushes, first_brush, n_brushes, "brushes")? {
            brushes.extend(brush(&file, record)?);
        }
        let mut patches = Vec::new();
        for (record, size) in range(&file.surfaces, first_surface, n_surfaces, "surfaces")? {
            patches.extend(patch(&file, record, size)?);
        }
        let mut bounds = empty();
        for brush in &brushes {
            grow(&mut bounds, brush.bounds.0);
            grow(&mut bounds, brush.bounds.1);
        }
        for (place, _) in patches.iter().flat_map(|patch| &patch.vertices) {
            grow(&mut bounds, place.map(f64::from));
        }
        if brushes.is_empty() {
            return Err("its world has no brushes".to_owned());
        }
        let mut entities = entities::parse(file.entities.as_bytes(), &mut Vec::new()).into_iter();
        let worldspawn = entities.next().unwrap_or_default();
        let things = entities.filter(|entity| {
            let inline = entity.get("model").is_some_and(|m| m.starts_with('*'));
            !inline && entity.contains_key("origin")
        });
        Ok(Self {
            brushes,
            patches,
            worldspawn,
            things: things.collect(),
            bounds,
            shaders: file.shaders,
        })
    }
}

fn brush(file: &BspFile, &[first, count, shader]: &[i32; 3]) -> Result<Option<Brush>, String> {
    let mut sides = Vec::new();
    for &[plane, shader] in range(&file.sides, first, count, "brush sides")? {
        sides.push((entry(&file.planes, plane, "plane")?, shader));
    }
    let (.., contents) = entry(&file.shaders, shader, "shader")?;
    if contents == 0 {
        return Ok(None);
    }
    let bounds = axial_box(&sides).ok_or("a brush has no side on each axis and facing")?;
    Ok(Some(Brush {
        sides,
        shader,
        bounds,
    }))
}

/// Returns the box of the axial sides, which game compilers write for every brush, or `None` if one of them is
/// missing.
fn axial_box(sides: &[(StoredPlane, i32)]) -> Option<Bounds> {
    let reach = |axis: usize, sign: f32| {
        let along = sides.iter().filter(|((normal, _), _)| normal[axis] == sign);
        let dists = along.map(|&((_, dist), _)| f64::from(dist));
        dists.min_by(f64::total_cmp)
    };
    let mut bounds = empty();
    for axis in 0..3 {
        bounds.0[axis] = -reach(axis, -1.0)?;
        bounds.1[axis] = reach(axis, 1.0)?;
    }
    Some(bounds)
}

fn patch(file: &BspFile, record: &[i32; 7], size: &[i32; 2]) -> Result<Option<Patch>, String> {
    let &[shader, _fog, kind, first, _count, ..] = record;
    if kind != PATCH {
        return Ok(None);
    }
    let (.., contents) = entry(&file.shaders, shader, "shader")?;
    let n_vertices = size[0].checked_mul(size[1]).unwrap_or(i32::MAX);
    let vertices = range(&file.vertices, first, n_vertices, "vertices")?;
    Ok((contents != 0).then(|| Patch {
        shader,
        size: size.map(|side| side as usize),
        vertices: vertices.to_vec(),
    }))
}

fn range<'a, T>(list: &'a [T], first: i32, count: i32, what: &str) -> Result<&'a [T], String> {
    let pair = usize::try_from(first).ok().zip(usize::try_from(count).ok());
    let found = pair.and_then(|(first, count)| list.get(first..first.checked_add(count)?));
    found.ok_or_else(|| format!("{count} {what} from {first} of {}", list.len()))
}

fn entry<T: Clone>(list: &[T], index: i32, what: &str) -> Result<T, String> {
    let found = usize::try_from(index).ok().and_then(|at| list.get(at));
    found
        .cloned()
        .ok_or_else(|| format!("{what} {index} of {}", list.len()))
}
