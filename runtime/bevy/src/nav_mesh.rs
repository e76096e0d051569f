//! The floors of a class of agents for the path crates of Bevy, such as `bevy_landmass`: a mesh of triangles with
//! corners in common, and the links that no edge represents.

use bevy_asset::RenderAssetUsages;
use bevy_math::Vec3;
use bevy_mesh::{Indices, Mesh, PrimitiveTopology};
use onion_runtime::navigation::{AgentClass, LinkKind};
use onion_views::export::{Risers, nav_mesh};

use crate::level::OnionLevel;
use crate::space::MapSpace;

/// The floors and links of a class of agents, in Bevy's axes and meters.
#[derive(Clone, Debug)]
pub struct LevelNavMesh {
    /// The floors where feet are: triangles, counterclockwise as seen from above. Agents walk over each edge that two
    /// of them have in common; where there is a step, narrow triangles lead up it.
    pub mesh: Mesh,
    /// The ways that no edge represents.
    pub links: Vec<LevelNavLink>,
}

/// A way from one place to another, one-way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LevelNavLink {
    /// Where it begins.
    pub start: Vec3,
    /// Where it ends.
    pub end: Vec3,
    /// How agents take it.
    pub kind: LinkKind,
}

impl LevelNavMesh {
    /// Makes the mesh of a class of agents, such as `level.map().find_agent("stand")`. Without floors, as in a level
    /// that was compiled without `--floors`, it is empty.
    pub fn new(level: &OnionLevel, class: &AgentClass, space: MapSpace) -> Self {
        let floors = nav_mesh(level.map(), class, Risers::Leaning);
        let corners = floors.corners.iter().map(|&corner| space.to_bevy(corner));
        let triangles = floors.triangles().into_flattened();
        let links = floors.links.iter().map(|link| {
            let [start, end] = link.ends.map(|end| space.to_bevy(end));
            LevelNavLink {
                start,
                end,
                kind: link.kind,
            }
        });
        Self {
            links: links.collect(),
            mesh: Mesh::new(
                PrimitiveTopology::TriangleList,
                RenderAssetUsages::default(),
            )
            .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, corners.collect::<Vec<_>>())
            .with_inserted_indices(Indices::U32(triangles)),
        }
    }
}
