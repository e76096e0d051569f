//! The colors of pictures: space that is solid for few hulls is warm, space that is solid for all is slate and fades
//! into the paper, and floors grow cooler with depth.

use super::canvas::{Color, mix};

/// The paper around the picture.
pub const PAPER: Color = [0xF3, 0xF1, 0xEC];
/// Letters and frames.
pub const INK: Color = [0x22, 0x2A, 0x35];
/// Letters of less weight.
pub const FAINT_INK: Color = [0x6B, 0x74, 0x80];
/// Walls that are cut.
pub const WALL: Color = [0x2B, 0x34, 0x41];
/// Doors, lifts and other models that are cut.
pub const DOOR: Color = [0x2E, 0x86, 0xC1];
/// Space that is solid in one file and not in the one before.
pub const GAINED: Color = [0xD8, 0x1F, 0x3F];
/// Space that was solid in the one before and is not now.
pub const LOST: Color = [0x14, 0xA8, 0x74];
/// Space that is solid for all hulls, at its border.
pub const ROCK: Color = [0x6C, 0x7B, 0x8E];
/// Places where agents start.
pub const START: Color = [0x1E, 0x9E, 0x5A];
/// Items.
pub const ITEM: Color = [0xE2, 0xA1, 0x12];
/// Monsters.
pub const MONSTER: Color = [0xC2, 0x3B, 0x3B];
/// Other entities.
pub const OTHER: Color = [0x8C, 0x6B, 0xC8];
/// The void below everything.
pub const VOID: Color = [0xB9, 0xC2, 0xCB];

/// Bands from the outermost: solid for the largest hull alone, then for the next one too.
const BANDS: [Color; 6] = [
    [0xF6, 0xB0, 0x4D],
    [0xE8, 0x73, 0x55],
    [0xBE, 0x4B, 0x7B],
    [0x7D, 0x4F, 0xA6],
    [0x44, 0x74, 0xB8],
    [0x32, 0x9C, 0x93],
];

/// Floors from the highest to the lowest.
const HEIGHTS: [Color; 6] = [
    [0xFF, 0xFB, 0xF0],
    [0xF3, 0xE3, 0xBC],
    [0xC9, 0xD2, 0x9F],
    [0x86, 0xB8, 0xA2],
    [0x4F, 0x8F, 0xA3],
    [0x3B, 0x5F, 0x86],
];

/// Few nodes to many.
const HEAT: [Color; 6] = [
    [0xF7, 0xF4, 0xEC],
    [0xFB, 0xDD, 0x98],
    [0xF6, 0xA4, 0x4F],
    [0xE0, 0x5A, 0x3A],
    [0xA3, 0x1F, 0x4C],
    [0x4A, 0x10, 0x4F],
];

/// Returns the color of the band of a hull by its rank from the largest, of `n_hulls`.
pub fn band(rank: usize, n_hulls: usize) -> Color {
    match rank + 1 == n_hulls {
        true => ROCK,
        false => BANDS[rank % BANDS.len()],
    }
}

/// Returns the color of a floor: 0 is the highest, 1 the lowest.
pub fn height(part: f64) -> Color {
    ramp(&HEIGHTS, part)
}

/// Returns the color of a cost: 0 is no cost, 1 the largest.
pub fn heat(part: f64) -> Color {
    ramp(&HEAT, part)
}

fn ramp(colors: &[Color], part: f64) -> Color {
    let place = part.clamp(0.0, 1.0) * (colors.len() - 1) as f64;
    let first = (place as usize).min(colors.len() - 2);
    mix(colors[first], colors[first + 1], place - first as f64)
}
