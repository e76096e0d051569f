//! The kinds of links, and the two ways in which the record of a link is read: over an edge of a floor, or to a place
//! that the game takes agents to.

use crate::LinkRecord;

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

    /// Returns a record of a kind that leaves no edge: its place on the floor `to` is `lands`, in x and y, in units.
    #[must_use]
    pub fn carried(to: u32, kind: u8, lands: [f32; 2]) -> Self {
        let bits = lands[0].to_bits();
        Self {
            to,
            kind,
            turns: 0,
            edge: 0,
            part: [bits as u16, (bits >> 16) as u16],
            across: lands[1],
        }
    }

    /// Returns whether it serves only paths whose goal is on the floor `to`.
    pub fn is_only_to_goal(&self) -> bool {
        self.turns & Self::ONLY_TO_GOAL != 0
    }

    /// Returns whether a taller stance of the class walks there as well.
    pub fn is_upright(&self) -> bool {
        self.turns & Self::UPRIGHT != 0
    }

    /// Returns the place on the floor `to` that a record of a kind that leaves no edge leads to, in x and y, in units:
    /// x as the bits of an f32 in `part`, its lower half first, and y in `across`. `None` for other kinds.
    pub fn lands(&self) -> Option<[f32; 2]> {
        let [low, high] = self.part.map(u32::from);
        (self.kind >= Self::TELEPORT).then(|| [f32::from_bits(low | high << 16), self.across])
    }
}
