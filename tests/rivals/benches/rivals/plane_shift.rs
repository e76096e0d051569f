//! `plane shift`: Melax, "Dynamic Plane Shifting BSP Traversal" (Graphics Interface 2000). One tree of the brushes as
//! they are; while a box is traced, every plane is moved by the box's support, outward of both its sides, so a
//! segment near a plane goes down both. A box in, the first solid leaf out: a leaf is as large as its moved planes
//! make it, so the tree gets bevels ([`crate::bevel_tree`]), except for small ones. Supports of planes are computed
//! once for each hull.

use onion_runtime::{HullId, OnionMap};

use crate::bevel_tree::Beveler;
use crate::rival::{Answer, Rival, Segment, Visits};
use crate::solids::Solids;
use crate::tree::{EMPTY, Node, SOLID, Tree};

/// The rival.
pub struct PlaneShift {
    tree: Tree,
    /// The distance that each node's plane moves, in units.
    supports: Vec<f32>,
    center: [f32; 3],
    /// The stack, always empty between traces.
    stack: Vec<Waiting>,
}

/// A part of the segment that waits for its turn.
#[derive(Clone, Copy)]
struct Waiting {
    child: i32,
    from: f32,
    to: f32,
    entered: Entered,
}

/// The plane through which a part of the segment starts, as a node and the side of it; a special value at the start.
#[derive(Clone, Copy)]
struct Entered {
    node: u32,
    side: usize,
}

impl Entered {
    const START: Self = Self {
        node: u32::MAX,
        side: 0,
    };
}

impl PlaneShift {
    /// Takes the tree of the only hull of a file, a point; `solids` defines the box.
    pub fn new(file: &OnionMap<Vec<u8>>, point: HullId, solids: &Solids) -> Self {
        let tree = Beveler::new(file, point, &solids.hull).tree();
        let [center, half] = solids.center_and_half();
        let support = |normal: &[f32; 3]| {
            let reach = normal.iter().zip(half);
            reach.map(|(component, half)| component.abs() * half).sum()
        };
        Self {
            supports: tree
                .nodes
                .iter()
                .map(|node| support(&node.normal))
                .collect(),
            tree,
            center,
            stack: Vec::with_capacity(256),
        }
    }

    /// Divides a part of the segment by a node's plane, moved both ways; returns the nearer side, and pushes the
    /// other one if it is nearer than the best hit.
    #[inline(always)]
    fn divide(&mut self, at: Waiting, [start, end]: &Segment, best: f32) -> Waiting {
        let node = &self.tree.nodes[at.child as usize];
        let reach = self.supports[at.child as usize];
        let [d_start, d_end] = node.distances(start, end);
        let slope = d_end - d_start;
        let (d_from, d_to) = (d_start + slope * at.from, d_start + slope * at.to);
        let (mut first, mut second) = (at, at);
        if d_from >= reach && d_to >= reach {
            first.child = node.children[0];
            return first;
        }
        if d_from <= -reach && d_to <= -reach {
            first.child = node.children[1];
            return first;
        }
        // The nearer side is the one that the motion comes from.
        let near = usize::from(slope > 0.0);
        let outward = if near == 0 { reach } else { -reach };
        first.child = node.children[near];
        second.child = node.children[1 - near];
        if slope != 0.0 {
            let enters = (outward - d_start) / slope;
            if enters > at.from {
                second.from = enters;
                second.entered = Entered {
                    node: at.child as u32,
                    side: 1 - near,
                };
            }
            first.to = first.to.min((-outward - d_start) / slope);
        }
        if first.from >= first.to && slope != 0.0 {
            return second;
        }
        if second.child != EMPTY && second.from < second.to && second.from < best {
            self.stack.push(second);
        }
        first
    }

    #[inline(always)]
    fn answer(&self, [start, end]: &Segment, fraction: f32, entered: Entered) -> Answer {
        if entered.node == u32::MAX {
            return Answer::STUCK;
        }
        let node = &self.tree.nodes[entered.node as usize];
        let [d_start, d_end] = node.distances(start, end);
        let turn = if entered.side == 0 { -1.0 } else { 1.0 };
        let normal = node.normal.map(|component| component * turn);
        Answer::hit(fraction, normal, (d_start - d_end).abs())
    }
}

impl Rival for PlaneShift {
    const NAME: &'static str = "plane shift";
    const TOLERANCE: f32 = 0.25;
    const COUNTED: [bool; 2] = [true, false];
    const APPROXIMATE: Option<&'static str> =
        Some("bevels that take away less than 0.25 units are left out");

    #[inline(always)]
    fn trace<const COUNT: bool>(&mut self, segment: &Segment, visits: &mut Visits) -> Answer {
        let segment =
            segment.map(|point| std::array::from_fn(|axis| point[axis] + self.center[axis]));
        let mut best = (2.0, Entered::START);
        let mut at = Waiting {
            child: self.tree.root,
            from: 0.0,
            to: 1.0,
            entered: Entered::START,
        };
        self.stack.clear();
        loop {
            while at.child >= 0 {
                visits.node::<COUNT, Node>();
                visits.read::<COUNT, f32>(1);
                at = self.divide(at, &segment, best.0);
            }
            if at.child == SOLID && at.from < best.0 && (at.from < at.to) {
                best = (at.from, at.entered);
                if at.entered.node == u32::MAX {
                    return Answer::STUCK;
                }
            }
            loop {
                let Some(next) = self.stack.pop() else {
                    if best.0 > 1.0 {
                        return Answer::MISS;
                    }
                    visits.read::<COUNT, Node>(1);
                    return self.answer(&segment, best.0, best.1);
                };
                at = next;
                if at.from < best.0 {
                    break;
                }
            }
        }
    }

    #[inline(always)]
    fn is_solid<const COUNT: bool>(&mut self, point: [f32; 3], visits: &mut Visits) -> bool {
        let point = std::array::from_fn(|axis| point[axis] + self.center[axis]);
        let mut child = self.tree.root;
        let mut others = std::mem::take(&mut self.stack);
        others.clear();
        let solid = loop {
            while child >= 0 {
                visits.node::<COUNT, Node>();
                visits.read::<COUNT, f32>(1);
                let node = &self.tree.nodes[child as usize];
                let reach = self.supports[child as usize];
                let distance = node.distance(&point);
                if distance >= reach {
                    child = node.children[0];
                } else if distance <= -reach {
                    child = node.children[1];
                } else {
                    others.push(Waiting {
                        child: node.children[1],
                        from: 0.0,
                        to: 1.0,
                        entered: Entered::START,
                    });
                    child = node.children[0];
                }
            }
            if child == SOLID {
                break true;
            }
            match others.pop() {
                Some(next) => child = next.child,
                None => break false,
            }
        };
        self.stack = others;
        solid
    }

    fn bytes(&self) -> usize {
        self.tree.bytes() + size_of_val(&*self.supports)
    }
}
