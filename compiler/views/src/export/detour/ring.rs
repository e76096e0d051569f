//! The outline of a floor as a ring of corners, to which corners are added where links begin and end and where
//! neighbors have corners, so that each edge leads to one floor only.

use glam::{DVec2, DVec3};

use crate::tolerance::{SAME_CORNER, SAME_LINE};

/// The outline of a floor.
#[derive(Clone, Debug)]
pub(super) struct Ring {
    /// The corners, counterclockwise as seen from above, where feet are.
    pub corners: Vec<DVec3>,
    /// For each edge, from its corner to the next one, the number of the floor that it leads to.
    pub leads: Vec<Option<usize>>,
}

impl Ring {
    pub(super) fn new(corners: Vec<DVec3>) -> Self {
        Self {
            leads: vec![None; corners.len()],
            corners,
        }
    }

    /// Returns the ends of an edge, as seen from above.
    pub(super) fn edge(&self, number: usize) -> [DVec2; 2] {
        let next = (number + 1) % self.corners.len();
        [number, next].map(|corner| self.corners[corner].truncate())
    }

    /// Adds a corner at a place on an edge; not if the place is on no edge, or at a corner.
    pub(super) fn add(&mut self, place: DVec2) {
        let is_corner = |corner: &DVec3| corner.truncate().distance(place) < SAME_CORNER;
        if self.corners.iter().any(is_corner) {
            return;
        }
        // Of slivers, two edges may be near: the nearer one counts.
        let off = |edge: usize| {
            let [from, to] = self.edge(edge);
            (place - from)
                .perp_dot((to - from).normalize_or_zero())
                .abs()
        };
        let edges = (0..self.corners.len()).filter(|&edge| part(self.edge(edge), place).is_some());
        let Some(edge) = edges.min_by(|&one, &other| off(one).total_cmp(&off(other))) else {
            return;
        };
        let next = (edge + 1) % self.corners.len();
        let part = part(self.edge(edge), place).unwrap_or_default();
        let corner = self.corners[edge].lerp(self.corners[next], part);
        self.corners.insert(edge + 1, corner);
        self.leads.insert(edge + 1, None);
    }

    /// Lets the edges along a line lead to a floor, except for those that lead to one already. Whether any edge leads
    /// there now.
    pub(super) fn lead(&mut self, [from, to]: [DVec2; 2], floor: usize) -> bool {
        let mut leads = false;
        for edge in 0..self.corners.len() {
            let [a, b] = self.edge(edge);
            let is_along =
                part([from, to], (a + b) / 2.0).is_some() && (b - a).dot(to - from) > 0.0;
            let is_free = self.leads[edge].is_none_or(|other| other == floor);
            if is_along && is_free {
                self.leads[edge] = Some(floor);
                leads = true;
            }
        }
        leads
    }
}

/// Returns the part of a segment at which a place is on it, from 0 to 1; `None` if it is not on the segment.
pub(super) fn part([from, to]: [DVec2; 2], place: DVec2) -> Option<f64> {
    let along = to - from;
    let length = along.length();
    if length < SAME_CORNER {
        return None;
    }
    let part = (place - from).dot(along) / (length * length);
    let off = (place - from).perp_dot(along).abs() / length;
    let is_on = off < SAME_LINE && (0.0..=1.0).contains(&part);
    is_on.then_some(part)
}
