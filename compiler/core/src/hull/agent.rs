//! Agent classes: which hulls are the stances of one agent. An agent that crouches through a tunnel can stand up behind
//! it, so where one of its stances gets, all of its stances get that fit there; the hull of a larger monster does not.
//! The text of `--agent` options and the hulls in; the stances of each hull's agent out.

use std::fmt;
use std::str::FromStr;

use onion_format::HullSet;

use super::spec::{HullSpec, check_name};
use crate::error::AgentError;

/// A class of agents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentClass {
    /// Name, with the characters of a hull's name.
    pub name: String,
    /// The names of the hulls that are its stances.
    pub hulls: Vec<String>,
}

impl FromStr for AgentClass {
    type Err = AgentError;

    fn from_str(text: &str) -> Result<Self, AgentError> {
        let bad = || AgentError::Unreadable(text.to_owned());
        let (name, hulls) = text.split_once(':').ok_or_else(bad)?;
        check_name(name).map_err(|_| bad())?;
        Ok(Self {
            name: name.to_owned(),
            hulls: hulls.split(',').map(str::to_owned).collect(),
        })
    }
}

impl fmt::Display for AgentClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.name, self.hulls.join(","))
    }
}

/// Checks that classes have different names, and that each of their hulls exists and belongs to one class.
///
/// # Errors
/// The first class or hull for which that is not so.
pub fn check_agents(agents: &[AgentClass], hulls: &[HullSpec]) -> Result<(), AgentError> {
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
    Ok(())
}

/// Returns, for each hull, the stances of its agent, itself among them.
///
/// A hull that no class names is an agent of its own. Without any class, the stances of one agent are the hulls with
/// the same horizontal extent and the same contents, as those of a player who crouches; a point is an agent of its own.
pub fn stances(hulls: &[HullSpec], agents: &[AgentClass]) -> Vec<HullSet> {
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
