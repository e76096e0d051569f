//! Reads Quake III BSP files (IBSP 46 and 47) into a [`Map`]. The layout follows id's `qfiles.h`; contents come
//! from a brush's shader, brushes and surfaces from the models' ranges. File bevels are read like any side and
//! lose their face later, when exact planes meet.

use crate::contents::Contents;
use crate::error::MapError;
use crate::map::entities;
use crate::map::format::{Format, ReadOptions};
use crate::map::parts::{Halfspace, Map, MapBrush, MapModel, MapSide, Patch, Surface, Warning};

/// Quake III's maps, and those of games that kept its format.
pub const FORMAT: Format = Format {
    name: "Quake III BSP (\"IBSP\", version 46 or 47)",
    recognizes: |bytes| bytes.starts_with(b"IBSP"),
    parse,
};

const VERSIONS: [i32; 2] = [46, 47];

/// Bytes of a shader's name, before its flags.
const SURFACE_NAME: usize = 64;

/// Surface type of a patch.
const PATCH: i32 = 2;

/// Largest deviation of a stored normal's squared length from 1.
const NORMAL_LENGTH_ERROR: f32 = onion_format::NORMAL_LENGTH_ERROR as f32;

/// The lumps that collision needs: name, place in the directory, bytes of a record.
#[derive(Clone, Copy)]
struct Lump(&'static str, usize, usize);

const ENTITIES: Lump = Lump("entities", 0, 1);
const SHADERS: Lump = Lump("shaders", 1, 72);
const PLANES: Lump = Lump("planes", 2, 16);
const MODELS: Lump = Lump("models", 7, 40);
const BRUSHES: Lump = Lump("brushes", 8, 12);
const BRUSH_SIDES: Lump = Lump("brushsides", 9, 8);
const DRAW_VERTS: Lump = Lump("drawverts", 10, 44);
const SURFACES: Lump = Lump("surfaces", 13, 104);

/// Reads an IBSP file. Errors are another version and damage; the message names the lump and the record.
fn parse(bytes: &[u8], _: &ReadOptions) -> Result<Map, MapError> {
    let version = i32_at(bytes, 4).ok_or(MapError::LumpOutside {
        lump: "directory",
        start: 0,
        end: 144,
        length: bytes.len(),
    })?;
    if !VERSIONS.contains(&version) {
        return Err(MapError::UnknownVersion(version));
    }
    let file = File {
        shaders: records(bytes, SHADERS)?,
        planes: records(bytes, PLANES)?,
        models: records(bytes, MODELS)?,
        brushes: records(bytes, BRUSHES)?,
        brush_sides: records(bytes, BRUSH_SIDES)?,
        draw_verts: records(bytes, DRAW_VERTS)?,
        surfaces: records(bytes, SURFACES)?,
    };
    if file.models.is_empty() {
        return Err(MapError::LumpEmpty(MODELS.0));
    }
    file.check_sharing()?;
    let mut map = Map {
        format: format!("IBSP {version}"),
        surfaces: file.shaders.iter().map(surface).collect(),
        ..Map::default()
    };
    let entities = entities::parse(lump(bytes, ENTITIES)?, &mut map.warnings);
    for number in 0..file.models.len() {
        let model = file.model(number, &mut map.warnings)?;
        map.models.push(model);
    }
    entities::place_models(&mut map, &entities);
    map.points = entities::points(&entities, &mut map.warnings);
    map.entities = entities;
    if map.models[0].brushes.is_empty() && map.models[0].patches.is_empty() {
        let message = "it has neither brushes nor patches, so nothing in it is solid";
        map.warnings.push(Warning::new("model 0", message));
    }
    Ok(map)
}

/// The records of the lumps.
struct File<'a> {
    shaders: &'a [[u8; SHADERS.2]],
    planes: &'a [[u8; PLANES.2]],
    models: &'a [[u8; MODELS.2]],
    brushes: &'a [[u8; BRUSHES.2]],
    brush_sides: &'a [[u8; BRUSH_SIDES.2]],
    draw_verts: &'a [[u8; DRAW_VERTS.2]],
    surfaces: &'a [[u8; SURFACES.2]],
}

/// How often the records of a lump may be referred to, all in all, for each record it has. Compilers
/// refer to each once; without a bound a small file could ask for any amount of memory.
const MAX_SHARING: i64 = 4;

impl File<'_> {
    /// Checks that models, brushes and patches do not share so many records that reading them
    /// would take far more memory than the file.
    fn check_sharing(&self) -> Result<(), MapError> {
        let sum = |counts: &mut dyn Iterator<Item = i32>| counts.map(i64::from).sum::<i64>();
        let models = || self.models.iter().map(|record| ints::<4>(record, 24));
        let surfaces = self.surfaces.iter().map(|record| ints::<5>(record, 0)[4]);
        let sums = [
            (
                SURFACES,
                sum(&mut models().map(|[_, count, ..]| count)),
                self.surfaces.len(),
            ),
            (
                BRUSHES,
                sum(&mut models().map(|[.., count]| count)),
                self.brushes.len(),
            ),
            (
                BRUSH_SIDES,
                sum(&mut self.brushes.iter().map(|record| ints::<2>(record, 0)[1])),
                self.brush_sides.len(),
            ),
            (
                DRAW_VERTS,
                sum(&mut surfaces.into_iter()),
                self.draw_verts.len(),
            ),
        ];
        for (lump, referred, count) in sums {
            if referred > MAX_SHARING * (count as i64 + 64) {
                let what = format!("its {count} records are referred to {referred} times");
                return Err(bad_number(format!("lump {}", lump.0), what));
            }
        }
        Ok(())
    }

    fn model(&self, number: usize, warnings: &mut Vec<Warning>) -> Result<MapModel, MapError> {
        let place = || format!("model {number}");
        let record = &self.models[number];
        let [first_surface, n_surfaces, first_brush, n_brushes] = ints(record, 24);
        let mut model = MapModel::default();
        let brushes = range(self.brushes, first_brush, n_brushes, place, "brush")?;
        for (number, brush) in (first_brush as usize..).zip(brushes) {
            model.brushes.extend(self.brush(number, brush)?);
        }
        let surfaces = range(self.surfaces, first_surface, n_surfaces, place, "surface")?;
        for (number, surface) in (first_surface as usize..).zip(surfaces) {
            model.patches.extend(self.patch(number, surface, warnings)?);
        }
        Ok(model)
    }

    /// A brush; none if its contents are empty.
    fn brush(&self, number: usize, record: &[u8]) -> Result<Option<MapBrush>, MapError> {
        let place = || format!("brush {number}");
        let [first_side, n_sides, shader] = ints(record, 0);
        let contents = self.contents(shader, place)?;
        let sides = range(self.brush_sides, first_side, n_sides, place, "brush side")?;
        let sides = (first_side as usize..)
            .zip(sides)
            .map(|(side, record)| {
                let place = || format!("side {side} of brush {number}");
                let [plane, shader] = ints(record, 0);
                entry(self.shaders, shader, place, "shader")?;
                let record = entry(self.planes, plane, place, "plane")?;
                side_of(record, plane, shader as u32)
            })
            .collect::<Result<_, _>>()?;
        Ok((contents != 0).then_some(MapBrush {
            number,
            contents,
            sides,
        }))
    }

    fn contents(&self, shader: i32, place: impl Fn() -> String) -> Result<Contents, MapError> {
        let record = entry(self.shaders, shader, place, "shader")?;
        let [contents] = ints(record, 68);
        Ok(contents as Contents)
    }

    /// A patch; none if the surface is no patch, is not made of anything, or has no area.
    fn patch(
        &self,
        number: usize,
        record: &[u8],
        warnings: &mut Vec<Warning>,
    ) -> Result<Option<Patch>, MapError> {
        let place = || format!("patch surface {number}");
        let [shader, _fog, kind, first_vert, n_verts] = ints(record, 0);
        if !(0..=4).contains(&kind) {
            let message = format!("unknown surface type {kind}; ignored");
            warnings.push(Warning::new(format!("surface {number}"), message));
        }
        if kind != PATCH {
            return Ok(None);
        }
        let contents = self.contents(shader, place)?;
        let size: [i32; 2] = ints(record, 96);
        if size.iter().any(|&side| side < 0) {
            let what = format!("its grid has {} by {} control points", size[0], size[1]);
            return Err(bad_number(place(), what));
        }
        let n_points = i32::try_from(i64::from(size[0]) * i64::from(size[1])).unwrap_or(i32::MAX);
        let verts = range(self.draw_verts, first_vert, n_points, place, "vertex")?;
        if size.iter().any(|side| side % 2 == 0 || *side < 3) {
            let message = format!(
                "its grid has {} by {} control points, but both numbers must be odd and at least 3; left out",
                size[0], size[1]
            );
            warnings.push(Warning::new(place(), message));
            return Ok(None);
        }
        if n_points > n_verts {
            let what = format!("its grid needs {n_points} control points, but it has {n_verts}");
            return Err(bad_number(place(), what));
        }
        let points: Vec<[f32; 3]> = verts.iter().map(|vert| floats(vert, 0)).collect();
        let limit = onion_format::WORLD_LIMIT as f32;
        let outside = |point: &[f32; 3]| !point.iter().all(|component| component.abs() <= limit);
        if let Some(at) = points.iter().position(outside) {
            let what = format!(
                "control point {at} is {:?}, which is outside the world",
                points[at]
            );
            return Err(bad_number(place(), what));
        }
        Ok((contents != 0).then(|| Patch {
            number,
            contents,
            surface: shader as u32,
            width: size[0] as usize,
            height: size[1] as usize,
            points,
            normals: verts.iter().map(|vert| floats(vert, 28)).collect(),
        }))
    }
}

fn surface(record: &[u8; SHADERS.2]) -> Surface {
    let [flags, contents]: [i32; 2] = ints(record, SURFACE_NAME);
    let name = record[..SURFACE_NAME].split(|&byte| byte == 0).next();
    Surface {
        name: name.unwrap_or_default().to_vec(),
        flags: flags as u32,
        contents: contents as Contents,
    }
}

fn side_of(record: &[u8], plane: i32, surface: u32) -> Result<MapSide, MapError> {
    let normal: [f32; 3] = floats(record, 0);
    let [dist] = floats(record, 12);
    let length_squared: f32 = normal.iter().map(|component| component * component).sum();
    // Written so that NaN fails.
    if (length_squared - 1.0).abs() <= 2.0 * NORMAL_LENGTH_ERROR && dist.is_finite() {
        return Ok(MapSide {
            halfspace: Halfspace::stored(normal, dist),
            surface,
        });
    }
    let what = format!("normal {normal:?} and distance {dist} are not a plane with a unit normal");
    Err(bad_number(format!("plane {plane}"), what))
}

fn bad_number(place: String, what: String) -> MapError {
    MapError::BadNumber { place, what }
}

/// The bytes of a lump.
fn lump(bytes: &[u8], Lump(name, index, _): Lump) -> Result<&[u8], MapError> {
    let entry = |at| i64::from(i32_at(bytes, 8 + 8 * index + at).unwrap_or(-1));
    let (start, length) = (entry(0), entry(4));
    if length == 0 {
        return Ok(&[]);
    }
    let range = usize::try_from(start)
        .ok()
        .zip(usize::try_from(length).ok());
    range
        .and_then(|(start, length)| bytes.get(start..)?.get(..length))
        .ok_or(MapError::LumpOutside {
            lump: name,
            start,
            end: start + length,
            length: bytes.len(),
        })
}

/// The records of a lump.
fn records<const SIZE: usize>(bytes: &[u8], which: Lump) -> Result<&[[u8; SIZE]], MapError> {
    let lump = lump(bytes, which)?;
    match lump.as_chunks() {
        (records, []) => Ok(records),
        _ => Err(MapError::LumpSize {
            lump: which.0,
            length: lump.len(),
            record: SIZE,
        }),
    }
}

/// One record of a lump.
fn entry<'a, const SIZE: usize>(
    records: &'a [[u8; SIZE]],
    index: i32,
    place: impl Fn() -> String,
    what: &'static str,
) -> Result<&'a [u8; SIZE], MapError> {
    let found = usize::try_from(index)
        .ok()
        .and_then(|index| records.get(index));
    found.ok_or_else(|| MapError::BadIndex {
        place: place(),
        what,
        index: i64::from(index),
        count: records.len(),
    })
}

/// A range of a lump's records.
fn range<'a, const SIZE: usize>(
    records: &'a [[u8; SIZE]],
    first: i32,
    count: i32,
    place: impl Fn() -> String,
    what: &'static str,
) -> Result<&'a [[u8; SIZE]], MapError> {
    if count == 0 {
        return Ok(&[]);
    }
    let end = i64::from(first) + i64::from(count);
    let range = usize::try_from(first).ok().zip(usize::try_from(end).ok());
    let found = range.and_then(|(first, end)| records.get(first..end));
    found.ok_or_else(|| MapError::BadIndex {
        place: place(),
        what,
        index: if first < 0 { i64::from(first) } else { end - 1 },
        count: records.len(),
    })
}

fn i32_at(bytes: &[u8], at: usize) -> Option<i32> {
    Some(i32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// Integers of a record, which is long enough by its type.
fn ints<const N: usize>(record: &[u8], at: usize) -> [i32; N] {
    std::array::from_fn(|i| i32_at(record, at + 4 * i).unwrap_or(0))
}

/// Floats of a record, which is long enough by its type.
fn floats<const N: usize>(record: &[u8], at: usize) -> [f32; N] {
    ints(record, at).map(|bits| f32::from_bits(bits as u32))
}
