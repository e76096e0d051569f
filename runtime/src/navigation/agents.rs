//! Classes of agents: the hulls that are the stances of one agent, and how it moves, as the compiler wrote them. A
//! game finds the class of a hull, or of a name.

use onion_format::{AgentRecord, HullSet, unpadded};

use crate::OnionMap;
use crate::file::hull::HullId;
use crate::file::view::View;
use crate::movement::WalkSettings;

/// A class of agents: the `--agent` of a compile, or the hulls of equal width and contents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AgentClass {
    /// Number of the class in the file.
    pub number: u32,
    /// The hulls that are its stances.
    pub hulls: HullSet,
    /// Horizontal speed at which it runs, in units per second.
    pub speed: f64,
    /// Height that it can jump, in units; 0 if it does not jump.
    pub jump: f64,
    /// Greatest height that it may fall, in units.
    pub drop: f64,
    /// Speed at which it swims, in units per second; 0 if it does not swim.
    pub swim: f64,
    /// Speed at which it climbs ladders, in units per second; 0 if it does not climb.
    pub climb: f64,
    /// How it walks.
    pub settings: WalkSettings,
}

/// An agent that swims up jumps when it is this part of the height of its jump below the place that it leads to.
const LEAP: f64 = 0.875;

impl AgentClass {
    /// Returns how far below the next point of its path an agent is that jumps out of the water, in units.
    pub fn leap(&self) -> f64 {
        self.jump * LEAP
    }

    fn new(number: u32, record: &AgentRecord) -> Self {
        Self {
            number,
            hulls: HullSet::from_bits(record.hulls),
            speed: f64::from(record.speed),
            jump: f64::from(record.jump),
            drop: f64::from(record.drop),
            swim: f64::from(record.swim),
            climb: f64::from(record.climb),
            settings: WalkSettings {
                step_height: record.step,
                min_ground_z: record.min_ground_z,
                gravity: record.gravity,
                ..WalkSettings::default()
            },
        }
    }
}

impl<'a> View<'a> {
    /// Returns the tallest hull of a class; of equally tall ones the first.
    #[cfg(feature = "navigation")]
    pub(super) fn stances(&self, class: &AgentClass) -> impl Iterator<Item = HullId> + use<'a> {
        let (map, hulls) = (*self, class.hulls);
        let height = move |number: usize| {
            let hull = map.hulls().get(number);
            hull.map_or(0.0, |hull| hull.maxs[2] - hull.mins[2])
        };
        // At most 64 hulls, and classes have few: each time the next lower one is searched.
        let lower = move |&(last, tall): &(usize, f32)| {
            let others = hulls.iter().map(|number| (number, height(number)));
            let after = others.filter(|&(number, h)| h < tall || (h == tall && number > last));
            after.reduce(|one, other| if other.1 > one.1 { other } else { one })
        };
        let first = lower(&(0, f32::INFINITY));
        core::iter::successors(first, lower).filter_map(move |(number, _)| map.hull_id(number))
    }
}

impl<D: AsRef<[u8]>> OnionMap<D> {
    /// Returns the classes of agents, in the order of the file. A file that was compiled without `--floors` has none.
    pub fn agents(&self) -> impl Iterator<Item = AgentClass> {
        let records = (0..).zip(self.view().agents().iter());
        records.map(|(number, record)| AgentClass::new(number, &record))
    }

    /// Returns the class of agents that a hull is a stance of.
    pub fn agent_of(&self, hull: HullId) -> Option<AgentClass> {
        let mut own = self.agents();
        own.find(|class| self.view().has(hull) && class.hulls.contains(hull.index()))
    }

    /// Returns the class of agents with a name.
    pub fn find_agent(&self, name: &str) -> Option<AgentClass> {
        let mut named = (0..).zip(self.view().agents().iter());
        let (number, record) =
            named.find(|(_, record)| unpadded(&record.name) == name.as_bytes())?;
        Some(AgentClass::new(number, &record))
    }

    /// Returns the name of a class of agents.
    pub fn agent_name(&self, class: &AgentClass) -> Option<&str> {
        let bytes = self.view().agents().bytes(class.number as usize)?;
        core::str::from_utf8(unpadded(bytes.get(..onion_format::MAX_HULL_NAME)?)).ok()
    }
}
