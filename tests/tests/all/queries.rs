//! All changes of solidity along segments, on sample and small real maps, against the oracle's intervals by the
//! sandwich rule, and against traces of the same segments; and facts worked out by hand for a few.

use std::ops::ControlFlow;

use onion_format::Child;
use onion_runtime::{Crossing, LeafId, Transition};
use onion_tests::cases::{Case, Subject, cases, sample_case};
use onion_tests::effort::Cases;
use onion_tests::fixtures::all_right;
use onion_tests::oracle::vec3::{length, sub};
use onion_tests::oracle::{Parts, sandwich_parts};
use onion_tests::queries::{KINDS, Queries, Segment, along, dot};
use onion_tests::random::Random;
use onion_tests::tree::Tree;
use rayon::prelude::*;

/// Answers must lie between those for solids grown and shrunk by this, in units.
const SHELL: f64 = 0.001;

/// Stretches of solid up to this long count as touched, in units along the longest axis of the segment.
const GRAZE: f64 = 1.0 / (1u64 << 24) as f64;

/// A crossing is this near to its plane and to the leaves on both sides of it, in units: a graze on a diagonal, and
/// the rounding error along 2^14 units.
const ON_PLANE: f64 = 1e-6;

/// For segments that do not slide along a plane, at least this share of the answers is within [`SHELL`] of the
/// oracle's.
const EXACT: f64 = 0.99;

/// Number of segments of each kind for each hull of a map.
const SEGMENTS: Cases = Cases::new(250, 500);

/// Some segment passes through so many walls that it has this many changes.
const MANY: usize = 12;

/// The kinds of segments, in addition to those of all tests.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// One of [`KINDS`].
    Common(usize),
    /// The same with whole coordinates, where many planes are.
    Whole(usize),
    /// Along an axis, with whole coordinates.
    Axial,
    /// In a plane of the tree.
    InPlane,
    /// From inside of a solid to anywhere.
    FromSolid,
    /// Through all of the map.
    Across,
}

impl Kind {
    fn all() -> impl Iterator<Item = Self> {
        let common = (0..KINDS.len()).flat_map(|kind| [Self::Common(kind), Self::Whole(kind)]);
        common.chain([Self::Axial, Self::InPlane, Self::FromSolid, Self::Across])
    }

    /// Whether such segments lie in planes only by chance.
    fn is_general(self) -> bool {
        match self {
            Self::Common(kind) => KINDS[kind] != onion_tests::queries::Kind::Slide,
            Self::FromSolid | Self::Across => true,
            _ => false,
        }
    }

    fn segment(self, subject: &Subject<'_>, tree: &Tree, random: &mut Random) -> Option<Segment> {
        let queries = Queries::new(subject.world)?;
        let [mins, maxs] = [queries.mins, queries.maxs];
        Some(match self {
            Self::Common(kind) => queries.query(KINDS[kind], random),
            Self::Whole(kind) => Self::Common(kind)
                .segment(subject, tree, random)?
                .map(|end| end.map(f64::round)),
            Self::Axial => {
                let start = random.point(mins, maxs).map(f64::round);
                let axis = random.below(3);
                let mut end = start;
                end[axis] = random.between(mins[axis], maxs[axis]).round();
                [start, end]
            }
            Self::InPlane => {
                let plane = random.below(tree.planes.len());
                let normal = tree.normal(plane);
                [0, 1].map(|_| {
                    let mut end = random.point(mins, maxs);
                    // Twice, because the first projection has a rounding error.
                    for _ in 0..2 {
                        end = along(end, normal, -tree.ahead(plane, end));
                    }
                    end
                })
            }
            Self::FromSolid => {
                let solids = subject.world.solids();
                let corners = &solids[random.below(solids.len())].vertices;
                let weights: Vec<f64> = corners.iter().map(|_| random.unit()).collect();
                let total: f64 = weights.iter().sum();
                let start = corners.iter().zip(weights);
                let start = start.fold([0.0; 3], |sum, (corner, weight)| {
                    along(sum, *corner, weight / total)
                });
                [start, random.point(mins, maxs)]
            }
            Self::Across => {
                let axis = random.below(3);
                let mut ends = [0, 1].map(|_| random.point(mins, maxs));
                (ends[0][axis], ends[1][axis]) = (mins[axis] - 1.0, maxs[axis] + 1.0);
                ends
            }
        })
    }
}

/// Returns all transitions that [`onion_runtime::Model::transitions`] reports.
fn transitions(subject: &Subject<'_>, [start, end]: Segment) -> Vec<Transition<f64>> {
    let mut told = Vec::new();
    let (model, hull) = (&subject.model, subject.hull);
    model.transitions(hull, start, end, |transition| {
        told.push(transition);
        ControlFlow::Continue(())
    });
    told
}

/// Converts transitions to solid parts; fails if they do not alternate.
fn parts(told: &[Transition<f64>]) -> Result<Parts, String> {
    let starts = told.first();
    let start_solid = matches!(starts, Some(Transition::LeaveSolid(_) | Transition::Solid));
    let mut solid = Vec::new();
    let mut entered = start_solid.then_some(0.0);
    for transition in told {
        match (transition, entered) {
            (Transition::Empty | Transition::Solid, _) if told.len() == 1 => {}
            (Transition::EnterSolid(crossing), None) => entered = Some(crossing.fraction),
            (Transition::LeaveSolid(crossing), Some(from)) => {
                solid.push((from, crossing.fraction));
                entered = None;
            }
            _ => return Err("changes do not take turns".to_owned()),
        }
    }
    solid.extend(entered.map(|from| (from, 1.0)));
    Ok(Parts { start_solid, solid })
}

fn crossing(transition: &Transition<f64>) -> Option<&Crossing<f64>> {
    match transition {
        Transition::EnterSolid(crossing) | Transition::LeaveSolid(crossing) => Some(crossing),
        Transition::Empty | Transition::Solid => None,
    }
}

struct Check<'a> {
    subject: &'a Subject<'a>,
    tree: Tree,
}

impl Check<'_> {
    /// Checks a segment, and returns the number of changes and whether they match the oracle's exactly.
    fn segment(&self, segment: Segment) -> Result<(usize, bool), String> {
        let [start, end] = segment;
        let (model, hull) = (&self.subject.model, self.subject.hull);
        let told = transitions(self.subject, segment);
        let fail = |why: String| Err(format!("{why}\n  {segment:?}\n  {told:#?}"));
        let Some(first) = told.first() else {
            return fail("nothing is told".to_owned());
        };
        let parts = parts(&told)?;
        sandwich_parts(self.subject.world, start, end, &parts, SHELL)?;
        if model.find_first_transition(hull, start, end) != *first {
            return fail("another is found first".to_owned());
        }
        if let Err(why) = self.against_trace(segment, &told) {
            return fail(why);
        }
        let left = match first {
            Transition::Solid => 1.0,
            Transition::LeaveSolid(crossing) => crossing.fraction,
            _ => 0.0,
        };
        let found = model.find_first_transition(hull, start, end);
        if found.fraction_left_solid() != left {
            return fail("another fraction left solid".to_owned());
        }
        for transition in &told {
            if let Err(why) = self.crossing(segment, transition) {
                return fail(why);
            }
        }
        if let Err(why) = lengths(segment, &parts) {
            return fail(why);
        }
        let n_changes = told.iter().filter_map(crossing).count();
        Ok((n_changes, self.is_exact(segment, &parts)))
    }

    /// Checks the transitions against a trace: the first entry into solid, and the state of the start.
    fn against_trace(&self, [start, end]: Segment, told: &[Transition<f64>]) -> Result<(), String> {
        let free = self.subject.model.with_margin(0.0);
        let trace = free.trace(self.subject.hull, start, end);
        let entry = told.iter().find_map(|transition| match transition {
            Transition::EnterSolid(crossing) => Some(crossing),
            _ => None,
        });
        let hit_fraction = entry.map_or(1.0, |crossing| crossing.fraction);
        let plane = entry.and_then(|crossing| crossing.plane);
        let starts = matches!(told[0], Transition::LeaveSolid(_) | Transition::Solid);
        let same = trace.hit_fraction == hit_fraction
            && trace.plane == plane
            && trace.start_solid == starts
            && trace.all_solid == matches!(told[0], Transition::Solid);
        same.then_some(()).ok_or(format!("the trace is {trace:?}"))
    }

    /// Checks that a crossing is at its stated place, between leaves that are solid or empty as it states.
    fn crossing(&self, [start, end]: Segment, transition: &Transition<f64>) -> Result<(), String> {
        let (crossing, enters) = match transition {
            Transition::EnterSolid(crossing) => (crossing, true),
            Transition::LeaveSolid(crossing) => (crossing, false),
            Transition::Empty | Transition::Solid => return Ok(()),
        };
        let Crossing {
            fraction,
            point,
            plane,
            from,
            to,
        } = *crossing;
        let fail = |why: &str| Err(format!("{why}: {transition:?}"));
        let step = sub(end, start);
        if length(sub(along(start, step, fraction), point)) > ON_PLANE {
            return fail("the point is not at the fraction");
        }
        let Some(plane) = plane else {
            return fail("no plane");
        };
        if (dot(plane.normal, point) - plane.dist).abs() > ON_PLANE {
            return fail("the point is not on the plane");
        }
        if dot(plane.normal, step) > 0.0 {
            return fail("the plane does not face the motion");
        }
        let hull = self.subject.hull.index();
        let is_solid = |leaf: LeafId| self.subject.map.leaf_solidity(leaf).contains(hull);
        let Some(from) = from else {
            return fail("no leaf before the crossing");
        };
        for (leaf, is_meant_solid) in [(to, enters), (from, !enters)] {
            if is_solid(leaf) != is_meant_solid {
                return fail("a leaf beside the crossing has another solidity");
            }
            let place = Child::leaf(leaf.index() as u32);
            if self.tree.outside_by(place, point) > ON_PLANE {
                return fail("a leaf beside the crossing is elsewhere");
            }
        }
        Ok(())
    }

    fn is_exact(&self, [start, end]: Segment, parts: &Parts) -> bool {
        let (start_solid, solid) = self.subject.world.intervals(start, end, 0.0);
        let near = |a: f64, b: f64| (a - b).abs() * length(sub(end, start)) <= SHELL;
        let mut pairs = solid.iter().zip(&parts.solid);
        start_solid == parts.start_solid
            && solid.len() == parts.solid.len()
            && pairs.all(|(a, b)| near(a.0, b.0) && near(a.1, b.1))
    }
}

/// Checks that no reported part is short enough to count as touching, except at the ends of the segment.
fn lengths([start, end]: Segment, parts: &Parts) -> Result<(), String> {
    let longest = (0..3).map(|axis| (end[axis] - start[axis]).abs());
    let longest = longest.fold(0.0, f64::max);
    let mut last = None;
    for &(from, to) in &parts.solid {
        if last.is_some_and(|last| (from - last) * longest <= GRAZE) {
            return Err(format!("only touches empty at {from}"));
        }
        let inside = to < 1.0 && (from > 0.0 || !parts.start_solid);
        if inside && (to - from) * longest <= GRAZE {
            return Err(format!("only touches solid at {from}"));
        }
        last = Some(to);
    }
    Ok(())
}

#[test]
fn transitions_agree_with_the_oracle() {
    let (mut most, mut n_asked) = (0, 0);
    for subject in cases().flat_map(Case::subjects) {
        let tree = Tree::new(subject.map, subject.index, subject.hull);
        let check = Check {
            subject: &subject,
            tree,
        };
        for (kind_number, kind) in Kind::all().enumerate() {
            let results: Vec<_> = (0..subject.share_of(SEGMENTS.count()))
                .into_par_iter()
                .filter_map(|number| {
                    let mut random = subject.random(kind_number, number);
                    let segment = kind.segment(&subject, &check.tree, &mut random)?;
                    Some(check.segment(segment))
                })
                .collect();
            let n = results.len();
            let right = all_right(&format!("{} {kind:?}", subject.name), results);
            let n_exact = right.iter().filter(|(_, is_exact)| *is_exact).count();
            let enough = n_exact as f64 >= EXACT * n as f64;
            n_asked += n;
            assert!(
                enough || !kind.is_general(),
                "{} {kind:?}: {n_exact} of {n}",
                subject.name
            );
            most = right.iter().map(|right| right.0).fold(most, usize::max);
        }
    }
    assert!(n_asked > 1000, "{n_asked} segments");
    println!("up to {most} changes of a segment");
    assert!(most >= MANY, "no segment has more than {most} changes");
}

#[test]
fn transitions_stop_when_told() {
    let mut n_stopped = 0;
    for subject in cases().flat_map(Case::subjects) {
        let tree = Tree::new(subject.map, subject.index, subject.hull);
        for number in 0..subject.share_of(100) {
            let mut random = subject.random(100, number);
            let kind = [Kind::Across, Kind::Axial, Kind::InPlane][number % 3];
            let Some(segment) = kind.segment(&subject, &tree, &mut random) else {
                continue;
            };
            let all = transitions(&subject, segment);
            for n_wanted in 1..=all.len() {
                let mut told = Vec::new();
                let [start, end] = segment;
                let (model, hull) = (&subject.model, subject.hull);
                model.transitions(hull, start, end, |transition| {
                    told.push(transition);
                    if told.len() == n_wanted {
                        ControlFlow::Break(())
                    } else {
                        ControlFlow::Continue(())
                    }
                });
                assert_eq!(told, all[..n_wanted], "{} {segment:?}", subject.name);
                n_stopped += usize::from(n_wanted < all.len());
            }
        }
    }
    assert!(n_stopped > 1000, "only {n_stopped}");
}

/// A room of 512 x 512 x 256 units, with solid walls around it and empty space outside.
#[test]
fn whole_segments_and_strange_ones() {
    for subject in sample_case("room").subjects() {
        let told = |start, end| transitions(&subject, [start, end]);
        let left = |start, end| {
            let first = subject
                .model
                .find_first_transition(subject.hull, start, end);
            first.fraction_left_solid()
        };
        let (inside, also_inside) = ([0.0, 0.0, 100.0], [50.0, -70.0, 130.0]);
        assert_eq!(told(inside, also_inside), [Transition::Empty]);
        assert_eq!(left(inside, also_inside), 0.0);
        assert_eq!(told(inside, inside), [Transition::Empty]);
        // Inside the floor, whose top is z = 0.
        let (below, also_below) = ([0.0, 0.0, -4.0], [9.0, 7.0, -5.0]);
        assert_eq!(told(below, also_below), [Transition::Solid]);
        assert_eq!(left(below, also_below), 1.0);
        assert_eq!(told(below, below), [Transition::Solid]);
        assert_eq!(left(inside, below), 0.0);
        let (into, out) = (told(inside, below), told(below, inside));
        assert!(matches!(into[..], [Transition::EnterSolid(_)]));
        assert!(matches!(out[..], [Transition::LeaveSolid(_)]));
        for strange in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1.1e9] {
            for axis in 0..3 {
                let mut nowhere = inside;
                nowhere[axis] = strange;
                for [start, end] in [[nowhere, inside], [inside, nowhere], [nowhere; 2]] {
                    assert_eq!(told(start, end), [Transition::Solid]);
                    assert_eq!(left(start, end), 1.0);
                }
            }
        }
    }
}

/// Facts by hand about the tunnel between two rooms, x from -64 to 64, y from -32 to 32, 40 high.
#[test]
fn fractions_left_solid() {
    let case = sample_case("low_tunnel");
    let (map, world) = (case.onion(), case.onion().world());
    let left = |hull: &str, start, end| {
        let first = world.find_first_transition(map.find_hull(hull).unwrap(), start, end);
        first.fraction_left_solid()
    };
    // Stuck in the tunnel's ceiling; the block ends at x = 64, and the box extends 16 behind its origin.
    assert_eq!(left("stand", [0.0, 0.0, 24.0], [200.0, 0.0, 24.0]), 0.4);
    assert_eq!(left("stand", [0.0, 0.0, 24.0], [50.0, 0.0, 24.0]), 1.0);
    assert_eq!(left("crouch", [0.0, 0.0, 24.0], [200.0, 0.0, 24.0]), 0.0);
    assert_eq!(left("point", [0.0, 0.0, 60.0], [0.0, 0.0, 20.0]), 0.5);
    // From the block on one side of the tunnel to the block on the other: the walls are y = -32 and 32.
    let point = map.find_hull("point").unwrap();
    let mut fractions = Vec::new();
    world.transitions(point, [0.0, -64.0, 20.0], [0.0, 64.0, 20.0], |transition| {
        fractions.push(crossing(&transition).unwrap().fraction);
        ControlFlow::Continue(())
    });
    assert_eq!(fractions, [0.25, 0.75]);
}
