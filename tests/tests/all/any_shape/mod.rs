//! Shapes of any size among all brushes of a map: facts worked out by hand, boxes of the compiled hulls
//! against the traces of the hulls, random boxes against the oracle, and the contents of points against
//! the planes of all brushes.

mod boxes;
pub(crate) mod contents;
mod facts;
mod hulls;

use onion_compiler::hull::HullSpec;
use onion_runtime::shape::{Shape, ShapeTrace};
use onion_runtime::{Aabb, OnionMap};
use onion_tests::cases::sample_case;
use onion_tests::fixtures::compiled;
use onion_tests::oracle::Answer;
use onion_tests::subject::HULLS;

/// Contents of brushes in maps: solid, lava, water, and player clip.
const SOLID: u32 = 1;
const LAVA: u32 = 8;
const WATER: u32 = 32;
const PLAYERCLIP: u32 = 0x1_0000;

/// The solids of file and oracle may differ by this, in units: planes of files are on a grid, the oracle's planes are
/// not.
const SHELL: f64 = 1e-5;

/// A box that is larger by this does not slip through a seam, in units.
const LARGER: f64 = 1.0 / (1u64 << 18) as f64;

/// Distance to keep from the surface that is hit, in units.
const MARGIN: f64 = 1.0 / 32.0;

fn sample(name: &str) -> OnionMap<Vec<u8>> {
    let map = &sample_case(name).map;
    let file = compiled(map, &HULLS, |options| options.brushes = true);
    OnionMap::from_bytes(file.bytes).unwrap()
}

fn shape_of(hull: &HullSpec) -> Shape {
    let [mins, maxs] = [hull.mins, hull.maxs].map(|corner| corner.map(f64::from));
    Shape::axial_box(Aabb::new(mins, maxs)).unwrap()
}

/// Returns boxes that are larger than a hull on one side, each of which does not slip through a seam there.
fn larger_shapes_of(hull: &HullSpec) -> [Shape; 6] {
    let corners = [hull.mins, hull.maxs].map(|corner| corner.map(f64::from));
    std::array::from_fn(|side| {
        let [mut mins, mut maxs] = corners;
        if side < 3 {
            mins[side] -= LARGER;
        } else {
            maxs[side - 3] += LARGER;
        }
        Shape::axial_box(Aabb::new(mins, maxs)).unwrap()
    })
}

/// Converts a trace to the form that the oracle's sandwich rule takes.
fn answer<T>(trace: &ShapeTrace<'_, T>) -> Answer {
    Answer {
        start_solid: trace.start_solid,
        all_solid: trace.all_solid,
        hit: trace.hit.is_some().then_some(trace.hit_fraction),
    }
}
