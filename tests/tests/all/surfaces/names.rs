//! Every kind of hit on every map: the runtime's name is one of those that the oracle finds at the
//! same place.

use onion_compiler::Compiled;
use onion_runtime::{HullId, Model, Source};
use onion_tests::cases::{Case, prism_cases, real_cases, sample_cases};
use onion_tests::effort::Cases;
use onion_tests::fixtures::assert_none_wrong;
use onion_tests::oracle::{Name, NamedWorld, Names, OracleShaders};
use onion_tests::queries::{Kind, Queries, Segment};
use onion_tests::random::Random;
use onion_tests::subject::{self, HULLS};
use rayon::prelude::*;

use super::{Answer, Looks, SAME_DIST, SAME_NORMAL, answer};

/// Number of hits in a map.
const HITS: Cases = Cases::new(2_000, 20_000);

/// One hit in this many is in an inline model, if the map has some.
const INLINE: usize = 8;

/// One trace in this many is in single precision.
const SINGLE: usize = 4;

/// Number of segments that are tried for a hit.
const TRIES: usize = 64;

/// At most one hit in this many may be of a brush that the segment would enter only by rounding error, or of a sealed
/// crack.
const MAX_TOUCHED: usize = 5_000;

const KINDS: [Kind; 3] = [Kind::Walk, Kind::Shot, Kind::Uniform];

/// Counts of a map's hits, by verdict.
#[derive(Default)]
struct Counts {
    hits: usize,
    /// Hits with more than one correct answer.
    ties: usize,
    /// Ties other than between faces in one plane; in those, only the first is correct.
    open: usize,
    /// Hits of planes that are not faces.
    bevels: usize,
    patches: usize,
    /// Hits of brushes that the segment touches but does not enter.
    touched: usize,
    /// Hits of cracks that are solid for hulls without extent: no brush is there, and no name is reported.
    sealed: usize,
    wrong: Vec<String>,
}

impl Counts {
    fn add(mut self, other: Counts) -> Counts {
        self.hits += other.hits;
        self.ties += other.ties;
        self.open += other.open;
        self.bevels += other.bevels;
        self.patches += other.patches;
        self.touched += other.touched;
        self.sealed += other.sealed;
        self.wrong.extend(other.wrong);
        self
    }
}

/// A hull in a model of a file, and the oracle's world for it.
struct Subject<'a> {
    model: Model<'a>,
    index: usize,
    hull: HullId,
    world: &'a NamedWorld,
    shaders: &'a OracleShaders,
    /// Whether narrow cracks are filled for this hull.
    seals: bool,
    seed: u64,
}

impl Subject<'_> {
    fn check(&self, n_hits: usize) -> Counts {
        let Some(queries) = Queries::new(self.world.world()) else {
            return Counts::default();
        };
        let hits = (0..n_hits).into_par_iter();
        hits.map(|number| self.check_hit(&queries, number))
            .reduce(Counts::default, Counts::add)
    }

    /// Checks the first hit among some random segments.
    fn check_hit(&self, queries: &Queries<'_>, number: usize) -> Counts {
        let mut random = Random::new(self.seed << 32 ^ number as u64);
        for _ in 0..TRIES {
            let segment = queries.query(KINDS[number % KINDS.len()], &mut random);
            let (segment, fraction, answer) = self.trace(segment, number.is_multiple_of(SINGLE));
            let Some(fraction) = fraction else {
                if answer.is_some() {
                    return wrong(format!("{segment:?} hits nothing, but {answer:?}"));
                }
                continue;
            };
            let [start, end] = segment;
            let names = self.world.names(start, end, fraction);
            return match self.judge(&names, answer.as_ref()) {
                Ok(counts) => counts,
                Err(what) => wrong(format!(
                    "model {} {:?} {segment:?} at {fraction}: {what}: {answer:?}, not of {names:?}",
                    self.index, self.hull
                )),
            };
        }
        Counts::default()
    }

    /// Returns the segment as traced, the fraction at which it hits, and the reported hit.
    fn trace(&self, segment: Segment, single: bool) -> (Segment, Option<f64>, Option<Answer>) {
        let (model, hull) = (&self.model, self.hull);
        if single {
            let ends = segment.map(|end| end.map(|at| at as f32));
            let trace = model.trace(hull, ends[0], ends[1]);
            let fraction = trace.plane.map(|_| trace.hit_fraction);
            let segment = ends.map(|end| end.map(f64::from));
            return (segment, fraction, answer(model, hull, &trace));
        }
        let trace = model.with_margin(0.0).trace(hull, segment[0], segment[1]);
        let fraction = trace.plane.map(|_| trace.hit_fraction);
        (segment, fraction, answer(model, hull, &trace))
    }

    fn judge(&self, names: &Names, answer: Option<&Answer>) -> Result<Counts, String> {
        let Some(answer) = answer else {
            return self.judge_unnamed(names);
        };
        let is_answer = |name: &&Name| self.agrees(name, answer);
        let entered = names.entered.iter().find(is_answer);
        let touched = names.touched.iter().find(is_answer);
        if entered.or(touched).is_none() {
            return Err(self.difference(names, answer).to_owned());
        }
        let first = names.entered.first().map(source);
        // Normals of bevels are rounded to a grid of 2^-30, so of planes that would coincide, one may come first by a
        // hundredth of a millionth of a unit.
        let is_exact = names.in_one_plane && !answer.is_bevel;
        if is_exact && first != Some(answer.source) {
            return Err("not the first of faces that coincide".to_owned());
        }
        if answer.model != self.index || answer.entity != self.model.entity_number() {
            return Err("another model or entity".to_owned());
        }
        Ok(Counts {
            hits: 1,
            ties: usize::from(!names.is_unique()),
            open: usize::from(!names.is_unique() && !names.in_one_plane),
            bevels: usize::from(answer.is_bevel),
            patches: usize::from(matches!(answer.source, Source::Patch(_))),
            touched: usize::from(entered.is_none()),
            ..Counts::default()
        })
    }

    /// Checks a hit without a name: it is correct only if no brush is there and the hull does not get through a
    /// crack.
    fn judge_unnamed(&self, names: &Names) -> Result<Counts, String> {
        let is_crack = names.entered.is_empty() && names.touched.is_empty();
        if !self.seals || !is_crack {
            return Err("nothing is named".to_owned());
        }
        Ok(Counts {
            hits: 1,
            sealed: 1,
            ..Counts::default()
        })
    }

    /// Returns the first property in which a wrong answer differs from all correct ones.
    fn difference(&self, names: &Names, answer: &Answer) -> &'static str {
        let all = || names.entered.iter().chain(&names.touched);
        let brush = |name: &&Name| source(name) == answer.source;
        let plane = |name: &&Name| brush(name) && same_plane(name, answer);
        let side =
            |name: &Name| matches!(name, Name::Side { side, .. } if *side as u32 == answer.side);
        let bevel = |name: &Name| matches!(name, Name::Side { is_bevel: true, .. });
        let shader = |name: &Name| match *name {
            Name::Side { shader, .. } | Name::Patch { shader, .. } => shader,
        };
        let same_looks = |name: &Name| self.looks(shader(name)) == answer.looks;
        let patch = |name: &Name| matches!(name, Name::Patch { .. });
        if all().next().is_none() {
            "nothing is there"
        } else if !all().any(|name| brush(&name)) {
            "another brush"
        } else if all().filter(brush).any(patch) {
            "another surface for a patch"
        } else if !all().any(|name| plane(&name)) {
            "another plane"
        } else if !all().filter(plane).any(|own| bevel(own) == answer.is_bevel) {
            "a bevel for a face, or the reverse"
        } else if all().filter(plane).any(side) {
            "another surface or contents"
        } else if all().filter(plane).any(same_looks) {
            "another side of the same surface"
        } else {
            "another side"
        }
    }

    fn looks(&self, shader: usize) -> Looks {
        let shader = &self.shaders.shaders[shader];
        (shader.name.clone(), shader.flags, shader.contents)
    }

    /// Whether an answer agrees with a name, to the bits of its surface.
    fn agrees(&self, name: &Name, answer: &Answer) -> bool {
        let agrees = |shader: usize, contents: u32| {
            answer.source == source(name)
                && answer.looks == self.looks(shader)
                && answer.contents == contents
        };
        match *name {
            Name::Patch {
                shader, contents, ..
            } => agrees(shader, contents),
            Name::Side {
                side,
                shader,
                contents,
                is_bevel,
                ..
            } => {
                agrees(shader, contents)
                    && (answer.side as usize, answer.is_bevel) == (side, is_bevel)
                    && same_plane(name, answer)
            }
        }
    }
}

/// Whether an answer has the plane of a side.
fn same_plane(name: &Name, answer: &Answer) -> bool {
    let &Name::Side {
        plane: (normal, dist),
        ..
    } = name
    else {
        return false;
    };
    let off = (0..3).map(|axis| (normal[axis] - answer.plane.0[axis]).abs());
    off.fold(0.0, f64::max) < SAME_NORMAL && (dist - answer.plane.1).abs() < SAME_DIST
}

fn source(name: &Name) -> Source {
    match *name {
        Name::Side { brush, .. } => Source::Brush(brush as u32),
        Name::Patch { surface, .. } => Source::Patch(surface as u32),
    }
}

fn wrong(what: String) -> Counts {
    Counts {
        hits: 1,
        wrong: vec![what],
        ..Counts::default()
    }
}

/// Checks hits of all hulls in all models of the files of a map, and returns the errors.
fn check_map(map: &Case, n_hits: usize, groupings: &[&str]) {
    let hulls = &map.hulls;
    let worlds = map.oracle();
    let other = |grouping: &&str| Case::new(&map.name, &map.bytes, &HULLS, grouping);
    let others: Vec<Case> = groupings.iter().map(other).collect();
    let files = [map].into_iter().chain(&others);
    let files = files.flat_map(|case| [case.unfilled(), case.filled()]);
    let files: Vec<&Compiled> = files.collect();
    let share = n_hits.div_ceil(files.len() * hulls.len());
    let mut all = Counts::default();
    let n_models = map.map.models.len();
    for index in 0..n_models {
        let inline = n_models - 1;
        let in_inline = if inline == 0 { 0 } else { share / INLINE };
        let n_hits = match index {
            0 => share - in_inline,
            _ => in_inline.div_ceil(inline),
        };
        for (number, spec) in hulls.iter().enumerate() {
            let world = worlds.named_world(index, spec);
            for (file, compiled) in files.iter().enumerate() {
                let onion = subject::load(compiled);
                let subject = Subject {
                    model: onion.model(index).unwrap(),
                    index,
                    hull: onion.find_hull(&spec.name).unwrap(),
                    world: &world,
                    shaders: worlds.shaders(),
                    // Every second file is filled.
                    seals: file % 2 == 1 && spec.mins == spec.maxs,
                    seed: ((index * 16 + file) * 64 + number) as u64,
                };
                all = all.add(subject.check(n_hits));
            }
        }
    }
    let Counts {
        hits,
        ties,
        open,
        bevels,
        patches,
        touched,
        sealed,
        ..
    } = all;
    println!(
        "{}: {hits} hits, {ties} ties ({open} open), {bevels} bevels, {patches} patches, {touched} touched, {sealed} \
         sealed",
        map.name
    );
    let enough = hits >= n_hits / 2 && (touched + sealed) * MAX_TOUCHED <= hits;
    assert!(enough, "{}: too few hits, or too many unsure", map.name);
    assert_none_wrong(&map.name, &all.wrong);
}

#[test]
fn hits_in_sample_maps_have_the_names_of_the_oracle() {
    for case in sample_cases() {
        check_map(case, HITS.count(), &["each"]);
    }
}

#[test]
fn hits_of_prisms_have_the_names_of_the_oracle() {
    for case in prism_cases() {
        check_map(case, HITS.count(), &[]);
    }
}

#[test]
fn hits_in_real_maps_have_the_names_of_the_oracle() {
    for case in real_cases() {
        check_map(case, HITS.count(), &[]);
    }
}
