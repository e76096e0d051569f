//! Every answer on every real and sample map against the oracle: traces by the sandwich rule,
//! points outside of a shell, and the planes that were hit.

use onion_runtime::{HullId, Model, Trace};
use onion_tests::cases::{
    Case, other_cases, prism_cases, real_cases, sample_case, sample_cases, scene_cases, text_cases,
};
use onion_tests::effort::Cases;
use onion_tests::fixtures::{all_right, assert_none_wrong};
use onion_tests::oracle::{HullWorld, Plane, sandwich};
use onion_tests::queries::{KINDS, Kind, Queries, Segment, along, dot};
use onion_tests::random::Random;
use onion_tests::subject::{self, HULLS};
use onion_tests::tiles::{Grid, Size, tile};
use rayon::prelude::*;

/// Answers must lie between those for solids grown and shrunk by this, in units.
const SHELL: f64 = 0.001;

/// A hit point lies this near to its plane, in units.
const ON_PLANE: f64 = 0.01;

/// The largest speed against a plane that still counts as parallel, in units: rounding error, for segments that slide
/// in a plane.
const PARALLEL: f64 = 1e-9;

/// At most one trace in this many may graze solid and name a plane that no brush has there.
const MAX_UNNAMED: usize = 5_000;

/// Normals of one plane computed in two ways agree to this.
const SAME_NORMAL: f64 = 1e-5;

const REAL_QUERIES: Cases = Cases::new(8_000, 12_000);
const SAMPLE_QUERIES: Cases = Cases::new(5_000, 10_000);
const OTHER_QUERIES: Cases = Cases::new(2_000, 2_500);
const TILED_QUERIES: usize = 2_000;
const PRISM_POINTS: Cases = Cases::new(5_000, 1_000_000);

#[test]
fn sample_maps_agree_with_the_oracle() {
    for case in sample_cases() {
        check_map(case, SAMPLE_QUERIES.count(), SAMPLE_QUERIES.count());
    }
}

#[test]
fn prisms_agree_with_the_oracle() {
    for case in prism_cases() {
        check_map(case, OTHER_QUERIES.count(), PRISM_POINTS.count());
    }
}

#[test]
fn a_map_of_tiles_agrees_with_the_oracle() {
    let courtyard = &sample_case("courtyard").bytes;
    let grid = Grid {
        columns: 2,
        rows: 3,
    };
    let bytes = tile(courtyard, Size::Tiles(grid), 1).unwrap().bytes;
    let case = Case::new("courtyard, 2 by 3", &bytes, &HULLS, "one");
    check_map(&case, TILED_QUERIES, TILED_QUERIES);
}

#[test]
fn real_maps_agree_with_the_oracle() {
    for case in real_cases() {
        check_map(case, REAL_QUERIES.count(), REAL_QUERIES.count());
    }
}

/// The maps of other games and forms: BSP files, texts, and scenes of glTF.
#[test]
fn maps_of_other_games_agree_with_the_oracle() {
    for case in [other_cases(), text_cases(), scene_cases()]
        .into_iter()
        .flatten()
    {
        check_map(case, OTHER_QUERIES.count(), OTHER_QUERIES.count());
    }
}

#[derive(Clone, Copy, Default)]
struct Worst {
    perpendicular: f64,
    along_ray: f64,
    hits: usize,
    /// Hits that graze solid and name a plane that no brush has there.
    unnamed: usize,
}

fn check_map(case: &Case, n_queries: usize, n_points: usize) {
    let onion = case.onion();
    for hull in onion.hulls() {
        for index in 0..onion.n_models() {
            // The world gets all queries; the inline models together get the same number.
            let share = if index == 0 { 1 } else { onion.n_models() - 1 };
            let subject = Subject {
                name: format!("{} model {index} {}", case.name, hull.name),
                world: case.world(index, hull.id),
                model: onion.model(index).unwrap(),
                hull: hull.id,
                seed: (index * 64 + hull.id.index()) as u64,
            };
            subject.check(n_queries / share, n_points / share, index == 0);
        }
    }
}

struct Subject<'a> {
    name: String,
    world: &'a HullWorld,
    model: Model<'a>,
    hull: HullId,
    seed: u64,
}

impl Subject<'_> {
    fn check(&self, n_queries: usize, n_points: usize, report: bool) {
        let Some(queries) = Queries::new(self.world) else {
            let is_solid = self.model.solidity([0.0; 3]).contains(self.hull.index());
            assert!(!is_solid, "{}: nothing is solid", self.name);
            return;
        };
        for kind in KINDS {
            let results: Vec<Result<Worst, String>> = (0..n_queries)
                .into_par_iter()
                .map(|number| self.check_trace(&queries, kind, number))
                .collect();
            let what = format!("{} {kind:?}", self.name);
            let right = all_right(&what, results).into_iter();
            let worst = right.fold(Worst::default(), |worst, one| Worst {
                perpendicular: worst.perpendicular.max(one.perpendicular),
                along_ray: worst.along_ray.max(one.along_ray),
                hits: worst.hits + one.hits,
                unnamed: worst.unnamed + one.unnamed,
            });
            let Worst {
                perpendicular,
                along_ray,
                hits,
                unnamed,
            } = worst;
            let is_rare = unnamed * MAX_UNNAMED <= n_queries;
            assert!(
                is_rare,
                "{what}: {unnamed} hits name a plane that is not there"
            );
            if report {
                println!(
                    "{what}: {n_queries} traces, {hits} hits ({unnamed} grazing, plane unsure), worst \
                     {perpendicular:.2e} perpendicular, {along_ray:.2e} along"
                );
            }
        }
        self.check_points(&queries, n_points);
    }

    fn check_trace(
        &self,
        queries: &Queries<'_>,
        kind: Kind,
        number: usize,
    ) -> Result<Worst, String> {
        let mut random = Random::new(self.seed << 32 ^ (kind as u64) << 28 ^ number as u64);
        let segment = queries.query(kind, &mut random);
        let [start, end] = segment;
        let trace = self.model.with_margin(0.0).trace(self.hull, start, end);
        let answer = subject::answer(&trace);
        let differences = sandwich(self.world, start, end, answer, SHELL)?;
        let unnamed = self.check_plane(&segment, &trace)?;
        Ok(Worst {
            perpendicular: differences.perpendicular,
            along_ray: differences.along_ray.unwrap_or(0.0),
            hits: usize::from(trace.plane.is_some()),
            unnamed,
        })
    }

    /// Checks that the plane of a hit contains the hit point, faces the motion, and belongs to an expanded brush that
    /// contains the space just behind the point. Returns 1 for a tolerated graze, otherwise 0.
    fn check_plane(&self, segment: &Segment, trace: &Trace<f64>) -> Result<usize, String> {
        let Some(plane) = trace.plane else {
            return Ok(0);
        };
        let [start, end] = *segment;
        let step = std::array::from_fn(|axis| end[axis] - start[axis]);
        let point = along(start, step, trace.hit_fraction);
        let off = dot(plane.normal, point) - plane.dist;
        let fail = |what: &str| Err(format!("{what}: {segment:?} {trace:?}"));
        if off.abs() > ON_PLANE {
            return fail("the hit is not on its plane");
        }
        if dot(plane.normal, step) >= PARALLEL {
            return fail("the plane does not face the motion");
        }
        let near = self.world.nearest_planes(point, ON_PLANE);
        let same = |normal: [f64; 3]| {
            (0..3).all(|axis| (normal[axis] - plane.normal[axis]).abs() < SAME_NORMAL)
        };
        if near.iter().any(|near| same(near.plane.0)) {
            return Ok(0);
        }
        // If a hit is on the edge of two brushes, it may miss the other one by the shell.
        let in_shell = |plane: &Plane| dot(plane.0, point) - plane.1 <= SHELL;
        let touched = self.world.solids().iter().any(|solid| {
            let own = solid.planes.iter().find(|own| same(own.0));
            let on_own = own.is_some_and(|own| (dot(own.0, point) - own.1).abs() <= ON_PLANE);
            on_own && solid.planes.iter().all(in_shell)
        });
        // If the segment only grazes solid (and would miss the solid here if it were shrunk by the shell), it may
        // cross the planes of several brushes within rounding error of each other.
        let length = dot(step, step).sqrt();
        let shrunk = self.world.trace(start, end, -SHELL).first_enter;
        let grazes = shrunk.is_none_or(|hit| (hit - trace.hit_fraction) * length > ON_PLANE);
        if touched || grazes {
            return Ok(usize::from(!touched));
        }
        fail(&format!("no brush has this plane there, but {near:?}"))
    }

    fn check_points(&self, queries: &Queries<'_>, n_points: usize) {
        let wrong = (0..n_points).into_par_iter().filter_map(|number| {
            let mut random = Random::new(self.seed << 32 ^ 1 << 31 ^ number as u64);
            let point = match number % 2 {
                0 => random.point(queries.mins, queries.maxs),
                // Beside a face.
                _ => {
                    let [on_face, _] = queries.query(Kind::Slide, &mut random);
                    along(
                        on_face,
                        random.direction(),
                        10f64.powf(random.between(-3.0, 1.0)),
                    )
                }
            };
            let solid = self.model.solidity(point).contains(self.hull.index());
            let [grown, shrunk] = [SHELL, -SHELL].map(|shell| self.world.solid(point, shell));
            (grown == shrunk && solid != grown).then(|| format!("{point:?} is {solid}"))
        });
        assert_none_wrong(&self.name, &wrong.collect::<Vec<_>>());
    }
}
