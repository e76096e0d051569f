//! Determines where the lines of sight of a picture begin: at the cut, or in front of the whole map. In the view from
//! above, a line of sight begins on the highest floor that an agent reaches on foot, so that roofs and beams do not
//! hide the floors where agents are. Where no agent walks, it begins above the map if unreachable space is filled;
//! otherwise it would show only the outside of the map.

use std::ops::ControlFlow;

use glam::DVec3;
use onion_runtime::{Hull, HullId, OnionMap, Transition};

use super::view::View;
use crate::floors::{self, Floors, JUMP, STEP};
use crate::sample_grid::SampleGrid;

/// Heights above a floor at which a line of sight may begin, in units: the larger ones exceed the height that an agent
/// climbs between two points of the grid.
const LIFTS: [f64; 3] = [1.0, STEP, JUMP];

/// The beginning of the lines of sight of a picture, for a hull.
#[derive(Clone, Debug)]
pub struct Eye {
    /// The hull whose surfaces are seen.
    pub hull: HullId,
    /// For each point of a grid, the heights of the highest floors to which an agent walks, among the point and its
    /// neighbors and at the point itself; `None` if an agent walks nowhere.
    walked: Option<(SampleGrid, Vec<[Option<f64>; 2]>)>,
    /// Whether a line of sight may begin where no agent walks.
    is_everywhere: bool,
}

impl Eye {
    /// Creates an eye whose lines of sight begin at the cut, or in front of the whole map.
    pub fn outside(hull: &Hull<'_>) -> Self {
        Self {
            hull: hull.id,
            walked: None,
            is_everywhere: true,
        }
    }

    /// Creates an eye whose lines of sight begin above the floors where agents walk from some positions.
    pub fn above<D: AsRef<[u8]> + Sync>(
        map: &OnionMap<D>,
        hull: &Hull<'_>,
        from: &[DVec3],
    ) -> Self {
        let grid = floors::grid_over(map);
        let floors = Floors::of(map, hull, &grid);
        let walked = floors.walked(map, hull.id, &grid, from);
        let is_somewhere = walked.iter().any(Option::is_some);
        let around = (0..walked.len()).map(|cell| {
            let near = grid.around(cell, 1).filter_map(|other| walked[other]);
            [near.reduce(f64::max), walked[cell]]
        });
        let walked = around.collect();
        Self {
            hull: hull.id,
            walked: is_somewhere.then_some((grid, walked)),
            is_everywhere: hull.filled || !is_somewhere,
        }
    }

    /// Returns the line of sight through a point of the view's nearest plane, or `None` if there is nothing to show.
    pub fn look<D: AsRef<[u8]>>(
        &self,
        map: &OnionMap<D>,
        view: &View,
        place: DVec3,
    ) -> Option<[DVec3; 2]> {
        let end = place - view.sight.toward_eye() * view.depth();
        let floor = self.walked.as_ref().and_then(|(grid, walked)| {
            let floors = walked[grid.cell(place)?].into_iter().flatten();
            let mut starts = floors.flat_map(|z| LIFTS.map(|lift| place.with_z(z + lift)));
            starts.find(|start| !map.world().is_solid(self.hull, start.to_array()))
        });
        let start = floor.or(self.is_everywhere.then_some(place));
        Some([start?, end])
    }

    /// Whether the line of sight through a point is not solid all the way.
    pub fn is_open<D: AsRef<[u8]>>(&self, map: &OnionMap<D>, view: &View, place: DVec3) -> bool {
        let Some(ends) = self.look(map, view, place) else {
            return false;
        };
        let [start, end] = ends.map(|end| end.to_array());
        let mut is_open = false;
        map.world()
            .transitions(self.hull, start, end, |transition| {
                is_open = !matches!(transition, Transition::Solid);
                ControlFlow::Break(())
            });
        is_open
    }
}
