//! Reads BSP files of the Quake II family into a [`Map`]: IBSP 38 (Quake II, Kingpin), Qbism's QBSP 38, SiN's
//! (IBSP 41 or RBSP 1), Daikatana's IBSP 41 and UFO: Alien Invasion's IBSP 78. The layout follows id's `qfiles.h`
//! and its descendants; `source` has a layout of its own. The world of UFO: Alien Invasion is the first 259 models,
//! one for each set of levels and each kind of clip.

use super::below::{Lists, Walk};
use super::brushes::{Brushes, Fields};
use super::build;
use super::contents::{DAIKATANA, QUAKE2, SIN, UFO, translate};
use super::lumps::{self, File, Lump, Records, i32s};
use crate::contents::Contents;
use crate::error::MapError;
use crate::format::Format;
use crate::parts::{Map, MapModel, MapSurface};

/// Maps of Quake II and of games that kept its format.
pub const FORMAT: Format = Format {
    name: "Quake II BSP (IBSP 38, QBSP 38, SiN's, Daikatana's, UFO: Alien Invasion's IBSP 78)",
    recognizes: |bytes| layout(bytes).is_some(),
    parse: |bytes, _, _| match layout(bytes) {
        Some(layout) => parse(bytes, layout),
        None => unreachable!("only files that are recognized are read"),
    },
};

/// Offset of the directory, in bytes.
const DIRECTORY: usize = 8;

/// Number of entries in the directory of Soldier of Fortune.
const FORTUNE_LUMPS: usize = 22;

/// The differences between the formats of the family.
pub(super) struct Layout {
    /// The letters and version with which a file begins.
    pub magic: ([u8; 4], i32),
    /// Name of the format in reports; `None` if its letters and version are the name.
    pub name: Option<&'static str>,
    pub entities: Lump,
    pub planes: Lump,
    pub nodes: Lump,
    pub texinfos: Lump,
    /// Offset of the flags in a texinfo, then offset and length of the name, which may be elsewhere.
    pub flags: usize,
    pub surface_name: (usize, usize),
    pub leaves: Lump,
    /// Offset of the range of brushes in a leaf, in bytes.
    pub leaf_range: usize,
    pub leaf_brushes: Lump,
    pub models: Lump,
    pub brushes: Lump,
    pub brush_sides: Lump,
    pub fields: Fields,
    /// Number of models that make up the world.
    pub n_world: usize,
    /// Whether files of other formats begin with the same bytes, so that only their lumps distinguish them.
    pub is_shared: bool,
    /// Translates the game's contents into ours.
    pub contents: fn(u32) -> Contents,
    /// The game whose entities the map has.
    pub game: &'static str,
}

/// Quake II's.
pub(super) const IBSP_38: Layout = Layout {
    magic: (*b"IBSP", 38),
    name: None,
    entities: Lump::new("entities", "byte", 0, 1),
    planes: Lump::new("planes", "plane", 1, 20),
    nodes: Lump::new("nodes", "node", 4, 28),
    texinfos: Lump::new("texinfo", "texinfo", 5, 76),
    flags: 32,
    surface_name: (40, 32),
    leaves: Lump::new("leafs", "leaf", 8, 28),
    leaf_range: 24,
    leaf_brushes: Lump::new("leafbrushes", "brush of a leaf", 10, 2),
    models: Lump::new("models", "model", 13, 48),
    brushes: Lump::new("brushes", "brush", 14, 12),
    brush_sides: Lump::new("brushsides", "brush side", 15, 4),
    fields: Fields::QUAKE2,
    n_world: 1,
    is_shared: false,
    contents: |bits| translate(bits, QUAKE2),
    game: "quake2",
};

const SIN_RBSP: Layout = Layout {
    magic: (*b"RBSP", 1),
    texinfos: Lump::new("texinfo", "texinfo", 5, 180),
    surface_name: (36, 64),
    brush_sides: Lump::new("brushsides", "brush side", 15, 8),
    is_shared: true,
    contents: |bits| translate(bits, QUAKE2) | translate(bits, SIN),
    ..IBSP_38
};

/// The formats of the family, in the order in which they are tried.
const LAYOUTS: [Layout; 6] = [
    IBSP_38,
    Layout {
        magic: (*b"QBSP", 38),
        nodes: Lump::new("nodes", "node", 4, 44),
        leaves: Lump::new("leafs", "leaf", 8, 52),
        leaf_range: 44,
        leaf_brushes: Lump::new("leafbrushes", "brush of a leaf", 10, 4),
        brush_sides: Lump::new("brushsides", "brush side", 15, 8),
        fields: Fields {
            surface: 4,
            is_wide: true,
            ..Fields::QUAKE2
        },
        ..IBSP_38
    },
    SIN_RBSP,
    Layout {
        magic: (*b"IBSP", 41),
        ..SIN_RBSP
    },
    Layout {
        magic: (*b"IBSP", 41),
        name: Some("Daikatana's IBSP 41"),
        leaves: Lump::new("leafs", "leaf", 8, 32),
        is_shared: true,
        contents: |bits| translate(bits, DAIKATANA),
        ..IBSP_38
    },
    Layout {
        magic: (*b"IBSP", 78),
        texinfos: Lump::new("texinfo", "texinfo", 5, 72),
        leaves: Lump::new("leafs", "leaf", 9, 24),
        leaf_range: 18,
        n_world: 259,
        contents: |bits| translate(bits, UFO),
        ..IBSP_38
    },
];

impl Layout {
    /// Returns whether all lumps of a file are whole numbers of records, and its brushes have their sides.
    pub fn fits(&self, file: File<'_>) -> bool {
        self.read(file).is_ok_and(|lumps| lumps.brushes.are_whole())
    }

    /// Returns the lumps of a file.
    fn read<'a>(&'a self, file: File<'a>) -> Result<Lumps<'a>, MapError> {
        let brushes = Brushes {
            fields: self.fields,
            planes: file.records(self.planes)?,
            surfaces: file.records(self.texinfos)?,
            brushes: file.records(self.brushes)?,
            sides: file.records(self.brush_sides)?,
        };
        Ok(Lumps {
            layout: self,
            entities: file.lump(self.entities)?,
            models: file.records(self.models)?,
            lists: Lists {
                nodes: file.records(self.nodes)?,
                leaves: file.records(self.leaves)?,
                leaf_range: self.leaf_range,
                leaf_brushes: file.records(self.leaf_brushes)?,
                brushes: brushes.brushes,
                is_wide: self.fields.is_wide,
            },
            brushes,
        })
    }
}

/// Returns the layout of a file. The files of Raven and of Daikatana begin like SiN's: a file is of the format whose
/// lumps fit.
fn layout(bytes: &[u8]) -> Option<&'static Layout> {
    let magic = build::magic(bytes)?;
    let file = File::new(bytes, DIRECTORY);
    LAYOUTS
        .iter()
        .find(|layout| layout.magic == magic && (!layout.is_shared || layout.fits(file)))
}

/// Returns whether a file that begins like Quake III's may be one of Soldier of Fortune: it has more lumps, and the
/// ones that are known are Quake II's.
pub(super) fn may_be_soldier_of_fortune(bytes: &[u8]) -> bool {
    let file = File::new(bytes, DIRECTORY);
    let starts = (0..FORTUNE_LUMPS).filter_map(|index| file.extent(index));
    let starts = starts.filter(|(_, length)| *length > 0);
    let first = starts.map(|(start, _)| start).min();
    let header = (DIRECTORY + 8 * FORTUNE_LUMPS) as i64;
    let Layout {
        entities,
        planes,
        models,
        brushes,
        ..
    } = IBSP_38;
    first.is_some_and(|first| first >= header) && file.has(&[entities, planes, models, brushes])
}

fn parse(bytes: &[u8], layout: &Layout) -> Result<Map, MapError> {
    let (magic, version) = layout.magic;
    let format = match layout.name {
        Some(name) => name.to_owned(),
        None => format!("{} {version}", magic.escape_ascii()),
    };
    let map = Map {
        format,
        ..Map::default()
    };
    read_into(map, File::new(bytes, DIRECTORY), layout)
}

/// Reads a file of some layout into a map whose format is already set.
pub(super) fn read_into(map: Map, file: File<'_>, layout: &Layout) -> Result<Map, MapError> {
    let lumps = layout.read(file)?;
    lumps.models.not_empty()?;
    lumps.brushes.check_sharing()?;
    let mut map = Map {
        surfaces: lumps.surfaces(),
        models: lumps.models()?,
        ..map
    };
    build::finish(&mut map, lumps.entities, layout.game);
    Ok(map)
}

/// The records of the lumps that collision needs.
struct Lumps<'a> {
    layout: &'a Layout,
    entities: &'a [u8],
    models: Records<'a>,
    lists: Lists<'a>,
    brushes: Brushes<'a>,
}

impl Lumps<'_> {
    /// Returns the texinfos, followed by a surface for sides without one.
    fn surfaces(&self) -> Vec<MapSurface> {
        let (name, length) = self.layout.surface_name;
        let surface = |record: &[u8]| MapSurface {
            name: lumps::name(&record[name..name + length]),
            flags: i32s::<1>(record, self.layout.flags)[0] as u32,
            contents: 0,
        };
        let surfaces = self.brushes.surfaces.iter().map(surface);
        surfaces.chain([MapSurface::NONE]).collect()
    }

    /// Returns the models of the file; those that make up the world are merged into one.
    fn models(&self) -> Result<Vec<MapModel>, MapError> {
        let n_world = self.layout.n_world.min(self.models.len());
        let mut walk = Walk::new(self.lists);
        let mut models = vec![Vec::new(); 1 + self.models.len() - n_world];
        for (number, record) in self.models.iter().enumerate() {
            let model = (number + 1).saturating_sub(n_world);
            walk.collect(model as u32, record, &mut models[model])?;
        }
        models
            .into_iter()
            .map(|brushes| self.model(brushes))
            .collect()
    }

    /// Returns a model of some brushes, without those of empty contents.
    fn model(&self, mut brushes: Vec<usize>) -> Result<MapModel, MapError> {
        brushes.sort_unstable();
        let mut model = MapModel::default();
        for number in brushes {
            let place = || format!("brush {number}");
            let record = self.brushes.brushes.get(number as i64, place)?;
            let contents = (self.layout.contents)(i32s::<1>(record, 8)[0] as u32);
            model
                .brushes
                .extend(self.brushes.read(number, record, contents)?);
        }
        Ok(model)
    }
}
