//! The options of a compile: the hulls and everything else that the command line can choose, with defaults. Each
//! stage receives the options that it follows; if an option turns a stage off, the stage itself checks it.

pub mod arguments;

use crate::cost::Limits;
use crate::error::CompileError;
use crate::fill::seeds::Fill;
use crate::group::grouping::Grouping;
use crate::hull::{self, AgentSpec, HullSpec, SealWidth};
use crate::stage::Observer;

/// Default of [`CompileOptions::patch_error`], in units.
pub const DEFAULT_PATCH_ERROR: f32 = 4.0;

/// The options of a compile.
#[derive(Clone, Debug)]
pub struct CompileOptions {
    /// The hulls, resolved.
    pub hulls: Vec<HullSpec>,
    /// The agent classes; empty if hulls of equal horizontal extent and contents are the stances of one agent.
    pub agents: Vec<AgentSpec>,
    /// The greatest distance between a patch's surface and the pieces that stand for it, in units, above 0.
    pub patch_error: f32,
    /// Whether to fill what no agent can reach, and the entities that agents start from.
    pub fill: Fill,
    /// The width that an opening must have to let a hull without extent through, as far as filling is concerned.
    pub seal: SealWidth,
    /// The groups of hulls that share a tree.
    pub grouping: Grouping,
    /// Whether the report compares the grouping with another one, whose trees are built only for that.
    pub compare_groups: bool,
    /// The limits on the size of the result; by default there are none.
    pub limits: Limits,
    /// Whether the file holds the fast form of its trees.
    pub fast: bool,
    /// Whether the file holds the floors of its hulls.
    pub floors: bool,
    /// Whether the file holds the map's entities.
    pub entities: bool,
    /// Whether the file records what a trace hits: brush, side, surface.
    pub surfaces: bool,
    /// Whether the file holds the brushes themselves, for traces of any size and shape.
    pub brushes: bool,
    /// The callback that receives the progress of a compile. It has no part in the result.
    pub observer: Observer,
}

impl CompileOptions {
    /// Returns the defaults, for some hulls.
    pub fn new(hulls: Vec<HullSpec>) -> Self {
        Self {
            hulls,
            agents: Vec::new(),
            patch_error: DEFAULT_PATCH_ERROR,
            fill: Fill::default(),
            seal: SealWidth::default(),
            grouping: Grouping::default(),
            compare_groups: false,
            limits: Limits::default(),
            fast: true,
            floors: false,
            entities: true,
            surfaces: true,
            brushes: false,
            observer: Observer::default(),
        }
    }

    /// Returns the options if a compile can follow them: later stages rely on that, and a file records them.
    ///
    /// # Errors
    /// The hulls, the agent classes, the groups, the patch error or the classes of entities cannot be used.
    pub(crate) fn checked(&self) -> Result<&Self, CompileError> {
        hull::check(&self.hulls)?;
        hull::check_agents(&self.agents, &self.hulls)?;
        self.grouping.check(&self.hulls)?;
        // Written so that NaN fails.
        if !(self.patch_error > 0.0 && self.patch_error.is_finite()) {
            let message = "the patch error must be a number of units above 0";
            return Err(CompileError::Option(message));
        }
        let is_bad = |classes: &[String]| classes.iter().any(|class| class.contains('\n'));
        match &self.fill {
            Fill::From(classes) if classes.is_empty() || is_bad(classes) => {
                let message = "name at least one class of entities to fill from, each on one line, or turn filling off";
                Err(CompileError::Option(message))
            }
            _ => Ok(self),
        }
    }
}
