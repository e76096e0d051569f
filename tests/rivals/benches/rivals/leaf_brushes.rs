//! `leaf brushes`: Quake III's trace (1999): the segment goes down the map's own BSP tree, a plane is as thick as the
//! box's support, and in every leaf it is clipped against the brushes of the leaf's list, each once a trace. Any box
//! in, the nearest brush out; one structure serves all boxes that the same contents block. As in the engine, leaves
//! that start behind the nearest hit are skipped, and a brush must meet the segment's bounds. Better than in the
//! engine: true supports of planes that are not axial, exact bevels, brushes in blocks of planes, and no clip
//! epsilon, so that answers can be compared. Patches are the compiler's pieces, in the leaves that they touch.

use std::collections::HashMap;

use onion_compiler::brush::BrushSource;

use crate::bsp::MapTree;
use crate::rival::{Answer, Rival, Segment, Visits};
use crate::slabs::{Place, Slabs, Swept};
use crate::solids::Solids;
use crate::tree::Node;

/// Number of offsets that give the start and the end of a leaf's list.
const LIST_ENDS: usize = 2;
/// Number of values read for each entry of a list: the brush, and the last trace that visited it.
const LISTED: usize = 2;

/// The rival.
pub struct LeafBrushes {
    nodes: Vec<Node>,
    /// For each leaf, the start of its list; one more at the end.
    lists: Vec<u32>,
    brushes: Vec<u32>,
    slabs: Slabs,
    /// For each brush, the last trace that visited it.
    checked: Vec<u32>,
    check: u32,
    center: [f32; 3],
    half: [f32; 3],
    /// The stack, always empty between traces.
    stack: Vec<Part>,
}

/// A part of the segment in a child of a node.
#[derive(Clone, Copy)]
struct Part {
    child: i32,
    from: f32,
    to: f32,
}

impl LeafBrushes {
    /// Takes the tree of the map and the brushes that block the hull.
    pub fn new(tree: MapTree, solids: &Solids) -> Self {
        let mut leaves: Vec<Vec<u32>> = vec![Vec::new(); tree.leaves.len()];
        let mut slabs = Slabs::default();
        let [center, half] = solids.center_and_half();
        let mut brushes = HashMap::new();
        for (number, solid) in (0..).zip(&solids.solids) {
            let shrunk = |corner: [f64; 3], sign: f64| {
                std::array::from_fn(|axis| {
                    corner[axis] + f64::from(center[axis]) + sign * f64::from(half[axis])
                })
            };
            let (mins, maxs) = (shrunk(solid.mins, 1.0), shrunk(solid.maxs, -1.0));
            slabs.push(mins, maxs, &solid.unexpanded);
            match solid.source {
                BrushSource::Brush(in_file) => _ = brushes.insert(in_file, number),
                BrushSource::Patch(_) => {
                    for leaf in tree.leaves_of(&solid.corners) {
                        leaves[leaf].push(number);
                    }
                }
            }
        }
        for (leaf, in_file) in leaves.iter_mut().zip(&tree.leaves) {
            let own = in_file.iter().filter_map(|brush| brushes.get(brush));
            leaf.splice(0..0, own.copied());
        }
        let mut lists = vec![0];
        for leaf in &leaves {
            lists.push(lists[lists.len() - 1] + leaf.len() as u32);
        }
        Self {
            nodes: tree.nodes,
            lists,
            brushes: leaves.concat(),
            checked: vec![0; solids.solids.len()],
            check: 0,
            slabs,
            center,
            half,
            stack: Vec::with_capacity(256),
        }
    }

    /// Returns the distance that the box reaches in front of a node's plane, in units.
    #[inline(always)]
    fn reach(&self, node: &Node) -> f32 {
        match self.half.get(node.axis as usize) {
            Some(half) => *half,
            None => {
                let reach = |axis: usize| node.normal[axis].abs() * self.half[axis];
                reach(0) + reach(1) + reach(2)
            }
        }
    }

    /// Starts a new trace, which has not visited any brush.
    #[inline(always)]
    fn next_check(&mut self) {
        self.check = self.check.wrapping_add(1);
        if self.check == 0 {
            self.checked.fill(0);
            self.check = 1;
        }
    }

    #[inline(always)]
    fn list(&self, child: i32) -> std::ops::Range<usize> {
        let leaf = (-1 - child) as usize;
        self.lists[leaf] as usize..self.lists[leaf + 1] as usize
    }

    /// Divides a part of the segment by a node's plane; returns the nearer side and pushes the other one.
    #[inline(always)]
    fn divide(&mut self, part: Part, [start, end]: &Segment) -> Part {
        let node = &self.nodes[part.child as usize];
        let [d_start, d_end] = node.distances(start, end);
        let slope = d_end - d_start;
        let (d_from, d_to) = (d_start + slope * part.from, d_start + slope * part.to);
        let reach = self.reach(node);
        let mut near = part;
        if d_from >= reach && d_to >= reach {
            near.child = node.children[0];
            return near;
        }
        if d_from < -reach && d_to < -reach {
            near.child = node.children[1];
            return near;
        }
        let side = usize::from(slope > 0.0);
        let mut far = part;
        near.child = node.children[side];
        far.child = node.children[1 - side];
        if slope != 0.0 {
            let outward = if side == 0 { reach } else { -reach };
            near.to = part.to.min((-outward - d_start) / slope);
            far.from = part.from.max((outward - d_start) / slope);
        }
        if near.from > near.to {
            return far;
        }
        if far.from <= far.to {
            self.stack.push(far);
        }
        near
    }
}

impl Rival for LeafBrushes {
    const NAME: &'static str = "leaf brushes";
    const COUNTED: [bool; 2] = [true, true];

    #[inline(always)]
    fn trace<const COUNT: bool>(&mut self, segment: &Segment, visits: &mut Visits) -> Answer {
        let swept = Swept::of_box(segment, self.center, self.half);
        let centered =
            segment.map(|point| std::array::from_fn(|axis| point[axis] + self.center[axis]));
        let (mut best, mut hit) = (swept.ray.tmax, None);
        let to_fraction = 1.0 / best.max(f32::MIN_POSITIVE);
        self.next_check();
        self.stack.clear();
        let mut part = Part {
            child: 0,
            from: 0.0,
            to: 1.0,
        };
        loop {
            while part.child >= 0 {
                visits.node::<COUNT, Node>();
                part = self.divide(part, &centered);
            }
            visits.read::<COUNT, u32>(LIST_ENDS);
            for at in self.list(part.child) {
                visits.read::<COUNT, u32>(LISTED);
                let brush = self.brushes[at] as usize;
                if self.checked[brush] == self.check {
                    continue;
                }
                self.checked[brush] = self.check;
                visits.brush::<COUNT>();
                if let Some(time) = (self.slabs).clip::<true, COUNT>(brush, &swept, best, visits) {
                    if time < 0.0 {
                        return Answer::STUCK;
                    }
                    (best, hit) = (time, Some((brush, time)));
                }
            }
            part = loop {
                let Some(next) = self.stack.pop() else {
                    return swept.answer::<true, COUNT>(hit, &self.slabs, visits);
                };
                if next.from < best * to_fraction {
                    break next;
                }
            };
        }
    }

    #[inline(always)]
    fn is_solid<const COUNT: bool>(&mut self, point: [f32; 3], visits: &mut Visits) -> bool {
        let place = Place::new(point, self.center, self.half);
        let center: [f32; 3] = place.center.into();
        self.next_check();
        self.stack.clear();
        let mut child = 0;
        loop {
            while child >= 0 {
                visits.node::<COUNT, Node>();
                let node = &self.nodes[child as usize];
                let (distance, reach) = (node.distance(&center), self.reach(node));
                if distance.abs() < reach {
                    let (from, to) = (0.0, 0.0);
                    let child = node.children[1];
                    self.stack.push(Part { child, from, to });
                }
                child = node.children[usize::from(distance < 0.0 && distance <= -reach)];
            }
            visits.read::<COUNT, u32>(LIST_ENDS);
            for at in self.list(child) {
                visits.read::<COUNT, u32>(LISTED);
                let brush = self.brushes[at] as usize;
                if self.checked[brush] == self.check {
                    continue;
                }
                self.checked[brush] = self.check;
                visits.brush::<COUNT>();
                if self.slabs.holds::<true, COUNT>(brush, &place, visits) {
                    return true;
                }
            }
            match self.stack.pop() {
                Some(next) => child = next.child,
                None => return false,
            }
        }
    }

    fn bytes(&self) -> usize {
        size_of_val(&*self.nodes)
            + size_of_val(&*self.lists)
            + size_of_val(&*self.brushes)
            + size_of_val(&*self.checked)
            + self.slabs.bytes()
    }
}
