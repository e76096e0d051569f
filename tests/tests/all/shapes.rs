//! Shapes against one brush: random brushes, shapes and motions, where every answer is compared with the oracle's gap
//! along the motion; boxes are also compared with the compiler's expanded brush.

use glam::DVec3;
use onion_compiler::brush;
use onion_compiler::expand::expand;
use onion_compiler::hull::HullSpec;
use onion_geometry::PlaneSet;
use onion_runtime::Aabb;
use onion_runtime::shape::{Passage, Shape, cast, overlaps, separation};
use onion_tests::effort::Cases;
use onion_tests::fixtures::assert_none_wrong;
use onion_tests::moves::{KINDS, Mover};
use onion_tests::oracle::vec3::{V3, add, cross, dot, length, lerp, scale, sub, unit};
use onion_tests::oracle::{self, Body, Gap};
use onion_tests::random::Random;
use onion_tests::solid::{Solid, map_of, random_planes};
use rayon::prelude::*;

/// Number of motions, unless the environment says otherwise.
const CASES: Cases = Cases::new(30_000, 400_000);

/// Number of motions of each shape past a brush.
const MOTIONS: usize = 20;

/// Largest error of an answer, in units across the surface: the oracle's own corners have an error of 1e-9, and thin
/// brushes increase it.
const OFF: f64 = 1e-6;

/// Number of fractions at which the gap is computed, besides those near its minimum.
const SAMPLES: usize = 32;

/// Number of steps in the search for the least gap, each of which leaves 0.62 of the interval.
const STEPS: usize = 50;

/// Makes a random brush; every fourth is as thin as a sheet, and most of those are sharp as a knife somewhere.
fn random_solid(random: &mut Random) -> Option<Solid> {
    let mut planes = random_planes(random);
    if random.below(4) == 0 {
        let (normal, dist) = planes[random.below(planes.len())];
        let tilt = 10f64.powf(random.between(-4.0, -1.0));
        let away = random.direction();
        let back: V3 = std::array::from_fn(|axis| tilt * away[axis] - normal[axis]);
        let back = scale(back, 1.0 / length(back));
        // Through a point of the front plane near the brush, and then back.
        let corners = oracle::vertices(&planes)?;
        let on_front = corners
            .iter()
            .find(|&&corner| dot(normal, corner) > dist - OFF)?;
        let thickness = 10f64.powf(random.between(-2.0, 0.5));
        planes.push((back, dot(back, *on_front) + thickness));
    }
    Solid::new(&planes)
}

/// The counts for one kind of shape.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    hits: usize,
    starts_inside: usize,
    misses: usize,
    /// Largest gap or depth at a reported fraction.
    worst: f64,
}

/// The counts by kind, and the errors.
#[derive(Default)]
struct Outcome {
    seen: [Seen; KINDS.len()],
    wrong: Vec<String>,
}

impl Outcome {
    fn merge(mut self, other: Self) -> Self {
        for (ours, theirs) in self.seen.iter_mut().zip(other.seen) {
            ours.hits += theirs.hits;
            ours.starts_inside += theirs.starts_inside;
            ours.misses += theirs.misses;
            ours.worst = ours.worst.max(theirs.worst);
        }
        self.wrong.extend(other.wrong);
        self
    }
}

#[test]
fn random_motions_have_the_answers_of_the_oracle() {
    let n_brushes = CASES.count().div_ceil(KINDS.len() * MOTIONS);
    let outcomes = (0..n_brushes).into_par_iter().map(|number| {
        let mut outcome = Outcome::default();
        let mut random = Random::new(number as u64);
        let Some(solid) = random_solid(&mut random) else {
            return outcome;
        };
        for (kind, name) in KINDS.iter().enumerate() {
            let mover = Mover::random(kind, &solid, &mut random);
            let Some(gap) = Gap::new(&solid.planes(), &mover.body) else {
                continue;
            };
            for _ in 0..MOTIONS {
                let motion = mover.motion(&solid, &mut random);
                let case = Case {
                    solid: &solid,
                    mover: &mover,
                    gap: &gap,
                    motion,
                };
                if let Err(what) = case.check(&mut outcome.seen[kind]) {
                    outcome
                        .wrong
                        .push(format!("brush {number}, {name}: {what} in {motion:?}"));
                }
            }
        }
        outcome
    });
    let outcome = outcomes.reduce(Outcome::default, Outcome::merge);
    for (kind, seen) in KINDS.iter().zip(&outcome.seen) {
        println!("{kind}: {seen:?}");
    }
    assert_none_wrong("motions", &outcome.wrong);
    for (kind, seen) in KINDS.iter().zip(&outcome.seen) {
        let counts = [seen.hits, seen.starts_inside, seen.misses];
        let all: usize = counts.iter().sum();
        let enough = all * KINDS.len() > CASES.count() * 9 / 10;
        let varied = counts.iter().all(|&n| n > all / 20);
        assert!(varied && enough, "{kind}: {seen:?}");
    }
}

/// A motion of a shape past a brush.
struct Case<'a> {
    solid: &'a Solid,
    mover: &'a Mover,
    gap: &'a Gap,
    motion: [V3; 2],
}

impl Case<'_> {
    fn gap_at(&self, fraction: f64) -> f64 {
        let [start, end] = self.motion;
        // Exactly the end at 1.
        let at = if fraction == 1.0 {
            end
        } else {
            lerp(start, end, fraction)
        };
        self.gap.at(at)
    }

    /// Finds the least gap of the motion, along which it is convex.
    fn least_gap(&self) -> f64 {
        let at = |sample: usize| sample as f64 / SAMPLES as f64;
        let gaps = (0..=SAMPLES).map(|sample| (self.gap_at(at(sample)), sample));
        let (mut least, best) = gaps.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
        let [start, end] = self.motion;
        if least > length(sub(end, start)) / SAMPLES as f64 {
            // The gap changes by no more than the motion between two samples.
            return least;
        }
        let (mut low, mut high) = (at(best.saturating_sub(1)), at((best + 1).min(SAMPLES)));
        let golden = (5f64.sqrt() - 1.0) / 2.0;
        for _ in 0..STEPS {
            let [a, b] = [high - golden * (high - low), low + golden * (high - low)];
            let gaps = [a, b].map(|fraction| self.gap_at(fraction));
            least = least.min(gaps[0]).min(gaps[1]);
            if gaps[0] < gaps[1] { high = b } else { low = a }
        }
        least
    }

    fn check(&self, seen: &mut Seen) -> Result<(), String> {
        let [start, end] = self.motion;
        let contact = cast(&self.mover.shape, start, end, self.solid);
        for end in [start, end] {
            self.check_place(end)?;
        }
        let Some(contact) = contact else {
            seen.misses += 1;
            let least = self.least_gap();
            let inside = [start, end].map(|end| overlaps(&self.mover.shape, end, self.solid));
            let is_missed = least < -OFF || inside.contains(&true);
            return if is_missed {
                Err(format!("missed, deepest {least}"))
            } else {
                Ok(())
            };
        };
        self.check_interval(&contact, seen)?;
        if let Some(touch) = contact.touch {
            seen.hits += 1;
            self.check_normal(contact.enter, touch.normal)?;
            self.check_face(touch.normal, touch.face)
        } else {
            seen.starts_inside += 1;
            Ok(())
        }
    }

    /// Checks that the shape is inside between the two fractions and nowhere else.
    fn check_interval(&self, contact: &Passage<f64>, seen: &mut Seen) -> Result<(), String> {
        let Passage { enter, leave, .. } = *contact;
        if !(0.0 <= enter && enter <= leave && leave <= 1.0) {
            return Err(format!("no order in {contact:?}"));
        }
        let [at_enter, at_leave] = [enter, leave].map(|fraction| self.gap_at(fraction));
        let mut ends = vec![];
        ends.extend((!contact.start_solid()).then_some(at_enter));
        ends.extend((leave < 1.0).then_some(at_leave));
        for gap in ends {
            seen.worst = seen.worst.max(gap.abs());
            if gap.abs() > OFF {
                return Err(format!("{gap} off at an end of {contact:?}"));
            }
        }
        if at_enter.max(at_leave) > OFF {
            return Err(format!("outside at an end of {contact:?}"));
        }
        for sample in 0..=SAMPLES {
            let fraction = sample as f64 / SAMPLES as f64;
            let gap = self.gap_at(fraction);
            let is_between = enter <= fraction && fraction <= leave;
            if is_between && gap > OFF || !is_between && gap < -OFF {
                return Err(format!("{gap} off at {fraction} with {contact:?}"));
            }
        }
        Ok(())
    }

    /// Checks overlap and separation at one place.
    fn check_place(&self, at: V3) -> Result<(), String> {
        let gap = self.gap.at(at);
        let inside = overlaps(&self.mover.shape, at, self.solid);
        if inside && gap > OFF || !inside && gap < -OFF {
            return Err(format!("overlap is {inside} at a gap of {gap}"));
        }
        let ours = separation(&self.mover.shape, at, self.solid);
        if inside != (ours < 0.0) && ours.abs() > OFF {
            return Err(format!("overlap is {inside} at a separation of {ours}"));
        }
        let is_right = match self.mover.body {
            Body::Capsule { .. } if gap > 0.0 => (ours - gap).abs() < OFF,
            Body::Capsule { .. } => ours <= gap + OFF,
            // At most the distance, and a large part of it: the exact value depends on the choice of planes.
            _ if gap > OFF => ours > gap / 2.0 && ours < self.gap.distance(at) + OFF,
            _ => (ours - gap).abs() < OFF,
        };
        if is_right {
            Ok(())
        } else {
            Err(format!("separation {ours}, gap {gap}"))
        }
    }

    /// Checks that a plane with this normal is between the shape and the brush, and faces the motion.
    fn check_normal(&self, enter: f64, normal: V3) -> Result<(), String> {
        let [start, end] = self.motion;
        let below = self.mover.reach(normal.map(|component| -component));
        let shape = dot(normal, lerp(start, end, enter)) - below;
        let between = shape - self.farthest(normal);
        let is_unit = (length(normal) - 1.0).abs() < 1e-9;
        let faces = dot(normal, sub(end, start)) < 0.0;
        if is_unit && faces && between.abs() < OFF {
            return Ok(());
        }
        Err(format!(
            "normal {normal:?} overlaps by {between}, faces the motion: {faces}"
        ))
    }

    /// Returns the distance that the brush reaches along a normal.
    fn farthest(&self, normal: V3) -> f64 {
        let corners = self.solid.vertices.iter();
        corners
            .map(|&corner| dot(normal, corner))
            .fold(f64::NEG_INFINITY, f64::max)
    }

    /// Checks that a face has a touched corner, and that no face with all of them is nearer to the normal.
    fn check_face(&self, normal: V3, face: usize) -> Result<(), String> {
        let solid = self.solid;
        let farthest = self.farthest(normal);
        let touched = |corner: &&V3| dot(normal, **corner) > farthest - OFF;
        let touched: Vec<V3> = solid.vertices.iter().filter(touched).copied().collect();
        let has = |face: usize, corner: &V3| {
            let mut edges = solid.edges.iter().filter(|edge| edge.faces.contains(&face));
            edges.any(|edge| edge.ends.contains(corner))
        };
        let cosine = |face: usize| dot(solid.faces[face].normal, normal);
        let faces = 0..solid.faces.len();
        let around = faces.filter(|&face| touched.iter().all(|corner| has(face, corner)));
        let nearest = around.map(cosine).fold(f64::NEG_INFINITY, f64::max);
        if touched.iter().any(|corner| has(face, corner)) && cosine(face) > nearest - 1e-9 {
            return Ok(());
        }
        Err(format!("face {face} is not the nearest for {normal:?}"))
    }
}

/// Returns a place where a shape touches a face, or a ball an edge, as exactly as f64 allows, and a direction along
/// it.
fn resting(solid: &Solid, mover: &Mover, random: &mut Random) -> Option<[V3; 2]> {
    let (out, on, along) = match mover.body {
        Body::Capsule { ends: [a, b], .. } if a == b && random.below(2) == 0 => {
            let edge = solid.edges[random.below(solid.edges.len())];
            let [from, to] = edge.ends;
            let out = unit(lerp(edge.normals[0], edge.normals[1], random.unit()), 0.1)?;
            (
                out,
                lerp(from, to, random.unit()),
                unit(sub(to, from), 0.1)?,
            )
        }
        _ => {
            let face = random.below(solid.faces.len());
            let out = unit(solid.faces[face].normal, 0.0)?;
            let edge = solid.edges.iter().find(|edge| edge.faces.contains(&face))?;
            let along = cross(out, random.direction());
            (out, edge.ends[0], unit(along, 0.1)?)
        }
    };
    let place = add(on, scale(out, mover.reach(scale(out, -1.0))));
    Some([place, along])
}

#[test]
fn sliding_along_a_face_or_an_edge_is_free_in_spite_of_rounding() {
    let n_brushes = CASES.count() / MOTIONS / KINDS.len();
    let brushes = (0..n_brushes).into_par_iter();
    let n_slides = brushes.map(|number| {
        let mut random = Random::new(number as u64 ^ 0x511d);
        let Some(solid) = Solid::new(&random_planes(&mut random)) else {
            return 0;
        };
        let mut n_slides = 0;
        for (kind, name) in KINDS.iter().enumerate() {
            let mover = Mover::random(kind, &solid, &mut random);
            for _ in 0..MOTIONS {
                let Some([place, along]) = resting(&solid, &mover, &mut random) else {
                    continue;
                };
                let [start, end] = [-random.unit(), random.unit()]
                    .map(|far| add(place, scale(along, 1000.0 * far)));
                let contact = cast(&mover.shape, start, end, &solid);
                let inside = overlaps(&mover.shape, place, &solid);
                assert!(
                    contact.is_none() && !inside,
                    "brush {number}, {name}: {contact:?} {inside} from {start:?} to {end:?}"
                );
                n_slides += 1;
            }
        }
        n_slides
    });
    let n_slides: usize = n_slides.sum();
    assert!(n_slides > CASES.count() / 2, "{n_slides}");
}

/// Makes a box by which the compiler could expand the brush: its corners are on the grid.
fn random_hull(random: &mut Random) -> HullSpec {
    let size = 10f64.powf(random.between(-1.0, 2.0));
    let grid = |units: f64| (units * 2048.0).round() as f32 / 2048.0;
    let mins = random.point([-size; 3], [size; 3]);
    let maxs =
        mins.map(|low| low + random.between(0.0, 2.0 * size) * random.below(4).min(1) as f64);
    HullSpec {
        name: "random".to_owned(),
        mins: mins.map(grid),
        maxs: maxs.map(grid),
        sides: Vec::new(),
        contents: 1,
    }
}

/// A brush that the compiler expanded by a box, as planes.
struct Expanded(Vec<(DVec3, f64)>);

impl Expanded {
    /// Returns the depth of a point inside.
    fn depth(&self, point: V3) -> f64 {
        let point = DVec3::from_array(point);
        let ahead = self.0.iter().map(|(normal, dist)| normal.dot(point) - dist);
        -ahead.fold(f64::NEG_INFINITY, f64::max)
    }

    /// Clips a segment to the inside by the textbook method.
    fn clip(&self, [start, end]: [V3; 2]) -> Option<[f64; 2]> {
        let [start, end] = [start, end].map(DVec3::from_array);
        let (mut enter, mut leave) = (0.0f64, 1.0f64);
        for (normal, dist) in &self.0 {
            let [a, b] = [start, end].map(|end| normal.dot(end) - dist);
            match [a >= 0.0, b >= 0.0] {
                [true, true] => return None,
                [true, false] => enter = enter.max(a / (a - b)),
                [false, true] => leave = leave.min(a / (a - b)),
                [false, false] => {}
            }
        }
        (enter < leave).then_some([enter, leave])
    }

    /// Whether two parts of a segment are the same: their ends are equally deep, since rounding error moves them far
    /// along a plane, and a part that only one of the two has is not deep.
    fn same(&self, [start, end]: [V3; 2], ours: Option<[f64; 2]>) -> bool {
        /// Planes of the expanded brush are on a grid of 2^-36 units; and distances at 4,000 units have an error of
        /// 2^-40.
        const OFF: f64 = 1e-9;
        let depth_at = |fraction: f64| self.depth(lerp(start, end, fraction));
        let same_end = |ours: f64, theirs: f64| {
            let same_depth = (depth_at(ours) - depth_at(theirs)).abs() <= OFF;
            same_depth || (ours - theirs).abs() <= OFF
        };
        match (ours, self.clip([start, end])) {
            (None, None) => true,
            (Some(ours), Some(theirs)) => (0..2).all(|end| same_end(ours[end], theirs[end])),
            (Some([enter, leave]), None) | (None, Some([enter, leave])) => {
                depth_at((enter + leave) / 2.0) <= OFF
            }
        }
    }
}

/// Makes a random brush, a random box, and the brush as the compiler expands it by the box.
fn expanded_brush(random: &mut Random) -> Option<(Solid, Mover, Expanded)> {
    let mut set = PlaneSet::default();
    let map = map_of(&random_planes(random));
    let models = brush::build(&map, 4.0, &mut set, &mut Vec::new()).unwrap();
    let solid = Solid::from_cell(&mut set, &models[0].first()?.cell);
    let hull = random_hull(random);
    let (expanded, _) = expand(&models, std::slice::from_ref(&hull), &mut set);
    let planes = expanded[0][0].brushes[0].planes.iter();
    let planes = planes.map(|&plane| (set[plane].normal, set[plane].dist));
    let [mins, maxs] = [hull.mins, hull.maxs].map(|corner| corner.map(f64::from));
    let half = scale(sub(maxs, mins), 0.5);
    let mover = Mover {
        kind: 1,
        shape: Shape::axial_box(Aabb::new(mins, maxs)).unwrap(),
        body: Body::Box {
            center: add(mins, half),
            half,
            axes: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        },
    };
    Some((solid, mover, Expanded(planes.collect())))
}

#[test]
fn boxes_meet_a_brush_where_a_point_meets_the_expanded_brush() {
    let n_brushes = CASES.count() / MOTIONS / 2;
    let brushes = (0..n_brushes).into_par_iter();
    let n_hits = brushes.map(|number| {
        let mut random = Random::new(number as u64 ^ 0xb0c5);
        let Some((solid, mover, expanded)) = expanded_brush(&mut random) else {
            return 0;
        };
        let mut n_hits = 0;
        for _ in 0..MOTIONS {
            let motion = mover.motion(&solid, &mut random);
            let ours = cast(&mover.shape, motion[0], motion[1], &solid);
            let ours = ours.map(|contact| [contact.enter, contact.leave]);
            let theirs = expanded.clip(motion);
            let same = expanded.same(motion, ours);
            assert!(same, "brush {number}: {ours:?} {theirs:?} in {motion:?}");
            n_hits += usize::from(ours.is_some());
        }
        n_hits
    });
    let n_hits: usize = n_hits.sum();
    println!("{n_hits} of {} motions hit", n_brushes * MOTIONS);
    assert!(n_hits > n_brushes * MOTIONS / 5, "{n_hits}");
}
