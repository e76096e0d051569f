//! Reads BSP files of the Quake II family into a [`Map`]: IBSP 38 (Quake II, Kingpin), Qbism's QBSP 38, SiN's (IBSP 41
//! or RBSP 1), Daikatana's IBSP 41 and UFO: Alien Invasion's IBSP 78. The layout follows id's `qfiles.h` and its
//! descendants; `source` has a layout of its own. The world of UFO: Alien Invasion is the first 259 models, one for
//! each set of levels and each kind of clip.

use super::brushes::{Brushes, Fields};
use super::build;
use super::contents::{DAIKATANA, QUAKE2, SIN, Table, UFO};
use super::lumps::{self, File, Lump, Records, i32s, number};
use crate::error::MapError;
use crate::parts::{Map, MapModel, MapSurface};

pub const NAME: &str =
    "Quake II BSP (IBSP 38, QBSP 38, SiN's, Daikatana's, UFO: Alien Invasion's IBSP 78)";

/// Offset of the directory, in bytes.
const DIRECTORY: usize = 8;

/// Offset of the root node in a model, in bytes.
const ROOT: usize = 36;

/// Number of entries in the directory of Soldier of Fortune.
const FORTUNE_LUMPS: usize = 22;

/// The differences between the formats of the family.
pub(super) struct Layout {
    /// The letters and the version with which a file begins.
    pub magic: ([u8; 4], i32),
    /// Name of the format in reports; `None` if its letters and version are the name.
    pub name: Option<&'static str>,
    pub entities: Lump,
    pub planes: Lump,
    pub nodes: Lump,
    pub texinfos: Lump,
    /// Offset of the flags in a texinfo, in bytes.
    pub flags: usize,
    /// Offset and length of the name, in bytes, in the record that holds it.
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
    pub contents: Table,
    /// The game whose entities the map has.
    pub game: &'static str,
}

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
    contents: QUAKE2,
    game: "quake2",
};

const SIN_RBSP: Layout = Layout {
    magic: (*b"RBSP", 1),
    texinfos: Lump::new("texinfo", "texinfo", 5, 180),
    surface_name: (36, 64),
    brush_sides: Lump::new("brushsides", "brush side", 15, 8),
    is_shared: true,
    contents: SIN,
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
        contents: DAIKATANA,
        ..IBSP_38
    },
    Layout {
        magic: (*b"IBSP", 78),
        texinfos: Lump::new("texinfo", "texinfo", 5, 72),
        leaves: Lump::new("leafs", "leaf", 9, 24),
        leaf_range: 18,
        n_world: 259,
        contents: UFO,
        ..IBSP_38
    },
];

impl Layout {
    /// Whether all lumps of a file are whole numbers of records, and its brushes have their sides.
    pub fn fits(&self, file: File<'_>) -> bool {
        self.read(file).is_ok_and(|lumps| lumps.brushes.are_whole())
    }

    fn read<'a>(&'a self, file: File<'a>) -> Result<Lumps<'a>, MapError> {
        Ok(Lumps {
            layout: self,
            entities: file.lump(self.entities)?,
            brushes: Brushes {
                fields: self.fields,
                planes: file.records(self.planes)?,
                surfaces: file.records(self.texinfos)?,
                brushes: file.records(self.brushes)?,
                sides: file.records(self.brush_sides)?,
            },
            models: file.records(self.models)?,
            nodes: file.records(self.nodes)?,
            leaves: file.records(self.leaves)?,
            leaf_brushes: file.records(self.leaf_brushes)?,
        })
    }
}

/// Reads a map of Quake II, or of a game that kept its format. The files of Raven and of Daikatana begin like SiN's: a
/// file is of the format whose lumps fit.
pub fn read(bytes: &[u8]) -> Option<Result<Map, MapError>> {
    let magic = build::magic(bytes)?;
    let file = File::new(bytes, DIRECTORY);
    let fits = |layout: &&Layout| !layout.is_shared || layout.fits(file);
    let mut layouts = LAYOUTS.iter().filter(|layout| layout.magic == magic);
    Some(parse(file, layouts.find(fits)?))
}

/// Whether a file that begins like Quake III's may be one of Soldier of Fortune: it has more lumps, and the ones that
/// are known are Quake II's.
pub(super) fn may_be_soldier_of_fortune(bytes: &[u8]) -> bool {
    let file = File::new(bytes, DIRECTORY);
    let extents = (0..FORTUNE_LUMPS).filter_map(|index| file.extent(index).ok());
    let starts = extents.filter_map(|[start, length]| (length > 0).then_some(start));
    let header = (DIRECTORY + 8 * FORTUNE_LUMPS) as i64;
    let Layout {
        entities,
        planes,
        models,
        brushes,
        ..
    } = IBSP_38;
    starts.min().is_some_and(|first| first >= header)
        && file.has(&[entities, planes, models, brushes])
}

fn parse(file: File<'_>, layout: &Layout) -> Result<Map, MapError> {
    let (magic, version) = layout.magic;
    let name = layout.name.map(str::to_owned);
    let map = Map {
        format: name.unwrap_or_else(|| format!("{} {version}", magic.escape_ascii())),
        ..Map::default()
    };
    read_into(map, file, layout)
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
    /// The text of the entities.
    entities: &'a [u8],
    brushes: Brushes<'a>,
    models: Records<'a>,
    nodes: Records<'a>,
    leaves: Records<'a>,
    leaf_brushes: Records<'a>,
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
        surfaces.chain([MapSurface::default()]).collect()
    }

    /// Returns the models of the file; those that make up the world are merged into one.
    fn models(&self) -> Result<Vec<MapModel>, MapError> {
        let n_world = self.layout.n_world.min(self.models.len());
        let mut walk = BrushWalk::new(self);
        let mut models = vec![Vec::new(); 1 + self.models.len() - n_world];
        for (number, record) in self.models.iter().enumerate() {
            let model = (number + 1).saturating_sub(n_world);
            walk.collect(model as u32, record, &mut models[model])?;
        }
        let models = models.into_iter().map(|brushes| self.model(brushes));
        models.collect()
    }

    /// Returns a model of some brushes, without those of empty contents.
    fn model(&self, mut brushes: Vec<usize>) -> Result<MapModel, MapError> {
        // In the order of the file, whatever the order of leaves: a tie between brushes goes to the first.
        brushes.sort_unstable();
        let mut model = MapModel::default();
        for number in brushes {
            let place = || format!("brush {number}");
            let record = self.brushes.brushes.get(number as i64, place)?;
            let [contents] = i32s(record, 8);
            let contents = self.layout.contents.translate(contents as u32);
            let brush = self.brushes.read(number, record, contents)?;
            model.brushes.extend(brush);
        }
        Ok(model)
    }
}

/// A search for the brushes of models. Brushes do not name their model: it has the brushes that the leaves below its
/// node list. Nodes may form cycles and lists may overlap, so visited nodes and brushes are remembered.
struct BrushWalk<'a> {
    lumps: &'a Lumps<'a>,
    /// For each node, the last model in which it was found.
    seen_nodes: Vec<u32>,
    /// For each brush, likewise.
    seen_brushes: Vec<u32>,
    /// Number of visits to nodes, over all models.
    n_nodes: i64,
    /// Number of brushes that visited leaves list, over all models.
    n_brushes: i64,
}

impl<'a> BrushWalk<'a> {
    fn new(lumps: &'a Lumps<'a>) -> Self {
        Self {
            lumps,
            seen_nodes: vec![u32::MAX; lumps.nodes.len()],
            seen_brushes: vec![u32::MAX; lumps.brushes.brushes.len()],
            n_nodes: 0,
            n_brushes: 0,
        }
    }

    /// Adds the brushes below a model's node, each once.
    fn collect(
        &mut self,
        model: u32,
        record: &[u8],
        brushes: &mut Vec<usize>,
    ) -> Result<(), MapError> {
        let Lumps { nodes, leaves, .. } = self.lumps;
        // A list instead of recursion: the file decides how deep its tree is.
        let [root] = i32s(record, ROOT);
        let mut open = vec![(root, None)];
        while let Some((child, parent)) = open.pop() {
            let place = || match parent {
                Some(node) => format!("node {node}"),
                None => format!("model {model}"),
            };
            if child < 0 {
                let leaf = -1 - i64::from(child);
                self.leaf(model, leaf, leaves.get(leaf, place)?, brushes)?;
                continue;
            }
            let record = nodes.get(i64::from(child), place)?;
            if std::mem::replace(&mut self.seen_nodes[child as usize], model) == model {
                continue;
            }
            self.n_nodes += 1;
            nodes.check_sharing(self.n_nodes)?;
            let [front, back] = i32s(record, 4);
            open.extend([front, back].map(|below| (below, Some(child))));
        }
        Ok(())
    }

    fn leaf(
        &mut self,
        model: u32,
        leaf: i64,
        record: &[u8],
        brushes: &mut Vec<usize>,
    ) -> Result<(), MapError> {
        let place = || format!("leaf {leaf}");
        let leaf_brushes = self.lumps.leaf_brushes;
        let Layout {
            leaf_range, fields, ..
        } = self.lumps.layout;
        let width = if fields.is_wide { 4 } else { 2 };
        let [first, count] = [0, width].map(|at| number(record, leaf_range + at, fields.is_wide));
        self.n_brushes += count;
        leaf_brushes.check_sharing(self.n_brushes)?;
        for (_, entry) in leaf_brushes.range(first, count, place)? {
            let brush = number(entry, 0, fields.is_wide);
            self.lumps.brushes.brushes.get(brush, place)?;
            if std::mem::replace(&mut self.seen_brushes[brush as usize], model) != model {
                brushes.push(brush as usize);
            }
        }
        Ok(())
    }
}
