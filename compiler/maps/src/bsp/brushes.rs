//! Makes the brushes of a map from records that the Quake II and Quake III families share: a brush has a range of
//! sides, and a side names its plane and its surface. [`Fields`] gives the offset of each number in a record.

use super::build;
use super::lumps::{Records, f32s, number};
use crate::contents::Contents;
use crate::error::MapError;
use crate::parts::{MapBrush, MapSide};

/// The surface of a side without one: -1, as 16 bits.
const NONE_IN_16_BITS: i64 = 0xffff;

/// Offsets of the numbers in brushes and sides, in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Fields {
    /// In a brush, the number of its first side.
    pub first_side: usize,
    /// In a brush, the number of its sides.
    pub n_sides: usize,
    /// In a side, the number of its plane.
    pub plane: usize,
    /// In a side, the number of its surface.
    pub surface: usize,
    /// Whether numbers of sides have 32 bits rather than 16.
    pub is_wide: bool,
    pub may_lack_surface: bool,
}

impl Fields {
    pub const QUAKE3: Self = Self {
        first_side: 0,
        n_sides: 4,
        plane: 0,
        surface: 4,
        is_wide: true,
        may_lack_surface: false,
    };

    pub const QUAKE2: Self = Self {
        surface: 2,
        is_wide: false,
        may_lack_surface: true,
        ..Self::QUAKE3
    };
}

/// The records that brushes are made of.
#[derive(Clone, Copy)]
pub struct Brushes<'a> {
    pub fields: Fields,
    pub brushes: Records<'a>,
    pub sides: Records<'a>,
    pub planes: Records<'a>,
    /// Shaders or texinfos. A side without one gets the number after the last.
    pub surfaces: Records<'a>,
}

impl Brushes<'_> {
    /// Checks that brushes do not share sides more often than compilers make them do.
    pub fn check_sharing(&self) -> Result<(), MapError> {
        // A count below 0 is refused where it is read, and must not make up for others before.
        let counts = self.brushes.iter().map(|brush| self.range(brush)[1].max(0));
        self.sides.check_sharing(counts.sum())
    }

    /// Whether the sides of all brushes exist.
    pub fn are_whole(&self) -> bool {
        self.brushes.iter().all(|brush| {
            let [first, count] = self.range(brush);
            self.sides.range(first, count, String::new).is_ok()
        })
    }

    /// Reads a brush with these contents, or returns `None` if they are empty.
    pub fn read(
        &self,
        brush: usize,
        record: &[u8],
        contents: Contents,
    ) -> Result<Option<MapBrush>, MapError> {
        let [first, count] = self.range(record);
        let place = || format!("brush {brush}");
        let records = self.sides.range(first, count, place)?;
        let sides = records.map(|(side, record)| self.side(brush, side, record));
        let sides = sides.collect::<Result<_, _>>()?;
        Ok((contents != 0).then_some(MapBrush {
            number: brush,
            contents,
            sides,
        }))
    }

    /// Returns the first side of a brush, and the number of its sides.
    fn range(&self, brush: &[u8]) -> [i64; 2] {
        let Fields {
            first_side,
            n_sides,
            ..
        } = self.fields;
        [first_side, n_sides].map(|at| number(brush, at, true))
    }

    fn side(&self, brush: usize, side: usize, record: &[u8]) -> Result<MapSide, MapError> {
        let place = || format!("side {side} of brush {brush}");
        let is_wide = self.fields.is_wide;
        let none = if is_wide { -1 } else { NONE_IN_16_BITS };
        let mut surface = number(record, self.fields.surface, is_wide);
        if surface == none && self.fields.may_lack_surface {
            surface = self.surfaces.len() as i64;
        } else {
            self.surfaces.get(surface, place)?;
        }
        let plane = number(record, self.fields.plane, is_wide);
        let record = self.planes.get(plane, place)?;
        build::side(f32s(record, 0), surface as u32, || format!("plane {plane}"))
    }
}
