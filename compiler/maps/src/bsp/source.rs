//! Reads maps of the Source engine (VBSP 19 to 21) into a [`Map`]: Half-Life 2, Team Fortress 2, Left 4 Dead, Portal
//! and related games. Their brushes have the layout of Quake II's behind another directory; names of surfaces are in
//! lumps of their own. Displacements are not brushes and are not read. The layout follows Valve's `bspfile.h` and
//! `bspflags.h`.

use super::build;
use super::contents::SOURCE;
use super::lumps::{self, File, Lump, i32s};
use super::quake2::{self, IBSP_38, Layout};
use crate::error::MapError;
use crate::parts::{Map, MapSurface, Warning};
use crate::refused::not_a_map;

pub const NAME: &str = "Source VBSP (19 to 21)";

/// Versions whose layout is known.
const VERSIONS: std::ops::RangeInclusive<i32> = 19..=21;

/// Positions of the offset of the first lump, in bytes: Left 4 Dead 2 puts the lump's version before it.
const DIRECTORIES: [usize; 2] = [8, 12];

/// Size of an entry of the directory, in bytes.
const ENTRY: usize = 16;

/// The bytes with which a compressed lump begins.
const COMPRESSED: &[u8] = b"LZMA";

const TEXDATA: Lump = Lump::new("texdata", "texdata", 2, 32);
const NAMES: Lump = Lump::new("texture names", "byte", 43, 1);
const NAME_STARTS: Lump = Lump::new("starts of texture names", "texture name", 44, 4);

const DISPLACEMENTS: usize = 26;

const VBSP: Layout = Layout {
    magic: (*b"VBSP", 20),
    nodes: Lump::new("nodes", "node", 5, 32),
    texinfos: Lump::new("texinfo", "texinfo", 6, 72),
    flags: 64,
    // Names are in lumps of their own.
    surface_name: (0, 0),
    leaves: Lump::new("leafs", "leaf", 10, 32),
    leaf_brushes: Lump::new("leafbrushes", "brush of a leaf", 17, 2),
    models: Lump::new("models", "model", 14, 48),
    brushes: Lump::new("brushes", "brush", 18, 12),
    brush_sides: Lump::new("brushsides", "brush side", 19, 8),
    contents: SOURCE,
    game: "halflife",
    ..IBSP_38
};

/// The layout in which leaves contain lighting.
const VBSP_LIT: Layout = Layout {
    leaves: Lump::new("leafs", "leaf", 10, 56),
    ..VBSP
};

/// Reads a map of the Source engine whose lumps fit, or that has a compressed one.
pub fn read(bytes: &[u8]) -> Option<Result<Map, MapError>> {
    let (magic, version) = build::magic(bytes)?;
    if magic != VBSP.magic.0 || !VERSIONS.contains(&version) {
        return None;
    }
    let files = DIRECTORIES.map(|directory| File::with_step(bytes, directory, ENTRY));
    // The version of a lump follows its length, or precedes its offset.
    let has_light = bytes.get(DIRECTORIES[0] + ENTRY * VBSP.leaves.index + 8..)?;
    let has_light = has_light.starts_with(&[0; 4]);
    let layouts = [if has_light { &VBSP_LIT } else { &VBSP }, &VBSP];
    let mut both = files.into_iter().zip(layouts);
    let (file, layout) = both.find(|(file, layout)| layout.fits(*file) || is_compressed(*file))?;
    Some(parse(version, file, layout))
}

fn is_compressed(file: File<'_>) -> bool {
    let lumps = [VBSP.planes, VBSP.nodes, VBSP.brushes, VBSP.brush_sides];
    let mut lumps = lumps.into_iter().filter_map(|lump| file.lump(lump).ok());
    lumps.any(|bytes| bytes.starts_with(COMPRESSED))
}

fn parse(version: i32, file: File<'_>, layout: &Layout) -> Result<Map, MapError> {
    if is_compressed(file) {
        return Err(not_a_map(
            "is a map of the Source engine with compressed lumps; unpack them with bspzip -repack",
        ));
    }
    let map = Map {
        format: format!("VBSP {version}"),
        ..Map::default()
    };
    let mut map = quake2::read_into(map, file, layout)?;
    name_surfaces(&mut map.surfaces, file, layout)?;
    if let Ok([_, (1..)]) = file.extent(DISPLACEMENTS) {
        let message = "they are not brushes and are not read, so agents fall through them";
        map.warnings.push(Warning::new("displacements", message));
    }
    Ok(map)
}

/// Looks up the names of surfaces: a texinfo refers to a texdata, and the texdata to a name.
fn name_surfaces(
    surfaces: &mut [MapSurface],
    file: File<'_>,
    layout: &Layout,
) -> Result<(), MapError> {
    let texdatas = file.records(TEXDATA)?;
    let starts = file.records(NAME_STARTS)?;
    let names = file.lump(NAMES)?;
    let texinfos = file.records(layout.texinfos)?;
    for (number, (surface, texinfo)) in surfaces.iter_mut().zip(texinfos.iter()).enumerate() {
        let place = || format!("texinfo {number}");
        let [texdata] = i32s(texinfo, 68);
        // A texinfo without a texdata has no name.
        if texdata < 0 {
            continue;
        }
        let [name] = i32s(texdatas.get(texdata.into(), place)?, 12);
        let [start] = i32s(starts.get(name.into(), place)?, 0);
        let start = usize::try_from(start).ok();
        let rest = start.and_then(|start| names.get(start..));
        surface.name = lumps::name(rest.unwrap_or_default());
    }
    Ok(())
}
