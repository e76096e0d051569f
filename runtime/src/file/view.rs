//! A checked file, read in place: its nodes, planes, leaves and other records. Loading keeps a [`Layout`], which
//! stores the locations of the chunks; a [`View`] is the layout with the bytes, and costs next to nothing to make for
//! each query.
//!
//! Loading checked every reference, so a walk finds every record that it follows. If the owner of the bytes later
//! returns other bytes, another length or another stored checksum reveals it: the view is then empty, and everything
//! missing is solid.

use onion_format::{
    AgentRecord, BlockRecord, BoxRecord, BoxesRecord, BrushRecord, CHECKSUM_OFFSET, Child,
    ChoiceRecord, CornerRecord, EdgeRecord, EntityRecord, FACE_LOOKS_BACK, FaceRecord, Field,
    FloorCornerRecord, FloorLinksRecord, FloorPlaceRecord, FloorRecord, GridRecord, GroupRecord,
    HitRecord, HullRecord, HullSet, InfoRecord, LinkRecord, MAX_GROUP, ModelRecord, NodePlane,
    NodeRecord, PlaneRecord, PrismRecord, Record, RoomRecord, RootRecord, SideRecord, SolidRecord,
    SurfaceRecord, TextRecord,
};

use core::ops::Range;

use crate::file::hull::{Hull, HullId, LeafId};
use crate::file::records::Records;
use crate::math::plane::unit_normal;
use crate::math::vector::opposite;
#[cfg(feature = "shapes")]
use crate::shape::Shape;

/// The byte range of a chunk's records, from the start of the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Chunk {
    /// Offset of the first byte of its first record.
    pub(crate) start: usize,
    /// Offset of the byte after its last record; equal to `start` if the file does not have the chunk.
    pub(crate) end: usize,
}

impl Chunk {
    /// Returns the bytes of the chunk in a file, or none if the file ends before.
    #[inline(always)]
    pub(crate) fn of(self, bytes: &[u8]) -> &[u8] {
        bytes.get(self.start..self.end).unwrap_or(&[])
    }
}

/// Declares the layout of a file, and for each chunk that has records a function of [`View`] that returns them.
macro_rules! chunks {
    ($($chunk:ident: $record:ident,)*) => {
        /// The facts that loading keeps about a file besides its bytes.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub(crate) struct Layout {
            /// Length of the file. A view is empty if the bytes have another one by now.
            pub(crate) n_bytes: usize,
            /// The checksum of the file, compared by every view for the same reason.
            pub(crate) checksum: u64,
            /// Identifies the file in its hulls' ids: its checksum, folded.
            pub(crate) tag: u32,
            /// Number of hulls, 1 to 64: the grids of a model are this many.
            pub(crate) n_hulls: usize,
            /// Number of groups of hulls: the trees of a model are this many.
            pub(crate) n_groups: usize,
            /// Number of nodes on the longest path from a root to a leaf.
            pub(crate) depth: u32,
            /// The options of the compile, a text.
            pub(crate) options: Chunk,
            /// The planes and the nodes, which [`View`] slices once.
            pub(crate) planes: Chunk,
            /// See `planes`.
            pub(crate) nodes: Chunk,
            // The other chunks, in file order: those from the prisms on are empty if the file does not have them.
            $(pub(crate) $chunk: Chunk,)*
        }

        impl<'a> View<'a> {$(
            /// Returns the records of the chunk, which are none if the file does not have it.
            #[inline]
            pub(crate) fn $chunk(&self) -> Records<'a, $record> {
                Records::new(self.layout.$chunk.of(self.bytes))
            }
        )*}
    };
}

chunks! {
    info: InfoRecord,
    hulls: HullRecord,
    models: ModelRecord,
    groups: GroupRecord,
    roots: RootRecord,
    prisms: PrismRecord,
    floors: FloorRecord,
    floor_corners: FloorCornerRecord,
    floor_places: FloorPlaceRecord,
    entities: EntityRecord,
    text: TextRecord,
    grids: GridRecord,
    blocks: BlockRecord,
    rooms: RoomRecord,
    surfaces: SurfaceRecord,
    brushes: BrushRecord,
    sides: SideRecord,
    hits: HitRecord,
    choices: ChoiceRecord,
    solids: SolidRecord,
    faces: FaceRecord,
    corners: CornerRecord,
    edges: EdgeRecord,
    boxes_of_models: BoxesRecord,
    boxes: BoxRecord,
    agents: AgentRecord,
    links_of_floors: FloorLinksRecord,
    links: LinkRecord,
}

/// A file's bytes and the locations of its chunks.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    /// The whole file, or nothing if it is not the one that was loaded.
    pub(crate) bytes: &'a [u8],
    /// Where the chunks are, as loading found them.
    pub(crate) layout: &'a Layout,
    /// The nodes of all trees. Every walk needs these and the planes, so they are sliced once.
    pub(crate) nodes: &'a [[u8; NodeRecord::SIZE]],
    /// The planes of all trees, in the order of their numbers.
    pub(crate) planes: &'a [[u8; PlaneRecord::SIZE]],
}

impl<'a> View<'a> {
    /// Returns a view of a file; an empty one if the bytes are not those that the layout was made from.
    #[inline(always)]
    pub(crate) fn new(bytes: &'a [u8], layout: &'a Layout) -> Self {
        let is_same =
            bytes.len() == layout.n_bytes && u64::read(bytes, CHECKSUM_OFFSET) == layout.checksum;
        let bytes = if is_same { bytes } else { &[] };
        Self {
            bytes,
            layout,
            nodes: layout.nodes.of(bytes).as_chunks().0,
            planes: layout.planes.of(bytes).as_chunks().0,
        }
    }

    /// Whether a hull belongs to this file; otherwise everything is solid for it.
    #[inline(always)]
    pub(crate) fn has(&self, hull: HullId) -> bool {
        hull.tag == self.layout.tag
    }

    /// Returns the record of a hull, or `None` if the hull belongs to another file.
    pub(crate) fn hull_record(&self, hull: HullId) -> Option<HullRecord> {
        self.hulls().get(hull.index()).filter(|_| self.has(hull))
    }

    /// Returns the id of the hull with this number, or `None` if there is none.
    #[inline]
    pub(crate) fn hull_id(&self, index: usize) -> Option<HullId> {
        let mut groups = self.groups().iter();
        let own = groups.position(|group| HullSet::from_bits(group.hulls).contains(index));
        let group = own.unwrap_or(0);
        // All that queries need of a hull is in its id, so that none of them has to look up its group.
        // Loading checked that no group has more hulls than the mask has bits.
        let rank = self.hulls_of_group(group).rank(index) % MAX_GROUP;
        (index < self.layout.n_hulls).then_some(HullId {
            index: index as u8,
            group: group as u8,
            bit: 1 << rank,
            tag: self.layout.tag,
        })
    }

    /// Returns a hull, or `None` if it belongs to another file.
    pub(crate) fn hull(&self, id: HullId) -> Option<Hull<'a>> {
        let record = self.hull_record(id)?;
        let bytes = self.hulls().bytes(id.index())?;
        Some(Hull::new(id, &record, bytes, self.prism_of(id.index())))
    }

    /// Returns the sides of a hull that is a prism; empty for a box. Loading checked that sides are in the order of
    /// hulls.
    pub(crate) fn prism_of(&self, hull: usize) -> Records<'a, PrismRecord> {
        let all = self.prisms();
        // Counted from the start: there are at most 16 for each of 64 hulls, and hulls are looked up rarely.
        let first = all.iter().take_while(|side| (side.hull as usize) < hull);
        let first = first.count();
        let own = all.iter().skip(first);
        let count = own.take_while(|side| side.hull as usize == hull).count();
        all.slice(first, count).unwrap_or(Records::new(&[]))
    }

    /// Returns the shape of a hull; a point if it belongs to another file.
    #[cfg(feature = "shapes")]
    pub(crate) fn hull_shape(&self, id: HullId) -> Shape {
        let Some(HullRecord { mins, maxs, .. }) = self.hull_record(id) else {
            return Shape::POINT;
        };
        let sides = self.prism_of(id.index()).iter();
        Shape::of_hull([mins, maxs], sides.map(|side| side.half))
    }

    /// Returns the hulls of the file.
    pub(crate) fn all_hulls(&self) -> HullSet {
        HullSet::all(self.layout.n_hulls)
    }

    /// Returns the hulls of a group; empty if there is no such group.
    #[inline]
    pub(crate) fn hulls_of_group(&self, group: usize) -> HullSet {
        let record = self.groups().get(group);
        record.map_or(HullSet::EMPTY, |record| HullSet::from_bits(record.hulls))
    }

    /// Returns the root of a model's tree for the hulls of a group.
    #[inline]
    pub(crate) fn root(&self, model: usize, group: usize) -> Option<Child> {
        let tree = model * self.layout.n_groups + group;
        let root = Child(self.roots().get(tree)?.root);
        // A root that is a leaf holds its solidity in place of its number: the numbers of such leaves follow those
        // below all nodes.
        let leaf = Child::leaf((2 * self.nodes.len() + tree) as u32);
        Some(if root.is_leaf() { leaf } else { root })
    }

    /// Returns the root of a model's tree for a hull.
    #[inline]
    pub(crate) fn root_of(&self, model: usize, hull: HullId) -> Child {
        let root = self.root(model, hull.group.into());
        root.unwrap_or(Child::leaf(0))
    }

    /// Returns a node. For a number that does not exist, it returns a node with two leaves, which ends any walk.
    #[inline]
    pub(crate) fn node(&self, index: u32) -> NodeRecord {
        match self.nodes.get(index as usize) {
            Some(bytes) => NodeRecord::read(bytes),
            None => NodeRecord {
                back: NodeRecord::LEAF_BITS[0] | NodeRecord::LEAF_BITS[1],
                ..NodeRecord::read(&[])
            },
        }
    }

    /// Returns the plane of a node. The node's own copy of normal and distance saves the fast walk this look-up.
    #[inline]
    pub(crate) fn plane_of(&self, node: &NodeRecord) -> PlaneRecord {
        self.plane(NodePlane(node.plane).index())
    }

    /// Returns a plane by its number; all zero if there is none, which loading rules out for numbers in the file.
    #[inline]
    pub(crate) fn plane(&self, index: u32) -> PlaneRecord {
        match self.planes.get(index as usize) {
            Some(bytes) => PlaneRecord::read(bytes),
            None => PlaneRecord::read(&[]),
        }
    }

    /// Returns the bits of the hulls for which a leaf is solid, or `None` if no leaf has this number.
    #[inline]
    fn leaf(&self, leaf: LeafId) -> Option<u8> {
        // Leaves have no records: a leaf is a side of its node, which has its solidity.
        let (node, side) = (leaf.index() / 2, leaf.index() % 2);
        if let Some(bytes) = self.nodes.get(node) {
            let node = NodeRecord::read(bytes);
            return node.is_leaf(side).then_some(node.solid[side]);
        }
        let root = self.roots().get(leaf.index() - 2 * self.nodes.len())?.root;
        Child(root).is_leaf().then_some(root as u8)
    }

    /// Whether a leaf is solid for the hull with this bit; a leaf that does not exist is solid.
    #[inline]
    pub(crate) fn is_solid(&self, leaf: Child, bit: u8) -> bool {
        self.leaf(LeafId(leaf.index())).unwrap_or(u8::MAX) & bit != 0
    }

    /// Returns the hulls for which a leaf is solid, or `None` if no leaf has this number.
    pub(crate) fn leaf_solidity(&self, leaf: LeafId) -> Option<HullSet> {
        let solid = self.leaf(leaf)?;
        let node = (leaf.index() / 2) as u32;
        let tree = leaf.index().checked_sub(2 * self.nodes.len());
        // The nodes of a tree are consecutive, and trees are in order.
        let of_node = || self.roots().iter().rposition(|root| root.root <= node);
        let tree = tree.or_else(of_node)?;
        let hulls = self.hulls_of_group(tree % self.layout.n_groups);
        Some(hulls.with_ranks(solid))
    }

    /// Returns the plane of a face, facing outward: its normal and its distance.
    #[inline]
    pub(crate) fn face_plane(&self, face: &FaceRecord) -> ([f64; 3], f64) {
        self.facing_plane(face.plane)
    }

    /// Returns the normal and the distance of a plane that faces backward if [`FACE_LOOKS_BACK`] is set.
    #[inline]
    pub(crate) fn facing_plane(&self, number: u32) -> ([f64; 3], f64) {
        let plane = self.plane(number & !FACE_LOOKS_BACK);
        let normal = unit_normal(&plane);
        if number & FACE_LOOKS_BACK == 0 {
            (normal, plane.dist)
        } else {
            // Subtracted, so that no distance becomes -0.
            (opposite(normal), 0.0 - plane.dist)
        }
    }

    /// Returns the number of the brush that has a side.
    pub(crate) fn brush_of_side(&self, side: u32) -> Option<u32> {
        let after = self
            .brushes()
            .partition_point(|brush| brush.first_side <= side);
        Some(after.checked_sub(1)? as u32)
    }

    /// Returns the numbers of the sides of a brush.
    pub(crate) fn sides_of(&self, brush: u32) -> Range<u32> {
        let first = |number: usize| Some(self.brushes().get(number)?.first_side);
        let own = first(brush as usize);
        let next = first(brush as usize + 1).unwrap_or(self.sides().len() as u32);
        own.map_or(0..0, |own| own..next)
    }

    /// Returns the faces of a brush, then its bevels.
    pub(crate) fn faces_of(&self, solid: &SolidRecord) -> Records<'a, FaceRecord> {
        let n_faces = solid.n_faces as usize + solid.n_bevels as usize;
        let faces = self.faces().slice(solid.first_face as usize, n_faces);
        faces.unwrap_or(Records::new(&[]))
    }

    /// Whether the file has a chunk, be it one without records.
    /// A missing chunk has the default location; an empty one has a location of its own.
    fn has_chunk(&self, chunk: Chunk) -> bool {
        !self.bytes.is_empty() && chunk != Chunk::default()
    }

    /// Whether the file holds the map's entities; true even if the map has none.
    pub(crate) fn has_entities(&self) -> bool {
        self.has_chunk(self.layout.text)
    }

    /// Whether the file has blocks.
    pub(crate) fn has_blocks(&self) -> bool {
        self.has_chunk(self.layout.grids)
    }

    /// Whether the file holds floors; true even if no hull stands anywhere.
    pub(crate) fn has_floors(&self) -> bool {
        self.has_chunk(self.layout.floors)
    }

    /// Whether the file holds links between floors; true even if there are none.
    pub(crate) fn has_links(&self) -> bool {
        self.has_chunk(self.layout.agents)
    }

    /// Whether the file has hit data.
    pub(crate) fn has_hit_data(&self) -> bool {
        self.has_chunk(self.layout.hits)
    }

    /// Whether the file holds the shapes of the brushes.
    pub(crate) fn has_brush_shapes(&self) -> bool {
        self.has_chunk(self.layout.boxes_of_models)
    }
}
