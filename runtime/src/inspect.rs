//! The contents of a file, for tools: its version, its origin, its trees record by record, its surfaces, brushes and
//! sides. Needs the feature `tools`; a running game needs none of it.

use crate::file::hull::{HullId, LeafId};
use crate::file::view::View;
use crate::map::OnionMap;
use crate::math::aabb::Aabb;
use crate::math::coordinate::Coordinate;
use crate::model::Model;

pub use crate::file::brushes::{Brush, Side, Source, Surface};
pub use onion_format::{
    AgentRecord, BlockRecord, BoxRecord, BoxesRecord, Child, ChoiceRecord, CornerRecord,
    EdgeRecord, FloorRecord, GridRecord, HitAt, HitRecord, HitTest, InfoRecord, LinkRecord,
    ModelRecord, NodeRecord, PlaneRecord, RoomRecord, SolidRecord, Start,
};

use onion_format::{Field, HullSet, Record, VERSION_OFFSET};

/// A part of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TreePart {
    /// A node, by its number, with everything below it.
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
    /// Returns the contents of the file, for tools.
    pub fn inspect(&self) -> Inspect<'_> {
        Inspect { map: self.view() }
    }
}

/// The contents of a file. It borrows the map; copies are cheap.
#[derive(Clone, Copy)]
pub struct Inspect<'a> {
    /// The file; every answer is read from its bytes.
    map: View<'a>,
}

impl<'a> Inspect<'a> {
    /// Returns the version of the file's layout.
    pub fn version(&self) -> u32 {
        u32::read(self.map.bytes, VERSION_OFFSET)
    }

    /// Returns the size of the file in bytes.
    pub fn n_bytes(&self) -> usize {
        self.map.bytes.len()
    }

    /// Returns the record of the file's origin and of the properties that the compiler proved.
    pub fn info(&self) -> InfoRecord {
        // Loading checked that there is exactly one.
        self.map.info().get(0).unwrap_or(InfoRecord::read(&[]))
    }

    /// Returns the name and version of the compiler that wrote the file.
    pub fn compiler(&self) -> &'a str {
        // The options follow from the second line on.
        self.option_lines().next().unwrap_or("")
    }

    /// Returns the options of the compile except the hulls, as command-line arguments.
    pub fn options(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.option_lines().skip(1)
    }

    /// Returns the lines of the options chunk; loading checked that it is UTF-8.
    fn option_lines(&self) -> core::str::Lines<'a> {
        let text = self.map.layout.options.of(self.map.bytes);
        core::str::from_utf8(text).unwrap_or("").lines()
    }

    /// Returns the hull with this number, as [`HullId::index`] does, or `None` if there is none.
    pub fn hull_id(&self, index: usize) -> Option<HullId> {
        self.map.hull_id(index)
    }

    /// Returns the number of groups of hulls; the hulls of a group share one tree in each model.
    pub fn n_groups(&self) -> usize {
        self.map.layout.n_groups
    }

    /// Returns the hulls of a group; empty if there is no such group.
    pub fn hulls_of_group(&self, group: usize) -> HullSet {
        self.map.hulls_of_group(group)
    }

    /// Returns the roots of a model's trees, group by group.
    pub fn roots_of(&self, model: usize) -> impl Iterator<Item = Child> + use<'a> {
        let map = self.map;
        (0..map.layout.n_groups).filter_map(move |group| map.root(model, group))
    }

    /// Returns the number of nodes of all trees.
    pub fn n_nodes(&self) -> usize {
        self.map.nodes.len()
    }

    /// Returns the number of leaves of all trees.
    pub fn n_leaves(&self) -> usize {
        // A tree has one leaf more than nodes.
        self.map.nodes.len() + self.map.roots().len()
    }

    /// Returns the number of distinct planes.
    pub fn n_planes(&self) -> usize {
        self.map.planes.len()
    }

    /// Returns the records of the planes.
    pub fn planes(&self) -> impl ExactSizeIterator<Item = PlaneRecord> + use<'a> {
        self.map.planes.iter().map(|bytes| PlaneRecord::read(bytes))
    }

    /// Returns the records of the models.
    pub fn models(&self) -> impl ExactSizeIterator<Item = ModelRecord> + use<'a> {
        self.map.models().iter()
    }

    /// Returns the record of a node.
    pub fn node(&self, index: u32) -> Option<NodeRecord> {
        let bytes = self.map.nodes.get(index as usize)?;
        Some(NodeRecord::read(bytes))
    }

    /// Returns the hulls for which a leaf is solid, by its number ([`LeafId::index`]), or `None` if no leaf has the
    /// number.
    pub fn leaf(&self, index: u32) -> Option<HullSet> {
        self.map.leaf_solidity(LeafId(index))
    }

    /// Whether the file has blocks (it was compiled without `--no-fast`).
    pub fn has_fast_form(&self) -> bool {
        !self.map.grids().is_empty()
    }

    /// Returns the grids of blocks: model after model, and in each model hull after hull.
    pub fn grids(&self) -> impl ExactSizeIterator<Item = GridRecord> + use<'a> {
        self.map.grids().iter()
    }

    /// Returns the blocks of all grids.
    pub fn blocks(&self) -> impl ExactSizeIterator<Item = BlockRecord> + use<'a> {
        self.map.blocks().iter()
    }

    /// Returns the rooms of all grids.
    pub fn rooms(&self) -> impl ExactSizeIterator<Item = RoomRecord> + use<'a> {
        self.map.rooms().iter()
    }

    /// Returns the floors, with their boxes; empty for files without floors.
    pub fn floors(&self) -> impl ExactSizeIterator<Item = FloorRecord> + use<'a> {
        self.map.floors().iter()
    }

    /// Returns the classes of agents; empty for files without links.
    pub fn agents(&self) -> impl ExactSizeIterator<Item = AgentRecord> + use<'a> {
        self.map.agents().iter()
    }

    /// Returns the links between floors, with the numbers of the floors that they leave; empty for files without links.
    pub fn links(&self) -> impl Iterator<Item = (u32, LinkRecord)> + use<'a> {
        let (graph, floors) = (self.map.floor_graph(), 0..self.map.floors().len() as u32);
        floors.flat_map(move |floor| graph.links(floor).map(move |(_, link)| (floor, link)))
    }

    /// Returns the ranges of faces, corners and edges of all brushes; empty without shapes, like those that follow.
    pub fn solids(&self) -> impl ExactSizeIterator<Item = SolidRecord> + use<'a> {
        self.map.solids().iter()
    }

    /// Returns the corners of all brushes.
    pub fn corners(&self) -> impl ExactSizeIterator<Item = CornerRecord> + use<'a> {
        self.map.corners().iter()
    }

    /// Returns the edges of all brushes.
    pub fn edges(&self) -> impl ExactSizeIterator<Item = EdgeRecord> + use<'a> {
        self.map.edges().iter()
    }

    /// Returns, for each model, the range of the boxes around its brushes.
    pub fn boxes_of_models(&self) -> impl ExactSizeIterator<Item = BoxesRecord> + use<'a> {
        self.map.boxes_of_models().iter()
    }

    /// Returns the boxes of all models.
    pub fn boxes(&self) -> impl ExactSizeIterator<Item = BoxRecord> + use<'a> {
        self.map.boxes().iter()
    }

    /// Returns the surfaces that sides refer to; empty for files without surfaces and brushes.
    pub fn surfaces(&self) -> impl Iterator<Item = Surface<'a>> + use<'a> {
        let map = self.map;
        (0..map.surfaces().len() as u32).filter_map(move |number| map.surface(number))
    }

    /// Returns the brushes; empty for files without surfaces and brushes.
    pub fn brushes(&self) -> impl Iterator<Item = Brush> + use<'a> {
        let map = self.map;
        (0..map.brushes().len() as u32).filter_map(move |number| map.brush(number))
    }

    /// Returns the brush with this number in the file.
    pub fn brush(&self, number: u32) -> Option<Brush> {
        self.map.brush(number)
    }

    /// Returns the sides of the brush with this number in the file: its faces, then its bevels; empty for files
    /// without brush shapes.
    pub fn sides(&self, brush: u32) -> impl Iterator<Item = Side<'a>> + use<'a> {
        let map = self.map;
        let solid = map.solids().get(brush as usize);
        let n_faces = solid.map_or(0, |solid| solid.n_faces);
        let faces = solid
            .into_iter()
            .flat_map(move |solid| map.faces_of(&solid).iter());
        faces.zip(0..).filter_map(move |(face, number)| {
            map.side(face.side, number >= n_faces, map.face_plane(&face))
        })
    }

    /// Returns the sides that the file names of the brush with this number: for each, its number in the brush in the
    /// map, and its surface.
    pub fn named_sides(&self, brush: u32) -> impl Iterator<Item = (u32, Surface<'a>)> + use<'a> {
        let map = self.map;
        map.sides_of(brush).filter_map(move |side| {
            let record = map.sides().get(side as usize)?;
            Some((record.number, map.surface(record.surface)?))
        })
    }

    /// Returns the brush that has the side with this number in the file: the number of the brush, and the index of
    /// the side among the brush's named sides.
    pub fn brush_of_side(&self, side: u32) -> Option<(u32, usize)> {
        let brush = self.map.brush_of_side(side)?;
        let first = self.map.sides_of(brush).start;
        Some((brush, (side - first) as usize))
    }

    /// Returns the hit records, one for each node; empty for files without hit data.
    pub fn hits(&self) -> impl ExactSizeIterator<Item = HitRecord> + use<'a> {
        self.map.hits().iter()
    }

    /// Returns the choice between two hits with this number in the file.
    pub fn choice(&self, number: u32) -> Option<ChoiceRecord> {
        self.map.choices().get(number as usize)
    }

    /// Returns the deepest node, or the leaf, that contains all of a box, in a model's tree of a hull. `None` if the
    /// box is inside out, not finite or beyond 2^30 units, or if the hull or model does not exist.
    pub fn deepest_holding<T: Coordinate>(
        &self,
        model: usize,
        hull: HullId,
        bounds: Aabb<T>,
    ) -> Option<TreePart> {
        self.map.models().get(model)?;
        let model = Model::new(self.map, model);
        let child = model.deepest_holding(hull, bounds.widened())?;
        Some(child.into())
    }
}
