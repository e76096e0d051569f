//! The navigation mesh of a class of agents, before it is written: polygons that know where each edge leads, and
//! connections for the links that no edge represents.

use glam::{DVec2, DVec3};
use onion_runtime::OnionMap;
use onion_runtime::navigation::{AgentClass, LinkKind};

use super::grounds::{Ground, Way, grounds, stances, ways};
use super::pieces::{FloorPiece, Lead, MOST, divide};
use super::ring::part;
use crate::tolerance::{BESIDE_FLOOR, SAME_CORNER};

/// Length of the part of a line that one connection stands for, in units.
const APART: f64 = 64.0;

/// A navigation mesh.
pub(in crate::export) struct Mesh {
    /// The polygons, those of the tallest stance first.
    pub polygons: Vec<Polygon>,
    /// Ways between them that edges do not represent.
    pub connections: Vec<Connection>,
    /// Height and half the width of the tallest stance, and the height of the agent's steps, in units.
    pub agent: [f64; 3],
}

/// A convex polygon.
pub(in crate::export) struct Polygon {
    /// Its corners, counterclockwise as seen from above, where feet are.
    pub corners: Vec<DVec3>,
    /// For each edge, from its corner to the next one, the polygon that it leads to.
    pub neighbors: Vec<Option<usize>>,
    /// The rank of the stance in which agents are on it: 0 for the tallest.
    pub stance: usize,
}

/// A way from one place to another, one-way.
pub(in crate::export) struct Connection {
    /// Where it begins and ends, in units.
    pub ends: [DVec3; 2],
    pub kind: LinkKind,
    /// The link of the file that it stands for.
    pub link: u32,
}

impl Mesh {
    pub(in crate::export) fn new<D: AsRef<[u8]>>(map: &OnionMap<D>, class: &AgentClass) -> Self {
        let hulls = stances(map, class);
        let mut grounds = grounds(map, &hulls);
        let ways = ways(map, &grounds);
        add_corners(&mut grounds, &ways);
        let mut connections = Vec::new();
        for way in &ways {
            let line = line(way);
            if !(way.link.kind.is_on_foot() && grounds[way.from].ring.lead(line, way.to)) {
                connections.extend(connected(map, &grounds, way));
            }
        }
        let size = hulls.first().map_or([0.0; 3], |hull| hull.bounds.size());
        let [x, y, height] = size.map(f64::from);
        Self {
            polygons: polygons(&grounds),
            connections,
            agent: [
                height,
                x.min(y) / 2.0,
                f64::from(class.settings.step_height),
            ],
        }
    }
}

/// Returns the line of a link, from its right to its left end.
fn line(way: &Way) -> [DVec2; 2] {
    [way.link.right, way.link.left].map(DVec2::from)
}

/// Adds corners to floors where links begin and end, and where the floors that they lead to have corners.
fn add_corners(grounds: &mut [Ground], ways: &[Way]) {
    let on_edges = ways.iter().filter(|way| !way.link.kind.is_carried());
    for way in on_edges.clone() {
        for end in line(way) {
            grounds[way.from].ring.add(end);
        }
    }
    for way in on_edges {
        let corners = grounds[way.to].ring.corners.iter().map(|at| at.truncate());
        let on_line = corners.filter(|&corner| part(line(way), corner).is_some());
        for corner in on_line.collect::<Vec<_>>() {
            grounds[way.from].ring.add(corner);
        }
    }
}

/// Returns the connections for a link: one for each part of its line.
fn connected<D: AsRef<[u8]>>(map: &OnionMap<D>, grounds: &[Ground], way: &Way) -> Vec<Connection> {
    let [right, left] = line(way);
    let along = (left - right).normalize_or_zero();
    let out = -along.perp() * BESIDE_FLOOR;
    let across = match way.link.kind.is_on_foot() {
        true => out,
        false => DVec2::from(way.link.across),
    };
    let count = (right.distance(left) / APART).ceil().max(1.0);
    let parts = (0..count as usize).map(|number| (number as f64 + 0.5) / count);
    let connections = parts.map(|part| {
        let place = right.lerp(left, part);
        let ends = [(way.from, place - out), (way.to, place + across)];
        let ends = ends.map(|(ground, place)| {
            let Ground { number, feet, .. } = grounds[ground];
            let height = map
                .floor(number)
                .map_or(0.0, |floor| floor.height(place.to_array()));
            place.extend(height + feet)
        });
        Connection {
            ends,
            kind: way.link.kind,
            link: way.link.number,
        }
    });
    connections.collect()
}

/// Divides floors into polygons, and finds where their edges lead.
fn polygons(grounds: &[Ground]) -> Vec<Polygon> {
    let mut pieces = Vec::new();
    let mut ranges = Vec::new();
    for ground in grounds {
        let first = pieces.len();
        let own = divide(&ground.ring).into_iter();
        // Slivers with more corners have no room for a polygon.
        let own = own.filter(|piece| piece.corners.len() <= MOST);
        pieces.extend(own.map(|piece| (ground.rank, piece)));
        ranges.push(first..pieces.len());
    }
    let of = |floor: usize| ranges[floor].clone();
    let owners = grounds.iter().enumerate();
    let owners = owners.flat_map(|(floor, _)| of(floor).map(move |_| floor));
    let polygons = owners.zip(&pieces).map(|(floor, (rank, piece))| {
        let edges = (0..piece.corners.len()).map(|edge| match piece.leads[edge] {
            Lead::Nowhere => None,
            Lead::Inside => of(floor).find(|&other| joins(piece, edge, &pieces[other].1)),
            Lead::Floor(to) => nearest(piece, edge, of(to).map(|other| (other, &pieces[other].1))),
        });
        Polygon {
            neighbors: edges.collect(),
            corners: piece.corners.clone(),
            stance: *rank,
        }
    });
    polygons.collect()
}

/// Returns the corner with a number and the next one.
fn ends(piece: &FloorPiece, edge: usize) -> [DVec3; 2] {
    [edge, (edge + 1) % piece.corners.len()].map(|corner| piece.corners[corner])
}

/// Whether a piece has the same edge as another one, in the opposite direction.
fn joins(piece: &FloorPiece, edge: usize, other: &FloorPiece) -> bool {
    let [a, b] = ends(piece, edge);
    (0..other.corners.len()).any(|edge| ends(other, edge) == [b, a])
}

/// Returns the piece just beyond the middle of an edge; `None` if it was left out as a sliver.
fn nearest<'a>(
    piece: &FloorPiece,
    edge: usize,
    others: impl Iterator<Item = (usize, &'a FloorPiece)>,
) -> Option<usize> {
    let [a, b] = ends(piece, edge).map(|end| end.truncate());
    let out = -(b - a).perp().normalize_or_zero() * SAME_CORNER;
    let place = (a + b) / 2.0 + out;
    let others = others.map(|(number, other)| (number, distance(other, place)));
    let nearest = others.min_by(|one, other| one.1.total_cmp(&other.1))?;
    (nearest.1 <= 2.0 * SAME_CORNER).then_some(nearest.0)
}

/// Returns the distance of a place from a piece, as seen from above.
fn distance(piece: &FloorPiece, place: DVec2) -> f64 {
    let edges = (0..piece.corners.len()).map(|edge| ends(piece, edge).map(|end| end.truncate()));
    let is_inside = |[a, b]: [DVec2; 2]| (b - a).perp_dot(place - a) >= 0.0;
    if edges.clone().all(is_inside) {
        return 0.0;
    }
    let to_edge = |[a, b]: [DVec2; 2]| {
        let along = (place - a).dot(b - a) / (b - a).length_squared();
        place.distance(a.lerp(b, along.clamp(0.0, 1.0)))
    };
    edges.map(to_edge).fold(f64::INFINITY, f64::min)
}
