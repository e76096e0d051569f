//! Queries a loaded map with everything that the runtime answers, whether the answers make sense or not: the check is
//! that the calls return. The points come from all kinds of segments, and some are not points at all.

use std::hint::black_box;
use std::ops::ControlFlow;

use onion_runtime::movement::{Agent, WalkSettings};
use onion_runtime::shape::Shape;
use onion_runtime::{Aabb, HullId, Model, Mover, OnionMap, Pose, Scene};

use super::routes;
use crate::random::Random;
use crate::segments::segments;

/// Limit on the leaves of a box, and on the changes along a segment, that are read.
const MOST: usize = 64;
/// Ticks of a walk.
const TICKS: usize = 4;
/// Largest distance of a place with room, in units.
const NEAR: f64 = 24.0;

/// Runs every query on some segments, and returns the number of queries.
pub fn everything(map: &OnionMap<&[u8]>, n_segments: usize, random: &mut Random) -> u64 {
    read_all(map);
    let Some(hull) = map
        .hulls()
        .map(|hull| hull.id)
        .nth(random.below(64) % map.hulls().count())
    else {
        return 0;
    };
    let model = map.model(random.below(map.n_models()) * random.below(2));
    let model = model.unwrap_or(map.world());
    let mut n_answers = 0;
    for segment in segments(12, random.bits())
        .into_iter()
        .cycle()
        .skip(random.below(12))
        .take(n_segments)
    {
        let [a, b, c, d, e, f] = segment;
        let ends = [[a, b, c], [d, e, f]];
        n_answers += lines(&model, hull, ends);
        n_answers += lines(&model, hull, ends.map(|end| end.map(|x| x as f32 as f64)));
        n_answers += places(map, &model, hull, ends);
        n_answers += shapes(&model, ends, random);
        n_answers += scenes(map, hull, ends, random);
        n_answers += routes::ask_for_ways(map, hull, ends, random);
    }
    n_answers
}

/// Reads all that a map reports without a query about a place.
fn read_all(map: &OnionMap<&[u8]>) {
    let all = map.inspect();
    black_box((all.version(), all.compiler(), all.options().count()));
    black_box(
        all.surfaces()
            .map(|surface| surface.name().len())
            .sum::<usize>(),
    );
    for brush in 0..all.brushes().count().min(MOST) as u32 {
        black_box((all.sides(brush).count(), all.named_sides(brush).count()));
    }
    black_box(all.planes().map(|plane| plane.dist).fold(0.0, f64::max));
    for entity in map.entities().into_iter().flatten().take(MOST) {
        black_box((
            entity.get("classname"),
            entity.pairs().count(),
            entity.model().is_some(),
        ));
    }
    routes::read_all(map);
}

/// Runs queries about a segment.
fn lines(model: &Model<'_>, hull: HullId, [start, end]: [[f64; 3]; 2]) -> u64 {
    let trace = model.trace(hull, start, end);
    assert!((0.0..=1.0).contains(&trace.fraction), "{trace:?}");
    black_box(
        model
            .hit(hull, &trace)
            .map(|hit| hit.map(|hit| hit.brush.contents)),
    )
    .ok();
    black_box(model.view(hull).trace(start, end));
    let narrow = [start, end].map(|point| point.map(|x| x as f32));
    let narrow = model.with_margin(0.0).trace(hull, narrow[0], narrow[1]);
    assert!((0.0..=1.0).contains(&narrow.fraction), "{narrow:?}");
    black_box(model.find_first_transition(hull, start, end));
    let mut left = MOST;
    model.transitions(hull, start, end, |change| {
        black_box(change);
        go_on(&mut left)
    });
    6
}

fn go_on(left: &mut usize) -> ControlFlow<()> {
    *left -= 1;
    if *left == 0 {
        ControlFlow::Break(())
    } else {
        ControlFlow::Continue(())
    }
}

/// Runs queries about points and boxes.
fn places(
    map: &OnionMap<&[u8]>,
    model: &Model<'_>,
    hull: HullId,
    [at, other]: [[f64; 3]; 2],
) -> u64 {
    black_box((
        model.is_solid(hull, at),
        model.solidity(at),
        model.view(hull).is_solid(other),
    ));
    black_box(model.leaf_at(at).map(|leaf| map.leaf_solidity(leaf)));
    black_box((
        model.hulls_that_fit(at),
        model.switched_position(hull, hull, at),
    ));
    black_box(model.contents_at(at)).ok();
    black_box(map.floor_at(hull, at, NEAR));
    black_box(map.nearest_floor(hull, at, NEAR));
    black_box(map.random_place(hull, at));
    black_box(model.nearest_fit(hull, at, NEAR));
    black_box(map.inspect().deepest_holding(0, hull, Aabb::new(at, other)));
    let mut left = MOST;
    let [low, high] =
        [f64::min, f64::max].map(|pick| std::array::from_fn(|axis| pick(at[axis], other[axis])));
    model.leaves_in_box(hull, Aabb::new(low, high), |leaf| {
        black_box(leaf);
        go_on(&mut left)
    });
    11
}

/// Runs queries about shapes of any size.
fn shapes(model: &Model<'_>, [start, end]: [[f64; 3]; 2], random: &mut Random) -> u64 {
    let size = random.between(0.0, 40.0);
    let axis = random.direction();
    let shape = match random.below(5) {
        0 => Shape::sphere(axis, size),
        1 => Shape::capsule(axis, axis.map(|x| x * size), size),
        2 => Shape::axial_box(Aabb::new([-size; 3], [size; 3])),
        3 => {
            let n_corners = random.below(12);
            let mut corner = || random.point([-size; 3], [size; 3]).map(f64::round);
            Shape::convex(&(0..n_corners).map(|_| corner()).collect::<Vec<_>>())
        }
        _ => Ok(Shape::POINT),
    };
    let Ok(shape) = shape else {
        return 0;
    };
    black_box(model.trace_shape(&shape, u32::MAX, start, end)).ok();
    black_box(model.shape_is_solid(&shape, 1, start)).ok();
    2
}

/// Runs queries in a scene whose models move and turn, and walks in it.
fn scenes(
    map: &OnionMap<&[u8]>,
    hull: HullId,
    [start, end]: [[f64; 3]; 2],
    random: &mut Random,
) -> u64 {
    let turned = |random: &mut Random| {
        let angle = random.between(-4.0, 4.0);
        let axis = random.direction();
        let place = random.point([-64.0; 3], [64.0; 3]);
        Pose::turned(place, axis, angle).unwrap_or(Pose::at(place))
    };
    let movers: Vec<Mover> = map
        .movers()
        .take(2)
        .map(|mover| Mover {
            to: turned(random),
            ..mover
        })
        .collect();
    let Ok(scene) = Scene::new(map, &movers) else {
        return 0;
    };
    black_box(scene.trace(hull, start, end));
    black_box(scene.is_solid(hull, start, 0.5));
    let mut agent = Agent::new(hull, start);
    for _ in 0..TICKS {
        black_box(agent.walk(&scene, &WalkSettings::default(), [end[0], end[1]], 0.05));
        agent.jump(270.0);
    }
    black_box(agent.ground(&map.world(), &WalkSettings::default()));
    3 + TICKS as u64
}
