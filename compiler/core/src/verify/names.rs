//! Proves the hit data of a file. Every brush, side and surface that it names must be the map's, and a side may be
//! named at a node only if its plane, moved outward by a hull, is the node's; a node may also name none. Choices are
//! made by planes of expanded brushes, or of the trees that say where cracks are closed. If a file holds the shapes of
//! its brushes, their planes, corners, edges and boxes must be the map's as well.

use std::collections::HashSet;

use onion_format::{HitAt, HitTest, unpadded};
use onion_geometry::{PlaneId, PlaneSet};
use onion_maps::Map;
use onion_runtime::inspect::Inspect;
use onion_runtime::{Brush as FileBrush, Side as FileSide, Surface};

use crate::brush::{BrushSource, FaceSide, ModelBrushes, SolidBrush};
use crate::bsp::ModelTree;
use crate::error::VerifyError;
use crate::expand::ModelSolids;
use crate::fill::cracks::Seal;
use crate::hull::HullSpec;
use crate::provenance::{self, BrushSides, SolidSide};
use crate::shape::{self, Shapes};

/// The data that the names of a file are compared with.
pub(super) struct Subject<'a> {
    pub(super) file: Inspect<'a>,
    /// Whether the file holds the shapes of its brushes.
    pub(super) has_shapes: bool,
    pub(super) map: &'a Map,
    /// The hulls of the file.
    pub(super) hulls: &'a [HullSpec],
    /// The brushes of all models, as the map has them.
    pub(super) models: &'a [ModelBrushes],
    /// The same, expanded for each hull.
    pub(super) solids: &'a [ModelSolids],
    /// The trees of the file.
    pub(super) trees: &'a [ModelTree],
    /// The seals of hulls without extent, made again.
    pub(super) seals: &'a [Seal],
}

/// The brushes that a brush of a file may be: one brush, or the pieces of a patch.
type Meant<'a> = Vec<(&'a SolidBrush, &'a BrushSides)>;

fn wrong<T>(place: String) -> Result<T, VerifyError> {
    Err(VerifyError::WrongBrush { place })
}

/// Compares all hit data of a file with the map. `plane_ids` are the ids of the file's planes.
pub(super) fn check(
    subject: &Subject<'_>,
    plane_ids: &[PlaneId],
    planes: &mut PlaneSet,
) -> Result<(), VerifyError> {
    let sides = provenance::sides(subject.models, subject.hulls, planes);
    let meant = subject.brushes(&sides)?;
    if subject.has_shapes {
        subject.check_faces(&sides, planes)?;
        subject.check_shapes(&sides)?;
    }
    let mut nodes = NodeNames {
        subject,
        meant,
        seen: HashSet::new(),
        plane_ids,
        planes,
    };
    nodes.check()
}

impl Subject<'_> {
    /// Returns, for each brush of the file, the brushes of the map that it may be. The brushes of a file are in the
    /// order of the map.
    fn brushes<'b>(&'b self, sides: &'b [Vec<BrushSides>]) -> Result<Vec<Meant<'b>>, VerifyError> {
        let models = self.models.iter().zip(sides).enumerate();
        let mut sources = models.flat_map(|(model, (brushes, sides))| {
            let brushes: Vec<_> = brushes.iter().zip(sides).collect();
            let sources = brushes.chunk_by(|(one, _), (next, _)| one.source == next.source);
            let sources: Vec<_> = sources.map(|source| (model, source.to_vec())).collect();
            sources
        });
        let mut source = sources.next();
        let mut n_used = 0;
        let mut found = Vec::new();
        for brush in self.file.brushes() {
            while source.as_ref().is_some_and(|(model, meant)| {
                n_used == meant.len() || *model != brush.model || !is_same_brush(meant[0].0, &brush)
            }) {
                source = sources.next();
                n_used = 0;
            }
            let Some((_, meant)) = &source else {
                return wrong(format!("brush {} of the file", brush.number));
            };
            n_used += 1;
            let mut named = self.file.named_sides(brush.number);
            if !named.all(|(number, surface)| self.has_side(meant, number, surface)) {
                return wrong(format!("{} of model {}", meant[0].0.source, brush.model));
            }
            found.push(meant.clone());
        }
        Ok(found)
    }

    /// Whether a brush has a face to which the map gives this number and surface.
    fn has_side(&self, meant: &Meant<'_>, number: u32, surface: Surface<'_>) -> bool {
        let mut faces = meant.iter().flat_map(|(brush, _)| &brush.faces);
        faces.any(|face| face.number == number && self.is_same_surface(face, surface))
    }

    fn is_same_surface(&self, face: &FaceSide, found: Surface<'_>) -> bool {
        let surface = &self.map.surfaces[face.surface as usize];
        let length = surface.name.len().min(onion_format::MAX_SURFACE_NAME);
        unpadded(&surface.name[..length]) == found.name_bytes
            && (found.flags, found.contents) == (surface.flags, surface.contents)
    }

    /// Compares the corners, edges and boxes of all brushes with those that a compile makes.
    fn check_shapes(&self, sides: &[Vec<BrushSides>]) -> Result<(), VerifyError> {
        let Shapes {
            solids,
            corners,
            edges,
            models,
            boxes,
        } = shape::shapes_of(self.models, sides)?;
        let is_right = self.file.solids().eq(solids)
            && self.file.corners().eq(corners)
            && self.file.edges().eq(edges)
            && self.file.boxes_of_models().eq(models)
            && self.file.boxes().eq(boxes);
        if is_right {
            Ok(())
        } else {
            wrong("the shape of a brush".to_owned())
        }
    }

    /// Compares the planes of all brushes with the map's.
    fn check_faces(&self, sides: &[Vec<BrushSides>], planes: &PlaneSet) -> Result<(), VerifyError> {
        let models = self.models.iter().zip(sides).enumerate();
        let brushes = models.flat_map(|(model, (brushes, sides))| {
            let pairs = brushes.iter().zip(sides);
            pairs.map(move |(brush, sides)| (model, brush, sides))
        });
        let mut in_file = self.file.brushes();
        for (model, brush, sides) in brushes {
            let is_same = |found: FileBrush| {
                let in_file: Vec<_> = self.file.sides(found.number).collect();
                found.model == model
                    && is_same_brush(brush, &found)
                    && in_file.len() == sides.sides.len()
                    && (0..)
                        .zip(&sides.sides)
                        .zip(&in_file)
                        .all(|((at, side), found)| {
                            found.is_bevel == (at >= sides.n_faces)
                                && self.is_same_side(planes, side, found)
                        })
            };
            if !in_file.next().is_some_and(is_same) {
                return wrong(format!("{} of model {model}", brush.source));
            }
        }
        match in_file.next() {
            None => Ok(()),
            Some(_) => wrong("a brush that the map does not have".to_owned()),
        }
    }

    /// Whether a side of a file is as the map says.
    fn is_same_side(&self, planes: &PlaneSet, side: &SolidSide, found: &FileSide<'_>) -> bool {
        let plane = &planes[side.plane];
        (found.normal, found.dist) == (plane.normal.to_array(), plane.dist)
            && found.number == side.face.number
            && self.is_same_surface(&side.face, found.surface)
    }
}

fn is_same_brush(brush: &SolidBrush, found: &FileBrush) -> bool {
    let source = BrushSource::from(found.source);
    (source, found.contents) == (brush.source, brush.contents)
}

/// The names at nodes.
struct NodeNames<'a> {
    subject: &'a Subject<'a>,
    meant: Vec<Meant<'a>>,
    /// The choices that were visited. Each may be visited only once.
    seen: HashSet<u32>,
    plane_ids: &'a [PlaneId],
    planes: &'a PlaneSet,
}

impl NodeNames<'_> {
    fn check(&mut self) -> Result<(), VerifyError> {
        let mut hits = (0..).zip(self.subject.file.hits());
        for tree in self.subject.trees {
            let solids = &self.subject.solids[tree.model.index()];
            let brushes = solids.iter().flat_map(|solid| &solid.brushes);
            let edges = brushes.flat_map(|brush| brush.planes.iter().copied());
            let seals = self.subject.seals.iter();
            let edges = edges.chain(seals.flat_map(|seal| seal.kept.planes()));
            // All planes that tests of choices may use.
            let edges: HashSet<_> = edges.map(PlaneId::canonical).collect();
            for (plane, (node, hit)) in tree.tree.planes().zip(hits.by_ref()) {
                if !self.is_right(HitAt(hit.hit), tree, plane, &edges) {
                    return wrong(format!("node {node}"));
                }
            }
        }
        Ok(())
    }

    /// Whether the hit at a node is allowed.
    fn is_right(
        &mut self,
        hit: HitAt,
        tree: &ModelTree,
        plane: PlaneId,
        edges: &HashSet<PlaneId>,
    ) -> bool {
        let mut pending = vec![hit];
        while let Some(hit) = pending.pop() {
            if !hit.is_choice() {
                if !hit.is_nothing() && !self.lies_in(hit, tree, plane) {
                    return false;
                }
                continue;
            }
            let choice = self.subject.file.choice(hit.index());
            let Some(choice) = choice.filter(|_| self.seen.insert(hit.index())) else {
                return false;
            };
            if let Some(HitTest::Plane(number)) = HitTest::from_bits(choice.test)
                && !edges.contains(&self.plane_ids[number as usize].canonical())
            {
                return false;
            }
            pending.extend(choice.hits.map(HitAt));
        }
        true
    }

    /// Whether a side, moved outward by a hull that its brush blocks, lies in a plane.
    fn lies_in(&self, hit: HitAt, tree: &ModelTree, plane: PlaneId) -> bool {
        let file = self.subject.file;
        let Some((brush, at)) = file.brush_of_side(hit.index()) else {
            return false;
        };
        let Some((number, surface)) = file.named_sides(brush).nth(at) else {
            return false;
        };
        let plane = self.planes[plane].plane;
        let hulls = tree.hulls.iter().map(|hull| &self.subject.hulls[hull]);
        self.meant[brush as usize].iter().any(|(brush, sides)| {
            let named = sides.sides.iter().enumerate().filter(|(at, side)| {
                (*at >= sides.n_faces) == hit.is_bevel()
                    && side.face.number == number
                    && self.subject.is_same_surface(&side.face, surface)
            });
            let mut moved = named.flat_map(|(at, _)| {
                let hulls = hulls.clone();
                let blocked = hulls.filter(|hull| hull.contents & brush.contents != 0);
                blocked.flat_map(move |hull| sides.expanded(at, hull, self.planes))
            });
            moved.any(|moved| plane.coincides(&moved))
        })
    }
}
