//! Traces boxes that were not compiled with the tree of a smaller hull. It finds where the box may first be stopped,
//! and how much later at most it is really stopped (Melax, "Dynamic Plane Shifting BSP Traversal", 2000).
//!
//! # How it works
//! The larger box is the hull's box plus an addition on each side. The tree's planes are moved by the reach of the
//! addition along their normals, so that the parts of a segment in front of and behind a plane overlap; both are
//! walked. The solid found in this way contains everything that is solid for the box, and more at sharp edges,
//! because cells have no bevels except those of brushes. So a hit may be too early but is never too late. The
//! latest possible hit is measured: the addition has corners that move with the box, and where the hull, traced
//! from any of these corners, is stopped, the box is stopped too.

use onion_format::{Child, MAX_DEPTH, NodePlane, NodeRecord};

use crate::coordinate::{Coordinate, widened};
use crate::descend::is_solid_at;
use crate::error::Unsupported;
use crate::hull::HullId;
use crate::model::Model;
use crate::plane::{Plane, distance, unit_normal};
use crate::segment::{in_domain, point_at, retreat};
use crate::stack::Stack;
use crate::tolerance::ON_PLANE;
use crate::trace::Trace;
use crate::vector::{add, opposite, sub, support};

/// The answer to a trace of a box that was not compiled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShiftedTrace<T> {
    /// Where the box is stopped, perhaps too early. Its plane is moved to where the origin of the box meets
    /// it.
    pub trace: Trace<T>,
    /// The box is really stopped at this part of the segment or before, 0 to 1; 1 also if it may not be
    /// stopped at all.
    pub latest: f64,
    /// By how much `trace.hit_fraction` may be too early, in units along the segment; 0 if it is exact up to
    /// rounding.
    pub max_error: f64,
}

impl Model<'_> {
    /// The hull to use in [`Model::trace_box`] for a box: of the hulls that fit inside the box and are blocked by
    /// the same contents, the one that leaves least to add.
    pub fn hull_within<T: Coordinate>(
        &self,
        mins: impl Into<[T; 3]>,
        maxs: impl Into<[T; 3]>,
        contents: u32,
    ) -> Option<HullId> {
        let (mins, maxs) = (widened(mins.into()), widened(maxs.into()));
        let ids = (0..self.map.layout.n_hulls).filter_map(|index| self.map.hull_id(index));
        let hulls = ids.filter_map(|id| {
            let hull = self.map.hull_record(id)?;
            let added = Added::new([hull.mins, hull.maxs], [mins, maxs])?;
            let sizes = added.mins.iter().zip(&added.maxs);
            let size = sizes.map(|(min, max)| max - min).sum::<f64>();
            (hull.contents == contents).then_some((id, size))
        });
        let least = hulls.reduce(|best, next| if next.1 < best.1 { next } else { best });
        least.map(|(hull, _)| hull)
    }

    /// Moves a box that was not compiled from `start` towards `end`, using the tree of a hull that fits inside the
    /// box, and stops it the model's skin in front of what it hits.
    ///
    /// Use this for sizes that are known only at run time, and compile a hull for sizes that are used often: this
    /// call visits more of the tree, may stop early, and traces the hull nine times to tell by how much. If the file
    /// has the brushes, `Model::trace_shape` (feature `shapes`) is exact. If the start counts as solid here, the
    /// trace is `start_solid` and the box does not move. A box may slide exactly in a plane across which it is no
    /// wider than the hull; then only things on the side of the plane where it starts stop it, for example things
    /// that stand on the floor it slides on.
    ///
    /// # Errors
    /// [`Unsupported::BoxNotHeld`] if the hull's box does not fit inside the box, and
    /// [`Unsupported::NoSuchHull`] for a hull of another map.
    pub fn trace_box<T: Coordinate, B: Coordinate>(
        &self,
        hull: HullId,
        (mins, maxs): (impl Into<[B; 3]>, impl Into<[B; 3]>),
        start: impl Into<[T; 3]>,
        end: impl Into<[T; 3]>,
    ) -> Result<ShiftedTrace<T>, Unsupported> {
        let record = self.map.hull_record(hull);
        let record = record.ok_or(Unsupported::NoSuchHull)?;
        let outer = [widened(mins.into()), widened(maxs.into())];
        let added = Added::new([record.mins, record.maxs], outer);
        let walker = Walker {
            model: self,
            hull,
            added: added.ok_or(Unsupported::BoxNotHeld)?,
        };
        Ok(walker.trace([start.into(), end.into()]))
    }
}

/// What a box has beyond a hull's, about the origin.
#[derive(Clone, Copy)]
struct Added {
    mins: [f64; 3],
    maxs: [f64; 3],
}

impl Added {
    /// None if the hull's box does not lie in the other.
    fn new(hull: [[f32; 3]; 2], [mins, maxs]: [[f64; 3]; 2]) -> Option<Self> {
        let [hull_mins, hull_maxs] = hull.map(widened);
        let added = Self {
            mins: sub(&mins, &hull_mins),
            maxs: sub(&maxs, &hull_maxs),
        };
        // Not true for what is not a number.
        let holds =
            added.mins.iter().all(|&min| min <= 0.0) && added.maxs.iter().all(|&max| max >= 0.0);
        (holds && in_domain(&added.mins) && in_domain(&added.maxs)).then_some(added)
    }

    /// How far it reaches along a normal, and against it.
    fn reach(&self, normal: &[f64; 3]) -> [f64; 2] {
        [
            support(normal, &self.mins, &self.maxs),
            0.0 - support(normal, &self.maxs, &self.mins),
        ]
    }

    fn corner(&self, number: usize) -> [f64; 3] {
        [0, 1, 2].map(|axis| {
            let side = if number >> axis & 1 == 1 {
                &self.maxs
            } else {
                &self.mins
            };
            side[axis]
        })
    }
}

/// A part of the tree with the stretch of the segment that reaches it.
#[derive(Clone, Copy)]
struct Side {
    at: Child,
    from: f64,
    to: f64,
    /// What is known of it, if it is known whole: whether it is solid.
    known: Option<bool>,
    /// The node whose plane was met last, and whether on its way to the back.
    entered: Option<(u32, bool)>,
}

/// Where a segment may first be stopped.
#[derive(Clone, Copy)]
struct Stop {
    fraction: f64,
    entered: Option<(u32, bool)>,
}

struct Walker<'a> {
    model: &'a Model<'a>,
    hull: HullId,
    added: Added,
}

impl Walker<'_> {
    fn trace<T: Coordinate>(&self, ends: [[T; 3]; 2]) -> ShiftedTrace<T> {
        let [start, end] = ends;
        let wide = ends.map(widened);
        let stands = |end_pos, fraction| Trace {
            start,
            end,
            fraction,
            hit_fraction: fraction,
            end_pos,
            plane: None,
            start_solid: false,
            all_solid: false,
        };
        let exact = |trace, latest| ShiftedTrace {
            trace,
            latest,
            max_error: 0.0,
        };
        if !wide.iter().all(in_domain) {
            let trace = Trace {
                start_solid: true,
                all_solid: true,
                ..stands(start, 0.0)
            };
            return exact(trace, 0.0);
        }
        let Some(stop) = self.first_stop(&wide) else {
            return exact(stands(end, 1.0), 1.0);
        };
        let is_solid = |point| self.first_stop(&[point; 2]).is_some();
        // What starts on a plane with solid on both sides enters one of them, and starts in solid.
        let plane = stop
            .entered
            .map(|(node, to_back)| self.facing(node, to_back, &wide))
            .filter(|(_, approach)| stop.fraction * approach > ON_PLANE || !is_solid(wide[0]));
        let hit_fraction = plane.map_or(0.0, |_| stop.fraction);
        let latest = self.latest(&wide).max(hit_fraction);
        let max_error = (latest - hit_fraction) * length_above(&sub(&wide[1], &wide[0]));
        let trace = match plane {
            None => Trace {
                start_solid: true,
                ..stands(start, 0.0)
            },
            Some((plane, approach)) => {
                let wanted = (hit_fraction - self.model.skin / approach).max(0.0);
                let stop = retreat(start, &wide, wanted, |point, _| is_solid(point));
                let (fraction, end_pos) = stop;
                Trace {
                    hit_fraction,
                    plane: Some(plane.narrowed()),
                    ..stands(end_pos, fraction)
                }
            }
        };
        ShiftedTrace {
            trace,
            latest,
            max_error,
        }
    }

    /// The plane of a node, moved by what is added, against the motion, and how fast it is approached.
    fn facing(&self, node: u32, to_back: bool, ends: &[[f64; 3]; 2]) -> (Plane<f64>, f64) {
        let node = self.model.map.node(node);
        let record = self.model.map.plane_of(&node);
        let normal = unit_normal(&record);
        let [along, against] = self.added.reach(&normal);
        let approach = distance(&record, &ends[0]) - distance(&record, &ends[1]);
        let number = NodePlane(node.plane).index();
        if to_back {
            let dist = record.dist + against;
            let plane = Plane {
                normal,
                dist,
                number,
            };
            (plane, approach)
        } else {
            let normal = opposite(normal);
            let dist = along - record.dist;
            let plane = Plane {
                normal,
                dist,
                number,
            };
            (plane, 0.0 - approach)
        }
    }

    /// The part of the segment at which the box is stopped at the latest.
    fn latest(&self, ends: &[[f64; 3]; 2]) -> f64 {
        let corners = (0..8).map(|number| self.added.corner(number));
        let stops = corners.chain([[0.0; 3]]).map(|corner| {
            let [start, end] = ends.map(|end| add(&end, &corner));
            let trace = self.model.with_skin(0.0).trace(self.hull, start, end);
            if trace.start_solid {
                0.0
            } else {
                trace.hit_fraction
            }
        });
        stops.fold(1.0, f64::min)
    }

    /// Where the segment first reaches what counts as solid.
    fn first_stop(&self, ends: &[[f64; 3]; 2]) -> Option<Stop> {
        let map = &self.model.map;
        let mut best: Option<Stop> = None;
        let root = Side {
            at: map.root_of(self.model.index, self.hull),
            from: 0.0,
            to: 1.0,
            known: None,
            entered: None,
        };
        // Each node of a path leaves one: the stack always has room.
        let mut places = [root; MAX_DEPTH];
        let mut pending = Stack::on(&mut places);
        let mut next = Some(root);
        loop {
            let is_nearer = |side: &Side| best.is_none_or(|best| side.from < best.fraction);
            let Some(side) = next.take().filter(is_nearer) else {
                next = pending.pop();
                if next.is_none() {
                    return best;
                }
                continue;
            };
            if let Some(solid) = side.known.or_else(|| self.leaf(side.at)) {
                if solid {
                    best = Some(Stop {
                        fraction: side.from,
                        entered: side.entered,
                    });
                }
                continue;
            }
            let [near, far] = self.divide(&side, ends);
            next = near.or(far);
            if let (Some(_), Some(far)) = (near, far) {
                pending.push(far);
            }
        }
    }

    /// Whether a leaf is solid; none for a node.
    fn leaf(&self, at: Child) -> Option<bool> {
        at.is_leaf()
            .then(|| self.model.map.is_solid(at, self.hull.bit))
    }

    /// The sides of a node that a stretch reaches, the one that it reaches first before the other.
    fn divide(&self, side: &Side, ends: &[[f64; 3]; 2]) -> [Option<Side>; 2] {
        let number = side.at.index();
        let node = self.model.map.node(number);
        let plane = self.model.map.plane_of(&node);
        let [along, against] = self.added.reach(&unit_normal(&plane));
        let [d_start, d_end] = ends.each_ref().map(|end| distance(&plane, end));
        let [front, back] = [0, 1].map(|back| Side {
            at: node.children(number)[back],
            known: self.known(&node, back),
            ..*side
        });
        // How far in the box reaches on each side, at both ends.
        let in_front = front.clipped([d_start + along, d_end + along], (number, false));
        let behind = back.clipped([against - d_start, against - d_end], (number, true));
        match (in_front, behind) {
            (None, None) => [Some(self.emptier(front, back, ends)), None],
            (front, back) if d_start >= d_end => [front, back],
            (front, back) => [back, front],
        }
    }

    /// Of the sides of a plane that holds the segment, with nothing added across it, the one to walk. Solid
    /// is what is solid on both, so that either holds all of it; less of what only touches the plane is in the
    /// one that is empty where the stretch begins.
    fn emptier(&self, front: Side, back: Side, ends: &[[f64; 3]; 2]) -> Side {
        let begin = point_at(ends, front.from);
        if is_solid_at(&self.model.map, front.at, self.hull.bit, &begin) {
            back
        } else {
            front
        }
    }

    /// Whether a child of a node is solid, if the node knows.
    fn known(&self, node: &NodeRecord, side: usize) -> Option<bool> {
        let has_bit = |bits: u8| bits & self.hull.bit != 0;
        has_bit(node.resolved[side]).then(|| has_bit(node.solid[side]))
    }
}

impl Side {
    /// The part of the stretch that reaches a side, given how far in it reaches at both ends of the segment;
    /// touching does not count.
    fn clipped(mut self, [start, end]: [f64; 2], entered: (u32, bool)) -> Option<Self> {
        match (start > ON_PLANE, end > ON_PLANE) {
            (true, true) => return Some(self),
            (false, false) => return None,
            (true, false) => {
                let leaves = start / (start - end);
                if leaves < self.to {
                    self.to = leaves;
                }
            }
            (false, true) => {
                // A start that touches the side enters it at once.
                let enters = (start / (start - end)).max(0.0);
                if enters >= self.from {
                    (self.from, self.entered) = (enters, Some(entered));
                }
            }
        }
        (self.from < self.to).then_some(self)
    }
}

/// A bound on the length of a vector that is at most a little above it: half a Newton step for the root,
/// from above.
fn length_above(way: &[f64; 3]) -> f64 {
    let squared = way[0] * way[0] + way[1] * way[1] + way[2] * way[2];
    let mut length = way[0].abs() + way[1].abs() + way[2].abs();
    if length == 0.0 {
        return 0.0;
    }
    for _ in 0..ROOT_STEPS {
        length = (length + squared / length) / 2.0;
    }
    length
}

/// Steps from the sum of three numbers to the root of the sum of their squares, at most 1.74 times smaller,
/// within rounding: the error, 0.74 at first, squares and halves with each.
const ROOT_STEPS: usize = 6;
