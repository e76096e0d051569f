//! Stage 8, fast, divides the space of each model into blocks, equal cubes, for each hull by itself. A block stores
//! the node of the tree whose cell holds all of it, or that all of it is empty or solid, and how far around it the
//! same holds. A query then starts a few nodes above its answer instead of at the root, because the tree is divided
//! along the faces of blocks first. Rooms are empty boxes above floors, which answer most short traces by themselves.
//! Exact geometry decides everything, and [`proof`] proves all of it.

mod build;
mod cuboid;
pub(crate) mod file;
pub(crate) mod form;
mod grid;
mod outside;
mod part;
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
/// A block, a room or the outside of a grid is not as its tree says: a bug, and such a file must not be shipped.
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
