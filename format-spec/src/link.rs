//! The kinds of links, and the two ways in which the record of a link is read: over an edge of a floor, or to a place
//! that the game takes agents to.

use crate::{LinkRecord, MAX_FLOORS};

/// In `leads`, where the bits of the kind begin: behind those of the floor.
const KIND_SHIFT: u32 = MAX_FLOORS.trailing_zeros();

/// In `leads`, where the bits of the turns begin.
const TURNS_SHIFT: u32 = 28;

impl LinkRecord {
    /// Agents walk on, up or down a step if there is one.
    pub const WALK: u8 = 0;
    /// They change to a lower stance.
    pub const CROUCH: u8 = 1;
    /// They change to a taller stance.
    pub const STAND: u8 = 2;
    /// They walk over an edge, and fall.
    pub const DROP: u8 = 3;
    /// They jump.
    pub const JUMP: u8 = 4;
    /// They swim up and jump out of the water.
    pub const SWIM: u8 = 5;
    /// They climb up or down a ladder.
    pub const CLIMB: u8 = 6;
    /// The game puts them elsewhere.
    pub const TELEPORT: u8 = 7;
    /// The game throws them into the air.
    pub const JUMP_PAD: u8 = 8;
    /// A lift takes them up; no kind has a higher number.
    pub const LIFT: u8 = 9;

    /// The bit of links that serve only paths whose goal is on the floor `to`, which is too narrow to walk along.
    pub const ONLY_TO_GOAL: u8 = 1 << 2;

    /// The bit of links over which a taller stance of the class walks as well.
    pub const UPRIGHT: u8 = 1 << 3;

    /// Returns a record of a link to a floor, without a part of an edge. The kind and the turns are below 16.
    #[must_use]
    pub fn new(to: u32, kind: u8, turns: u8) -> Self {
        Self {
            leads: to | u32::from(kind) << KIND_SHIFT | u32::from(turns) << TURNS_SHIFT,
            part: [0; 2],
            edge: 0,
            across: 0,
        }
    }

    /// Returns a record of a kind that leaves no edge: its place on the floor `to` is `lands`, in x and y, in units.
    #[must_use]
    pub fn carried(to: u32, kind: u8, lands: [f32; 2]) -> Self {
        let [x, y] = lands.map(f32::to_bits).map(halves);
        Self {
            part: x,
            edge: y[0],
            across: y[1],
            ..Self::new(to, kind, 0)
        }
    }

    /// Returns the number of the floor that it leads to.
    #[inline]
    pub fn to(&self) -> u32 {
        self.leads & (MAX_FLOORS - 1)
    }

    /// Returns its kind, from [`WALK`](Self::WALK) to [`LIFT`](Self::LIFT). From [`TELEPORT`](Self::TELEPORT) on, links
    /// leave no edge but the mean of the floor's corners, and lead to what [`lands`](Self::lands) returns.
    #[inline]
    pub fn kind(&self) -> u8 {
        (self.leads >> KIND_SHIFT & 15) as u8
    }

    /// Returns four bits. If it walks, bits 0 and 1 tell whether shortest paths may turn at the right and the left end
    /// of the part, as seen by an agent that leaves; else they mean nothing. Bit 2 is
    /// [`ONLY_TO_GOAL`](Self::ONLY_TO_GOAL), bit 3 [`UPRIGHT`](Self::UPRIGHT).
    #[inline]
    pub fn turns(&self) -> u8 {
        (self.leads >> TURNS_SHIFT) as u8
    }

    /// Returns the record with more bits of [`turns`](Self::turns).
    #[must_use]
    pub fn with_turns(self, turns: u8) -> Self {
        let leads = self.leads | u32::from(turns) << TURNS_SHIFT;
        Self { leads, ..self }
    }

    /// Returns whether it serves only paths whose goal is on the floor that it leads to.
    pub fn is_only_to_goal(&self) -> bool {
        self.turns() & Self::ONLY_TO_GOAL != 0
    }

    /// Returns whether a taller stance of the class walks there as well.
    pub fn is_upright(&self) -> bool {
        self.turns() & Self::UPRIGHT != 0
    }

    /// Returns the place that a record of a kind that leaves no edge leads to, in x and y, in units: x as the bits of
    /// an f32 in `part`, its lower half first, and y likewise in `edge` and `across`. `None` for other kinds.
    pub fn lands(&self) -> Option<[f32; 2]> {
        let bits = |[low, high]: [u16; 2]| u32::from(low) | u32::from(high) << 16;
        let lands =
            [self.part, [self.edge, self.across]].map(|halves| f32::from_bits(bits(halves)));
        (self.kind() >= Self::TELEPORT).then_some(lands)
    }
}

/// Returns the lower and the upper half of some bits.
fn halves(bits: u32) -> [u16; 2] {
    [bits as u16, (bits >> 16) as u16]
}
