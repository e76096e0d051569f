//! Boxes that were not compiled, traced with a hull's tree by plane shifting: facts worked out by hand, and
//! on every sample and real map random boxes around hulls against the oracle's trace of the same box.

use onion_runtime::{HullId, Model, OnionMap, ShiftedTrace, Unsupported};
use onion_tests::cases::{Case, all_cases};
use onion_tests::effort::Cases;
use onion_tests::oracle::vec3::{V3, length, sub};
use onion_tests::oracle::{HullWorld, OracleTrace};
use onion_tests::queries::{KINDS, Kind, Queries, Segment, along, dot};
use onion_tests::random::Random;
use onion_tests::samples;
use onion_tests::subject::{self, HULLS};
use onionc::hull::HullSpec;
use rayon::prelude::*;

/// Traces of each kind, unless the environment says otherwise.
const CASES: Cases = Cases::new(200, 600);

/// Random boxes for each map.
const BOXES: usize = 2;

/// The solids of file and oracle may differ by this, in units across a surface: planes of files are on a
/// grid, those of the oracle are not.
const SHELL: f64 = 1e-5;

/// And answers by this, in units along the segment.
const ALONG: f64 = 1e-4;

/// A hit by rounding alone, in units.
const ROUNDING: f64 = 1e-9;

/// Both ends of a segment this near to a plane slide in it, in units.
const IN_PLANE: f64 = 1e-8;

/// A way from a face, in units.
const SHORT: f64 = 64.0;

/// A corner and the opposite one.
type Corners = ([f32; 3], [f32; 3]);

// Long: a table, one row for each fact.
#[test]
fn facts_worked_out_by_hand() {
    let shift = |map: &str, hull: &str, grown: Corners, [start, end]: [V3; 2]| {
        let (_, bytes) = samples::all()
            .into_iter()
            .find(|(name, _)| *name == map)
            .unwrap();
        let map = subject::parse(&bytes);
        let compiled = subject::compile_map(&map, subject::hulls(&HULLS));
        let onion = subject::load(&compiled);
        let hull = onion.find_hull(hull).unwrap();
        let world = onion.model(0).unwrap();
        world
            .with_skin(0.0)
            .trace_box(hull, grown, start, end)
            .unwrap()
    };
    let stops = |found: ShiftedTrace<f64>, fraction: f64, normal: V3| {
        let plane = found.trace.plane.unwrap();
        assert!(
            (found.trace.hit_fraction - fraction).abs() < 1e-6,
            "{found:?}"
        );
        assert!((found.latest - fraction).abs() < 1e-6, "{found:?}");
        assert!(found.max_error < 1e-3, "{found:?}");
        assert!(
            (0..3).all(|axis| (plane.normal[axis] - normal[axis]).abs() < 1e-6),
            "{found:?}"
        );
    };
    let wide = ([-24.0, -24.0, -24.0], [24.0, 24.0, 40.0]);
    // The wall at 256, less 24: 232 of 400.
    let found = shift(
        "room",
        "stand",
        wide,
        [[0.0, 0.0, 64.0], [400.0, 0.0, 64.0]],
    );
    stops(found, 0.58, [-1.0, 0.0, 0.0]);
    // The plane is where the origin stops: x = 232.
    assert!((found.trace.plane.unwrap().dist + 232.0).abs() < 1e-9);
    // Only in the west it is larger: the wall at 256, less 16; and the one at -256, plus 100.
    let west = ([-100.0, -16.0, -24.0], [16.0, 16.0, 32.0]);
    let found = shift(
        "room",
        "stand",
        west,
        [[0.0, 0.0, 64.0], [400.0, 0.0, 64.0]],
    );
    stops(found, 0.6, [-1.0, 0.0, 0.0]);
    let found = shift(
        "room",
        "stand",
        west,
        [[0.0, 0.0, 64.0], [-400.0, 0.0, 64.0]],
    );
    stops(found, 0.39, [1.0, 0.0, 0.0]);
    // A point's tree for a box: the same wall.
    let found = shift(
        "room",
        "point",
        wide,
        [[0.0, 0.0, 64.0], [400.0, 0.0, 64.0]],
    );
    stops(found, 0.58, [-1.0, 0.0, 0.0]);
    // The foot corner 24 ahead meets the ramp, 64 + x / 2 high, at 76: z = 100, so 100 of 200.
    let slope = 5f64.sqrt().recip();
    let found = shift(
        "ramp_stairs",
        "stand",
        wide,
        [[0.0, -96.0, 200.0], [0.0, -96.0, 0.0]],
    );
    stops(found, 0.5, [-slope, 0.0, 2.0 * slope]);
    // As high as the hull and exactly on the floor: nothing is added across the floor's plane.
    let low = ([-24.0, -24.0, -24.0], [24.0, 24.0, 32.0]);
    let on_floor = [[0.0, 0.0, 24.0], [400.0, 0.0, 24.0]];
    let found = shift("room", "stand", low, on_floor);
    stops(found, 0.58, [-1.0, 0.0, 0.0]);
    // As wide as the hull and along the wall at -256, up to the one at 256 less 20.
    let deep = ([-16.0, -20.0, -24.0], [16.0, 20.0, 40.0]);
    let along_wall = [[-240.0, 0.0, 64.0], [-240.0, 400.0, 64.0]];
    let found = shift("room", "stand", deep, along_wall);
    stops(found, 0.59, [0.0, -1.0, 0.0]);
    // Nothing on the way.
    let found = shift(
        "room",
        "stand",
        wide,
        [[0.0, 0.0, 64.0], [200.0, 0.0, 64.0]],
    );
    assert_eq!(
        (found.trace.fraction, found.trace.end_pos),
        (1.0, [200.0, 0.0, 64.0])
    );
    assert_eq!(
        (found.latest, found.max_error, found.trace.plane),
        (1.0, 0.0, None)
    );
    // The feet are 20 in the floor, for the box as for the hull's own.
    let found = shift("room", "stand", wide, [[0.0, 0.0, 4.0], [200.0, 0.0, 64.0]]);
    assert!(found.trace.start_solid && found.trace.fraction == 0.0);
    assert_eq!((found.trace.end_pos, found.latest), ([0.0, 0.0, 4.0], 0.0));
    // The doorway is 64 wide: 48 pass, 66 are stopped by the walls' faces at x = -8, 33 before that.
    let door = [[-200.0, 0.0, 24.0], [200.0, 0.0, 24.0]];
    let found = shift(
        "door",
        "crouch",
        ([-24.0, -24.0, -24.0], [24.0, 24.0, 40.0]),
        door,
    );
    assert_eq!(found.trace.plane, None, "{found:?}");
    let found = shift(
        "door",
        "crouch",
        ([-33.0, -33.0, -24.0], [33.0, 33.0, 40.0]),
        door,
    );
    stops(found, 159.0 / 400.0, [-1.0, 0.0, 0.0]);
    // Players only: a box about the point flies through the wall that stops players at x = 64.
    let clip = [[0.0, 0.0, 64.0], [400.0, 0.0, 64.0]];
    let found = shift("clip_water", "point", wide, clip);
    stops(found, 0.58, [-1.0, 0.0, 0.0]);
    let found = shift("clip_water", "crouch", wide, clip);
    stops(found, 0.1, [-1.0, 0.0, 0.0]);
}

/// Hulls beyond the first eight, of which nodes know nothing, and models other than the world.
#[test]
fn all_hulls_and_models_are_traced() {
    let load = |name: &str, options: &[&str], check: &dyn Fn(&OnionMap<&[u8]>)| {
        let bytes = samples::all().into_iter().find(|(own, _)| *own == name);
        let map = subject::parse(&bytes.unwrap().1);
        let compiled = subject::compile_map(&map, subject::hulls(options));
        check(&subject::load(&compiled));
    };
    let wide = ([-24.0, -24.0, -24.0], [24.0, 24.0, 40.0]);
    let [start, end] = [[-200.0, 0.0, 30.0], [200.0, 0.0, 30.0]];
    let options = [
        "a:2x8", "b:4x8", "c:6x8", "d:8x8", "e:10x8", "f:12x8", "g:14x8", "h:16x8", "i:18x8",
        "j:16x56",
    ];
    load("room", &options, &|onion| {
        let world = onion.model(0).unwrap();
        for hull in onion.hulls() {
            // The wall at 256, less 24.
            let found = world
                .with_skin(0.0)
                .trace_box(hull.id, wide, start, [400.0, 0.0, 30.0])
                .unwrap();
            let off = found.trace.hit_fraction * 600.0 - 432.0;
            assert!(
                off.abs() < 1e-6 && found.max_error < 1e-3,
                "{}: {found:?}",
                hull.name
            );
        }
    });
    load("door", &HULLS, &|onion| {
        let door = onion.model(1).unwrap();
        for hull in onion.hulls() {
            // The door begins at -4.
            let found = door
                .with_skin(0.0)
                .trace_box(hull.id, wide, start, end)
                .unwrap();
            let off = found.trace.hit_fraction * 400.0 - 172.0;
            assert!(
                off.abs() < 1e-6 && found.max_error < 1e-3,
                "{}: {found:?}",
                hull.name
            );
        }
    });
}

#[test]
fn boxes_that_do_not_hold_the_hull_are_refused() {
    let (_, bytes) = samples::all().swap_remove(0);
    let map = subject::parse(&bytes);
    let compiled = subject::compile_map(&map, subject::hulls(&HULLS));
    let onion = subject::load(&compiled);
    let world = onion.model(0).unwrap();
    let stand = onion.find_hull("stand").unwrap();
    let (mins, maxs) = ([-16.0, -16.0, -24.0], [16.0, 16.0, 32.0]);
    let trace = |mins, maxs| {
        let [start, end] = [[0.0f32, 0.0, 64.0], [400.0, 0.0, 64.0]];
        world
            .with_skin(0.0)
            .trace_box(stand, (mins, maxs), start, end)
    };
    assert!(trace(mins, maxs).is_ok());
    for axis in 0..3 {
        for wrong in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e30, -1e30, 0.0] {
            let with = |mut corner: [f32; 3]| {
                corner[axis] = wrong;
                corner
            };
            assert_eq!(
                trace(with(mins), maxs),
                Err(Unsupported::BoxNotHeld),
                "{wrong} in mins"
            );
            assert_eq!(
                trace(mins, with(maxs)),
                Err(Unsupported::BoxNotHeld),
                "{wrong} in maxs"
            );
        }
        // A bit smaller than the hull.
        let less = |mut corner: [f32; 3]| {
            corner[axis] *= 1.0 - f32::EPSILON;
            corner
        };
        assert_eq!(trace(less(mins), maxs), Err(Unsupported::BoxNotHeld));
        assert_eq!(trace(mins, less(maxs)), Err(Unsupported::BoxNotHeld));
    }
    // What is no place is all solid.
    for wrong in [f64::NAN, f64::INFINITY, 2f64.powi(31)] {
        let [start, end] = [[0.0, 0.0, 64.0], [0.0, wrong, 64.0]];
        for [start, end] in [[start, end], [end, start]] {
            let found = world
                .with_skin(0.0)
                .trace_box(stand, (mins, maxs), start, end)
                .unwrap();
            assert!(
                found.trace.start_solid && found.trace.all_solid,
                "{found:?}"
            );
            assert_eq!((found.trace.fraction, found.max_error), (0.0, 0.0));
        }
    }
}

#[test]
fn the_hull_that_leaves_least_is_chosen() {
    let (_, bytes) = samples::all().swap_remove(0);
    let map = subject::parse(&bytes);
    // 16x56 is -16 -16 -24 to 16 16 32, 16x32 is 24 lower on top, 8x8 is -8 -8 -24 to 8 8 -16.
    let options = [
        "stand:16x56",
        "crouch:16x32",
        "small:8x8",
        "water:16x56:contents=water",
        "point:point",
    ];
    let compiled = subject::compile_map(&map, subject::hulls(&options));
    let onion = subject::load(&compiled);
    let world = onion.model(0).unwrap();
    let stand = onion.hulls().next().unwrap();
    let players = stand.contents;
    let name = |mins: [f32; 3], maxs: [f32; 3], contents: u32| {
        let hull = world.hull_within(mins, maxs, contents)?;
        onion.hulls().find(|own| own.id == hull).map(|own| own.name)
    };
    assert_eq!(name(stand.mins, stand.maxs, players), Some("stand"));
    assert_eq!(name([-24.0; 3], [24.0, 24.0, 40.0], players), Some("stand"));
    // Too low to stand.
    assert_eq!(
        name([-24.0; 3], [24.0, 24.0, 31.0], players),
        Some("crouch")
    );
    assert_eq!(name([-24.0; 3], [24.0, 24.0, 7.0], players), Some("small"));
    assert_eq!(name([-24.0; 3], [24.0, 24.0, -17.0], players), None);
    assert_eq!(name([-24.0; 3], [24.0, 24.0, 40.0], 32), Some("water"));
    // The point is stopped by what stops shots.
    let shots = onion.hulls().last().unwrap().contents;
    assert_eq!(name([-1.0; 3], [1.0; 3], shots), Some("point"));
    assert_eq!(name([-24.0; 3], [24.0, 24.0, 40.0], shots), Some("point"));
    assert_eq!(name([-1.0; 3], [1.0; 3], players), None);
    assert_eq!(name([f32::NAN; 3], [24.0; 3], players), None);
    assert_eq!(
        name([f32::NEG_INFINITY; 3], [f32::INFINITY; 3], players),
        None
    );
}

#[test]
fn never_later_than_the_oracle_and_never_beyond_the_bound() {
    let mut seen = Seen::default();
    for case in all_cases() {
        let of_map = check_map(case);
        println!("{}: {}", case.name, of_map.summary());
        seen.merge(of_map);
    }
    println!("all: {}", seen.summary());
    let first: Vec<_> = seen.wrong.iter().take(5).collect();
    assert!(
        seen.wrong.is_empty(),
        "{} wrong: {first:#?}",
        seen.wrong.len()
    );
    assert!(
        seen.hits * 10 > seen.traces && seen.exact * 2 > seen.hits,
        "{}",
        seen.summary()
    );
}

/// What was seen of some traces.
#[derive(Default)]
struct Seen {
    traces: usize,
    hits: usize,
    starts_solid: usize,
    /// Of those that do not slide, the ones that do not start in what is solid for the box.
    stuck: usize,
    /// Hits that say that they are exact.
    exact: usize,
    /// Hits before the oracle's, in units, of what does not slide: the oracle passes along seams.
    early: Vec<f64>,
    /// What traces of players' moves say of their own error.
    errors: Vec<f64>,
    wrong: Vec<String>,
}

impl Seen {
    fn merge(&mut self, other: Self) {
        self.traces += other.traces;
        self.hits += other.hits;
        self.starts_solid += other.starts_solid;
        self.stuck += other.stuck;
        self.exact += other.exact;
        self.early.extend(other.early);
        self.errors.extend(other.errors);
        self.wrong.extend(other.wrong);
    }

    fn summary(&self) -> String {
        format!(
            "{} traces, {} hits, {} exact, {} start in solid, {} of them falsely; early by {}; moves of 24x64 with 16x56: error {}",
            self.traces,
            self.hits,
            self.exact,
            self.starts_solid,
            self.stuck,
            spread(&self.early),
            spread(&self.errors),
        )
    }
}

/// How numbers are spread.
fn spread(numbers: &[f64]) -> String {
    let mut numbers = numbers.to_vec();
    numbers.sort_by(f64::total_cmp);
    let Some(last) = numbers.len().checked_sub(1) else {
        return "none".to_owned();
    };
    let n_zero = numbers.iter().filter(|&&number| number <= ALONG).count();
    let at = |part: f64| numbers[(last as f64 * part) as usize];
    let zero = 100.0 * n_zero as f64 / numbers.len() as f64;
    let [median, most, nearly, worst] = [0.5, 0.99, 0.999, 1.0].map(at);
    format!(
        "0 for {zero:.2}%, median {median:.4}, 99% {most:.4}, 99.9% {nearly:.4}, worst {worst:.4}"
    )
}

fn check_map(case: &Case) -> Seen {
    let hulls = &case.hulls;
    let onion = case.onion();
    let model = onion.model(0).unwrap();
    let mut random = Random::new(case.bytes.len() as u64);
    let mut seen = Seen::default();
    let player = subject::hulls(&["player:24x64"]).swap_remove(0);
    let mut boxes = vec![(0, player), (0, hulls[0].clone()), (2, hulls[2].clone())];
    for number in 0..BOXES {
        let within = [0, 2, 1][number % 3];
        boxes.push((within, around(&hulls[within], &mut random)));
    }
    for (number, (within, outer)) in boxes.iter().enumerate() {
        let world = case.oracle().world(0, outer);
        let subject = Subject {
            model,
            hull: onion.find_hull(&hulls[*within].name).unwrap(),
            inner: &hulls[*within],
            outer,
            world: &world,
            is_player: number == 0,
        };
        seen.merge(subject.check(random.bits()));
    }
    seen
}

/// A box that is larger than a hull's by different numbers on each side, some of them 0.
fn around(hull: &HullSpec, random: &mut Random) -> HullSpec {
    let mut added = || match random.below(4) {
        0 => 0.0,
        _ => (random.between(0.0, 24.0) * 16.0).round() as f32 / 16.0,
    };
    HullSpec {
        mins: hull.mins.map(|corner| corner - added()),
        maxs: hull.maxs.map(|corner| corner + added()),
        ..hull.clone()
    }
}

/// A box, the hull in it, and what is solid for the box.
struct Subject<'a> {
    model: Model<'a>,
    hull: HullId,
    inner: &'a HullSpec,
    outer: &'a HullSpec,
    world: &'a HullWorld,
    is_player: bool,
}

impl Subject<'_> {
    fn check(&self, seed: u64) -> Seen {
        let mut seen = Seen::default();
        let Some(queries) = Queries::new(self.world) else {
            return seen;
        };
        for kind in KINDS {
            let of_kind: Vec<Seen> = (0..CASES.count())
                .into_par_iter()
                .map(|number| {
                    let mut random =
                        Random::new(seed ^ (kind as u64) << 48 ^ (number as u64) << 32);
                    let mut segment = queries.query(kind, &mut random);
                    if kind == Kind::Slide && number % 2 == 1 {
                        // From a face, which may be inside of other solids, to anywhere.
                        segment[1] = along(segment[0], random.direction(), SHORT);
                    }
                    self.check_trace(kind, segment)
                })
                .collect();
            of_kind.into_iter().for_each(|one| seen.merge(one));
        }
        seen
    }

    fn check_trace(&self, kind: Kind, segment: Segment) -> Seen {
        let mut seen = Seen {
            traces: 1,
            ..Seen::default()
        };
        let [start, end] = segment;
        let corners = (self.outer.mins, self.outer.maxs);
        let found = self
            .model
            .with_skin(0.0)
            .trace_box(self.hull, corners, start, end)
            .unwrap();
        let exact = self.world.trace(start, end, 0.0);
        let is_hit = found.trace.plane.is_some();
        if found.trace.start_solid {
            seen.starts_solid = 1;
            seen.stuck = usize::from(!exact.start_solid && kind != Kind::Slide);
        } else if is_hit {
            seen.hits = 1;
            seen.exact = usize::from(found.max_error <= ALONG);
            let truth = exact
                .first_enter
                .filter(|_| !exact.start_solid)
                .unwrap_or(1.0);
            if kind != Kind::Slide {
                let early = truth - found.trace.hit_fraction;
                seen.early.push(early * length(sub(end, start)));
            }
        }
        if self.is_player && kind == Kind::Walk && !found.trace.start_solid {
            seen.errors.push(found.max_error);
        }
        if let Err(why) = self.judge(segment, &found) {
            seen.wrong.push(format!(
                "{why}: {:?} {:?} in {:?}\n{found:?}\n{exact:?}",
                self.inner, segment, self.outer
            ));
        }
        seen
    }

    fn judge(&self, segment: Segment, found: &ShiftedTrace<f64>) -> Result<(), &'static str> {
        let [start, end] = segment;
        let far = length(sub(end, start));
        let trace = &found.trace;
        let [grown, shrunk] = [SHELL, -SHELL].map(|shell| self.world.trace(start, end, shell));
        let slack = ALONG / far.max(ALONG);
        if shrunk.start_solid && !trace.start_solid {
            return Err("does not start in solid");
        }
        if trace.hit_fraction > stop(&shrunk) + slack {
            return Err("later than the truth");
        }
        if stop(&grown) > found.latest + slack {
            return Err("the truth is later than the bound");
        }
        if !(trace.hit_fraction <= found.latest && found.latest <= 1.0) {
            return Err("beyond the own bound");
        }
        let error = (found.latest - trace.hit_fraction) * far;
        if (found.max_error - error).abs() > ROUNDING * far.max(1.0) {
            return Err("the error is another one");
        }
        if trace.all_solid {
            return Err("all solid is not claimed of finite segments");
        }
        let stays = trace.fraction == 0.0 && trace.end_pos == start;
        if trace.start_solid && !(stays && trace.hit_fraction == 0.0 && trace.plane.is_none()) {
            return Err("a start in solid moves");
        }
        let passes = trace.fraction == 1.0 && trace.end_pos == end && trace.hit_fraction == 1.0;
        if !trace.start_solid && trace.plane.is_none() && !(passes && found.max_error == 0.0) {
            return Err("nothing is hit and it does not pass");
        }
        self.judge_plane(segment, found)?;
        self.judge_end(segment)?;
        self.judge_without_growth(segment, found)
    }

    /// The plane that was hit holds the origin where it is hit, and faces the motion.
    fn judge_plane(
        &self,
        [start, end]: Segment,
        found: &ShiftedTrace<f64>,
    ) -> Result<(), &'static str> {
        let Some(plane) = found.trace.plane else {
            return Ok(());
        };
        let step = sub(end, start);
        let ahead = dot(plane.normal, start) - plane.dist;
        let ahead_at_hit = ahead + dot(plane.normal, step) * found.trace.hit_fraction;
        let is_on = ahead_at_hit.abs() < IN_PLANE * length(step).max(1.0);
        if is_on && dot(plane.normal, step) < 0.0 {
            Ok(())
        } else {
            Err("not on its plane, or along with it")
        }
    }

    /// A trace in single precision that does not start in solid does not end in it, with a skin or without.
    fn judge_end(&self, [start, end]: Segment) -> Result<(), &'static str> {
        let [start, end] = [start, end].map(|point| point.map(|x| x as f32));
        if self.world.solid(start.map(f64::from), 0.0) {
            return Ok(());
        }
        for skin in [0.0, 1.0 / 32.0, -1.0, f64::NAN] {
            let corners = (self.outer.mins, self.outer.maxs);
            let found = self
                .model
                .with_skin(skin)
                .trace_box(self.hull, corners, start, end)
                .unwrap();
            if self.world.solid(found.trace.end_pos.map(f64::from), -SHELL) {
                return Err("ends in solid");
            }
            if found.trace.fraction > found.trace.hit_fraction {
                return Err("moves beyond its hit");
            }
        }
        Ok(())
    }

    /// A box without growth is the hull, but for what slides in planes.
    fn judge_without_growth(
        &self,
        [start, end]: Segment,
        found: &ShiftedTrace<f64>,
    ) -> Result<(), &'static str> {
        let is_same = (self.inner.mins, self.inner.maxs) == (self.outer.mins, self.outer.maxs);
        if !is_same || self.slides([start, end]) {
            return Ok(());
        }
        let hull = self.model.with_skin(0.0).trace(self.hull, start, end);
        let shifted = &found.trace;
        if hull.start_solid || shifted.start_solid {
            let agree = hull.start_solid == shifted.start_solid;
            return if agree {
                Ok(())
            } else {
                Err("the hull starts otherwise")
            };
        }
        // The hull passes solid that it crosses by less than rounding, at the corner of a brush.
        let shrunk = self.world.trace(start, end, -SHELL);
        let grazes = shifted.hit_fraction < hull.hit_fraction.min(stop(&shrunk));
        let off = (hull.hit_fraction - shifted.hit_fraction) * length(sub(end, start));
        let differs = off.abs() > ALONG || hull.plane.is_some() != shifted.plane.is_some();
        if differs && !grazes {
            return Err("the hull is stopped elsewhere");
        }
        Ok(())
    }

    /// Whether a segment lies in a plane of any solid, or nearly.
    fn slides(&self, ends: Segment) -> bool {
        let solids = self.world.solids().iter();
        solids
            .flat_map(|solid| &solid.planes)
            .any(|&(normal, dist)| {
                ends.iter()
                    .all(|&end| (dot(normal, end) - dist).abs() < IN_PLANE)
            })
    }
}

/// Where a box is stopped that does not move if it starts in solid.
fn stop(trace: &OracleTrace) -> f64 {
    if trace.start_solid {
        0.0
    } else {
        trace.first_enter.unwrap_or(1.0)
    }
}
