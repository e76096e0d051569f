//! Part of stage 6, group: decides which hulls may share a tree. By default all boxes do, so that a game finds the leaf
//! of a position once for agents of all sizes. But hulls whose skins lie in different planes cut each other's faces,
//! and their common tree grows faster than their number. Separate trees for groups of similar hulls are smaller, and
//! each trace is as short as in a tree for its hull alone. A point's skin shares planes with no box, so points have a
//! tree of their own. A group in a file has at most 8 hulls; larger groups are divided, in order of hull number.
//!
//! # Similarity
//! The similarity of two hulls is the share of their skins' area that lies in a plane in which the other hull's skin
//! has a face that touches it. Groups are merged, the most similar first, while the mean similarity of their hulls is
//! at least `SIMILAR` (average linkage).

use std::fmt;
use std::str::FromStr;

use indexmap::IndexMap;
use onion_format::{HullSet, MAX_GROUP};
use onion_geometry::spatial::SpatialIndex;
use onion_geometry::{Bounds, PlaneId};
use rayon::prelude::*;

use crate::error::GroupError;
use crate::hull::HullSpec;
use crate::union::Face;

/// The similarity down to which groups are merged. The trees of standing and crouching players, which share floors and
/// walls, are worth one tree; a box of twice the size, which shares only floors, is not.
const SIMILAR: f64 = 0.65;

/// The choice of the hulls that share a tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Grouping {
    /// All boxes share one tree, and all points another.
    #[default]
    Kinds,
    /// All hulls share one tree.
    One,
    /// No two hulls share a tree.
    Each,
    /// The cheapest of one tree for all hulls, trees for groups of similar hulls, and a tree for each hull.
    Auto,
    /// The groups as written, by the names of hulls.
    Named(Vec<Vec<String>>),
}

impl FromStr for Grouping {
    type Err = GroupError;

    fn from_str(text: &str) -> Result<Self, GroupError> {
        let names = |group: &str| group.split('+').map(str::to_owned).collect();
        Ok(match text {
            "kinds" => Self::Kinds,
            "one" => Self::One,
            "each" => Self::Each,
            "auto" => Self::Auto,
            _ => Self::Named(text.split(',').map(names).collect()),
        })
    }
}

impl fmt::Display for Grouping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kinds => f.write_str("kinds"),
            Self::One => f.write_str("one"),
            Self::Each => f.write_str("each"),
            Self::Auto => f.write_str("auto"),
            Self::Named(groups) => {
                let groups = groups.iter().map(|names| names.join("+"));
                f.write_str(&Vec::from_iter(groups).join(","))
            }
        }
    }
}

impl Grouping {
    /// Checks that the names are those of all hulls, each once.
    ///
    /// # Errors
    /// A name is missing, unknown or repeated.
    pub fn check(&self, hulls: &[HullSpec]) -> Result<(), GroupError> {
        let Self::Named(groups) = self else {
            return Ok(());
        };
        let named: Vec<&String> = groups.iter().flatten().collect();
        for (at, name) in named.iter().enumerate() {
            if !hulls.iter().any(|hull| hull.name == **name) {
                return Err(GroupError::Unknown((*name).clone()));
            }
            if named[..at].contains(name) {
                return Err(GroupError::Repeated((*name).clone()));
            }
        }
        match hulls.iter().find(|hull| !named.contains(&&hull.name)) {
            Some(hull) => Err(GroupError::Missing(hull.name.clone())),
            None => Ok(()),
        }
    }
}

/// Returns the groups among which a grouping takes the cheapest: for `auto`, one, those of similar hulls, and each; for
/// any other, its only ones. A named grouping must have been checked.
pub fn choices(grouping: &Grouping, hulls: &[HullSpec], skins: &[Vec<Face>]) -> Vec<Vec<HullSet>> {
    let all = 0..hulls.len();
    let (points, boxes) = all.clone().partition(|&hull| hulls[hull].is_point());
    let number = |name: &String| hulls.iter().position(|hull| hull.name == *name);
    let named = |group: &Vec<String>| group.iter().filter_map(number).collect();
    let one = vec![all.clone().collect()];
    let each = all.clone().map(|hull| vec![hull]).collect();
    let choices = match grouping {
        Grouping::Kinds => vec![vec![points, boxes]],
        Grouping::One => vec![one],
        Grouping::Each => vec![each],
        Grouping::Auto => vec![one, similar(hulls.len(), skins), each],
        Grouping::Named(groups) => vec![groups.iter().map(named).collect()],
    };
    choices.into_iter().map(divided).collect()
}

/// Returns groups, divided where they are larger than a file's, in the order of their lowest hulls.
fn divided(mut groups: Vec<Vec<usize>>) -> Vec<HullSet> {
    groups.iter_mut().for_each(|group| group.sort_unstable());
    let parts = groups.iter().flat_map(|group| group.chunks(MAX_GROUP));
    let mut groups: Vec<HullSet> = parts.map(|part| part.iter().copied().collect()).collect();
    groups.sort_unstable_by_key(|group| group.first());
    groups
}

/// Returns the names of all groups, as `--group` takes them.
pub fn names(groups: &[HullSet], hulls: &[HullSpec]) -> String {
    let name = |hull: usize| hulls[hull].name.as_str();
    let names = |group: &HullSet| Vec::from_iter(group.iter().map(name)).join("+");
    Vec::from_iter(groups.iter().map(names)).join(",")
}

/// Merges hulls by average linkage.
fn similar(n_hulls: usize, skins: &[Vec<Face>]) -> Vec<Vec<usize>> {
    let shared = Shared::of(n_hulls, skins);
    let mut groups: Vec<Vec<usize>> = (0..n_hulls).map(|hull| vec![hull]).collect();
    loop {
        let mut best = (SIMILAR, None);
        for second in 1..groups.len() {
            for first in 0..second {
                let similarity = shared.mean(&groups[first], &groups[second]);
                if similarity >= best.0 && (best.1.is_none() || similarity > best.0) {
                    best = (similarity, Some((first, second)));
                }
            }
        }
        let Some((first, second)) = best.1 else {
            return groups;
        };
        let merged = groups.remove(second);
        groups[first].extend(merged);
    }
}

/// Areas of skins, in square units.
struct Shared {
    /// Number of hulls.
    n_hulls: usize,
    /// For each hull, the area of its skin.
    whole: Vec<f64>,
    /// For each hull and each other hull, the area of the first one's skin that faces of the other touch.
    touched: Vec<f64>,
}

impl Shared {
    fn of(n_hulls: usize, skins: &[Vec<Face>]) -> Self {
        let mut by_plane: IndexMap<(usize, PlaneId), Vec<&Face>> = IndexMap::new();
        for (model, skin) in skins.iter().enumerate() {
            for face in skin {
                let key = (model, face.winding.plane);
                by_plane.entry(key).or_default().push(face);
            }
        }
        let mut shared = Self {
            n_hulls,
            whole: vec![0.0; n_hulls],
            touched: vec![0.0; n_hulls * n_hulls],
        };
        let planes: Vec<_> = by_plane.into_values().collect();
        // For each face, in order: its hull, its area, and the hulls that touch it.
        let faces: Vec<Vec<_>> = planes.par_iter().map(|faces| touching(faces)).collect();
        for (hull, area, touching) in faces.into_iter().flatten() {
            shared.whole[hull] += area;
            for other in touching {
                shared.touched[hull * n_hulls + other] += area;
            }
        }
        shared
    }

    fn similarity(&self, one: usize, other: usize) -> f64 {
        let touched_by = |one, other| self.touched[one * self.n_hulls + other];
        let touched = touched_by(one, other) + touched_by(other, one);
        let whole = self.whole[one] + self.whole[other];
        if whole > 0.0 { touched / whole } else { 1.0 }
    }

    /// Returns the mean similarity of the hulls of one group to the hulls of another.
    fn mean(&self, one: &[usize], other: &[usize]) -> f64 {
        let pairs = one.iter().flat_map(|a| other.iter().map(move |b| (*a, *b)));
        let sum: f64 = pairs.map(|(a, b)| self.similarity(a, b)).sum();
        sum / (one.len() * other.len()) as f64
    }
}

/// Returns, for each face in a plane, its hull, its area, and the hulls that have a face whose box touches its box; no
/// hulls if all faces are of one hull.
fn touching(faces: &[&Face]) -> Vec<(usize, f64, HullSet)> {
    let first = faces[0].owner.hull;
    let alone = faces.iter().all(|face| face.owner.hull == first);
    let boxes: Vec<Bounds> = faces.iter().map(|face| face.winding.bounds()).collect();
    let index = (!alone).then(|| SpatialIndex::new(boxes.iter().copied()));
    let hulls_at = |bounds| {
        let found = index.iter().flat_map(|index| index.touching(bounds));
        let faces = found.map(|number| faces[number as usize]);
        faces.map(|face| face.owner.hull.index()).collect()
    };
    let found = faces.iter().zip(&boxes).map(|(face, bounds)| {
        let hull = face.owner.hull.index();
        (hull, face.winding.area(), hulls_at(bounds))
    });
    found.collect()
}
