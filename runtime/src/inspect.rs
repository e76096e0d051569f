//! The contents of a file, for tools: its version, its origin, its trees record by record, its surfaces, brushes and
//! sides. To play, a game needs none of this except the names of surfaces.

use crate::coordinate::{Coordinate, widened};
use crate::hull::{HullId, LeafId};
use crate::map::OnionMap;
use crate::model::Model;
use crate::view::View;

pub use crate::brushes::{Brush, Side, Source, Surface};
pub use onion_format::{
    BlockRecord, Child, ChoiceRecord, GridRecord, HitAt, HitRecord, HitTest, InfoRecord,
    ModelRecord, NodeRecord, PlaneRecord, RoomRecord, Start,
};

use onion_format::{Field, HullSet, Record, VERSION_OFFSET};

/// A part of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TreePart {
    /// A node, by its number: all that is below it.
    Node(u32),
    /// A leaf.
    Leaf(LeafId),
}

impl From<Child> for TreePart {
    fn from(child: Child) -> Self {
        if child.is_leaf() {
            Self::Leaf(LeafId(child.index()))
        } else {
            Self::Node(child.index())
        }
    }
}

impl<D: AsRef<[u8]>> OnionMap<D> {
    /// The contents of the file, for tools.
    pub fn inspect(&self) -> Inspect<'_> {
        Inspect { map: self.view() }
    }
}

/// The contents of a file. It borrows the map; copies are cheap.
#[derive(Clone, Copy)]
pub struct Inspect<'a> {
    map: View<'a>,
}

impl<'a> Inspect<'a> {
    /// Version of the file's layout.
    pub fn version(&self) -> u32 {
        u32::read(self.map.bytes, VERSION_OFFSET)
    }

    /// Size of the file in bytes.
    pub fn n_bytes(&self) -> usize {
        self.map.bytes.len()
    }

    /// Where the file comes from and what the compiler proved.
    pub fn info(&self) -> InfoRecord {
        // Loading checked that there is one.
        self.map.info().get(0).unwrap_or(InfoRecord::read(&[]))
    }

    /// Name and version of the compiler that wrote the file.
    pub fn compiler(&self) -> &'a str {
        self.map.options().lines().next().unwrap_or("")
    }

    /// The options of the compile except the hulls, as command-line arguments.
    pub fn options(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.map.options().lines().skip(1)
    }

    /// The hull of this number, as [`HullId::index`] returns it.
    pub fn hull_id(&self, index: usize) -> Option<HullId> {
        self.map.hull_id(index)
    }

    /// Number of groups of hulls; the hulls of a group share one tree in each model.
    pub fn n_groups(&self) -> usize {
        self.map.layout.n_groups
    }

    /// The hulls of a group; none for a group that is not there.
    pub fn hulls_of_group(&self, group: usize) -> HullSet {
        self.map.hulls_of_group(group)
    }

    /// The roots of a model's trees, group by group.
    pub fn roots_of(&self, model: usize) -> impl Iterator<Item = Child> + use<'a> {
        self.map.roots_of(model)
    }

    /// Number of nodes of all trees.
    pub fn n_nodes(&self) -> usize {
        self.map.nodes.len()
    }

    /// Number of leaves of all trees.
    pub fn n_leaves(&self) -> usize {
        // A tree has one more leaf than nodes.
        self.map.nodes.len() + self.map.roots().len()
    }

    /// Number of distinct planes.
    pub fn n_planes(&self) -> usize {
        self.map.planes.len()
    }

    /// The records of the planes.
    pub fn planes(&self) -> impl ExactSizeIterator<Item = PlaneRecord> + use<'a> {
        self.map.planes.iter().map(|bytes| PlaneRecord::read(bytes))
    }

    /// The records of the models.
    pub fn models(&self) -> impl ExactSizeIterator<Item = ModelRecord> + use<'a> {
        self.map.models().iter()
    }

    /// The record of a node.
    pub fn node(&self, index: u32) -> Option<NodeRecord> {
        let bytes = self.map.nodes.get(index as usize)?;
        Some(NodeRecord::read(bytes))
    }

    /// The hulls that a leaf is solid for, by its number ([`LeafId::index`]); none if no leaf has it.
    pub fn leaf(&self, index: u32) -> Option<HullSet> {
        self.map.leaf_solidity(LeafId(index))
    }

    /// Whether the file has blocks (it was compiled without `--no-fast`).
    pub fn has_fast_form(&self) -> bool {
        self.map.has_fast_form()
    }

    /// The grids of blocks: model after model, and in each model hull after hull.
    pub fn grids(&self) -> impl ExactSizeIterator<Item = GridRecord> + use<'a> {
        self.map.grids().iter()
    }

    /// The blocks of all grids.
    pub fn blocks(&self) -> impl ExactSizeIterator<Item = BlockRecord> + use<'a> {
        self.map.blocks().iter()
    }

    /// The rooms of all grids.
    pub fn rooms(&self) -> impl ExactSizeIterator<Item = RoomRecord> + use<'a> {
        self.map.rooms().iter()
    }

    /// The surfaces that sides refer to; none in files without surfaces and brushes.
    pub fn surfaces(&self) -> impl Iterator<Item = Surface<'a>> + use<'a> {
        let map = self.map;
        (0..map.surfaces().len() as u32).filter_map(move |number| map.surface(number))
    }

    /// A surface, by its number in the file.
    pub fn surface(&self, number: u32) -> Option<Surface<'a>> {
        self.map.surface(number)
    }

    /// The brushes; none in files without surfaces and brushes.
    pub fn brushes(&self) -> impl Iterator<Item = Brush> + use<'a> {
        let map = self.map;
        (0..map.brushes().len() as u32).filter_map(move |number| map.brush(number))
    }

    /// A brush, by its number in the file.
    pub fn brush(&self, number: u32) -> Option<Brush> {
        self.map.brush(number)
    }

    /// The sides of a brush, by its number in the file: its faces, then its bevels; none in files without
    /// brush shapes.
    pub fn sides(&self, brush: u32) -> impl Iterator<Item = Side<'a>> + use<'a> {
        self.map.faces_of_brush(brush)
    }

    /// The sides of a brush that the file names, by the brush's number in the file: the number of each in its
    /// brush in the map, and its surface.
    pub fn named_sides(&self, brush: u32) -> impl Iterator<Item = (u32, Surface<'a>)> + use<'a> {
        let map = self.map;
        map.sides_of(brush).filter_map(move |side| {
            let record = map.sides().get(side as usize)?;
            Some((record.number, map.surface(record.surface)?))
        })
    }

    /// The brush that has a side, given the side's number in the file: the number of the brush, and the index of the
    /// side among its named sides.
    pub fn brush_of_side(&self, side: u32) -> Option<(u32, usize)> {
        let brush = self.map.brush_of_side(side)?;
        let first = self.map.sides_of(brush).start;
        Some((brush, (side - first) as usize))
    }

    /// The records of what is hit, for each node; none in files without hit data.
    pub fn hits(&self) -> impl ExactSizeIterator<Item = HitRecord> + use<'a> {
        self.map.hits().iter()
    }

    /// A choice between two hits, by its number in the file.
    pub fn choice(&self, number: u32) -> Option<ChoiceRecord> {
        self.map.choices().get(number as usize)
    }

    /// The deepest node, or the leaf, that holds all of a box, in a model's tree of a hull. None for a box
    /// that is inside out, not finite or beyond 2^30 units, and for a hull or model that is not there.
    pub fn deepest_holding<T: Coordinate>(
        &self,
        model: usize,
        hull: HullId,
        mins: impl Into<[T; 3]>,
        maxs: impl Into<[T; 3]>,
    ) -> Option<TreePart> {
        self.map.models().get(model)?;
        let model = Model::new(self.map, model);
        let child = model.deepest_holding(hull, widened(mins.into()), widened(maxs.into()))?;
        Some(child.into())
    }
}
