//! The floors of one class of agents, with a tree of the boxes around them.

use onion_format::{LinkRecord, WHOLE_EDGE};
use onion_runtime::navigation::{AgentClass, Floor};
use onion_runtime::{HullId, OnionMap};
use rstar::primitives::{GeomWithData, Rectangle};
use rstar::{AABB, RTree};

use super::drive::Driver;
use super::line::{Line, Place};
use crate::tolerance::BESIDE;

/// A floor, and what is looked up often.
pub(super) struct Piece<'a> {
    pub(super) floor: Floor<'a>,
    pub(super) hull: HullId,
    /// Height of the feet above the hull's origin, in units.
    pub(super) feet: f64,
    /// Its corners as seen from above, counterclockwise.
    pub(super) corners: Vec<Place>,
    /// The mean of its corners.
    pub(super) center: Place,
    /// Whether it is narrower than [`BESIDE`].
    pub(super) is_sliver: bool,
}

impl Piece<'_> {
    /// Returns its edges. A file numbers the first 2^16 of them; no map comes near.
    pub(super) fn lines(&self) -> impl Iterator<Item = Line> {
        let next = self.corners.iter().cycle().skip(1);
        let edges = (0..=u16::MAX).zip(self.corners.iter().zip(next));
        edges.filter_map(|(number, (&right, &left))| Line::new(number, right, left))
    }

    /// Returns the middle of the part of its edge that a link leads over.
    pub(super) fn middle(&self, link: &LinkRecord) -> Place {
        let start = usize::from(link.edge);
        let [a, b] = [start, (start + 1) % self.corners.len()].map(|corner| self.corners[corner]);
        let sum = f64::from(link.part[0]) + f64::from(link.part[1]);
        let part = sum / 2.0 / f64::from(WHOLE_EDGE);
        [0, 1].map(|axis| a[axis] + (b[axis] - a[axis]) * part)
    }

    /// Returns the height of an agent's feet on it, in units.
    pub(super) fn height(&self, place: Place) -> f64 {
        self.floor.height(place) + self.feet
    }
}

/// The floors of a class of agents.
pub(super) struct Ground<'a> {
    pub(super) floors: Vec<Piece<'a>>,
    pub(super) driver: Driver<'a>,
    boxes: RTree<GeomWithData<Rectangle<[f64; 3]>, usize>>,
}

impl<'a> Ground<'a> {
    pub(super) fn new<D: AsRef<[u8]>>(map: &'a OnionMap<D>, class: AgentClass) -> Self {
        let own = map
            .hulls()
            .filter(|hull| class.hulls.contains(hull.id.index()));
        let floors = own.flat_map(|hull| {
            let feet = f64::from(hull.bounds.mins[2]);
            map.floors(hull.id).map(move |floor| {
                let corners = Vec::from_iter(floor.corners().map(|[x, y, _]| [x, y]));
                let sum = |axis: usize| corners.iter().map(|corner| corner[axis]).sum::<f64>();
                let center = [0, 1].map(|axis| sum(axis) / corners.len() as f64);
                let hull = hull.id;
                let is_sliver = width(&corners) < BESIDE;
                Piece {
                    floor,
                    hull,
                    feet,
                    corners,
                    center,
                    is_sliver,
                }
            })
        });
        let floors = Vec::from_iter(floors);
        let boxes = floors.iter().enumerate().map(|(number, piece)| {
            let corners = piece
                .corners
                .iter()
                .map(|&[x, y]| [x, y, piece.height([x, y])]);
            let corners = Vec::from_iter(corners);
            let rectangle = Rectangle::from_aabb(AABB::from_points(&corners));
            GeomWithData::new(rectangle, number)
        });
        Self {
            boxes: RTree::bulk_load(boxes.collect()),
            driver: Driver {
                world: map.world(),
                class,
            },
            floors,
        }
    }

    /// Returns the index of the floor with a number in the file among those of the class, to which it belongs.
    pub(super) fn index(&self, floor: u32) -> usize {
        self.floors
            .partition_point(|piece| piece.floor.number < floor)
    }

    /// Whether a floor of the same hull is at a place, no more than a step from the height of another floor there.
    pub(super) fn has_floor(&self, from: &Piece<'_>, place: Place, step: f64) -> bool {
        let height = from.height(place);
        let mut there = self.near([place; 2], [height - step, height + step]);
        there.any(|piece| piece.hull == from.hull && piece.floor.contains(place))
    }

    /// Returns the floors whose boxes touch the box around some places, from `heights[0]` to `heights[1]`, in their
    /// order.
    pub(super) fn near(
        &self,
        places: [Place; 2],
        heights: [f64; 2],
    ) -> impl Iterator<Item = &Piece<'a>> {
        let corners = [0, 1].map(|end: usize| [places[end][0], places[end][1], heights[end]]);
        let found = self
            .boxes
            .locate_in_envelope_intersecting(AABB::from_points(&corners));
        let mut found = Vec::from_iter(found.map(|found| found.data));
        found.sort_unstable();
        found.into_iter().map(|number| &self.floors[number])
    }
}

/// Returns the width of a convex polygon: the least distance between two parallel lines around it.
fn width(corners: &[Place]) -> f64 {
    let next = corners.iter().cycle().skip(1);
    let lines = corners
        .iter()
        .zip(next)
        .filter_map(|(&right, &left)| Line::new(0, right, left));
    let depths = lines.map(|line| {
        let [x, y] = line.outward;
        let depth = |at: &Place| (line.right[0] - at[0]) * x + (line.right[1] - at[1]) * y;
        corners.iter().map(depth).fold(0.0, f64::max)
    });
    depths.fold(f64::INFINITY, f64::min)
}
