//! Reads the collision part of a Quake III map: IBSP version 46 or 47.
//!
//! In: the bytes of a `.bsp` file. Out: one [`OracleModel`] per model lump entry with its brushes, each as its
//! number, contents (of the brush's own shader) and its side planes exactly as stored with the numbers of their
//! shaders; and the shaders, and the shader of each draw surface. Method: reads fixed-size little-endian records from
//! seven lumps; every offset, count and index is checked, so hostile bytes give an error and never a panic. Bytes of
//! a lump after its last whole record are ignored.

use super::convex::Plane;
use super::vec3::V3;

/// A convex brush: the points with `n . p <= d` for every plane.
#[derive(Clone, Debug, PartialEq)]
pub struct OracleBrush {
    /// Its number in the file.
    pub number: usize,
    /// Content bits of the brush's own shader.
    pub contents: u32,
    /// Outward normals and distances of all sides, bevels and duplicates included.
    pub planes: Vec<Plane>,
    /// The index of each side's shader.
    pub shaders: Vec<usize>,
}

impl OracleBrush {
    /// Returns a brush whose sides all have the first shader, in formats without shaders.
    pub fn plain(number: usize, contents: u32, planes: Vec<Plane>) -> Self {
        Self {
            number,
            contents,
            shaders: vec![0; planes.len()],
            planes,
        }
    }
}

/// A shader: the look and the contents of a side or surface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OracleShader {
    /// Name, up to the first zero byte.
    pub name: Vec<u8>,
    /// Surface flags.
    pub flags: u32,
    /// Content bits.
    pub contents: u32,
}

/// The shaders of a file, and the draw surfaces that use them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OracleShaders {
    /// In file order.
    pub shaders: Vec<OracleShader>,
    /// The index of every draw surface's shader, patches included.
    pub of_surfaces: Vec<usize>,
}

/// The brushes of one model; model 0 is the world.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OracleModel {
    /// In file order.
    pub brushes: Vec<OracleBrush>,
}

pub const SHADERS: usize = 1;
pub const PLANES: usize = 2;
pub const MODELS: usize = 7;
pub const BRUSHES: usize = 8;
pub const SIDES: usize = 9;
pub const SURFACES: usize = 13;

/// Bytes of a shader's name field.
const NAME: usize = 64;

/// Parses the models of a map file.
pub fn read_ibsp(bytes: &[u8]) -> Result<Vec<OracleModel>, String> {
    check_version(bytes)?;
    let shaders = lump(bytes, SHADERS, 72)?;
    let planes = lump(bytes, PLANES, 16)?;
    let models = lump(bytes, MODELS, 40)?;
    let brushes = lump(bytes, BRUSHES, 12)?;
    let sides = lump(bytes, SIDES, 8)?;

    let mut out = Vec::with_capacity(models.len());
    for (number, model) in models.iter().enumerate() {
        let what = format!("model {number}");
        let range = records(&brushes, int(model, 32)?, int(model, 36)?, &what)?;
        let mut list = Vec::with_capacity(range.len());
        let first = int(model, 32)?.unsigned_abs() as usize;
        for (brush, number) in range.iter().zip(first..) {
            let brush = read_brush(number, brush, &shaders, &planes, &sides);
            list.push(brush.map_err(|e| format!("{what}: {e}"))?);
        }
        out.push(OracleModel { brushes: list });
    }
    Ok(out)
}

/// Parses the shaders of a map file.
pub fn read_shaders(bytes: &[u8]) -> Result<OracleShaders, String> {
    check_version(bytes)?;
    let records = lump(bytes, SHADERS, 72)?;
    let mut shaders = Vec::with_capacity(records.len());
    for shader in &records {
        let name = shader[..NAME].split(|&byte| byte == 0).next();
        shaders.push(OracleShader {
            name: name.unwrap_or_default().to_vec(),
            flags: int(shader, NAME)?.cast_unsigned(),
            contents: int(shader, NAME + 4)?.cast_unsigned(),
        });
    }
    let of_surfaces = lump(bytes, SURFACES, 104)?;
    let of_surfaces = of_surfaces
        .iter()
        .map(|surface| index(&records, int(surface, 0)?, "surface shader"));
    Ok(OracleShaders {
        of_surfaces: of_surfaces.collect::<Result<_, _>>()?,
        shaders,
    })
}

fn check_version(bytes: &[u8]) -> Result<(), String> {
    if bytes.get(0..4) != Some(b"IBSP") {
        return Err("not an IBSP file".into());
    }
    let version = int(bytes, 4)?;
    if version != 46 && version != 47 {
        return Err(format!("IBSP version {version}, expected 46 or 47"));
    }
    Ok(())
}

fn read_brush(
    number: usize,
    brush: &[u8],
    shaders: &[&[u8]],
    planes: &[&[u8]],
    sides: &[&[u8]],
) -> Result<OracleBrush, String> {
    let shader = record(shaders, int(brush, 8)?, "brush shader")?;
    let contents = int(shader, 68)?.cast_unsigned();
    let (mut list, mut looks) = (Vec::new(), Vec::new());
    for side in records(sides, int(brush, 0)?, int(brush, 4)?, "brush sides")? {
        list.push(plane(record(planes, int(side, 0)?, "side plane")?, 0)?);
        looks.push(index(shaders, int(side, 4)?, "side shader")?);
    }
    Ok(OracleBrush {
        number,
        contents,
        planes: list,
        shaders: looks,
    })
}

/// Returns the records of one lump, each `size` bytes.
fn lump(bytes: &[u8], index: usize, size: usize) -> Result<Vec<&[u8]>, String> {
    lump_at(bytes, 8 + index * 8, size)
}

/// Returns the records of the lump whose directory entry is at a byte offset, each `size` bytes.
pub(super) fn lump_at(bytes: &[u8], entry: usize, size: usize) -> Result<Vec<&[u8]>, String> {
    let bad = || format!("the lump of the entry at byte {entry} lies outside the file");
    let start = usize::try_from(int(bytes, entry)?).map_err(|_| bad())?;
    let count = usize::try_from(int(bytes, entry + 4)?).map_err(|_| bad())?;
    let end = start.checked_add(count).ok_or_else(bad)?;
    let body = bytes.get(start..end).ok_or_else(bad)?;
    Ok(body.chunks_exact(size).collect())
}

pub(super) fn record<'a>(list: &[&'a [u8]], number: i32, what: &str) -> Result<&'a [u8], String> {
    Ok(list[index(list, number, what)?])
}

/// Checks that a list has a record with this index.
pub(super) fn index(list: &[&[u8]], number: i32, what: &str) -> Result<usize, String> {
    let index = usize::try_from(number).ok().filter(|&i| i < list.len());
    index.ok_or_else(|| format!("{what}: index {number} of {}", list.len()))
}

pub(super) fn records<'l, 'a>(
    list: &'l [&'a [u8]],
    first: i32,
    count: i32,
    what: &str,
) -> Result<&'l [&'a [u8]], String> {
    let bad = || format!("{what}: {count} records from {first} of {}", list.len());
    let start = usize::try_from(first).map_err(|_| bad())?;
    let length = usize::try_from(count).map_err(|_| bad())?;
    let end = start.checked_add(length).ok_or_else(bad)?;
    list.get(start..end).ok_or_else(bad)
}

fn four(bytes: &[u8], at: usize) -> Result<[u8; 4], String> {
    bytes
        .get(at..at.saturating_add(4))
        .and_then(|b| <[u8; 4]>::try_from(b).ok())
        .ok_or_else(|| format!("file ends before byte {at}"))
}

pub(super) fn int(bytes: &[u8], at: usize) -> Result<i32, String> {
    four(bytes, at).map(i32::from_le_bytes)
}

/// Reads three numbers.
pub(super) fn vector(bytes: &[u8], at: usize) -> Result<V3, String> {
    Ok([
        float(bytes, at)?,
        float(bytes, at + 4)?,
        float(bytes, at + 8)?,
    ])
}

/// Reads a plane: its normal, then its distance.
pub(super) fn plane(bytes: &[u8], at: usize) -> Result<Plane, String> {
    Ok((vector(bytes, at)?, float(bytes, at + 12)?))
}

/// Reads a single-precision number exactly; fails if it is not finite.
pub(super) fn float(bytes: &[u8], at: usize) -> Result<f64, String> {
    let value = four(bytes, at).map(f32::from_le_bytes)?;
    if value.is_finite() {
        Ok(f64::from(value))
    } else {
        Err("plane with a number that is not finite".into())
    }
}
