//! The text of map editors, as dumps and exports write it: layers of brushes in Quake III's format, which TrenchBroom
//! and NetRadiant open. A face is given by three of its corners, clockwise as seen from outside.

use glam::DVec3;
use onion_maps::wording::plain;

/// Before the first layer: what TrenchBroom reads, what tells the file from maps of people, and a world that has
/// nothing itself.
pub(crate) const HEADER: &str = "// Game: Quake 3\n// Format: Quake3 (legacy)\n// Written by onionc\n\
                                 {\n\"classname\" \"worldspawn\"\n}\n";

/// How far a texture is shifted, turned and scaled, and three flags. They say nothing about geometry.
const ALIGNMENT: &str = "0 0 0 0.5 0.5 0 0 0";

/// A layer of brushes: a group to NetRadiant. Numbers from 0 on tell layers apart.
pub(crate) fn layer(number: usize, name: &str, brushes: String) -> String {
    let id = number + 1;
    // A quote would end the name.
    let name = plain(name).replace('"', "'");
    format!(
        "{{\n\"classname\" \"func_group\"\n\"_tb_type\" \"_tb_layer\"\n\"_tb_name\" \"{name}\"\n\
         \"_tb_id\" \"{id}\"\n{brushes}}}\n"
    )
}

/// A face with a texture: its corners come counterclockwise.
pub(crate) fn face(corners: &[DVec3], texture: &str) -> String {
    let points = far_apart(corners).map(|DVec3 { x, y, z }| format!("( {x} {y} {z} )"));
    format!("{} {texture} {ALIGNMENT}\n", points.join(" "))
}

/// Three corners of a face that are far from each other, clockwise. They come counterclockwise.
fn far_apart(corners: &[DVec3]) -> [DVec3; 3] {
    let first = corners[0];
    let twice_area = |second: usize, third: usize| {
        let [second, third] = [second, third].map(|corner| corners[corner] - first);
        second.cross(third).length()
    };
    let pairs = (1..corners.len()).flat_map(|second| {
        let thirds = second + 1..corners.len();
        thirds.map(move |third| (second, third))
    });
    let widest = pairs.max_by(|&(a, b), &(c, d)| twice_area(a, b).total_cmp(&twice_area(c, d)));
    match widest {
        Some((second, third)) => [first, corners[third], corners[second]],
        None => unreachable!("a face has three corners"),
    }
}
