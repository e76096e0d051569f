//! Stage 9, fast, divides the space of each model into blocks, which are equal cubes, for each hull separately. A block
//! stores the node of the tree whose cell contains it, or that it is all empty or all solid, and how far around it the
//! same holds. A query then starts a few nodes above its answer instead of at the root, because trees are divided along
//! the faces of blocks first. Rooms are empty boxes above floors, which answer most short traces without the tree. All
//! decisions use exact geometry, and [`proof`] proves the result.

mod branch;
mod build;
mod cuboid;
pub(crate) mod file;
pub(crate) mod form;
mod grid;
mod outside;
pub(crate) mod proof;
mod reach;
mod rooms;

use onion_geometry::PlaneSet;

use crate::bsp::ModelTree;
use crate::error::CompileError;
use crate::options::CompileOptions;
use form::FastForm;

/// Makes the blocks and rooms of all trees and proves them, or returns `None` if the options leave them out.
///
/// # Errors
/// A block, a room or the outside of a grid disagrees with its tree. It is a bug, and such a file must not be shipped.
pub fn fast(
    options: &CompileOptions,
    trees: &[ModelTree],
    planes: &mut PlaneSet,
) -> Result<Option<FastForm>, CompileError> {
    if !options.fast {
        return Ok(None);
    }
    let form = build::build(trees, planes);
    proof::prove(&form, trees, planes).map_err(CompileError::WrongFastForm)?;
    Ok(Some(form))
}
