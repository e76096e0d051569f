//! Navigation meshes of Detour: a reader of tiles, written apart, checks that polygons are convex and cover the floors,
//! and that neighbors lie side by side; and Detour itself (`recast-navigation` in Node) loads them and finds the paths
//! that the runtime finds. Skipped without Node or without that package: `ONION_RECAST` names a folder with its
//! `node_modules`, by default `target/recast`.

use std::path::{Path, PathBuf};
use std::process::Command;

use onion_compiler::Fill;
use onion_maps::Map;
use onion_runtime::OnionMap;
use onion_runtime::navigation::{LinkKind, PathCosts, PathPoint, PathScratch};
use onion_tests::cases::{Case, real_cases, sample_case, sample_cases};
use onion_tests::command;
use onion_tests::fixtures::{compiled, has_or_skips, made};
use onion_tests::maps::say;
use onion_tests::random::Random;
use onion_tests::rooms;
use onion_tests::skips::skip;
use onion_views::export::{DetourError, DetourMesh, detour, is_detour};

use crate::floors::point_of;

/// Bytes of the header of a set, and of that of a tile before the tile itself.
const SET: usize = 12 + 28 + 8;
/// How far floors and polygons may differ, as a part of their area: corners within 1/16 unit are one.
const ROUNDED: f64 = 1.0 / 256.0;
/// Random pairs of places for each map.
const PAIRS: usize = 60;
/// Detour's paths are not the shortest, but none is shorter than the shortest, and few are much longer.
const LONGER: f64 = 1.25;
/// Distance that our paths keep from corners, or from the places where players have changed their stance, in units;
/// they are longer by no more at each.
const AROUND_CORNERS: f64 = 1.5;

pub(crate) fn with_links(map: &Map) -> OnionMap<Vec<u8>> {
    let file = compiled(map, &["stand:16x56", "crouch:16x32"], |options| {
        (options.fill, options.floors) = (Fill::default(), true);
    });
    OnionMap::from_bytes(file.bytes).unwrap()
}

fn mesh_of(map: &OnionMap<Vec<u8>>) -> DetourMesh {
    small_mesh_of(map).unwrap()
}

/// Returns the mesh of a map, or the reason why it does not fit into a tile of Detour.
fn small_mesh_of(map: &OnionMap<Vec<u8>>) -> Result<DetourMesh, DetourError> {
    let mesh = detour(map, &map.agents().next().unwrap());
    if let Err(error) = &mesh {
        assert!(matches!(error, DetourError::TooLarge { .. }), "{error}");
        skip(&format!("a navigation mesh in Detour: {error}"));
    }
    mesh.inspect(|mesh| assert!(is_detour(&mesh.bytes)))
}

/// A polygon of a tile: corners in the axes of the map, neighbors by edge, area, and whether it is a connection.
struct Polygon {
    corners: Vec<[f64; 3]>,
    neighbors: Vec<Option<usize>>,
    area: u8,
    flags: u16,
    is_connection: bool,
}

/// Reads the polygons of a tile; everything else must be as long as the header says.
fn read(bytes: &[u8]) -> Vec<Polygon> {
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let short = |at: usize| u16::from_le_bytes(bytes[at..at + 2].try_into().unwrap());
    let float = |at: usize| f64::from(f32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()));
    assert_eq!((word(0), word(4), word(8)), (0x4D53_4554, 1, 1));
    assert_eq!((word(SET), word(SET + 4)), (0x444E_4156, 7));
    let count = |number: usize| word(SET + 24 + 4 * number) as usize;
    let [
        polygons,
        corners,
        links,
        meshes,
        more,
        triangles,
        nodes,
        connections,
        base,
    ] = std::array::from_fn(count);
    let ends = [
        100,
        12 * corners,
        32 * polygons,
        12 * links,
        12 * meshes,
        12 * more,
        4 * triangles,
        16 * nodes,
        36 * connections,
    ];
    assert_eq!(bytes.len(), SET + ends.iter().sum::<usize>());
    assert_eq!(
        (word(SET - 4) as usize, base + connections),
        (bytes.len() - SET, polygons)
    );
    assert_eq!((meshes, nodes), (base, 2 * base - 1));
    let first = SET + 100;
    let corner = |number: u16| {
        let at = first + 12 * usize::from(number);
        [float(at), -float(at + 8), float(at + 4)]
    };
    let polygon = |number: usize| {
        let at = first + 12 * corners + 32 * number;
        let n = usize::from(bytes[at + 30]);
        let numbers = |at: usize| (0..n).map(move |corner| short(at + 2 * corner));
        Polygon {
            corners: numbers(at + 4).map(corner).collect(),
            neighbors: numbers(at + 16)
                .map(|lead| usize::from(lead).checked_sub(1))
                .collect(),
            flags: short(at + 28),
            area: bytes[at + 31] & 63,
            is_connection: bytes[at + 31] >> 6 == 1,
        }
    };
    (0..polygons).map(polygon).collect()
}

/// Twice the area of a triangle as seen from above, above 0 if it is counterclockwise.
fn twice([[ax, ay, _], [bx, by, _], [cx, cy, _]]: [[f64; 3]; 3]) -> f64 {
    (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
}

fn area(corners: &[[f64; 3]]) -> f64 {
    let fan = (2..corners.len()).map(|at| twice([corners[0], corners[at - 1], corners[at]]));
    fan.sum::<f64>() / 2.0
}

/// Distance of a place from a polygon as seen from above; below 0 inside. Edges longer than a unit count.
fn outside(corners: &[[f64; 3]], place: [f64; 2]) -> f64 {
    let n = corners.len();
    let edges = (0..n).filter_map(|at| {
        let [[ax, ay, _], [bx, by, _]] = [corners[at], corners[(at + 1) % n]];
        let [x, y] = [bx - ax, by - ay];
        // Rounding to f32 turns shorter edges by more than can be measured far from them.
        let is_long = x.hypot(y) > 1.0;
        is_long.then(|| ((place[0] - ax) * y - (place[1] - ay) * x) / x.hypot(y))
    });
    edges.fold(f64::NEG_INFINITY, f64::max)
}

/// Polygons have at most six corners, are convex, cover what agents stand on, and have neighbors beyond their edges.
fn check(case: &str, map: &OnionMap<Vec<u8>>, mesh: &DetourMesh) {
    let polygons = read(&mesh.bytes);
    let step = 18.5;
    let mut covered = 0.0;
    for polygon in polygons.iter().filter(|polygon| !polygon.is_connection) {
        let n = polygon.corners.len();
        assert!((3..=6).contains(&n), "{case}");
        assert_eq!(polygon.flags, 1 << polygon.area, "{case}");
        let is_convex = (0..n).all(|at| {
            let [a, b, c] = [at, at + 1, at + 2].map(|at| polygon.corners[at % n]);
            twice([a, b, c]) > -1.0
        });
        assert!(is_convex, "{case}: {:?}", polygon.corners);
        if polygon.area == 0 {
            covered += area(&polygon.corners);
        }
        for (edge, neighbor) in polygon.neighbors.iter().enumerate() {
            let Some(neighbor) = neighbor.map(|number| &polygons[number]) else {
                continue;
            };
            let [a, b] = [polygon.corners[edge], polygon.corners[(edge + 1) % n]];
            let middle = [0, 1].map(|k| (a[k] + b[k]) / 2.0);
            let off = outside(&neighbor.corners, middle);
            assert!(!neighbor.is_connection && off < 0.25, "{case}: {off}");
            let heights = neighbor.corners.iter().map(|at| at[2]);
            let [low, high] =
                [f64::min, f64::max].map(|pick| heights.clone().reduce(pick).unwrap());
            let height = (a[2] + b[2]) / 2.0;
            let is_near = low - step <= height && height <= high + step;
            assert!(is_near, "{case}: {a:?} to {b:?}, {:?}", neighbor.corners);
        }
    }
    let stand = map.find_hull("stand").unwrap();
    let floors = map
        .floors(stand)
        .map(|floor| area(&floor.corners().collect::<Vec<_>>()));
    let floors: f64 = floors.sum();
    assert!(
        (covered - floors).abs() <= ROUNDED * floors,
        "{case}: {covered} of {floors}"
    );
}

#[test]
fn polygons_are_the_floors() {
    let cases: Vec<&Case> = sample_cases().iter().chain(real_cases()).collect();
    for case in cases {
        let map = with_links(&case.map);
        if let Ok(mesh) = small_mesh_of(&map) {
            check(&case.name, &map, &mesh);
        }
    }
}

/// Two halls of four corners, and where the tunnel's mouth and the links over it end, four more: two polygons each. The
/// tunnel is for crouching. No connection is needed.
#[test]
fn a_tunnel_joins_two_halls() {
    let map = with_links(&sample_case("low_tunnel").map);
    let mesh = mesh_of(&map);
    assert_eq!(mesh.n_connections, 0);
    let polygons = read(&mesh.bytes);
    let tunnel: Vec<&Polygon> = polygons
        .iter()
        .filter(|polygon| polygon.area == 1)
        .collect();
    let tunnel_area: f64 = tunnel.iter().map(|polygon| area(&polygon.corners)).sum();
    assert_eq!(tunnel_area, 160.0 * 32.0);
    let neighbors = tunnel
        .iter()
        .flat_map(|polygon| polygon.neighbors.iter().flatten());
    let halls = neighbors.filter(|&&number| polygons[number].area == 0);
    assert!(halls.count() >= 2);
    // Feet are on the ground.
    assert!(
        polygons
            .iter()
            .flat_map(|polygon| &polygon.corners)
            .all(|at| at[2] == 0.0)
    );
}

/// From the terrace of the pit, connections lead down, and none leads up.
#[test]
fn drops_are_connections() {
    let polygons = read(&mesh_of(&with_links(&made(&rooms::pit()))).bytes);
    let connections: Vec<&Polygon> = polygons
        .iter()
        .filter(|polygon| polygon.is_connection)
        .collect();
    assert!(connections.len() >= 7, "one for each 64 units of 480");
    for connection in connections {
        let heights: Vec<f64> = connection.corners.iter().map(|at| at[2]).collect();
        // Over the edge of the terrace, from the shelf to the terrace, and from there over the terrace.
        let expected = [[96.0, 0.0], [164.0, 96.0], [164.0, 0.0]];
        assert_eq!(connection.area, LinkKind::Drop as u8);
        assert!(expected.contains(&[heights[0], heights[1]]), "{heights:?}");
    }
}

/// Loads a tile, and prints the path on foot for each line with two places.
const PROGRAM: &str = r#"
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
const [folder, file, list, excluded] = process.argv.slice(-4);
const module = pathToFileURL(`${folder}/node_modules/recast-navigation/index.mjs`);
const { init, importNavMesh, NavMeshQuery } = await import(module);
await init();
const { navMesh } = importNavMesh(new Uint8Array(readFileSync(file)));
const query = new NavMeshQuery(navMesh, { maxNodes: 65535 });
query.defaultFilter.excludeFlags = Number(excluded);
const options = { halfExtents: { x: 1, y: 4, z: 1 }, maxPathPolys: 4096, maxStraightPathPoints: 4096 };
for (const line of readFileSync(list, "utf8").trim().split("\n")) {
  const [ax, ay, az, bx, by, bz] = line.split(" ").map(Number);
  const { success, path } = query.computePath({ x: ax, y: az, z: -ay }, { x: bx, y: bz, z: -by }, options);
  console.log(success ? path.map(({ x, y, z }) => `${x} ${-z} ${y}`).join(" ") : "none");
}
"#;

/// Returns the folder with Detour for Node; `None`, and counted as skipped, if something is missing.
fn recast() -> Option<PathBuf> {
    const TESTED: &str = "navigation meshes in Detour";
    if !has_or_skips("node", TESTED) {
        return None;
    }
    let named = std::env::var_os("ONION_RECAST").map(PathBuf::from);
    let folder = named.unwrap_or_else(|| command::target_folder().unwrap().join("recast"));
    if !folder.join("node_modules/recast-navigation").is_dir() {
        skip(&format!(
            "{TESTED}: no package recast-navigation in target/recast"
        ));
        return None;
    }
    Some(folder)
}

/// Asks Detour for paths between places where feet are.
fn ask(recast: &Path, mesh: &DetourMesh, pairs: &[[[f64; 3]; 2]]) -> Vec<Option<Vec<[f64; 3]>>> {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    };
    let lines = pairs.iter().map(|pair| {
        let numbers = pair.as_flattened().iter().map(f64::to_string);
        numbers.collect::<Vec<_>>().join(" ") + "\n"
    });
    let program = write("paths.mjs", PROGRAM.as_bytes());
    let [mesh, list] = [
        write("level.bin", &mesh.bytes),
        write("pairs.txt", lines.collect::<String>().as_bytes()),
    ];
    let excluded = 1 << LinkKind::Drop as u8 | 1 << LinkKind::Jump as u8;
    let output = Command::new("node")
        .arg(program)
        .arg(recast)
        .arg(mesh)
        .arg(list)
        .arg(excluded.to_string())
        .output();
    let output = output.unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = String::from_utf8(output.stdout).unwrap();
    let paths = text.lines().map(|line| {
        let numbers = line.split(' ').map(|word| word.parse().ok());
        let numbers = numbers.collect::<Option<Vec<f64>>>()?;
        Some(numbers.as_chunks().0.to_vec())
    });
    paths.collect()
}

/// Returns the path that the runtime finds between places where feet are, which are 24 below origins.
fn our_path(map: &OnionMap<Vec<u8>>, pair: [[f64; 3]; 2]) -> Option<Vec<PathPoint>> {
    let stand = map.find_hull("stand").unwrap();
    let point = PathPoint {
        position: [0.0; 3],
        hull: stand,
        floor: 0,
        kind: LinkKind::Walk,
    };
    let mut scratch = vec![PathScratch::default(); map.path_scratch()];
    let mut points = vec![point; 1024];
    let [start, goal] = pair.map(|[x, y, z]| [x, y, z + 24.0]);
    let costs = PathCosts {
        crouched: 1.0,
        ..PathCosts::default()
    };
    let path = map
        .path(stand, start, goal, &costs, &mut scratch, &mut points)
        .ok()?;
    points.truncate(path.n_points);
    Some(points)
}

fn length(path: &[[f64; 3]]) -> f64 {
    let ways = path
        .windows(2)
        .map(|pair| (pair[1][0] - pair[0][0]).hypot(pair[1][1] - pair[0][1]));
    ways.sum()
}

/// The distance of a place from a straight way, seen from above.
fn distance_to(way: &[[f64; 3]], at: [f64; 3]) -> f64 {
    let [[ax, ay, _], [bx, by, _]] = [way[0], way[1]];
    let along = [bx - ax, by - ay];
    let square = along[0] * along[0] + along[1] * along[1];
    let dot = (at[0] - ax) * along[0] + (at[1] - ay) * along[1];
    let part = (dot / square.max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
    (ax + part * along[0] - at[0]).hypot(ay + part * along[1] - at[1])
}

/// The path through the tunnel turns at two corners of it, and that up the ramp where its side is a step high, and at
/// its upper corner. Detour's path comes past all these places, and turns at them too, except at the side of the ramp:
/// its polygons let it enter the ramp earlier on the same line. The runtime also lists the places a unit on where
/// players have changed their stance, and a place on both sides of the step. The other two paths are straight.
#[test]
fn detour_turns_where_the_runtime_turns() {
    let Some(recast) = recast() else {
        return;
    };
    let ramp = [
        [[-300.0, 100.0, 0.0], [300.0, 100.0, 128.0]],
        [[-300.0, -4.0, 0.0], [300.0, -12.0, 128.0]],
    ];
    let tunnel = [
        [[-200.0, 100.0, 0.0], [200.0, -100.0, 0.0]],
        [[-200.0, 0.0, 0.0], [200.0, 0.0, 0.0]],
    ];
    // The number of turns, and of those where Detour turns too.
    for (name, pairs, turns) in [
        ("low_tunnel", tunnel, [[4, 4], [0, 0]]),
        ("ramp_stairs", ramp, [[0, 0], [3, 1]]),
    ] {
        let map = with_links(&sample_case(name).map);
        let found = ask(&recast, &mesh_of(&map), &pairs);
        for ((pair, theirs), [turns, shared]) in pairs.into_iter().zip(found).zip(turns) {
            let theirs = theirs.unwrap();
            let ours = our_path(&map, pair).unwrap();
            let ours: Vec<[f64; 3]> = ours.iter().map(|at| at.position).collect();
            let off_line = |at: &&[f64; 3]| {
                let [a, b] = pair;
                (twice([a, b, **at]) / (b[0] - a[0]).hypot(b[1] - a[1])).abs() > AROUND_CORNERS
            };
            let our_turns: Vec<_> = ours.iter().filter(off_line).collect();
            assert_eq!(our_turns.len(), turns, "{name}: {our_turns:?}");
            let is_shared = |turn: &&&[f64; 3]| {
                let off = |at: &[f64; 3]| (at[0] - turn[0]).hypot(at[1] - turn[1]);
                theirs.iter().any(|at| off(at) < AROUND_CORNERS)
            };
            let n_shared = our_turns.iter().filter(is_shared).count();
            assert_eq!(n_shared, shared, "{name}: {our_turns:?} of {theirs:?}");
            for turn in our_turns {
                let on_way = |way: &[[f64; 3]]| distance_to(way, *turn) < AROUND_CORNERS;
                assert!(
                    theirs.windows(2).any(on_way),
                    "{name}: {turn:?} of {theirs:?}"
                );
            }
            // Whatever else Detour lists is on the way.
            let lengths = [length(&theirs), length(&ours)];
            assert!(
                (lengths[0] - lengths[1]).abs() < AROUND_CORNERS,
                "{name}: {lengths:?}"
            );
        }
    }
}

/// Where the runtime finds a way on foot, so does Detour, and no shorter one.
#[test]
fn detour_finds_the_ways_of_the_runtime() {
    let Some(recast) = recast() else {
        return;
    };
    let cases: Vec<&Case> = sample_cases().iter().chain(real_cases()).collect();
    let (mut n_found, mut n_longer, mut n_missed) = (0, 0, 0);
    for case in cases {
        let map = with_links(&case.map);
        let Ok(mesh) = small_mesh_of(&map) else {
            continue;
        };
        let stand = map.find_hull("stand").unwrap();
        let floors: Vec<_> = map.floors(stand).collect();
        let mut random = Random::new(32);
        let mut place = || {
            let [x, y, z] = point_of(&floors[random.below(floors.len())], &mut random);
            [x, y, z - 24.0]
        };
        let pairs: Vec<_> = (0..PAIRS).map(|_| [place(), place()]).collect();
        let found = ask(&recast, &mesh, &pairs);
        for (pair, theirs) in pairs.into_iter().zip(found) {
            let Some(ours) = our_path(&map, pair) else {
                continue;
            };
            let is_on_foot = |at: &PathPoint| !matches!(at.kind, LinkKind::Drop | LinkKind::Jump);
            if !ours.iter().all(is_on_foot) {
                continue;
            }
            let ours: Vec<[f64; 3]> = ours.iter().map(|at| at.position).collect();
            n_found += 1;
            let end = theirs.as_ref().and_then(|path| path.last().copied());
            let arrives = |[x, y, _]: [f64; 3]| (x - pair[1][0]).hypot(y - pair[1][1]) < 1.0;
            let Some(theirs) = theirs.filter(|_| end.is_some_and(arrives)) else {
                n_missed += 1;
                continue;
            };
            let most = length(&ours) * LONGER + AROUND_CORNERS * ours.len() as f64;
            n_longer += usize::from(length(&theirs) > most);
        }
    }
    say(&format!(
        "Detour: {n_found} ways, {n_missed} missed, {n_longer} much longer"
    ));
    // Slivers that are thinner than the distance at which corners are one may lead nowhere.
    assert!(n_found > 300 && n_missed * 50 < n_found && n_longer * 50 < n_found);
}
