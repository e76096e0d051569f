//! Reads BSP files of the Quake III family into a [`Map`]: IBSP 46 (Quake III, OpenArena, Nexuiz, Xonotic), 47
//! (Return to Castle Wolfenstein, Enemy Territory, Quake Live) and 48, Raven's RBSP, Qfusion's FBSP, and Ritual's
//! (FAKK 2, Alice, Elite Force II, Medal of Honor). They have the same lumps in different places, with records of
//! different sizes. The layout follows id's, Raven's and OpenMoHAA's `qfiles.h` and Spearmint; contents come from a
//! brush's shader, and brushes and surfaces from the models' ranges. File bevels are read like any side and lose
//! their face later, when exact planes meet.

use super::brushes::{Brushes, Fields};
use super::contents::{MEDAL, QUAKE3, RAVEN, RITUAL, Table};
use super::lumps::{self, File, Lump, Records, f32s, i32s};
use super::{build, quake2};
use crate::contents::Contents;
use crate::error::MapError;
use crate::parts::{Map, MapModel, MapSurface, Patch, Warning, is_in_world};

pub const NAME: &str = "Quake III BSP (IBSP 46 to 48, RBSP, FBSP, FAKK 2's, Alice's, Elite Force II's, Medal of Honor's)";

/// Length of a shader's name, which precedes its flags, in bytes.
const SURFACE_NAME: usize = 64;

/// Surface type of a patch.
const PATCH: i32 = 2;

/// The differences between the formats of the family.
struct Layout {
    /// The first bytes of a file, and the version after them.
    magic: ([u8; 4], i32),
    /// Offset of the directory, in bytes.
    directory: usize,
    entities: Lump,
    shaders: Lump,
    planes: Lump,
    models: Lump,
    brushes: Lump,
    brush_sides: Lump,
    fields: Fields,
    draw_verts: Lump,
    /// Offset of the normal in a vertex, in bytes.
    normal: usize,
    surfaces: Lump,
    /// Offset of a patch's width and height in a surface, in bytes.
    patch_size: usize,
    /// Index of the lump of terrain, which is not read; `None` if the format has no terrain.
    terrain: Option<usize>,
    contents: Table,
}

impl Layout {
    const fn new(magic: &[u8; 4], version: i32) -> Self {
        Self {
            magic: (*magic, version),
            directory: 8,
            entities: Lump::new("entities", "byte", 0, 1),
            shaders: Lump::new("shaders", "shader", 1, 72),
            planes: Lump::new("planes", "plane", 2, 16),
            models: Lump::new("models", "model", 7, 40),
            brushes: Lump::new("brushes", "brush", 8, 12),
            brush_sides: Lump::new("brushsides", "brush side", 9, 8),
            fields: Fields::QUAKE3,
            draw_verts: Lump::new("drawverts", "vertex", 10, 44),
            normal: 28,
            surfaces: Lump::new("surfaces", "surface", 13, 104),
            patch_size: 96,
            terrain: None,
            contents: QUAKE3,
        }
    }

    /// Returns a layout of Raven's: vertices and surfaces have four lightmaps, and sides name the surface that shows
    /// them.
    const fn raven(magic: &[u8; 4], contents: Table) -> Self {
        Self {
            brush_sides: Lump::new("brushsides", "brush side", 9, 12),
            draw_verts: Lump::new("drawverts", "vertex", 10, 80),
            normal: 52,
            surfaces: Lump::new("surfaces", "surface", 13, 148),
            patch_size: 140,
            contents,
            ..Self::new(magic, 1)
        }
    }

    /// Returns a layout of Ritual's: a checksum precedes the directory, and shaders and surfaces state how finely
    /// they are divided.
    const fn ritual(magic: &[u8; 4], version: i32) -> Self {
        Self {
            directory: 12,
            entities: Lump::new("entities", "byte", 14, 1),
            shaders: Lump::new("shaders", "shader", 0, 76),
            planes: Lump::new("planes", "plane", 1, 16),
            models: Lump::new("models", "model", 13, 40),
            brushes: Lump::new("brushes", "brush", 11, 12),
            brush_sides: Lump::new("brushsides", "brush side", 10, 8),
            draw_verts: Lump::new("drawverts", "vertex", 4, 44),
            surfaces: Lump::new("surfaces", "surface", 3, 108),
            contents: RITUAL,
            ..Self::new(magic, version)
        }
    }

    /// Returns a layout of Medal of Honor's: it has masks of fences and, before version 19, a lump of fog after that
    /// of brushes, so that `more` is 1.
    const fn medal(magic: &[u8; 4], version: i32, more: usize) -> Self {
        Self {
            entities: Lump::new("entities", "byte", 14 + more, 1),
            shaders: Lump::new("shaders", "shader", 0, 140),
            models: Lump::new("models", "model", 13 + more, 40),
            brushes: Lump::new("brushes", "brush", 12, 12),
            brush_sides: Lump::new("brushsides", "brush side", 11, 12),
            terrain: Some(22 + more),
            contents: MEDAL,
            ..Self::ritual(magic, version)
        }
    }

    /// Elite Force II's: more data for lighting, and the numbers of brushes and sides in reverse order.
    const ELITE: Self = Self {
        entities: Lump::new("entities", "byte", 16, 1),
        models: Lump::new("models", "model", 15, 40),
        brushes: Lump::new("brushes", "brush", 13, 12),
        brush_sides: Lump::new("brushsides", "brush side", 12, 8),
        fields: Fields {
            first_side: 4,
            n_sides: 0,
            plane: 4,
            surface: 0,
            ..Fields::QUAKE3
        },
        draw_verts: Lump::new("drawverts", "vertex", 6, 48),
        normal: 20,
        surfaces: Lump::new("surfaces", "surface", 5, 132),
        ..Self::ritual(b"EF2!", 20)
    };

    /// Whether all lumps of a file are whole numbers of records.
    fn fits(&self, bytes: &[u8]) -> bool {
        let file = File::new(bytes, self.directory);
        let own = [self.brush_sides, self.draw_verts, self.surfaces];
        file.has(&[self.shaders, self.planes, self.models, self.brushes]) && file.has(&own)
    }
}

/// The formats of the family.
const LAYOUTS: [Layout; 12] = [
    Layout::new(b"IBSP", 46),
    Layout::new(b"IBSP", 47),
    Layout {
        // Sides have flags of their own.
        brush_sides: Lump::new("brushsides", "brush side", 9, 12),
        ..Layout::new(b"IBSP", 48)
    },
    Layout::raven(b"RBSP", RAVEN),
    Layout::raven(b"FBSP", QUAKE3),
    Layout::ritual(b"FAKK", 12),
    Layout::ritual(b"FAKK", 42),
    Layout::ELITE,
    Layout::medal(b"2015", 17, 1),
    Layout::medal(b"2015", 18, 1),
    Layout::medal(b"2015", 19, 0),
    Layout::medal(b"EALA", 21, 0),
];

/// Reads a map of Quake III, or of a game that kept its format. Soldier of Fortune's maps begin with the same bytes.
pub fn read(bytes: &[u8]) -> Option<Result<Map, MapError>> {
    let magic = build::magic(bytes)?;
    let layout = LAYOUTS.iter().find(|layout| layout.magic == magic)?;
    let is_other = !layout.fits(bytes) && quake2::may_be_soldier_of_fortune(bytes);
    (!is_other).then(|| parse(bytes, layout))
}

/// Parses a file. An error means damage; its message names the lump and the record.
fn parse(bytes: &[u8], layout: &'static Layout) -> Result<Map, MapError> {
    let file = File::new(bytes, layout.directory);
    let entities = file.lump(layout.entities)?;
    let lumps = Lumps {
        layout,
        brushes: Brushes {
            fields: layout.fields,
            surfaces: file.records(layout.shaders)?,
            planes: file.records(layout.planes)?,
            brushes: file.records(layout.brushes)?,
            sides: file.records(layout.brush_sides)?,
        },
        models: file.records(layout.models)?.not_empty()?,
        draw_verts: file.records(layout.draw_verts)?,
        surfaces: file.records(layout.surfaces)?,
    };
    lumps.check_sharing()?;
    let (magic, version) = layout.magic;
    let shaders = lumps.brushes.surfaces.iter();
    let mut map = Map {
        format: format!("{} {version}", magic.escape_ascii()),
        surfaces: shaders.map(|record| lumps.surface(record)).collect(),
        ..Map::default()
    };
    for (number, record) in lumps.models.iter().enumerate() {
        let model = lumps.model(number, record, &mut map.warnings)?;
        map.models.push(model);
    }
    let terrain = layout.terrain.map(|index| file.extent(index));
    if let Some(Ok([_, (1..)])) = terrain {
        let message = "it is neither brushes nor patches and not read, so agents fall through it";
        map.warnings.push(Warning::new("terrain", message));
    }
    build::finish(&mut map, entities, "quake3");
    Ok(map)
}

/// The records of the lumps that collision needs.
struct Lumps<'a> {
    layout: &'static Layout,
    /// Brushes, whose surfaces are shaders.
    brushes: Brushes<'a>,
    models: Records<'a>,
    draw_verts: Records<'a>,
    /// The surfaces that are drawn, patches among them.
    surfaces: Records<'a>,
}

impl Lumps<'_> {
    fn check_sharing(&self) -> Result<(), MapError> {
        let sum = |records: &Records<'_>, at| -> i64 {
            let counts = records.iter().map(|record| i32s::<1>(record, at)[0]);
            // A count below 0 is refused where it is read, and must not make up for others before.
            counts.map(|count| i64::from(count.max(0))).sum()
        };
        self.surfaces.check_sharing(sum(&self.models, 28))?;
        self.brushes.brushes.check_sharing(sum(&self.models, 36))?;
        self.brushes.check_sharing()?;
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
        for (number, brush) in self.brushes.brushes.range(first_brush, n_brushes, place)? {
            let [shader] = i32s(brush, 8);
            let contents = self.contents(shader.into(), || format!("brush {number}"))?;
            model
                .brushes
                .extend(self.brushes.read(number, brush, contents)?);
        }
        for (number, surface) in self.surfaces.range(first_surface, n_surfaces, place)? {
            model.patches.extend(self.patch(number, surface, warnings)?);
        }
        Ok(model)
    }

    fn surface(&self, record: &[u8]) -> MapSurface {
        let [flags, contents] = i32s(record, SURFACE_NAME);
        MapSurface {
            name: lumps::name(&record[..SURFACE_NAME]),
            flags: flags as u32,
            contents: self.layout.contents.translate(contents as u32),
        }
    }

    fn contents(&self, shader: i64, place: impl Fn() -> String) -> Result<Contents, MapError> {
        let [contents] = i32s(self.brushes.surfaces.get(shader, place)?, SURFACE_NAME + 4);
        Ok(self.layout.contents.translate(contents as u32))
    }

    /// Reads a patch, or returns `None` if the surface is not a patch, has empty contents, or has no area.
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
        let [width, height]: [i32; 2] = i32s(record, self.layout.patch_size);
        if width < 0 || height < 0 {
            let problem = format!("its grid has {width} by {height} control points");
            return Err(MapError::bad_number(place(), problem));
        }
        // Even a grid that is left out must have its points.
        let n_points = (i64::from(width) * i64::from(height)).min(i32::MAX.into());
        let verts = self.draw_verts.range(first_vert.into(), n_points, place)?;
        let [width, height] = [width, height].map(|side| side as usize);
        if let Some(problem) = Patch::grid_problem(width, height) {
            warnings.push(Warning::new(place(), problem));
            return Ok(None);
        }
        if n_points > n_verts.into() {
            let problem = format!("its grid needs {n_points} control points, but it has {n_verts}");
            return Err(MapError::bad_number(place(), problem));
        }
        let field = |at| verts.clone().map(|(_, vert)| f32s(vert, at)).collect();
        let patch = Patch {
            number,
            contents,
            surface: shader as u32,
            width,
            height,
            points: field(0),
            normals: field(self.layout.normal),
        };
        let mut points = patch.points.iter().enumerate();
        if let Some((at, point)) = points.find(|(_, point)| !is_in_world(point)) {
            let problem = format!("control point {at} is {point:?}, which is outside the world");
            return Err(MapError::bad_number(place(), problem));
        }
        Ok((contents != 0).then_some(patch))
    }
}
