//! Stage 8, fast, makes the fast form of each tree, for each hull by itself. The space of a model is divided into
//! blocks, equal cubes, and each block gets a local tree of the planes that matter there, and knows how far around it
//! that is right. A query then starts a few nodes above its answer instead of at the root. Exact geometry decides
//! everything, and [`proof`] proves every block equal to its tree.

pub mod build;
pub mod file;
pub mod form;
pub mod grid;
pub mod local;
mod outside;
pub mod proof;
mod reach;
mod source;
mod twin;

use crate::bsp::ModelTree;
use crate::error::CompileError;
use crate::geometry::PlaneSet;
use crate::options::CompileOptions;
use form::FastForm;

/// Makes the fast form of all trees and proves it, if it is wanted.
///
/// # Errors
/// A block that differs from its tree: a bug, and such a file must not be shipped.
pub fn fast(
    options: &CompileOptions,
    trees: &[ModelTree],
    planes: &mut PlaneSet,
) -> Result<Option<FastForm>, CompileError> {
    if !options.fast {
        return Ok(None);
    }
    let form = build::build(trees, planes);
    proof::prove(&form, trees, planes).map_err(CompileError::WrongBlock)?;
    Ok(Some(form))
}
