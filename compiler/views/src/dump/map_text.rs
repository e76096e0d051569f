//! Formats brushes as a Quake III `.map`, which TrenchBroom and NetRadiant open. Each model is a layer; in a dump of
//! expanded brushes, each hull of a model is one.

use onion_compiler::brush::{ModelBrushes, SolidBrush};
use onion_compiler::expand::{ModelCells, ModelSolids};
use onion_compiler::hull::HullSpec;
use onion_geometry::Cell;
use onion_maps::{Map, MapSurface};

use crate::editor_text::{HEADER, face, layer};

/// Formats the brushes of all models, with the textures of the map.
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

/// Formats the expanded brushes of all models and hulls. Their texture is the hull's name.
pub(super) fn solids(
    hulls: &[HullSpec],
    models: &[ModelBrushes],
    solids: &[ModelSolids],
    cells: &[ModelCells],
) -> String {
    let layers = models.iter().zip(solids).zip(cells).enumerate();
    let layers = layers.flat_map(|(model, ((brushes, solids), cells))| {
        let solids = hulls.iter().zip(solids).zip(cells).enumerate();
        solids.map(move |(number, ((hull, solid), cells))| {
            let texts = solid.brushes.iter().zip(cells).map(|(expanded, cell)| {
                let brush = &brushes[expanded.brush.index()];
                let textures = std::iter::repeat(hull.name.clone());
                brush_text(brush, cell, textures)
            });
            let name = format!("{}, {}", hull.name, model_name(model));
            layer(model * hulls.len() + number, &name, texts.collect())
        })
    });
    HEADER.to_owned() + &layers.collect::<String>()
}

/// Returns the name of a model in comments.
fn model_name(model: usize) -> String {
    match model {
        0 => "world".to_owned(),
        _ => format!("model {model}"),
    }
}

/// Formats a brush of the map in the shape of a cell, with a texture for each face.
fn brush_text(brush: &SolidBrush, cell: &Cell, textures: impl Iterator<Item = String>) -> String {
    let faces = cell.face_positions().zip(textures);
    let faces = faces.map(|(corners, texture)| face(&corners, &texture));
    format!("// {}\n{{\n{}}}\n", brush.source, faces.collect::<String>())
}

/// Returns a name that the format can represent: without the folder that the format implies, and without spaces and
/// quotes.
fn texture(surface: &MapSurface) -> String {
    let path = String::from_utf8_lossy(&surface.name);
    let bare = path.strip_prefix("textures/").unwrap_or(&path);
    let allowed = |letter: char| letter.is_ascii_graphic() && !"\"{}()".contains(letter);
    let name = bare.replace(|letter| !allowed(letter), "_");
    if name.is_empty() {
        "unnamed".to_owned()
    } else {
        name
    }
}
