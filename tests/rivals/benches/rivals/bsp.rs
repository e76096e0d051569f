//! The BSP tree in a Quake III map (IBSP 46): bytes in, nodes with their planes and the brush lists of the leaves
//! out.

use onion_tests::samples;

use crate::tree::Node;

/// The tree; a negative child is leaf `-1 - child`.
pub struct MapTree {
    /// The nodes; the root is the first.
    pub nodes: Vec<Node>,
    /// For each leaf, the numbers of its brushes in the file.
    pub leaves: Vec<Vec<usize>>,
}

impl MapTree {
    /// Reads the tree of the world.
    pub fn read(file: &[u8]) -> Result<Self, String> {
        let file = samples::read(file)?;
        let node = |&[plane, front, back]: &[i32; 3]| {
            let (normal, dist) = *file.planes.get(plane as usize)?;
            Some(Node {
                children: [front, back],
                ..Node::new(normal.map(f64::from), f64::from(dist))
            })
        };
        let leaf = |&[_, _, first, count]: &[i32; 4]| {
            let lists = file.leaf_brushes.get(first as usize..)?;
            let list = lists.get(..count as usize)?.iter();
            Some(list.map(|&brush| brush as usize).collect())
        };
        let nodes: Option<Vec<_>> = file.nodes.iter().map(node).collect();
        let leaves: Option<Vec<_>> = file.leafs.iter().map(leaf).collect();
        match (nodes, leaves) {
            (Some(nodes), Some(leaves)) if !nodes.is_empty() => Ok(Self { nodes, leaves }),
            _ => Err("its BSP tree is damaged".to_owned()),
        }
    }

    /// Returns the leaves that the hull of some points may touch.
    pub fn leaves_of(&self, corners: &[[f64; 3]]) -> Vec<usize> {
        let mut found = Vec::new();
        let mut children = vec![0];
        while let Some(child) = children.pop() {
            if child < 0 {
                found.push((-1 - child) as usize);
                continue;
            }
            let node = &self.nodes[child as usize];
            let normal = node.normal.map(f64::from);
            let ahead = |corner: &[f64; 3]| {
                let along = (0..3).map(|axis| normal[axis] * corner[axis]);
                along.sum::<f64>() - f64::from(node.dist)
            };
            let front = corners.iter().any(|corner| ahead(corner) >= 0.0);
            let back = corners.iter().any(|corner| ahead(corner) <= 0.0);
            children.extend(front.then_some(node.children[0]));
            children.extend(back.then_some(node.children[1]));
        }
        found
    }
}
