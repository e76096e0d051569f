//! A view of one hull in a model, which answers traces and point queries. It caches the lookups that every query
//! repeats: the locations of blocks, nodes and planes, a fifth of the time of a short trace. [`crate::trace`] has the
//! traces.

use core::fmt;

use crate::fast::{Fast, Rooms};
use crate::file::hull::HullId;
use crate::math::coordinate::{Coordinate, widened};
use crate::model::Model;
use crate::point::is_solid_for;

/// A hull in a model, for many queries: it gives the answers of [`Model::trace`] and [`Model::is_solid`], faster.
/// [`Model::view`] makes one for a frame or a batch of queries.
#[derive(Clone, Copy)]
pub struct HullView<'a> {
    /// The model that answers what the faster forms cannot.
    pub(crate) model: Model<'a>,
    /// The hull that queries are for.
    pub(crate) hull: HullId,
    /// `None` if the file has no blocks, or the hull belongs to another map.
    pub(crate) fast: Option<Fast<'a>>,
    /// `None` in the same cases.
    pub(crate) rooms: Option<Rooms<'a>>,
}

/// Prints the model and the hull.
impl fmt::Debug for HullView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HullView")
            .field("model", &self.model)
            .field("hull", &self.hull)
            .finish_non_exhaustive()
    }
}

impl<'a> Model<'a> {
    /// Returns a view of a hull in this model, for many queries. For a hull of another map everything is solid.
    ///
    /// ```
    /// # let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/golden/low_tunnel.onion");
    /// # let map = onion_runtime::OnionMap::from_bytes(std::fs::read(golden)?)?;
    /// # let hull = map.find_hull("stand").ok_or("no such hull")?;
    /// let stand = map.world().view(hull);
    /// let start = [-200.0, 0.0, 24.0_f32];
    /// for end in [[64.0, 0.0, 24.0], [64.0, 16.0, 24.0]] {
    ///     assert!(!stand.is_solid(stand.trace(start, end).end_pos));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn view(&self, hull: HullId) -> HullView<'a> {
        // The number of a hull of another map may be that of a hull here, so it must not choose blocks or rooms.
        let own = self.map.has(hull).then_some(&self.map);
        HullView {
            model: *self,
            hull,
            fast: own.and_then(|map| Fast::new(map, self.index, hull)),
            rooms: own.and_then(|map| Rooms::new(map, self.index, hull)),
        }
    }
}

impl HullView<'_> {
    /// Runs [`Model::is_solid`] for this hull.
    #[inline]
    pub fn is_solid<T: Coordinate>(&self, point: impl Into<[T; 3]>) -> bool {
        let point = widened(point.into());
        is_solid_for(self.fast.as_ref(), &self.model, self.hull, &point)
    }
}
