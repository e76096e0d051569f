//! The cost of each brush: the number of nodes of all trees that the brush is charged for, which are those where it is
//! the first brush with a face in the node's plane. The hit data of a file gives it.

use std::collections::HashMap;

use onion_compiler::brush::BrushSource;
use onion_format::HitAt;
use onion_runtime::OnionMap;
use onion_runtime::inspect::Inspect;

use crate::walls::Wall;

/// The number of nodes of each brush.
#[derive(Clone, Debug)]
pub struct NodeCosts {
    /// Nodes by the model and the source of a brush; the pieces of a patch are counted together.
    by_source: HashMap<(usize, BrushSource), u32>,
    /// Nodes by the number of the brush in the file.
    pub nodes: Vec<u32>,
    /// The largest number of nodes of a brush.
    pub most: u32,
}

impl NodeCosts {
    /// Counts the nodes of all brushes, or returns `None` if the file has no hit data.
    pub fn of_file<D: AsRef<[u8]>>(map: &OnionMap<D>) -> Option<Self> {
        let file = map.inspect();
        let mut nodes = vec![0; file.brushes().count()];
        for hit in file.hits() {
            let brush = first_brush(file, HitAt(hit.hit));
            if let Some(count) = brush.and_then(|brush| nodes.get_mut(brush as usize)) {
                *count += 1;
            }
        }
        let most = nodes.iter().copied().max().unwrap_or(0);
        let mut by_source = HashMap::new();
        for (brush, nodes) in file.brushes().zip(&nodes) {
            let source = BrushSource::from(brush.source);
            *by_source.entry((brush.model, source)).or_insert(0) += nodes;
        }
        map.has_hit_data().then_some(Self {
            by_source,
            nodes,
            most,
        })
    }

    /// Returns the nodes that a wall's brush or patch is charged.
    pub fn of_wall(&self, wall: &Wall) -> u32 {
        let found = self.by_source.get(&(wall.model, wall.source));
        found.copied().unwrap_or(0)
    }

    /// Returns the relative cost of a brush, from 0 to 1: the square root of its share of the largest cost, because few
    /// brushes cost far more than the others.
    pub fn of(&self, brush: u32) -> f64 {
        let nodes = self.nodes.get(brush as usize).copied().unwrap_or(0);
        (f64::from(nodes) / f64::from(self.most.max(1))).sqrt()
    }
}

/// Returns the brush of the first hit that a node's choices lead to.
fn first_brush(file: Inspect<'_>, mut hit: HitAt) -> Option<u32> {
    // A choice has a higher number than the choices to which it leads.
    while hit.is_choice() {
        hit = HitAt(file.choice(hit.index())?.hits[0]);
    }
    let side = (!hit.is_nothing()).then(|| hit.index())?;
    file.brush_of_side(side).map(|(brush, _)| brush)
}
