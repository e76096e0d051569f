//! The loaded map: a file's bytes, owned or borrowed, and the locations of its chunks. It finds hulls by name and
//! models by number; the queries of a model are in modules of their own.

use core::fmt;

use onion_format::HullSet;

use crate::coordinate::{Coordinate, narrowed, widened};
use crate::error::{HullError, LoadError, Unsupported};
use crate::hull::{Hull, HullId, LeafId};
use crate::model::Model;
use crate::view::{Layout, View};

/// A checked map. `D` holds the bytes of the file: a `Vec<u8>`, an `Arc<[u8]>` or a memory map if the map is to own
/// them, a `&[u8]` if it is to borrow them.
///
/// ```
/// # let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/golden/low_tunnel.onion");
/// use onion_runtime::OnionMap;
///
/// #[derive(Debug)]
/// struct Level {
///     map: OnionMap<Vec<u8>>,
/// }
/// let level = Level { map: OnionMap::from_bytes(std::fs::read(golden)?)? };
/// let shared = std::sync::Arc::new(level);
/// # assert!(format!("{shared:?}").contains("stand"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// `D` must return the same bytes each time; see [`OnionMap::from_bytes`].
#[derive(Clone, Copy)]
pub struct OnionMap<D> {
    bytes: D,
    layout: Layout,
}

impl<D: AsRef<[u8]>> OnionMap<D> {
    /// Checks a whole file once, and keeps it. The bytes need no alignment.
    ///
    /// The bytes must stay as they are for as long as the map is used. A file that is mapped into memory must not be
    /// written to: replace it by another file (`onionc` does so), do not overwrite it. If the bytes change all the
    /// same, queries still end and do not panic; everything is solid if the length or the checksum in the
    /// header changed,
    /// otherwise any answer may be wrong.
    ///
    /// # Errors
    /// The file is not exactly as the compiler wrote it. This never panics, for any bytes.
    pub fn from_bytes(bytes: D) -> Result<Self, LoadError> {
        let layout = crate::load::load(bytes.as_ref())?;
        Ok(Self { bytes, layout })
    }

    /// The bytes as they were given.
    pub fn into_bytes(self) -> D {
        self.bytes
    }

    #[inline(always)]
    pub(crate) fn view(&self) -> View<'_> {
        View::new(self.bytes.as_ref(), &self.layout)
    }

    /// The hulls in file order.
    pub fn hulls(&self) -> impl Iterator<Item = Hull<'_>> {
        let map = self.view();
        let ids = (0..map.hulls().len()).filter_map(move |index| map.hull_id(index));
        ids.filter_map(move |id| map.hull(id))
    }

    /// The hull of this name.
    pub fn find_hull(&self, name: &str) -> Option<HullId> {
        let hull = self.hulls().find(|hull| hull.name == name);
        hull.map(|hull| hull.id)
    }

    /// A hull of this map.
    ///
    /// # Errors
    /// The hull is another map's.
    pub fn hull(&self, hull: HullId) -> Result<Hull<'_>, Unsupported> {
        self.view().hull(hull).ok_or(Unsupported::NoSuchHull)
    }

    /// The hull of this name, if it has exactly this box. Call it once after loading, so that any disagreement
    /// between game and map is found at once.
    ///
    /// # Errors
    /// The name is missing, or the file's box differs.
    pub fn require_hull<T: Coordinate>(
        &self,
        name: &str,
        mins: impl Into<[T; 3]>,
        maxs: impl Into<[T; 3]>,
    ) -> Result<HullId, HullError> {
        let Some(hull) = self.hulls().find(|hull| hull.name == name) else {
            return Err(HullError::missing(name, self.hulls().map(|hull| hull.name)));
        };
        let asked = [widened(mins.into()), widened(maxs.into())];
        if [hull.mins, hull.maxs].map(widened) != asked {
            return Err(HullError::OtherBox {
                hull: hull.name.into(),
                mins: hull.mins,
                maxs: hull.maxs,
                asked_mins: narrowed(asked[0]),
                asked_maxs: narrowed(asked[1]),
            });
        }
        Ok(hull.id)
    }

    /// Number of models; model 0 is the world.
    pub fn n_models(&self) -> usize {
        self.view().models().len()
    }

    /// A model, by its number in the map.
    pub fn model(&self, index: usize) -> Option<Model<'_>> {
        let map = self.view();
        (index < map.models().len()).then(|| Model::new(map, index))
    }

    /// The world, model 0.
    #[inline(always)]
    pub fn world(&self) -> Model<'_> {
        Model::new(self.view(), 0)
    }

    /// The hulls for which a leaf is solid, among those of the leaf's group. If all hulls share one tree, the group
    /// is all of them.
    pub fn leaf_solidity(&self, leaf: LeafId) -> HullSet {
        let map = self.view();
        map.leaf_solidity(leaf).unwrap_or(map.all_hulls())
    }

    /// Whether the file holds the map's entities (it was compiled without `--no-entities`).
    pub fn has_entities(&self) -> bool {
        self.view().has_entities()
    }

    /// Whether the file has hit data, which [`Model::hit`] needs (it was compiled without `--no-surfaces`).
    pub fn has_hit_data(&self) -> bool {
        self.view().has_hit_data()
    }

    /// Whether the file holds the shapes of the brushes (it was compiled with `--brushes`), which
    /// [`Model::contents_at`] and traces of any shape need.
    pub fn has_brush_shapes(&self) -> bool {
        self.view().has_brush_shapes()
    }
}

/// The names of the hulls, the number of models and of bytes.
impl<D: AsRef<[u8]>> fmt::Debug for OnionMap<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        struct Names<'a, D>(&'a OnionMap<D>);
        impl<D: AsRef<[u8]>> fmt::Debug for Names<'_, D> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let names = self.0.hulls().map(|hull| hull.name);
                f.debug_list().entries(names).finish()
            }
        }
        f.debug_struct("OnionMap")
            .field("hulls", &Names(self))
            .field("models", &self.n_models())
            .field("bytes", &self.layout.n_bytes)
            .finish()
    }
}
