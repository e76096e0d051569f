//! Maps that exist in two forms, as text and compiled by their games' tools, or compiled for several games: both are
//! solid at the same random points, and each difference has a reason. The long run compares all differences with the
//! table `golden/map_pairs.txt`, which `ONION_BLESS=1` rewrites. The contents of Quake III's textures, which shader
//! scripts define and the text does not, come from the compiled file.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;

use glam::DVec3;
use onion_compiler::DEFAULT_PATCH_ERROR;
use onion_compiler::brush;
use onion_compiler::brush::BrushSource;
use onion_compiler::expand::{ModelSolids, expand};
use onion_compiler::fill::seeds::Fill;
use onion_geometry::{Bounds, PlaneSet};
use onion_maps::contents::{PLAYERCLIP, SOLID};
use onion_maps::game::Game;
use onion_maps::{Map, Patch, ReadOptions, parse};
use onion_runtime::OnionMap;
use onion_tests::effort::has_large_maps;
use onion_tests::fixtures::assert_golden;
use onion_tests::maps::folder;
use onion_tests::random::Random;
use onion_tests::skips::skip;
use onion_tests::subject::{self, HULLS};
use rayon::prelude::*;

/// Pairs below the folder of real maps. The short run takes the first ones.
const PAIRS: [(&str, &str); 23] = [
    ("oasrc/fan.map", "oa081/fan.bsp"),
    ("oasrc/oa_bases3cl.map", "oa081/oa_bases3cl.bsp"),
    ("oasrc/oa_bases3.map", "oa088/oa_bases3.bsp"),
    ("oasrc/ps37ctf2.map", "oa085/ps37ctf2.bsp"),
    ("quake/dm4.map", "quake/dm4.bsp"),
    ("nexuiz/_init.map", "nexuiz/_init.bsp"),
    ("ericw/q1_cube.map", "ericw/q1_cube.bsp"),
    ("qbsp/example-bsp29.bsp", "qbsp/example-bsp2.bsp"),
    ("qbsp/example-bsp29.bsp", "qbsp/example-halflife.bsp"),
    ("qbsp/example-bsp29.bsp", "qbsp/example-quake2.bsp"),
    ("qbsp/example-bsp29.bsp", "qbsp/example-qbism.bsp"),
    ("oasrc/aggressor.map", "oa088/aggressor.bsp"),
    ("oasrc/sleekgrinder.map", "oa088/sleekgrinder.bsp"),
    ("oasrc/pxlfan.map", "oa088/pxlfan.bsp"),
    ("oasrc/mlca1.map", "oa088/mlca1.bsp"),
    ("oasrc/pul1ctf.map", "oa088/pul1ctf.bsp"),
    ("oasrc/islanddm.map", "oa081/islanddm.bsp"),
    ("oasrc/kaos.map", "oa081/kaos.bsp"),
    ("nexuiz/darkzone.map", "nexuiz/darkzone.bsp"),
    ("nexuiz/stormkeep2.map", "nexuiz/stormkeep2.bsp"),
    ("nexuiz/evilspace.map", "nexuiz/evilspace.bsp"),
    ("quake/dm6.map", "quake/dm6.bsp"),
    ("quake/e1m1.map", "quake/e1m1.bsp"),
];

/// Number of pairs in the short run.
const N_SHORT: usize = 11;

/// Returns the number of random points in the world of each map; the other models together get the same number.
fn n_points_of_world() -> usize {
    if has_large_maps() { 1_000_000 } else { 20_000 }
}

/// Largest distance by which tools move faces when they snap planes, in units.
const SNAPPED: f64 = 0.25;

/// Limit on the unexplained differences of a pair that are reported.
const MAX_TOLD: usize = 9;

/// Distances are computed up to this far around a brush, in units.
const NEAR: f64 = 1.0;

/// The hulls for which space is filled, in the way of Quake's compilers. Points would leave through the sky.
const FILLED: [&str; 3] = [
    "stand:16x56",
    "crouch:16x32",
    "tiny:0.01x0.02:contents=solid+sky",
];

/// The reason why a point is solid in one of a pair and not in the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reason {
    /// A face that the tool moved by less than [`SNAPPED`].
    Moved,
    /// A curve, whose pieces depend on its normals: the text does not have them, and both are within the error.
    Curve,
    /// Quake's compilers make space solid that no agent reaches.
    Void,
    /// A brush that only clips: hull 0, from which solids are recovered, does not contain it.
    Clip,
    /// A brush whose middle the other tool takes as the model's origin; it leaves the brush out.
    Origin,
}

/// Makes a table of the contents that a compiled map of Quake III gives its textures.
fn game_of(map: &Map) -> Option<Game> {
    if map.format != "IBSP 46" {
        return None;
    }
    let mut table = String::from("base = \"quake3\"\ntextures = [\n");
    table += "{ is = \"common/origin\", contents = \"origin\", rank = 1 },\n";
    for surface in &map.surfaces {
        let name = String::from_utf8_lossy(&surface.name).to_ascii_lowercase();
        let name = name.trim_start_matches("textures/");
        if !name.contains('/') || name.starts_with("common/trigger") {
            continue;
        }
        let contents = match surface.contents & (SOLID | PLAYERCLIP) {
            0 => "none".to_owned(),
            bits => format!("{bits:#x}"),
        };
        writeln!(table, "{{ is = {name:?}, contents = {contents:?} }},").unwrap();
    }
    Some(Game::from_table("pair.toml", &(table + "]")).unwrap())
}

/// A map as expanded brushes.
struct Worlds {
    planes: PlaneSet,
    models: Vec<brush::ModelBrushes>,
    solids: Vec<ModelSolids>,
    /// The origin of each model: tools place it differently, and the brushes with it.
    origins: Vec<DVec3>,
}

/// The brush nearest to a point.
#[derive(Clone, Copy)]
struct Nearest {
    /// Distance of the point outside of it, negative inside.
    distance: f64,
    /// Its index among the brushes of its model.
    brush: Option<usize>,
}

impl Worlds {
    fn new(map: &Map) -> Self {
        let mut planes = PlaneSet::default();
        let models = brush::build(map, DEFAULT_PATCH_ERROR, &mut planes, &mut Vec::new()).unwrap();
        let (solids, _) = expand(&models, &subject::hulls(&HULLS), &mut planes);
        let origins = map.models.iter();
        let origins = origins.map(|model| DVec3::from(model.origin.map(f64::from)));
        Self {
            planes,
            models,
            solids,
            origins: origins.collect(),
        }
    }

    fn nearest(&self, model: usize, hull: usize, at: DVec3) -> Nearest {
        let at = at - self.origins[model];
        let solid = &self.solids[model][hull];
        let around = Bounds {
            mins: at - NEAR,
            maxs: at + NEAR,
        };
        let near = solid.index.touching(&around).into_iter().map(|number| {
            let brush = &solid.brushes[number as usize];
            let planes = brush.planes.iter().map(|&plane| &self.planes[plane]);
            let distances = planes.map(|plane| plane.normal.dot(at) - plane.dist);
            Nearest {
                distance: distances.fold(f64::NEG_INFINITY, f64::max),
                brush: Some(brush.brush.index()),
            }
        });
        let nowhere = Nearest {
            distance: f64::INFINITY,
            brush: None,
        };
        let nearer = |best: Nearest, one: Nearest| {
            if one.distance < best.distance {
                one
            } else {
                best
            }
        };
        near.fold(nowhere, nearer)
    }

    /// Returns the box around a model with all of its hulls.
    fn bounds(&self, model: usize) -> Option<Bounds> {
        let solids = self.solids[model].iter();
        let boxes = solids.flat_map(|solid| solid.brushes.iter().map(|brush| brush.bounds));
        let bounds = boxes.reduce(Bounds::union)?;
        Some(Bounds {
            mins: bounds.mins + self.origins[model],
            maxs: bounds.maxs + self.origins[model],
        })
    }
}

/// A pair to compare.
struct Pair {
    worlds: [Worlds; 2],
    /// The first map, filled, if the tool of the second fills.
    filled: Option<OnionMap<Vec<u8>>>,
}

/// A difference: model, hull, the reason if there is one, and the place.
type Difference = (usize, usize, Option<Reason>, DVec3);

impl Pair {
    fn new(maps: [&Map; 2]) -> Self {
        let is_filled = maps[1].format.contains("recovered");
        let fill = || {
            let hulls = subject::hulls(&FILLED);
            let compiled = subject::compile_filled(maps[0], hulls, Fill::default());
            OnionMap::from_bytes(compiled.bytes).unwrap()
        };
        Self {
            worlds: maps.map(Worlds::new),
            filled: is_filled.then(fill),
        }
    }

    fn differences(&self, model: usize, n_points: usize) -> Vec<Difference> {
        let boxes = self.worlds.iter();
        let boxes = boxes.filter_map(|worlds| worlds.bounds(model));
        let Some(around) = boxes.reduce(Bounds::union) else {
            return Vec::new();
        };
        let (mins, maxs) = (around.mins.to_array(), around.maxs.to_array());
        let points = (0..n_points as u64).into_par_iter();
        let of_point = |number| {
            let mut random = Random::new((model as u64) << 32 ^ number);
            let at = DVec3::from(random.point(mins, maxs));
            let hulls = (0..HULLS.len()).filter_map(move |hull| self.difference(model, hull, at));
            hulls.collect::<Vec<_>>()
        };
        points.flat_map_iter(of_point).collect()
    }

    /// Whether a brush on one side marks the place where the other side has the model's origin.
    fn is_origin(&self, model: usize, side: usize, brush: &brush::SolidBrush) -> bool {
        let bounds = brush.cell.bounds();
        let middle = (bounds.mins + bounds.maxs) / 2.0 + self.worlds[side].origins[model];
        middle.distance(self.worlds[1 - side].origins[model]) < SNAPPED
    }

    fn difference(&self, model: usize, hull: usize, at: DVec3) -> Option<Difference> {
        let found = self.worlds.each_ref();
        let found = found.map(|worlds| worlds.nearest(model, hull, at));
        let [one, other] = found.map(|nearest| nearest.distance);
        if (one < 0.0) == (other < 0.0) {
            return None;
        }
        let side = usize::from(other < 0.0);
        let number = found[side].brush.unwrap();
        let brush = &self.worlds[side].models[model][number];
        let is_void = |filled: &OnionMap<Vec<u8>>| {
            let solidity = filled.model(0).unwrap().solidity(at.to_array());
            model == 0 && side == 1 && solidity.contains(hull)
        };
        let reason = if one.abs() < SNAPPED && other.abs() < SNAPPED {
            Some(Reason::Moved)
        } else if matches!(brush.source, BrushSource::Patch(_))
            && found[side].distance > -f64::from(DEFAULT_PATCH_ERROR)
        {
            Some(Reason::Curve)
        } else if self.filled.as_ref().is_some_and(is_void) {
            Some(Reason::Void)
        } else if self.filled.is_some() && side == 0 && brush.contents & SOLID == 0 {
            Some(Reason::Clip)
        } else if model > 0 && self.is_origin(model, side, brush) {
            Some(Reason::Origin)
        } else {
            None
        };
        Some((model, hull, reason, at))
    }
}

/// Returns patches by their points, in any order, with the normal in their middle.
fn middles(map: &Map) -> Vec<(BTreeSet<[u32; 3]>, [f32; 3])> {
    let middle = |patch: &Patch| {
        let points = patch.points.iter();
        let points = points.map(|point| point.map(|x| (x + 0.0).to_bits()));
        let at = (patch.height / 2) * patch.width + patch.width / 2;
        (points.collect(), patch.normals[at])
    };
    map.models[0].patches.iter().map(middle).collect()
}

/// Counts the patches that both show from the same side, and those that they show from opposite sides.
fn same_sides(text: &Map, bsp: &Map) -> [usize; 2] {
    let mut counts = [0; 2];
    let in_bsp = middles(bsp);
    for (points, normal) in middles(text) {
        let mut twins = in_bsp.iter().filter(|(other, _)| *other == points);
        let (Some((_, other)), None) = (twins.next(), twins.next()) else {
            continue;
        };
        let cosine: f32 = normal.iter().zip(other).map(|(a, b)| a * b).sum();
        counts[usize::from(cosine < 0.0)] += 1;
    }
    counts
}

/// Writes the lines of a pair in the table: for each hull and reason, the number of points, the volume they represent
/// in cubic units, and the box around them.
fn lines(names: &str, volume: f64, differences: &[Difference]) -> String {
    let mut groups: BTreeMap<(bool, usize, Reason), (usize, Bounds)> = BTreeMap::new();
    for &(model, hull, reason, at) in differences {
        let Some(reason) = reason else { continue };
        let one = Bounds { mins: at, maxs: at };
        let group = groups.entry((model > 0, hull, reason)).or_insert((0, one));
        *group = (group.0 + 1, group.1.union(one));
    }
    let mut text = format!("{names}\n");
    for ((is_inline, hull, reason), (count, bounds)) in groups {
        let (hull, _) = HULLS[hull].split_once(':').unwrap();
        let of = if is_inline { "models" } else { "world" };
        // Points of other models are spread over boxes of several sizes.
        let part = count as f64 / n_points_of_world() as f64;
        let stands_for = if is_inline {
            String::new()
        } else {
            format!(" for {:.0} cubic units", volume * part)
        };
        writeln!(
            text,
            "  {of}, {hull}, {reason:?}: {count}{stands_for}, from {:.0} to {:.0}",
            bounds.mins, bounds.maxs
        )
        .unwrap();
    }
    text
}

/// Compares a pair, and returns its lines of the table and the errors, or `None` if its files do not exist.
fn compare([one, other]: [&str; 2]) -> Option<(String, Vec<String>)> {
    let files = [one, other].map(|file| fs::read(folder().join(file)));
    let [Ok(in_one), Ok(in_other)] = files else {
        skip(&format!("the pair of {one} and {other}: set ONION_MAPS"));
        return None;
    };
    let compiled = subject::parse(&in_other);
    let options = ReadOptions {
        game: game_of(&compiled),
        ..ReadOptions::default()
    };
    let map = parse(&in_one, &options).unwrap();
    let n_models = map.models.len();
    let mut wrong = Vec::new();
    if n_models != compiled.models.len() {
        wrong.push(format!("{n_models} and {} models", compiled.models.len()));
    }
    let [_, turned] = same_sides(&map, &compiled);
    if turned > 0 {
        wrong.push(format!("{turned} patches are turned"));
    }
    let pair = Pair::new([&map, &compiled]);
    let models = 0..n_models.min(compiled.models.len());
    let n_points = |model| n_points_of_world() / if model == 0 { 1 } else { n_models - 1 };
    let found = models.flat_map(|model| pair.differences(model, n_points(model)));
    let found: Vec<Difference> = found.collect();
    let unexplained = found.iter().filter(|difference| difference.2.is_none());
    wrong.extend(unexplained.take(MAX_TOLD).map(|(model, hull, _, at)| {
        let nearest = pair.worlds.each_ref();
        let [one, other] = nearest.map(|worlds| worlds.nearest(*model, *hull, *at).distance);
        format!("model {model} {} at {at}: {one} and {other}", HULLS[*hull])
    }));
    let boxes = pair.worlds.iter().filter_map(|worlds| worlds.bounds(0));
    let volume = boxes.reduce(Bounds::union).unwrap();
    let volume = (volume.maxs - volume.mins).element_product();
    let lines = lines(&format!("{one} and {other}"), volume, &found);
    wrong
        .iter_mut()
        .for_each(|what| *what = format!("{one}: {what}"));
    Some((lines, wrong))
}

#[test]
fn maps_are_solid_alike_in_two_forms() {
    let n_pairs = if has_large_maps() {
        PAIRS.len()
    } else {
        N_SHORT
    };
    let pairs = PAIRS.into_iter().take(n_pairs);
    let compared: Vec<_> = pairs.filter_map(|pair| compare(pair.into())).collect();
    let wrong: Vec<_> = compared.iter().flat_map(|(_, wrong)| wrong).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    if !has_large_maps() || compared.len() < PAIRS.len() {
        return;
    }
    let table: String = compared.into_iter().map(|(lines, _)| lines).collect();
    assert_golden("map_pairs.txt", table.as_bytes());
}
