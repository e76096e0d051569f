//! The navigation mesh of a class of agents for engines that connect polygons by common corners: Godot, and the path
//! crates of Bevy. In: the polygons of [`Mesh`], which know where their edges lead. Out: corners in common, polygons by
//! their numbers, and one-way links for everything that no common edge represents.
//!
//! Where agents walk over a step, a narrow polygon, the riser, fills the space between the edges at its foot and at its
//! head. Where walkers go only one way over an edge, or two edges do not have the same ends, there is a link instead.

use std::collections::{HashMap, HashSet};

use glam::{DVec2, DVec3};
use onion_runtime::OnionMap;
use onion_runtime::navigation::{AgentClass, LinkKind};

use super::detour::mesh::{Mesh, Polygon};
use crate::tolerance::{
    BESIDE_FLOOR, CELL, FINE_CELL, RISER_LEAN, SAME_EDGE, SAME_LEVEL, THINNEST,
};

/// How risers stand, and how fine the grid is on which corners are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Risers {
    /// Upright, on the grid of cells in which Godot looks for common corners.
    Upright,
    /// They lean, and their heads move back, because the path crates of Bevy refuse polygons without area as seen from
    /// above; on a grid that `f32` has everywhere.
    Leaning,
}

/// A navigation mesh, in the axes and units of the map.
#[derive(Clone, Debug, Default)]
pub struct NavMesh {
    /// The corners, where feet are.
    pub corners: Vec<[f32; 3]>,
    /// The polygons: floors, those of the tallest stance first, and risers between them.
    pub polygons: Vec<NavPolygon>,
    /// The ways between polygons without a common edge.
    pub links: Vec<NavLink>,
    /// Height and half the width of the tallest stance, and the height of the agent's steps.
    pub agent: [f64; 3],
}

/// A polygon, convex except for rounding to the grid.
#[derive(Clone, Debug)]
pub struct NavPolygon {
    /// The numbers of its corners, counterclockwise as seen from above.
    pub corners: Vec<u32>,
    /// The rank of the stance in which agents are on it: 0 for the tallest.
    pub stance: usize,
}

/// A way from one polygon to another, one-way.
#[derive(Clone, Copy, Debug)]
pub struct NavLink {
    /// Where it begins and ends.
    pub ends: [[f32; 3]; 2],
    /// How agents take it.
    pub kind: LinkKind,
    /// The number of the link of the file that it stands for; `None` if it leads over an edge.
    pub link: Option<u32>,
}

/// Makes the navigation mesh of a class of agents.
pub fn nav_mesh<D: AsRef<[u8]>>(map: &OnionMap<D>, class: &AgentClass, risers: Risers) -> NavMesh {
    let mesh = Mesh::new(map, class);
    let connections = mesh.connections.iter().map(|connection| NavLink {
        ends: connection.ends.map(|end| end.as_vec3().to_array()),
        kind: connection.kind,
        link: Some(connection.link),
    });
    let mut out = NavMesh {
        links: connections.collect(),
        agent: mesh.agent,
        ..NavMesh::default()
    };
    let polygons = &mesh.polygons;
    let seams = seams(polygons, &mut out.links);
    let mut groups = Groups::new(polygons, &seams);
    let own: Vec<_> = seams.iter().map(|seam| groups.riser(seam)).collect();
    groups.place(risers, &mut out.corners);
    let mut taken = HashSet::new();
    for (number, polygon) in polygons.iter().enumerate() {
        let corners = (0..polygon.corners.len()).map(|corner| groups.corner([number, corner]));
        out.add(corners.collect(), polygon.stance, &mut taken);
    }
    for (seam, riser) in seams.iter().zip(own) {
        let Some(riser) = riser else { continue };
        let [one, other] = seam.map(|[number, _]| polygons[number].stance);
        let corners = riser.map(|corner| groups.corner(corner)).to_vec();
        if !out.add(corners, one.max(other), &mut taken) {
            let ways = [*seam, [seam[1], seam[0]]];
            out.links.extend(ways.map(|way| over_edge(polygons, way)));
        }
    }
    out
}

impl NavMesh {
    /// Adds a polygon, less the edges that the grid made short. `false` if nothing is left, or if another one on the
    /// same side has one of its edges: engines refuse an edge of three polygons.
    fn add(&mut self, corners: Vec<u32>, stance: usize, taken: &mut Taken) -> bool {
        let at = |corner: u32| DVec3::from(self.corners[corner as usize].map(f64::from));
        let mut corners = corners;
        corners.dedup_by_key(|corner| at(*corner).to_array());
        while corners.len() > 1 && at(corners[0]) == at(corners[corners.len() - 1]) {
            corners.pop();
        }
        let next = corners.iter().cycle().skip(1);
        let edges: Vec<_> = corners.iter().zip(next).map(|(&a, &b)| [a, b]).collect();
        let normal: DVec3 = edges
            .iter()
            .map(|edge| at(edge[0]).cross(at(edge[1])))
            .sum();
        let place = |corner: u32| self.corners[corner as usize].map(f32::to_bits);
        let places = edges.iter().map(|edge| (stance, edge.map(place)));
        let is_free = !places.clone().any(|edge| taken.contains(&edge));
        let is_added = normal.z >= 0.0 && normal != DVec3::ZERO && is_free;
        if is_added {
            taken.extend(places);
            self.polygons.push(NavPolygon { corners, stance });
        }
        is_added
    }

    /// Divides the polygons into triangles, as little thin as possible; those without area as seen from above are left
    /// out.
    pub fn triangles(&self) -> Vec<[u32; 3]> {
        let polygons = self.polygons.iter();
        let triangles = polygons.flat_map(|polygon| self.divided(&polygon.corners));
        triangles
            .filter(|triangle| self.width(triangle) > THINNEST)
            .collect()
    }

    /// Divides a polygon so that the narrowest triangle is as wide as possible (Klincsek, 1980).
    fn divided(&self, corners: &[u32]) -> Vec<[u32; 3]> {
        let n = corners.len();
        let triangle =
            |[start, apex, end]: [usize; 3]| [corners[start], corners[apex], corners[end]];
        // For each part between two corners, the width of its narrowest triangle, and the apex of that at its chord.
        let mut widest = vec![vec![(f64::INFINITY, 0); n]; n];
        for span in 2..n {
            for start in 0..n - span {
                let end = start + span;
                let ways = (start + 1..end).map(|apex| {
                    let own = self.width(&triangle([start, apex, end]));
                    (
                        widest[start][apex].0.min(widest[apex][end].0).min(own),
                        apex,
                    )
                });
                let way = ways.max_by(|one, other| one.0.total_cmp(&other.0));
                widest[start][end] = way.unwrap_or_default();
            }
        }
        let mut triangles = Vec::new();
        let mut parts = vec![[0, n - 1]];
        while let Some([start, end]) = parts.pop() {
            if end > start + 1 {
                let apex = widest[start][end].1;
                triangles.push(triangle([start, apex, end]));
                parts.extend([[start, apex], [apex, end]]);
            }
        }
        triangles
    }

    /// The width of a triangle across its longest edge as seen from above, below 0 if it is clockwise.
    fn width(&self, triangle: &[u32; 3]) -> f64 {
        let at = |corner: u32| DVec3::from(self.corners[corner as usize].map(f64::from)).truncate();
        let [a, b, c] = triangle.map(at);
        let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
        (b - a).perp_dot(c - a) / longest.max(THINNEST)
    }
}

/// The edges of the polygons of a mesh: the stance, and the bits of both ends.
type Taken = HashSet<(usize, [[u32; 3]; 2])>;

/// An edge or a corner of a polygon: the numbers of the polygon and of the edge or corner.
type Part = [usize; 2];

/// Two edges that lead to each other.
type Seam = [Part; 2];

/// Returns the edges that lead to each other; for other edges that lead somewhere, adds links.
fn seams(polygons: &[Polygon], links: &mut Vec<NavLink>) -> Vec<Seam> {
    let mut seams = Vec::new();
    for (number, polygon) in polygons.iter().enumerate() {
        for edge in 0..polygon.corners.len() {
            let Some(to) = polygon.neighbors[edge] else {
                continue;
            };
            let mut others = (0..polygons[to].corners.len()).map(|edge| [to, edge]);
            let own = ends(polygons, [number, edge]).map(DVec3::truncate);
            let other = others.find(|&other| {
                let [b, a] = ends(polygons, other).map(DVec3::truncate);
                polygons[to].neighbors[other[1]] == Some(number)
                    && a.distance(own[0]).max(b.distance(own[1])) < SAME_EDGE
            });
            match other {
                Some(other) if number < to => seams.push([[number, edge], other]),
                Some(_) => {}
                None => links.push(over_edge(polygons, [[number, edge], [to, 0]])),
            }
        }
    }
    seams
}

/// Returns the corner with which an edge begins and that with which it ends.
fn ends(polygons: &[Polygon], [number, edge]: Part) -> [DVec3; 2] {
    let corners = &polygons[number].corners;
    [edge, (edge + 1) % corners.len()].map(|corner| corners[corner])
}

/// Returns the link over the middle of an edge to another polygon.
fn over_edge(polygons: &[Polygon], [from, [to, _]]: Seam) -> NavLink {
    let [a, b] = ends(polygons, from).map(DVec3::truncate);
    let out = -(b - a).perp().normalize_or_zero() * BESIDE_FLOOR;
    let [from, to] = [from[0], to].map(|number| &polygons[number]);
    let at = |polygon: &Polygon, place: DVec2| height(&polygon.corners, place).as_vec3().to_array();
    let middle = (a + b) / 2.0;
    NavLink {
        ends: [at(from, middle - out), at(to, middle + out)],
        kind: match from.stance.cmp(&to.stance) {
            std::cmp::Ordering::Less => LinkKind::Crouch,
            std::cmp::Ordering::Equal => LinkKind::Walk,
            std::cmp::Ordering::Greater => LinkKind::Stand,
        },
        link: None,
    }
}

/// Returns the place on the plane of a polygon.
fn height(corners: &[DVec3], place: DVec2) -> DVec3 {
    let fan = corners[1..].windows(2);
    let normal: DVec3 = fan
        .map(|pair| (pair[0] - corners[0]).cross(pair[1] - corners[0]))
        .sum();
    let off = normal.truncate().dot(place - corners[0].truncate());
    place.extend(corners[0].z - off / normal.z)
}

/// Corners of polygons in groups, each of which becomes one corner.
struct Groups<'a> {
    polygons: &'a [Polygon],
    /// The number of the first corner of each polygon.
    first: Vec<usize>,
    /// For each corner, one of its group with a smaller number, or itself.
    parents: Vec<usize>,
    /// For the first corner of each group, the directions in which it moves back from risers.
    leans: HashMap<usize, DVec2>,
    /// For the first corner of each group, its number in the mesh.
    numbers: HashMap<usize, u32>,
}

impl<'a> Groups<'a> {
    fn new(polygons: &'a [Polygon], seams: &[Seam]) -> Self {
        let mut n_corners = 0;
        let first = polygons.iter().map(|polygon| {
            n_corners += polygon.corners.len();
            n_corners - polygon.corners.len()
        });
        let mut groups = Self {
            polygons,
            first: first.collect(),
            parents: (0..n_corners).collect(),
            leans: HashMap::new(),
            numbers: HashMap::new(),
        };
        for seam in seams {
            for pair in groups.pairs(seam) {
                let [one, other] = pair.map(|[number, corner]| polygons[number].corners[corner].z);
                if (one - other).abs() < SAME_LEVEL {
                    let [one, other] = pair.map(|corner| groups.root(corner));
                    groups.parents[one.max(other)] = one.min(other);
                }
            }
        }
        groups
    }

    /// Returns the corners of two edges that belong together.
    fn pairs(&self, [one, other]: &Seam) -> [[Part; 2]; 2] {
        let next =
            |[number, edge]: Part| [number, (edge + 1) % self.polygons[number].corners.len()];
        [[*one, next(*other)], [next(*one), *other]]
    }

    fn root(&self, [number, corner]: Part) -> usize {
        let mut at = self.first[number] + corner;
        while self.parents[at] != at {
            at = self.parents[at];
        }
        at
    }

    /// Returns the corners of the riser between two edges, and lets it lean; `None` if they have both corners in
    /// common.
    fn riser(&mut self, seam: &Seam) -> Option<[Part; 4]> {
        let z = |[number, corner]: Part| self.polygons[number].corners[corner].z;
        let [[a, d], [b, c]] = self.pairs(seam);
        let (foot, head) = match z(a) + z(b) <= z(c) + z(d) {
            true => ([a, b], [d, c]),
            false => ([c, d], [b, a]),
        };
        let [from, to] = foot.map(|[number, corner]| self.polygons[number].corners[corner]);
        let back = -(to - from).truncate().perp().normalize_or_zero();
        let pairs = [0, 1].map(|end| [foot[end], head[end]].map(|corner| self.root(corner)));
        let apart = pairs.into_iter().filter(|[foot, head]| foot != head);
        let n_apart = apart
            .map(|[_, head]| *self.leans.entry(head).or_default() += back)
            .count();
        (n_apart > 0).then_some([foot[1], foot[0], head[0], head[1]])
    }

    /// Places the corners of groups on the grid, and numbers them.
    fn place(&mut self, risers: Risers, corners: &mut Vec<[f32; 3]>) {
        let (cell, by) = match risers {
            Risers::Upright => (CELL, 0.0),
            Risers::Leaning => (FINE_CELL, RISER_LEAN),
        };
        let mut groups: Vec<(usize, DVec3, f64)> = Vec::new();
        for (number, polygon) in self.polygons.iter().enumerate() {
            for (corner, at) in polygon.corners.iter().enumerate() {
                let root = self.root([number, corner]);
                let group = *self.numbers.entry(root).or_insert(groups.len() as u32) as usize;
                if group == groups.len() {
                    groups.push((root, DVec3::ZERO, 0.0));
                }
                groups[group].1 += *at;
                groups[group].2 += 1.0;
            }
        }
        corners.extend(groups.into_iter().map(|(root, sum, count)| {
            let lean = self.leans.get(&root).copied().unwrap_or_default();
            let at = sum / count + (lean.normalize_or_zero() * by).extend(0.0);
            ((at / cell).round() * cell + DVec3::ZERO)
                .as_vec3()
                .to_array()
        }));
    }

    fn corner(&self, corner: Part) -> u32 {
        self.numbers[&self.root(corner)]
    }
}
