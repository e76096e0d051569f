//! Navigation meshes with corners in common: a reader of Godot's scenes, written apart, connects polygons as Godot
//! does, by edges whose ends are in the same cells, and by links; a second graph connects the triangles for Bevy by the
//! numbers of their corners. Which places lead to which must be what the runtime answers.

use std::collections::{HashMap, HashSet};

use glam::DVec3;
use onion_runtime::OnionMap;
use onion_runtime::navigation::{LinkKind, PathScratch};
use onion_tests::cases::{Case, real_cases, sample_case, sample_cases};
use onion_tests::fixtures::made;
use onion_tests::maps::say;
use onion_tests::random::Random;
use onion_tests::rooms;
use onion_views::export::{NavMesh, Risers, godot, is_godot, nav_mesh};

use crate::detour::with_links;

/// Units per meter, and the layer that only joins links to regions.
const SCALE: f64 = 32.0;
const JOINS: u32 = 1 << 31;
/// How far corners move to the grid of cells, in units: half the diagonal of a cell.
const MOVED: f64 = 0.36;
/// Distance within which links find polygons, in units, as the scene says.
const RADIUS: f64 = 2.0;
/// Random places where ways begin, and where they end, for each map.
const PLACES: [usize; 2] = [12, 40];

fn mesh_of(map: &OnionMap<Vec<u8>>, risers: Risers) -> NavMesh {
    nav_mesh(map, &map.agents().next().unwrap(), risers)
}

/// A scene: for each region its layers and polygons, and the links with their names and layers, in the axes of the map.
#[derive(Default)]
struct Scene {
    cell: f64,
    regions: Vec<(u32, Vec<Vec<DVec3>>)>,
    links: Vec<(String, u32, [DVec3; 2])>,
}

fn numbers(text: &str) -> Vec<f64> {
    let words = text.split([',', '(', ')', ' ', '[', ']']);
    words.filter_map(|word| word.parse().ok()).collect()
}

fn places(text: &str) -> Vec<DVec3> {
    let numbers = numbers(text);
    let places = numbers.as_chunks::<3>().0.iter();
    places
        .map(|&[x, y, z]| DVec3::new(x, -z, y) * SCALE)
        .collect()
}

/// Reads a scene: sections with a heading in brackets and properties, one a line.
fn read(text: &str) -> Scene {
    assert!(is_godot(text.as_bytes()));
    let mut scene = Scene::default();
    let mut meshes: HashMap<String, Vec<Vec<DVec3>>> = HashMap::new();
    for section in text.split("\n[").skip(1) {
        let (heading, body) = section.split_once("]\n").unwrap();
        let attribute = |name: &str| {
            let (_, rest) = heading.split_once(&format!(" {name}=\"")).unwrap();
            rest.split_once('"').unwrap().0.to_owned()
        };
        let lines = body.lines().filter_map(|line| line.split_once(" = "));
        let own: HashMap<&str, &str> = lines.collect();
        let layers = || own["navigation_layers"].parse().unwrap();
        match attribute("type").as_str() {
            "GDScript" => {
                let said = |name: &str| body.split_once(name).map(|(_, rest)| numbers(rest)[0]);
                scene.cell = said("cell_size(map,").unwrap() * SCALE;
                assert_eq!(said("cell_height(map,").unwrap() * SCALE, scene.cell);
                assert_eq!(said("radius(map,").unwrap() * SCALE, RADIUS);
            }
            "NavigationMesh" => {
                assert_eq!(numbers(own["cell_size"])[0] * SCALE, scene.cell);
                let corners = places(own["vertices"]);
                let polygons = own["polygons"].split("PackedInt32Array").skip(1);
                let polygons: Vec<Vec<DVec3>> = polygons
                    .map(|list| {
                        numbers(list)
                            .iter()
                            .map(|&at| corners[at as usize])
                            .collect()
                    })
                    .collect();
                assert!(corners.len() <= polygons.iter().map(Vec::len).sum());
                meshes.insert(attribute("id"), polygons);
            }
            "NavigationRegion3D" => {
                assert_eq!(own["use_edge_connections"], "false");
                let id = own["navigation_mesh"].split('"').nth(1).unwrap();
                scene.regions.push((layers(), meshes.remove(id).unwrap()));
            }
            "NavigationLink3D" => {
                assert_eq!(own["bidirectional"], "false");
                let ends = ["start_position", "end_position"].map(|name| places(own[name])[0]);
                scene.links.push((attribute("name"), layers(), ends));
            }
            kind => assert_eq!(kind, "Node3D"),
        }
    }
    scene
}

/// Polygons, where each leads, and the links.
struct Graph {
    polygons: Vec<Vec<DVec3>>,
    leads: Vec<Vec<usize>>,
    /// The number of links that begin or end on no polygon.
    n_lost: usize,
}

impl Graph {
    /// Connects polygons whose edges have the same ends, given by keys, and those at the ends of links.
    fn new<K: Copy + Ord + std::hash::Hash>(
        polygons: Vec<Vec<DVec3>>,
        keys: &[Vec<K>],
        links: &[[DVec3; 2]],
    ) -> Self {
        let mut edges: HashMap<[K; 2], Vec<usize>> = HashMap::new();
        for (number, keys) in keys.iter().enumerate() {
            for (&a, &b) in keys.iter().zip(keys.iter().cycle().skip(1)) {
                edges.entry([a.min(b), a.max(b)]).or_default().push(number);
            }
        }
        let mut graph = Self {
            leads: vec![Vec::new(); polygons.len()],
            polygons,
            n_lost: 0,
        };
        for owners in edges.values().filter(|owners| owners.len() == 2) {
            graph.leads[owners[0]].push(owners[1]);
            graph.leads[owners[1]].push(owners[0]);
        }
        for link in links {
            if let [Some(from), Some(to)] = link.map(|end| graph.nearest(end)) {
                graph.leads[from].push(to);
            } else {
                graph.n_lost += 1;
            }
        }
        graph
    }

    /// Returns the polygon that is nearest to a place, within the radius of links.
    fn nearest(&self, place: DVec3) -> Option<usize> {
        let polygons = self.polygons.iter().enumerate();
        let distances = polygons.map(|(number, corners)| (number, distance(corners, place)));
        let near = distances.filter(|(_, distance)| *distance < RADIUS);
        Some(near.min_by(|one, other| one.1.total_cmp(&other.1))?.0)
    }

    fn reached(&self, from: usize) -> HashSet<usize> {
        let (mut reached, mut open) = (HashSet::from([from]), vec![from]);
        while let Some(polygon) = open.pop() {
            let leads = self.leads[polygon].iter();
            open.extend(leads.filter(|&&to| reached.insert(to)));
        }
        reached
    }
}

/// Returns the distance of a place from a polygon, in triangles.
fn distance(corners: &[DVec3], place: DVec3) -> f64 {
    let mins = corners.iter().copied().reduce(DVec3::min).unwrap();
    let maxs = corners.iter().copied().reduce(DVec3::max).unwrap();
    let off_box = place.distance(place.clamp(mins, maxs));
    if off_box > RADIUS {
        return off_box;
    }
    let fan = (2..corners.len()).map(|at| [corners[0], corners[at - 1], corners[at]]);
    let distances = fan.map(|[a, b, c]| {
        let normal = (b - a).cross(c - a).normalize_or_zero();
        let edges = [[a, b], [b, c], [c, a]];
        let is_inside = |[a, b]: &[DVec3; 2]| (*b - *a).cross(place - *a).dot(normal) >= 0.0;
        if normal != DVec3::ZERO && edges.iter().all(is_inside) {
            return (place - a).dot(normal).abs();
        }
        let to_edge = |[a, b]: [DVec3; 2]| {
            let part = (place - a).dot(b - a) / (b - a).length_squared().max(f64::MIN_POSITIVE);
            place.distance(a.lerp(b, part.clamp(0.0, 1.0)))
        };
        edges.map(to_edge).into_iter().fold(f64::INFINITY, f64::min)
    });
    distances.fold(f64::INFINITY, f64::min)
}

fn twice(a: DVec3, b: DVec3, c: DVec3) -> f64 {
    (b - a).truncate().perp_dot((c - a).truncate())
}

/// Checks the polygons and links of a scene, and connects them as Godot does.
fn graph_of(case: &str, scene: &Scene) -> Graph {
    let cell = |place: DVec3| (place / scene.cell).floor().to_array().map(|at| at as i64);
    for (number, (layers, polygons)) in scene.regions.iter().enumerate() {
        assert_eq!(*layers, JOINS | 1 << usize::from(number > 0), "{case}");
        let mut edges = HashSet::new();
        for corners in polygons {
            let n = corners.len();
            assert!((3..=6).contains(&n), "{case}");
            let area: f64 = (2..n)
                .map(|at| twice(corners[0], corners[at - 1], corners[at]))
                .sum();
            assert!(area >= 0.0, "{case}: clockwise {corners:?}");
            for at in 0..n {
                let [a, b, c] = [at, at + 1, at + 2].map(|at| corners[at % n]);
                assert_eq!(a % scene.cell, DVec3::ZERO, "{case}: not on the grid");
                let off = twice(a, b, c) / (c - a).length().max(1.0);
                assert!(
                    off > -2.0 * MOVED,
                    "{case}: not convex by {off}, {corners:?}"
                );
                // Godot refuses a region in which three polygons have an edge.
                assert!(edges.insert([cell(a), cell(b)]), "{case}: twice {a} {b}");
            }
        }
    }
    for (name, layers, _) in &scene.links {
        let kind = LinkKind::ALL.into_iter().find(|kind| {
            let rest = name.strip_prefix(&format!("{kind:?}"));
            rest.is_some_and(|rest| rest.parse::<usize>().is_ok())
        });
        assert_eq!(*layers, JOINS | 1 << kind.unwrap() as u32, "{case}: {name}");
    }
    let polygons = scene
        .regions
        .iter()
        .flat_map(|(_, polygons)| polygons.clone());
    let polygons: Vec<_> = polygons.collect();
    let keys = polygons
        .iter()
        .map(|corners| corners.iter().map(|&at| cell(at)).collect());
    let keys: Vec<Vec<_>> = keys.collect();
    let links: Vec<_> = scene.links.iter().map(|link| link.2).collect();
    Graph::new(polygons, &keys, &links)
}

/// Connects triangles by the numbers of their corners.
fn graph_of_triangles(case: &str, mesh: &NavMesh) -> Graph {
    let at = |corner: u32| DVec3::from(mesh.corners[corner as usize].map(f64::from));
    let triangles = mesh.triangles();
    let mut edges = HashSet::new();
    for &[a, b, c] in &triangles {
        let [x, y, z] = [a, b, c].map(|corner| at(corner).as_vec3().truncate());
        // In f32, as path crates find out.
        assert!(
            (y - x).perp_dot(z - x) > 0.0,
            "{case}: clockwise {x} {y} {z}"
        );
        assert!(
            [[a, b], [b, c], [c, a]]
                .into_iter()
                .all(|edge| edges.insert(edge)),
            "{case}"
        );
    }
    let keys: Vec<Vec<u32>> = triangles.iter().map(|triangle| triangle.to_vec()).collect();
    let polygons = triangles.iter().map(|triangle| triangle.map(at).to_vec());
    let links = mesh.links.iter();
    let links = links.map(|link| link.ends.map(|end| DVec3::from(end.map(f64::from))));
    Graph::new(polygons.collect(), &keys, &links.collect::<Vec<_>>())
}

/// Counts the pairs of places between which the runtime finds a way, those of them without a way in a graph, and those
/// with a way only there.
fn compare(map: &OnionMap<Vec<u8>>, graph: &Graph) -> [usize; 3] {
    let stand = map.find_hull("stand").unwrap();
    let mut random = Random::new(32);
    let mut scratch = vec![PathScratch::default(); map.path_scratch()];
    let mut counts = [0; 3];
    let mut place = || {
        let numbers = [0; 3].map(|_| random.between(0.0, 1.0));
        map.random_place(stand, numbers).unwrap().1
    };
    let polygon = |place: [f64; 3]| graph.nearest(DVec3::from(place) - DVec3::Z * 24.0);
    let goals: Vec<_> = (0..PLACES[1]).map(|_| place()).collect();
    for _ in 0..PLACES[0] {
        let start = place();
        let reached = polygon(start)
            .map(|polygon| graph.reached(polygon))
            .unwrap_or_default();
        for &goal in &goals {
            let ours = map.can_reach(stand, start, goal, &mut scratch).unwrap();
            let theirs = polygon(goal).is_some_and(|polygon| reached.contains(&polygon));
            counts[0] += usize::from(ours);
            counts[1] += usize::from(ours && !theirs);
            counts[2] += usize::from(theirs && !ours);
        }
    }
    counts
}

/// Places lead to each other as in the runtime, but for floors that the grid leaves out, and edges that lead one way.
#[test]
fn places_lead_to_what_the_runtime_reaches() {
    let mut sums = [[0; 3]; 2];
    for case in sample_cases()
        .iter()
        .chain(real_cases())
        .collect::<Vec<&Case>>()
    {
        let map = with_links(&case.map);
        let scene = read(&godot(&mesh_of(&map, Risers::Upright)).unwrap());
        let graphs = [
            graph_of(&case.name, &scene),
            graph_of_triangles(&case.name, &mesh_of(&map, Risers::Leaning)),
        ];
        for (engine, graph) in graphs.iter().enumerate() {
            let counts = compare(&map, graph);
            say(&format!(
                "{} in {}: {counts:?}",
                case.name,
                ["Godot", "Bevy"][engine]
            ));
            for (sum, count) in sums[engine].iter_mut().zip(counts) {
                *sum += count;
            }
        }
    }
    for [found, missed, more] in sums {
        assert!(
            found > 3000 && missed * 500 < found && more * 500 < found,
            "{sums:?}"
        );
    }
}

/// Two halls, and the tunnel as a region of its own; no link is needed.
#[test]
fn a_tunnel_is_a_region_for_crouching() {
    let map = with_links(&sample_case("low_tunnel").map);
    let scene = read(&godot(&mesh_of(&map, Risers::Upright)).unwrap());
    assert_eq!((scene.regions.len(), scene.links.len()), (2, 0));
    let graph = graph_of("low_tunnel", &scene);
    let [from, to] = [-200.0, 200.0].map(|x| graph.nearest(DVec3::new(x, 100.0, 0.0)).unwrap());
    assert!(from != to && graph.reached(from).contains(&to));
}

/// From the terrace of the pit, links lead down, and none leads up.
#[test]
fn drops_are_links() {
    let map = with_links(&made(&rooms::pit()));
    let scene = read(&godot(&mesh_of(&map, Risers::Upright)).unwrap());
    let is_down = |[start, end]: [DVec3; 2]| start.z > end.z + 18.0;
    assert!(scene.links.len() >= 7 && scene.links.iter().all(|link| is_down(link.2)));
}

/// A scene that Godot has saved, whose comments are gone, is not ours; without floors there is none.
#[test]
fn other_scenes_are_not_ours() {
    assert!(!is_godot(
        b"[gd_scene format=3]\n\n[node name=\"Level\" type=\"Node3D\"]\n"
    ));
    assert!(godot(&NavMesh::default()).is_none());
}
