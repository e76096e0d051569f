//! Compiled maps as assets: a file is checked once when it is loaded, and its hulls are compared with the boxes that
//! the game uses. If Bevy watches files, it reloads a file that changes, and handles stay valid.

use bevy_asset::io::Reader;
use bevy_asset::{Asset, AssetLoader, LoadContext};
use bevy_reflect::TypePath;
use onion_runtime::{Aabb, HullError, HullId, LoadError, OnionMap};

/// A compiled map.
#[derive(Asset, TypePath, Debug)]
pub struct OnionLevel {
    map: OnionMap<Vec<u8>>,
}

impl OnionLevel {
    /// Checks the bytes of an `.onion` file and makes a level of them.
    ///
    /// # Errors
    /// Any file that is not exactly as the compiler wrote it.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, LoadError> {
        let map = OnionMap::from_bytes(bytes)?;
        Ok(Self { map })
    }

    /// Returns the map, which answers in its own axes and units.
    pub fn map(&self) -> &OnionMap<Vec<u8>> {
        &self.map
    }

    /// Returns the hull of this name, or `None` if there is none. Valid for this load of the level: a
    /// [`HullHandle`](crate::HullHandle) outlives reloads.
    pub fn hull(&self, name: &str) -> Option<HullId> {
        self.map.find_hull(name)
    }
}

/// A hull that levels must have: its name and its box, in units of the map.
#[derive(Clone, Debug)]
pub(crate) struct RequiredHull {
    pub(crate) name: String,
    pub(crate) bounds: Aabb<f32>,
}

/// The reason why a level was not loaded.
#[derive(Debug, thiserror::Error)]
pub enum OnionLevelError {
    /// The file cannot be read.
    #[error("cannot read the file: {0}")]
    Read(#[from] std::io::Error),
    /// The file is not as the compiler wrote it.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// A hull that the game requires is missing, or has another box.
    #[error(transparent)]
    Hull(#[from] HullError),
}

/// Loads `.onion` files.
#[derive(TypePath, Debug)]
pub struct OnionLoader {
    pub(crate) hulls: Vec<RequiredHull>,
}

impl AssetLoader for OnionLoader {
    type Asset = OnionLevel;
    type Settings = ();
    type Error = OnionLevelError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        _: &(),
        _: &mut LoadContext<'_>,
    ) -> Result<OnionLevel, OnionLevelError> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        let level = OnionLevel::from_bytes(bytes)?;
        for hull in &self.hulls {
            level.map.require_hull(&hull.name, hull.bounds)?;
        }
        Ok(level)
    }

    fn extensions(&self) -> &[&str] {
        &["onion"]
    }
}
