//! Proves for each patch that no point of its true surface is farther than the patch error from the pieces that stand
//! for it. The map and the brushes of stage 1 go in; an error that names a bare place comes out if there is one. The
//! proof shares no code with the making of pieces: a rectangle of a biquadratic Bézier span lies in the convex hull of
//! its nine control points (Farin, "Curves and Surfaces for CAGD", 5th edition, chapter 15), and distance from a convex
//! piece is a convex function, so a bound that holds for the nine points holds for the whole rectangle. A rectangle for
//! which it does not hold with any one piece is quartered.

use glam::DVec3;
use onion_geometry::spatial::SpatialIndex;
use onion_geometry::{Bounds, Cell, PlaneId, PlaneSet};
use onion_maps::{Map, Patch};
use rayon::prelude::*;

use crate::brush::{self, BrushSource, ModelBrushes, SolidBrush};
use crate::error::CompileError;
use crate::options::CompileOptions;

/// Maximum number of times that a span is quartered: a rectangle of a span of 64 units is then 1/64 of a unit wide.
const MAX_QUARTERINGS: usize = 12;

/// Control points of a rectangle of a span, row by row.
type Net = [DVec3; 9];

/// A piece of a patch: each face as its outward normal, its distance from the origin in units, and its corners,
/// counterclockwise seen from outside.
struct PatchPiece(Vec<(DVec3, f64, Vec<DVec3>)>);

/// The pieces of all patches of a model.
struct Pieces {
    /// The pieces, in the order of the brushes.
    all: Vec<PatchPiece>,
    /// An index that finds pieces by position.
    index: SpatialIndex,
}

/// Proves the pieces of all patches.
///
/// # Errors
/// A point of a patch is farther than the patch error from all pieces.
pub fn prove(
    map: &Map,
    brushes: &[ModelBrushes],
    options: &CompileOptions,
    planes: &PlaneSet,
) -> Result<(), CompileError> {
    let error = options.patch_error;
    for (model, brushes) in map.models.iter().zip(brushes) {
        let pieces = Pieces::new(brushes, planes);
        let patches = model.patches.par_iter();
        let patches = patches.filter(|patch| brush::left_out_patch(patch).is_none());
        let bare = patches.find_map_first(|patch| {
            let place = pieces.bare_place(patch, f64::from(error))?;
            Some((BrushSource::Patch(patch.number), place))
        });
        if let Some((patch, place)) = bare {
            return Err(CompileError::BarePatch(format!(
                "{patch} is farther than {error} units from its pieces at {place:.0}"
            )));
        }
    }
    Ok(())
}

impl Pieces {
    fn new(brushes: &[SolidBrush], planes: &PlaneSet) -> Self {
        let is_piece = |brush: &&SolidBrush| matches!(brush.source, BrushSource::Patch(_));
        let cells = || brushes.iter().filter(is_piece).map(|brush| &brush.cell);
        let piece = |cell: &Cell| {
            let faces = cell.planes().zip(cell.face_positions());
            let face = |(plane, corners): (PlaneId, Vec<DVec3>)| {
                (planes[plane].normal, planes[plane].dist, corners)
            };
            PatchPiece(faces.map(face).collect())
        };
        Self {
            all: cells().map(piece).collect(),
            index: SpatialIndex::new(cells().map(|cell| cell.bounds())),
        }
    }

    /// Returns a point of a patch that may be farther than the error from all pieces, or `None` if there is none.
    fn bare_place(&self, patch: &Patch, error: f64) -> Option<DVec3> {
        let mut open: Vec<(Net, usize)> = spans(patch).map(|net| (net, 0)).collect();
        while let Some((net, n_quarterings)) = open.pop() {
            let bounds = Bounds::around(net.into_iter());
            let near = self.index.touching(&bounds.widened(error));
            let is_near = |&number: &u32| {
                let piece = &self.all[number as usize];
                net.iter().all(|control| piece.distance(*control) <= error)
            };
            if near.iter().any(is_near) {
                continue;
            }
            if near.is_empty() || n_quarterings == MAX_QUARTERINGS {
                return Some(net[4]);
            }
            open.extend(quarters(&net).map(|net| (net, n_quarterings + 1)));
        }
        None
    }
}

impl PatchPiece {
    /// Returns the distance of a point from the piece, 0 inside.
    fn distance(&self, point: DVec3) -> f64 {
        let faces = self.0.iter();
        let ahead = faces.filter(|(normal, dist, _)| normal.dot(point) > *dist);
        let distances = ahead.map(|(normal, dist, corners)| {
            let edges = corners.iter().zip(corners.iter().cycle().skip(1));
            let edges = edges.map(|(&from, &to)| (from, to - from));
            let beyond = edges.filter(|(from, edge)| edge.cross(point - *from).dot(*normal) < 0.0);
            let along = beyond.map(|(from, edge)| {
                let share = (point - from).dot(edge) / edge.length_squared();
                point.distance(from + edge * share.clamp(0.0, 1.0))
            });
            let height = (normal.dot(point) - dist) / normal.length();
            along.reduce(f64::min).unwrap_or(height)
        });
        distances.reduce(f64::min).unwrap_or(0.0)
    }
}

/// Returns the spans of a patch.
fn spans(patch: &Patch) -> impl Iterator<Item = Net> {
    let columns = (0..patch.width - 2).step_by(2);
    let rows = (0..patch.height - 2).step_by(2);
    let firsts = rows.flat_map(move |row| columns.clone().map(move |column| [column, row]));
    firsts.map(|[column, row]| {
        std::array::from_fn(|number| {
            let at = (row + number / 3) * patch.width + column + number % 3;
            DVec3::from_array(patch.points[at].map(f64::from))
        })
    })
}

/// Returns the control points of the four quarters of a rectangle.
fn quarters(net: &Net) -> [Net; 4] {
    let halves = |[a, b, c]: [DVec3; 3]| {
        let (near, far) = (a.midpoint(b), b.midpoint(c));
        [a, near, near.midpoint(far), far, c]
    };
    let rows = [0, 1, 2].map(|row| halves([0, 1, 2].map(|column| net[3 * row + column])));
    let columns: [[DVec3; 5]; 5] =
        std::array::from_fn(|column| halves(rows.map(|row| row[column])));
    [[0, 0], [2, 0], [0, 2], [2, 2]]
        .map(|[x, y]| std::array::from_fn(|at| columns[x + at % 3][y + at / 3]))
}
