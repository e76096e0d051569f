//! Formats skins and leaves as Wavefront `.obj` text. A skin is an object for each model and hull, with a group of
//! faces for each brush; the leaves of a tree are objects by the hulls for which they are solid, with a group for
//! each leaf, cut off at the tree's box. Faces count their corners back from the last one.

use std::fmt::Display;

use glam::DVec3;
use onion_compiler::brush::ModelBrushes;
use onion_compiler::bsp::{ModelTree, Tree};
use onion_compiler::group::grouping;
use onion_compiler::hull::HullSpec;
use onion_compiler::union::Face;
use onion_format::HullSet;
use onion_geometry::{Cell, Cut, PlaneSet};

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
                let windings = of_brush.iter().map(|face| &face.winding.corners);
                text.extend(
                    windings.map(|corners| polygon(corners.iter().map(|corner| corner.position))),
                );
            }
        }
    }
    text
}

/// Formats the leaves of all trees.
pub(super) fn trees(hulls: &[HullSpec], trees: &[ModelTree], planes: &PlaneSet) -> String {
    let mut text = HEADER.to_owned();
    for ModelTree {
        model,
        hulls: own,
        tree,
        bounds,
    } in trees
    {
        let mut leaves = Vec::new();
        collect(tree, Cell::from_box(planes, *bounds), planes, &mut leaves);
        // Stable: leaves of one kind stay in the order of the walk.
        leaves.sort_by_key(|&(solidity, _)| solidity);
        for of_kind in leaves.chunk_by(|(one, _), (next, _)| one == next) {
            let kind = kind(of_kind[0].0, hulls);
            let own = grouping::names(&[*own], hulls);
            text += &line("o", format_args!("{own}.model{}.{kind}", model.index()));
            for (number, (_, cell)) in of_kind.iter().enumerate() {
                text += &line("g", format_args!("leaf{number}"));
                text += &polyhedron(cell);
            }
        }
    }
    text
}

/// Names the hulls for which a leaf is solid.
fn kind(solidity: HullSet, hulls: &[HullSpec]) -> String {
    if solidity.is_empty() {
        "empty".to_owned()
    } else {
        format!("solid.{}", grouping::names(&[solidity], hulls))
    }
}

/// Collects the leaves below a part of a tree, with their cells.
fn collect(tree: &Tree, cell: Cell, planes: &PlaneSet, leaves: &mut Vec<(HullSet, Cell)>) {
    match tree {
        Tree::Leaf { solidity } => leaves.push((*solidity, cell)),
        Tree::Node {
            plane, children, ..
        } => {
            let Cut::Both(front_cell, back_cell) = cell.cut(planes, *plane) else {
                unreachable!("a node's plane cuts its cell");
            };
            let [front, back] = &**children;
            collect(front, front_cell, planes, leaves);
            collect(back, back_cell, planes, leaves);
        }
    }
}

fn line(keyword: &str, rest: impl Display) -> String {
    format!("{keyword} {rest}\n")
}

fn polyhedron(cell: &Cell) -> String {
    let faces = cell.face_corners().map(|corners| {
        let vertices = corners
            .iter()
            .map(|&corner| &cell.vertices()[corner as usize]);
        polygon(vertices.map(|vertex| vertex.position))
    });
    faces.collect()
}

/// Formats a face, counterclockwise seen from its front.
fn polygon(corners: impl ExactSizeIterator<Item = DVec3>) -> String {
    let n_corners = corners.len();
    let corners = corners.map(|DVec3 { x, y, z }| format!("v {x} {y} {z}\n"));
    let corners: String = corners.collect();
    let back = (1..=n_corners).rev().map(|number| format!(" -{number}"));
    format!("{corners}f{}\n", back.collect::<String>())
}
