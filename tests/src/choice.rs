//! The maps that a program runs over: the arguments that choose them, which several programs share, and the sample
//! maps and real ones that are chosen.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::maps::{RealMap, sample_maps};

/// Which maps are wanted.
#[derive(Args)]
pub struct Choice {
    /// A folder of real maps, which are taken besides the sample maps.
    #[arg(long, value_name = "DIR")]
    maps: Option<PathBuf>,
    /// Only maps whose names hold this text.
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
    /// Only maps of at most this number of bytes.
    #[arg(long, value_name = "BYTES", default_value_t = usize::MAX, hide_default_value = true)]
    largest: usize,
}

impl Choice {
    /// Whether the choice includes a map with this name and file.
    pub fn is_wanted(&self, name: &str, bytes: &[u8]) -> bool {
        name.contains(&self.only) && bytes.len() <= self.largest
    }

    /// Returns the wanted maps among the real ones that `find` returns for the folder.
    pub fn real_maps(&self, find: impl Fn(&Path) -> Vec<RealMap>) -> Vec<RealMap> {
        let maps = self.maps.iter().flat_map(|folder| find(folder));
        self.wanted(maps)
    }

    /// Returns the wanted sample maps, then the wanted real ones.
    pub fn all_maps(&self, find: impl Fn(&Path) -> Vec<RealMap>) -> Vec<RealMap> {
        let mut maps = self.wanted(sample_maps().into_iter());
        maps.extend(self.real_maps(find));
        maps
    }

    fn wanted(&self, maps: impl Iterator<Item = RealMap>) -> Vec<RealMap> {
        maps.filter(|map| self.is_wanted(&map.name, &map.bytes))
            .collect()
    }
}
