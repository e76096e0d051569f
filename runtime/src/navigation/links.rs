//! Links: the ways from one floor to another, as the compiler drove an agent across them. A file stores where on an
//! edge of a floor a link begins; the lines in x and y follow from that.

use onion_format::{ACROSS_UNIT, LinkRecord, WHOLE_EDGE};

use crate::OnionMap;
use crate::file::floor_graph::FloorGraph;

/// How an agent takes a link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum LinkKind {
    /// It walks on, up or down a step if there is one.
    #[default]
    Walk = LinkRecord::WALK,
    /// It changes to a lower stance, and walks on.
    Crouch = LinkRecord::CROUCH,
    /// It walks on, and changes to a taller stance.
    Stand = LinkRecord::STAND,
    /// It runs over an edge, and falls.
    Drop = LinkRecord::DROP,
    /// It jumps.
    Jump = LinkRecord::JUMP,
    /// It swims up, and jumps out of the water.
    Swim = LinkRecord::SWIM,
    /// It climbs up or down a ladder.
    Climb = LinkRecord::CLIMB,
    /// The game puts it elsewhere.
    Teleport = LinkRecord::TELEPORT,
    /// The game throws it into the air.
    JumpPad = LinkRecord::JUMP_PAD,
    /// A lift takes it up.
    Lift = LinkRecord::LIFT,
}

impl LinkKind {
    /// All kinds, in the order of their numbers.
    pub const ALL: [Self; 10] = [
        Self::Walk,
        Self::Crouch,
        Self::Stand,
        Self::Drop,
        Self::Jump,
        Self::Swim,
        Self::Climb,
        Self::Teleport,
        Self::JumpPad,
        Self::Lift,
    ];

    /// Whether an agent stays on the ground: [`Walk`](Self::Walk), [`Crouch`](Self::Crouch) and [`Stand`](Self::Stand).
    pub fn is_on_foot(self) -> bool {
        matches!(self, Self::Walk | Self::Crouch | Self::Stand)
    }

    /// Whether the game takes an agent there: [`Teleport`](Self::Teleport), [`JumpPad`](Self::JumpPad) and
    /// [`Lift`](Self::Lift).
    pub fn is_carried(self) -> bool {
        matches!(self, Self::Teleport | Self::JumpPad | Self::Lift)
    }

    /// Whether an agent moves straight up or down without gravity: [`Swim`](Self::Swim) and [`Climb`](Self::Climb).
    pub fn is_climb(self) -> bool {
        matches!(self, Self::Swim | Self::Climb)
    }

    fn new(number: u8) -> Self {
        let kind = Self::ALL.get(usize::from(number));
        kind.copied().unwrap_or_default()
    }
}

/// A one-way link between floors of one class of agents: agents leave a floor anywhere on a line of it. Where the game
/// takes them along, the floor is in a teleporter, on a jump pad or under a lift, and the line is one place of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// Number of the link in the file.
    pub number: u32,
    /// Number of the floor that it leaves.
    pub from: u32,
    /// Number of the floor that it leads to.
    pub to: u32,
    /// How an agent takes it.
    pub kind: LinkKind,
    /// The right end of the line, in x and y, as seen by an agent that leaves, in units.
    pub right: [f64; 2],
    /// The left end, likewise.
    pub left: [f64; 2],
    /// Whether shortest paths may turn at the right and at the left end: at the corners of walls and ledges.
    pub turns: [bool; 2],
    /// Whether paths take it only to a goal on the floor `to`, which is too narrow to walk along.
    pub only_to_goal: bool,
    /// Whether a taller stance can cross this link, too. If changing stance is free, searches skip such links.
    pub upright: bool,
    /// Way in x and y from a place on the line to the agent's place on the other floor, in units; zero if it walks.
    pub across: [f64; 2],
}

impl<'a> FloorGraph<'a> {
    /// Returns the links that leave a floor.
    fn links_of(self, floor: u32) -> impl Iterator<Item = Link> + use<'a> {
        let records = self.links(floor);
        records.filter_map(move |(number, record)| self.read_link(floor, number, &record))
    }

    /// Returns the numbers of the floors that links lead to from a floor, on the way to a floor.
    pub(super) fn links_to(&self, floor: u32, goal: u32) -> impl Iterator<Item = u32> + use<'a> {
        let records = self.links(floor).map(|(_, record)| record);
        let own = records.filter(move |record| !record.is_only_to_goal() || record.to() == goal);
        own.map(|record| record.to())
    }

    /// Returns the link with this number in the file, or `None` if there is none.
    pub(super) fn link_at(&self, number: u32) -> Option<Link> {
        let (from, record) = self.link(number)?;
        self.read_link(from, number, &record)
    }

    /// Returns the ends of an edge of a floor in x and y: the corner with this number, and the next one.
    #[inline]
    fn edge(&self, floor: u32, number: u16) -> Option<[[f64; 2]; 2]> {
        let (corners, start) = (self.corners(floor)?, usize::from(number));
        let next = if start + 1 < corners.len() {
            start + 1
        } else {
            0
        };
        Some([
            self.place(corners.get(start)?)?,
            self.place(corners.get(next)?)?,
        ])
    }

    /// Returns a link that leaves a floor.
    #[inline]
    pub(super) fn read_link(&self, from: u32, number: u32, record: &LinkRecord) -> Option<Link> {
        let kind = LinkKind::new(record.kind());
        if let Some(lands) = record.lands() {
            return self.read_carried(from, number, record.to(), kind, lands.map(f64::from));
        }
        let stands = kind == LinkKind::Stand;
        let [start, end] = self.edge(if stands { record.to() } else { from }, record.edge)?;
        let [x, y] = [end[0] - start[0], end[1] - start[1]];
        let at = |part: u16| {
            let part = f64::from(part) / f64::from(WHOLE_EDGE);
            [start[0] + x * part, start[1] + y * part]
        };
        let [right, left] = record.part.map(at);
        let across = ratio(record.across, [x, y]);
        // Outward of the floor that has the edge, whose inside is to the left of it.
        let link = Link {
            number,
            from,
            to: record.to(),
            kind,
            right,
            left,
            turns: [1, 2].map(|bit| record.turns() & bit != 0),
            only_to_goal: record.is_only_to_goal(),
            upright: record.is_upright(),
            across: [y * across, 0.0 - x * across],
        };
        // Into that floor, seen from its outside.
        Some(match stands {
            false => link,
            true => Link {
                right: left,
                left: right,
                across: [0.0 - y * across, x * across],
                ..link
            },
        })
    }

    /// Returns a link that leaves from the middle of a floor.
    fn read_carried(
        &self,
        from: u32,
        number: u32,
        to: u32,
        kind: LinkKind,
        lands: [f64; 2],
    ) -> Option<Link> {
        let corners = self.corners(from)?;
        let n_corners = corners.len() as f64;
        let places = corners.iter().filter_map(|corner| self.place(corner));
        let sum = places.fold([0.0; 2], |[x, y], place| [x + place[0], y + place[1]]);
        let leaves = sum.map(|sum| sum / n_corners);
        Some(Link {
            number,
            from,
            to,
            kind,
            right: leaves,
            left: leaves,
            turns: [false; 2],
            only_to_goal: false,
            upright: false,
            across: [lands[0] - leaves[0], lands[1] - leaves[1]],
        })
    }
}

/// Returns the length of a way across an edge, in lengths of the edge; 0 if the edge has none.
fn ratio(across: u16, [x, y]: [f64; 2]) -> f64 {
    if across == 0 {
        return 0.0;
    }
    let length = libm::sqrt(x * x + y * y);
    match length > 0.0 {
        true => f64::from(across) / f64::from(ACROSS_UNIT) / length,
        false => 0.0,
    }
}

impl<D: AsRef<[u8]>> OnionMap<D> {
    /// Whether the file holds links between floors.
    pub fn has_links(&self) -> bool {
        self.view().has_links()
    }

    /// Returns the number of links between floors.
    pub fn n_links(&self) -> usize {
        self.view().links().len()
    }

    /// Returns the link with this number in the file, or `None` if there is none.
    pub fn link(&self, number: u32) -> Option<Link> {
        self.view().floor_graph().link_at(number)
    }

    /// Returns the links that leave a floor.
    pub fn links_from(&self, floor: u32) -> impl Iterator<Item = Link> {
        self.view().floor_graph().links_of(floor)
    }
}
