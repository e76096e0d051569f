//! The stages of a compile, in order. Each stage has the module of its name, a number, which the module's header and
//! `ARCHITECTURE.md` repeat, and a time in the report.

use std::fmt;
use std::sync::Arc;

use serde::Serialize;

/// A stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// Sides become planes on the grid and exact convex brushes, and patches become convex pieces.
    Brush = 1,
    /// Brushes are expanded by every hull's box.
    Expand,
    /// The expanded brushes of a hull become the outer skin of their union.
    Union,
    /// Space that no agent can reach is found, and skins lose the faces that bound only such space.
    Fill,
    /// The faces that agents stand on are joined to convex floors.
    Floors,
    /// Hulls are grouped; the hulls of a group share a tree.
    Group,
    /// Skins become trees.
    Tree,
    /// Every leaf of every tree is proven.
    Audit,
    /// Each block of space gets the node where walks of each hull start in it, and is proven.
    Fast,
    /// Nodes get the sides of the brushes that have a face in them.
    Provenance,
    /// Brushes become corners, edges and boxes, for traces of any size and shape.
    Shape,
    /// Nodes are charged to hulls and brushes.
    Cost,
    /// Trees, planes and all other data become the bytes of a file.
    Serialize,
    /// Agents are driven from floor to floor.
    Links,
}

impl Stage {
    /// All stages in their order.
    pub const ALL: [Self; 14] = [
        Self::Brush,
        Self::Expand,
        Self::Union,
        Self::Fill,
        Self::Floors,
        Self::Group,
        Self::Tree,
        Self::Audit,
        Self::Fast,
        Self::Provenance,
        Self::Shape,
        Self::Cost,
        Self::Serialize,
        Self::Links,
    ];

    /// Returns the number of the stage in the order, from 1 on.
    pub fn number(self) -> usize {
        self as usize
    }
}

/// Writes its name, which is also the name of its module.
impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// A callback that is called after each stage, on the thread of the compile. By default there is none.
#[derive(Clone, Default)]
pub struct Observer(Option<Arc<dyn Fn(Stage) + Send + Sync>>);

impl Observer {
    /// Wraps a callback, which is called for each stage.
    pub fn new(tell: impl Fn(Stage) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(tell)))
    }

    /// Reports that a stage is finished.
    pub(crate) fn tell(&self, stage: Stage) {
        if let Some(tell) = &self.0 {
            tell(stage);
        }
    }
}

impl fmt::Debug for Observer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Observer")
    }
}
