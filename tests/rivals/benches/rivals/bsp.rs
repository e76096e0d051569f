//! The BSP tree in a Quake III map (IBSP 46): bytes in, nodes with their planes and the brush lists of the leaves
//! out. Follows the layout of id's `qfiles.h`.

use crate::tree::Node;

/// A lump: its index in the directory, and the size of a record in bytes.
struct Lump(usize, usize);

const PLANES: Lump = Lump(2, 16);
const NODES: Lump = Lump(3, 36);
const LEAVES: Lump = Lump(4, 48);
const LEAF_BRUSHES: Lump = Lump(6, 4);

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
        let planes = records(file, PLANES)?;
        let node = |record: &[u8]| {
            let plane = planes.get(number(record, 0)? as usize)?;
            let float = |at| Some(f64::from(f32::from_bits(number(plane, at)? as u32)));
            let normal = [float(0)?, float(4)?, float(8)?];
            let children = [number(record, 4)?, number(record, 8)?];
            Some(Node {
                children,
                ..Node::new(normal, float(12)?)
            })
        };
        let lists = records(file, LEAF_BRUSHES)?;
        let leaf = |record: &[u8]| {
            let (first, count) = (number(record, 40)? as usize, number(record, 44)? as usize);
            let list = lists.get(first..first + count)?.iter();
            list.map(|brush| Some(number(brush, 0)? as usize)).collect()
        };
        let nodes: Option<Vec<_>> = records(file, NODES)?.into_iter().map(node).collect();
        let leaves: Option<Vec<_>> = records(file, LEAVES)?.into_iter().map(leaf).collect();
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

fn records(file: &[u8], Lump(index, size): Lump) -> Result<Vec<&[u8]>, String> {
    let entry = |at| number(file, 8 + 8 * index + at);
    let lump = entry(0).zip(entry(4)).and_then(|(start, length)| {
        let start = start as usize;
        file.get(start..start.checked_add(length as usize)?)
    });
    let lump = lump.ok_or_else(|| format!("lump {index} lies outside of the file"))?;
    Ok(lump.chunks_exact(size).collect())
}

fn number(record: &[u8], at: usize) -> Option<i32> {
    Some(i32::from_le_bytes(*record.get(at..)?.first_chunk()?))
}
