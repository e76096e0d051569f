//! Exports the floors and links of a class of agents as a navigation mesh of Detour, the library of path search
//! beside Recast: one tile with convex polygons of at most six corners. In: a file with links, and a class. Out: the
//! bytes of a set of tiles, as Recast's own demo and `importNavMesh` of `recast-navigation` read them.
//!
//! An agent walks over an edge to a polygon that the edge names. Where it drops or jumps, or changes its stance in the
//! middle of a floor, the mesh has off-mesh connections, one-way. Areas and flags tell the kinds apart.

mod grounds;
pub(super) mod mesh;
mod pieces;
mod ring;
mod tile;
mod tree;

use onion_runtime::OnionMap;
use onion_runtime::navigation::AgentClass;

pub use tile::{DetourError, is_detour};

/// A navigation mesh in the form of Detour.
#[derive(Clone, Debug)]
pub struct DetourMesh {
    /// The bytes of the file.
    pub bytes: Vec<u8>,
    /// Number of polygons that agents stand on.
    pub n_polygons: usize,
    /// Number of off-mesh connections.
    pub n_connections: usize,
}

/// Makes the navigation mesh of a class of agents.
///
/// # Errors
/// See [`DetourError`].
pub fn detour<D: AsRef<[u8]>>(
    map: &OnionMap<D>,
    class: &AgentClass,
) -> Result<DetourMesh, DetourError> {
    let mesh = mesh::Mesh::new(map, class);
    Ok(DetourMesh {
        bytes: tile::write(&mesh)?,
        n_polygons: mesh.polygons.len(),
        n_connections: mesh.connections.len(),
    })
}
