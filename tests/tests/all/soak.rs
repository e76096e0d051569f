//! The contract, ten million times: a trace that does not start in solid never ends in solid, in the precision of the
//! query, for random segments and for walkers that continue from the end of their last trace, sliding along the
//! surfaces they hit.

use onion_runtime::{Aabb, HullId, Model, Trace};
use onion_tests::cases::{Case, all_cases};
use onion_tests::effort::Cases;
use onion_tests::queries::{along, dot};
use onion_tests::random::Random;
use rayon::prelude::*;

const TRACES: Cases = Cases::new(3_000_000, 30_000_000);

/// Number of steps of one walker before a new one starts.
const STEPS: usize = 200;

#[test]
fn no_trace_ends_in_solid() {
    let cases: Vec<_> = all_cases().collect();
    let share = TRACES.count() / cases.len() + 1;
    let n_traces: usize = cases.iter().map(|case| soak(case, share)).sum();
    assert!(n_traces >= TRACES.count(), "only {n_traces} traces");
}

fn soak(case: &Case, n_traces: usize) -> usize {
    let onion = case.onion();
    let hulls: Vec<HullId> = onion.hulls().map(|hull| hull.id).collect();
    let runs = 0..n_traces.div_ceil(2 * STEPS) as u64;
    runs.into_par_iter()
        .map(|run| {
            let mut random = Random::new(run);
            let hull = hulls[random.below(hulls.len())];
            let model = onion.world();
            let walker = Walker { model, hull };
            walker.scatter(&mut random) + walker.walk(&mut random)
        })
        .sum()
}

struct Walker<'a> {
    model: Model<'a>,
    hull: HullId,
}

impl Walker<'_> {
    fn place(&self, random: &mut Random) -> [f32; 3] {
        let Aabb { mins, maxs } = self.model.bounds();
        let [mins, maxs] = [mins, maxs].map(|corner| corner.map(f64::from));
        let place = random.point(mins, maxs);
        // Often on whole units, where most planes are.
        let whole = random.below(2) == 0;
        place.map(|x| if whole { x.round() as f32 } else { x as f32 })
    }

    /// Traces segments between random places, in both precisions.
    fn scatter(&self, random: &mut Random) -> usize {
        for _ in 0..STEPS {
            let [start, end] = [0, 1].map(|_| self.place(random));
            self.check(start, end);
        }
        STEPS
    }

    /// Traces a walker that slides along the surfaces it hits.
    fn walk(&self, random: &mut Random) -> usize {
        let mut at = self.place(random);
        for _ in 0..STEPS {
            let step = random.direction().map(|x| x * random.between(0.0, 40.0));
            let end = along(at.map(f64::from), step, 1.0).map(|x| x as f32);
            let trace = self.check(at, end);
            at = trace.end_pos;
            if let Some(plane) = trace.plane {
                let normal = plane.normal.map(f64::from);
                let slide = along(step, normal, -dot(step, normal));
                let end = along(at.map(f64::from), slide, 1.0).map(|x| x as f32);
                at = self.check(at, end).end_pos;
            }
        }
        STEPS
    }

    fn check(&self, start: [f32; 3], end: [f32; 3]) -> Trace<f32> {
        let trace = self.model.trace(self.hull, start, end);
        assert_eq!(
            trace.start_solid,
            self.model.is_solid(self.hull, start),
            "{start:?} {end:?}"
        );
        if !trace.start_solid {
            let ends_in_solid = self.model.is_solid(self.hull, trace.end_pos);
            assert!(!ends_in_solid, "{start:?} {end:?} {trace:?}");
        }
        let [wide_start, wide_end] = [start, end].map(|point| point.map(f64::from));
        let wide = self
            .model
            .with_margin(0.0)
            .trace(self.hull, wide_start, wide_end);
        if !wide.start_solid {
            let solidity = self.model.solidity(wide.end_pos);
            let is_solid = solidity.contains(self.hull.index());
            assert!(!is_solid, "{start:?} {end:?} {wide:?}");
        }
        assert!((0.0..=1.0).contains(&trace.fraction), "{trace:?}");
        assert!(trace.fraction <= trace.hit_fraction, "{trace:?}");
        trace
    }
}
