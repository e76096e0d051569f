//! A spatial index finds, among many boxes, those that touch a box or contain a point. It returns their numbers in
//! order, so results do not depend on the layout of the index.

use glam::DVec3;
use rstar::primitives::{GeomWithData, Rectangle};
use rstar::{AABB, RTree};

use crate::Bounds;

/// An index that finds boxes by position.
#[derive(Clone, Debug)]
pub struct SpatialIndex(RTree<Numbered>);

/// A box and its number.
type Numbered = GeomWithData<Rectangle<[f64; 3]>, u32>;

impl SpatialIndex {
    /// Builds an index over boxes, numbered in order.
    pub fn new(boxes: impl Iterator<Item = Bounds>) -> Self {
        let items = (0..)
            .zip(boxes)
            .map(|(number, bounds)| numbered(number, &bounds));
        Self(RTree::bulk_load(items.collect()))
    }

    /// Adds a box with a number of its own.
    pub fn insert(&mut self, number: u32, bounds: &Bounds) {
        self.0.insert(numbered(number, bounds));
    }

    /// Removes the box with a number.
    pub fn remove(&mut self, number: u32, bounds: &Bounds) {
        self.0.remove(&numbered(number, bounds));
    }

    /// Returns the numbers of the boxes that touch a box, in ascending order.
    pub fn touching(&self, bounds: &Bounds) -> Vec<u32> {
        let [mins, maxs] = [bounds.mins, bounds.maxs].map(|corner| corner.to_array());
        let envelope = AABB::from_corners(mins, maxs);
        let found = self.0.locate_in_envelope_intersecting(envelope);
        let mut numbers: Vec<u32> = found.map(|item| item.data).collect();
        numbers.sort_unstable();
        numbers
    }

    /// Returns the numbers of the boxes that hold a point, in ascending order. The point may be off by the margin of
    /// [`Bounds::around`].
    pub fn around(&self, point: DVec3) -> Vec<u32> {
        self.touching(&Bounds::around([point].into_iter()))
    }
}

fn numbered(number: u32, bounds: &Bounds) -> Numbered {
    let [mins, maxs] = [bounds.mins, bounds.maxs].map(|corner| corner.to_array());
    GeomWithData::new(Rectangle::from_corners(mins, maxs), number)
}
