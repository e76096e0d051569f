//! Formats skins and leaves as Wavefront `.obj` text. A skin is an object for each model and hull, with a group of
//! faces for each brush; the leaves of a tree are objects by the hulls for which they are solid, with a group for each
//! leaf, cut off at the tree's box. Faces count their corners back from the last one.

use std::fmt::Display;

use glam::DVec3;
use onion_compiler::brush::ModelBrushes;
use onion_compiler::bsp::{ModelTree, Tree};
use onion_compiler::group::grouping;
use onion_compiler::hull::HullSpec;
use onion_compiler::union::Face;
use onion_format::HullSet;
use onion_geometry::{Cell, PlaneSet, Split};

use crate::editor_text::leaf_kind;

const HEADER: &str = "# in units, z is up\n";

/// Formats the skins of all models.
pub(super) fn skins(hulls: &[HullSpec], models: &[ModelBrushes], skins: &[Vec<Face>]) -> String {
    let mut text = HEADER.to_owned();
    for (model, (brushes, skin)) in models.iter().zip(skins).enumerate() {
        for of_hull in skin.chunk_by(|one, next| one.owner.hull == next.owner.hull) {
            let hull = &hulls[of_hull[0].owner.hull.index()];
            text += &line("o", format_args!("{}.model{model}", hull.name));
            for of_brush in of_hull.chunk_by(|one, next| one.owner.brush == next.owner.brush) {
                let source = brushes[of_brush[0].owner.brush.index()].source.to_string();
                text += &line("g", source.replace(' ', "_"));
                text.extend(of_brush.iter().map(|face| {
                    polygon(face.winding.corners.iter().map(|corner| corner.position))
                }));
            }
        }
    }
    text
}

/// Formats the leaves of all trees.
pub(super) fn trees(hulls: &[HullSpec], trees: &[ModelTree], planes: &PlaneSet) -> String {
    let mut text = HEADER.to_owned();
    for tree in trees {
        let mut leaves = Vec::new();
        collect(
            &tree.tree,
            Cell::from_box(planes, tree.bounds),
            planes,
            &mut leaves,
        );
        // The sort is stable, so leaves of one kind stay in the order of the walk.
        leaves.sort_by_key(|&(solidity, _)| solidity);
        for of_kind in leaves.chunk_by(|(one, _), (next, _)| one == next) {
            let kind = leaf_kind(of_kind[0].0, hulls);
            let (own, model) = (grouping::names(&[tree.hulls], hulls), tree.model.index());
            text += &line("o", format_args!("{own}.model{model}.{kind}"));
            for (number, (_, cell)) in of_kind.iter().enumerate() {
                text += &line("g", format_args!("leaf{number}"));
                text.extend(
                    cell.face_positions()
                        .map(|corners| polygon(corners.into_iter())),
                );
            }
        }
    }
    text
}

/// Collects the leaves below a part of a tree, with their cells.
fn collect(tree: &Tree, cell: Cell, planes: &PlaneSet, leaves: &mut Vec<(HullSet, Cell)>) {
    match tree {
        Tree::Leaf { solidity } => leaves.push((*solidity, cell)),
        Tree::Node {
            plane, children, ..
        } => {
            let Split::Both(front, back) = cell.split(planes, *plane) else {
                unreachable!("a node's plane cuts its cell");
            };
            for (child, cell) in children.iter().zip([front, back]) {
                collect(child, cell, planes, leaves);
            }
        }
    }
}

fn line(keyword: &str, rest: impl Display) -> String {
    format!("{keyword} {rest}\n")
}

/// Formats a face, counterclockwise seen from its front.
fn polygon(corners: impl ExactSizeIterator<Item = DVec3>) -> String {
    let n_corners = corners.len();
    let corners = corners.map(|DVec3 { x, y, z }| format!("v {x} {y} {z}\n"));
    let corners: String = corners.collect();
    let back = (1..=n_corners).rev().map(|number| format!(" -{number}"));
    format!("{corners}f{}\n", back.collect::<String>())
}
