//! The loaded map: a view of the file's bytes, its hulls by name and its models.

use onion_format::{
    Child, Field, GroupRecord, HULL_FILLED, HullRecord, InfoRecord, LeafRecord, ModelRecord,
    NORMAL_ONE, NodePlane, NodeRecord, PlaneRecord, Record, RootRecord, VERSION_OFFSET, unpadded,
};

use crate::brushes::Brushes;
use crate::error::{HullError, LoadError};
use crate::point::is_solid;
use crate::trace::{DEFAULT_SKIN, Trace, Transition, trace_f32};

/// The model that is the world.
const WORLD: usize = 0;

/// A hull of a map, by its number. Get one from [`OnionMap::hull`] or
/// [`OnionMap::require_hull`]; the number of another map's hull answers as if nothing were solid
/// where this map has no such hull.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HullId(u8);

impl HullId {
    /// Number of the hull: its bit in a solidity.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The hull's bit in a solidity.
    pub fn bit(self) -> u64 {
        1 << (self.0 & 63)
    }
}

/// A leaf of a map: one convex place, shared by all hulls of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LeafId(pub(crate) u32);

impl LeafId {
    /// Number of the leaf.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A hull as stored in the file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hull<'a> {
    /// Its id in this map.
    pub id: HullId,
    /// Its name.
    pub name: &'a str,
    /// Lower corner of the box relative to the agent's origin, in units.
    pub mins: [f32; 3],
    /// Upper corner of the box relative to the agent's origin, in units.
    pub maxs: [f32; 3],
    /// Contents that block the hull, as bits of the map's contents.
    pub contents: u32,
    /// Whether what the hull cannot reach in the world is solid.
    pub filled: bool,
}

/// A checked map that borrows the file's bytes. Copies are cheap.
#[derive(Clone, Copy)]
pub struct OnionMap<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) info: InfoRecord,
    pub(crate) options: &'a str,
    pub(crate) hulls: &'a [[u8; HullRecord::SIZE]],
    pub(crate) models: &'a [[u8; ModelRecord::SIZE]],
    pub(crate) groups: &'a [[u8; GroupRecord::SIZE]],
    pub(crate) roots: &'a [[u8; RootRecord::SIZE]],
    pub(crate) planes: &'a [[u8; PlaneRecord::SIZE]],
    pub(crate) nodes: &'a [[u8; NodeRecord::SIZE]],
    pub(crate) leaves: &'a [[u8; LeafRecord::SIZE]],
    pub(crate) brushes: Brushes<'a>,
}

impl<'a> OnionMap<'a> {
    /// Checks a whole file once and borrows it; the bytes need no alignment.
    ///
    /// # Errors
    /// Any file that is not exactly as the compiler wrote it. Never panics, for any bytes.
    pub fn from_bytes(bytes: &'a [u8]) -> Result<Self, LoadError> {
        crate::load::load(bytes)
    }

    /// The hulls in file order.
    pub fn hulls(&self) -> impl Iterator<Item = Hull<'a>> + use<'a> {
        (0u8..).zip(self.hulls).map(|(index, bytes)| {
            let record = HullRecord::read(bytes);
            let name =
                core::str::from_utf8(unpadded(bytes.get(..record.name.len()).unwrap_or(&[])));
            Hull {
                id: HullId(index),
                name: name.unwrap_or(""),
                mins: record.mins,
                maxs: record.maxs,
                contents: record.contents,
                filled: record.flags & HULL_FILLED != 0,
            }
        })
    }

    /// The hull of this name.
    pub fn hull(&self, name: &str) -> Option<HullId> {
        self.hulls()
            .find(|hull| hull.name == name)
            .map(|hull| hull.id)
    }

    /// The hull of this number, as [`HullId::index`] tells it.
    #[inline]
    pub fn hull_id(&self, index: usize) -> Option<HullId> {
        let number = u8::try_from(index).ok()?;
        (index < self.hulls.len()).then_some(HullId(number))
    }

    /// The hull of this name, if it has exactly this box: call it once after loading, so that a
    /// game and a map that disagree are found at once.
    ///
    /// # Errors
    /// The name is missing, or the file's box is another.
    pub fn require_hull(
        &self,
        name: &str,
        mins: impl Into<[f32; 3]>,
        maxs: impl Into<[f32; 3]>,
    ) -> Result<HullId, HullError> {
        let hull = self.hulls().find(|hull| hull.name == name);
        let hull = hull.ok_or(HullError::Missing)?;
        if hull.mins != mins.into() || hull.maxs != maxs.into() {
            return Err(HullError::OtherBox {
                mins: hull.mins,
                maxs: hull.maxs,
            });
        }
        Ok(hull.id)
    }

    /// Number of models; model 0 is the world.
    pub fn n_models(&self) -> usize {
        self.models.len()
    }

    /// A model, by the number the map gives it.
    pub fn model(&self, index: usize) -> Option<Model<'a>> {
        let record = ModelRecord::read(self.models.get(index)?);
        Some(Model {
            map: *self,
            index,
            record,
        })
    }

    /// The world, model 0.
    pub fn world(&self) -> Model<'a> {
        // Loading checked that there is a model 0; a lone leaf stands in without a panic.
        self.model(0).unwrap_or(Model {
            map: *self,
            index: 0,
            record: ModelRecord::read(&[]),
        })
    }

    /// Number of groups of hulls; the hulls of a group share one tree in each model.
    pub fn n_groups(&self) -> usize {
        self.groups.len()
    }

    /// The hulls of a group, a bit each; none for a group that is not there.
    pub fn hulls_of_group(&self, group: usize) -> u64 {
        match self.groups.get(group) {
            Some(bytes) => GroupRecord::read(bytes).hulls,
            None => 0,
        }
    }

    /// The roots of a model's trees, group by group, for tools.
    pub fn roots_of(&self, model: usize) -> impl Iterator<Item = Child> + use<'a> {
        let map = *self;
        (0..self.n_groups()).filter_map(move |group| map.root(model, group))
    }

    /// The root of a model's tree for the hulls of a group.
    #[inline]
    pub(crate) fn root(&self, model: usize, group: usize) -> Option<Child> {
        let bytes = self.roots.get(model * self.groups.len() + group)?;
        Some(Child(RootRecord::read(bytes).root))
    }

    /// Number of nodes of all trees.
    pub fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    /// Number of leaves of all trees.
    pub fn n_leaves(&self) -> usize {
        self.leaves.len()
    }

    /// Number of distinct planes.
    pub fn n_planes(&self) -> usize {
        self.planes.len()
    }

    /// Version of the file's layout.
    pub fn version(&self) -> u32 {
        u32::read(self.bytes, VERSION_OFFSET)
    }

    /// Size of the file in bytes.
    pub fn n_bytes(&self) -> usize {
        self.bytes.len()
    }

    /// The records of the planes, for tools.
    pub fn plane_records(&self) -> impl Iterator<Item = PlaneRecord> + use<'a> {
        self.planes.iter().map(|bytes| PlaneRecord::read(bytes))
    }

    /// The records of the models, for tools.
    pub fn model_records(&self) -> impl Iterator<Item = ModelRecord> + use<'a> {
        self.models.iter().map(|bytes| ModelRecord::read(bytes))
    }

    /// The record of a node, for tools.
    pub fn node_record(&self, index: u32) -> Option<NodeRecord> {
        ((index as usize) < self.n_nodes()).then(|| self.node(index))
    }

    /// The record of a leaf, for tools.
    pub fn leaf_record(&self, index: u32) -> Option<LeafRecord> {
        self.leaves
            .get(index as usize)
            .map(|bytes| LeafRecord::read(bytes))
    }

    /// Where the file comes from and what the compiler proved.
    pub fn info(&self) -> InfoRecord {
        self.info
    }

    /// Name and version of the compiler that wrote the file.
    pub fn compiler(&self) -> &'a str {
        self.options.lines().next().unwrap_or("")
    }

    /// The options of the compile but for the hulls, as command-line arguments.
    pub fn options(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.options.lines().skip(1)
    }

    /// [`Model::trace`] in the world.
    #[inline]
    pub fn trace(
        &self,
        hull: HullId,
        start: impl Into<[f32; 3]>,
        end: impl Into<[f32; 3]>,
    ) -> Trace<f32> {
        trace_f32(self, WORLD, hull, start.into(), end.into(), DEFAULT_SKIN)
    }

    /// [`Model::find_first_transition`] in the world.
    pub fn find_first_transition(
        &self,
        hull: HullId,
        start: impl Into<[f32; 3]>,
        end: impl Into<[f32; 3]>,
    ) -> Transition {
        self.world().find_first_transition(hull, start, end)
    }

    /// [`Model::is_solid`] in the world.
    #[inline]
    pub fn is_solid(&self, hull: HullId, point: impl Into<[f32; 3]>) -> bool {
        is_solid(self, WORLD, hull, point.into().map(f64::from))
    }

    /// [`Model::solidity`] in the world.
    pub fn solidity(&self, point: impl Into<[f32; 3]>) -> u64 {
        self.world().solidity(point)
    }

    /// [`Model::leaf_at`] in the world.
    pub fn leaf_at(&self, point: impl Into<[f32; 3]>) -> Option<LeafId> {
        self.world().leaf_at(point)
    }

    /// Solidity of a leaf: bit `h` is set when it is solid for hull `h` of the leaf's group. Where all
    /// hulls share one tree, that is all of them.
    pub fn leaf_solidity(&self, leaf: LeafId) -> u64 {
        match self.leaves.get(leaf.index()) {
            Some(bytes) => LeafRecord::read(bytes).solidity,
            None => 0,
        }
    }

    #[inline]
    pub(crate) fn node(&self, index: u32) -> NodeRecord {
        match self.nodes.get(index as usize) {
            Some(bytes) => NodeRecord::read(bytes),
            // Loading checked every reference; a leaf ends any walk without a panic.
            None => NodeRecord {
                children: [Child::leaf(0).0; 2],
                ..NodeRecord::read(&[])
            },
        }
    }

    /// The group of a hull; the first for a hull that is in none.
    #[inline(always)]
    pub(crate) fn group_of(&self, hull: HullId) -> usize {
        if self.groups.len() <= 1 {
            return 0;
        }
        let mut groups = 1..self.groups.len();
        let own = groups.find(|&group| self.hulls_of_group(group) & hull.bit() != 0);
        own.unwrap_or(0)
    }

    /// The root of a model's tree for a hull.
    #[inline]
    pub(crate) fn root_of(&self, model: usize, hull: HullId) -> Child {
        let root = self.root(model, self.group_of(hull));
        root.unwrap_or(Child::leaf(0))
    }

    #[inline]
    pub(crate) fn plane_of(&self, node: &NodeRecord) -> PlaneRecord {
        self.plane(NodePlane(node.plane).index())
    }

    #[inline]
    pub(crate) fn plane(&self, index: u32) -> PlaneRecord {
        match self.planes.get(index as usize) {
            Some(bytes) => PlaneRecord::read(bytes),
            None => PlaneRecord::read(&[]),
        }
    }
}

/// One model of a map: the world, or an inline model such as a door. All queries are in the
/// model's own space: for a model that the game has moved, subtract its position from the points
/// you pass (initially [`Model::origin`]).
#[derive(Clone, Copy)]
pub struct Model<'a> {
    pub(crate) map: OnionMap<'a>,
    pub(crate) index: usize,
    record: ModelRecord,
}

impl Model<'_> {
    /// The root of the tree of the first group, whose leaves are the places shared by all hulls.
    #[inline]
    pub(crate) fn first_root(&self) -> Child {
        self.map.root(self.index, 0).unwrap_or(Child::leaf(0))
    }

    /// The roots of the trees of all groups.
    pub(crate) fn roots(&self) -> impl Iterator<Item = Child> {
        self.map.roots_of(self.index)
    }

    /// Where the map's entity puts the model, in units; zero where no entity says otherwise.
    pub fn origin(&self) -> [f32; 3] {
        self.record.origin
    }

    /// Box around the model's brushes before expansion: lower and upper corner, in units of the
    /// model's space. Both are zero for a model without brushes.
    pub fn bounds(&self) -> ([f32; 3], [f32; 3]) {
        (self.record.mins, self.record.maxs)
    }

    /// Number of the entity that shows the model, if any.
    pub fn entity(&self) -> Option<u32> {
        (self.record.entity != u32::MAX).then_some(self.record.entity)
    }
}

/// A point this near to a plane is on it, in units: what rounding leaves of the signed distance
/// of a point of the plane, at most 2^-32 within 2^17 units of the origin, twice over.
pub(crate) const ON_PLANE: f64 = 1.0 / (1u64 << 31) as f64;

/// Signed distance of a point in front of a plane, in units.
#[inline]
pub(crate) fn distance(plane: &PlaneRecord, point: &[f64; 3]) -> f64 {
    if let Some(component) = point.get(plane.axis as usize) {
        return component - plane.dist;
    }
    let normal = unit_normal(plane);
    normal[0] * point[0] + normal[1] * point[1] + normal[2] * point[2] - plane.dist
}

/// Summed in the order of the axes, as everywhere: the same on every machine.
#[inline(always)]
pub(crate) fn dot(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The normal of a plane, exactly.
#[inline]
pub(crate) fn unit_normal(plane: &PlaneRecord) -> [f64; 3] {
    let [x, y, z] = plane.normal;
    let exact = |component: i32| f64::from(component) * (1.0 / NORMAL_ONE as f64);
    [exact(x), exact(y), exact(z)]
}
