//! The conditions that a level must meet, as a user writes them: patterns of classes of entities, requirements such as
//! `item_* from info_player_*`, and the errors for those that a file cannot be asked.

use std::collections::BTreeSet;
use std::str::FromStr;

use onion_runtime::navigation::AgentClass;
use onion_runtime::{OnionMap, Unsupported};
use thiserror::Error;

use crate::marked_entities::{MarkedEntity, MarkedKind};

/// A pattern of classes of entities: `*` stands for any letters, and case does not matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern(String);

impl Pattern {
    /// Whether a class is one of the pattern's.
    pub fn matches(&self, class: &str) -> bool {
        let class = class.to_ascii_lowercase();
        let Some((first, rest)) = self.0.split_once('*') else {
            return class == self.0;
        };
        let (middle, last) = rest.rsplit_once('*').unwrap_or(("", rest));
        let inner = class
            .strip_prefix(first)
            .and_then(|class| class.strip_suffix(last));
        // Each part at its first occurrence leaves the most letters to the rest.
        let mut parts = middle.split('*');
        let after = |class, part| Some(str::split_once(class, part)?.1);
        inner.is_some_and(|class| parts.try_fold(class, after).is_some())
    }
}

impl FromStr for Pattern {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if text.is_empty() || text.contains(char::is_whitespace) {
            return Err("write a class of entities, such as info_player_*".to_owned());
        }
        Ok(Self(text.to_ascii_lowercase()))
    }
}

/// A requirement: agents get to each entity of one pattern from each, or from any, entity of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requirement {
    /// As the user wrote it.
    pub text: String,
    /// The entities that agents must get to.
    pub goals: Pattern,
    /// The entities that they start from.
    pub starts: Pattern,
    /// Whether it is enough to get there from one of the starts.
    pub is_from_any: bool,
}

impl FromStr for Requirement {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let (goals, starts, is_from_any) = match words[..] {
            [goals, "from", starts] => (goals, starts, false),
            [goals, "from", "any", starts] => (goals, starts, true),
            _ => {
                return Err(
                    "write two classes of entities, such as \"item_* from info_player_*\""
                        .to_owned(),
                );
            }
        };
        Ok(Self {
            text: words.join(" "),
            goals: goals.parse()?,
            starts: starts.parse()?,
            is_from_any,
        })
    }
}

/// What a level must be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conditions {
    /// The entities that agents must get to.
    pub requirements: Vec<Requirement>,
    /// Whether no place may be a trap.
    pub forbids_traps: bool,
    /// The entities that agents start from; `None` for those that players start from.
    pub starts: Option<Pattern>,
    /// The names of the classes of agents that must get there; empty for all.
    pub agents: Vec<String>,
}

/// The reason why a file cannot be examined.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ProofError {
    /// The file has no links between floors.
    #[error("the file has no floors and links; compile it with --floors")]
    NoLinks,
    /// The file has no entities.
    #[error("{0}")]
    NoEntities(Unsupported),
    /// No class of agents has this name; the name, and those that the file has.
    #[error("--agent {0}: no class of agents has this name; the file has {1}")]
    NoAgent(String, String),
    /// An option names entities that the map does not have; the option, the pattern, and the classes that the map has.
    #[error("{0}: the map has no entity {1} with a position; it has {2}")]
    NoEntity(String, String, String),
}

impl Conditions {
    /// Whether agents start from an entity.
    pub(super) fn are_starts(&self, entity: &MarkedEntity) -> bool {
        let is_usual = entity.kind == MarkedKind::Start;
        let starts = self.starts.as_ref();
        starts.map_or(is_usual, |starts| starts.matches(&entity.class))
    }

    /// Checks that each pattern names entities: what holds for none of them is seldom what was meant.
    pub(super) fn check(&self, entities: &[MarkedEntity]) -> Result<(), ProofError> {
        let check = |option: String, pattern: &Pattern| {
            let mut classes = entities.iter().map(|entity| &entity.class);
            match classes.any(|class| pattern.matches(class)) {
                true => Ok(()),
                false => {
                    let all: BTreeSet<_> = entities.iter().map(|entity| &*entity.class).collect();
                    let all = Vec::from_iter(all).join(", ");
                    Err(ProofError::NoEntity(option, pattern.0.clone(), all))
                }
            }
        };
        for requirement in &self.requirements {
            for pattern in [&requirement.goals, &requirement.starts] {
                check(format!("--require {:?}", requirement.text), pattern)?;
            }
        }
        match &self.starts {
            Some(starts) => check("--starts".to_owned(), starts),
            None => Ok(()),
        }
    }

    /// Returns the classes of agents that are examined: those that are named, or all that have floors.
    ///
    /// # Errors
    /// The file has no class with one of the names.
    pub fn agents_of<D: AsRef<[u8]>>(
        &self,
        map: &OnionMap<D>,
    ) -> Result<Vec<AgentClass>, ProofError> {
        let name = |class| map.agent_name(&class).unwrap_or_default().to_owned();
        let names: Vec<String> = map.agents().map(name).collect();
        let named = self.agents.iter().map(|agent| {
            let missing = || ProofError::NoAgent(agent.clone(), names.join(", "));
            map.find_agent(agent).ok_or_else(missing)
        });
        if !self.agents.is_empty() {
            return named.collect();
        }
        let stands = |class: &AgentClass| {
            let mut hulls = map
                .hulls()
                .filter(|hull| class.hulls.contains(hull.id.index()));
            hulls.any(|hull| map.floors(hull.id).next().is_some())
        };
        Ok(map.agents().filter(stands).collect())
    }
}
