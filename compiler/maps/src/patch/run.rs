//! A run is a group of cells that one convex piece represents. The piece is the intersection of a few half-spaces,
//! whose planes touch the points that the run shares with its neighbors. A piece is made only if it is proven to keep
//! within the error.

use glam::DVec3;
use onion_geometry::{ExactPlane, grid};

use super::border::side_of;
use super::bound::{Bound, coarse, distance};
use super::mesh::{PatchCell, PatchCorner, THICKNESS};
use super::surface::upright;
use crate::tolerance::OVERLAP;

/// An edge is mitered only if the cosine between the cell's normal and the surface normal at the edge is at least this;
/// beyond 60 degrees a mitered side would be longer than the cell is wide.
const MIN_MITER: f64 = 0.5;

/// The parts of the error that a piece may reach over a side that it shares with another piece, tried in turn. The rest
/// of the error is for its front.
const SIDEWAYS: [f64; 4] = [1.0 / 16.0, 0.25, 0.5, 0.75];

/// The part of the error by which a piece reaches into its neighbor where the surface is concave. The overlap is behind
/// the neighbor, so players do not touch it, and it fills the step where the two fronts end at different heights.
const BURIED: f64 = 0.25;

/// A side of a run's outline.
#[derive(Clone, Copy)]
pub struct OutlineSide<'a> {
    pub cell: &'a PatchCell,
    /// Number of the side of the cell.
    pub side: usize,
    /// The cell on the other side, or `None` at the border of the patch or if neighbors are not known.
    pub neighbor: Option<&'a PatchCell>,
}

/// The direction of the sides that a piece shares with its neighbors.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Walls {
    /// Along the axis nearest to the surface's normal. Such a piece needs few bevels when it is expanded, and its sides
    /// lie in the same planes as sides of other pieces.
    Upright,
    /// Along the surface's normal.
    Mitered,
}

/// The directions, in the order in which they are tried.
pub const WALLS: [Walls; 2] = [Walls::Upright, Walls::Mitered];

/// A group of cells that may become one piece.
pub struct Run<'a> {
    pub cells: Vec<&'a PatchCell>,
    pub outline: Vec<OutlineSide<'a>>,
    /// The points that the piece must contain: those that it shares with its neighbors, and one behind each of them.
    points: Vec<DVec3>,
    /// Mean unit normal; zero if no cell has an extent.
    middle: DVec3,
    walls: Walls,
}

impl<'a> Run<'a> {
    /// Creates a run of cells with the given sides around it.
    pub fn new(cells: Vec<&'a PatchCell>, outline: Vec<OutlineSide<'a>>, walls: Walls) -> Self {
        // Weighed by area, so that many narrow cells do not turn the normal of a wide one.
        let weighed = cells.iter().filter_map(|cell| {
            let normal = cell.normal?;
            Some(normal * (cell.area + OVERLAP))
        });
        let middle = weighed.sum::<DVec3>().normalize_or_zero();
        Self {
            points: points(&outline, middle, walls),
            middle: coarse(middle),
            cells,
            outline,
            walls,
        }
    }

    /// Creates a run of one cell whose neighbors are not known.
    pub fn alone(cell: &'a PatchCell, walls: Walls) -> Self {
        let outline = [0, 1, 2, 3].map(|side| OutlineSide {
            cell,
            side,
            neighbor: None,
        });
        Self::new(vec![cell], outline.to_vec(), walls)
    }

    /// Returns the distance by which the cells and their sides on the border exceed the error, in units; not above 0 if
    /// they keep within the error.
    pub fn excess(&self, error: f64) -> f64 {
        // The least part of the error that the sides take is not available to the front.
        let error = error * (1.0 - SIDEWAYS[0]);
        let fronts = self.cells.iter().filter_map(|cell| {
            let bound = self.bound(cell.normal?, error);
            Some(bound.gap(&cell.control) / cell.lean(bound.normal))
        });
        let sides = self.outline.iter().filter_map(|side| {
            let curve = side.cell.borders[side.side].as_ref()?;
            Some(self.bound(side.normal(self.walls)?, error).gap(curve))
        });
        let [front, side] = [fronts.fold(0.0, f64::max), sides.fold(0.0, f64::max)];
        front.hypot(side * std::f64::consts::SQRT_2) - error
    }

    /// Returns the piece as its planes, or `None` if it does not keep within the error.
    pub fn piece(&self, error: f64) -> Option<Vec<ExactPlane>> {
        self.planes(&self.solid(error)?)
    }

    /// Returns the bounds of the piece, or `None` if it does not keep within the error or has no extent.
    fn solid(&self, error: f64) -> Option<Vec<Bound>> {
        let depth = self.extent(self.middle)?;
        if depth > 2.0 * error + THICKNESS {
            return None;
        }
        for part in SIDEWAYS {
            let sideways = error * part;
            // Later parts leave less of the error for the fronts, so they fail where this part does.
            let bounds = self.fronts(error - sideways)?;
            if !self.are_low(&bounds, error - sideways) {
                return None;
            }
            if let Some(sides) = self.sides(error, sideways, &bounds) {
                let bounds = self.closed([bounds, sides].concat());
                if self.is_near(&bounds, error) {
                    return Some(bounds);
                }
            }
        }
        None
    }

    /// Whether every control point is within the error of the intersection of the bounds. Then all of the surface is,
    /// too.
    fn is_near(&self, bounds: &[Bound], error: f64) -> bool {
        let mut controls = self.cells.iter().flat_map(|cell| &cell.control);
        controls.all(|&control| distance(bounds, control) <= error)
    }

    /// Adds bounds that close the solid: one behind and, because the sides of slivers are nearly parallel, six axial
    /// ones a little away from the points.
    fn closed(&self, mut bounds: Vec<Bound>) -> Vec<Bound> {
        let outward = |bound: &Bound| bound.gap(&[self.farthest(bound.normal)]);
        let most = bounds.iter().map(outward).fold(0.0, f64::max);
        let mut close = |normal: DVec3, outward: f64| {
            let dist = normal.dot(self.farthest(normal)) + outward;
            bounds.push(Bound { normal, dist });
        };
        close(-self.middle, 0.0);
        for normal in DVec3::AXES {
            close(normal, most + 2.0 * THICKNESS);
            close(-normal, most + 2.0 * THICKNESS);
        }
        bounds
    }

    /// Returns the extent of the points along a unit normal, in units, or `None` if the normal is zero.
    fn extent(&self, normal: DVec3) -> Option<f64> {
        let along = self.points.iter().map(|point| point.dot(normal));
        let low = along.clone().fold(f64::INFINITY, f64::min);
        let high = along.fold(f64::NEG_INFINITY, f64::max);
        (normal != DVec3::ZERO).then_some(high - low)
    }

    /// Returns the innermost bound with a normal that has all points behind it and has no part of the surface more than
    /// `error` in front of it.
    fn bound(&self, normal: DVec3, error: f64) -> Bound {
        let normal = coarse(normal);
        let along = |most: f64, point: &DVec3| most.max(normal.dot(*point));
        let points = self.points.iter().fold(f64::NEG_INFINITY, along);
        let controls = self.cells.iter().flat_map(|cell| &cell.control);
        let surface = controls.fold(f64::NEG_INFINITY, along);
        Bound {
            normal,
            dist: points.max(surface - error),
        }
    }

    /// Returns a greedily small set of front bounds such that each cell is within the error behind one of them, or
    /// `None` if there is no such set.
    fn fronts(&self, error: f64) -> Option<Vec<Bound>> {
        let normals = self.cells.iter().filter_map(|cell| cell.normal);
        let candidates = std::iter::once(self.middle).chain(normals).map(|normal| {
            let bound = self.bound(normal, error);
            let covers = |cell: &&PatchCell| {
                let lean = cell.lean(bound.normal);
                cell.normal.is_none() || bound.gap(&cell.control) <= error * lean
            };
            (bound, self.cells.iter().map(covers).collect())
        });
        let mut candidates: Vec<(Bound, Vec<bool>)> = candidates.collect();
        let mut chosen = Vec::new();
        let mut open = vec![true; self.cells.len()];
        while open.contains(&true) {
            let gain = |at: &usize| {
                let both = candidates[*at].1.iter().zip(&open);
                both.filter(|&(&covered, &open)| covered && open).count()
            };
            // On a tie, the first candidate is taken.
            let best = (0..candidates.len()).rev().max_by_key(gain)?;
            if gain(&best) == 0 {
                return None;
            }
            let (bound, covered) = candidates.swap_remove(best);
            for (open, covered) in open.iter_mut().zip(covered) {
                *open &= !covered;
            }
            chosen.push(bound);
        }
        Some(chosen)
    }

    /// Whether some front is so near to each side of the outline that the points of the piece over that side, in the
    /// direction of its wall or of the normal there, are within the error of it.
    fn are_low(&self, fronts: &[Bound], error: f64) -> bool {
        let is_low = |side: &OutlineSide| {
            let control = side_of(&side.cell.control, side.side);
            let Some(along) = side.wall(self.walls) else {
                return true;
            };
            fronts.iter().any(|front| {
                let cosines = [front.normal.dot(along), side.cell.lean(front.normal)];
                front.gap(&control) <= error * f64::min(cosines[0], cosines[1])
            })
        };
        self.walls == Walls::Mitered || self.outline.iter().all(is_low)
    }

    /// Returns a greedily small set of side bounds such that each side of the outline is near one of them, or `None` if
    /// there is no such set. Where a front bound meets a side bound at an angle other than 90 degrees, the distance
    /// from their common edge to the side is longer, so less is permitted.
    fn sides(&self, error: f64, sideways: f64, fronts: &[Bound]) -> Option<Vec<Bound>> {
        let mut chosen: Vec<Bound> = Vec::new();
        for side in &self.outline {
            let Some(normal) = side.normal(self.walls) else {
                continue;
            };
            let (curve, allowed, beyond) = side.allowance(error, sideways);
            let is_near = |bound: &Bound, beyond: f64| {
                let sines = fronts.iter().map(|front| bound.sine(front));
                let allowed = beyond + allowed * sines.fold(1.0, f64::min);
                bound.gap(&curve) <= allowed * bound.normal.dot(normal)
            };
            // A bound at an angle to this side reaches farther in the side's direction, so it must be nearer.
            if chosen.iter().any(|bound| is_near(bound, beyond)) {
                continue;
            }
            let mut bound = self.bound(normal, error - sideways);
            if !is_near(&bound, 0.0) {
                return None;
            }
            bound.dist += beyond;
            chosen.push(bound);
        }
        Some(chosen)
    }

    /// Returns the exact planes of the piece, or `None` if one is outside the world.
    fn planes(&self, bounds: &[Bound]) -> Option<Vec<ExactPlane>> {
        let plane = |bound: &Bound| {
            let outward = bound.gap(&[self.farthest(bound.normal)]);
            let moved = self.points.iter().map(|&point| {
                let point = point + bound.normal * outward;
                point.to_array().map(grid::point)
            });
            ExactPlane::supporting(bound.normal, moved)
        };
        bounds.iter().map(plane).collect()
    }

    fn farthest(&self, normal: DVec3) -> DVec3 {
        let points = self.points.iter().copied();
        let farthest = points.max_by(|a, b| a.dot(normal).total_cmp(&b.dot(normal)));
        farthest.unwrap_or_default()
    }
}

/// Returns the points of an outline, each followed by a point behind it.
fn points(outline: &[OutlineSide], middle: DVec3, walls: Walls) -> Vec<DVec3> {
    let mut points = Vec::new();
    for outline in outline {
        let cell = outline.cell;
        let front = cell.normal.unwrap_or(middle);
        let behind = |point: DVec3, normal: DVec3| {
            point - walls.across(normal.normalize_or(middle), front) * THICKNESS
        };
        let ends = outline.ends();
        for corner in ends {
            points.extend([corner.point, behind(corner.point, corner.normal)]);
        }
        let normal = ends[0].normal + ends[1].normal;
        for &point in &cell.between[outline.side] {
            points.extend([point, behind(point, normal)]);
        }
    }
    points
}

impl Walls {
    /// Returns the direction of a side at a point with this unit normal. If it would run along the cell, whose normal
    /// is `front`, the direction of `front` is used instead.
    fn across(self, normal: DVec3, front: DVec3) -> DVec3 {
        let along = self.along(normal);
        if along.dot(front) < MIN_MITER {
            self.along(front)
        } else {
            along
        }
    }

    fn along(self, normal: DVec3) -> DVec3 {
        match self {
            Self::Mitered => normal,
            Self::Upright => upright(normal),
        }
    }
}

impl OutlineSide<'_> {
    /// Returns the control points of the side, the permitted distance of a bound from them, and the distance that the
    /// piece reaches beyond the side, both in units.
    fn allowance(&self, error: f64, sideways: f64) -> (Vec<DVec3>, f64, f64) {
        if let Some(curve) = &self.cell.borders[self.side] {
            // At a corner of the patch, two sides are at right angles to a front that uses all of its part of the
            // error. The rest of the error is for the two sides.
            let front = error - sideways;
            let left = ((error * error - front * front) / 2.0).sqrt();
            let allowed = left.max(2.0 * OVERLAP) - OVERLAP;
            return (curve.to_vec(), allowed, OVERLAP);
        }
        let [from, to] = self.ends().map(|corner| corner.point);
        // Whether the surface is concave here, as seen from its visible side.
        let is_concave = self
            .neighbor
            .zip(self.cell.normal)
            .is_some_and(|(neighbor, normal)| normal.dot(neighbor.center() - from) > 0.0);
        let buried = THICKNESS.min(error * BURIED);
        (
            vec![from, to],
            sideways,
            if is_concave { buried } else { 0.0 },
        )
    }

    /// Returns the corners of the cell at both ends of the side.
    fn ends(&self) -> [&PatchCorner; 2] {
        [&self.cell.corners[self.side], self.cell.next(self.side)]
    }

    /// Returns the direction of the wall that stands on the side's edge.
    fn wall(&self, walls: Walls) -> Option<DVec3> {
        let [from, to] = self.ends();
        let front = self.cell.normal?;
        let surface = (from.normal + to.normal).normalize_or_zero();
        let is_steep = surface.dot(front) < MIN_MITER;
        Some(walls.across(if is_steep { front } else { surface }, front))
    }

    /// Returns the outward normal of the side's plane. The neighbor gets the same plane, flipped.
    fn normal(&self, walls: Walls) -> Option<DVec3> {
        let [from, to] = self.ends().map(|corner| corner.point);
        let outward = (to - from).cross(self.wall(walls)?).try_normalize()?;
        let is_turned = !self.cell.counterclockwise;
        Some(if is_turned { -outward } else { outward })
    }
}
