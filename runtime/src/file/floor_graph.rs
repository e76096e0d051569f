//! The graph of a file's floors and links, for path searches. It slices the chunks once; given the number of a floor,
//! it returns the corners of the floor and the links that leave it.

use onion_format::{
    FloorCornerRecord, FloorLinksRecord, FloorPlaceRecord, FloorRecord, LinkRecord,
};

use crate::file::records::Records;
use crate::file::view::View;

/// The chunks of floors and links.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FloorGraph<'a> {
    floors: Records<'a, FloorRecord>,
    corners: Records<'a, FloorCornerRecord>,
    places: Records<'a, FloorPlaceRecord>,
    /// For each floor, where its links begin.
    first_links: Records<'a, FloorLinksRecord>,
    links: Records<'a, LinkRecord>,
}

impl<'a> View<'a> {
    /// Returns the chunks of floors and links.
    #[inline]
    pub(crate) fn floor_graph(&self) -> FloorGraph<'a> {
        FloorGraph {
            floors: self.floors(),
            corners: self.floor_corners(),
            places: self.floor_places(),
            first_links: self.links_of_floors(),
            links: self.links(),
        }
    }
}

impl<'a> FloorGraph<'a> {
    /// Returns the corners of a floor, or `None` if there is no such floor.
    #[inline]
    pub(crate) fn corners(&self, floor: u32) -> Option<Records<'a, FloorCornerRecord>> {
        let floor = floor as usize;
        let first = self.floors.get(floor)?.first_corner() as usize;
        let next = self.floors.get(floor + 1);
        let end = next.map_or(self.corners.len(), |next| next.first_corner() as usize);
        self.corners.slice(first, end.checked_sub(first)?)
    }

    /// Returns the x and y of a corner, in units, or `None` if there is no such place.
    #[inline]
    pub(crate) fn place(&self, corner: FloorCornerRecord) -> Option<[f64; 2]> {
        Some(self.places.get(corner.place as usize)?.at)
    }

    /// Returns the records of the links that leave a floor, with their numbers; empty if there is no such floor.
    #[cfg(any(feature = "navigation", feature = "tools"))]
    #[inline]
    pub(crate) fn links(&self, floor: u32) -> impl Iterator<Item = (u32, LinkRecord)> + use<'a> {
        let (floor, n_links) = (floor as usize, self.links.len());
        let first = |floor| self.first_links.get(floor).map(|own| own.first as usize);
        let begin = first(floor).unwrap_or(n_links);
        let end = first(floor + 1).unwrap_or(n_links);
        let own = self.links.slice(begin, end.saturating_sub(begin));
        (begin as u32..).zip(own.unwrap_or(Records::new(&[])).iter())
    }

    /// Returns the number of the floor that a link leaves, and the record of the link.
    pub(crate) fn link(&self, number: u32) -> Option<(u32, LinkRecord)> {
        let record = self.links.get(number as usize)?;
        let n_begun = self.first_links.partition_point(|own| own.first <= number);
        Some((n_begun.checked_sub(1)? as u32, record))
    }
}
