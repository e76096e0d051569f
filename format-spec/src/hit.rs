//! The hit at a node, and the test that decides between two hits, each packed into 32 bits. FORMAT.md specifies the
//! bits.

/// The hit at a node: a side or one of its bevels, a choice between two hits, or nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HitAt(pub u32);

impl HitAt {
    /// Set if the hit is a bevel of the side.
    pub const BEVEL_BIT: u32 = 1 << 30;
    /// Set for a choice.
    pub const CHOICE_BIT: u32 = 1 << 31;
    /// There is no face.
    pub const NOTHING: Self = Self(u32::MAX);

    /// Returns side `index` (below 2^30), or one of its bevels.
    pub const fn side(index: u32, is_bevel: bool) -> Self {
        Self(index | if is_bevel { Self::BEVEL_BIT } else { 0 })
    }

    /// Returns choice `index` (below 2^30).
    pub const fn choice(index: u32) -> Self {
        Self(index | Self::CHOICE_BIT)
    }

    /// Whether nothing is hit.
    pub const fn is_nothing(self) -> bool {
        self.0 == Self::NOTHING.0
    }

    /// Whether it is a choice; `NOTHING` is not one.
    pub const fn is_choice(self) -> bool {
        self.0 & Self::CHOICE_BIT != 0 && !self.is_nothing()
    }

    /// Whether it is a bevel of its side.
    pub const fn is_bevel(self) -> bool {
        self.0 & (Self::BEVEL_BIT | Self::CHOICE_BIT) == Self::BEVEL_BIT
    }

    /// Returns the number of the side or the choice.
    pub const fn index(self) -> u32 {
        self.0 & !(Self::BEVEL_BIT | Self::CHOICE_BIT)
    }
}

/// The test that decides between two hits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HitTest {
    /// The place: the first if it is in front of the plane with this number, the second if behind.
    Plane(u32),
    /// The hull: the first if its number is below this one.
    Hull(u32),
    /// The direction of the face: the first if it faces the front of the node's plane.
    Look,
}

impl HitTest {
    /// Bits 30 and 31 of a test of the hull.
    const HULL: u32 = 1 << 30;
    /// Bits 30 and 31 of a test of the direction.
    const LOOK: u32 = 2 << 30;

    /// Returns the test that a number encodes, or `None` if it encodes none.
    pub const fn from_bits(bits: u32) -> Option<Self> {
        let number = bits & (Self::HULL - 1);
        match bits - number {
            0 => Some(Self::Plane(number)),
            Self::HULL => Some(Self::Hull(number)),
            Self::LOOK if number == 0 => Some(Self::Look),
            _ => None,
        }
    }

    /// Returns the number that encodes the test; the test's own number must be below 2^30.
    pub const fn bits(self) -> u32 {
        match self {
            Self::Plane(number) => number,
            Self::Hull(number) => number | Self::HULL,
            Self::Look => Self::LOOK,
        }
    }
}
