//! Reads the collision part of a Quake II map: IBSP 38, QBSP 38 or UFO: Alien Invasion's IBSP 78.
//!
//! In: the bytes of a `.bsp` file. Out: one [`OracleModel`] per model, as [`super::read_ibsp`] gives them. Method: a
//! leaf belongs to the model at the top of the nodes above it, so each leaf climbs from child to parent up to a
//! model's own node, and gives its brushes to that model.

use std::collections::{BTreeMap, BTreeSet};

use super::ibsp::{OracleBrush, OracleModel, index, int, lump_at, plane, record, records};

/// The layout of a format; sizes in bytes.
struct Layout {
    node: usize,
    leaf: usize,
    leaves: usize,
    /// Offset of the range of brushes in a leaf.
    range: usize,
    /// Size of a number in ranges, and in lists of brushes and sides.
    number: usize,
    /// Number of models that make up the world.
    world: usize,
}

/// Parses the models of a map file.
pub fn read_quake2(bytes: &[u8]) -> Result<Vec<OracleModel>, String> {
    let layout = layout(bytes)?;
    let size = layout.number;
    let lump = |number: usize, size| lump_at(bytes, 8 + 8 * number, size);
    let planes = lump(1, 20)?;
    let all = lump(14, 12)?;
    let sides = lump(15, 2 * size)?;
    let read = |number: i32| {
        let brush = record(&all, number, "brush")?;
        let mut list = Vec::new();
        for side in records(&sides, int(brush, 0)?, int(brush, 4)?, "sides")? {
            let number = number_at(side, 0, size)?;
            list.push(plane(record(&planes, number, "plane")?, 0)?);
        }
        let contents = contents(int(brush, 8)?.cast_unsigned());
        let number = index(&all, number, "brush")?;
        Ok(OracleBrush::plain(number, contents, list))
    };
    let model = |numbers: BTreeSet<i32>| {
        let brushes: Result<_, String> = numbers.into_iter().map(read).collect();
        brushes.map(|brushes| OracleModel { brushes })
    };
    numbers(bytes, &layout)?.into_iter().map(model).collect()
}

fn layout(bytes: &[u8]) -> Result<Layout, String> {
    let quake2 = Layout {
        node: 28,
        leaf: 28,
        leaves: 8,
        range: 24,
        number: 2,
        world: 1,
    };
    match (bytes.get(..4), int(bytes, 4)?) {
        (Some(b"IBSP"), 38) => Ok(quake2),
        (Some(b"QBSP"), 38) => Ok(Layout {
            node: 44,
            leaf: 52,
            range: 44,
            number: 4,
            ..quake2
        }),
        (Some(b"IBSP"), 78) => Ok(Layout {
            leaf: 24,
            leaves: 9,
            range: 18,
            world: 259,
            ..quake2
        }),
        _ => Err("no Quake II map".into()),
    }
}

/// Returns the numbers of the brushes of each model.
fn numbers(bytes: &[u8], layout: &Layout) -> Result<Vec<BTreeSet<i32>>, String> {
    let size = layout.number;
    let lump = |number: usize, size| lump_at(bytes, 8 + 8 * number, size);
    let lists = lump(10, size)?;
    let models = lump(13, 48)?;
    let n_models = 1 + models
        .len()
        .checked_sub(layout.world)
        .ok_or("too few models")?;
    let mut numbers = vec![BTreeSet::new(); n_models];
    let tops = tops(&lump(4, layout.node)?, &models)?;
    for (number, leaf) in lump(layout.leaves, layout.leaf)?.iter().enumerate() {
        let Some(&model) = tops.get(&(-1 - number as i32)) else {
            continue;
        };
        let first = number_at(leaf, layout.range, size)?;
        let count = number_at(leaf, layout.range + size, size)?;
        let model = (model + 1).saturating_sub(layout.world);
        for entry in records(&lists, first, count, "brushes of a leaf")? {
            numbers[model].insert(number_at(entry, 0, size)?);
        }
    }
    Ok(numbers)
}

/// Returns the model at the top of each node and leaf (as -1 minus its number) that is below one.
fn tops(nodes: &[&[u8]], models: &[&[u8]]) -> Result<BTreeMap<i32, usize>, String> {
    let mut parents = BTreeMap::new();
    for (number, node) in nodes.iter().enumerate() {
        for at in [4, 8] {
            parents.insert(int(node, at)?, number as i32);
        }
    }
    let mut roots = BTreeMap::new();
    for (number, model) in models.iter().enumerate() {
        // The leaf outside of everything is the root of models without brushes.
        if int(model, 36)? != -1 {
            roots.insert(int(model, 36)?, number);
        }
    }
    let places = parents.keys().chain(roots.keys());
    let top = |&place: &i32| {
        let mut above = place;
        for _ in 0..=nodes.len() {
            if let Some(&model) = roots.get(&above) {
                return Some((place, model));
            }
            above = *parents.get(&above)?;
        }
        None
    };
    Ok(places.filter_map(top).collect())
}

/// Reads a number of two or four bytes.
fn number_at(record: &[u8], at: usize, size: usize) -> Result<i32, String> {
    if size == 4 {
        return int(record, at);
    }
    let bytes = record.get(at..at + 2).ok_or("a short record")?;
    Ok(i32::from(u16::from_le_bytes([bytes[0], bytes[1]])))
}

/// Contents that stop points and agents, and contents that stop agents alone: all that the tests' hulls need.
const SOLID: u32 = 1;
const PLAYERCLIP: u32 = 0x1_0000;

/// Converts Quake II's `MASK_PLAYERSOLID` without monsters, and its `MASK_SOLID`. UFO's clip of actors has the bit of
/// Quake II's player clip.
fn contents(bits: u32) -> u32 {
    let solid = if bits & 3 != 0 { SOLID } else { 0 };
    solid | bits & PLAYERCLIP
}
