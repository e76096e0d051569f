//! Reads BSP files of the Quake II family into a [`Map`]: IBSP 38 (Quake II, Kingpin), Qbism's QBSP 38, SiN's
//! (IBSP 41 or RBSP 1) and UFO: Alien Invasion's IBSP 78. The layout follows id's `qfiles.h` and its
//! descendants. Brushes know no model: a model's are those that the leaves below its node list. The world of
//! UFO: Alien Invasion is the first 259 models, one for each set of levels and each kind of clip.

use super::build;
use super::contents::{QUAKE2, SIN, Table, UFO, translate};
use super::lumps::{self, File, Lump, Records, i32s, u16s};
use crate::error::MapError;
use crate::map::format::Format;
use crate::map::parts::{Map, MapBrush, MapModel, MapSide, Surface};

/// Maps of Quake II and of games that kept its format.
pub const FORMAT: Format = Format {
    name: "Quake II BSP (IBSP 38, QBSP 38, SiN's, UFO: Alien Invasion's IBSP 78)",
    recognizes: |bytes| layout(bytes).is_some(),
    parse: |bytes, _, _| match layout(bytes) {
        Some(layout) => parse(bytes, layout),
        None => unreachable!("only files that are recognized are read"),
    },
};

/// Offset of the directory, in bytes.
const DIRECTORY: usize = 8;

/// A side without a texinfo has -1, in 16 bits this.
const NO_TEXINFO: i64 = 0xffff;

const ENTITIES: Lump = Lump::new("entities", "byte", 0, 1);
const PLANES: Lump = Lump::new("planes", "plane", 1, 20);
const MODELS: Lump = Lump::new("models", "model", 13, 48);
const BRUSHES: Lump = Lump::new("brushes", "brush", 14, 12);

/// What formats of the family differ in.
struct Layout {
    /// The letters and version a file begins with.
    magic: ([u8; 4], i32),
    nodes: Lump,
    texinfos: Lump,
    /// Offsets of the flags and the name in a texinfo, and the bytes of the name.
    flags: usize,
    name: (usize, usize),
    leaves: Lump,
    /// Offset of the range of brushes in a leaf, in bytes.
    leaf_range: usize,
    leaf_brushes: Lump,
    brush_sides: Lump,
    /// Whether brushes of leaves, planes and texinfos of sides have 32 bits rather than 16.
    is_wide: bool,
    /// How many models the world is made of.
    n_world: usize,
    /// Whether files of other formats begin alike, so that only their lumps tell.
    is_shared: bool,
    contents: Table,
}

const IBSP_38: Layout = Layout {
    magic: (*b"IBSP", 38),
    nodes: Lump::new("nodes", "node", 4, 28),
    texinfos: Lump::new("texinfo", "texinfo", 5, 76),
    flags: 32,
    name: (40, 32),
    leaves: Lump::new("leafs", "leaf", 8, 28),
    leaf_range: 24,
    leaf_brushes: Lump::new("leafbrushes", "brush of a leaf", 10, 2),
    brush_sides: Lump::new("brushsides", "brush side", 15, 4),
    is_wide: false,
    n_world: 1,
    is_shared: false,
    contents: QUAKE2,
};

const SIN_RBSP: Layout = Layout {
    magic: (*b"RBSP", 1),
    texinfos: Lump::new("texinfo", "texinfo", 5, 180),
    name: (36, 64),
    brush_sides: Lump::new("brushsides", "brush side", 15, 8),
    is_shared: true,
    contents: SIN,
    ..IBSP_38
};

/// The formats of the family.
const LAYOUTS: [Layout; 5] = [
    IBSP_38,
    Layout {
        magic: (*b"QBSP", 38),
        nodes: Lump::new("nodes", "node", 4, 44),
        leaves: Lump::new("leafs", "leaf", 8, 52),
        leaf_range: 44,
        leaf_brushes: Lump::new("leafbrushes", "brush of a leaf", 10, 4),
        brush_sides: Lump::new("brushsides", "brush side", 15, 8),
        is_wide: true,
        ..IBSP_38
    },
    SIN_RBSP,
    Layout {
        magic: (*b"IBSP", 41),
        ..SIN_RBSP
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
    fn fits(&self, file: File<'_>) -> bool {
        file.has(&[
            ENTITIES,
            PLANES,
            MODELS,
            BRUSHES,
            self.nodes,
            self.texinfos,
            self.leaves,
            self.leaf_brushes,
            self.brush_sides,
        ])
    }
}

fn file(bytes: &[u8]) -> File<'_> {
    File {
        bytes,
        directory: DIRECTORY,
    }
}

/// The layout of a file. Raven's maps begin like SiN's, and Daikatana's do: of those, a file is SiN's if all
/// lumps fit.
fn layout(bytes: &[u8]) -> Option<&'static Layout> {
    let magic = build::magic(bytes)?;
    LAYOUTS
        .iter()
        .find(|layout| layout.magic == magic && (!layout.is_shared || layout.fits(file(bytes))))
}

fn parse(bytes: &[u8], layout: &'static Layout) -> Result<Map, MapError> {
    let file = file(bytes);
    let entities = file.lump(ENTITIES)?;
    let lumps = Lumps {
        layout,
        planes: file.records(PLANES)?,
        nodes: file.records(layout.nodes)?,
        texinfos: file.records(layout.texinfos)?,
        leaves: file.records(layout.leaves)?,
        leaf_brushes: file.records(layout.leaf_brushes)?,
        models: file.records(MODELS)?.not_empty()?,
        brushes: file.records(BRUSHES)?,
        brush_sides: file.records(layout.brush_sides)?,
    };
    let n_sides = lumps.brushes.iter().map(|brush| i32s::<2>(brush, 0)[1]);
    lumps
        .brush_sides
        .check_sharing(n_sides.map(i64::from).sum())?;
    let (magic, version) = layout.magic;
    let mut map = Map {
        format: format!("{} {version}", magic.escape_ascii()),
        surfaces: lumps.surfaces(),
        models: lumps.models()?,
        ..Map::default()
    };
    build::finish(&mut map, entities);
    Ok(map)
}

/// The records of the lumps that collision needs.
struct Lumps<'a> {
    layout: &'static Layout,
    planes: Records<'a>,
    nodes: Records<'a>,
    texinfos: Records<'a>,
    leaves: Records<'a>,
    leaf_brushes: Records<'a>,
    models: Records<'a>,
    brushes: Records<'a>,
    brush_sides: Records<'a>,
}

impl Lumps<'_> {
    /// The texinfos, and a surface for sides without one.
    fn surfaces(&self) -> Vec<Surface> {
        let (name, length) = self.layout.name;
        let surface = |record: &[u8]| Surface {
            name: lumps::name(&record[name..name + length]),
            flags: i32s::<1>(record, self.layout.flags)[0] as u32,
            contents: 0,
        };
        let surfaces = self.texinfos.iter().map(surface);
        surfaces.chain([Surface::NONE]).collect()
    }

    /// The models of the file; those that make up the world are one.
    fn models(&self) -> Result<Vec<MapModel>, MapError> {
        let n_world = self.layout.n_world.min(self.models.len());
        let mut walk = Walk::new(self);
        let mut models = vec![Vec::new(); 1 + self.models.len() - n_world];
        for (number, record) in self.models.iter().enumerate() {
            let model = (number + 1).saturating_sub(n_world);
            let [root] = i32s(record, 36);
            self.collect(&mut walk, model as u32, root, &mut models[model])?;
        }
        models
            .into_iter()
            .map(|mut brushes| {
                brushes.sort_unstable();
                let brushes = brushes.into_iter().map(|number| self.brush(number));
                let brushes = brushes
                    .filter_map(Result::transpose)
                    .collect::<Result<_, _>>()?;
                Ok(MapModel {
                    brushes,
                    ..MapModel::default()
                })
            })
            .collect()
    }

    /// Adds the brushes below a node that the model does not have yet.
    fn collect(
        &self,
        walk: &mut Walk,
        model: u32,
        root: i32,
        brushes: &mut Vec<usize>,
    ) -> Result<(), MapError> {
        let mut open = vec![(root, None)];
        while let Some((child, parent)) = open.pop() {
            let place = || match parent {
                Some(node) => format!("node {node}"),
                None => format!("model {model}"),
            };
            if child < 0 {
                let leaf = -1 - i64::from(child);
                self.leaf(walk, model, leaf, self.leaves.get(leaf, place)?, brushes)?;
                continue;
            }
            let record = self.nodes.get(i64::from(child), place)?;
            let seen = &mut walk.seen_nodes[child as usize];
            if *seen == model {
                continue;
            }
            *seen = model;
            walk.n_nodes += 1;
            self.nodes.check_sharing(walk.n_nodes)?;
            let [front, back] = i32s(record, 4);
            open.extend([front, back].map(|below| (below, Some(child))));
        }
        Ok(())
    }

    fn leaf(
        &self,
        walk: &mut Walk,
        model: u32,
        number: i64,
        record: &[u8],
        brushes: &mut Vec<usize>,
    ) -> Result<(), MapError> {
        let place = || format!("leaf {number}");
        let at = self.layout.leaf_range;
        let [first, count] = [
            self.number(record, at),
            self.number(record, at + self.width()),
        ];
        walk.n_brushes += count;
        self.leaf_brushes.check_sharing(walk.n_brushes)?;
        for (_, entry) in self.leaf_brushes.range(first, count, place)? {
            let brush = self.number(entry, 0);
            self.brushes.get(brush, place)?;
            let seen = &mut walk.seen_brushes[brush as usize];
            if *seen != model {
                *seen = model;
                brushes.push(brush as usize);
            }
        }
        Ok(())
    }

    /// Bytes of a number that other formats have wider or narrower.
    fn width(&self) -> usize {
        if self.layout.is_wide { 4 } else { 2 }
    }

    /// Such a number.
    fn number(&self, record: &[u8], at: usize) -> i64 {
        if self.layout.is_wide {
            i64::from(i32s::<1>(record, at)[0])
        } else {
            i64::from(u16s::<1>(record, at)[0])
        }
    }

    /// A brush; none if its contents are empty.
    fn brush(&self, number: usize) -> Result<Option<MapBrush>, MapError> {
        let place = || format!("brush {number}");
        let record = self.brushes.get(number as i64, place)?;
        let [first_side, n_sides, contents] = i32s(record, 0);
        let sides = self
            .brush_sides
            .range(first_side.into(), n_sides.into(), place)?;
        let sides = sides.map(|(side, record)| self.side(number, side, record));
        let sides = sides.collect::<Result<_, _>>()?;
        let contents = translate(contents as u32, self.layout.contents);
        Ok((contents != 0).then_some(MapBrush {
            number,
            contents,
            sides,
        }))
    }

    fn side(&self, brush: usize, side: usize, record: &[u8]) -> Result<MapSide, MapError> {
        let place = || format!("side {side} of brush {brush}");
        let plane = self.number(record, 0);
        let texinfo = match self.number(record, self.width()) {
            NO_TEXINFO if !self.layout.is_wide => -1,
            texinfo => texinfo,
        };
        let surface = match texinfo {
            -1 => self.texinfos.len(),
            _ => {
                self.texinfos.get(texinfo, place)?;
                texinfo as usize
            }
        };
        build::side(self.planes.get(plane, place)?, plane, surface as u32)
    }
}

/// What the walks of all models have met: the last model that met each node and brush, and how often any
/// did. It ends in files whose nodes go in circles.
struct Walk {
    seen_nodes: Vec<u32>,
    seen_brushes: Vec<u32>,
    n_nodes: i64,
    n_brushes: i64,
}

impl Walk {
    fn new(lumps: &Lumps<'_>) -> Self {
        Self {
            seen_nodes: vec![u32::MAX; lumps.nodes.len()],
            seen_brushes: vec![u32::MAX; lumps.brushes.len()],
            n_nodes: 0,
            n_brushes: 0,
        }
    }
}
