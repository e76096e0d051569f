//! The records of hit data: the surfaces, brushes and sides that the file names, the side that is hit at each node,
//! and, if the file holds the shapes of brushes, their faces.

use indexmap::IndexMap;
use onion_format::{
    BrushRecord, ChoiceRecord, FACE_LOOKS_BACK, FaceRecord, HitAt, HitRecord, HitTest as FileTest,
    SideRecord, SurfaceRecord,
};
use onion_maps::{Map, MapSurface};

use super::trees::{TreeWriter, number, padded};
use crate::brush::{BrushSource, FaceSide, ModelBrushes, SolidBrush};
use crate::error::CompileError;
use crate::provenance::{BrushSides, HitChoice, HitTree, Hits, SolidSide};

/// The data from which the records of brushes are made.
pub(super) struct BrushWriter<'a> {
    pub(super) map: &'a Map,
    pub(super) models: &'a [ModelBrushes],
    pub(super) hits: &'a Hits,
    /// Whether the file names all brushes, rather than only those that can be hit.
    pub(super) all: bool,
}

/// The records of the surfaces, brushes and sides that the file names.
#[derive(Default)]
pub(super) struct NameRecords {
    pub(super) surfaces: Vec<SurfaceRecord>,
    pub(super) brushes: Vec<BrushRecord>,
    pub(super) sides: Vec<SideRecord>,
    /// For each side of all brushes, the hit that refers to it in the file, or [`HitAt::NOTHING`] if the file does not
    /// name it.
    numbers: Vec<HitAt>,
}

impl BrushWriter<'_> {
    /// Lists the brushes, sides and surfaces that the file names.
    pub(super) fn names(&self) -> Result<NameRecords, CompileError> {
        let is_named = self.are_named();
        let mut names = NameRecords::default();
        let mut surfaces = IndexMap::new();
        for ((model, own), listed) in (0..).zip(self.models).zip(&self.hits.sides) {
            for (brush, sides) in own.iter().zip(listed) {
                let named = |at: &usize| is_named[sides.first as usize + at];
                let named: Vec<_> = (0..sides.sides.len()).filter(named).collect();
                names.add(brush, model, sides, &named, &mut surfaces)?;
            }
        }
        let surface = |&surface: &u32| surface_record(&self.map.surfaces[surface as usize]);
        names.surfaces = surfaces.keys().map(surface).collect();
        Ok(names)
    }

    /// Returns, for each side of all brushes, whether the file names it.
    fn are_named(&self) -> Vec<bool> {
        let brushes = self.hits.sides.iter().flatten();
        let n_sides = brushes.map(|brush| brush.sides.len()).sum();
        let mut are_named = vec![self.all; n_sides];
        let mut name = |side| are_named[side as usize] = true;
        let nodes = self.hits.nodes.iter().flatten();
        nodes.for_each(|hit| hit.each_side(&mut name));
        are_named
    }

    /// Lists the faces and bevels of all brushes, all of which are named.
    pub(super) fn faces(
        &self,
        names: &NameRecords,
        writer: &mut TreeWriter<'_>,
    ) -> Result<Vec<FaceRecord>, CompileError> {
        let sides = self.hits.sides.iter().flatten();
        let sides = sides.flat_map(|brush| &brush.sides);
        let faces = sides.zip(&names.numbers).map(|(side, name)| {
            let canonical = side.plane.is_canonical();
            let looks_back = if canonical { 0 } else { FACE_LOOKS_BACK };
            Ok(FaceRecord {
                plane: writer.plane_number(side.plane.canonical())? | looks_back,
                side: name.index(),
            })
        });
        faces.collect()
    }
}

impl NameRecords {
    fn add(
        &mut self,
        brush: &SolidBrush,
        model: u32,
        sides: &BrushSides,
        named: &[usize],
        surfaces: &mut IndexMap<u32, ()>,
    ) -> Result<(), CompileError> {
        let mut own: Vec<_> = named.iter().map(|&at| sides.sides[at].face).collect();
        own.sort_unstable_by_key(|face| (face.number, face.surface));
        own.dedup();
        let first_side = number(self.sides.len())?;
        self.number(sides, named, &own, first_side);
        if !own.is_empty() {
            self.brushes.push(brush_record(brush, model, first_side));
        }
        self.sides.extend(own.iter().map(|face| SideRecord {
            surface: surfaces.insert_full(face.surface, ()).0 as u32,
            number: face.number,
        }));
        Ok(())
    }

    /// Gives numbers to the named sides of a brush, starting at `first_side`.
    fn number(&mut self, sides: &BrushSides, named: &[usize], own: &[FaceSide], first_side: u32) {
        let number_of = |(at, side): (usize, &SolidSide)| {
            let is_named = named.binary_search(&at).is_ok();
            let place = own.iter().position(|face| is_named && *face == side.face);
            place.map_or(HitAt::NOTHING, |place| {
                HitAt::side(first_side + place as u32, at >= sides.n_faces)
            })
        };
        let all = sides.sides.iter().enumerate();
        self.numbers.extend(all.map(number_of));
    }

    /// Lists the hit at each node, and the choices that hits refer to.
    pub(super) fn hits(
        &self,
        nodes: &[HitTree],
        writer: &mut TreeWriter<'_>,
    ) -> Result<(Vec<HitRecord>, Vec<ChoiceRecord>), CompileError> {
        let mut choices = Vec::new();
        let hits = nodes.iter().map(|node| {
            let HitAt(hit) = self.hit(node, &mut choices, writer)?;
            Ok(HitRecord { hit })
        });
        let hits = hits.collect::<Result<_, CompileError>>()?;
        Ok((hits, choices))
    }

    fn hit(
        &self,
        hit: &HitTree,
        choices: &mut Vec<ChoiceRecord>,
        writer: &mut TreeWriter<'_>,
    ) -> Result<HitAt, CompileError> {
        let (test, hits) = match hit {
            HitTree::Nothing => return Ok(HitAt::NOTHING),
            HitTree::Side(side) => return Ok(self.numbers[*side as usize]),
            HitTree::Choice(test, hits) => (test, hits),
        };
        let test = match *test {
            HitChoice::Plane(plane) => FileTest::Plane(writer.plane_number(plane)?),
            HitChoice::Hull(hull) => FileTest::Hull(hull.index() as u32),
            HitChoice::Look => FileTest::Look,
        };
        let [first, second] = &**hits;
        let first = self.hit(first, choices, writer)?;
        let second = self.hit(second, choices, writer)?;
        let choice = number(choices.len())?;
        choices.push(ChoiceRecord {
            test: test.bits(),
            hits: [first.0, second.0],
        });
        Ok(HitAt::choice(choice))
    }
}

fn brush_record(brush: &SolidBrush, model: u32, first_side: u32) -> BrushRecord {
    let (kind, number) = match brush.source {
        BrushSource::Brush(number) => (0, number),
        BrushSource::Patch(number) => (1, number),
    };
    BrushRecord {
        model,
        kind,
        number: number as u32,
        contents: brush.contents,
        first_side,
    }
}

fn surface_record(surface: &MapSurface) -> SurfaceRecord {
    SurfaceRecord {
        name: padded(&surface.name),
        flags: surface.flags,
        contents: surface.contents,
    }
}
