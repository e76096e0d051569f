//! Large maps made of sample maps: every fact of the sample still holds in every whole tile, moved and turned with
//! it, and the counts match those worked out by hand.

use std::collections::HashSet;

use onion_tests::cases::{sample_case, sample_cases};
use onion_tests::facts::{self, TraceFact};
use onion_tests::fixtures::loaded;
use onion_tests::oracle::vec3::{length, lerp, sub};
use onion_tests::samples;
use onion_tests::subject::{self, HULLS};
use onion_tests::tiles::{Grid, Placement, Size, Tile, Tiled, tile};

const GRID: Grid = Grid {
    columns: 2,
    rows: 3,
};

const SEED: u64 = 2;

/// Tolerance of hits, in units: the distances of slanted planes are rounded to f32 again at each tile's place, here
/// within 4,096 units of the origin.
const STORED_PRECISION: f64 = 1e-3;

/// Traces that go farther than this from the middle of their tile, as a fraction of its half, may meet another tile.
const INSIDE: f64 = 0.94;

fn sample(name: &str) -> &'static [u8] {
    &sample_case(name).bytes
}
fn two_by_three(name: &str) -> Tiled {
    tile(sample(name), Size::Tiles(GRID), SEED).unwrap()
}

#[test]
fn rooms_stand_side_by_side() {
    // A room extends from -272 to 272 on x and y and from -16 to 272 on z, and has six brushes.
    let tiled = two_by_three("room");
    assert_eq!((tiled.side, tiled.tiles.len()), (544.0, 6));
    let middles: Vec<_> = tiled.tiles.iter().map(|tile| tile.placement.to).collect();
    let on_the_ground: Vec<_> = middles.iter().map(|[x, y, _]| (*x, *y)).collect();
    let left_and_right = [-544.0, 0.0, 544.0].map(|y| [(-272.0, y), (272.0, y)]);
    assert_eq!(on_the_ground, left_and_right.concat());
    for [.., z] in middles {
        assert!((96.0..=160.0).contains(&z) && z.fract() == 0.0, "{z}");
    }
    let map = subject::parse(&tiled.bytes);
    assert_eq!(map.models.len(), 1);
    assert_eq!(map.models[0].brushes.len(), tiled.n_brushes());
    assert!(map.warnings.is_empty(), "{:?}", map.warnings);
}

#[test]
fn a_courtyard_is_repeated_with_all_that_stands_in_it() {
    // Its door is an inline model and is left out; it has five spawns.
    let tiled = two_by_three("courtyard");
    let source = samples::read(sample("courtyard")).unwrap();
    let [_, _, _, n_world] = source.models[0].1;
    let n_world = n_world as usize;
    let file = samples::read(&tiled.bytes).unwrap();
    assert_eq!(file.models.len(), 1);
    assert_eq!(file.brushes.len(), tiled.n_brushes());
    let n_patches = source.surfaces.iter().filter(|(s, _)| s[2] == 2).count();
    assert_eq!(file.surfaces.len(), 6 * n_patches);
    assert_eq!(file.surfaces.len(), tiled.n_patches());
    let classes = |name: &str| file.entities.matches(&format!("\"{name}\"")).count();
    assert_eq!(classes("worldspawn"), 1);
    assert_eq!(classes("info_player_deathmatch"), 6 * 5);
    assert_eq!(classes("func_door"), 0);
    for (number, tile) in tiled.tiles.iter().enumerate() {
        let is_whole = tile.brushes.len() == n_world;
        assert_eq!(is_whole, !tile.placement.thinned, "{number}");
        assert!(tile.brushes.len() * 10 > n_world * 8, "{number}");
    }
    let placements = tiled.tiles.iter().map(|tile| &tile.placement);
    let variants: HashSet<_> = placements.map(|own| (own.turns, own.mirrored)).collect();
    assert!(variants.len() >= 4, "{variants:?}");
    assert!(tiled.tiles.iter().any(|tile| tile.placement.thinned));
}

#[test]
fn planes_are_paired_and_axial_sides_come_first() {
    let file = samples::read(&two_by_three("courtyard").bytes).unwrap();
    for pair in file.planes.chunks(2) {
        let [(normal, dist), (flipped, other)] = pair else {
            panic!("a plane without its flip");
        };
        assert_eq!(normal.map(|x| -x), *flipped);
        assert_eq!(-dist, *other);
    }
    for &[first, _, _] in &file.brushes {
        for side in 0..6 {
            let [plane, _] = file.sides[first as usize + side];
            let (normal, _) = file.planes[plane as usize];
            let expected = if side % 2 == 0 { -1.0 } else { 1.0 };
            assert_eq!(normal[side / 2], expected, "side {side} of {first}");
        }
    }
}

#[test]
fn patches_keep_their_visible_side() {
    let tiled = two_by_three("patch_arch");
    assert!(tiled.tiles.iter().any(|tile| tile.placement.mirrored));
    let file = samples::read(&tiled.bytes).unwrap();
    for ([_, _, _, first, ..], [width, _]) in &file.surfaces {
        let at = |column: i32, row: i32| file.vertices[(first + row * width + column) as usize];
        let step = |to: [f32; 3], from: [f32; 3]| -> [f32; 3] {
            std::array::from_fn(|axis| to[axis] - from[axis])
        };
        let (corner, normal) = at(0, 0);
        let [x, y, z] = step(at(0, 1).0, corner);
        let [a, b, c] = step(at(1, 0).0, corner);
        let visible = [y * c - z * b, z * a - x * c, x * b - y * a];
        let along: f32 = visible.iter().zip(normal).map(|(x, y)| x * y).sum();
        assert!(along > 0.0, "{visible:?} {normal:?}");
    }
}

#[test]
fn the_facts_of_the_samples_hold_in_every_whole_tile() {
    let (mut n_facts, mut wrong) = (0, Vec::new());
    for case in sample_cases() {
        let name = &case.name;
        let tiled = tile(&case.bytes, Size::Tiles(GRID), SEED).unwrap();
        let onion = loaded(&subject::parse(&tiled.bytes), &HULLS);
        let facts = facts::read(name);
        for tile in tiled.tiles.iter().filter(|tile| !tile.placement.thinned) {
            let moved = |point: [f64; 3]| place(&tile.placement, point);
            for fact in &facts.trace {
                if fact.model > 0 || !is_inside(fact, tile, tiled.side / 2.0) {
                    continue;
                }
                let hull = onion.find_hull(&fact.hull).unwrap();
                let [start, end] = [fact.start, fact.end].map(moved);
                let trace = onion.world().with_margin(0.0).trace(hull, start, end);
                let off = (trace.hit_fraction - fact.hit_fraction.value()).abs();
                let off = off * length(sub(end, start));
                let flags = (trace.start_solid, trace.all_solid);
                n_facts += 1;
                let is_near = off <= fact.tolerance + STORED_PRECISION;
                if flags != (fact.start_solid, fact.all_solid) || !is_near {
                    let placement = &tile.placement;
                    wrong.push(format!("{name}: {}: {trace:?} in {placement:?}", fact.why));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(n_facts > 300, "only {n_facts} facts were tried");
}

/// Whether everything that a fact is about is inside its tile, so far from the border that other tiles have no
/// effect.
fn is_inside(fact: &TraceFact, tile: &Tile, half: f64) -> bool {
    let fraction = fact.hit_fraction.value();
    let middle = tile.placement.from.map(f64::from);
    let last = lerp(fact.start, fact.end, fraction);
    let inside =
        |point: [f64; 3]| (0..2).all(|axis| (point[axis] - middle[axis]).abs() <= half * INSIDE);
    inside(fact.start) && inside(last)
}

fn place(placement: &Placement, point: [f64; 3]) -> [f64; 3] {
    placement.point(point.map(|x| x as f32)).map(f64::from)
}

#[test]
fn a_number_of_brushes_is_met_exactly() {
    let courtyard = sample("courtyard");
    for count in [1, 100, 122, 123, 600, 1000] {
        let tiled = tile(courtyard, Size::Brushes(count), SEED).unwrap();
        assert_eq!(tiled.n_brushes(), count);
        let map = subject::parse(&tiled.bytes);
        assert_eq!(map.models[0].brushes.len(), count);
        let Grid { columns, rows } = tiled.grid;
        let n_tiles = tiled.tiles.len();
        assert!(columns * rows >= n_tiles && columns * (rows - 1) < n_tiles);
        assert!(columns >= rows && columns - rows <= 1, "{columns} {rows}");
        let last = tiled.tiles.last().unwrap().brushes.len();
        assert!(last > 0, "no tile is empty");
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let bytes = |seed| {
        let size = Size::Brushes(700);
        tile(sample("courtyard"), size, seed).unwrap().bytes
    };
    assert!(bytes(1) == bytes(1));
    assert!(bytes(1) != bytes(2));
}

#[test]
fn what_has_no_room_is_refused() {
    // A room is 544 units wide: 240 of them extend to 65,280 units from the origin, 241 too far.
    let room = sample("room");
    let row = |columns| tile(room, Size::Tiles(Grid { columns, rows: 1 }), SEED);
    assert!(row(240).is_ok());
    let error = row(241).unwrap_err();
    assert!(error.contains("240 by 240 are the most"), "{error}");
    let error = tile(room, Size::Brushes(6 * 240 * 240 + 1), SEED).unwrap_err();
    assert!(error.contains("more than 57600 tiles"), "{error}");
    assert!(tile(room, Size::Brushes(0), SEED).is_err());
    assert!(tile(&room[..2000], Size::Brushes(6), SEED).is_err());
}
