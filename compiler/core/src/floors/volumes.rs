//! Part of stage 5, floors: volumes that stop nothing, such as triggers, water and ladders. Brushes go in; where the
//! origin of an agent is that touches them comes out, for each hull: the brushes, expanded like those of the world.

use glam::DVec3;
use onion_geometry::{Bounds, Cell, PlaneId, PlaneSet};

use crate::brush::ModelBrushes;
use crate::expand;
use crate::hull::HullSpec;
use crate::id::HullIndex;

/// The union of some brushes.
#[derive(Clone, Debug, Default)]
pub struct Volume {
    /// For each hull, the positions of an agent's origin at which the agent touches a brush.
    regions: Vec<Vec<Region>>,
}

/// A brush, expanded.
#[derive(Clone, Debug)]
struct Region {
    sides: Vec<PlaneId>,
    /// Outward unit normal of each side, and its distance from the origin in units.
    faces: Vec<(DVec3, f64)>,
    bounds: Bounds,
}

impl Region {
    fn new(cell: &Cell, planes: &PlaneSet) -> Self {
        let faces = cell
            .planes()
            .map(|side| (planes[side].normal, planes[side].dist));
        Self {
            sides: cell.planes().collect(),
            faces: faces.collect(),
            bounds: cell.bounds(),
        }
    }

    /// Returns whether a segment, or a point if both ends are equal, passes through the region (Cyrus and Beck, 1978).
    fn is_touched(&self, [from, to]: [DVec3; 2]) -> bool {
        let [mut start, mut end] = [0.0, 1.0];
        for (normal, dist) in &self.faces {
            match [from, to].map(|at| normal.dot(at) - dist) {
                [a, b] if a >= 0.0 && b >= 0.0 => return false,
                [a, b] if a >= 0.0 => start = f64::max(start, a / (a - b)),
                [a, b] if b >= 0.0 => end = f64::min(end, a / (a - b)),
                _ => {}
            }
        }
        start < end
    }

    /// Returns how far above a point the region ends, in units; `None` if the point is not in it or on its border.
    fn above(&self, point: DVec3) -> Option<f64> {
        let mut above = f64::INFINITY;
        for (normal, dist) in &self.faces {
            let depth = dist - normal.dot(point);
            if depth < 0.0 {
                return None;
            }
            if normal.z > 0.0 {
                above = above.min(depth / normal.z);
            }
        }
        Some(above)
    }
}

impl Volume {
    /// Returns the volume of those brushes that the contents of each hull block, and adds planes to the set.
    pub fn new(brushes: &ModelBrushes, hulls: &[HullSpec], planes: &mut PlaneSet) -> Self {
        let (_, cells) = expand::expand_model(brushes, hulls, planes);
        let mut regions = Vec::new();
        for cells in &cells {
            regions.push(cells.iter().map(|cell| Region::new(cell, planes)).collect());
        }
        Self { regions }
    }

    /// Adds the brushes of another volume, for the same hulls.
    pub fn add(&mut self, other: Self) {
        let both = self.regions.iter_mut().zip(other.regions);
        both.for_each(|(own, other)| own.extend(other));
    }

    /// Returns whether a hull touches it nowhere.
    pub fn is_empty(&self, hull: usize) -> bool {
        self.of_hull(hull).next().is_none()
    }

    /// Returns the sides of its brushes for a hull, facing outward, and the box around each.
    pub fn brushes(&self, hull: HullIndex) -> impl Iterator<Item = (&[PlaneId], &Bounds)> {
        let regions = self.of_hull(hull.index());
        regions.map(|region| (&region.sides[..], &region.bounds))
    }

    /// Returns whether an agent of a hull touches the volume while its origin moves along a segment, given by its two
    /// ends in units. Both ends may be the same.
    pub fn is_touched(&self, hull: usize, way: [[f64; 3]; 2]) -> bool {
        let way = way.map(DVec3::from_array);
        let around = Bounds::of(way.into_iter());
        let mut near = self
            .of_hull(hull)
            .filter(|region| region.bounds.touches(&around));
        near.any(|region| region.is_touched(way))
    }

    /// Returns whether a box touches the box around one of its brushes for a hull.
    pub fn touches(&self, hull: usize, around: &Bounds) -> bool {
        self.of_hull(hull)
            .any(|region| region.bounds.touches(around))
    }

    /// Returns how far an agent of a hull at a position can rise without leaving the volume, in units; 0 if it is not
    /// in it.
    pub fn above(&self, hull: usize, position: [f64; 3]) -> f64 {
        let position = DVec3::from_array(position);
        let mut above = 0.0;
        loop {
            let point = position + DVec3::Z * above;
            let higher = self.of_hull(hull).filter_map(|region| region.above(point));
            // A height below rounding adds nothing.
            let next = above + higher.fold(0.0, f64::max);
            if next <= above {
                return above;
            }
            above = next;
        }
    }

    fn of_hull(&self, hull: usize) -> impl Iterator<Item = &Region> {
        self.regions.get(hull).into_iter().flatten()
    }
}
