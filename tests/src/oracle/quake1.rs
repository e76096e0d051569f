//! Reads the collision part of a Quake map: version 29 or 30, or BSP2.
//!
//! In: the bytes of a `.bsp` file. Out: a [`QuakeFile`], which returns the contents that its own trees have at a
//! point, for hull 0 and the hulls that its compiler expanded, and gives [`OracleModel`]s: the brushes of
//! `BRUSHLIST`, or else the leaves of hull 0, each as the planes on the way to it. Method: points walk down the trees
//! in f64, and report their least distance from a plane.

use super::convex::{Plane, box_planes};
use super::ibsp::{OracleBrush, OracleModel, int, lump_at, plane, record, vector};
use super::vec3::{V3, dot};

/// A node's child or a tree's root.
type Child = i32;

/// The leaf or contents at a point, and the distance of the nearest plane on the way, in units.
pub type Found = (i32, f64);

/// Distance that the solid outside of a map reaches beyond its models' boxes, in units.
const MARGIN: f64 = 256.0;

/// A Quake map.
pub struct QuakeFile<'a> {
    bytes: &'a [u8],
    planes: Vec<Plane>,
    nodes: Vec<(usize, [Child; 2])>,
    clip_nodes: Vec<(usize, [Child; 2])>,
    contents: Vec<i32>,
    models: Vec<&'a [u8]>,
}

impl<'a> QuakeFile<'a> {
    /// Reads a file.
    pub fn new(bytes: &'a [u8]) -> Result<Self, String> {
        // Record sizes in bytes of a node, a leaf and a clip node, and the size of a child.
        let [node, leaf, clip, child] = match bytes.get(..4) {
            Some([29 | 30, 0, 0, 0]) => [24, 28, 8, 2],
            Some(b"BSP2") => [44, 44, 12, 4],
            _ => return Err("no Quake map".into()),
        };
        let lump = |number: usize, size| lump_at(bytes, 4 + 8 * number, size);
        let read = |number, size| -> Result<Vec<_>, String> {
            let nodes = lump(number, size)?;
            nodes
                .into_iter()
                .map(|node| {
                    let plane = usize::try_from(int(node, 0)?).map_err(|_| "a bad plane")?;
                    Ok((
                        plane,
                        [child_at(node, 4, child)?, child_at(node, 4 + child, child)?],
                    ))
                })
                .collect()
        };
        Ok(Self {
            bytes,
            planes: lump(1, 20)?
                .into_iter()
                .map(|record| plane(record, 0))
                .collect::<Result<_, _>>()?,
            nodes: read(5, node)?,
            clip_nodes: read(9, clip)?,
            contents: lump(10, leaf)?
                .into_iter()
                .map(|leaf| int(leaf, 0))
                .collect::<Result<_, _>>()?,
            models: lump(14, 64)?,
        })
    }

    /// Returns the number of models.
    pub fn n_models(&self) -> usize {
        self.models.len()
    }

    /// Returns the box of a model, in units.
    pub fn bounds(&self, model: usize) -> [V3; 2] {
        [0, 12].map(|at| vector(self.models[model], at).unwrap())
    }

    /// Returns the contents of a model at a point, from its tree for points.
    pub fn hull0(&self, model: usize, point: V3) -> Found {
        let root = int(self.models[model], 36).unwrap();
        let (leaf, nearest) = self.walk(&self.nodes, root, point);
        (self.contents[(-1 - leaf) as usize], nearest)
    }

    /// Returns the contents of a model at a point, from its tree for a hull from 1 on.
    pub fn hull(&self, model: usize, hull: usize, point: V3) -> Found {
        let root = int(self.models[model], 36 + 4 * hull).unwrap();
        self.walk(&self.clip_nodes, root, point)
    }

    fn walk(&self, nodes: &[(usize, [Child; 2])], root: Child, point: V3) -> Found {
        let mut at = root;
        let mut nearest = f64::INFINITY;
        while let Ok(node) = usize::try_from(at) {
            let (plane, children) = nodes[node];
            let (normal, dist) = self.planes[plane];
            let ahead = dot(normal, point) - dist;
            nearest = nearest.min(ahead.abs());
            at = children[usize::from(ahead < 0.0)];
        }
        (at, nearest)
    }

    /// Returns the brushes of all models.
    pub fn models(&self) -> Result<Vec<OracleModel>, String> {
        let mut models = match self.brush_list()? {
            Some(list) => listed(list, self.n_models())?,
            None => (0..self.n_models())
                .map(|model| self.leaves(model))
                .collect(),
        };
        for model in &mut models {
            model.brushes.retain(|brush| brush.contents != 0);
        }
        Ok(models)
    }

    /// Returns the lump `BRUSHLIST`, found by the last `BSPX` in the file.
    fn brush_list(&self) -> Result<Option<&'a [u8]>, String> {
        let Some(start) = self.bytes.windows(4).rposition(|four| four == b"BSPX") else {
            return Ok(None);
        };
        let entries =
            (0..int(self.bytes, start + 4)?).map(|number| start + 8 + 32 * number as usize);
        for at in entries {
            if self.bytes[at..].starts_with(b"BRUSHLIST\0") {
                return Ok(Some(lump_at(self.bytes, at + 24, 1).map(|bytes| {
                    let start = int(self.bytes, at + 24).unwrap() as usize;
                    &self.bytes[start..start + bytes.len()]
                })?));
            }
        }
        Ok(None)
    }

    /// Returns the leaves of a model, each as the planes on the way to it, in a box.
    fn leaves(&self, model: usize) -> OracleModel {
        let (mut low, mut high) = ([0.0_f64; 3], [0.0_f64; 3]);
        for model in 0..self.n_models() {
            let [mins, maxs] = self.bounds(model);
            for axis in 0..3 {
                low[axis] = low[axis].min(mins[axis].floor());
                high[axis] = high[axis].max(maxs[axis].ceil());
            }
        }
        let around = box_planes(low.map(|at| at - MARGIN), high.map(|at| at + MARGIN));
        let mut brushes = Vec::new();
        let root = int(self.models[model], 36).unwrap();
        let mut open: Vec<(Child, Vec<Plane>)> = vec![(root, around)];
        while let Some((at, way)) = open.pop() {
            let Ok(node) = usize::try_from(at) else {
                let contents = contents(self.contents[(-1 - at) as usize]);
                brushes.push(OracleBrush::plain(brushes.len(), contents, way));
                continue;
            };
            let (plane, [front, back]) = self.nodes[node];
            let (normal, dist) = self.planes[plane];
            open.push((front, [&way[..], &[(normal.map(|n| -n), -dist)]].concat()));
            open.push((back, [&way[..], &[(normal, dist)]].concat()));
        }
        OracleModel { brushes }
    }
}

/// Reads the models of the lump `BRUSHLIST`.
fn listed(list: &[u8], n_models: usize) -> Result<Vec<OracleModel>, String> {
    let mut models = vec![OracleModel::default(); n_models];
    let (mut at, mut number) = (0, 0);
    while at < list.len() {
        let [model, count] = [int(list, at + 4)?, int(list, at + 8)?];
        let model = models.get_mut(model as usize).ok_or("no such model")?;
        at += 16;
        for _ in 0..count {
            let mut planes = box_planes(vector(list, at)?, vector(list, at + 12)?);
            let kind = child_at(list, at + 24, 2)?;
            let n_planes = child_at(list, at + 26, 2)?;
            at += 28;
            for _ in 0..n_planes {
                planes.push(plane(list, at)?);
                at += 16;
            }
            let brush = OracleBrush::plain(number, contents(kind), planes);
            model.brushes.push(brush);
            number += 1;
        }
    }
    Ok(models)
}

/// Reads a child of two or four bytes.
fn child_at(node: &[u8], at: usize, size: usize) -> Result<Child, String> {
    if size == 4 {
        return int(node, at);
    }
    let bytes = record(&[node], 0, "node")?
        .get(at..at + 2)
        .ok_or("a short node")?;
    Ok(i32::from(i16::from_le_bytes([bytes[0], bytes[1]])))
}

/// Returns contents that stop everything (-2), or agents alone: the sky and clips.
fn contents(kind: i32) -> u32 {
    match kind {
        -2 => 1,
        -6 | -8 => 0x1_0000,
        _ => 0,
    }
}
