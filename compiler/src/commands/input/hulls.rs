//! The options that choose the hulls of a compile: by name and box, or by a preset with the boxes of a game and how its
//! agents move, which come from the game's own source. They yield the hulls with their corners.

use clap::ValueEnum;
use onion_compiler::error::HullSpecError;
use onion_compiler::hull::{self, AgentSpec, HullOption, HullSpec, Origin};
use onionc::error::{CommandError, usage};

use crate::commands::heading;

/// Options of hulls.
#[derive(Clone, clap::Args)]
pub struct Hulls {
    /// A hull, as often as needed: NAME:RxH (half-width R, height H), NAME:cylinder:RxH, NAME:point,
    /// or NAME:mins=X,Y,Z:maxs=X,Y,Z.
    ///
    /// The origin of RxH is 24 units above its feet, or its center if it is no taller than that;
    /// RxH@feet, RxH@center and RxH@N (N units above the feet) say otherwise. A cylinder is a prism
    /// around the circle, with 16 sides; :sides=8, :sides=32 and :within say otherwise. Add
    /// :contents=solid+playerclip to name what blocks the hull; that is the default for boxes,
    /// solid+shotclip for points.
    #[arg(long = "hull", value_name = "NAME:RxH", help_heading = heading::HULLS)]
    hulls: Vec<HullOption>,
    /// The boxes of a game's players and monsters, before those of --hull. Without --hull and --agent, also how they
    /// move.
    #[arg(long, value_name = "GAME", ignore_case = true, help_heading = heading::HULLS)]
    preset: Option<Preset>,
    /// Where hulls given as RxH have their origin: feet, center, or N units above the feet.
    #[arg(long, value_name = "ORIGIN", allow_hyphen_values = true, help_heading = heading::HULLS)]
    origin: Option<Origin>,
}

/// A game whose boxes are known.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Preset {
    /// stand (32 x 32 x 56) and large (64 x 64 x 88).
    Quake,
    /// stand (32 x 32 x 56) and crouch (32 x 32 x 28).
    Quake2,
    /// stand (30 x 30 x 56) and crouch (30 x 30 x 40).
    Quake3,
    /// stand (32 x 32 x 72), large (64 x 64 x 64) and crouch (32 x 32 x 36).
    Halflife,
}

impl Preset {
    /// Returns the hulls in the syntax of `--hull`, in the order in which the game numbers them.
    fn hulls(self) -> &'static [&'static str] {
        match self {
            Self::Quake => &[
                "stand:mins=-16,-16,-24:maxs=16,16,32",
                "large:mins=-32,-32,-24:maxs=32,32,64",
            ],
            Self::Quake2 => &[
                "stand:mins=-16,-16,-24:maxs=16,16,32",
                "crouch:mins=-16,-16,-24:maxs=16,16,4",
            ],
            Self::Quake3 => &[
                "stand:mins=-15,-15,-24:maxs=15,15,32",
                "crouch:mins=-15,-15,-24:maxs=15,15,16",
            ],
            Self::Halflife => &[
                "stand:mins=-16,-16,-36:maxs=16,16,36",
                "large:mins=-32,-32,-32:maxs=32,32,32",
                "crouch:mins=-16,-16,-18:maxs=16,16,18",
            ],
        }
    }

    /// Returns the classes of agents in the syntax of `--agent`. Players fall as far as it does not hurt; monsters
    /// neither jump nor leave ledges.
    fn agents(self) -> &'static [&'static str] {
        match self {
            Self::Quake => &["player:stand:drop=264", "monster:large:jump=0:drop=0"],
            Self::Quake2 => &["player:stand,crouch:speed=300:drop=187"],
            Self::Quake3 => &["player:stand,crouch"],
            Self::Halflife => &[
                "player:stand,crouch:drop=210",
                "monster:large:jump=0:drop=0",
            ],
        }
    }
}

impl Hulls {
    /// Returns the classes of agents of the preset; empty without one, or if there are other hulls, which may be
    /// stances of the same agents.
    pub fn agents(&self) -> Result<Vec<AgentSpec>, CommandError> {
        let preset = self.preset.filter(|_| self.hulls.is_empty());
        let agents = preset.map_or(&[][..], Preset::agents).iter();
        let agents: Result<_, _> = agents.map(|agent| agent.parse()).collect();
        agents.map_err(|error| usage(format!("--preset: {error}")))
    }

    /// Returns the hulls with their corners.
    pub fn resolve(&self) -> Result<Vec<HullSpec>, CommandError> {
        let preset = self.preset.map_or(&[][..], Preset::hulls).iter();
        let preset: Result<Vec<HullOption>, _> = preset.map(|hull| hull.parse()).collect();
        let mut hulls = preset.map_err(|error| usage(format!("--preset: {error}")))?;
        hulls.extend_from_slice(&self.hulls);
        if hulls.is_empty() {
            let message = "no hull: add --hull NAME:RxH, such as --hull stand:16x56, or --preset GAME, \
                           or write either into onion.toml, for all maps of a project";
            return Err(usage(message));
        }
        hull::resolve(&hulls, self.origin)
            .map_err(|HullSpecError { hull, error }| usage(format!("--hull {hull}: {error}")))
    }
}
