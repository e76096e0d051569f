//! Agent classes: which hulls are the stances of one agent. An agent that crouches through a tunnel can stand up
//! behind it, so where one of its stances gets, all of its stances get that fit there; the hull of a larger monster
//! does not. The text of `--agent` options and the hulls in; the stances of each hull's agent and how it moves out.

use std::fmt;
use std::str::FromStr;

use onion_format::HullSet;
use onion_maps::contents::{self, Contents};

use super::spec::{HullSpec, check_name};
use crate::error::AgentError;

/// A class of agents.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentSpec {
    /// Name, with the characters of a hull's name.
    pub name: String,
    /// The names of the hulls that are its stances.
    pub hulls: Vec<String>,
    /// How it moves.
    pub abilities: Abilities,
}

/// How a class of agents moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Abilities {
    /// Speed at which it runs, in units per second, above 0.
    pub speed: f32,
    /// Height of the highest step that it walks up, in units, 0 or more.
    pub step: f32,
    /// Height that it jumps, in units, 0 or more.
    pub jump: f32,
    /// Greatest height that it may fall, in units, 0 or more.
    pub drop: f32,
    /// Least vertical component of the unit normal of ground that it stands on, above 0 and at most 1.
    pub slope: f32,
    /// Downward acceleration in the air, in units per second squared, above 0.
    pub gravity: f32,
    /// Speed at which it swims, in units per second; 0 if it does not swim.
    pub swim: f32,
    /// Speed at which it climbs ladders, in units per second; 0 if it does not climb.
    pub climb: f32,
    /// Contents in which it does not put its feet.
    pub avoid: Contents,
}

impl Default for Abilities {
    /// Returns those of players in Quake III, whose falls from 256 units up do not hurt much, while lava and slime do.
    fn default() -> Self {
        Self {
            speed: 320.0,
            step: 18.0,
            jump: 45.0,
            drop: 256.0,
            slope: 0.7,
            gravity: 800.0,
            swim: 160.0,
            climb: 160.0,
            avoid: contents::LAVA | contents::SLIME,
        }
    }
}

/// The word that names [`Abilities::avoid`].
const AVOID: &str = "avoid";

impl Abilities {
    /// The largest of any of them, in units: maps are smaller.
    const MAX: f32 = 65536.0;

    /// Returns the abilities that are numbers with the words that name them.
    fn named(&mut self) -> [(&'static str, &mut f32); 8] {
        [
            ("speed", &mut self.speed),
            ("step", &mut self.step),
            ("jump", &mut self.jump),
            ("drop", &mut self.drop),
            ("slope", &mut self.slope),
            ("gravity", &mut self.gravity),
            ("swim", &mut self.swim),
            ("climb", &mut self.climb),
        ]
    }

    /// Sets one from text such as `jump=45` and returns its name, or `None` if it is unknown or out of range.
    fn set(&mut self, text: &str) -> Option<&'static str> {
        let (name, value) = text.split_once('=')?;
        if name == AVOID {
            self.avoid = contents::from_names_or_none(value).ok()?;
            return Some(AVOID);
        }
        let value: f32 = value.parse().ok()?;
        let most = if name == "slope" { 1.0 } else { Self::MAX };
        let least_is_free = matches!(name, "speed" | "slope" | "gravity");
        // Written so that NaN fails.
        let is_in_range = value >= 0.0 && value <= most && !(least_is_free && value == 0.0);
        let mut named = self.named().into_iter();
        let (known, ability) = named.find(|(known, _)| *known == name && is_in_range)?;
        *ability = value;
        Some(known)
    }
}

impl FromStr for AgentSpec {
    type Err = AgentError;

    fn from_str(text: &str) -> Result<Self, AgentError> {
        let bad = || AgentError::Unreadable(text.to_owned());
        let mut parts = text.split(':');
        let (name, hulls) = parts.next().zip(parts.next()).ok_or_else(bad)?;
        check_name(name).map_err(|_| bad())?;
        let (mut abilities, mut given) = (Abilities::default(), Vec::new());
        for part in parts {
            let wrong = || AgentError::UnknownAbility(name.to_owned(), part.to_owned());
            let ability = abilities.set(part).ok_or_else(wrong)?;
            if given.contains(&ability) {
                return Err(AgentError::Twice(name.to_owned(), ability));
            }
            given.push(ability);
        }
        Ok(Self {
            name: name.to_owned(),
            hulls: hulls.split(',').map(str::to_owned).collect(),
            abilities,
        })
    }
}

/// Writes what [`AgentSpec::from_str`] reads, without abilities that are at their defaults.
impl fmt::Display for AgentSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.name, self.hulls.join(","))?;
        let (mut own, mut default) = (self.abilities, Abilities::default());
        for ((name, value), (_, usual)) in own.named().into_iter().zip(default.named()) {
            if value != usual {
                write!(f, ":{name}={value}")?;
            }
        }
        match own.avoid {
            avoid if avoid == default.avoid => Ok(()),
            0 => write!(f, ":{AVOID}=none"),
            avoid => write!(f, ":{AVOID}={}", contents::to_names(avoid)),
        }
    }
}

/// Checks that classes have different names, also from those of hulls that no class names, and that each of their
/// hulls exists and belongs to one class.
///
/// # Errors
/// The first class or hull for which that is not so.
pub fn check_agents(agents: &[AgentSpec], hulls: &[HullSpec]) -> Result<(), AgentError> {
    let mut named: Vec<&String> = Vec::new();
    for (number, agent) in agents.iter().enumerate() {
        let name = || agent.name.clone();
        if agents[..number]
            .iter()
            .any(|other| other.name == agent.name)
        {
            return Err(AgentError::Repeated(name()));
        }
        for hull in &agent.hulls {
            if !hulls.iter().any(|other| other.name == *hull) {
                return Err(AgentError::UnknownHull(name(), hull.clone()));
            }
            if named.contains(&hull) {
                return Err(AgentError::SharedHull(hull.clone()));
            }
            named.push(hull);
        }
    }
    // Such hulls are classes of their own names.
    let is_alone = |hull: &&HullSpec| !hull.is_point() && !named.contains(&&hull.name);
    let mut alone = hulls.iter().filter(is_alone);
    let taken = alone.find(|hull| agents.iter().any(|agent| agent.name == hull.name));
    match taken {
        Some(hull) => Err(AgentError::NameOfHull(hull.name.clone())),
        None => Ok(()),
    }
}

/// Returns, for each hull, the stances of its agent, itself among them.
///
/// A hull that no class names is an agent of its own. Without any class, the stances of one agent are the hulls with
/// the same horizontal extent and the same contents, as those of a player who crouches; a point is an agent of its
/// own.
pub fn stances(hulls: &[HullSpec], agents: &[AgentSpec]) -> Vec<HullSet> {
    let footprint = |hull: &HullSpec| {
        let [[west, south, _], [east, north, _]] = [hull.mins, hull.maxs];
        [west, south, east, north]
    };
    let are_stances = |one: &HullSpec, other: &HullSpec| {
        if one.name == other.name {
            return true;
        }
        if agents.is_empty() {
            let is_box = !one.is_point() && one.contents == other.contents;
            return is_box && footprint(one) == footprint(other);
        }
        let both = [&one.name, &other.name];
        let mut agents = agents.iter();
        agents.any(|agent| both.iter().all(|name| agent.hulls.contains(name)))
    };
    let of = |hull: &HullSpec| {
        let all = hulls.iter().enumerate();
        let stances = all.filter(|(_, other)| are_stances(hull, other));
        stances.map(|(number, _)| number).collect()
    };
    hulls.iter().map(of).collect()
}

/// Returns the classes of all hulls with an extent: those that are named, and for hulls that none of them names,
/// classes with the name of their first hull.
pub fn classes(hulls: &[HullSpec], agents: &[AgentSpec]) -> Vec<AgentSpec> {
    let mut classes = agents.to_vec();
    for (number, stances) in stances(hulls, agents).into_iter().enumerate() {
        let is_named = |agent: &AgentSpec| agent.hulls.contains(&hulls[number].name);
        if !hulls[number].is_point() && !classes.iter().any(is_named) {
            classes.push(AgentSpec {
                name: hulls[number].name.clone(),
                hulls: stances
                    .iter()
                    .map(|hull| hulls[hull].name.clone())
                    .collect(),
                abilities: Abilities::default(),
            });
        }
    }
    classes
}
