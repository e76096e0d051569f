//! A run is a group of cells for which one convex piece stands: behind a few planes, each of which supports
//! the points that the run shares with others. It is made only if it is proven to keep within the error.

use glam::DVec3;
use onion_geometry::{ExactPlane, grid};

use super::border::side_of;
use super::bound::{Bound, coarse, distance};
use super::mesh::{PatchCell, PatchCorner, THICKNESS};
use super::surface::upright;
use crate::tolerance::OVERLAP;

/// Least cosine between a cell's normal and the surface normal at its edge for which it is
/// mitered; beyond 60 degrees a mitered side would be longer than the cell is wide.
const MIN_MITER: f64 = 0.5;

/// Parts of the error that a piece may reach over a side that it shares with another piece, to be tried in turn.
/// The rest of the error is for its front.
const SIDEWAYS: [f64; 4] = [1.0 / 16.0, 0.25, 0.5, 0.75];

/// Part of the error that a piece reaches into its neighbor where the surface turns toward its visible side: behind
/// the neighbor, nobody meets it, and no step is left where their fronts end at different heights.
const BURIED: f64 = 0.25;

/// A side of a run's outline.
#[derive(Clone, Copy)]
pub struct Outline<'a> {
    /// The cell that it bounds.
    pub cell: &'a PatchCell,
    /// Its side.
    pub side: usize,
    /// The cell on the other side, if there is one.
    pub neighbor: Option<&'a PatchCell>,
}

/// How the sides of a piece stand that it shares with others.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Walls {
    /// Along the axis that is nearest to the surface's normal. Expanded, such a piece has few bevels, and its sides
    /// lie in the same planes as those of others.
    Upright,
    /// Along the surface's normal.
    Mitered,
}

/// Walls to be tried in turn.
pub const WALLS: [Walls; 2] = [Walls::Upright, Walls::Mitered];

/// Cells that may become one piece.
pub struct Run<'a> {
    /// The cells; at least one.
    pub cells: Vec<&'a PatchCell>,
    /// The sides around them.
    pub outline: Vec<Outline<'a>>,
    /// The points that the piece contains: those that it shares with others, and as many behind them.
    points: Vec<DVec3>,
    /// Mean unit normal; zero if no cell has an extent.
    middle: DVec3,
    walls: Walls,
}

impl<'a> Run<'a> {
    /// A run of cells with these sides around them.
    pub fn new(cells: Vec<&'a PatchCell>, outline: Vec<Outline<'a>>, walls: Walls) -> Self {
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

    /// A run of one cell whose neighbors are not known.
    pub fn alone(cell: &'a PatchCell, walls: Walls) -> Self {
        let outline = (0..cell.corners.len()).map(|side| Outline {
            cell,
            side,
            neighbor: None,
        });
        Self::new(vec![cell], outline.collect(), walls)
    }

    /// By how much a cell and its sides on the border miss the error, in units; not above 0 if they keep
    /// within it.
    pub fn excess(&self, error: f64) -> f64 {
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

    /// The piece as its planes, if it keeps within the error.
    pub fn piece(&self, error: f64) -> Option<Vec<ExactPlane>> {
        self.planes(&self.solid(error)?)
    }

    /// What bounds the piece; none if it does not keep within the error, or has no extent.
    fn solid(&self, error: f64) -> Option<Vec<Bound>> {
        let depth = self.extent(self.middle)?;
        if depth > 2.0 * error + THICKNESS {
            return None;
        }
        for part in SIDEWAYS {
            let sideways = error * part;
            // What leaves less for fronts does not make them nearer.
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

    /// Whether every control point is within the error of what the bounds leave; so is what lies between them.
    fn is_near(&self, bounds: &[Bound], error: f64) -> bool {
        let mut controls = self.cells.iter().flat_map(|cell| &cell.control);
        controls.all(|&control| distance(bounds, control) <= error)
    }

    /// Bounds with those that close what they leave: behind, and on all sides a little away from the points, for
    /// slivers whose sides are all but parallel.
    fn closed(&self, mut bounds: Vec<Bound>) -> Vec<Bound> {
        let outward = |bound: &Bound| bound.gap(&[self.farthest(bound.normal)]);
        let most = bounds.iter().map(outward).fold(0.0, f64::max);
        bounds.push(self.back());
        let mut close = |normal: DVec3, outward: f64| {
            let dist = normal.dot(self.farthest(normal)) + outward;
            bounds.push(Bound { normal, dist });
        };
        for normal in DVec3::AXES {
            close(normal, most + 2.0 * THICKNESS);
            close(-normal, most + 2.0 * THICKNESS);
        }
        bounds
    }

    /// How far the points reach along a unit normal; none for no normal.
    fn extent(&self, normal: DVec3) -> Option<f64> {
        let along = self.points.iter().map(|point| point.dot(normal));
        let (low, high) = along.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), at| {
            (low.min(at), high.max(at))
        });
        (normal != DVec3::ZERO).then_some(high - low)
    }

    /// The innermost bound with a normal that has the points behind it and the surface at most `error` in
    /// front of it.
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

    /// Front bounds, so few that each cell lies within the error behind one of them.
    fn fronts(&self, error: f64) -> Option<Vec<Bound>> {
        let normals = self.cells.iter().filter_map(|cell| cell.normal);
        let mut candidates: Vec<(Bound, Vec<bool>)> = std::iter::once(self.middle)
            .chain(normals)
            .map(|normal| {
                let bound = self.bound(normal, error);
                let covers = |cell: &&PatchCell| {
                    let lean = cell.lean(bound.normal);
                    cell.normal.is_none() || bound.gap(&cell.control) <= error * lean
                };
                (bound, self.cells.iter().map(covers).collect())
            })
            .collect();
        let mut chosen = Vec::new();
        let mut open = vec![true; self.cells.len()];
        while open.contains(&true) {
            let gain = |(_, covered): &(Bound, Vec<bool>)| {
                covered
                    .iter()
                    .zip(&open)
                    .filter(|&(&covered, &open)| covered && open)
                    .count()
            };
            let best = (0..candidates.len())
                .rev()
                .max_by_key(|&at| gain(&candidates[at]))?;
            if gain(&candidates[best]) == 0 {
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

    /// Whether fronts are so near to each side of the outline that what stands on it, along its wall or along the
    /// normal there, is within the error of it.
    fn are_low(&self, fronts: &[Bound], error: f64) -> bool {
        let is_low = |side: &Outline| {
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

    /// Side bounds, so few that each side of the outline lies near to one of them. Along a front bound, the way to
    /// the side is longer than straight to its bound if these do not meet at right angles.
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
            // One that faces elsewhere leaves more in the direction of this side.
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

    /// What bounds the piece behind.
    fn back(&self) -> Bound {
        let normal = -self.middle;
        let dist = normal.dot(self.farthest(normal));
        Bound { normal, dist }
    }

    /// The exact planes of the piece; none outside of the world.
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

/// The points of an outline and as many behind them.
fn points(outline: &[Outline], middle: DVec3, walls: Walls) -> Vec<DVec3> {
    let mut points = Vec::new();
    for Outline { cell, side, .. } in outline {
        let front = cell.normal.unwrap_or(middle);
        let behind = |point: DVec3, normal: DVec3| {
            point - walls.across(normal.normalize_or(middle), front) * THICKNESS
        };
        let ends: [&PatchCorner; 2] = [&cell.corners[*side], cell.next(*side)];
        for corner in ends {
            points.extend([corner.point, behind(corner.point, corner.normal)]);
        }
        let normal = ends[0].normal + ends[1].normal;
        for &point in &cell.between[*side] {
            points.extend([point, behind(point, normal)]);
        }
    }
    points
}

impl Walls {
    /// Where a side stands to, on a place with this unit normal at the edge of a cell with another: not along the cell.
    fn across(self, normal: DVec3, front: DVec3) -> DVec3 {
        let along = self.along(normal);
        match along.dot(front) < MIN_MITER {
            true => self.along(front),
            false => along,
        }
    }

    /// Where a side stands to, on a place with this unit normal.
    fn along(self, normal: DVec3) -> DVec3 {
        match self {
            Self::Mitered => normal,
            Self::Upright => upright(normal),
        }
    }
}

impl Outline<'_> {
    /// Control points of the side, how far a bound may be from it, and how far the piece reaches beyond it.
    fn allowance(&self, error: f64, sideways: f64) -> (Vec<DVec3>, f64, f64) {
        if let Some(curve) = &self.cell.borders[self.side] {
            // At a corner, two sides are at right angles to a front that is off by all of its part: this much
            // is left for each.
            let front = error - sideways;
            let left = ((error * error - front * front) / 2.0).sqrt();
            let allowed = left.max(2.0 * OVERLAP) - OVERLAP;
            return (curve.to_vec(), allowed, OVERLAP);
        }
        let ends = vec![
            self.cell.corners[self.side].point,
            self.cell.next(self.side).point,
        ];
        let buried = THICKNESS.min(error * BURIED);
        let is_concave = self
            .neighbor
            .is_some_and(|neighbor| self.is_concave(neighbor));
        (ends, sideways, if is_concave { buried } else { 0.0 })
    }

    /// The direction in which the side stands on its edge.
    fn wall(&self, walls: Walls) -> Option<DVec3> {
        let (from, to) = (&self.cell.corners[self.side], self.cell.next(self.side));
        let front = self.cell.normal?;
        let surface = (from.normal + to.normal).normalize_or_zero();
        let miter = if surface.dot(front) < MIN_MITER {
            front
        } else {
            surface
        };
        Some(walls.across(miter, front))
    }

    /// Outward normal of the side plane. Neighbors get the same one, turned around.
    fn normal(&self, walls: Walls) -> Option<DVec3> {
        let (from, to) = (&self.cell.corners[self.side], self.cell.next(self.side));
        let outward = (to.point - from.point).cross(self.wall(walls)?);
        let outward = outward.try_normalize()?;
        Some(if self.cell.counterclockwise {
            outward
        } else {
            -outward
        })
    }

    /// Whether the surface turns toward its visible side here.
    fn is_concave(&self, neighbor: &PatchCell) -> bool {
        let from = self.cell.corners[self.side].point;
        self.cell
            .normal
            .is_some_and(|normal| normal.dot(neighbor.center() - from) > 0.0)
    }
}
