//! The brushes and hulls to which the nodes of a tree are charged: maps of a box or two whose tables are worked out
//! by hand, sums that hold for every map, and the limits.

use onion_compiler::brush::BrushSource;
use onion_compiler::cost::{Costs, Limits, NODE_BYTES};
use onion_compiler::error::CompileError;
use onion_compiler::report::Report;
use onion_compiler::{CompileOptions, compile};
use onion_runtime::OnionMap;
use onion_tests::cases::{sample_case, sample_cases};
use onion_tests::fixtures::{compiled, made};
use onion_tests::maps::real_maps;
use onion_tests::samples::{Brush, Map, Shader};
use onion_tests::subject;

fn report(map: &onion_maps::Map, hulls: &[&str]) -> Report {
    compiled(map, hulls, |_| ()).report
}

fn report_of(sample: &str, hulls: &[&str]) -> Report {
    report(&sample_case(sample).map, hulls)
}

fn costs(map: &Map, hulls: &[&str]) -> Costs {
    report(&made(map), hulls).costs
}

/// Adds a box of 64 units at a place on the diagonal, so that no plane of one box cuts another.
fn add_box(map: &mut Map, shader: Shader, at: f64) {
    map.cuboid(shader, [at; 3], [at + 64.0; 3]);
}

fn boxes(contents: &[(Shader, f64)]) -> Map {
    let mut map = Map::new("boxes", "Boxes");
    for &(shader, at) in contents {
        add_box(&mut map, shader, at);
    }
    map
}

/// Returns number, center and nodes of each brush; panics for patches.
fn brushes(costs: &Costs) -> Vec<(usize, [f32; 3], usize)> {
    let brush = |cost: &onion_compiler::cost::BrushCost| match cost.source {
        BrushSource::Brush(number) => (number, cost.center, cost.n_nodes),
        BrushSource::Patch(number) => panic!("there is no patch {number}"),
    };
    costs.brushes.iter().map(brush).collect()
}

/// Returns nodes and shared nodes of each hull.
fn hulls(costs: &Costs) -> Vec<(&str, usize, usize)> {
    let hulls = costs.hulls.iter();
    hulls
        .map(|cost| (cost.hull.as_str(), cost.n_nodes, cost.n_shared))
        .collect()
}

/// The summary gives the cost of patches, and a remedy if that is most of the nodes.
#[test]
fn patches_are_summed() {
    let found = report_of("patch_arch", &["stand:16x56"]);
    let patches = found.costs.brushes.iter();
    let patches = patches.filter(|cost| matches!(cost.source, BrushSource::Patch(_)));
    let nodes: usize = patches.map(|cost| cost.n_nodes).sum();
    let lines: Vec<String> = found.costs.summary(0).collect();
    let line = format!("nodes of curved patches: {nodes} of {}", found.n_nodes);
    assert!(nodes > 0 && lines[1].starts_with(&line), "{lines:?}");
    let advises = lines[1].contains("--patch-error 16");
    assert_eq!(advises, nodes * 2 > found.n_nodes, "{lines:?}");
    let boxes = costs(&boxes(&[(Shader::Wall, 0.0)]), &["stand:16x56"]);
    assert_eq!(boxes.summary(0).count(), 1);
}

#[test]
fn a_box_costs_its_six_faces() {
    let costs = costs(&boxes(&[(Shader::Wall, 0.0)]), &["stand:16x56"]);
    assert_eq!(brushes(&costs), [(0, [32.0; 3], 6)]);
    assert_eq!(hulls(&costs), [("stand", 6, 0)]);
    assert_eq!(costs.n_uncharged, 0);
    assert_eq!(costs.hulls[0].bytes, 6 * 32);
    assert_eq!(costs.brushes[0].bytes, 6 * 32);
    assert_eq!((costs.brushes[0].model, costs.brushes[0].entity), (0, None));
}

#[test]
fn boxes_apart_cost_six_nodes_each() {
    let map = boxes(&[(Shader::Wall, 512.0), (Shader::Wall, -64.0)]);
    let costs = costs(&map, &["stand:16x56"]);
    let expected = [(0, [544.0; 3], 6), (1, [-32.0; 3], 6)];
    assert_eq!(brushes(&costs), expected, "the same cost: by number");
    assert_eq!(hulls(&costs), [("stand", 12, 0)]);
}

/// Two boxes side by side are a single one to the tree; four of its six planes hold faces of both.
#[test]
fn planes_of_two_brushes_are_charged_to_the_first() {
    let mut map = Map::new("pair", "Two boxes that touch");
    map.cuboid(Shader::Wall, [0.0; 3], [64.0; 3]);
    map.cuboid(Shader::Wall, [64.0, 0.0, 0.0], [128.0, 64.0, 64.0]);
    let costs = costs(&map, &["point:point"]);
    let expected = [(0, [32.0; 3], 5), (1, [96.0, 32.0, 32.0], 1)];
    assert_eq!(brushes(&costs), expected);
}

#[test]
fn hulls_that_are_stopped_by_different_boxes_share_nothing() {
    let map = boxes(&[(Shader::Wall, 0.0), (Shader::Clip, 512.0)]);
    let walls = "walls:point:contents=solid";
    let clips = "clips:point:contents=playerclip";
    let costs = costs(&map, &[walls, clips]);
    assert_eq!(hulls(&costs), [("walls", 6, 0), ("clips", 6, 0)]);
    let nodes: Vec<_> = brushes(&costs).iter().map(|brush| brush.2).collect();
    assert_eq!(nodes, [6, 6]);
}

#[test]
fn hulls_that_are_the_same_share_everything() {
    let map = boxes(&[(Shader::Wall, 0.0)]);
    let costs = costs(&map, &["one:point", "two:point"]);
    assert_eq!(hulls(&costs), [("one", 6, 6), ("two", 0, 0)]);
    assert_eq!(brushes(&costs), [(0, [32.0; 3], 6)]);
}

/// The hull takes precedence over the brush: the faces of brush 0 belong to the second hull.
#[test]
fn a_shared_plane_is_charged_to_the_brush_of_the_first_hull() {
    let map = boxes(&[(Shader::Wall, 0.0), (Shader::Clip, 0.0)]);
    let clips = "clips:point:contents=playerclip";
    let walls = "walls:point:contents=solid";
    let costs = costs(&map, &[clips, walls]);
    assert_eq!(hulls(&costs), [("clips", 6, 6), ("walls", 0, 0)]);
    assert_eq!(brushes(&costs), [(1, [32.0; 3], 6)]);
}

/// A pillar of 25 sides is in a room of six brushes: few of its planes cut the space around it, because each of them
/// has nearly all of the room on one side.
#[test]
fn a_complicated_pillar_is_the_worst_offender() {
    let outline = (-12..=12).map(f64::from).map(|x| [8.0 * x, x * x - 72.0]);
    let pillar = Brush::column(&outline.collect::<Vec<_>>(), 0.0, 96.0);
    let mut map = Map::new("pillar", "A pillar of many sides");
    map.room([-512.0, -512.0, 0.0], [512.0, 512.0, 256.0]);
    map.add(Shader::Trim, pillar.moved([200.0, -100.0, 64.0]));
    for options in [&["point:point"][..], &["stand:16x56", "crouch:16x32"]] {
        let costs = costs(&map, options);
        let worst = &costs.brushes[0];
        assert_eq!(worst.source, BrushSource::Brush(6), "{options:?}");
        assert_eq!(worst.center, [200.0, -100.0, 112.0]);
        assert!(worst.n_nodes >= 27, "it has 27 faces: {}", worst.n_nodes);
        let text = worst.to_string();
        let place = "brush 6 at (200 -100 112) added ";
        assert!(text.starts_with(place), "{text}");
    }
}

#[test]
fn brushes_of_doors_are_found_where_they_are() {
    let costs = report_of("door", &["point:point"]).costs;
    let of_model = |model: usize| {
        let costs = costs.brushes.iter().filter(|cost| cost.model == model);
        let places = costs.map(|cost| (cost.entity, cost.center));
        places.collect::<Vec<_>>()
    };
    assert_eq!(of_model(1), [(Some(1), [0.0, 0.0, 48.0])]);
    // Its brushes are stored relative to the entity's origin, 160 64 0.
    let expected = [[160.0, 64.0, 8.0], [160.0, 64.0, 40.0]].map(|at| (Some(2), at));
    assert_eq!(of_model(2), expected);
    let text = costs.brushes.iter().map(ToString::to_string);
    let in_door = "brush 10 of model 2 (entity 2) at (160 64 8) added ";
    assert!(text.filter(|line| line.starts_with(in_door)).count() == 1);
}

#[test]
fn the_pieces_of_a_patch_are_summed() {
    let report = report_of("patch_arch", &["stand:16x56"]);
    let brushes = report.costs.brushes.iter();
    let mut patches: Vec<_> = brushes.map(|cost| cost.source).collect();
    patches.retain(|source| matches!(source, BrushSource::Patch(_)));
    patches.sort();
    assert!(report.n_patch_pieces > report.n_patches);
    // One of them shares all of its planes with another brush, which is charged for it.
    let n_patches = patches.len();
    assert!(n_patches > 1, "{patches:?}");
    patches.dedup();
    assert_eq!(patches.len(), n_patches, "each once: {patches:?}");
}

/// Checks the sums that hold for every map.
fn assert_sums(name: &str, report: &Report) {
    let costs = &report.costs;
    let by_hull: usize = costs.hulls.iter().map(|cost| cost.n_nodes).sum();
    let by_brush: usize = costs.brushes.iter().map(|cost| cost.n_nodes).sum();
    assert_eq!(
        by_hull + costs.n_uncharged,
        report.n_nodes,
        "{name}: by hull"
    );
    assert_eq!(
        by_brush + costs.n_uncharged,
        report.n_nodes,
        "{name}: by brush"
    );
    for cost in &costs.hulls {
        assert!(cost.n_shared <= cost.n_nodes, "{name}: {cost:?}");
        assert_eq!(cost.bytes, cost.n_nodes * NODE_BYTES, "{name}: {cost:?}");
    }
    let last = costs.hulls.last().unwrap();
    assert_eq!(
        last.n_shared, 0,
        "{name}: it is first only where it is alone"
    );
    for cost in &costs.brushes {
        assert!(cost.n_nodes > 0, "{name}: {cost:?}");
        assert_eq!(cost.bytes, cost.n_nodes * NODE_BYTES, "{name}: {cost:?}");
    }
    let order = |pair: &[onion_compiler::cost::BrushCost]| {
        let [one, next] = pair else { unreachable!() };
        one.n_nodes > next.n_nodes || one.n_nodes == next.n_nodes && one.source <= next.source
    };
    assert!(costs.brushes.windows(2).all(order), "{name}: sorted");
}

#[test]
fn sums_are_those_of_the_tree() {
    for case in sample_cases() {
        assert_sums(&case.name, &report(&case.map, &subject::HULLS));
    }
    let smallest = real_maps().into_iter().min_by_key(|map| map.bytes.len());
    if let Some(map) = smallest {
        let map_read = subject::parse(&map.bytes);
        assert_sums(&map.name, &report(&map_read, &subject::HULLS));
    }
}

#[test]
fn tables_do_not_depend_on_threads() {
    let with_threads = |n_threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads);
        let report = || report_of("courtyard", &subject::HULLS);
        pool.build().unwrap().install(report).costs
    };
    assert_eq!(with_threads(1), with_threads(3));
}

#[test]
fn limits_hold_at_their_number() {
    let map = &sample_case("room").map;
    let compile_within = |limits: Limits| {
        let options = CompileOptions {
            limits,
            ..CompileOptions::new(subject::hulls(&subject::HULLS))
        };
        compile(map, &options)
    };
    let free = compile_within(Limits::default()).unwrap();
    let file = OnionMap::from_bytes(&free.bytes).unwrap();
    let [n_nodes, n_bytes] = [file.inspect().n_nodes(), free.bytes.len()];
    let limits = |max_nodes: usize, max_bytes: usize| {
        compile_within(Limits {
            max_nodes: Some(max_nodes),
            max_bytes: Some(max_bytes),
        })
    };
    let within = limits(n_nodes, n_bytes).unwrap();
    assert_eq!(within.bytes, free.bytes, "a limit changes nothing");
    for (compiled, expected) in [
        (limits(n_nodes - 1, n_bytes), ("nodes", n_nodes)),
        (limits(n_nodes, n_bytes - 1), ("bytes", n_bytes)),
    ] {
        let Err(CompileError::OverLimit {
            what,
            found,
            limit,
            offenders,
        }) = compiled
        else {
            panic!("{:?}", compiled.map(|compiled| compiled.report))
        };
        assert_eq!(((what, found), limit), (expected, expected.1 - 1));
        assert_eq!(offenders, free.report.costs.offenders());
    }
}
