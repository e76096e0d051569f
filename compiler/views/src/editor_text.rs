//! Formats the text of map editors, for dumps and exports: layers of brushes in Quake III's format, which TrenchBroom
//! and NetRadiant open. A face is given by three of its corners, clockwise as seen from outside.

use glam::DVec3;
use onion_compiler::group::grouping;
use onion_compiler::hull::HullSpec;
use onion_format::HullSet;
use onion_maps::wording::plain;

/// The text before the first layer: comments that TrenchBroom reads, a comment that distinguishes the file from maps
/// that people made, and a world without content of its own.
pub(crate) const HEADER: &str = "// Game: Quake 3\n// Format: Quake3 (legacy)\n// Written by onionc\n\
                                 {\n\"classname\" \"worldspawn\"\n}\n";

/// Shift, rotation and scale of a texture, and three flags. They say nothing about geometry.
const ALIGNMENT: &str = "0 0 0 0.5 0.5 0 0 0";

/// Formats a layer of brushes, which is a group in NetRadiant. Numbers from 0 identify layers.
pub(crate) fn layer(number: usize, name: &str, brushes: String) -> String {
    let id = number + 1;
    // A quote would end the name.
    let name = plain(name).replace('"', "'");
    format!(
        "{{\n\"classname\" \"func_group\"\n\"_tb_type\" \"_tb_layer\"\n\"_tb_name\" \"{name}\"\n\
         \"_tb_id\" \"{id}\"\n{brushes}}}\n"
    )
}

/// Names the hulls for which a leaf is solid.
pub(crate) fn leaf_kind(solidity: HullSet, hulls: &[HullSpec]) -> String {
    if solidity.is_empty() {
        "empty".to_owned()
    } else {
        format!("solid.{}", grouping::names(&[solidity], hulls))
    }
}

/// Formats a face with a texture; its corners are given counterclockwise.
pub(crate) fn face(corners: &[DVec3], texture: &str) -> String {
    let points = far_apart(corners).map(|DVec3 { x, y, z }| format!("( {x} {y} {z} )"));
    format!("{} {texture} {ALIGNMENT}\n", points.join(" "))
}

/// Returns three corners of a face that are far from each other, clockwise. They are given counterclockwise.
fn far_apart(corners: &[DVec3]) -> [DVec3; 3] {
    let first = corners[0];
    let twice_area = |second: usize, third: usize| {
        let [second, third] = [second, third].map(|corner| corners[corner] - first);
        second.cross(third).length()
    };
    let seconds = 1..corners.len();
    let pairs =
        seconds.flat_map(|second| (second + 1..corners.len()).map(move |third| (second, third)));
    let widest = pairs.max_by(|&(a, b), &(c, d)| twice_area(a, b).total_cmp(&twice_area(c, d)));
    let Some((second, third)) = widest else {
        unreachable!("a face has three corners");
    };
    [first, corners[third], corners[second]]
}
