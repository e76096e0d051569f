//! Random motions of hulls past models that move and turn: every answer is compared with the gap between box and
//! brushes at many moments. Inline models of real maps get the same test.

use nalgebra::{UnitQuaternion, Vector3};
use onion_compiler::Compiled;
use onion_compiler::hull::HullSpec;
use onion_maps::contents::{PLAYERCLIP, SOLID};
use onion_maps::{Map, MapBrush, MapModel, MapSurface};
use onion_runtime::shape::ShapeTrace;
use onion_runtime::{Hull, HullId, Mover, OnionMap, Scene};
use onion_tests::effort::Cases;
use onion_tests::fixtures::{assert_none_wrong, compiled};
use onion_tests::maps;
use onion_tests::moving::{Corners, MovingBox, Way, gap, gap_along};
use onion_tests::oracle::vec3::{V3, add, dot, length, scale, sub};
use onion_tests::random::Random;
use onion_tests::solid::{map_brush, random_planes};
use onion_tests::subject;
use rayon::prelude::*;

/// Number of random motions, unless the environment says otherwise.
const CASES: Cases = Cases::new(2_500, 20_000);

/// Number of random motions among the brushes of one map.
const MOTIONS: usize = 50;

/// Number of moments of a motion that are checked, besides those near the places where two things are nearest.
const SAMPLES: usize = 2_000;

/// Number of moments that are checked to find when a hull that starts inside is out.
const FEW_SAMPLES: usize = 200;

/// Number of steps in the search for the least gap between two moments, each of which shrinks the interval to 0.62 of
/// its length.
const STEPS: usize = 40;

/// The oracle's gaps are no more exact than this, in units: its corners have an error of 1e-9.
const ROUNDING: f64 = 1e-8;

/// Maps store normals in f32: their lengths may differ from 1 by this.
const STORED: f64 = 1e-7;

/// Largest distance, in units, between a hull and the solid that stops it.
const EARLY: f64 = 1e-6;

/// A hull that starts in a turning solid counts as inside for this much longer, as a fraction of the motion.
const LATE: f64 = 1.0 / 1024.0;

/// Compiles a map of one model with these brushes.
fn compile_model(brushes: Vec<MapBrush>, hulls: Vec<HullSpec>) -> Compiled {
    let model = MapModel {
        brushes,
        ..MapModel::default()
    };
    let map = Map {
        models: vec![MapModel::default(), model],
        surfaces: vec![MapSurface {
            name: b"random".to_vec(),
            flags: 0,
            contents: 1,
        }],
        ..Map::default()
    };
    subject::compile_with_brushes(&map, hulls)
}

/// Makes hulls of several sizes, one of them a point, one flat, two of them prisms, none symmetric about its origin.
fn random_hulls(random: &mut Random) -> Vec<HullSpec> {
    let grid = |units: f64| (units * 64.0).round() as f32 / 64.0;
    let hull = |(number, size): (usize, f64)| {
        let mins = random.point([-size; 3], [size; 3]);
        let mut maxs = mins.map(|low| low + random.between(0.0, 2.0 * size));
        if number == 1 {
            let axis = random.below(3);
            maxs[axis] = mins[axis];
        }
        if number >= 4 {
            return subject::random_prism(&format!("hull{number}"), size, random);
        }
        HullSpec {
            name: format!("hull{number}"),
            mins: mins.map(grid),
            maxs: maxs.map(grid),
            sides: Vec::new(),
            contents: 1,
        }
    };
    [0.0, 16.0, 4.0, 60.0, 16.0, 40.0]
        .into_iter()
        .enumerate()
        .map(hull)
        .collect()
}

/// Makes a random convex brush about a place near the origin of its model.
pub(crate) fn random_brush(number: usize, random: &mut Random) -> Option<MapBrush> {
    let planes = random_planes(random);
    let corners: Vec<V3> = Corners::new(&planes)?.points().collect();
    let middle = corners.iter().copied().fold([0.0; 3], add);
    let middle = scale(middle, 1.0 / corners.len() as f64);
    let wanted = random.point([-64.0; 3], [64.0; 3]);
    let moved = sub(wanted, middle);
    let planes = planes
        .iter()
        .map(|&(normal, dist)| (normal, dist + dot(normal, moved)));
    Some(map_brush(number, &planes.collect::<Vec<_>>()))
}

/// Returns the solids of a model, with the numbers of their brushes.
fn solids_of(map: &OnionMap<impl AsRef<[u8]>>, model: usize, contents: u32) -> Vec<(u32, Corners)> {
    let own = map
        .inspect()
        .brushes()
        .filter(|brush| brush.model == model && brush.contents & contents != 0);
    own.filter_map(|brush| {
        let faces = map
            .inspect()
            .sides(brush.number)
            .filter(|side| !side.is_bevel);
        let planes: Vec<_> = faces.map(|face| (face.normal, face.dist)).collect();
        Some((brush.number, Corners::new(&planes)?))
    })
    .collect()
}

/// Makes a random motion of a model: some do not turn, some start without a turn, some turn about an axis of the
/// world.
fn random_way(from: V3, reach: f64, random: &mut Random) -> Way {
    let far = random.below(3).min(1) as f64 * reach;
    let to = add(from, scale(random.direction(), far * random.unit()));
    let mut axis = Vector3::from(random.direction());
    if random.below(3) == 0 {
        axis = Vector3::zeros();
        axis[random.below(3)] = 1.0;
    }
    let kind = random.below(8);
    let first = match kind {
        0 => UnitQuaternion::identity(),
        1 => UnitQuaternion::from_scaled_axis(
            axis * (random.below(8) as f64 * std::f64::consts::FRAC_PI_4),
        ),
        _ => UnitQuaternion::from_scaled_axis(
            Vector3::from(random.direction()) * random.between(-3.0, 3.0),
        ),
    };
    let turn = match random.below(8) {
        0 => 0.0,
        1 => std::f64::consts::FRAC_PI_2,
        _ => 10f64.powf(random.between(-3.0, 0.49)),
    };
    Way {
        from,
        to,
        first,
        turn: axis * turn,
    }
}

/// Makes a motion of a box that meets one of the corners at some moment, or comes near to it.
fn random_motion(corners: &Corners, way: &Way, hull: &Hull<'_>, random: &mut Random) -> MovingBox {
    let [mins, maxs] = [hull.bounds.mins, hull.bounds.maxs].map(|corner| corner.map(f64::from));
    let points: Vec<V3> = corners.points().collect();
    let moment = random.unit();
    let [a, b] = [0; 2].map(|_| points[random.below(points.len())]);
    let on = add(a, scale(sub(b, a), random.unit()));
    let on = way.at(moment) * nalgebra::Point3::from(on);
    let part = random.point([0.0; 3], [1.0; 3]).map(|part| {
        if random.below(2) == 0 {
            part.round()
        } else {
            part
        }
    });
    let mut part: V3 =
        std::array::from_fn(|axis| mins[axis] + (maxs[axis] - mins[axis]) * part[axis]);
    if hull.sides().next().is_some() {
        let middle = scale(add(mins, maxs), 0.5);
        let ends = hull.sides().map(|side| {
            let [x, y] = side.map(|at| f64::from(at) * random.between(-1.5, 1.5).clamp(-1.0, 1.0));
            [x, y, 0.0]
        });
        part = ends.fold([middle[0], middle[1], part[2]], add);
    }
    let at = sub(on.coords.into(), part);
    let mut step = scale(random.direction(), 10f64.powf(random.between(-2.0, 2.5)));
    match random.below(5) {
        0 => step = [0.0; 3],
        1 => step = sub(way.to, way.from),
        2 => step = [step[0], 0.0, 0.0],
        _ => {}
    }
    let start = sub(at, scale(step, moment));
    MovingBox::new(hull, start, add(start, step))
}

/// Counts of the cases so far.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    cases: usize,
    hits: usize,
    misses: usize,
    starts_inside: usize,
    all_solid: usize,
    /// Hits after which the hull would not have come deeper than rounding error.
    only_touching: usize,
    /// The greatest depth of a hull before it was stopped.
    deepest: f64,
    /// The greatest distance of a hull from the solid it hit.
    earliest: f64,
    /// Hits before which a margin could be kept, and the number of them that kept less.
    margins: usize,
    short_skins: usize,
}

impl Seen {
    fn merge(self, other: Self) -> Self {
        Self {
            cases: self.cases + other.cases,
            hits: self.hits + other.hits,
            misses: self.misses + other.misses,
            starts_inside: self.starts_inside + other.starts_inside,
            all_solid: self.all_solid + other.all_solid,
            only_touching: self.only_touching + other.only_touching,
            deepest: self.deepest.max(other.deepest),
            earliest: self.earliest.max(other.earliest),
            margins: self.margins + other.margins,
            short_skins: self.short_skins + other.short_skins,
        }
    }
}

/// A motion past a model.
struct Case<'a> {
    solids: &'a [(u32, Corners)],
    way: &'a Way,
    body: &'a MovingBox,
}

impl Case<'_> {
    fn moments(&self) -> impl Iterator<Item = f64> {
        (0..=FEW_SAMPLES).map(|sample| sample as f64 / FEW_SAMPLES as f64)
    }

    /// Returns the gap to a solid at a moment.
    fn gap_to(&self, solid: &Corners, moment: f64) -> f64 {
        gap(
            solid,
            &self.way.at(moment),
            self.body,
            self.body.at(moment),
            ROUNDING,
        )
    }

    fn gap(&self, moment: f64) -> f64 {
        let gaps = self
            .solids
            .iter()
            .map(|(_, solid)| self.gap_to(solid, moment));
        gaps.fold(f64::INFINITY, f64::min)
    }

    /// Finds the least gap to a solid between two moments, by golden-section search.
    fn least(&self, solid: &Corners, mut low: f64, mut high: f64) -> f64 {
        let golden = (5f64.sqrt() - 1.0) / 2.0;
        let mut least = f64::INFINITY;
        for _ in 0..STEPS {
            let [a, b] = [high - golden * (high - low), low + golden * (high - low)];
            let gaps = [a, b].map(|moment| self.gap_to(solid, moment));
            least = least.min(gaps[0]).min(gaps[1]);
            if gaps[0] < gaps[1] { high = b } else { low = a }
        }
        least
    }

    /// Samples the gap to a solid between two moments, more densely where it is small.
    fn samples(&self, solid: &Corners, from: f64, to: f64) -> Vec<(f64, f64)> {
        let speed = self.way.speed(solid, self.body);
        let (mut moment, mut samples) = (from, Vec::new());
        while moment < to {
            let gap = self.gap_to(solid, moment);
            samples.push((moment, gap));
            // Half the step that could close the gap.
            moment += (gap / speed / 2.0).max(1.0 / SAMPLES as f64);
        }
        samples.push((to, self.gap_to(solid, to)));
        samples
    }

    /// Finds the least gap to any solid between two moments.
    fn deepest(&self, from: f64, to: f64) -> f64 {
        let mut deepest = f64::INFINITY;
        for (_, solid) in self.solids {
            let samples = self.samples(solid, from, to);
            for sample in 0..samples.len() {
                let gap = samples[sample].1;
                deepest = deepest.min(gap);
                let before = samples[sample.saturating_sub(1)];
                let after = samples[(sample + 1).min(samples.len() - 1)];
                // The sample is no nearer than its neighbors, and nearer than the change from one to the next.
                let [down, up] = [before.1 - gap, after.1 - gap];
                let is_near = gap < down.max(up).max(ROUNDING);
                if down >= 0.0 && up >= 0.0 && is_near && gap > -ROUNDING {
                    deepest = deepest.min(self.least(solid, before.0, after.0));
                }
            }
        }
        deepest
    }

    // Long: one claim after another about the same trace.
    fn check(
        &self,
        map: &OnionMap<impl AsRef<[u8]>>,
        hull: HullId,
        model: usize,
        seen: &mut Seen,
    ) -> Result<(), String> {
        let [from, to] = self.way.poses();
        let movers = [Mover { model, from, to }];
        let scene = Scene::new(map, &movers).unwrap();
        let MovingBox { start, end, .. } = *self.body;
        let answer: ShapeTrace<'_, f64> = scene.with_margin(0.0).trace(hull, start, end);
        let trace = answer;
        seen.cases += 1;
        let at_start = self.gap(0.0);
        if trace.start_solid && at_start > ROUNDING || !trace.start_solid && at_start < -ROUNDING {
            return Err(format!(
                "start_solid is {} at a gap of {at_start}",
                trace.start_solid
            ));
        }
        for moment in [0.0, 1.0] {
            let is_solid = scene.is_solid(hull, self.body.at(moment), moment);
            let gap = self.gap(moment);
            if is_solid && gap > ROUNDING || !is_solid && gap < -ROUNDING {
                return Err(format!("is_solid is {is_solid} at a gap of {gap}"));
            }
        }
        if trace.all_solid {
            seen.all_solid += 1;
            // Between two samples the hull may leave a solid and enter the next one, but no more.
            let outside = self.moments().filter(|&moment| self.gap(moment) > ROUNDING);
            let n_outside = outside.count();
            let is_short = n_outside <= 1;
            let stays = trace.fraction == 0.0 && trace.end_pos == start && trace.normal.is_none();
            return (is_short && stays)
                .then_some(())
                .ok_or(format!("outside {n_outside} times"));
        }
        let mut left = 0.0;
        if trace.start_solid {
            seen.starts_inside += 1;
            let out = self.moments().find(|&moment| self.gap(moment) > 0.0);
            // It may have been out for a moment only.
            left = out.map_or(trace.hit_fraction, |out| {
                (out + LATE).min(trace.hit_fraction)
            });
        }
        let deepest = self.deepest(left, trace.hit_fraction);
        seen.deepest = seen.deepest.max(-deepest);
        if deepest < -ROUNDING {
            return Err(format!("{deepest} deep before {}", trace.hit_fraction));
        }
        if trace.normal.is_none() {
            seen.misses += 1;
            let is_end = trace.fraction == 1.0 && trace.hit_fraction == 1.0 && trace.end_pos == end;
            return (is_end && answer.mover.is_none() && trace.hit.is_none())
                .then_some(())
                .ok_or("stopped by nothing".into());
        }
        seen.hits += 1;
        self.check_hit(map, &answer, seen)?;
        if trace.start_solid {
            return Ok(());
        }
        let is_solid = scene.is_solid(hull, trace.end_pos, trace.fraction);
        let pose = self.way.at(trace.fraction);
        let at_end = self
            .solids
            .iter()
            .map(|(_, solid)| gap(solid, &pose, self.body, trace.end_pos, 1.0));
        let at_end = at_end.fold(f64::INFINITY, f64::min);
        if is_solid || at_end < -ROUNDING || trace.fraction > trace.hit_fraction {
            return Err(format!("ends {at_end} deep at {}", trace.fraction));
        }
        self.check_margin(&scene, hull, trace.hit_fraction, seen)
    }

    /// Checks that the motion touches the named solid, with this normal, and goes against it.
    // Long: one claim after another about the same hit.
    fn check_hit(
        &self,
        map: &OnionMap<impl AsRef<[u8]>>,
        answer: &ShapeTrace<'_, f64>,
        seen: &mut Seen,
    ) -> Result<(), String> {
        let trace = answer;
        let moment = trace.hit_fraction;
        let hit = trace.hit.ok_or("no hit is named")?;
        let (_, solid) = self
            .solids
            .iter()
            .find(|(number, _)| *number == hit.brush.number)
            .ok_or("no such brush")?;
        let normal = trace.normal.ok_or("no normal")?;
        let gap = self.gap_to(solid, moment);
        seen.earliest = seen.earliest.max(gap);
        if answer.mover != Some(0) || gap > EARLY {
            return Err(format!(
                "stopped {gap} before {:?} of mover {:?}",
                hit.brush, answer.mover
            ));
        }
        let pose = self.way.at(moment);
        let along = gap_along(solid, &pose, self.body, self.body.at(moment), normal);
        if along.abs() > EARLY + ROUNDING || (length(normal) - 1.0).abs() > STORED {
            let off = length(normal) - 1.0;
            return Err(format!("normal {normal:?} is {along} off, {off} too long"));
        }
        self.check_approach(solid, moment, normal, along)?;
        // No face that contains all touched corners is nearer to the normal, and the named face is touched.
        let inside: V3 = pose
            .rotation
            .inverse_transform_vector(&Vector3::from(normal))
            .into();
        let (_, touched) = solid.farthest(inside, 4.0 * EARLY);
        let cosine = |face: usize| dot(solid.normals[face].into(), inside);
        let faces = 0..solid.faces.len();
        let has = |face: usize, corner: &usize| solid.faces[face].contains(corner);
        let nearest = faces
            .clone()
            .filter(|&face| touched.iter().all(|corner| has(face, corner)));
        let nearest = nearest.map(cosine).fold(f64::NEG_INFINITY, f64::max);
        // A bevel belongs to the face of the same number.
        let mut sides = map.inspect().sides(hit.brush.number);
        let side = sides.find(|side| !side.is_bevel && side.number == hit.side.number);
        let side = side.ok_or("no such side")?.normal;
        let named = faces
            .clone()
            .find(|&face| length(sub(solid.normals[face].into(), side)) < 1e-6);
        let named = named.ok_or("no such face")?;
        let is_touched = touched.iter().any(|corner| has(named, corner));
        if !is_touched || cosine(named) < nearest - EARLY {
            return Err(format!(
                "side {} is not what is touched with {normal:?}",
                hit.side.number
            ));
        }
        if self.deepest(moment, (moment + 1e-3).min(1.0)) > -ROUNDING {
            seen.only_touching += 1;
        }
        Ok(())
    }

    /// Checks that box and solid approach each other along a normal fixed in the world, and also along one fixed to
    /// the solid.
    fn check_approach(
        &self,
        solid: &Corners,
        moment: f64,
        normal: V3,
        along: f64,
    ) -> Result<(), String> {
        /// This much later, as a fraction of the motion.
        const LATER: f64 = 1e-6;
        let later = moment + LATER;
        let (pose, then) = (self.way.at(moment), self.way.at(later));
        let turned = then.rotation * pose.rotation.inverse() * Vector3::from(normal);
        let gaps = [normal, turned.into()]
            .map(|normal| gap_along(solid, &then, self.body, self.body.at(later), normal));
        if gaps.iter().any(|&gap| gap > along + 1e-11) {
            return Err(format!(
                "normal {normal:?} is not against the motion: {along}, then {gaps:?}"
            ));
        }
        Ok(())
    }

    /// Checks that a trace keeps its margin, and never more.
    fn check_margin(
        &self,
        scene: &Scene<'_, '_>,
        hull: HullId,
        hit_fraction: f64,
        seen: &mut Seen,
    ) -> Result<(), String> {
        const MARGIN: f64 = 0.125;
        let MovingBox { start, end, .. } = *self.body;
        let with: ShapeTrace<'_, f64> = scene.with_margin(MARGIN).trace(hull, start, end);
        let trace = with;
        if trace.hit_fraction != hit_fraction || trace.fraction > hit_fraction {
            return Err(format!("with a margin {trace:?}"));
        }
        let pose = self.way.at(trace.fraction);
        let number = trace.hit.ok_or("no hit is named")?.brush.number;
        let named = self.solids.iter().find(|(own, _)| *own == number);
        let (_, solid) = named.ok_or("no such brush")?;
        // The plane of the contact moves with the box or with the solid.
        let normal = trace.normal.ok_or("no normal")?;
        let at_hit = self.way.at(hit_fraction).rotation;
        let turned = pose.rotation * at_hit.inverse() * Vector3::from(normal);
        let kept = [normal, turned.into()]
            .map(|normal| gap_along(solid, &pose, self.body, trace.end_pos, normal));
        let kept = kept[0].min(kept[1]);
        if trace.fraction > 0.0 {
            let near = gap(solid, &pose, self.body, trace.end_pos, 2.0 * MARGIN);
            seen.margins += 1;
            seen.short_skins += usize::from(near < 0.95 * MARGIN);
        }
        let turns = self.way.turn != Vector3::zeros();
        let is_kept = kept <= MARGIN + EARLY && (turns || kept >= MARGIN - EARLY);
        if trace.fraction > 0.0 && !is_kept {
            return Err(format!("kept {kept}"));
        }
        Ok(())
    }
}

/// Checks random motions past the solids of a model, which starts near a place.
fn check_model(
    map: &OnionMap<impl AsRef<[u8]>>,
    (model, place): (usize, V3),
    (hulls, motions): (&[HullSpec], usize),
    random: &mut Random,
) -> (Seen, Vec<String>) {
    let (mut seen, mut wrong) = (Seen::default(), Vec::new());
    for number in 0..motions {
        let spec = &hulls[random.below(hulls.len())];
        let solids = solids_of(map, model, spec.contents);
        if solids.is_empty() {
            continue;
        }
        let hull = map.find_hull(&spec.name).unwrap();
        let way = random_way(place, 200.0, random);
        let (_, aim) = &solids[random.below(solids.len())];
        let body = random_motion(aim, &way, &map.hull(hull).unwrap(), random);
        let case = Case {
            solids: &solids,
            way: &way,
            body: &body,
        };
        if let Err(what) = case.check(map, hull, model, &mut seen) {
            wrong.push(format!(
                "model {model}, motion {number}: {what}: {body:?} {way:?}"
            ));
        }
    }
    (seen, wrong)
}

#[test]
fn random_movers_are_met_where_sampling_meets_them() {
    let outcomes = (0..CASES.count().div_ceil(MOTIONS))
        .into_par_iter()
        .map(|seed| {
            let mut random = Random::new(seed as u64);
            let hulls = random_hulls(&mut random);
            let brushes =
                (0..1 + random.below(3)).filter_map(|number| random_brush(number, &mut random));
            let compiled = compile_model(brushes.collect(), hulls.clone());
            let map = subject::load(&compiled);
            let place = random.point([-500.0; 3], [500.0; 3]);
            let (seen, wrong) = check_model(&map, (1, place), (&hulls, MOTIONS), &mut random);
            let wrong = wrong.into_iter().map(|what| format!("map {seed}, {what}"));
            (seen, wrong.collect::<Vec<_>>())
        });
    let (seen, wrong): (Seen, Vec<String>) =
        outcomes.reduce(Default::default, |(a, mut wrong), (b, other)| {
            wrong.extend(other);
            (a.merge(b), wrong)
        });
    println!("{seen:?}");
    assert_none_wrong("motions", &wrong);
    assert!(seen.cases > CASES.count() * 9 / 10);
    let kinds = [seen.hits, seen.misses, seen.starts_inside];
    assert!(seen.short_skins < seen.margins / 20, "{seen:?}");
    assert!(kinds.iter().all(|&kind| kind > seen.cases / 20), "{seen:?}");
}

#[test]
fn models_of_real_maps_are_met_where_sampling_meets_them() {
    /// Number of motions past each model.
    const MOTIONS: usize = 25;
    let options = [
        "stand:16x56",
        "point:point",
        "odd:mins=-3,-20,-1:maxs=40,5,9",
        "round:cylinder:16x56:sides=8",
    ];
    let hulls = subject::hulls(&options);
    let (mut all, mut n_models) = (Seen::default(), 0);
    let maps = maps::real_maps();
    for real in &maps {
        let mut map = subject::parse(&real.bytes);
        // The world is not tested, and pieces of patches may be too thin for the oracle.
        map.models[0].brushes.clear();
        for model in &mut map.models {
            model.patches.clear();
        }
        let compiled = compiled(&map, &options, |options| options.brushes = true);
        let onion = subject::load(&compiled);
        // Triggers stop nothing.
        let stops = |model: &&MapModel| {
            let mut brushes = model.brushes.iter();
            brushes.any(|brush| brush.contents & (SOLID | PLAYERCLIP) != 0)
        };
        n_models += map.models.iter().filter(stops).count();
        let outcomes = (1..onion.n_models()).into_par_iter().map(|number| {
            let mut random = Random::new(number as u64);
            let place = onion.model(number).unwrap().origin().map(f64::from);
            check_model(&onion, (number, place), (&hulls, MOTIONS), &mut random)
        });
        for (seen, wrong) in outcomes.collect::<Vec<_>>() {
            assert!(wrong.is_empty(), "{}: {wrong:#?}", real.name);
            all = all.merge(seen);
        }
    }
    println!("{n_models} models: {all:?}");
    assert!(maps.is_empty() || all.hits > n_models * MOTIONS / 4);
}
