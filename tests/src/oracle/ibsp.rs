//! Reads the collision part of a Quake III map: IBSP version 46 or 47.
//!
//! In: the bytes of a `.bsp` file. Out: one [`OracleModel`] per model lump entry with its brushes,
//! each as contents (of the brush's own shader) and its side planes exactly as stored.
//! Method: fixed-size little-endian records picked out of five lumps; every offset, count and index
//! is checked, so hostile bytes give an error and never a panic. Bytes of a lump after its last
//! whole record are ignored.

use super::convex::Plane;

/// A convex brush: the points with `n . p <= d` for every plane.
#[derive(Clone, Debug, PartialEq)]
pub struct OracleBrush {
    /// Content bits of the brush's shader.
    pub contents: u32,
    /// Outward normals and distances of all sides, bevels and duplicates included.
    pub planes: Vec<Plane>,
}

/// The brushes of one model; model 0 is the world.
#[derive(Clone, Debug, PartialEq)]
pub struct OracleModel {
    /// In file order.
    pub brushes: Vec<OracleBrush>,
}

const SHADERS: usize = 1;
const PLANES: usize = 2;
const MODELS: usize = 7;
const BRUSHES: usize = 8;
const SIDES: usize = 9;

/// Parses a whole map file.
pub fn read_ibsp(bytes: &[u8]) -> Result<Vec<OracleModel>, String> {
    if bytes.get(0..4) != Some(b"IBSP") {
        return Err("not an IBSP file".into());
    }
    let version = int(bytes, 4)?;
    if version != 46 && version != 47 {
        return Err(format!("IBSP version {version}, expected 46 or 47"));
    }
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
        for brush in range {
            list.push(
                read_brush(brush, &shaders, &planes, &sides).map_err(|e| format!("{what}: {e}"))?,
            );
        }
        out.push(OracleModel { brushes: list });
    }
    Ok(out)
}

fn read_brush(
    brush: &[u8],
    shaders: &[&[u8]],
    planes: &[&[u8]],
    sides: &[&[u8]],
) -> Result<OracleBrush, String> {
    let shader = record(shaders, int(brush, 8)?, "brush shader")?;
    let contents = int(shader, 68)?.cast_unsigned();
    let mut list = Vec::new();
    for side in records(sides, int(brush, 0)?, int(brush, 4)?, "brush sides")? {
        let plane = record(planes, int(side, 0)?, "side plane")?;
        let normal = [float(plane, 0)?, float(plane, 4)?, float(plane, 8)?];
        list.push((normal, float(plane, 12)?));
    }
    Ok(OracleBrush {
        contents,
        planes: list,
    })
}

/// The records of one lump, each `size` bytes.
fn lump(bytes: &[u8], index: usize, size: usize) -> Result<Vec<&[u8]>, String> {
    let entry = 8 + index * 8;
    let bad = || format!("lump {index} lies outside the file");
    let start = usize::try_from(int(bytes, entry)?).map_err(|_| bad())?;
    let count = usize::try_from(int(bytes, entry + 4)?).map_err(|_| bad())?;
    let end = start.checked_add(count).ok_or_else(bad)?;
    let body = bytes.get(start..end).ok_or_else(bad)?;
    Ok(body.chunks_exact(size).collect())
}

fn record<'a>(list: &[&'a [u8]], index: i32, what: &str) -> Result<&'a [u8], String> {
    usize::try_from(index)
        .ok()
        .and_then(|i| list.get(i).copied())
        .ok_or_else(|| format!("{what}: index {index} of {}", list.len()))
}

fn records<'l, 'a>(
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

fn int(bytes: &[u8], at: usize) -> Result<i32, String> {
    four(bytes, at).map(i32::from_le_bytes)
}

/// A stored single-precision number, exactly; an error when it is not finite.
fn float(bytes: &[u8], at: usize) -> Result<f64, String> {
    let value = four(bytes, at).map(f32::from_le_bytes)?;
    if value.is_finite() {
        Ok(f64::from(value))
    } else {
        Err("plane with a number that is not finite".into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two unit cubes in two models; the second model has the first shader's contents 5.
    fn tiny_map() -> Vec<u8> {
        let mut shaders = [0u8; 144];
        shaders[68] = 1;
        shaders[72 + 68] = 5;
        let mut planes = Vec::new();
        for k in 0..6usize {
            for axis in 0..3 {
                let sign = if k % 2 == 0 { 1.0f32 } else { -1.0 };
                let n = if k / 2 == axis { sign } else { 0.0 };
                planes.extend(n.to_le_bytes());
            }
            planes.extend(0.5f32.to_le_bytes());
        }
        let ints = |list: &[i32]| {
            list.iter()
                .flat_map(|i| i.to_le_bytes())
                .collect::<Vec<u8>>()
        };
        let mut models = Vec::new();
        for first in [0, 1] {
            models.extend([0u8; 24]);
            models.extend(ints(&[0, 0, first, 1]));
        }
        let brushes = ints(&[0, 6, 0, 0, 6, 1]);
        let sides = ints(&[0, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0]);
        let mut file = b"IBSP".to_vec();
        file.extend(ints(&[46]));
        let mut body: Vec<u8> = Vec::new();
        for index in 0..17 {
            let part = match index {
                SHADERS => &shaders[..],
                PLANES => &planes,
                MODELS => &models,
                BRUSHES => &brushes,
                SIDES => &sides,
                _ => &[],
            };
            file.extend(ints(&[144 + body.len() as i32, part.len() as i32]));
            body.extend(part);
        }
        file.extend(body);
        file
    }

    #[test]
    fn reads_contents_and_planes_of_each_model() {
        let models = read_ibsp(&tiny_map()).expect("valid");
        assert_eq!(models.len(), 2);
        assert_eq!(models[0].brushes[0].contents, 1);
        assert_eq!(models[1].brushes[0].contents, 5);
        assert_eq!(models[1].brushes[0].planes[3], ([0.0, -1.0, 0.0], 0.5));
        assert_eq!(models[1].brushes[0].planes.len(), 6);
    }

    #[test]
    fn every_truncation_and_every_bent_byte_is_survived() {
        let good = tiny_map();
        for len in 0..good.len() {
            // The last lumps are empty, so only a cut into the used ones is an error.
            assert!(read_ibsp(&good[..len]).is_err(), "cut at {len}");
        }
        for at in 0..good.len() {
            for value in [0x00, 0x7f, 0x80, 0xff] {
                let mut bent = good.clone();
                bent[at] = value;
                let _ = read_ibsp(&bent);
            }
        }
    }

    #[test]
    fn other_versions_are_refused() {
        let mut bytes = tiny_map();
        bytes[4] = 38;
        assert!(read_ibsp(&bytes).is_err());
        bytes[4] = 47;
        assert!(read_ibsp(&bytes).is_ok());
    }
}
