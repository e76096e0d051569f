//! The options of a compile: the hulls and everything else that the command line can choose, with defaults. Each
//! stage receives the options that it follows; if an option turns a stage off, the stage itself checks it.

use crate::cost::Limits;
use crate::fill::seeds::Fill;
use crate::group::grouping::Grouping;
use crate::hull::{HullSpec, SealWidth};
use crate::stage::Observer;

/// Default of [`CompileOptions::patch_error`], in units.
pub const DEFAULT_PATCH_ERROR: f32 = 4.0;

/// How a map is compiled.
#[derive(Clone, Debug)]
pub struct CompileOptions {
    /// The hulls, resolved.
    pub hulls: Vec<HullSpec>,
    /// How far the pieces that stand for a patch may be from its surface, in units, above 0.
    pub patch_error: f32,
    /// Whether to fill what no agent can reach, and from where agents come.
    pub fill: Fill,
    /// How wide an opening has to be for a hull without extent to get through, as far as filling is concerned.
    pub seal: SealWidth,
    /// Which hulls share a tree.
    pub grouping: Grouping,
    /// Whether the report compares with another grouping, whose trees are built for that alone.
    pub compare_groups: bool,
    /// How large the file may be; by default there is no limit.
    pub limits: Limits,
    /// Whether the file holds the fast form of its trees.
    pub fast: bool,
    /// Whether the file holds the map's entities.
    pub entities: bool,
    /// Whether the file tells what was hit: brush, side, surface.
    pub surfaces: bool,
    /// Whether the file holds the brushes themselves, for traces of any size and shape.
    pub brushes: bool,
    /// Who is told how far a compile is. It has no part in the result.
    pub observer: Observer,
}

impl CompileOptions {
    /// The defaults, for some hulls.
    pub fn new(hulls: Vec<HullSpec>) -> Self {
        Self {
            hulls,
            patch_error: DEFAULT_PATCH_ERROR,
            fill: Fill::default(),
            seal: SealWidth::default(),
            grouping: Grouping::default(),
            compare_groups: false,
            limits: Limits::default(),
            fast: true,
            entities: true,
            surfaces: true,
            brushes: false,
            observer: Observer::default(),
        }
    }
}
