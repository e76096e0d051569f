//! Boxes of the compiled hulls' sizes, traced as shapes: the same answers as those of the hulls, except for cases
//! that only the brushes decide (seams of brushes that touch).

use onion_compiler::hull::HullSpec;
use onion_runtime::shape::{Shape, ShapeTrace};
use onion_runtime::{HullId, Model, OnionMap, Side, Trace};
use onion_tests::cases::{Case, all_cases, prism_cases};
use onion_tests::effort::Cases;
use onion_tests::fixtures::assert_none_wrong;
use onion_tests::oracle::vec3::{V3, dot, length, lerp, scale, sub};
use onion_tests::oracle::{HullWorld, sandwich};
use onion_tests::queries::{KINDS, Kind, Queries, Segment};
use onion_tests::random::Random;
use onion_tests::subject;
use rayon::prelude::*;

use super::{SHELL, answer, larger_shapes_of};

/// Number of traces of each kind, hull and map that are compared with the hull's.
const HULL_CASES: Cases = Cases::new(500, 2_000);

/// Tolerance between a side's normal and the normal of a trace that met it, both scaled to length 1.
const SAME_NORMAL: f64 = 1e-9;

/// At most one hit in this many of a hull may name a brush that is not there.
const MAX_MISNAMED: usize = 5_000;

/// Tolerance between two answers across the surface that was hit, in units.
const SAME: f64 = 1e-6;

#[test]
fn shapes_of_hulls_are_traced_as_the_hulls() {
    let (mut all, mut wrong) = (Agreement::default(), Vec::new());
    for case in all_cases().chain(prism_cases()) {
        let (of_map, of_case) = compare_hulls(case);
        println!("{}: {}", case.name, of_map.summary());
        all.merge(of_map);
        wrong.extend(of_case);
    }
    println!("all: {}", all.summary());
    assert_none_wrong("shapes of hulls", &wrong);
    let is_usual = all.hits * 4 > all.traces
        && all.grazes * 1000 < all.traces
        && all.slides * 20 < all.traces
        && all.misnamed * MAX_MISNAMED <= all.hits;
    assert!(is_usual, "{}", all.summary());
}

/// The agreement of traces of shapes and of hulls.
#[derive(Clone, Copy, Default)]
struct Agreement {
    traces: usize,
    hits: usize,
    /// Points that slip along the seam of two brushes that touch, and boxes that fit exactly between two brushes: a
    /// box that is larger on one side is stopped where the hull is.
    seams: [usize; 2],
    /// Other answers that differ, where the oracle allows both with its solids grown or shrunk by [`SHELL`].
    grazes: usize,
    /// Such answers of prisms that begin on a face and slide along it: the file's slanted planes are rounded outward.
    slides: usize,
    /// Hits that name another brush, which is also touched at the same place.
    ties: usize,
    /// Hits for which the hull's trace names a brush that is not there, where it grazes an edge.
    misnamed: usize,
    worst_perpendicular: f64,
    worst_along: f64,
}

impl Agreement {
    fn merge(&mut self, other: Self) {
        self.traces += other.traces;
        self.hits += other.hits;
        self.grazes += other.grazes;
        self.slides += other.slides;
        self.seams = [0, 1].map(|kind| self.seams[kind] + other.seams[kind]);
        self.ties += other.ties;
        self.misnamed += other.misnamed;
        self.worst_perpendicular = self.worst_perpendicular.max(other.worst_perpendicular);
        self.worst_along = self.worst_along.max(other.worst_along);
    }

    fn summary(&self) -> String {
        let Self {
            traces,
            hits,
            seams: [points, boxes],
            grazes,
            slides,
            ties,
            misnamed,
            worst_perpendicular,
            worst_along,
        } = self;
        format!(
            "{traces} traces, {hits} hits, {points} points and {boxes} boxes in seams, {grazes} grazes, {slides} \
             slides, {ties} ties, {misnamed} misnamed by the hull; worst {worst_perpendicular:.1e} perpendicular, {worst_along:.1e} along"
        )
    }
}

fn compare_hulls(case: &Case) -> (Agreement, Vec<String>) {
    let onion = case.onion();
    let (mut agreement, mut wrong) = (Agreement::default(), Vec::new());
    for spec in &case.hulls {
        let hull = onion.find_hull(&spec.name).unwrap();
        for index in 0..onion.n_models() {
            let world = case.world(index, hull);
            let Some(queries) = Queries::new(world) else {
                continue;
            };
            let pair = Pair {
                onion,
                model: onion.model(index).unwrap(),
                hull,
                spec,
                shape: onion.hull(hull).unwrap().shape(),
                world,
            };
            // The world gets all queries; the inline models together get the same number.
            let share = if index == 0 { 1 } else { onion.n_models() - 1 };
            for kind in KINDS {
                let numbers = (0..HULL_CASES.count().div_ceil(share)).into_par_iter();
                let found = numbers.map(|number| {
                    let seed = (index as u64) << 40 ^ (kind as u64) << 32 ^ number as u64;
                    pair.compare(queries.query(kind, &mut Random::new(seed)))
                });
                for (mut one, why) in found.collect::<Vec<_>>() {
                    if kind == Kind::Slide && !spec.sides.is_empty() {
                        (one.slides, one.grazes) = (one.grazes, 0);
                    }
                    agreement.merge(one);
                    wrong.extend(why);
                }
            }
        }
    }
    (agreement, wrong)
}

/// A hull and the shape of its size.
struct Pair<'a> {
    onion: &'a OnionMap<Vec<u8>>,
    model: Model<'a>,
    hull: HullId,
    spec: &'a HullSpec,
    shape: Shape,
    world: &'a HullWorld,
}

impl Pair<'_> {
    fn compare(&self, segment: Segment) -> (Agreement, Option<String>) {
        let [start, end] = segment;
        let contents = self.spec.contents;
        let model = self.model.with_margin(0.0);
        let ours = model
            .trace_shape(&self.shape, contents, start, end)
            .unwrap();
        let hull = model.trace(self.hull, start, end);
        let mut agreement = Agreement {
            traces: 1,
            hits: usize::from(ours.hit.is_some()),
            ..Agreement::default()
        };
        let judged = self.judge(segment, &ours, &hull, &mut agreement);
        let name = &self.spec.name;
        let wrong = judged.err();
        let wrong = wrong.map(|why| format!("{why}: {name} {segment:?}\n{ours:?}\n{hull:?}"));
        (agreement, wrong)
    }

    fn judge(
        &self,
        segment: Segment,
        ours: &ShapeTrace<'_, f64>,
        hull: &Trace<f64>,
        agreement: &mut Agreement,
    ) -> Result<(), String> {
        let [start, end] = segment;
        let step = sub(end, start);
        let contents = self.spec.contents;
        let mine = [ours.start_solid, ours.all_solid, ours.hit.is_some()];
        let theirs = [hull.start_solid, hull.all_solid, hull.plane.is_some()];
        let later = (ours.hit_fraction - hull.hit_fraction).abs();
        let plane = hull.plane.iter().map(|plane| &plane.normal);
        let normals = ours.normal.iter().chain(plane);
        let across = normals.map(|normal| dot(*normal, step).abs() * later);
        let across = across.fold(f64::INFINITY, f64::min);
        if mine == theirs && (later == 0.0 || across <= SAME) {
            if ours.hit.is_some() {
                agreement.worst_perpendicular = agreement.worst_perpendicular.max(across);
                agreement.worst_along = agreement.worst_along.max(later * length(step));
                return self.judge_brush(segment, ours, hull, agreement);
            }
            return Ok(());
        }
        // Both are correct if the solids are slightly larger or smaller: a point passes along the seam of two
        // brushes, or both graze something.
        let our_answer = answer(ours);
        sandwich(self.world, start, end, our_answer, SHELL)?;
        sandwich(self.world, start, end, subject::answer(hull), SHELL)?;
        let is_longer = !ours.start_solid && ours.hit_fraction > hull.hit_fraction;
        let is_like_the_hull = |shape: Shape| {
            let model = self.model.with_margin(0.0);
            let larger = model.trace_shape(&shape, contents, start, end).unwrap();
            let flags = [larger.start_solid, larger.all_solid, larger.hit.is_some()];
            flags == theirs || is_longer && larger.hit_fraction < ours.hit_fraction
        };
        let mut larger = larger_shapes_of(self.spec).into_iter();
        if self.spec.sides.is_empty() && larger.any(is_like_the_hull) {
            agreement.seams[usize::from(!self.spec.is_point())] = 1;
        } else {
            agreement.grazes = 1;
        }
        Ok(())
    }

    /// Checks that the brush that was hit is the one that the hull hit, or one that is touched at the same place.
    fn judge_brush(
        &self,
        [start, end]: Segment,
        ours: &ShapeTrace<'_, f64>,
        hull: &Trace<f64>,
        agreement: &mut Agreement,
    ) -> Result<(), String> {
        let named = self.model.hit(self.hull, hull).unwrap();
        let (Some(named), Some(hit)) = (named, ours.hit) else {
            return Err("no brush is named".to_owned());
        };
        if hit.brush.contents & self.spec.contents == 0 {
            return Err("the brush is of other contents".to_owned());
        }
        let normal = ours.normal.unwrap_or_default();
        let mut sides = self.onion.inspect().sides(hit.brush.number);
        let is_same = |side: &Side<'_>| {
            let along = scale(side.normal, length(side.normal).recip());
            (0..3).all(|axis| (along[axis] - normal[axis]).abs() < SAME_NORMAL)
        };
        if sides.any(|side| !side.is_bevel && is_same(&side)) && !is_same(&hit.side) {
            return Err("another side has the normal".to_owned());
        }
        if named.brush == hit.brush {
            return Ok(());
        }
        let at = lerp(start, end, ours.hit_fraction);
        let off = [named.brush, hit.brush].map(|brush| self.ahead(brush.number, at));
        let [theirs, ours] = off.map(|off| off.abs() < SHELL);
        agreement.ties = usize::from(theirs);
        agreement.misnamed = usize::from(!theirs);
        if ours {
            return Ok(());
        }
        Err(format!("not a tie of brushes, which are {off:?} away"))
    }

    /// Returns the distance of a point in front of a brush expanded by the hull, by its faces and bevels.
    fn ahead(&self, brush: u32, at: V3) -> f64 {
        let sides = self.onion.inspect().sides(brush);
        let summand = subject::summand_of(self.spec);
        let ahead = sides.map(|side| dot(side.normal, at) - side.dist - summand.reach(side.normal));
        ahead.fold(f64::NEG_INFINITY, f64::max)
    }
}
