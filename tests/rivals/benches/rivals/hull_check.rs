//! `hull check`: the recursive hull check of Quake (1996), with the three states that DarkPlaces gave it, in a tree
//! that the compiler makes for one hull alone. A point's segment in, the first solid leaf after an empty one out.
//! Without recursion: the part beyond a plane waits on a stack that is allocated once; planes are in the nodes; only
//! a segment that crosses a plane divides. Backs off by `DIST_EPSILON` and, as Quake does, farther while the end is
//! still in solid.

use onion_runtime::{HullId, OnionMap};

use crate::rival::{Answer, Rival, Segment, Visits};
use crate::tree::{Node, SOLID, Tree, lerp};

/// Fraction of the segment by which a trace that ends in solid is shortened at a time: Quake's.
const RETREAT: f32 = 0.1;

/// The rival.
pub struct HullCheck {
    tree: Tree,
    /// The stack, always empty between traces.
    stack: Vec<Beyond>,
}

/// The part of a segment beyond a plane that it crosses.
#[derive(Clone, Copy)]
struct Beyond {
    child: i32,
    /// The node with the plane.
    node: u32,
    point: [f32; 3],
    fraction: f32,
}

impl HullCheck {
    /// Takes the tree of the only hull of a file.
    pub fn new(file: &OnionMap<Vec<u8>>, hull: HullId) -> Self {
        Self {
            tree: Tree::of_single_hull(file, hull),
            stack: Vec::with_capacity(256),
        }
    }

    /// Returns the answer for a segment that enters solid through the plane of a node.
    #[inline(always)]
    fn hit<const COUNT: bool>(
        &self,
        [start, end]: &Segment,
        beyond: &Beyond,
        start_solid: bool,
        visits: &mut Visits,
    ) -> Answer {
        visits.read::<COUNT, Node>(1);
        let node = &self.tree.nodes[beyond.node as usize];
        let [d_start, d_end] = node.distances(start, end);
        let turn = if d_start < d_end { -1.0 } else { 1.0 };
        let normal = node.normal.map(|component| component * turn);
        let mut answer = Answer::hit(beyond.fraction, normal, (d_start - d_end).abs());
        answer.start_solid = start_solid;
        let mut at = lerp(start, end, answer.fraction);
        while self.tree.contents::<COUNT>(&at, visits) == SOLID {
            answer.fraction -= RETREAT;
            if answer.fraction < 0.0 {
                answer.fraction = 0.0;
                break;
            }
            at = lerp(start, end, answer.fraction);
        }
        answer
    }
}

impl Rival for HullCheck {
    const NAME: &'static str = "hull check";
    const COUNTED: [bool; 2] = [true, false];

    // Long: the walk is one loop whose state is in registers, as Quake has it.
    #[inline(always)]
    fn trace<const COUNT: bool>(&mut self, segment: &Segment, visits: &mut Visits) -> Answer {
        let [start, end] = segment;
        let (mut from, mut to) = (*start, *end);
        let (mut from_fraction, mut to_fraction) = (0.0, 1.0);
        let mut child = self.tree.root;
        let (mut was_empty, mut start_solid) = (false, false);
        let mut entered: Option<Beyond> = None;
        self.stack.clear();
        loop {
            while child >= 0 {
                visits.node::<COUNT, Node>();
                let node = &self.tree.nodes[child as usize];
                let [d_from, d_to] = node.distances(&from, &to);
                // Branches, not arithmetic: the processor then speculates down the likely side.
                if d_from >= 0.0 && d_to >= 0.0 {
                    child = node.children[0];
                    continue;
                }
                if d_from < 0.0 && d_to < 0.0 {
                    child = node.children[1];
                    continue;
                }
                let [near, far] = if d_from < 0.0 {
                    [node.children[1], node.children[0]]
                } else {
                    node.children
                };
                let part = d_from / (d_from - d_to);
                let point = lerp(&from, &to, part);
                let fraction = from_fraction + (to_fraction - from_fraction) * part;
                self.stack.push(Beyond {
                    child: far,
                    node: child as u32,
                    point,
                    fraction,
                });
                (to, to_fraction) = (point, fraction);
                child = near;
            }
            if child != SOLID {
                was_empty = true;
            } else if was_empty {
                if let Some(beyond) = &entered {
                    return self.hit::<COUNT>(segment, beyond, start_solid, visits);
                }
            } else {
                start_solid = true;
            }
            let Some(beyond) = self.stack.pop() else {
                break;
            };
            child = beyond.child;
            (from, from_fraction) = (beyond.point, beyond.fraction);
            entered = Some(beyond);
            (to, to_fraction) = match self.stack.last() {
                Some(next) => (next.point, next.fraction),
                None => (*end, 1.0),
            };
        }
        Answer {
            start_solid,
            ..Answer::MISS
        }
    }

    #[inline(always)]
    fn is_solid<const COUNT: bool>(&mut self, point: [f32; 3], visits: &mut Visits) -> bool {
        self.tree.contents::<COUNT>(&point, visits) == SOLID
    }

    fn bytes(&self) -> usize {
        self.tree.bytes()
    }
}
