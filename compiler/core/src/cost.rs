//! Stage 12, cost, charges the nodes and bytes of the trees to hulls and brushes, so that a table shows where to
//! simplify a map. It also checks a file against the limits of its compile.
//!
//! Each node is charged to one brush and one hull, those of its first [`Owner`]. If several brushes have faces in a
//! plane, only the first is charged; to learn what removing a brush really saves, remove it and compile.

use std::cmp::Reverse;
use std::fmt;

use onion_format::NodeRecord;
use onion_geometry::Bounds;
use onion_maps::wording::counted;
use onion_maps::{Map, MapModel};
use serde::Serialize;

use crate::brush::{BrushSource, ModelBrushes, SolidBrush};
use crate::bsp::{ModelTree, Tree};
use crate::error::CompileError;
use crate::hull::HullSpec;
use crate::id::Owner;

/// Bytes of the file for each node. Planes are not charged, because many nodes share one.
pub const NODE_BYTES: usize = NodeRecord::SIZE;

/// Maximum number of brushes that an error over a limit names.
const MAX_OFFENDERS: usize = 10;

/// The charges for the nodes of all trees. The nodes of `hulls` and `n_uncharged` add up to all nodes, and so do the
/// nodes of `brushes` and `n_uncharged`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Costs {
    /// The charge of each hull, in the order of hulls.
    pub hulls: Vec<HullCost>,
    /// Nodes that are not charged to any hull, because no face lies in their plane inside their cell.
    pub n_uncharged: usize,
    /// The charge of each brush and each patch, the most costly first, then by number, without those that cost
    /// nothing.
    pub brushes: Vec<BrushCost>,
}

/// The charge of a hull.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HullCost {
    /// Name of the hull.
    pub hull: String,
    /// Nodes for which it is the first hull with a face in the plane.
    pub n_nodes: usize,
    /// The number of these nodes in which another hull has a face as well.
    pub n_shared: usize,
    /// `n_nodes` times [`NODE_BYTES`].
    pub bytes: usize,
}

/// The charge of a brush, or of all pieces of a patch.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BrushCost {
    /// The brush or the patch.
    #[serde(flatten)]
    pub source: BrushSource,
    /// Number of its model.
    pub model: usize,
    /// The entity that shows the model, or `None` if the model is the world.
    pub entity: Option<u32>,
    /// Center of the box around the unexpanded brush, where the entity puts it, in units.
    pub center: [f32; 3],
    /// Nodes, over all hulls.
    pub n_nodes: usize,
    /// `n_nodes` times [`NODE_BYTES`].
    pub bytes: usize,
}

/// Charges the nodes of every model's trees.
pub fn charge(
    map: &Map,
    hulls: &[HullSpec],
    models: &[ModelBrushes],
    trees: &[ModelTree],
) -> Costs {
    let nothing = |hull: &HullSpec| HullCost {
        hull: hull.name.clone(),
        n_nodes: 0,
        n_shared: 0,
        bytes: 0,
    };
    let mut costs = Costs {
        hulls: hulls.iter().map(nothing).collect(),
        ..Costs::default()
    };
    for (model, brushes) in models.iter().enumerate() {
        let mut charged: Vec<_> = brushes.iter().map(|brush| (brush, 0)).collect();
        let mut charge = |owners: &[Owner]| match owners {
            [] => costs.n_uncharged += 1,
            [owner, ..] => {
                charged[owner.brush.index()].1 += 1;
                let shared = owners.iter().any(|other| other.hull != owner.hull);
                let cost = &mut costs.hulls[owner.hull.index()];
                cost.n_nodes += 1;
                cost.n_shared += usize::from(shared);
                cost.bytes += NODE_BYTES;
            }
        };
        let trees = trees.iter().filter(|tree| tree.model.index() == model);
        for node in trees.flat_map(|tree| tree.tree.nodes()) {
            if let Tree::Node { owners, .. } = node {
                charge(owners);
            }
        }
        // The pieces of a patch are adjacent.
        let sources = charged.chunk_by(|(one, _), (next, _)| one.source == next.source);
        let of_source = sources.map(|pieces| brush_cost(model, &map.models[model], pieces));
        let brushes = &mut costs.brushes;
        brushes.extend(of_source.filter(|cost| cost.n_nodes > 0));
    }
    let brushes = &mut costs.brushes;
    brushes.sort_by_key(|cost| (Reverse(cost.n_nodes), cost.source, cost.model));
    costs
}

/// Returns the cost of the pieces of one source, each given with its nodes.
fn brush_cost(number: usize, model: &MapModel, pieces: &[(&SolidBrush, usize)]) -> BrushCost {
    let bounds = pieces.iter().map(|(brush, _)| brush.cell.bounds());
    let Bounds { mins, maxs } = bounds.fold(Bounds::NONE, Bounds::union);
    let center = ((mins + maxs) / 2.0).as_vec3() + glam::Vec3::from(model.origin);
    let n_nodes = pieces.iter().map(|(_, nodes)| nodes).sum();
    BrushCost {
        source: pieces[0].0.source,
        model: number,
        entity: model.entity,
        center: center.to_array(),
        n_nodes,
        bytes: n_nodes * NODE_BYTES,
    }
}

impl Costs {
    /// Returns a line with the nodes of each hull, one with the nodes of patches, and one for each of the most costly
    /// brushes.
    pub fn summary(&self, n_brushes: usize) -> impl Iterator<Item = String> {
        let charged = self.hulls.iter().map(|cost| cost.n_nodes);
        let all = (self.n_uncharged + charged.sum::<usize>()).max(1);
        let hulls = self.hulls.iter().map(|HullCost { hull, n_nodes, .. }| {
            format!("{hull} {n_nodes} ({}%)", (100 * n_nodes + all / 2) / all)
        });
        let shared: usize = self.hulls.iter().map(|cost| cost.n_shared).sum();
        let by_hull = format!(
            "nodes by hull: {}, uncharged {}; {shared} of them shared by several hulls",
            hulls.collect::<Vec<_>>().join(", "),
            self.n_uncharged
        );
        let brushes = self.brushes.iter().take(n_brushes);
        let sums = std::iter::once(by_hull).chain(self.curves());
        sums.chain(brushes.map(BrushCost::to_string))
    }

    /// Returns a line with the nodes of patches, and advice if most nodes are theirs, or `None` if patches have no
    /// nodes.
    fn curves(&self) -> Option<String> {
        let is_patch = |cost: &&BrushCost| matches!(cost.source, BrushSource::Patch(_));
        let nodes = |cost: &BrushCost| cost.n_nodes;
        let curved: usize = self.brushes.iter().filter(is_patch).map(nodes).sum();
        let all = self.n_uncharged + self.brushes.iter().map(nodes).sum::<usize>();
        let advice = if 2 * curved > all {
            "; --patch-error 16 made trees of such maps 0.6 to 0.9 times as large"
        } else {
            ""
        };
        (curved > 0).then(|| format!("nodes of curved patches: {curved} of {all}{advice}"))
    }

    /// Returns the lines of an error, each after a line break.
    pub fn offenders(&self) -> String {
        let lines = self.summary(MAX_OFFENDERS);
        lines.map(|line| format!("\n  {line}")).collect()
    }
}

impl fmt::Display for BrushCost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.source)?;
        if self.model > 0 {
            write!(f, " of model {}", self.model)?;
            if let Some(entity) = self.entity {
                write!(f, " (entity {entity})")?;
            }
        }
        let nodes = counted(self.n_nodes, "node", "nodes");
        // Adding zero turns minus zero into zero.
        let [x, y, z] = self.center.map(|at| at.round() + 0.0);
        write!(f, " at ({x} {y} {z}) added {nodes}")
    }
}

/// The limits on the size of a compile's result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The most nodes of all trees, or `None` if there is no limit.
    pub max_nodes: Option<usize>,
    /// The most bytes of the file, or `None` if there is no limit.
    pub max_bytes: Option<usize>,
}

impl Limits {
    /// Checks the size of a file against the limits.
    ///
    /// # Errors
    /// It is larger.
    pub fn check(self, n_nodes: usize, n_bytes: usize, costs: &Costs) -> Result<(), CompileError> {
        let all = [
            ("nodes", n_nodes, self.max_nodes),
            ("bytes", n_bytes, self.max_bytes),
        ];
        for (what, found, limit) in all {
            if let Some(limit) = limit.filter(|&limit| found > limit) {
                return Err(CompileError::OverLimit {
                    what,
                    found,
                    limit,
                    offenders: costs.offenders(),
                });
            }
        }
        Ok(())
    }
}
