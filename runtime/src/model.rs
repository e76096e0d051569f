//! Models: the world of a map, and inline models such as doors. The queries of a model are in the sibling modules,
//! one kind in each.

use core::fmt;

use onion_format::{Child, ModelRecord};

use crate::file::view::View;
use crate::math::aabb::Aabb;
use crate::tolerance::DEFAULT_MARGIN;

/// One model of a map: the world, or an inline model such as a door. All queries are in the model's own space: if
/// the game has moved the model, subtract its position (initially [`Model::origin`]) from the points you pass.
///
/// A model is a small value that costs next to nothing to make: keep the map, not its models.
#[derive(Clone, Copy)]
pub struct Model<'a> {
    /// The file that the model is in.
    pub(crate) map: View<'a>,
    /// Number of the model; 0 is the world.
    pub(crate) index: usize,
    /// Distance that traces keep from the plane they hit, in units; not negative.
    pub(crate) margin: f64,
}

/// Prints the number and the margin.
impl fmt::Debug for Model<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Model")
            .field("index", &self.index)
            .field("margin", &self.margin)
            .finish_non_exhaustive()
    }
}

impl<'a> Model<'a> {
    /// Returns a model of a file; the model must exist.
    #[inline(always)]
    pub(crate) fn new(map: View<'a>, index: usize) -> Self {
        Self {
            map,
            index,
            margin: DEFAULT_MARGIN,
        }
    }

    /// Returns the same model with another margin: the distance that traces keep from the plane they hit, in units.
    /// The default is [`DEFAULT_MARGIN`]; a margin that is negative or not a number counts as 0.
    #[must_use]
    #[inline(always)]
    pub fn with_margin(self, margin: f64) -> Self {
        Self {
            margin: margin.max(0.0),
            ..self
        }
    }

    /// Returns the number of the model in the map; 0 is the world.
    pub fn index(&self) -> usize {
        self.index
    }

    /// Returns the place where the map's entity puts the model, in units; zero if no entity does.
    pub fn origin(&self) -> [f32; 3] {
        self.record().map_or([0.0; 3], |record| record.origin)
    }

    /// Returns the box around the model's brushes before expansion, in the model's space. Both corners are zero for a
    /// model without brushes.
    pub fn bounds(&self) -> Aabb<f32> {
        let record = self.record();
        record.map_or_else(Aabb::default, |record| Aabb::new(record.mins, record.maxs))
    }

    /// Returns the number of the entity that shows the model, or `None` if no entity does. Files without entities
    /// store it, too.
    pub fn entity_number(&self) -> Option<u32> {
        let entity = self.record()?.entity;
        (entity != u32::MAX).then_some(entity)
    }

    /// Returns the model's record; every model that a caller can get has one.
    fn record(&self) -> Option<ModelRecord> {
        self.map.models().get(self.index)
    }

    /// Returns the root of the tree of the first group, whose leaves are the places shared by the hulls of that
    /// group.
    #[inline]
    pub(crate) fn first_root(&self) -> Child {
        self.map.root(self.index, 0).unwrap_or(Child::leaf(0))
    }
}
