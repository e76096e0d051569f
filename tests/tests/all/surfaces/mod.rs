//! Hits by name: the brush, side and surface that the runtime names, against facts worked out by hand and against the
//! oracle's names.

mod facts;
mod names;
mod small;

use onion_compiler::{CompileOptions, Grouping};
use onion_maps::Map;
use onion_runtime::{Coordinate, HullId, Model, OnionMap, Source, Trace};
use onion_tests::fixtures::compiled;

/// Normals of one plane computed in two ways agree to this.
const SAME_NORMAL: f64 = 1e-5;

/// Distances agree to this, in units, as far out as maps extend.
const SAME_DIST: f64 = 0.01;

/// Compiles a map in one tree for all hulls, without filling.
fn in_one_tree(map: &Map, hulls: &[&str]) -> OnionMap<Vec<u8>> {
    OnionMap::from_bytes(compiled(map, hulls, one_tree).bytes).unwrap()
}

fn one_tree(options: &mut CompileOptions) {
    options.grouping = Grouping::One;
}

/// The comparable parts of an answer.
#[derive(Clone, Debug, PartialEq)]
struct Answer {
    source: Source,
    model: usize,
    entity: Option<u32>,
    side: u32,
    is_bevel: bool,
    plane: ([f64; 3], f64),
    looks: Looks,
    contents: u32,
}

/// Name, flags and contents of a surface.
type Looks = (Vec<u8>, u32, u32);

fn answer<T: Coordinate>(model: &Model<'_>, hull: HullId, trace: &Trace<T>) -> Option<Answer> {
    let hit = model.hit(hull, trace).unwrap()?;
    let surface = hit.side.surface;
    Some(Answer {
        source: hit.brush.source,
        model: hit.brush.model,
        entity: hit.brush.entity,
        side: hit.side.number,
        is_bevel: hit.side.is_bevel,
        plane: (hit.side.normal, hit.side.dist),
        looks: (surface.name_bytes.to_vec(), surface.flags, surface.contents),
        contents: hit.brush.contents,
    })
}

/// Returns the hit of a hull, after checking that it is the same in both precisions.
fn hit_by(
    onion: &OnionMap<impl AsRef<[u8]>>,
    model: usize,
    hull: &str,
    [start, end]: [[f32; 3]; 2],
) -> Option<Answer> {
    let is_world = model == 0;
    let model = onion.model(model).unwrap();
    let hull = onion.find_hull(hull).unwrap();
    let trace = model.trace(hull, start, end);
    let named = answer(&model, hull, &trace);
    if is_world {
        assert_eq!(onion.world().hit(hull, &trace), model.hit(hull, &trace));
    }
    let wide = [start, end].map(|end| end.map(f64::from));
    let trace = model.with_margin(0.0).trace(hull, wide[0], wide[1]);
    assert_eq!(named, answer(&model, hull, &trace));
    named
}
