//! The bytes of a navigation mesh of Detour: the header of a set, that of its only tile, and the tile as
//! `dtNavMesh::addTile` reads it (`DetourNavMesh.h`, version 7, references of 32 bits): a header, corners, polygons,
//! room for links, triangles for heights, a tree of boxes, and off-mesh connections. Detour has y up: x, y, z becomes
//! x, z, -y. All numbers are little-endian.

use glam::DVec3;
use onion_geometry::Bounds;
use onion_runtime::navigation::LinkKind;
use thiserror::Error;

use super::mesh::{Mesh, Polygon};
use super::pieces::MOST;
use super::tree::{self, Item};
use crate::tolerance::BESIDE_FLOOR;

/// The beginning of a set of tiles, and its version.
const SET: [u32; 2] = [u32::from_be_bytes(*b"MSET"), 1];
/// The beginning of a tile, and its version.
const TILE: [u32; 2] = [u32::from_be_bytes(*b"DNAV"), 7];
/// The user id of our tiles, a number that Detour does not read, and its byte offset in the file.
const OURS: [u8; 4] = *b"onio";
const OURS_AT: usize = 12 + 28 + 8 + 5 * 4;
/// Numbers of polygons must stay below this, and those of corners below the square of 2^8.
const MOST_POLYGONS: usize = 1 << 15;
const MOST_CORNERS: usize = 1 << 16;
/// The type of polygons that stand for connections, above the bits of the area.
const CONNECTION: u8 = 1 << 6;
/// The most cells of a tile along an axis.
const MOST_CELLS: f64 = 65_000.0;

/// Why a map has no navigation mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum DetourError {
    /// The class has no floors.
    #[error("this class of agents has no floors")]
    NoFloors,
    /// A tile of Detour numbers polygons and corners with fewer bits than this map needs.
    #[error("{polygons} polygons with {corners} corners do not fit into a tile of Detour")]
    TooLarge {
        /// Number of polygons, with those of connections.
        polygons: usize,
        /// Number of corners.
        corners: usize,
    },
}

/// Whether bytes are a navigation mesh of Detour that onionc wrote.
pub fn is_detour(bytes: &[u8]) -> bool {
    bytes.starts_with(&SET[0].to_le_bytes()) && bytes.get(OURS_AT..OURS_AT + 4) == Some(&OURS)
}

/// Returns the bytes of a set with one tile.
pub(super) fn write(mesh: &Mesh) -> Result<Vec<u8>, DetourError> {
    let n_polygons = mesh.polygons.len() + mesh.connections.len();
    let n_corners = mesh.polygons.iter().map(|polygon| polygon.corners.len());
    let n_corners = n_corners.sum::<usize>() + 2 * mesh.connections.len();
    if mesh.polygons.is_empty() {
        return Err(DetourError::NoFloors);
    }
    if n_polygons >= MOST_POLYGONS || n_corners >= MOST_CORNERS {
        return Err(DetourError::TooLarge {
            polygons: n_polygons,
            corners: n_corners,
        });
    }
    let bounds = bounds(mesh);
    let tile = tile(mesh, bounds);
    let size = bounds.maxs - bounds.mins;
    let mut out = Bytes::default();
    out.numbers(&[SET[0], SET[1], 1]);
    out.place(bounds.mins);
    out.floats(&[size.x, size.z]);
    out.numbers(&[1, n_polygons as u32]);
    // The first tile of its place, with as many bits for polygons as their number needs.
    out.numbers(&[(n_polygons as u32).next_power_of_two(), tile.len() as u32]);
    out.0.extend(tile);
    Ok(out.0)
}

/// Returns the box around a mesh, in the axes of Detour.
fn bounds(mesh: &Mesh) -> Bounds {
    let corners = mesh
        .polygons
        .iter()
        .flat_map(|polygon| polygon.corners.iter().copied());
    let ends = mesh
        .connections
        .iter()
        .flat_map(|connection| connection.ends);
    Bounds::of(corners.chain(ends).map(turned)).widened(1.0)
}

/// Turns a position into the axes of Detour.
fn turned(DVec3 { x, y, z }: DVec3) -> DVec3 {
    DVec3::new(x, z, -y)
}

fn tile(mesh: &Mesh, bounds: Bounds) -> Vec<u8> {
    let cells = MOST_CELLS / (bounds.maxs - bounds.mins).max_element().max(MOST_CELLS);
    let nodes = tree::nodes(&mut items(mesh, bounds, cells));
    let mut out = Bytes::default();
    header(&mut out, mesh, bounds, nodes.len(), cells);
    for polygon in &mesh.polygons {
        let corners = polygon.corners.iter();
        corners.for_each(|&corner| out.place(turned(corner)));
    }
    for connection in &mesh.connections {
        connection
            .ends
            .iter()
            .for_each(|&end| out.place(turned(end)));
    }
    polygons(&mut out, mesh);
    // Links, which Detour makes when it loads the tile.
    out.0.resize(out.0.len() + 12 * n_links(mesh), 0);
    details(&mut out, mesh);
    for node in nodes {
        let box_ = node.mins.into_iter().chain(node.maxs);
        box_.for_each(|at| out.short(at));
        out.numbers(&[node.index as u32]);
    }
    for (number, connection) in mesh.connections.iter().enumerate() {
        connection
            .ends
            .iter()
            .for_each(|&end| out.place(turned(end)));
        out.floats(&[2.0 * BESIDE_FLOOR]);
        out.short((mesh.polygons.len() + number) as u16);
        // One-way, within this tile.
        out.0.extend([0, 0xFF]);
        out.numbers(&[connection.link]);
    }
    out.0
}

/// Returns the number of links that Detour makes, at least 1, because it takes one for granted: one for each edge that
/// leads somewhere, and three for each connection.
fn n_links(mesh: &Mesh) -> usize {
    let edges = mesh.polygons.iter().flat_map(|polygon| &polygon.neighbors);
    (edges.flatten().count() + 3 * mesh.connections.len()).max(1)
}

fn header(out: &mut Bytes, mesh: &Mesh, bounds: Bounds, n_nodes: usize, cells: f64) {
    let n_ground = mesh.polygons.len();
    let n_connections = mesh.connections.len();
    let corners = mesh.polygons.iter().map(|polygon| polygon.corners.len());
    let n_corners: usize = corners.clone().sum();
    let n_triangles: usize = corners.map(|n| n - 2).sum();
    out.numbers(&[TILE[0], TILE[1], 0, 0, 0]);
    out.0.extend(OURS);
    let counts = [
        n_ground + n_connections,
        n_corners + 2 * n_connections,
        n_links(mesh),
        n_ground,
        0,
        n_triangles,
        n_nodes,
        n_connections,
        n_ground,
    ];
    out.numbers(&counts.map(|count| count as u32));
    out.floats(&mesh.agent);
    out.place(bounds.mins);
    out.place(bounds.maxs);
    out.floats(&[cells]);
}

/// Returns the area of a kind: its number. Floors have that of [`LinkKind::Walk`], those of lower stances that of
/// [`LinkKind::Crouch`]. The flags have the bit with this number.
fn area(kind: LinkKind) -> u8 {
    kind as u8
}

/// Writes the polygons, and after them those that stand for connections.
fn polygons(out: &mut Bytes, mesh: &Mesh) {
    let mut first = 0;
    for Polygon {
        corners,
        neighbors,
        stance,
    } in &mesh.polygons
    {
        let n = corners.len();
        let numbers = (0..n).map(|corner| first + corner as u16);
        let leads = neighbors.iter();
        let leads = leads.map(|lead| lead.map_or(0, |polygon| polygon as u16 + 1));
        let kind = match stance {
            0 => LinkKind::Walk,
            _ => LinkKind::Crouch,
        };
        polygon(out, numbers, leads, area(kind), 0);
        first += n as u16;
    }
    for connection in &mesh.connections {
        polygon(
            out,
            [first, first + 1].into_iter(),
            std::iter::empty(),
            area(connection.kind),
            CONNECTION,
        );
        first += 2;
    }
}

fn polygon(
    out: &mut Bytes,
    corners: impl ExactSizeIterator<Item = u16>,
    leads: impl Iterator<Item = u16>,
    area: u8,
    kind: u8,
) {
    let n = corners.len() as u8;
    // No link yet.
    out.numbers(&[u32::MAX]);
    let padded = |list: &mut dyn Iterator<Item = u16>| -> [u16; MOST] {
        std::array::from_fn(|_| list.next().unwrap_or(0))
    };
    let (mut corners, mut leads) = (corners, leads);
    padded(&mut corners)
        .into_iter()
        .for_each(|at| out.short(at));
    padded(&mut leads)
        .into_iter()
        .for_each(|lead| out.short(lead));
    out.short(1 << area);
    out.0.extend([n, area | kind]);
}

/// Writes the triangles by which Detour finds heights: fans around the first corner of each polygon.
fn details(out: &mut Bytes, mesh: &Mesh) {
    let mut first = 0;
    let counts = mesh
        .polygons
        .iter()
        .map(|polygon| polygon.corners.len() as u8);
    for n in counts.clone() {
        out.numbers(&[0, first]);
        out.0.extend([0, n - 2, 0, 0]);
        first += u32::from(n - 2);
    }
    for n in counts {
        for corner in 2..n {
            // Two bits for each edge, the first of which is set if it is on the border.
            let [begins, ends] = [corner == 2, corner == n - 1].map(u8::from);
            out.0
                .extend([0, corner - 1, corner, begins | 1 << 2 | ends << 4]);
        }
    }
}

/// Returns the boxes of polygons in cells.
fn items(mesh: &Mesh, bounds: Bounds, cells: f64) -> Vec<Item> {
    let items = mesh.polygons.iter().zip(0..).map(|(polygon, number)| {
        let own = Bounds::of(polygon.corners.iter().map(|&corner| turned(corner)));
        let [mins, maxs] = [own.mins, own.maxs].map(|corner| (corner - bounds.mins) * cells);
        Item {
            mins: mins.floor().to_array().map(|at| at as u16),
            maxs: maxs.ceil().to_array().map(|at| at as u16),
            polygon: number,
        }
    });
    items.collect()
}

/// Bytes that grow.
#[derive(Default)]
struct Bytes(Vec<u8>);

impl Bytes {
    fn short(&mut self, number: u16) {
        self.0.extend(number.to_le_bytes());
    }

    fn numbers(&mut self, numbers: &[u32]) {
        self.0
            .extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    }

    fn floats(&mut self, numbers: &[f64]) {
        let floats = numbers.iter().map(|&number| number as f32);
        self.0.extend(floats.flat_map(f32::to_le_bytes));
    }

    fn place(&mut self, place: DVec3) {
        self.floats(&place.to_array());
    }
}
