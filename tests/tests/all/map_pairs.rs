//! Maps that are there as text and as compiled by their games' tools: both are solid at the same random points,
//! but near faces that the tools moved. What textures are made of, which shader scripts say and the text does
//! not, is taken from the compiled file.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;

use onion_tests::effort::LONG;
use onion_tests::maps::{folder, say};
use onion_tests::random::Random;
use onion_tests::skips::skip;
use onion_tests::subject;
use onionc::contents::{PLAYERCLIP, SOLID};
use onionc::expand::{HullBrush, HullSolid, expand};
use onionc::geometry::PlaneSet;
use onionc::map::text::game::Game;
use onionc::map::{Map, Patch, ReadOptions, parse};
use onionc::{DEFAULT_PATCH_ERROR, brush};

/// Pairs below the folder of real maps: text, and compiled file. The short run takes the first ones.
const PAIRS: [(&str, &str); 6] = [
    ("oasrc/fan.map", "oa081/fan.bsp"),
    ("oasrc/oa_bases3cl.map", "oa081/oa_bases3cl.bsp"),
    ("oasrc/oa_bases3.map", "oa088/oa_bases3.bsp"),
    ("oasrc/ps37ctf2.map", "oa085/ps37ctf2.bsp"),
    ("oasrc/aggressor.map", "oa088/aggressor.bsp"),
    ("oasrc/sleekgrinder.map", "oa088/sleekgrinder.bsp"),
];

/// Pairs of the short run.
const N_SHORT: usize = 4;

/// Random points in each map.
const N_POINTS: usize = if LONG { 100_000 } else { 5_000 };

/// How far tools move faces by snapping planes, in units.
const SNAPPED: f64 = 0.25;

/// The hulls that are compared.
const HULLS: [&str; 2] = ["stand:16x56", "point:point"];

/// A table of what a compiled map says of its textures.
fn game_of(map: &Map) -> Game {
    let mut table = String::from("base = \"quake3\"\ntextures = [\n");
    table += "{ is = \"common/origin\", contents = \"origin\", whole = true },\n";
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
    Game::from_table("pair.toml", &(table + "]")).unwrap()
}

/// The world of a map as expanded brushes.
struct World {
    planes: PlaneSet,
    solids: Vec<HullSolid>,
}

impl World {
    fn new(map: &Map) -> Self {
        let mut planes = PlaneSet::default();
        let brushes = brush::build(map, DEFAULT_PATCH_ERROR, &mut planes, &mut Vec::new());
        let hulls = subject::hulls(&HULLS);
        let world = &brushes.unwrap()[..1];
        let solids = expand(world, &hulls, &mut planes).remove(0);
        Self { planes, solids }
    }

    /// How far a point lies outside of the nearest brush, below zero inside.
    fn distance(&self, hull: usize, at: glam::DVec3) -> f64 {
        let near = |brush: &&HullBrush| {
            let (mins, maxs) = (brush.bounds.mins - 1.0, brush.bounds.maxs + 1.0);
            at.cmpge(mins).all() && at.cmple(maxs).all()
        };
        let distance = |brush: &HullBrush| {
            let planes = brush.cell.planes().map(|plane| &self.planes[plane]);
            let distances = planes.map(|plane| plane.normal.dot(at) - plane.dist);
            distances.fold(f64::NEG_INFINITY, f64::max)
        };
        let near = self.solids[hull].brushes.iter().filter(near);
        near.map(distance).fold(f64::INFINITY, f64::min)
    }
}

/// Patches by their points, in any order, with the normal in their middle.
fn middles(map: &Map) -> Vec<(BTreeSet<[u32; 3]>, [f32; 3])> {
    let middle = |patch: &Patch| {
        let points = patch.points.iter();
        let points = points.map(|point| point.map(|x| (x + 0.0).to_bits()));
        let at = (patch.height / 2) * patch.width + patch.width / 2;
        (points.collect(), patch.normals[at])
    };
    map.models[0].patches.iter().map(middle).collect()
}

/// Whether patches of both are seen from the same side: how many are, and how many are not.
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

/// Differences of a pair that are explained, and those that are not.
fn differences(text: &World, bsp: &World, bounds: [glam::DVec3; 2]) -> (usize, Vec<String>) {
    let mut random = Random::new(14);
    let (mut explained, mut unexplained) = (0, Vec::new());
    for _ in 0..N_POINTS {
        let at = random.point(bounds[0].to_array(), bounds[1].to_array());
        for (hull, name) in HULLS.iter().enumerate() {
            let [a, b] = [text, bsp].map(|world| world.distance(hull, at.into()));
            match (a < 0.0) == (b < 0.0) {
                true => {}
                false if a.abs() < SNAPPED && b.abs() < SNAPPED => explained += 1,
                false => unexplained.push(format!("{name} at {at:?}: {a} in text, {b} in BSP")),
            }
        }
    }
    (explained, unexplained)
}

#[test]
fn text_is_solid_where_its_compiled_map_is() {
    let mut wrong = Vec::new();
    for (text, bsp) in PAIRS
        .into_iter()
        .take(if LONG { PAIRS.len() } else { N_SHORT })
    {
        let files = [text, bsp].map(|file| fs::read(folder().join(file)));
        let [Ok(in_text), Ok(in_bsp)] = files else {
            skip(&format!("the pair of {text} and {bsp}: set ONION_MAPS"));
            continue;
        };
        let compiled = subject::parse(&in_bsp);
        let options = ReadOptions {
            game: Some(game_of(&compiled)),
            ..ReadOptions::default()
        };
        let map = parse(&in_text, &options).unwrap();
        let [same, turned] = same_sides(&map, &compiled);
        let [a, b] = [&map, &compiled].map(World::new);
        let around = b.solids[0].brushes.iter().map(|brush| brush.bounds);
        let around = around.reduce(|all, one| all.union(one)).unwrap();
        let (explained, unexplained) = differences(&a, &b, [around.mins, around.maxs]);
        say(&format!(
            "{text}: {N_POINTS} points, {explained} differences near snapped faces, {} others; {same} patches \
             seen from the same side, {turned} not",
            unexplained.len()
        ));
        wrong.extend(unexplained.iter().map(|place| format!("{text}: {place}")));
        if turned > 0 {
            wrong.push(format!("{text}: {turned} patches are turned"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
