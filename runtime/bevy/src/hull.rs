//! A hull of a level, by name. A game can make it before the level is loaded, and it stays valid when the level is
//! reloaded, unlike the runtime's ids, which then belong to another map.

use std::borrow::Cow;

use bevy_asset::{Assets, Handle};
use onion_runtime::HullId;

use crate::level::OnionLevel;

/// A hull of a level.
#[derive(Clone, Debug, PartialEq)]
pub struct HullHandle {
    /// The level.
    pub level: Handle<OnionLevel>,
    /// The hull's name, as the map was compiled with it.
    pub name: Cow<'static, str>,
}

impl HullHandle {
    /// Returns the hull of this name in a level.
    pub fn new(level: Handle<OnionLevel>, name: impl Into<Cow<'static, str>>) -> Self {
        let name = name.into();
        Self { level, name }
    }

    /// Returns the level as it is now, and the hull in it, or `None` while the level is not loaded, or if it has no
    /// such hull.
    pub fn get<'a>(&self, levels: &'a Assets<OnionLevel>) -> Option<(&'a OnionLevel, HullId)> {
        let level = levels.get(&self.level)?;
        Some((level, level.hull(&self.name)?))
    }
}
