//! Reads BSP files of the Quake III family into a [`Map`]: IBSP 46 (Quake III, OpenArena, Nexuiz, Xonotic), 47
//! (Return to Castle Wolfenstein, Enemy Territory, Quake Live) and 48, Raven's RBSP and Qfusion's FBSP. They have
//! the same lumps, of records that differ in size. The layout follows id's and Raven's `qfiles.h`; contents come
//! from a brush's shader, brushes and surfaces from the models' ranges. File bevels are read like any side and
//! lose their face later, when exact planes meet.

use super::build;
use super::contents::{RAVEN, translate};
use super::lumps::{self, File, Lump, Records, f32s, i32s};
use crate::contents::Contents;
use crate::error::MapError;
use crate::map::format::Format;
use crate::map::parts::{Map, MapBrush, MapModel, MapSide, Patch, Surface, Warning};

/// Quake III's maps, and those of games that kept its format.
pub const FORMAT: Format = Format {
    name: "Quake III BSP (IBSP 46 to 48, RBSP, FBSP)",
    recognizes: |bytes| layout(bytes).is_some(),
    parse: |bytes, _, _| match layout(bytes) {
        Some(layout) => parse(bytes, layout),
        None => unreachable!("only files that are recognized are read"),
    },
};

/// Offset of the directory, in bytes.
const DIRECTORY: usize = 8;

const ENTITIES: Lump = Lump::new("entities", "byte", 0, 1);
const SHADERS: Lump = Lump::new("shaders", "shader", 1, 72);
const PLANES: Lump = Lump::new("planes", "plane", 2, 16);
const MODELS: Lump = Lump::new("models", "model", 7, 40);
const BRUSHES: Lump = Lump::new("brushes", "brush", 8, 12);

/// Bytes of a shader's name, before its flags.
const SURFACE_NAME: usize = 64;

/// Surface type of a patch.
const PATCH: i32 = 2;

/// What formats of the family differ in.
struct Layout {
    /// The letters and version a file begins with.
    magic: ([u8; 4], i32),
    brush_sides: Lump,
    draw_verts: Lump,
    /// Offset of the normal in a vertex, in bytes.
    normal: usize,
    surfaces: Lump,
    /// Offset of a patch's width and height in a surface, in bytes.
    patch_size: usize,
    /// What the game's contents are in ours.
    contents: fn(u32) -> Contents,
}

impl Layout {
    const fn new(magic: &[u8; 4], version: i32) -> Self {
        Self {
            magic: (*magic, version),
            brush_sides: Lump::new("brushsides", "brush side", 9, 8),
            draw_verts: Lump::new("drawverts", "vertex", 10, 44),
            normal: 28,
            surfaces: Lump::new("surfaces", "surface", 13, 104),
            patch_size: 96,
            contents: |bits| bits,
        }
    }

    /// Raven's: vertices and surfaces have four lightmaps, sides name the surface that shows them.
    const fn raven(magic: &[u8; 4], contents: fn(u32) -> Contents) -> Self {
        let ours = Self::new(magic, 1);
        Self {
            brush_sides: Lump {
                size: 12,
                ..ours.brush_sides
            },
            draw_verts: Lump {
                size: 80,
                ..ours.draw_verts
            },
            normal: 52,
            surfaces: Lump {
                size: 148,
                ..ours.surfaces
            },
            patch_size: 140,
            contents,
            ..ours
        }
    }
}

/// The formats of the family.
const LAYOUTS: [Layout; 5] = [
    Layout::new(b"IBSP", 46),
    Layout::new(b"IBSP", 47),
    Layout {
        // Sides have flags of their own.
        brush_sides: Lump::new("brushsides", "brush side", 9, 12),
        ..Layout::new(b"IBSP", 48)
    },
    Layout::raven(b"RBSP", |bits| translate(bits, RAVEN)),
    Layout::raven(b"FBSP", |bits| bits),
];

/// The layout of a file by its first bytes.
fn layout(bytes: &[u8]) -> Option<&'static Layout> {
    let magic = build::magic(bytes)?;
    LAYOUTS.iter().find(|layout| layout.magic == magic)
}

/// Errors are damage; the message names the lump and the record.
fn parse(bytes: &[u8], layout: &'static Layout) -> Result<Map, MapError> {
    let file = File {
        bytes,
        directory: DIRECTORY,
    };
    let entities = file.lump(ENTITIES)?;
    let lumps = Lumps {
        layout,
        shaders: file.records(SHADERS)?,
        planes: file.records(PLANES)?,
        models: file.records(MODELS)?.not_empty()?,
        brushes: file.records(BRUSHES)?,
        brush_sides: file.records(layout.brush_sides)?,
        draw_verts: file.records(layout.draw_verts)?,
        surfaces: file.records(layout.surfaces)?,
    };
    lumps.check_sharing()?;
    let (magic, version) = layout.magic;
    let mut map = Map {
        format: format!("{} {version}", magic.escape_ascii()),
        surfaces: lumps
            .shaders
            .iter()
            .map(|record| lumps.surface(record))
            .collect(),
        ..Map::default()
    };
    for (number, record) in lumps.models.iter().enumerate() {
        let model = lumps.model(number, record, &mut map.warnings)?;
        map.models.push(model);
    }
    build::finish(&mut map, entities);
    Ok(map)
}

/// The records of the lumps that collision needs.
struct Lumps<'a> {
    layout: &'static Layout,
    shaders: Records<'a>,
    planes: Records<'a>,
    models: Records<'a>,
    brushes: Records<'a>,
    brush_sides: Records<'a>,
    draw_verts: Records<'a>,
    surfaces: Records<'a>,
}

impl Lumps<'_> {
    fn check_sharing(&self) -> Result<(), MapError> {
        let sum = |records: &Records<'_>, at| -> i64 {
            let counts = records.iter().map(|record| i32s::<1>(record, at)[0]);
            counts.map(i64::from).sum()
        };
        self.surfaces.check_sharing(sum(&self.models, 28))?;
        self.brushes.check_sharing(sum(&self.models, 36))?;
        self.brush_sides.check_sharing(sum(&self.brushes, 4))?;
        self.draw_verts.check_sharing(sum(&self.surfaces, 16))
    }

    fn model(
        &self,
        number: usize,
        record: &[u8],
        warnings: &mut Vec<Warning>,
    ) -> Result<MapModel, MapError> {
        let place = || format!("model {number}");
        let [first_surface, n_surfaces, first_brush, n_brushes] = i32s(record, 24).map(i64::from);
        let mut model = MapModel::default();
        for (number, brush) in self.brushes.range(first_brush, n_brushes, place)? {
            model.brushes.extend(self.brush(number, brush)?);
        }
        for (number, surface) in self.surfaces.range(first_surface, n_surfaces, place)? {
            model.patches.extend(self.patch(number, surface, warnings)?);
        }
        Ok(model)
    }

    /// A brush; none if its contents are empty.
    fn brush(&self, number: usize, record: &[u8]) -> Result<Option<MapBrush>, MapError> {
        let place = || format!("brush {number}");
        let [first_side, n_sides, shader] = i32s(record, 0).map(i64::from);
        let contents = self.contents(shader, place)?;
        let sides = self.brush_sides.range(first_side, n_sides, place)?;
        let sides = sides.map(|(side, record)| self.side(number, side, record));
        let sides = sides.collect::<Result<_, _>>()?;
        Ok((contents != 0).then_some(MapBrush {
            number,
            contents,
            sides,
        }))
    }

    fn side(&self, brush: usize, side: usize, record: &[u8]) -> Result<MapSide, MapError> {
        let place = || format!("side {side} of brush {brush}");
        let [plane, shader] = i32s(record, 0).map(i64::from);
        self.shaders.get(shader, place)?;
        build::side(self.planes.get(plane, place)?, plane, shader as u32)
    }

    fn surface(&self, record: &[u8]) -> Surface {
        let [flags, contents] = i32s(record, SURFACE_NAME);
        Surface {
            name: lumps::name(&record[..SURFACE_NAME]),
            flags: flags as u32,
            contents: (self.layout.contents)(contents as u32),
        }
    }

    fn contents(&self, shader: i64, place: impl Fn() -> String) -> Result<Contents, MapError> {
        let [contents] = i32s(self.shaders.get(shader, place)?, SURFACE_NAME + 4);
        Ok((self.layout.contents)(contents as u32))
    }

    /// A patch; none if the surface is no patch, is not made of anything, or has no area.
    fn patch(
        &self,
        number: usize,
        record: &[u8],
        warnings: &mut Vec<Warning>,
    ) -> Result<Option<Patch>, MapError> {
        let place = || format!("patch surface {number}");
        let [shader, _fog, kind, first_vert, n_verts] = i32s(record, 0);
        if !(0..=4).contains(&kind) {
            let message = format!("unknown surface type {kind}; ignored");
            warnings.push(Warning::new(format!("surface {number}"), message));
        }
        if kind != PATCH {
            return Ok(None);
        }
        let contents = self.contents(i64::from(shader), place)?;
        let Some((width, height)) = self.grid(number, record, warnings)? else {
            return Ok(None);
        };
        let n_points = (width * height) as i64;
        if n_points > i64::from(n_verts) {
            let what = format!("its grid needs {n_points} control points, but it has {n_verts}");
            return Err(bad(place(), what));
        }
        let first_vert = i64::from(first_vert);
        let verts = self.draw_verts.range(first_vert, n_points, place)?;
        let [points, normals]: [Vec<[f32; 3]>; 2] = [0, self.layout.normal]
            .map(|at| verts.clone().map(|(_, vert)| f32s(vert, at)).collect());
        if let Some(at) = points.iter().position(is_outside) {
            let point = points[at];
            let what = format!("control point {at} is {point:?}, which is outside the world");
            return Err(bad(place(), what));
        }
        Ok((contents != 0).then_some(Patch {
            number,
            contents,
            surface: shader as u32,
            width,
            height,
            points,
            normals,
        }))
    }

    /// Control points in a row of a patch, and rows; none if it has no area.
    fn grid(
        &self,
        number: usize,
        record: &[u8],
        warnings: &mut Vec<Warning>,
    ) -> Result<Option<(usize, usize)>, MapError> {
        let place = || format!("patch surface {number}");
        let [width, height]: [i32; 2] = i32s(record, self.layout.patch_size);
        let grid = format!("{width} by {height} control points");
        if width < 0 || height < 0 {
            return Err(bad(place(), format!("its grid has {grid}")));
        }
        // Even a grid that is left out must have its points.
        let [first] = i32s(record, 12).map(i64::from);
        let n_points = i64::from(width) * i64::from(height);
        let n_points = n_points.min(i32::MAX.into());
        let _ = self.draw_verts.range(first, n_points, place)?;
        let has_area = |side: i32| side % 2 == 1 && side >= 3;
        if has_area(width) && has_area(height) {
            return Ok(Some((width as usize, height as usize)));
        }
        let message =
            format!("its grid has {grid}, but both numbers must be odd and at least 3; left out");
        warnings.push(Warning::new(place(), message));
        Ok(None)
    }
}

fn bad(place: String, what: String) -> MapError {
    MapError::BadNumber { place, what }
}

/// Whether a point is outside of the world, or not a number.
fn is_outside(point: &[f32; 3]) -> bool {
    let limit = onion_format::WORLD_LIMIT as f32;
    !point.iter().all(|component| component.abs() <= limit)
}
