//! Dumps the result of a stage to a file for an editor or a viewer: brushes and expanded brushes as a Quake III `.map`,
//! skins and the leaves of trees as a Wavefront `.obj`. Positions are in units, with z up.
//!
//! [`dump`] runs the stages as [`onion_compiler::compile`] does, but only up to the requested one, so that a stage can
//! be inspected even if a later one fails.

mod map_text;
mod obj;

use std::str::FromStr;

use onion_compiler::error::CompileError;
use onion_compiler::options::CompileOptions;
use onion_compiler::{brush, expand, fill, group, tree, union};
use onion_geometry::PlaneSet;
use onion_maps::Map;

/// A stage whose result can be dumped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DumpStage {
    /// The brushes, with their surfaces.
    Brush,
    /// The expanded brushes of every hull.
    Expand,
    /// The skins of all hulls.
    Union,
    /// The skins without the faces that bound only unreachable space.
    Fill,
    /// The leaves of all trees.
    Tree,
}

impl DumpStage {
    const ALL: [Self; 5] = [
        Self::Brush,
        Self::Expand,
        Self::Union,
        Self::Fill,
        Self::Tree,
    ];

    /// Returns the ending of the dump's file name, such as `expand.map`.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Brush => "brush.map",
            Self::Expand => "expand.map",
            Self::Union => "union.obj",
            Self::Fill => "fill.obj",
            Self::Tree => "tree.obj",
        }
    }
}

impl FromStr for DumpStage {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let name = |stage: Self| stage.extension().split('.').next().unwrap_or_default();
        let found = Self::ALL.into_iter().find(|&stage| name(stage) == text);
        found.ok_or_else(|| format!("expected one of {}", Self::ALL.map(name).join(", ")))
    }
}

/// Returns the text of a `.map` or `.obj` file that shows the result of a stage.
///
/// # Errors
/// A stage up to this one fails.
pub fn dump(map: &Map, options: &CompileOptions, stage: DumpStage) -> Result<String, CompileError> {
    let hulls = &options.hulls;
    let mut planes = PlaneSet::default();
    let brushes = brush::build(map, options.patch_error, &mut planes, &mut Vec::new())?;
    if stage == DumpStage::Brush {
        return Ok(map_text::brushes(map, &brushes));
    }
    let (solids, cells) = expand::expand(&brushes, hulls, &mut planes);
    if stage == DumpStage::Expand {
        return Ok(map_text::solids(hulls, &brushes, &solids, &cells));
    }
    let skins = union::unite(&solids, cells, &planes);
    if stage == DumpStage::Union {
        return Ok(obj::skins(hulls, &brushes, &skins));
    }
    let (skins, filling) = fill::fill(map, options, &brushes[0], &solids[0], skins, &mut planes)?;
    if stage == DumpStage::Fill {
        return Ok(obj::skins(hulls, &brushes, &skins));
    }
    let (plan, _) = group::group(options, &solids, &filling, &skins, &planes)?;
    let trees = tree::build(&solids, filling.spaces(), skins, plan, &mut planes)?;
    Ok(obj::trees(hulls, &trees, &planes))
}
