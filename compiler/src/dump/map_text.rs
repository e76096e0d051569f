//! Brushes as a Quake III `.map`, which TrenchBroom and NetRadiant open. Each model, and in a dump of
//! expanded brushes each hull, is a layer. A face is given by three of its corners, clockwise seen from
//! outside, as the format has it.

use glam::DVec3;

use crate::brush::{Brush, ModelBrushes};
use crate::expand::ModelSolids;
use crate::geometry::Cell;
use crate::hull::HullSpec;
use crate::map::{Map, Surface};

/// Before the first layer: what TrenchBroom reads, and a world that has nothing itself.
const HEADER: &str =
    "// Game: Quake 3\n// Format: Quake3 (legacy)\n{\n\"classname\" \"worldspawn\"\n}\n";

/// How far a texture is shifted, turned and scaled, and three flags. They say nothing about geometry.
const ALIGNMENT: &str = "0 0 0 0.5 0.5 0 0 0";

/// The brushes of all models, with the textures of the map.
pub(super) fn brushes(map: &Map, models: &[ModelBrushes]) -> String {
    let layers = models.iter().enumerate().map(|(model, brushes)| {
        let texts = brushes.iter().map(|brush| {
            let surfaces = brush.faces.iter().map(|face| face.surface as usize);
            let textures = surfaces.map(|surface| texture(&map.surfaces[surface]));
            brush_text(brush, &brush.cell, textures)
        });
        layer(model, &model_name(model), texts.collect())
    });
    HEADER.to_owned() + &layers.collect::<String>()
}

/// The expanded brushes of all models and hulls. Their texture is the hull's name.
pub(super) fn solids(
    hulls: &[HullSpec],
    models: &[ModelBrushes],
    solids: &[ModelSolids],
) -> String {
    let layers = models.iter().zip(solids).enumerate();
    let layers = layers.flat_map(|(model, (brushes, solids))| {
        let solids = hulls.iter().zip(solids).enumerate();
        solids.map(move |(number, (hull, solid))| {
            let texts = solid.brushes.iter().map(|expanded| {
                let brush = &brushes[expanded.brush.index()];
                let textures = std::iter::repeat(hull.name.clone());
                brush_text(brush, &expanded.cell, textures)
            });
            let name = format!("{}, {}", hull.name, model_name(model));
            layer(model * hulls.len() + number, &name, texts.collect())
        })
    });
    HEADER.to_owned() + &layers.collect::<String>()
}

fn model_name(model: usize) -> String {
    match model {
        0 => "world".to_owned(),
        _ => format!("model {model}"),
    }
}

/// A layer of brushes: a group to NetRadiant. Numbers from 0 on tell layers apart.
fn layer(number: usize, name: &str, brushes: String) -> String {
    let id = number + 1;
    format!(
        "{{\n\"classname\" \"func_group\"\n\"_tb_type\" \"_tb_layer\"\n\"_tb_name\" \"{name}\"\n\
         \"_tb_id\" \"{id}\"\n{brushes}}}\n"
    )
}

/// A brush of the map in the shape of a cell, with a texture for each face.
fn brush_text(brush: &Brush, cell: &Cell, textures: impl Iterator<Item = String>) -> String {
    let faces = cell.face_corners().zip(textures).map(|(corners, texture)| {
        let vertices = corners
            .iter()
            .map(|&corner| &cell.vertices()[corner as usize]);
        let positions: Vec<_> = vertices.map(|vertex| vertex.position).collect();
        let points = far_apart(&positions).map(|DVec3 { x, y, z }| format!("( {x} {y} {z} )"));
        format!("{} {texture} {ALIGNMENT}\n", points.join(" "))
    });
    format!("// {}\n{{\n{}}}\n", brush.source, faces.collect::<String>())
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

/// A name that the format can hold: without the folder that it implies, and without spaces and quotes.
fn texture(surface: &Surface) -> String {
    let name = String::from_utf8_lossy(&surface.name);
    let name = name.strip_prefix("textures/").unwrap_or(&name);
    let allowed = |letter: char| letter.is_ascii_graphic() && !"\"{}()".contains(letter);
    let letters = name
        .chars()
        .map(|letter| if allowed(letter) { letter } else { '_' });
    let name: String = letters.collect();
    if name.is_empty() {
        "unnamed".to_owned()
    } else {
        name
    }
}
