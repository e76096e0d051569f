//! Finds seams, where a hull gets stuck: gaps that are exactly as wide as the hull, or wider by less than twice the
//! distance that traces keep from a surface. In a compiled file, a gap that a hull could enter only by touching both
//! sides is solid, and a slightly wider one is entered only by chance, so a player stops where the way seems free.
//! Seams are found where faces of expanded brushes meet back to back, with no other brush in between, beside a free
//! position.

use glam::DVec3;
use onion_compiler::brush::{self, BrushSource};
use onion_compiler::error::VerifyError;
use onion_compiler::expand;
use onion_compiler::hull::HullSpec;
use onion_geometry::polygon::{area, split};
use onion_geometry::spatial::SpatialIndex;
use onion_geometry::tolerance::ON_SKIN;
use onion_geometry::{Bounds, PlaneSet};
use onion_maps::Map;
use onion_runtime::{Hull, HullId, OnionMap};
use rayon::prelude::*;
use serde::Serialize;

use super::place::{Near, nearest};
use crate::floors::{STEP, is_ground};
use crate::marked_entities::{self, MarkedEntity};
use crate::tolerance::{
    BESIDE_SEAM, MIN_SEAM_AREA, ON_SIDE, SAME_DIRECTION, SAME_NORMAL, SEAM_ROOM,
};
use crate::visible_faces::uncovered;
use crate::walls::{self, Wall, WallFace};

/// Number of positions beside a seam that are tested along an edge of it.
const PLACES: u32 = 7;

/// The meaning of a gap for a walking agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SeamKind {
    /// A way from one floor to another, in which an agent gets stuck.
    Way,
    /// A niche beside a floor, into which an agent does not get.
    Niche,
    /// A gap that no floor adjoins.
    High,
}

/// A gap that leaves a hull no room.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Seam {
    /// Name of the hull.
    pub hull: String,
    /// Its meaning for a walking agent.
    pub kind: SeamKind,
    /// The width of the gap beyond the width of the hull, in units: from 0 to twice the distance that traces keep.
    pub room: f64,
    /// The brushes or patches on both sides; for merged seams, those of the largest one.
    pub between: [String; 2],
    /// A position of the hull's origin in it, in units.
    pub at: [f64; 3],
    /// Lower corner of the box around all positions of the hull's origin in it, in units.
    pub mins: [f64; 3],
    /// Upper corner, in units.
    pub maxs: [f64; 3],
    /// The nearest entity that agents start from or get to.
    pub near: Option<Near>,
}

/// Returns the seams of all hulls with an extent in the world of the map that a file was compiled from, ordered by
/// kind, and from the largest within each kind.
///
/// # Errors
/// The map's patches need too many pieces.
pub fn seams<D: AsRef<[u8]> + Sync>(
    file: &OnionMap<D>,
    map: &Map,
) -> Result<Vec<Seam>, VerifyError> {
    let mut planes = PlaneSet::default();
    let patch_error = file.inspect().info().patch_error;
    let brushes = brush::build(map, patch_error, &mut planes, &mut Vec::new())?;
    let specs: Vec<HullSpec> = file.hulls().map(HullSpec::from).collect();
    let (solids, cells) = expand::expand_model(&brushes[0], &specs, &mut planes);
    let entities = marked_entities::reached(file);
    let mut found = Vec::new();
    for (hull, (solid, cells)) in file.hulls().zip(solids.iter().zip(&cells)) {
        if hull.bounds.mins == hull.bounds.maxs {
            continue;
        }
        let expanded = solid.brushes.iter().zip(cells).map(|(expanded, cell)| {
            let own = &brushes[0][expanded.brush.index()];
            let names = std::iter::repeat(String::new());
            walls::wall(own.source, 0, own.contents, cell, names, &planes)
        });
        let expanded: Vec<Wall> = expanded.collect();
        let support = |at: DVec3| support(file, hull.id, at);
        found.extend(ExpandedWalls::new(&expanded).seams(&hull, &entities, &support));
    }
    // The largest first, because a merged seam keeps the names and the place of its first part.
    found.sort_by(|(area, _), (other, _)| other.total_cmp(area));
    let mut found = merged(found);
    found.sort_by(|(area, seam), (other_area, other)| {
        seam.kind.cmp(&other.kind).then(other_area.total_cmp(area))
    });
    Ok(found.into_iter().map(|(_, seam)| seam).collect())
}

/// Returns the support of a hull at a position, or `None` if the position is solid.
fn support<D: AsRef<[u8]>>(file: &OnionMap<D>, hull: HullId, at: DVec3) -> Option<Support> {
    if file.world().is_solid(hull, at.to_array()) {
        return None;
    }
    let fall = file
        .world()
        .trace(hull, at.to_array(), (at - DVec3::Z * STEP).to_array());
    Some(if is_ground(fall.plane) {
        Support::Floor
    } else {
        Support::Air
    })
}

/// Merges the touching seams of a hull in one axial plane, because a wall is often made of several brushes. The result
/// names the brushes of the largest seam.
fn merged(found: Vec<(f64, Seam)>) -> Vec<(f64, Seam)> {
    let mut merged: Vec<(f64, Seam)> = Vec::new();
    for (area, seam) in found {
        let own = seam.bounds();
        let like = merged.iter_mut().find(|(_, other)| {
            let both = own.union(other.bounds());
            let size = both.maxs - both.mins;
            let is_flat = size.min_element() <= SEAM_ROOM;
            is_flat && other.hull == seam.hull && own.touches(&other.bounds())
        });
        let Some((all, other)) = like else {
            merged.push((area, seam));
            continue;
        };
        let both = own.union(other.bounds());
        *all += area;
        (other.mins, other.maxs) = (both.mins.to_array(), both.maxs.to_array());
        other.kind = other.kind.min(seam.kind);
    }
    merged
}

impl Seam {
    /// Returns the box around the seam.
    fn bounds(&self) -> Bounds {
        let [mins, maxs] = [self.mins, self.maxs].map(DVec3::from_array);
        Bounds { mins, maxs }
    }
}

/// The expanded brushes of a hull.
struct ExpandedWalls<'a> {
    /// The brushes, each moved outward by the hull.
    walls: &'a [Wall],
    /// The boxes of the walls, for finding those near a place.
    index: SpatialIndex,
}

/// The ground below a free position of a hull.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Support {
    /// A floor, at most a step below.
    Floor,
    /// No floor within a step.
    Air,
}

/// A function that returns the support of a hull at a position, or `None` if the position is solid.
type SupportAt<'a> = dyn Fn(DVec3) -> Option<Support> + Sync + 'a;

/// The parts of the plane of a face that lie in a gap between two brushes.
struct Gap {
    /// Width of the gap that the hull has, in units.
    room: f64,
    /// Unit normal of the face.
    normal: DVec3,
    /// The brushes on both sides.
    between: [BrushSource; 2],
    /// Convex polygons, by their corners.
    parts: Vec<Vec<DVec3>>,
}

impl<'a> ExpandedWalls<'a> {
    fn new(walls: &'a [Wall]) -> Self {
        let index = SpatialIndex::new(walls.iter().map(|wall| wall.bounds));
        Self { walls, index }
    }

    /// Returns the seams of a hull, with their areas.
    fn seams(
        &self,
        hull: &Hull<'_>,
        entities: &[MarkedEntity],
        support: &SupportAt<'_>,
    ) -> Vec<(f64, Seam)> {
        let gaps = (0..self.walls.len()).into_par_iter();
        let gaps = gaps.flat_map_iter(|number| self.gaps(number));
        let seams = gaps.filter_map(|mut gap| {
            gap.parts.retain(|part| area(part) >= MIN_SEAM_AREA);
            let kind = gap.kind(support, |at| self.is_open(at))?;
            gap.seam(hull, kind, entities)
        });
        seams.collect()
    }

    /// Whether a position is in no expanded brush, and not between two brushes that touch there.
    fn is_open(&self, at: DVec3) -> bool {
        let mut touched: Vec<DVec3> = Vec::new();
        for number in self.index.touching(&Bounds { mins: at, maxs: at }) {
            let sides = &self.walls[number as usize].faces;
            let height = |side: &WallFace| side.normal.dot(at) - side.dist;
            if sides.iter().any(|side| height(side) > ON_SIDE) {
                continue;
            }
            let own = sides.iter().filter(|side| height(side) >= -ON_SIDE);
            let own: Vec<DVec3> = own.map(|side| side.normal).collect();
            let opposes = |one: &DVec3| {
                touched
                    .iter()
                    .any(|other| other.dot(*one) < -SAME_DIRECTION)
            };
            if own.is_empty() || own.iter().any(opposes) {
                return false;
            }
            touched.extend(own);
        }
        true
    }

    /// Returns the gaps between a brush and those with higher numbers.
    fn gaps(&self, number: usize) -> Vec<Gap> {
        let wall = &self.walls[number];
        let widened = wall.bounds.widened(SEAM_ROOM);
        let near = self.index.touching(&widened);
        let others = near.into_iter().map(|other| other as usize);
        let others = others.filter(|&other| other > number);
        let gaps = others.flat_map(|other| {
            let faces = wall.faces.iter();
            faces.filter_map(move |face| self.gap([number, other], face))
        });
        gaps.collect()
    }

    /// Returns the gap between a face of a brush and another brush, without the parts that other brushes fill, or
    /// `None` if the other brush has no face opposite to it across a narrow gap.
    fn gap(&self, [number, other]: [usize; 2], face: &WallFace) -> Option<Gap> {
        let cover = &self.walls[other];
        let back = |side: &&WallFace| {
            side.normal.abs_diff_eq(-face.normal, SAME_NORMAL)
                && (0.0..=SEAM_ROOM).contains(&(0.0 - (side.dist + face.dist)))
        };
        let back = cover.faces.iter().find(back)?;
        let mut sides = cover.faces.iter().filter(|side| !std::ptr::eq(*side, back));
        // The gap is where both faces overlap: the face, clipped to all other sides of the opposite brush.
        let whole = sides.try_fold(face.corners.clone(), |corners, side| {
            let [_, behind] = split(corners, side.normal, side.dist);
            behind
        })?;
        let mut parts = vec![whole];
        let around = Bounds::around(parts[0].iter().copied());
        for filling in self.index.touching(&around) {
            let wall = &self.walls[filling as usize];
            if parts.is_empty() || wall.faces.iter().any(|side| is_parallel(side, face)) {
                continue;
            }
            let left = parts.into_iter();
            let left = left.flat_map(|part| uncovered(part, face.normal, wall, true));
            parts = left.collect();
        }
        Some(Gap {
            // Zero minus the sum, so that a gap without room is 0 in the report, and not -0.
            room: 0.0 - (back.dist + face.dist),
            normal: face.normal,
            between: [self.walls[number].source, cover.source],
            parts,
        })
    }
}

impl Gap {
    /// Returns the most important kind among the connected parts of the gap, or `None` if the hull is free at no
    /// position beside it.
    fn kind(&self, support: &SupportAt<'_>, is_open: impl Fn(DVec3) -> bool) -> Option<SeamKind> {
        // Parts that touch are one gap: the floors on both sides of a way may adjoin different parts of it.
        let mut left: Vec<&Vec<DVec3>> = self.parts.iter().collect();
        let mut best = None;
        while let Some(first) = left.pop() {
            let mut joined = vec![first];
            let mut next = 0;
            while next < joined.len() {
                let around = Bounds::around(joined[next].iter().copied());
                joined.extend(left.extract_if(.., |part| {
                    Bounds::around(part.iter().copied()).touches(&around)
                }));
                next += 1;
            }
            let kind = self.kind_of(&joined, support, &is_open);
            best = best.into_iter().chain(kind).min();
        }
        best
    }

    /// Returns the kind of some connected parts, from the support of the hull beside them and from whether brushes
    /// leave the opposite side open. The file is not asked about that side, which may be filled because the gap is the
    /// only way to it.
    fn kind_of(
        &self,
        parts: &[&Vec<DVec3>],
        support: &SupportAt<'_>,
        is_open: &impl Fn(DVec3) -> bool,
    ) -> Option<SeamKind> {
        let edges = parts.iter().flat_map(|part| {
            let next = part.iter().cycle().skip(1);
            part.iter().zip(next)
        });
        let places = edges.flat_map(|(&from, &to)| {
            let outward = (to - from).cross(self.normal).normalize_or_zero();
            let beside = outward * BESIDE_SEAM + self.normal * (self.room / 2.0);
            let parts = (0..PLACES).map(|place| (f64::from(place) + 0.5) / f64::from(PLACES));
            parts.map(move |part| (outward, from.lerp(to, part) + beside))
        });
        let places: Vec<(DVec3, DVec3)> = places.collect();
        let is_way = |first: DVec3| {
            let mut opposite = places
                .iter()
                .filter(|(out, _)| first.dot(*out) < -SAME_DIRECTION);
            opposite.any(|&(_, at)| is_open(at))
        };
        let kinds = places.iter().filter_map(|&(out, at)| match support(at)? {
            Support::Floor if out.z.abs() < SAME_DIRECTION && is_way(out) => Some(SeamKind::Way),
            Support::Floor if out.z.abs() < SAME_DIRECTION => Some(SeamKind::Niche),
            _ => Some(SeamKind::High),
        });
        kinds.min()
    }

    /// Returns the gap as a seam, with its area, or `None` if no part of it remains.
    fn seam(
        &self,
        hull: &Hull<'_>,
        kind: SeamKind,
        entities: &[MarkedEntity],
    ) -> Option<(f64, Seam)> {
        let all: f64 = self.parts.iter().map(|part| area(part)).sum();
        let parts = self.parts.iter();
        let largest = parts.max_by(|one, other| area(one).total_cmp(&area(other)))?;
        let at = largest.iter().sum::<DVec3>() / largest.len() as f64;
        let at = (at + self.normal * (self.room / 2.0)).to_array();
        let around = Bounds::of(self.parts.iter().flatten().copied());
        let seam = Seam {
            hull: hull.name.to_owned(),
            kind,
            room: self.room,
            between: self.between.map(|source| source.to_string()),
            at,
            mins: around.mins.to_array(),
            maxs: around.maxs.to_array(),
            near: nearest(entities, at),
        };
        Some((all, seam))
    }
}

/// Whether a side is parallel to a face and so near to its plane that it may bound the same gap.
fn is_parallel(side: &WallFace, face: &WallFace) -> bool {
    let along = side.normal.dot(face.normal);
    let is_near = (side.dist * along - face.dist).abs() <= SEAM_ROOM + ON_SKIN;
    along.abs() > 1.0 - SAME_NORMAL && is_near
}
