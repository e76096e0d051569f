//! The floors where agents come down that fall or jump over an edge: a way over the edge in; the parts of it over which
//! a link is of use out. If a walk straight on or back from where agents come down leads to another floor, a link to
//! that floor over the same part of the edge would only make files larger and searches longer.

use onion_format::LinkRecord;
use onion_runtime::navigation::LinkKind;

use super::ground::Ground;
use super::line::{Part, common, part_of, without};
use super::way::Way;
use crate::tolerance::{FROM_END, LANDING};

/// The floors that agents get to over an edge.
pub(super) struct Landings<'g> {
    /// The walking links of all floors.
    walks: &'g [Vec<LinkRecord>],
    found: Vec<Landing>,
}

/// A floor that agents get to over a part of the edge: they come down on it, or walk straight to it from there.
#[derive(Clone, Copy)]
struct Landing {
    floor: u32,
    part: Part,
    /// How they leave the edge.
    kind: LinkKind,
}

impl<'g> Landings<'g> {
    /// Returns no landings, given the walking links of all floors.
    pub(super) fn new(walks: &'g [Vec<LinkRecord>]) -> Self {
        let found = Vec::new();
        Self { walks, found }
    }

    /// Returns whether agents get to a floor over any part of the edge.
    pub(super) fn have(&self, floor: u32) -> bool {
        self.found.iter().any(|landing| landing.floor == floor)
    }

    /// Adds the landings of links that were found for a way.
    pub(super) fn add(&mut self, way: &Way<'_, '_>, links: &[LinkRecord]) {
        self.found.extend(links.iter().map(|link| Landing {
            floor: link.to(),
            part: widened(way, part_of(link), 2.0 * FROM_END),
            kind: way.kind,
        }));
    }

    /// Returns what of some parts of the edge is left for a way: where agents do not get to its floor yet. Adds its
    /// floor to the landings where a straight walk leads to it.
    pub(super) fn left(
        &mut self,
        ground: &Ground<'_>,
        way: &Way<'_, '_>,
        parts: Vec<Part>,
    ) -> Vec<Part> {
        let to = way.to.floor.number;
        let own = self.found.iter().filter(|landing| landing.floor == to);
        let open = own.fold(parts, |parts, landing| without(parts, landing.part));
        let mut left = open.clone();
        for walked in self.walked(ground, way) {
            for part in open.iter().filter_map(|&part| common(part, walked.part)) {
                left = without(left, part);
                self.found.push(Landing { part, ..walked });
            }
        }
        left
    }

    /// Returns the floor of a way as a landing where a straight walk leads to it from another one.
    fn walked(&self, ground: &Ground<'_>, way: &Way<'_, '_>) -> Vec<Landing> {
        let to = way.to.floor.number;
        // Agents that can drop need not jump.
        let kinds = [way.kind, LinkKind::Drop];
        let others = self
            .found
            .iter()
            .filter(|landing| landing.floor != to && kinds.contains(&landing.kind));
        let walked = others.flat_map(|&landing| {
            let floor = ground.index(landing.floor);
            let links = self.walks[floor].iter().filter(|link| link.to() == to);
            links.filter_map(move |link| {
                let ends = [0.0, 1.0].map(|end| ground.floors[floor].place(link, end));
                let [a, b] = ends.map(|end| way.line.part_at(end));
                let part = common(landing.part, [a.min(b), a.max(b)])?;
                // Landings keep away from the edges of floors.
                let part = widened(way, part, LANDING);
                Some(Landing {
                    floor: to,
                    part,
                    ..landing
                })
            })
        });
        walked.collect()
    }
}

/// Returns a part that is longer at both ends, by a length in units.
fn widened(way: &Way<'_, '_>, [start, end]: Part, by: f64) -> Part {
    let by = by / way.line.length;
    [start - by, end + by]
}
