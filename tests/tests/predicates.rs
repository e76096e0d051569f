//! Predicates against big-integer arithmetic, in general position and in the degenerate places
//! where a filter must not guess: coplanar, coincident and nearly parallel planes, vertices exactly
//! on planes, small and large coordinates.

use dashu_int::IBig;
use nalgebra::Vector3;
use onion_tests::random::Random;
use onionc::geometry::{Location, Plane, PlaneSet, Vertex};
use rayon::prelude::*;

const CASES: u64 = 2_000_000;

#[test]
fn vertices_lie_where_big_integers_say() {
    let counts: Vec<[u64; 3]> = (0..CASES)
        .into_par_iter()
        .map(|case| check(&mut Random::new(case)))
        .collect();
    let totals = counts.iter().fold([0; 3], |totals: [u64; 3], one| {
        std::array::from_fn(|at| totals[at] + one[at])
    });
    let [behind, on, ahead] = totals;
    println!("{behind} behind, {on} on, {ahead} in front");
    // Degenerate cases are what this is about: they must be there in numbers.
    assert!(
        behind > CASES / 10 && on > CASES / 10 && ahead > CASES / 10,
        "{totals:?}"
    );
}

fn check(random: &mut Random) -> [u64; 3] {
    let mut set = PlaneSet::default();
    let planes: Vec<Plane> = four_planes(random);
    let ids: Vec<_> = planes.iter().map(|&plane| set.insert(plane)).collect();
    let Some(vertex) = Vertex::new(&set, [ids[0], ids[1], ids[2]]) else {
        assert_eq!(determinant3(&planes), IBig::ZERO, "{planes:?}");
        return [0; 3];
    };
    let mut counts = [0; 3];
    for (id, plane) in [(ids[3], planes[3]), (ids[3].flipped(), planes[3].flipped())] {
        let found = vertex.locate(&set, id);
        let truth = location(&planes, &plane);
        assert_eq!(found, truth, "{planes:?}");
        counts[found as usize] += 1;
    }
    counts
}

/// Three planes for a vertex and one to locate it at, in one of several degenerate ways.
fn four_planes(random: &mut Random) -> Vec<Plane> {
    let mut planes: Vec<Plane> = (0..3).map(|_| plane(random)).collect();
    let last = match random.below(6) {
        // Through the vertex: a whole combination of two of its planes.
        0 => combination(&planes[0], &planes[1]),
        // The same plane, or one that is off by the smallest distance.
        1 => Plane {
            dist: planes[2].dist + random.below(3) as i64 - 1,
            ..planes[2]
        },
        // Nearly parallel.
        2 => {
            let mut tilted = planes[0];
            tilted.normal[random.below(3)] += random.below(5) as i64 - 2;
            tilted
        }
        // Axial planes through a common point of the grid.
        3 => {
            let at = (random.below(1 << 18) as i64 - (1 << 17)) << 34;
            planes = (0..3).map(|axis| Plane::axial(axis, true, at)).collect();
            let axis = random.below(3);
            Plane::axial(axis, true, at + random.below(3) as i64 - 1)
        }
        _ => plane(random),
    };
    planes.push(last);
    planes
}

fn plane(random: &mut Random) -> Plane {
    // Distances from the smallest to beyond 16 bits of units.
    let bits = 20 + random.below(33);
    let dist = (random.bits() >> (64 - bits)) as i64 - (1 << (bits - 1));
    if random.below(2) == 0 {
        return Plane::axial(random.below(3), random.below(2) == 0, dist);
    }
    let mut normal = random.direction();
    if random.below(4) == 0 {
        // Coarse directions, as editors make them.
        normal = normal.map(|x| (x * 4.0).round() / 4.0 + 1e-9);
        let length = normal.iter().map(|x| x * x).sum::<f64>().sqrt();
        normal = normal.map(|x| x / length);
    }
    let one = (1u64 << 30) as f64;
    let normal = Vector3::from(normal.map(|x| (x * one).round() as i64));
    Plane { normal, dist }
}

/// A plane through the line where two planes meet, as near to unit length as whole numbers allow.
fn combination(a: &Plane, b: &Plane) -> Plane {
    let sum = Plane {
        normal: a.normal + b.normal,
        dist: a.dist.saturating_add(b.dist),
    };
    let halves = sum.normal.iter().all(|x| x % 2 == 0) && sum.dist % 2 == 0;
    if halves {
        Plane {
            normal: sum.normal / 2,
            dist: sum.dist / 2,
        }
    } else {
        sum
    }
}

fn big(vector: &Vector3<i64>) -> [IBig; 3] {
    [
        IBig::from(vector.x),
        IBig::from(vector.y),
        IBig::from(vector.z),
    ]
}

fn cross(a: &[IBig; 3], b: &[IBig; 3]) -> [IBig; 3] {
    let minor = |i: usize, j: usize| &a[i] * &b[j] - &a[j] * &b[i];
    [minor(1, 2), minor(2, 0), minor(0, 1)]
}

fn dot(a: &[IBig; 3], b: &[IBig; 3]) -> IBig {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

fn determinant3(planes: &[Plane]) -> IBig {
    let [a, b, c] = [0, 1, 2].map(|at| big(&planes[at].normal));
    dot(&a, &cross(&b, &c))
}

/// Where the meeting point of the first three planes lies, by Cramer's rule.
fn location(planes: &[Plane], plane: &Plane) -> Location {
    let [a, b, c] = [0, 1, 2].map(|at| big(&planes[at].normal));
    let dists = [0, 1, 2].map(|at| IBig::from(planes[at].dist));
    let minors = [cross(&b, &c), cross(&c, &a), cross(&a, &b)];
    let w = dot(&a, &minors[0]);
    let point: [IBig; 3] =
        std::array::from_fn(|axis| (0..3).map(|at| &dists[at] * &minors[at][axis]).sum());
    let ahead = dot(&big(&plane.normal), &point) - IBig::from(plane.dist) * &w;
    let ahead = ahead * w.signum();
    match ahead.cmp(&IBig::ZERO) {
        std::cmp::Ordering::Less => Location::Back,
        std::cmp::Ordering::Equal => Location::On,
        std::cmp::Ordering::Greater => Location::Front,
    }
}
