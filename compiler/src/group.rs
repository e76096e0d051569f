//! Stage 5, group: the skins of all hulls in, the hulls that share a tree out. One tree for all is
//! the rule: then a place resolves to one leaf for an agent of any size. Hulls whose skins lie in
//! other planes cut each other's faces, though, and the tree grows faster than its hulls; with a tree
//! for each group of similar hulls it does not, and every trace is as short as in a tree of its own.
//!
//! Two hulls are as similar as the part of their skins' area that lies in a plane in which the other
//! hull's skin has a face that touches it. Groups are merged while the mean similarity of their
//! hulls is at least `SIMILAR`, the most similar first (average linkage).

use std::fmt;
use std::str::FromStr;

use indexmap::IndexMap;
use rayon::prelude::*;

use crate::error::GroupError;
use crate::geometry::{Bounds, PlaneId};
use crate::hull::HullSpec;
use crate::spatial::SpatialIndex;
use crate::union::Face;

/// Groups are merged down to this similarity. The trees of standing and crouching players, which
/// share floors and walls, are worth one; a box of twice the size, which shares floors alone, is not.
const SIMILAR: f64 = 0.65;

/// Which hulls share a tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Grouping {
    /// All of them.
    #[default]
    One,
    /// None.
    Each,
    /// Those that are similar.
    Auto,
    /// As written: groups of names.
    Named(Vec<Vec<String>>),
}

impl FromStr for Grouping {
    type Err = GroupError;

    fn from_str(text: &str) -> Result<Self, GroupError> {
        let names = |group: &str| group.split('+').map(str::to_owned).collect::<Vec<_>>();
        match text {
            "one" => Ok(Self::One),
            "each" => Ok(Self::Each),
            "auto" => Ok(Self::Auto),
            _ => Ok(Self::Named(text.split(',').map(names).collect())),
        }
    }
}

impl fmt::Display for Grouping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::One => f.write_str("one"),
            Self::Each => f.write_str("each"),
            Self::Auto => f.write_str("auto"),
            Self::Named(groups) => {
                let groups: Vec<_> = groups.iter().map(|names| names.join("+")).collect();
                f.write_str(&groups.join(","))
            }
        }
    }
}

impl Grouping {
    /// Checks that every hull is named once, and no other.
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

/// The groups, one bit for each hull, in the order of their lowest hulls. A named grouping must have
/// been checked.
pub fn groups(grouping: &Grouping, hulls: &[HullSpec], skins: &[Vec<Face>]) -> Vec<u64> {
    let each = (0..hulls.len()).map(|hull| 1 << hull);
    let number = |name: &String| hulls.iter().position(|hull| hull.name == *name);
    let bits = |group: &Vec<String>| {
        let numbers = group.iter().filter_map(number);
        numbers.fold(0, |bits, number| bits | 1 << number)
    };
    let mut groups: Vec<u64> = match grouping {
        Grouping::One => vec![each.sum()],
        Grouping::Each => each.collect(),
        Grouping::Auto => similar(hulls.len(), skins),
        Grouping::Named(groups) => groups.iter().map(bits).collect(),
    };
    groups.sort_unstable_by_key(|group| group.trailing_zeros());
    groups
}

/// The names of all groups, as `--group` takes them.
pub fn names(groups: &[u64], hulls: &[HullSpec]) -> String {
    let names: Vec<_> = groups.iter().map(|&group| name(group, hulls)).collect();
    names.join(",")
}

/// The names of a group's hulls.
fn name(group: u64, hulls: &[HullSpec]) -> String {
    let hulls = hulls.iter().enumerate();
    let names = hulls.filter(|(number, _)| group >> number & 1 == 1);
    let names: Vec<_> = names.map(|(_, hull)| hull.name.as_str()).collect();
    names.join("+")
}

/// Merges hulls by average linkage.
fn similar(n_hulls: usize, skins: &[Vec<Face>]) -> Vec<u64> {
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
            break;
        };
        let merged = groups.remove(second);
        groups[first].extend(merged);
    }
    let bits = |group: &Vec<usize>| group.iter().fold(0, |bits, hull| bits | 1 << hull);
    groups.iter().map(bits).collect()
}

/// Areas of skins, in square units.
struct Shared {
    n_hulls: usize,
    /// For each hull, the area of its skin.
    whole: Vec<f64>,
    /// For each hull and each other, the area of the hull's skin that the other touches.
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
        let none = Self {
            n_hulls,
            whole: vec![0.0; n_hulls],
            touched: vec![0.0; n_hulls * n_hulls],
        };
        let planes: Vec<_> = by_plane.into_values().collect();
        // For each face, in order: its hull, its area, and the hulls that touch it.
        let faces: Vec<Vec<_>> = planes.par_iter().map(|faces| touching(faces)).collect();
        faces.into_iter().flatten().fold(none, Self::add)
    }

    fn add(mut self, (hull, area, touching): (usize, f64, u64)) -> Self {
        self.whole[hull] += area;
        for other in (0..self.n_hulls).filter(|other| touching >> other & 1 == 1) {
            self.touched[hull * self.n_hulls + other] += area;
        }
        self
    }

    fn similarity(&self, one: usize, other: usize) -> f64 {
        let touched =
            self.touched[one * self.n_hulls + other] + self.touched[other * self.n_hulls + one];
        let whole = self.whole[one] + self.whole[other];
        if whole > 0.0 { touched / whole } else { 1.0 }
    }

    /// Mean similarity of the hulls of one group to those of another.
    fn mean(&self, one: &[usize], other: &[usize]) -> f64 {
        let pairs = one.iter().flat_map(|a| other.iter().map(move |b| (*a, *b)));
        let sum: f64 = pairs.map(|(a, b)| self.similarity(a, b)).sum();
        sum / (one.len() * other.len()) as f64
    }
}

/// For each of the faces in a plane its hull, its area, and the hulls whose faces touch it.
fn touching(faces: &[&Face]) -> Vec<(usize, f64, u64)> {
    let first = faces[0].hull;
    let alone = faces.iter().all(|face| face.hull == first);
    let boxes: Vec<Bounds> = faces.iter().map(|face| face.winding.bounds()).collect();
    let index = (!alone).then(|| SpatialIndex::new(boxes.iter().copied()));
    let hulls_at = |bounds| {
        let found = index.iter().flat_map(|index| index.touching(bounds));
        found.fold(0, |hulls, number| hulls | 1 << faces[number as usize].hull)
    };
    let faces = faces.iter().zip(&boxes);
    faces
        .map(|(face, bounds)| {
            (
                usize::from(face.hull),
                face.winding.area(),
                hulls_at(bounds),
            )
        })
        .collect()
}
