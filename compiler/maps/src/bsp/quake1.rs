//! Reads BSP files of the Quake family into a [`Map`]: version 29 (Quake, Hexen II), 30 (Half-Life and its kin,
//! including Blue Shift), BSP2 and 2PSB. They have no brushes among their lumps. If the compiler appended brushes,
//! `brushlist` reads them; otherwise `hull0` recovers the solids from the tree in which points are traced. The layout
//! follows id's `bspfile.h` and ericw-tools.

use super::hull0::{self, PointTree};
use super::lumps::{File, Lump, i32s};
use super::{brushlist, build};
use crate::error::MapError;
use crate::parts::{Map, MapSurface};

pub const NAME: &str = "Quake BSP (versions 29 and 30, BSP2, 2PSB)";

/// Offset of the directory, in bytes.
const DIRECTORY: usize = 4;

/// Number of entries in the directory.
const N_LUMPS: usize = 15;

const ENTITIES: Lump = Lump::new("entities", "byte", 0, 1);
const PLANES: Lump = Lump::new("planes", "plane", 1, 20);
const MODELS: Lump = Lump::new("models", "model", 14, 64);

/// Size of a model of Hexen II, which has eight hulls, in bytes.
const HEXEN_MODEL: usize = 80;

/// The differences between the formats of the family.
struct Layout {
    /// The first bytes of a file.
    start: [u8; 4],
    name: &'static str,
    nodes: Lump,
    leaves: Lump,
    /// Whether children of nodes have 32 bits rather than 16.
    is_wide: bool,
    game: &'static str,
}

const BSP_29: Layout = Layout {
    start: [29, 0, 0, 0],
    name: "BSP 29",
    nodes: Lump::new("nodes", "node", 5, 24),
    leaves: Lump::new("leafs", "leaf", 10, 28),
    is_wide: false,
    game: "quake",
};

/// The formats of the family.
const LAYOUTS: [Layout; 4] = [
    BSP_29,
    Layout {
        start: [30, 0, 0, 0],
        name: "BSP 30",
        game: "halflife",
        ..BSP_29
    },
    Layout {
        start: *b"BSP2",
        name: "BSP2",
        nodes: Lump::new("nodes", "node", 5, 44),
        leaves: Lump::new("leafs", "leaf", 10, 44),
        is_wide: true,
        ..BSP_29
    },
    Layout {
        start: *b"2PSB",
        name: "2PSB",
        nodes: Lump::new("nodes", "node", 5, 32),
        leaves: Lump::new("leafs", "leaf", 10, 32),
        is_wide: true,
        ..BSP_29
    },
];

/// Reads a map of Quake, or of a game that kept its format.
pub fn read(bytes: &[u8]) -> Option<Result<Map, MapError>> {
    let mut layouts = LAYOUTS.iter();
    let layout = layouts.find(|layout| bytes.starts_with(&layout.start))?;
    Some(parse(bytes, layout))
}

fn parse(bytes: &[u8], layout: &'static Layout) -> Result<Map, MapError> {
    let file = File::new(bytes, DIRECTORY);
    let (entities, planes) = text_and_planes(file)?;
    let tree = PointTree {
        is_wide: layout.is_wide,
        planes: file.records(planes)?,
        nodes: file.records(layout.nodes)?,
        leaves: file.records(layout.leaves)?,
        models: file.records(models(file)?)?.not_empty()?,
    };
    let mut map = Map {
        format: layout.name.to_owned(),
        surfaces: vec![MapSurface::default()],
        ..Map::default()
    };
    if let Some(list) = brushlist::lump(file, N_LUMPS)? {
        map.format += " with BRUSHLIST";
        map.models = brushlist::models(list, tree.models, &mut map.warnings)?;
    } else {
        map.format += ", solids recovered from hull 0";
        map.models = hull0::models(&tree, &mut map.warnings)?;
    }
    build::finish(&mut map, entities, layout.game);
    Ok(map)
}

/// Returns the entities and the lump of planes. Blue Shift swaps the two.
fn text_and_planes(file: File<'_>) -> Result<(&[u8], Lump), MapError> {
    let is_text = |bytes: &[u8]| bytes.trim_ascii_start().starts_with(b"{");
    let at = |index: usize, lump: Lump| Lump { index, ..lump };
    let text = file.lump(ENTITIES)?;
    if is_text(text) {
        return Ok((text, PLANES));
    }
    let swapped = file.lump(at(PLANES.index, ENTITIES))?;
    Ok(if is_text(swapped) {
        (swapped, at(ENTITIES.index, PLANES))
    } else {
        (text, PLANES)
    })
}

/// Returns the lump of models: Hexen II's files begin with the same bytes, but their models are larger. With the
/// right size, the models' ranges of the world's faces follow one another, as all compilers write them.
fn models(file: File<'_>) -> Result<Lump, MapError> {
    let hexen = Lump {
        size: HEXEN_MODEL,
        ..MODELS
    };
    let follow = |lump: Lump| {
        let mut next = 0;
        let mut follows = |model: &[u8]| {
            let [first, count] = i32s(model, lump.size - 8).map(i64::from);
            let follows = count == 0 || first == next;
            next += count;
            follows
        };
        let models = file.records(lump);
        models.is_ok_and(|models| models.iter().all(&mut follows))
    };
    let is_hexen = !follow(MODELS) && follow(hexen);
    Ok(if is_hexen { hexen } else { MODELS })
}
