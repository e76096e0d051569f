//! Predicates against big integers, millions of times: a point (where three planes meet, or the mean of such points)
//! and a plane, in general position and in cases in which a filter must not guess: coincident, coplanar and nearly
//! parallel planes, planes through common lines and points, whole coordinates of 16 and 17 bits, distances off by the
//! smallest step there is.

use dashu_int::IBig;
use nalgebra::Vector3;
use onion_geometry::grid::{DIST_LIMIT, DIST_ONE, NORMAL_ONE};
use onion_geometry::{ExactPlane, Location, PlaneSet, PointH, Vertex};
use onion_tests::effort::Cases;
use onion_tests::random::Random;
use rayon::prelude::*;

/// Number of planes against which one vertex or mean is located.
const PROBES: u64 = 12;

/// Number of vertices that are tried: in about one of six, the planes do not meet in a point.
const VERTICES: Cases = Cases::new(200_000, 3_000_000);

/// Number of means that are tried.
const MEANS: Cases = Cases::new(75_000, 1_000_000);

/// Number of pairs of vertices for which a supporting plane is computed, and their largest coordinate, in units.
const SUPPORTS: Cases = Cases::new(20_000, 200_000);
const REACH: f64 = 65_536.0;

/// The relative positions of the planes of a vertex.
#[derive(Clone, Copy, Debug)]
enum Family {
    /// In general position.
    General,
    /// Axial, on whole coordinates.
    Axial,
    /// All of them exactly through one whole point.
    Point,
    /// The same, and two of them nearly parallel.
    Needle,
    /// Two or all of them exactly through one line of whole direction.
    Line,
    /// Two of them with equal or opposite normals: the same plane, or apart by a few steps.
    Twins,
}

const FAMILIES: [Family; 6] = [
    Family::General,
    Family::Axial,
    Family::Point,
    Family::Needle,
    Family::Line,
    Family::Twins,
];

#[test]
fn points_lie_where_big_integers_say() {
    let run = |tries: Cases, check: fn(&mut Random) -> [u64; 3]| {
        let counts = (0..tries.count() as u64)
            .into_par_iter()
            .map(|seed| check(&mut Random::new(seed)));
        counts.reduce(|| [0; 3], |a, b| std::array::from_fn(|at| a[at] + b[at]))
    };
    let [vertices, means] = [run(VERTICES, check_vertex), run(MEANS, check_mean)];
    println!("behind, on, in front: vertices {vertices:?}, means {means:?}");
    let n_cases: u64 = vertices.iter().chain(&means).sum();
    let least = PROBES * (VERTICES.count() + MEANS.count()) as u64 * 3 / 4;
    assert!(n_cases >= least, "only {n_cases} cases");
    // Degenerate cases are the purpose of the test: there must be enough of them.
    assert!(vertices[Location::On as usize] > least / 5, "{vertices:?}");
    assert!(vertices.iter().all(|&n| n > least / 10), "{vertices:?}");
    assert!(means.iter().all(|&n| n > least / 100), "{means:?}");
}

/// Of two vertices that are a few of the smallest steps apart, f64 often takes the wrong one for the farther one
/// along a normal. A supporting plane has both behind it or in it, and the plane one step nearer does not.
#[test]
fn supporting_planes_are_as_near_as_big_integers_say() {
    let mut random = Random::new(5);
    let (mut n_cases, mut n_apart) = (0, 0);
    while n_cases < SUPPORTS.count() {
        let planes = three_planes(&mut random);
        let beside = [planes[0], planes[1], stepped(planes[2], &mut random)];
        let mut set = PlaneSet::default();
        let mut vertex = |planes: &[ExactPlane; 3]| {
            let ids = planes.map(|plane| set.insert(plane));
            let vertex = Vertex::new(&set, ids)?;
            let is_near = vertex.position.abs().max_element() < REACH;
            is_near.then_some((vertex, Truth::meet(planes)?))
        };
        let Some((one, other)) = vertex(&planes).zip(vertex(&beside)) else {
            continue;
        };
        let (vertices, truths) = ([one.0, other.0], [one.1, other.1]);
        let normal = normal(&mut random);
        let supporting = Vertex::supporting_plane(&set, &vertices, normal);
        let is_ahead = |dist: i64, truth: &Truth| {
            let plane = ExactPlane { normal, dist };
            truth.location(&plane) == Location::Front
        };
        let nearer = truths
            .each_ref()
            .map(|truth| is_ahead(supporting.dist - 1, truth));
        assert!(nearer[0] || nearer[1], "{planes:?} {supporting:?}");
        for truth in &truths {
            assert!(
                !is_ahead(supporting.dist, truth),
                "{planes:?} {supporting:?}"
            );
        }
        n_cases += 1;
        n_apart += usize::from(nearer[0] != nearer[1]);
    }
    assert!(n_apart > n_cases / 4, "{n_apart} of {n_cases}");
}

/// Locates the vertex of a family at planes of all kinds, and counts the cases by location.
fn check_vertex(random: &mut Random) -> [u64; 3] {
    let mut set = PlaneSet::default();
    let planes = three_planes(random);
    let ids = planes.map(|plane| set.insert(plane));
    let truth = Truth::meet(&planes);
    let Some(vertex) = Vertex::new(&set, ids) else {
        assert!(truth.is_none(), "{planes:?}");
        return [0; 3];
    };
    let truth = truth.unwrap_or_else(|| panic!("no point in common: {planes:?}"));
    let point = vertex.point(&set);
    let mut counts = [0; 3];
    for _ in 0..PROBES {
        let probe = probe(random, &planes, vertex.position.to_array());
        let id = set.insert(probe);
        let expected = truth.location(&probe);
        let found = [
            vertex.locate(&set, id),
            vertex.locate(&set, id.flipped()).flipped(),
            point.locate(&set[id]),
            point.locate(&set[id.flipped()]).flipped(),
        ];
        assert_eq!(found, [expected; 4], "{planes:?} {probe:?}");
        counts[expected as usize] += 1;
    }
    counts
}

/// Does the same for the weighted mean of vertices in one plane, like those that cells have in their faces: it lies
/// in that plane too.
fn check_mean(random: &mut Random) -> [u64; 3] {
    let mut set = PlaneSet::default();
    let [shared, other, _] = three_planes(random);
    let mut points: Vec<(PointH, Truth, i64)> = Vec::new();
    for _ in 0..4 {
        let [_, second, third] = three_planes(random);
        let planes = [shared, second, third];
        let ids = planes.map(|plane| set.insert(plane));
        // The weight of a point depends on the numbers of its planes, which the set may have first seen as smaller
        // multiples.
        let planes = ids.map(|id| set[id].plane);
        if let Some((vertex, truth)) = Vertex::new(&set, ids).zip(Truth::meet(&planes)) {
            points.push((vertex.point(&set), truth, 1 + random.below(512) as i64));
        }
    }
    if points.is_empty() {
        return [0; 3];
    }
    let weighted = points.iter().map(|(point, _, n)| (*point, i128::from(*n)));
    let mean = PointH::weighted_mean(weighted).unwrap();
    let truth = Truth::mean(points.iter().map(|(_, truth, n)| (truth, *n)));
    let mut counts = [0; 3];
    for _ in 0..PROBES {
        let probe = probe(random, &[shared, shared, other], mean.position.to_array());
        let id = set.insert(probe);
        let expected = truth.location(&probe);
        let found = [
            mean.locate(&set[id]),
            mean.locate(&set[id.flipped()]).flipped(),
        ];
        assert_eq!(found, [expected; 2], "{points:?} {probe:?}");
        counts[expected as usize] += 1;
    }
    counts
}

/// Makes the planes of a vertex, of any family.
fn three_planes(random: &mut Random) -> [ExactPlane; 3] {
    let at = whole_point(random);
    let mut planes = match FAMILIES[random.below(FAMILIES.len())] {
        Family::General => [0; 3].map(|_| plane(random)),
        Family::Axial => {
            [0, 1, 2].map(|axis| ExactPlane::whole(axis, random.below(2) == 0, at[axis]))
        }
        Family::Point => [0; 3].map(|_| through(normal(random), at)),
        Family::Needle => {
            let first = normal(random);
            [first, tilted(first, random), normal(random)].map(|normal| through(normal, at))
        }
        Family::Line => {
            let pencil = Pencil::new(random);
            let third = match random.below(8) {
                0 => pencil.normal(random),
                _ => normal(random),
            };
            [pencil.normal(random), pencil.normal(random), third].map(|normal| through(normal, at))
        }
        Family::Twins => {
            let first = plane(random);
            [first, stepped(first, random), plane(random)]
        }
    };
    for plane in &mut planes {
        if random.below(2) == 0 {
            *plane = plane.flipped();
        }
    }
    planes.rotate_left(random.below(3));
    planes
}

/// Makes a plane to locate a point against, near it in one of several ways.
fn probe(random: &mut Random, planes: &[ExactPlane; 3], point: [f64; 3]) -> ExactPlane {
    let own = planes[random.below(3)];
    let nearest = point.map(|x| x.clamp(-65_536.0, 65_536.0).round() as i64);
    let probe = match random.below(9) {
        // One of the point's own planes; one beside it; or a parallel one as close as possible.
        0 => own,
        1 => stepped(own, random),
        // Nearly parallel to one of the point's own planes, through a whole point or at the same distance.
        2 => through(tilted(own.normal, random), nearest),
        3 => ExactPlane {
            normal: tilted(own.normal, random),
            ..own
        },
        // Through the line where two of its planes meet: their sum.
        4 => sum(&planes[0], &planes[1]),
        // Through the whole point next to it, in any direction, exactly or almost.
        5 => through(normal(random), nearest),
        6 => stepped(through(normal(random), nearest), random),
        // As close to the point as the grid and rounding allow, in any direction.
        7 => {
            let normal = normal(random);
            let along = (0..3).map(|axis| normal[axis] as f64 / NORMAL_ONE as f64 * point[axis]);
            let dist = (along.sum::<f64>() * DIST_ONE as f64).round() as i64;
            // Points of needles may be anywhere; planes may not.
            let dist = dist.clamp(-DIST_LIMIT, DIST_LIMIT);
            stepped(ExactPlane { normal, dist }, random)
        }
        _ => plane(random),
    };
    if probe.dist.abs() < DIST_LIMIT {
        probe
    } else {
        plane(random)
    }
}

/// Picks a point with whole coordinates of few, of 16 or of 17 bits.
fn whole_point(random: &mut Random) -> [i64; 3] {
    let bits = [4, 10, 16, 17][random.below(4)];
    [0; 3].map(|_| random.below(1 << bits) as i64 - (1 << (bits - 1)))
}

/// Returns the plane with a normal exactly through a point with whole coordinates.
fn through(normal: Vector3<i64>, at: [i64; 3]) -> ExactPlane {
    let dist = normal.dot(&Vector3::from(at)) * (DIST_ONE / NORMAL_ONE);
    ExactPlane { normal, dist }
}

/// Returns a parallel plane at most two steps of the grid away; one step is 2^-36 units.
fn stepped(plane: ExactPlane, random: &mut Random) -> ExactPlane {
    let dist = plane.dist + random.below(5) as i64 - 2;
    ExactPlane { dist, ..plane }
}

/// Returns a normal tilted by a few steps of the grid; one step is 2^-30.
fn tilted(mut normal: Vector3<i64>, random: &mut Random) -> Vector3<i64> {
    normal[random.below(3)] += random.below(5) as i64 - 2;
    normal
}

/// Normals of planes through a line of whole direction.
struct Pencil([Vector3<i64>; 2]);

impl Pencil {
    fn new(random: &mut Random) -> Self {
        let direction = loop {
            let direction = Vector3::from([0; 3].map(|_| random.below(9) as i64 - 4));
            if direction != Vector3::zeros() {
                break direction;
            }
        };
        // Two whole vectors orthogonal to it and to each other.
        let first = match direction.x.abs() + direction.y.abs() {
            0 => Vector3::x(),
            _ => Vector3::new(-direction.y, direction.x, 0),
        };
        Self([first, direction.cross(&first)])
    }

    fn normal(&self, random: &mut Random) -> Vector3<i64> {
        let angle = random.between(0.0, std::f64::consts::TAU);
        let [first, second] = self.0;
        let scaled = |vector: Vector3<i64>, part: f64| {
            let length = (vector.dot(&vector) as f64).sqrt();
            vector * (part * NORMAL_ONE as f64 / length).round() as i64
        };
        scaled(first, angle.cos()) + scaled(second, angle.sin())
    }
}

/// Makes a unit normal: axial, coarse like those of editors, or in general position.
fn normal(random: &mut Random) -> Vector3<i64> {
    let kind = random.below(4);
    if kind == 0 {
        return ExactPlane::whole(random.below(3), random.below(2) == 0, 0).normal;
    }
    let mut normal = random.direction();
    if kind == 1 {
        normal = normal.map(|x| (x * 4.0).round() / 4.0 + 1e-9);
        let length = normal.iter().map(|x| x * x).sum::<f64>().sqrt();
        normal = normal.map(|x| x / length);
    }
    Vector3::from(normal.map(|x| (x * NORMAL_ONE as f64).round() as i64))
}

/// Makes any plane; distances range from the smallest to the largest.
fn plane(random: &mut Random) -> ExactPlane {
    let bits = 20 + random.below(33);
    let dist = (random.bits() >> (64 - bits)) as i64 - (1 << (bits - 1));
    let normal = normal(random);
    ExactPlane { normal, dist }
}

/// Returns a plane through the line where two planes meet, as near to unit length as whole numbers allow.
fn sum(a: &ExactPlane, b: &ExactPlane) -> ExactPlane {
    let normal = a.normal + b.normal;
    let dist = a.dist + b.dist;
    let halves = normal.iter().all(|x| x % 2 == 0) && dist % 2 == 0;
    if normal == Vector3::zeros() {
        *a
    } else if halves {
        ExactPlane {
            normal: normal / 2,
            dist: dist / 2,
        }
    } else {
        ExactPlane { normal, dist }
    }
}

/// A point in homogeneous coordinates, in units of 1/64; `w` is above 0.
#[derive(Debug)]
struct Truth {
    xyz: [IBig; 3],
    w: IBig,
}

impl Truth {
    /// Returns the point where three planes meet, by Cramer's rule, or `None` if they have no single point in common.
    fn meet(planes: &[ExactPlane; 3]) -> Option<Self> {
        let [a, b, c] = [0, 1, 2].map(|at| big(&planes[at].normal));
        let dists = [0, 1, 2].map(|at| IBig::from(planes[at].dist));
        let minors = [cross(&b, &c), cross(&c, &a), cross(&a, &b)];
        let w = dot(&a, &minors[0]);
        let sign = w.signum();
        let xyz = std::array::from_fn(|axis| {
            let sum: IBig = (0..3).map(|at| &dists[at] * &minors[at][axis]).sum();
            sum * &sign
        });
        (w != IBig::ZERO).then(|| Self { xyz, w: w * sign })
    }

    fn mean<'a>(points: impl Iterator<Item = (&'a Self, i64)>) -> Self {
        let nothing = Self {
            xyz: [IBig::ZERO, IBig::ZERO, IBig::ZERO],
            w: IBig::ZERO,
        };
        points.fold(nothing, |sum, (point, weight)| {
            let weight = IBig::from(weight);
            Self {
                xyz: std::array::from_fn(|axis| &sum.xyz[axis] + &point.xyz[axis] * &weight),
                w: sum.w + &point.w * &weight,
            }
        })
    }

    fn location(&self, plane: &ExactPlane) -> Location {
        let ahead = dot(&big(&plane.normal), &self.xyz) - IBig::from(plane.dist) * &self.w;
        match ahead.cmp(&IBig::ZERO) {
            std::cmp::Ordering::Less => Location::Back,
            std::cmp::Ordering::Equal => Location::On,
            std::cmp::Ordering::Greater => Location::Front,
        }
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
