//! Segments in and around the sample maps, of the kinds on which readers differ: through edges and corners, in planes
//! of the tree and slightly beside them, very short and very long ones, and coordinates that are not numbers.

pub use crate::oracle::vec3::along;
use crate::random::Random;

/// Segments begin and end within this box, in units: roughly the extent of the rooms in the sample maps.
const MINS: [f64; 3] = [-336.0, -336.0, -48.0];
const MAXS: [f64; 3] = [336.0, 336.0, 208.0];

/// Most planes of the sample maps and their hulls are at multiples of this, in units.
const GRID: f64 = 8.0;

/// The domain of queries, in units; see FORMAT.md.
const DOMAIN: f64 = (1u64 << 30) as f64;

/// The smallest step beyond the domain in whole numbers, in units.
const BEYOND: f64 = DOMAIN + 1.0;

/// Picks a point whose coordinates are multiples of the grid.
fn grid_point(random: &mut Random) -> [f64; 3] {
    std::array::from_fn(|axis| {
        let n_steps = ((MAXS[axis] - MINS[axis]) / GRID) as usize;
        MINS[axis] + GRID * random.below(n_steps + 1) as f64
    })
}

/// Returns the segment between two places.
pub fn join([a, b, c]: [f64; 3], [d, e, f]: [f64; 3]) -> [f64; 6] {
    [a, b, c, d, e, f]
}

/// Picks a direction as slanted as ramps and wedges are, along an axis, or along a diagonal.
pub fn slanted(random: &mut Random) -> [f64; 3] {
    std::array::from_fn(|_| [-2.0, -1.0, 0.0, 0.0, 1.0, 2.0][random.below(6)])
}

/// Returns zero, or a length on the order of the touching tolerance or the thickness of a plane, in units.
fn hair(random: &mut Random) -> f64 {
    [0.0, 2f64.powi(-18 - random.below(18) as i32)][random.below(2)]
}

/// Makes a segment through a place, to it, or slightly past it, in a slanted direction; some come from far away.
pub fn through(place: [f64; 3], random: &mut Random) -> [f64; 6] {
    let direction = slanted(random);
    let middle = along(place, random.direction(), hair(random));
    let near = GRID * random.below(9) as f64;
    let far = 2f64.powf(random.between(10.0, 28.0));
    let before = [near, near, near, far][random.below(4)];
    let after = GRID * random.below(9) as f64;
    join(
        along(middle, direction, -before),
        along(middle, direction, after),
    )
}

/// Makes a segment of one of several kinds, in turn.
fn segment(kind: usize, random: &mut Random) -> [f64; 6] {
    let anywhere = |random: &mut Random| random.point(MINS, MAXS);
    match kind % 12 {
        // Between any two places, and short segments.
        0 => join(anywhere(random), anywhere(random)),
        1 => {
            let start = anywhere(random);
            join(start, along(start, random.direction(), 32.0))
        }
        // Usually in planes of the tree or almost: along an axis, and in a plane of two axes.
        2 | 3 => {
            let mut start = grid_point(random);
            let mut end = grid_point(random);
            let axis = random.below(3);
            end[axis] = start[axis];
            if kind % 12 == 2 {
                end[(axis + 1) % 3] = start[(axis + 1) % 3];
            }
            start[axis] += hair(random);
            end[axis] += hair(random);
            join(start, end)
        }
        // Through edges and corners, or past them.
        4..=8 => through(grid_point(random), random),
        // From a place to itself.
        9 => {
            let points = [anywhere(random), grid_point(random)];
            let point = points[random.below(2)];
            join(point, point)
        }
        // About as short as the touching tolerance.
        10 => {
            let start = grid_point(random);
            let length = 2f64.powi(-(random.below(40) as i32));
            join(start, along(start, random.direction(), length))
        }
        // Not numbers, or at the end of the domain and beyond.
        _ => {
            let strange = [
                f64::NAN,
                f64::INFINITY,
                -f64::INFINITY,
                -0.0,
                f64::MIN_POSITIVE,
                1e300,
                DOMAIN,
                -DOMAIN,
                BEYOND,
                -BEYOND,
            ];
            let mut points = [anywhere(random), grid_point(random)];
            points[random.below(2)][random.below(3)] = strange[random.below(strange.len())];
            join(points[0], points[1])
        }
    }
}

/// Makes segments of all kinds, in turn.
pub fn segments(count: usize, seed: u64) -> Vec<[f64; 6]> {
    let mut random = Random::new(seed);
    (0..count).map(|kind| segment(kind, &mut random)).collect()
}
