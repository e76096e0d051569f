//! Target: brushes with sloped sides, anywhere and of any size, and traces among them against the oracle in floats:
//! some brushes within a thousandth of a unit of the real ones would give each answer.

use onion_compiler::hull::HullSpec;

use super::spans;
use super::target::{Target, count, random_of};
use crate::oracle::{HullWorld, Plane, box_planes, expand, sandwich};
use crate::queries::{KINDS, Queries, dot};
use crate::random::Random;
use crate::solid::map_of_all;
use crate::subject::{answer, compile_map, load};

/// The target.
pub static SOLIDS: Target = Target::new("solids", run, seeds, mutate);

/// Distance from the exact answer that still counts as correct, in units.
const SHELL: f64 = 0.001;
/// Bytes of the hull, of a brush, and of each of its sloped sides, which has a normal and a reach.
const HULL: usize = 3;
const BRUSH: usize = 16;
const SLOPE: usize = 4;
/// Limits on the number of brushes of an input, and on its traces of each kind.
const MOST: usize = 6;
const TRACES: usize = 1_000;

fn run(input: &[u8]) {
    let Some((hull, brushes)) = input.split_first_chunk::<HULL>() else {
        return;
    };
    let [width, below, above] = hull.map(|byte| f32::from(byte) / 8.0);
    let spec = HullSpec {
        name: "hull".to_owned(),
        mins: [-width, -width, -below],
        maxs: [width, width, above],
        sides: Vec::new(),
        contents: 1,
    };
    let (brushes, _) = brushes.as_chunks::<BRUSH>();
    let brushes: Vec<Vec<Plane>> = brushes.iter().take(MOST).map(planes).collect();
    let [mins, maxs] = [spec.mins, spec.maxs].map(|corner| corner.map(f64::from));
    let solids = brushes
        .iter()
        .filter_map(|planes| expand(planes, mins, maxs));
    let world = HullWorld::new(solids.collect());
    let Some(queries) = Queries::new(&world) else {
        return;
    };
    let compiled = compile_map(&map_of_all(&brushes), vec![spec]);
    let onion = load(&compiled);
    let hull = onion.hulls().next().unwrap().id;
    let model = onion.world().with_margin(0.0);
    let mut random = random_of(input);
    for kind in KINDS.into_iter().cycle().take(KINDS.len() * TRACES) {
        let [start, end] = queries.query(kind, &mut random);
        let trace = model.trace(hull, start, end);
        let judged = sandwich(&world, start, end, answer(&trace), SHELL);
        assert!(judged.is_ok(), "{kind:?}: {}", judged.unwrap_err());
        assert!(
            trace.start_solid || !model.is_solid(hull, trace.end_pos),
            "{trace:?}"
        );
    }
    count((KINDS.len() * TRACES) as u64);
}

/// Returns the planes of a brush, as a map stores them.
fn planes(bytes: &[u8; BRUSH]) -> Vec<Plane> {
    let (base, slopes) = bytes.split_at(BRUSH - 3 * SLOPE);
    let center = [0, 1, 2].map(|axis| f64::from(base[axis] as i8) * 1.25);
    let size = f64::from(base[3]) / 2.0 + 0.5;
    let mut planes = box_planes(center.map(|x| x - size), center.map(|x| x + size));
    for slope in slopes.chunks_exact(SLOPE) {
        let normal = [0, 1, 2].map(|axis| f64::from(slope[axis] as i8));
        let length = dot(normal, normal).sqrt();
        if length > 0.0 {
            let normal = normal.map(|x| f64::from((x / length) as f32));
            let reach = size * (0.2 + f64::from(slope[3]) / 256.0);
            planes.push((normal, f64::from((dot(normal, center) + reach) as f32)));
        }
    }
    planes
}

fn seeds() -> Vec<Vec<u8>> {
    let mut random = Random::new(3);
    let input = |n_brushes: usize, random: &mut Random| {
        (0..HULL + n_brushes * BRUSH)
            .map(|_| random.bits() as u8)
            .collect()
    };
    (0..12)
        .map(|number| input(1 + number / 2, &mut random))
        .collect()
}

fn mutate(input: &mut Vec<u8>, random: &mut Random) {
    // A whole brush beside another one, or with its slopes.
    spans::mutate_records::<BRUSH>(input, HULL, [1, 255, 128], random);
}
