//! The floors of one class of agents, with a tree of the boxes around them (Guttman's R-tree, in the crate `rstar`),
//! and the driver of its agents.

use onion_runtime::OnionMap;
use onion_runtime::navigation::AgentClass;
use rstar::primitives::{GeomWithData, Rectangle};
use rstar::{AABB, RTree};

use super::drive::Driver;
use super::line::Place;
use super::piece::Piece;
use crate::floors::triggers::Volumes;

/// The floors of a class of agents.
pub(super) struct Ground<'a> {
    pub(super) floors: Vec<Piece<'a>>,
    pub(super) driver: Driver<'a>,
    /// Height of the tallest stance, in units.
    pub(super) tallest: f64,
    boxes: RTree<GeomWithData<Rectangle<[f64; 3]>, usize>>,
}

impl<'a> Ground<'a> {
    pub(super) fn new<D: AsRef<[u8]>>(
        map: &'a OnionMap<D>,
        class: AgentClass,
        volumes: &'a Volumes,
    ) -> Self {
        let own = map
            .hulls()
            .filter(|hull| class.hulls.contains(hull.id.index()));
        let floors = own.flat_map(|hull| {
            let floors = map.floors(hull.id);
            floors.map(move |floor| Piece::new(&hull, floor, &volumes.triggers))
        });
        let floors = Vec::from_iter(floors);
        let tallest = floors.iter().map(|piece| piece.tall).fold(0.0, f64::max);
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
                views: map.hulls().map(|hull| map.world().view(hull.id)).collect(),
                class,
                volumes,
            },
            floors,
            tallest,
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
        let mut there = self.near(&[place], [height - step, height + step]);
        there.any(|piece| piece.hull == from.hull && piece.floor.contains(place))
    }

    /// Returns the floors whose boxes touch the box around some places between two heights, in their order.
    pub(super) fn near<'g>(
        &'g self,
        places: &[Place],
        [low, high]: [f64; 2],
    ) -> impl Iterator<Item = &'g Piece<'a>> + use<'g, 'a> {
        let corners = places
            .iter()
            .flat_map(|&[x, y]| [[x, y, low], [x, y, high]]);
        let around = AABB::from_points(&Vec::from_iter(corners));
        let found = self.boxes.locate_in_envelope_intersecting(around);
        let mut found = Vec::from_iter(found.map(|found| found.data));
        found.sort_unstable();
        found.into_iter().map(|number| &self.floors[number])
    }
}
