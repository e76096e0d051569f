//! Stage 11, shape, lists the data of brushes that traces of any size and shape need in addition to planes: corners,
//! edges, and for each model a binary tree of boxes around its brushes, divided at the middle brush along the longest
//! axis.

use onion_format::{BoxRecord, BoxesRecord, CornerRecord, EdgeRecord, MAX_BOX_DEPTH, SolidRecord};
use onion_geometry::Bounds;

use crate::brush::{ModelBrushes, SolidBrush};
use crate::error::CompileError;
use crate::options::CompileOptions;
use crate::provenance::{BrushSides, Hits};

/// The records of the shapes of all brushes.
#[derive(Clone, Debug, Default)]
pub struct Shapes {
    /// For each brush, the ranges of its faces, corners and edges.
    pub solids: Vec<SolidRecord>,
    pub corners: Vec<CornerRecord>,
    pub edges: Vec<EdgeRecord>,
    /// For each model, the range of its boxes.
    pub models: Vec<BoxesRecord>,
    pub boxes: Vec<BoxRecord>,
}

/// Lists the shapes of the brushes of all models, or returns `None` if the file is not to hold them.
///
/// # Errors
/// More of them than 32 bits can number.
pub fn shapes(
    options: &CompileOptions,
    models: &[ModelBrushes],
    hits: Option<&Hits>,
) -> Result<Option<Shapes>, CompileError> {
    let hits = hits.filter(|_| options.brushes);
    hits.map(|hits| shapes_of(models, &hits.sides)).transpose()
}

/// Lists the shapes of the brushes of all models, whose sides are given.
pub(crate) fn shapes_of(
    models: &[ModelBrushes],
    sides: &[Vec<BrushSides>],
) -> Result<Shapes, CompileError> {
    let mut shapes = Shapes::default();
    for (brushes, sides) in models.iter().zip(sides) {
        shapes.add_model(brushes, sides)?;
    }
    Ok(shapes)
}

fn number(length: usize) -> Result<u32, CompileError> {
    u32::try_from(length).map_err(|_| CompileError::TooLarge)
}

impl Shapes {
    fn add_model(
        &mut self,
        brushes: &ModelBrushes,
        sides: &[BrushSides],
    ) -> Result<(), CompileError> {
        let first_brush = number(self.solids.len())?;
        for (brush, sides) in brushes.iter().zip(sides) {
            self.add_solid(brush, sides)?;
        }
        let first = number(self.boxes.len())?;
        let boxed = brushes.iter().map(|brush| brush.cell.bounds());
        let mut boxed: Vec<_> = (first_brush..).zip(boxed).collect();
        if !boxed.is_empty() {
            self.add_boxes(&mut boxed);
        }
        let n_boxes = number(self.boxes.len())? - first;
        self.models.push(BoxesRecord { first, n_boxes });
        Ok(())
    }

    fn add_solid(&mut self, brush: &SolidBrush, sides: &BrushSides) -> Result<(), CompileError> {
        let corners = brush.cell.vertices().iter().map(|vertex| CornerRecord {
            position: vertex.position.to_array(),
        });
        let edges = brush.cell.shared_edges();
        self.solids.push(SolidRecord {
            first_face: sides.first,
            n_faces: number(sides.n_faces)?,
            n_bevels: number(sides.sides.len() - sides.n_faces)?,
            first_corner: number(self.corners.len())?,
            n_corners: number(corners.len())?,
            first_edge: number(self.edges.len())?,
            n_edges: number(edges.len())?,
        });
        self.corners.extend(corners);
        let edges = edges.into_iter().map(|(corners, faces)| EdgeRecord {
            corners,
            faces: faces.map(|face| face as u32),
        });
        self.edges.extend(edges);
        Ok(())
    }

    /// Adds the tree of boxes around some brushes.
    fn add_boxes(&mut self, brushes: &mut [(u32, Bounds)]) {
        let around = brushes.iter().map(|&(_, bounds)| bounds);
        let around = around.fold(Bounds::NONE, Bounds::union);
        let at = self.boxes.len();
        self.boxes.push(BoxRecord {
            mins: around.mins.to_array().map(below),
            maxs: around.maxs.to_array().map(above),
            second: 0,
            brush: 0,
        });
        if let [(brush, _)] = *brushes {
            self.boxes[at].brush = brush;
            return;
        }
        let middle = |bounds: &Bounds| bounds.mins + bounds.maxs;
        let middles = Bounds::of(brushes.iter().map(|(_, bounds)| middle(bounds)));
        let axis = (middles.maxs - middles.mins).max_position();
        brushes.sort_by(|(one, a), (other, b)| {
            let [a, b] = [a, b].map(|bounds| middle(bounds)[axis]);
            a.total_cmp(&b).then(one.cmp(other))
        });
        // Halves differ by at most one brush, so 2^32 brushes are 32 boxes deep.
        const { assert!(MAX_BOX_DEPTH >= 32) };
        let (first, second) = brushes.split_at_mut(brushes.len().div_ceil(2));
        self.add_boxes(first);
        self.boxes[at].second = self.boxes.len() as u32;
        self.add_boxes(second);
    }
}

/// Returns the nearest f32 that is not above.
pub(crate) fn below(wide: f64) -> f32 {
    match wide as f32 {
        nearest if f64::from(nearest) <= wide => nearest,
        above => above.next_down(),
    }
}

/// Returns the nearest f32 that is not below.
pub(crate) fn above(wide: f64) -> f32 {
    -below(-wide)
}
