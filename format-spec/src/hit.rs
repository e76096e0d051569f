//! What is hit at a node, and what decides between two of them, each packed into 32 bits. FORMAT.md has the
//! bits.

/// What is hit at a node: a side or a bevel of it, a choice between two of these, or nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HitAt(pub u32);

impl HitAt {
    /// Set when what is hit is a bevel of the side.
    pub const BEVEL_BIT: u32 = 1 << 30;
    /// Set for a choice.
    pub const CHOICE_BIT: u32 = 1 << 31;
    /// No face lies there.
    pub const NOTHING: Self = Self(u32::MAX);

    /// Side `index` (below 2^30), or a bevel of it.
    pub const fn side(index: u32, is_bevel: bool) -> Self {
        Self(index | if is_bevel { Self::BEVEL_BIT } else { 0 })
    }

    /// Choice `index` (below 2^30).
    pub const fn choice(index: u32) -> Self {
        Self(index | Self::CHOICE_BIT)
    }

    /// Whether nothing is hit.
    pub const fn is_nothing(self) -> bool {
        self.0 == Self::NOTHING.0
    }

    /// Whether it is a choice; nothing is none.
    pub const fn is_choice(self) -> bool {
        self.0 & Self::CHOICE_BIT != 0 && !self.is_nothing()
    }

    /// Whether it is a bevel of its side.
    pub const fn is_bevel(self) -> bool {
        self.0 & (Self::BEVEL_BIT | Self::CHOICE_BIT) == Self::BEVEL_BIT
    }

    /// Number of the side or the choice.
    pub const fn index(self) -> u32 {
        self.0 & !(Self::BEVEL_BIT | Self::CHOICE_BIT)
    }
}

/// What decides between two hits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HitTest {
    /// The place: the first if it is in front of the plane of this number, the second if behind.
    Plane(u32),
    /// The hull: the first if its number is below this one.
    Hull(u32),
    /// Where the face looks: the first if to the front of the node's plane.
    Look,
}

impl HitTest {
    const HULL: u32 = 1 << 30;
    const LOOK: u32 = 2 << 30;

    /// The test that a number stands for; none if it stands for none.
    pub const fn from_bits(bits: u32) -> Option<Self> {
        let number = bits & (Self::HULL - 1);
        match bits - number {
            0 => Some(Self::Plane(number)),
            Self::HULL => Some(Self::Hull(number)),
            Self::LOOK if number == 0 => Some(Self::Look),
            _ => None,
        }
    }

    /// The number that stands for the test; its own number is below 2^30.
    pub const fn bits(self) -> u32 {
        match self {
            Self::Plane(number) => number,
            Self::Hull(number) => number | Self::HULL,
            Self::Look => Self::LOOK,
        }
    }
}
