//! The loaded map: a file's bytes, owned or borrowed, and the locations of its chunks. It finds hulls by name and
//! models by number; the queries of a model are in separate modules.

use core::fmt;

use onion_format::HullSet;

use crate::error::{HullError, LoadError};
use crate::file::hull::{Hull, HullId, LeafId};
use crate::file::view::{Layout, View};
use crate::math::aabb::Aabb;
use crate::math::coordinate::Coordinate;
use crate::model::Model;

/// A checked map. `D` holds the bytes of the file: a `Vec<u8>`, an `Arc<[u8]>` or a memory map if the map owns them,
/// or a `&[u8]` if it borrows them.
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
    /// The whole file, borrowed or owned. It is read in place.
    bytes: D,
    /// Where the chunks are, so that a query does not search for them.
    layout: Layout,
}

impl<D: AsRef<[u8]>> OnionMap<D> {
    /// Checks a whole file once, and keeps it. The bytes need no alignment.
    ///
    /// The bytes must not change while the map is used. Do not overwrite a memory-mapped file: replace it by another
    /// file, as `onionc` does. If the bytes change nevertheless, queries still end and do not panic. If the length or
    /// the checksum in the header changed, everything is solid; otherwise any answer may be wrong.
    ///
    /// # Errors
    /// The file is not exactly as the compiler wrote it. This never panics, for any bytes.
    pub fn from_bytes(bytes: D) -> Result<Self, LoadError> {
        let layout = crate::load::load(bytes.as_ref())?;
        Ok(Self { bytes, layout })
    }

    /// Returns the bytes as they were given.
    pub fn into_bytes(self) -> D {
        self.bytes
    }

    /// Returns the form of the map that queries work with: a few slices of the bytes.
    #[inline(always)]
    pub(crate) fn view(&self) -> View<'_> {
        View::new(self.bytes.as_ref(), &self.layout)
    }

    /// Returns the hulls in file order.
    pub fn hulls(&self) -> impl Iterator<Item = Hull<'_>> {
        let map = self.view();
        let ids = (0..map.hulls().len()).filter_map(move |index| map.hull_id(index));
        ids.filter_map(move |id| map.hull(id))
    }

    /// Returns the hull of this name, or `None` if there is none.
    pub fn find_hull(&self, name: &str) -> Option<HullId> {
        let hull = self.hulls().find(|hull| hull.name == name);
        hull.map(|hull| hull.id)
    }

    /// Returns a hull by its id, or `None` if the id belongs to another map.
    pub fn hull(&self, hull: HullId) -> Option<Hull<'_>> {
        self.view().hull(hull)
    }

    /// Returns the hull of a number that [`HullId::to_bits`] returned, or `None` if it belongs to another map.
    #[inline]
    pub fn hull_from_bits(&self, bits: u64) -> Option<HullId> {
        // The lowest byte is the number of the hull. The rest is compared, so that a number of another map is none.
        let own = self.view().hull_id((bits & 0xff) as usize);
        own.filter(|own| own.to_bits() == bits)
    }

    /// Returns the hull of this name, if it has exactly this box. Call it once after loading, so that any
    /// disagreement between game and map is found at once.
    ///
    /// # Errors
    /// The name is missing, or the file's box differs.
    pub fn require_hull<T: Coordinate>(
        &self,
        name: &str,
        bounds: Aabb<T>,
    ) -> Result<HullId, HullError> {
        let Some(hull) = self.hulls().find(|hull| hull.name == name) else {
            return Err(HullError::missing(name, self.hulls().map(|hull| hull.name)));
        };
        let expected = bounds.widened();
        // Compared in f64, so that a game's box is not rounded to the file's first.
        if hull.bounds.widened() != expected {
            return Err(HullError::OtherBox {
                hull: hull.name.into(),
                bounds: hull.bounds,
                expected: expected.narrowed(),
            });
        }
        Ok(hull.id)
    }

    /// Returns the number of models; model 0 is the world.
    pub fn n_models(&self) -> usize {
        self.view().models().len()
    }

    /// Returns the model with this number in the map, or `None` if there is none.
    pub fn model(&self, index: usize) -> Option<Model<'_>> {
        let map = self.view();
        (index < map.models().len()).then(|| Model::new(map, index))
    }

    /// Returns the world, model 0.
    #[inline(always)]
    pub fn world(&self) -> Model<'_> {
        Model::new(self.view(), 0)
    }

    /// Returns the hulls for which a leaf is solid, among those of the leaf's group. If all hulls share one tree, the
    /// group contains all of them.
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

/// Prints the names of the hulls, and the numbers of models and bytes.
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
