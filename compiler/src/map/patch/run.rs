//! A run is a group of cells for which one convex piece stands: behind a few planes, each of which supports
//! the points that the run shares with others. It is made only if it is proven to keep within the error.

use glam::DVec3;

use super::mesh::{Cell, Corner};
use crate::geometry::{Plane, grid};
use crate::tolerance::OVERLAP;

/// Thickness of a piece behind the points of its border, in units.
const THICKNESS: f64 = 1.0;

/// Least cosine between a cell's normal and the surface normal at its edge for which it is
/// mitered; beyond 60 degrees a mitered side would be longer than the cell is wide.
const MIN_MITER: f64 = 0.5;

/// Part of the error that a piece may reach over a side that it shares with another piece.
const SIDEWAYS: f64 = 1.0 / 16.0;

/// Part of the error that a piece reaches into its neighbor where the surface turns toward its visible side: behind
/// the neighbor, nobody meets it, and no step is left where their fronts end at different heights.
const BURIED: f64 = 0.25;

/// A side of a run's outline.
#[derive(Clone, Copy)]
pub struct Outline<'a> {
    /// The cell that it bounds.
    pub cell: &'a Cell,
    /// Its side.
    pub side: usize,
    /// The cell on the other side, if there is one.
    pub neighbor: Option<&'a Cell>,
}

/// Cells that may become one piece.
pub struct Run<'a> {
    /// The cells; at least one.
    pub cells: Vec<&'a Cell>,
    /// The sides around them.
    pub outline: Vec<Outline<'a>>,
    /// The points that the piece contains: those that it shares with others, and as many behind them.
    points: Vec<DVec3>,
    /// Mean unit normal; zero if no cell has an extent.
    middle: DVec3,
}

/// What a piece has behind it: the points where the product with a normal is at most `dist`.
#[derive(Clone, Copy)]
struct Bound {
    normal: DVec3,
    dist: f64,
}

impl Bound {
    /// How far a curve or surface with these control points is behind, at most.
    fn gap(&self, control: &[DVec3]) -> f64 {
        let products = control.iter().map(|point| self.normal.dot(*point));
        self.dist - products.fold(f64::INFINITY, f64::min)
    }
}

impl<'a> Run<'a> {
    /// A run of cells with these sides around them.
    pub fn new(cells: Vec<&'a Cell>, outline: Vec<Outline<'a>>) -> Self {
        let weighed = cells.iter().filter_map(|cell| {
            let normal = cell.normal?;
            Some(normal * (cell.area + OVERLAP))
        });
        let middle = weighed.sum::<DVec3>().normalize_or_zero();
        Self {
            points: points(&outline, middle),
            middle: coarse(middle),
            cells,
            outline,
        }
    }

    /// A run of one cell whose neighbors are not known.
    pub fn alone(cell: &'a Cell) -> Self {
        let outline = (0..cell.corners.len()).map(|side| Outline {
            cell,
            side,
            neighbor: None,
        });
        Self::new(vec![cell], outline.collect())
    }

    /// By how much a cell and its sides on the border miss the error, in units; not above 0 if they keep
    /// within it.
    pub fn excess(&self, error: f64) -> f64 {
        let error = error * (1.0 - SIDEWAYS);
        let cells = self.cells.iter();
        let fronts =
            cells.filter_map(|cell| Some(self.bound(cell.normal?, error).gap(&cell.control)));
        let sides = self.outline.iter().filter_map(|side| {
            let curve = side.cell.borders[side.side].as_ref()?;
            Some(self.bound(side.normal()?, error).gap(curve))
        });
        fronts.chain(sides).fold(0.0, f64::max) - error
    }

    /// The planes of the piece; none if it does not keep within the error, or has no extent.
    pub fn piece(&self, error: f64) -> Option<Vec<Plane>> {
        let depth = self.extent(self.middle)?;
        if depth > 2.0 * error + THICKNESS {
            return None;
        }
        let fronts = self.fronts(error * (1.0 - SIDEWAYS))?;
        let sides = self.sides(error)?;
        self.planes(&[fronts, sides].concat())
    }

    /// The planes of a piece with a plane for each cell and side, whatever the error.
    pub fn forced(&self) -> Option<Vec<Plane>> {
        let fronts = self.cells.iter().filter_map(|cell| cell.normal);
        let sides = self.outline.iter().filter_map(Outline::normal);
        let bounds: Vec<Bound> = fronts
            .chain(sides)
            .map(|normal| self.bound(normal, f64::INFINITY))
            .collect();
        self.extent(self.middle)?;
        self.planes(&bounds)
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
                let covers =
                    |cell: &&Cell| cell.normal.is_none() || bound.gap(&cell.control) <= error;
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

    /// Side bounds, so few that each side of the outline lies near to one of them.
    fn sides(&self, error: f64) -> Option<Vec<Bound>> {
        let mut chosen: Vec<Bound> = Vec::new();
        for side in &self.outline {
            let (curve, allowed, beyond) = side.allowance(error);
            let is_near = |bound: &Bound| bound.gap(&curve) <= allowed;
            if chosen.iter().any(is_near) {
                continue;
            }
            let Some(normal) = side.normal() else {
                continue;
            };
            let mut bound = self.bound(normal, error * (1.0 - SIDEWAYS));
            if !is_near(&bound) {
                return None;
            }
            bound.dist += beyond;
            chosen.push(bound);
        }
        Some(chosen)
    }

    /// The exact planes of a piece.
    fn planes(&self, bounds: &[Bound]) -> Option<Vec<Plane>> {
        let supporting = |normal: DVec3, outward: f64| {
            let moved = self
                .points
                .iter()
                .map(|&point| (point + normal * outward).to_array());
            Plane::supporting(normal, moved.map(|point| point.map(grid::point)))
        };
        let outward = |bound: &Bound| bound.gap(&[self.farthest(bound.normal)]);
        let mut planes: Vec<Plane> = bounds
            .iter()
            .map(|bound| supporting(bound.normal, outward(bound)))
            .collect::<Option<_>>()?;
        planes.push(supporting(-self.middle, 0.0)?);
        // Planes a little away from the piece: they close slivers whose sides are all but parallel.
        for normal in DVec3::AXES.iter().flat_map(|&axis| [-axis, axis]) {
            planes.push(supporting(normal, 2.0 * THICKNESS)?);
        }
        Some(planes)
    }

    fn farthest(&self, normal: DVec3) -> DVec3 {
        let points = self.points.iter().copied();
        let farthest = points.max_by(|a, b| a.dot(normal).total_cmp(&b.dot(normal)));
        farthest.unwrap_or_default()
    }
}

/// The points of an outline and as many behind them.
fn points(outline: &[Outline], middle: DVec3) -> Vec<DVec3> {
    let behind = |point: DVec3, normal: DVec3| point - normal.normalize_or(middle) * THICKNESS;
    let mut points = Vec::new();
    for Outline { cell, side, .. } in outline {
        let ends: [&Corner; 2] = [&cell.corners[*side], cell.next(*side)];
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

impl Outline<'_> {
    /// Control points of the side, how far a bound may be from it, and how far the piece reaches beyond it.
    fn allowance(&self, error: f64) -> (Vec<DVec3>, f64, f64) {
        let sideways = error * SIDEWAYS;
        if let Some(curve) = &self.cell.borders[self.side] {
            return (curve.to_vec(), error - sideways, OVERLAP);
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

    /// Outward normal of the side plane. Neighbors get the same one, turned around.
    fn normal(&self) -> Option<DVec3> {
        let (from, to) = (&self.cell.corners[self.side], self.cell.next(self.side));
        let front = self.cell.normal?;
        let surface = (from.normal + to.normal).normalize_or_zero();
        let miter = if surface.dot(front) < MIN_MITER {
            front
        } else {
            surface
        };
        let outward = (to.point - from.point).cross(miter).try_normalize()?;
        Some(if self.cell.counterclockwise {
            outward
        } else {
            -outward
        })
    }

    /// Whether the surface turns toward its visible side here.
    fn is_concave(&self, neighbor: &Cell) -> bool {
        let from = self.cell.corners[self.side].point;
        self.cell
            .normal
            .is_some_and(|normal| normal.dot(neighbor.center() - from) > 0.0)
    }
}

/// A normal on the grid of patches.
fn coarse(normal: DVec3) -> DVec3 {
    let one = grid::NORMAL_ONE as f64;
    DVec3::from_array(
        normal
            .to_array()
            .map(|component| grid::coarse_normal_component(component) as f64 / one),
    )
}
