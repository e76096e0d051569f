//! The colors of pictures: space that is solid for few hulls is warm, space that is solid for all is slate and fades
//! into the paper, and floors grow cooler with depth.

use onion_runtime::navigation::LinkKind;

use super::canvas::{Color, mix};

pub const PAPER: Color = rgb(0xF3F1EC);
/// Letters and frames.
pub const INK: Color = rgb(0x222A35);
/// Letters that stand out less.
pub const FAINT_INK: Color = rgb(0x6B7480);
/// Walls that are cut.
pub const WALL: Color = rgb(0x2B3441);
/// Doors, lifts and other models that are cut.
pub const DOOR: Color = rgb(0x2E86C1);
/// Space that is solid in one file and not in the one before.
pub const GAINED: Color = rgb(0xD81F3F);
/// Space that was solid in the one before and is not now.
pub const LOST: Color = rgb(0x14A874);
/// Space that is solid for all hulls, at its border.
pub const ROCK: Color = rgb(0x6C7B8E);
pub const START: Color = rgb(0x1E9E5A);
pub const ITEM: Color = rgb(0xE2A112);
pub const MONSTER: Color = rgb(0xC23B3B);
/// Other entities.
pub const OTHER: Color = rgb(0x8C6BC8);
/// The void below everything.
pub const VOID: Color = rgb(0xB9C2CB);

/// Bands from the outermost: solid for the largest hull alone, then for the next one too.
const BANDS: [u32; 6] = [0xF6B04D, 0xE87355, 0xBE4B7B, 0x7D4FA6, 0x4474B8, 0x329C93];

/// Floors of hulls from the largest.
const FLOORS: [u32; 6] = [0x5B9BD5, 0xF2B134, 0x9C6ADE, 0x5BBF7A, 0xE58FB5, 0x8D8D8D];

/// Surfaces from the highest to the lowest.
const HEIGHTS: [u32; 6] = [0xFFFBF0, 0xF3E3BC, 0xC9D29F, 0x86B8A2, 0x4F8FA3, 0x3B5F86];

const HEAT: [u32; 6] = [0xF7F4EC, 0xFBDD98, 0xF6A44F, 0xE05A3A, 0xA31F4C, 0x4A104F];

/// Converts a color from its usual notation, red first.
const fn rgb(color: u32) -> Color {
    let [_, red, green, blue] = color.to_be_bytes();
    [red, green, blue]
}

/// Returns the color of the band of a hull, given its rank from the largest of `n_hulls`.
pub fn band(rank: usize, n_hulls: usize) -> Color {
    if rank + 1 == n_hulls {
        ROCK
    } else {
        rgb(BANDS[rank % BANDS.len()])
    }
}

/// Returns the color of the floors of a hull, given its rank from the largest: 0 is the nearest floor, 1 the farthest.
pub fn floor(rank: usize, part: f64) -> Color {
    let color = rgb(FLOORS[rank % FLOORS.len()]);
    mix(mix(color, PAPER, 0.4), mix(color, INK, 0.4), part)
}

/// Returns the color of the links of a kind.
pub fn link(kind: LinkKind) -> Color {
    rgb(match kind {
        LinkKind::Walk => 0xFFFFFF,
        LinkKind::Crouch => 0xC2185B,
        LinkKind::Stand => 0x00897B,
        LinkKind::Drop => 0xD84315,
        LinkKind::Jump => 0x1A3FBF,
        LinkKind::Swim => 0x00ACC1,
        LinkKind::Climb => 0x6D4C41,
        LinkKind::Teleport => 0x7B1FA2,
        LinkKind::JumpPad => 0x0288D1,
        LinkKind::Lift => 0xF9A825,
    })
}

/// Returns the color of a surface by its height: 0 is the highest, 1 the lowest.
pub fn height(part: f64) -> Color {
    ramp(&HEIGHTS, part)
}

/// Returns the color of a relative cost: 0 for no cost, 1 for the largest.
pub fn heat(part: f64) -> Color {
    ramp(&HEAT, part)
}

/// Returns the color at a part, 0 to 1, of a ramp of colors.
fn ramp(colors: &[u32; 6], part: f64) -> Color {
    let place = part.clamp(0.0, 1.0) * (colors.len() - 1) as f64;
    let first = (place as usize).min(colors.len() - 2);
    mix(
        rgb(colors[first]),
        rgb(colors[first + 1]),
        place - first as f64,
    )
}
