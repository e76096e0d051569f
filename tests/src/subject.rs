//! The compiler and runtime under test: a BSP file and hull options in, a compiled map and the
//! oracle's world of the same map out.

use std::f64::consts::{FRAC_PI_2, PI};

use onion_compiler::CompileOptions;
use onion_compiler::Compiled;
use onion_compiler::DEFAULT_PATCH_ERROR;
use onion_compiler::brush::{self, BrushSource};
use onion_compiler::compile;
use onion_compiler::fill::seeds::Fill;
use onion_compiler::group::grouping::Grouping;
use onion_compiler::hull::{HullOption, HullSpec, resolve};
use onion_format::MAX_PRISM_SIDES;
use onion_geometry::PlaneSet;
use onion_maps::{Map, ReadOptions};
use onion_runtime::{OnionMap, Trace};
use rayon::prelude::*;

use crate::oracle::names::Body;
use crate::oracle::{
    Answer, Expanded, HullWorld, NamedWorld, OracleBrush, OracleModel, OracleShaders, Summand,
    expand_by, expand_points_by, gltf, read_glb, read_models, read_shaders, read_text,
};
use crate::random::Random;

/// The hulls of most tests.
pub const HULLS: [&str; 3] = ["stand:16x56", "crouch:16x32", "point:point"];

/// Hulls that are prisms: around a cylinder and within one, and with a base that is not regular.
pub const PRISMS: [&str; 4] = [
    "round:cylinder:16x56",
    "many:cylinder:16x56:sides=32",
    "within:cylinder:15.3x32:sides=8:within",
    "skew:mins=-17,-9,-3:maxs=15,13,31:side=8,1:side=5,6:side=-3,4:contents=solid",
];

/// Makes a prism up to so large: of 4 to 32 sides, of which some are axial and some nearly parallel.
pub fn random_prism(name: &str, size: f64, random: &mut Random) -> HullSpec {
    let wanted = 2 + random.below(15);
    let mut angles: Vec<f64> = (0..wanted).map(|_| random.between(0.0, PI)).collect();
    match random.below(4) {
        0 => angles.extend([0.0, FRAC_PI_2]),
        1 => angles.push(angles[0] + 1e-3),
        _ => {}
    }
    angles.sort_by(f64::total_cmp);
    let mut sides: Vec<[i64; 2]> = Vec::new();
    for angle in angles {
        let length = 2048.0 * size / wanted as f64 * random.between(0.05, 1.0);
        let side = [angle.cos(), angle.sin()].map(|part| (length * part).round() as i64);
        let [x, y] = side;
        let is_next = sides.last().is_none_or(|last| last[0] * y > last[1] * x);
        if sides.len() < MAX_PRISM_SIDES && (y > 0 || y == 0 && x > 0) && is_next {
            sides.push(side);
        }
    }
    if sides.len() < 2 {
        return random_prism(name, size, random);
    }
    let extent = |axis: usize| sides.iter().map(|side| 2 * side[axis].abs()).sum::<i64>();
    let height = 1 + (2048.0 * random.between(0.0, 2.0 * size)) as i64;
    let low = random
        .point([-size; 3], [size; 3])
        .map(|low| (2048.0 * low) as i64);
    let high = [low[0] + extent(0), low[1] + extent(1), low[2] + height];
    let units = |steps: i64| steps as f32 / 2048.0;
    HullSpec {
        name: name.to_owned(),
        mins: low.map(units),
        maxs: high.map(units),
        sides: sides.into_iter().map(|side| side.map(units)).collect(),
        contents: 1,
    }
}

/// Resolves hulls from the text of `--hull` options.
pub fn hulls(options: &[&str]) -> Vec<HullSpec> {
    let parsed = options
        .iter()
        .map(|text| text.parse::<HullOption>().unwrap());
    resolve(&parsed.collect::<Vec<_>>(), None).unwrap()
}

/// Reads a map as the compiler does.
pub fn parse(bytes: &[u8]) -> Map {
    onion_maps::parse(bytes, &ReadOptions::default()).unwrap()
}

/// Compiles a map without filling: space that cannot be reached stays empty, as it is for the oracle.
pub fn compile_map(map: &Map, hulls: Vec<HullSpec>) -> Compiled {
    compile_filled(map, hulls, Fill::Off)
}

/// Compiles a map without filling, with its brushes, for shapes of any size.
pub fn compile_with_brushes(map: &Map, hulls: Vec<HullSpec>) -> Compiled {
    let options = CompileOptions {
        fill: Fill::Off,
        brushes: true,
        ..CompileOptions::new(hulls)
    };
    compile(map, &options).unwrap()
}

/// Compiles a map, filled from some entities.
pub fn compile_filled(map: &Map, hulls: Vec<HullSpec>, fill: Fill) -> Compiled {
    let options = CompileOptions {
        fill,
        ..CompileOptions::new(hulls)
    };
    compile(map, &options).unwrap()
}

/// Does the same in one tree for all hulls.
pub fn compile_in_one_tree(map: &Map, hulls: Vec<HullSpec>, fill: Fill) -> Compiled {
    let options = CompileOptions {
        fill,
        grouping: Grouping::One,
        ..CompileOptions::new(hulls)
    };
    compile(map, &options).unwrap()
}

/// A piece that stands for a part of a patch.
struct Piece {
    contents: u32,
    corners: Vec<[f64; 3]>,
    /// Index of the patch among the draw surfaces.
    surface: usize,
}

/// Returns the pieces that stand for patches, by model. The compiler chooses where to flatten a curved surface, so
/// the oracle takes the pieces as given; another test bounds their error. Pieces may be narrower than a millionth of
/// a unit, so they are kept as corners, which are more precise than planes.
fn patch_pieces(map: &Map) -> Vec<Vec<Piece>> {
    let mut set = PlaneSet::default();
    let models = brush::build(map, DEFAULT_PATCH_ERROR, &mut set, &mut Vec::new()).unwrap();
    let piece = |brush: &brush::SolidBrush| {
        let BrushSource::Patch(surface) = brush.source else {
            return None;
        };
        let corners = brush.cell.vertices().iter();
        let corners = corners.map(|vertex| vertex.position.to_array());
        Some(Piece {
            contents: brush.contents,
            corners: corners.collect(),
            surface,
        })
    };
    let of_model = |brushes: &Vec<brush::SolidBrush>| brushes.iter().filter_map(piece).collect();
    models.iter().map(of_model).collect()
}

/// Returns the settings with which a scene was read, for the oracle.
fn reading(map: &Map) -> gltf::Reading {
    gltf::Reading {
        y_up: map.reading.up == onion_maps::Up::Y,
        scale: map.reading.scale,
        all_meshes: map.reading.all_meshes,
    }
}

/// The oracle's view of a map, which gives the solid of each hull in each model.
pub struct OracleWorlds {
    models: Vec<OracleModel>,
    shaders: OracleShaders,
    pieces: Vec<Vec<Piece>>,
}

impl OracleWorlds {
    /// Reads a map with the oracle's own reader.
    pub fn new(bytes: &[u8], map: &Map) -> Self {
        Self {
            models: match map.format.strip_prefix("map text, ") {
                Some(game) => read_text(bytes, game).unwrap(),
                None if bytes.starts_with(b"glTF") => read_glb(bytes, reading(map)).unwrap(),
                None => read_models(bytes).unwrap(),
            },
            // Only Quake III's maps have shaders that tests query.
            shaders: read_shaders(bytes).unwrap_or_default(),
            pieces: patch_pieces(map),
        }
    }

    /// Returns the map's shaders.
    pub fn shaders(&self) -> &OracleShaders {
        &self.shaders
    }

    /// Returns everything that blocks a hull in a model.
    pub fn world(&self, model: usize, hull: &HullSpec) -> HullWorld {
        let solids = self.solids(model, hull, |_| (), |_| ());
        HullWorld::new(solids.into_iter().map(|(solid, ())| solid).collect())
    }

    /// Returns the pieces of patches that block a hull in a model.
    pub fn patches(&self, model: usize, hull: &HullSpec) -> HullWorld {
        let solids = self.solids(model, hull, |_| false, |_| true);
        let pieces = solids.into_iter().filter(|(_, is_piece)| *is_piece);
        HullWorld::new(pieces.map(|(solid, _)| solid).collect())
    }

    /// Returns everything that blocks a hull in a model, with names.
    pub fn named_world(&self, model: usize, hull: &HullSpec) -> NamedWorld {
        let patch = |piece: &Piece| {
            let shader = self.shaders.of_surfaces[piece.surface];
            Body::Patch {
                surface: piece.surface,
                shader,
                contents: self.shaders.shaders[shader].contents,
            }
        };
        let brush = |brush: &OracleBrush| Body::brush(brush).unwrap();
        NamedWorld::new(self.solids(model, hull, brush, patch), summand_of(hull))
    }

    /// Returns the solids that block a hull in a model, expanded, each with the result of `of_brush` or `of_piece`:
    /// brushes in the order of the file, then pieces of patches.
    fn solids<T: Send>(
        &self,
        model: usize,
        hull: &HullSpec,
        of_brush: impl Fn(&OracleBrush) -> T + Sync,
        of_piece: impl Fn(&Piece) -> T + Sync,
    ) -> Vec<(Expanded, T)> {
        let summand = summand_of(hull);
        let brushes = self.models[model].brushes.par_iter();
        let brushes = brushes
            .filter(|brush| brush.contents & hull.contents != 0)
            .filter_map(|brush| Some((expand_by(&brush.planes, &summand)?, of_brush(brush))));
        let pieces = self.pieces[model].par_iter();
        let pieces = pieces
            .filter(|piece| piece.contents & hull.contents != 0)
            .filter_map(|piece| {
                let solid = expand_points_by(&piece.corners, &summand)?;
                Some((solid, of_piece(piece)))
            });
        brushes.chain(pieces).collect()
    }
}

/// Returns a hull for the oracle.
pub fn summand_of(hull: &HullSpec) -> Summand {
    let [mins, maxs] = [hull.mins, hull.maxs].map(|corner| corner.map(f64::from));
    let halves = hull.sides.iter().map(|half| half.map(f64::from));
    Summand::new(mins, maxs, &halves.collect::<Vec<_>>()).unwrap()
}

/// Loads a compiled map.
pub fn load(compiled: &Compiled) -> OnionMap<&[u8]> {
    OnionMap::from_bytes(compiled.bytes.as_slice()).unwrap()
}

/// Converts a trace to the form that the oracle's sandwich rule takes.
pub fn answer<T>(trace: &Trace<T>) -> Answer {
    Answer {
        start_solid: trace.start_solid,
        all_solid: trace.all_solid,
        hit: trace.plane.is_some().then_some(trace.hit_fraction),
    }
}
