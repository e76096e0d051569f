//! A floor of the file with what the search for links looks up often: its corners as seen from above, its edges, and
//! whether it is too narrow to count.

use onion_format::LinkRecord;
use onion_runtime::navigation::Floor;
use onion_runtime::{Hull, HullId};

use super::line::{Line, Place, part_of};
use crate::floors::triggers::Trigger;
use crate::tolerance::{BESIDE, FROM_END};

/// A floor, and what is looked up often.
pub(super) struct Piece<'a> {
    pub(super) floor: Floor<'a>,
    pub(super) hull: HullId,
    /// Height of the feet above the hull's origin, in units.
    pub(super) feet: f64,
    /// Height of the hull, in units.
    pub(super) tall: f64,
    /// Its corners as seen from above, counterclockwise.
    pub(super) corners: Vec<Place>,
    /// The mean of its corners.
    pub(super) center: Place,
    /// The index of the trigger that an agent on it touches.
    pub(super) trigger: Option<usize>,
    /// If a lift takes agents up from it, the link.
    pub(super) lift: Option<LinkRecord>,
    /// The least distance between two parallel lines around it, in units.
    width: f64,
}

impl<'a> Piece<'a> {
    /// Returns a floor of a hull, given the triggers of the map. Its lift is found later.
    pub(super) fn new(hull: &Hull<'_>, floor: Floor<'a>, triggers: &[Trigger]) -> Self {
        let corners = Vec::from_iter(floor.corners().map(|[x, y, _]| [x, y]));
        let sum = |axis: usize| {
            corners
                .iter()
                .map(|corner: &Place| corner[axis])
                .sum::<f64>()
        };
        let center = [0, 1].map(|axis| sum(axis) / corners.len() as f64);
        // Floors end at the borders of triggers.
        let middle = [center[0], center[1], floor.height(center)];
        let mut numbered = triggers.iter();
        Self {
            floor,
            hull: hull.id,
            feet: f64::from(hull.bounds.mins[2]),
            tall: f64::from(hull.bounds.maxs[2] - hull.bounds.mins[2]),
            center,
            trigger: numbered
                .position(|trigger| trigger.volume.is_touched(hull.id.index(), [middle; 2])),
            lift: None,
            width: width(&corners),
            corners,
        }
    }

    /// Returns whether only the game takes agents on from it: it is in a trigger, or under a lift.
    pub(super) fn takes_along(&self) -> bool {
        self.trigger.is_some() || self.lift.is_some()
    }

    /// Returns half of its width, in units.
    pub(super) fn half_width(&self) -> f64 {
        self.width / 2.0
    }

    /// Returns whether it is so narrow that agents do not stop on it.
    pub(super) fn is_sliver(&self) -> bool {
        self.width < BESIDE
    }

    /// Returns whether all of its edges are shorter than a unit. Links lead over every edge of such a floor.
    pub(super) fn is_speck(&self) -> bool {
        self.lines().all(|line| line.length < 8.0 * FROM_END)
    }

    /// Returns how far behind an edge an agent comes that leaves over it, in units: within the floor.
    pub(super) fn run_up(&self) -> f64 {
        FROM_END.min(self.half_width())
    }

    /// Returns its edges. A file numbers the first 2^16 of them; no map comes near.
    pub(super) fn lines(&self) -> impl Iterator<Item = Line> {
        let next = self.corners.iter().cycle().skip(1);
        let edges = (0..=u16::MAX).zip(self.corners.iter().zip(next));
        edges.filter_map(|(number, (&right, &left))| Line::new(number, right, left))
    }

    /// Returns a place on the line of a link over one of its edges: at 0 the right end, at 1 the left end.
    pub(super) fn place(&self, link: &LinkRecord, part: f64) -> Place {
        let start = usize::from(link.edge);
        let [a, b] = [start, (start + 1) % self.corners.len()].map(|corner| self.corners[corner]);
        let [right, left] = part_of(link);
        let part = right + (left - right) * part;
        [0, 1].map(|axis| a[axis] + (b[axis] - a[axis]) * part)
    }

    /// Returns the height of an agent's feet on it, in units.
    pub(super) fn height(&self, place: Place) -> f64 {
        self.floor.height(place) + self.feet
    }
}

/// Returns the width of a convex polygon: the least distance between two parallel lines around it.
fn width(corners: &[Place]) -> f64 {
    let next = corners.iter().cycle().skip(1);
    let lines = corners
        .iter()
        .zip(next)
        .filter_map(|(&right, &left)| Line::new(0, right, left));
    let depths = lines.map(|line| -line.distances(corners)[0]);
    depths.fold(f64::INFINITY, f64::min)
}
