//! The options of `onionc compile` on the command line. Arguments in; the options of the library, and the command's
//! settings for outputs and reports, out.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use onion_compiler::cost::Limits;
use onion_compiler::fill::seeds::Fill;
use onion_compiler::group::grouping::Grouping;
use onion_compiler::hull::{AgentSpec, SealWidth, check_agents};
use onion_compiler::stage::Observer;
use onion_compiler::{CompileOptions, DEFAULT_PATCH_ERROR};
use onion_maps::{Map, Warning};
use onion_views::dump::DumpStage;
use onion_views::export::ExportFormat;
use onionc::error::{CommandError, usage};

use crate::commands::compiling::memory::MaxMemory;
use crate::commands::input::hulls::Hulls;
use crate::commands::input::reading::Reading;
use crate::commands::output::files;
use crate::commands::output::kinds::Kind;
use crate::commands::output::outputs::Output;
use crate::commands::{heading, whole};

/// Limit on the number of threads: beyond any machine's processors, below what would exhaust it.
const MAX_THREADS: usize = 1024;

/// The engines for which `--plan` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Engine {
    Ninja,
    Slurm,
    Json,
}

/// Options of a compile.
#[derive(Clone, clap::Args)]
#[command(
    after_help = "Examples: onionc map.bsp --hull stand:16x56 --hull crouch:16x32\n          \
                        onionc maps/ -o build/ --report report.json"
)]
pub struct Args {
    /// The maps: BSP files of Quake III, Quake II, Quake, Half-Life or their kin, the text of a map editor
    /// (.map), glTF scenes (.gltf, .glb), or - for standard input. A folder or a pattern such as maps/*.bsp stands
    /// for all maps in it. ARCHIVE:MAP is a map in a .pk3, .zip or .pak file.
    #[arg(value_name = "MAP", required = true)]
    pub(in crate::commands) maps: Vec<PathBuf>,
    /// Where to write; - is standard output. For several maps, the folder to write into. [default: MAP.onion beside
    /// the map]
    #[arg(short, long, value_name = "FILE")]
    pub(in crate::commands) output: Option<PathBuf>,
    /// Compile every map in an archive.
    #[arg(long)]
    pub(in crate::commands) all: bool,
    /// Compile even what is up to date: by default, a compiled map that was made from the same bytes of the map by
    /// the same options and version of onionc is left as it is.
    #[arg(long)]
    force: bool,
    /// Compile, and compile again whenever a map, a file that it refers to or the project file changes.
    #[arg(long, conflicts_with = "print_config")]
    pub(in crate::commands) watch: bool,
    /// The project file, whose options apply unless the command line says otherwise. [default: the nearest
    /// onion.toml, in the folder of the first map or above it]
    #[arg(long, value_name = "FILE", help_heading = heading::PROJECT)]
    pub(in crate::commands) config: Option<PathBuf>,
    /// Read no project file.
    #[arg(long, conflicts_with = "config", help_heading = heading::PROJECT)]
    no_config: bool,
    /// Print the hulls and options of this compile as a project file, and compile nothing.
    #[arg(long, help_heading = heading::PROJECT)]
    pub(in crate::commands) print_config: bool,
    /// Also write the outcome of each map as JSON: its target, the report of its compile, and errors.
    #[arg(long, value_name = "FILE", conflicts_with = "print_config", help_heading = heading::PROJECT)]
    pub(in crate::commands) report: Option<PathBuf>,
    /// Also write what each compiled map was made from, as a rule for make and ninja.
    #[arg(long, value_name = "FILE", help_heading = heading::PROJECT)]
    pub(in crate::commands) depfile: Option<PathBuf>,
    /// Compile nothing, and print what would run, a command for each map, for a build engine: rules for ninja, a job
    /// array for Slurm, or JSON with inputs, output and command.
    #[arg(long, value_name = "ENGINE", value_enum, conflicts_with_all = ["print_config", "watch", "report", "depfile", "json", "dump"],
          help_heading = heading::PROJECT)]
    pub(in crate::commands) plan: Option<Engine>,
    #[command(flatten)]
    hulls: Hulls,
    /// The hulls that are the stances of one agent, as often as needed: where one gets, the others get that fit
    /// there. Abilities may follow, such as :jump=56, for --floors. [default: hulls of equal width and depth that the
    /// same contents block]
    ///
    /// Abilities, with their defaults: speed=320 units per second, step=18 (how high a step it walks up), jump=45 (how
    /// high it jumps), drop=256 (how deep it may fall), gravity=800 units per second squared, slope=0.7 (the least
    /// vertical component of the unit normal of ground; 1 is level), swim=160 and climb=160 (how fast it swims and
    /// climbs ladders; 0 if it does not), and avoid=lava+slime (contents that its feet keep out of).
    #[arg(long, value_name = "NAME:HULL,HULL", help_heading = heading::HULLS)]
    agent: Vec<AgentSpec>,
    /// Which hulls share a tree: kinds (all boxes, and all points), one (all of them), each (none), auto (the
    /// fewest nodes), or groups by name, such as stand+crouch,point.
    ///
    /// Dissimilar hulls make smaller files in trees of their own, but a leaf then
    /// answers for the hulls of its group alone. At most 8 hulls share a tree: a
    /// larger group is divided, in order of hull number.
    #[arg(long, value_name = "GROUPS", default_value = "kinds", help_heading = heading::HULLS)]
    group: Grouping,
    /// Report how many nodes another grouping would make: auto beside one, and one beside any other. It
    /// takes about as long as the compile itself.
    #[arg(long, help_heading = heading::HULLS)]
    pub(in crate::commands) compare_groups: bool,
    #[command(flatten)]
    pub(in crate::commands) reading: Reading,
    /// Leave the void around the map and sealed pockets empty. By default, whatever no agent can reach
    /// becomes solid.
    #[arg(long, help_heading = heading::FILLING)]
    pub(in crate::commands) no_fill: bool,
    /// A class of entities that agents start from, as often as needed; a * at its end stands for any
    /// ending. [default: player starts, teleport destinations, items, weapons, flags, monsters]
    #[arg(long, value_name = "CLASSNAME", conflicts_with = "no_fill", help_heading = heading::FILLING)]
    fill_from: Vec<String>,
    /// How wide an opening must be, in units, to let through a hull without extent that would otherwise get out of
    /// the map: what lies behind narrower cracks becomes solid. A hull that stays in the map passes through every
    /// crack, and with 0 all do.
    #[arg(long, value_name = "WIDTH", allow_negative_numbers = true, default_value_t, conflicts_with = "no_fill",
          help_heading = heading::FILLING)]
    seal: SealWidth,
    /// How far the flat pieces of a curved patch may lie from its surface, in units.
    #[arg(long, value_name = "UNITS", default_value_t = DEFAULT_PATCH_ERROR, value_parser = positive,
          allow_negative_numbers = true, help_heading = heading::CONTENTS)]
    patch_error: f32,
    /// Leave out where walks begin in each block of the map: files are smaller, and traces take longer.
    #[arg(long, help_heading = heading::CONTENTS)]
    no_fast: bool,
    /// Leave out the map's entities: their keys and values, for games that read them elsewhere.
    #[arg(long, help_heading = heading::CONTENTS)]
    no_entities: bool,
    /// Leave out hit data: which brush, side and surface a trace hit.
    #[arg(long, help_heading = heading::CONTENTS)]
    no_surfaces: bool,
    /// Include the brushes, for traces of any shape and for models that turn.
    #[arg(long, help_heading = heading::CONTENTS)]
    brushes: bool,
    /// Include the floors of all hulls but points: where they stand, as convex polygons. Also include the links between
    /// them, for paths: where agents of each class walk, crouch, drop, jump, swim or climb, or are carried.
    #[arg(long, help_heading = heading::CONTENTS)]
    floors: bool,
    /// Fail if the trees have more nodes than this; the error names the most costly brushes.
    #[arg(long, value_name = "N", value_parser = whole(0, usize::MAX), allow_negative_numbers = true,
          help_heading = heading::LIMITS)]
    pub(in crate::commands) max_nodes: Option<usize>,
    /// Fail if the file has more bytes than this; the error names the most costly brushes.
    #[arg(long, value_name = "N", value_parser = whole(0, usize::MAX), allow_negative_numbers = true,
          help_heading = heading::LIMITS)]
    pub(in crate::commands) max_bytes: Option<usize>,
    /// Fail if the command takes more memory than this, in bytes or with K, M or G. On Linux only.
    #[arg(long, value_name = "SIZE", default_value_t, help_heading = heading::LIMITS)]
    pub(in crate::commands) max_memory: MaxMemory,
    /// Prove the file as `onionc verify` does before writing it.
    #[arg(long, help_heading = heading::LIMITS)]
    pub(in crate::commands) verify: bool,
    /// Number of threads; the result is the same for any number. [default: one for each processor]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(1, MAX_THREADS))]
    pub(in crate::commands) threads: Option<usize>,
    /// Also report all counts, costs and times.
    #[arg(short, long, conflicts_with = "quiet")]
    pub(in crate::commands) verbose: bool,
    /// Print warnings and errors only.
    #[arg(short, long)]
    pub(in crate::commands) quiet: bool,
    /// Print the report as JSON instead of text; --json=FILE writes it there and prints the text too. For a folder, a
    /// pattern or several maps, the JSON is that of --report.
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true,
          default_missing_value = "-")]
    pub(in crate::commands) json: Option<PathBuf>,
    /// Instead of compiling, write the result of a stage for a map editor or a viewer: brush or expand as
    /// MAP.STAGE.map; union, fill or tree as MAP.STAGE.obj.
    #[arg(long, value_name = "STAGE", conflicts_with_all = ["json", "verify"])]
    pub(in crate::commands) dump: Option<DumpStage>,
}

impl Args {
    /// Whether a target may be left as it is: no option asks for more than that.
    pub(in crate::commands) fn may_be_fresh(&self, output: &Path) -> bool {
        let wants_more = self.dump.is_some() || self.json.is_some() || self.verify || self.verbose;
        !self.force && !wants_more && !self.compare_groups && !files::is_stdio(output)
    }

    /// Whether the outcomes are printed as text.
    pub(in crate::commands) fn prints_text(&self) -> bool {
        let mut reports = self.json.iter().chain(&self.report);
        !self.quiet && !reports.any(|path| files::is_stdio(path))
    }

    pub(in crate::commands) fn options(&self) -> Result<CompileOptions, CommandError> {
        let hulls = self.hulls.resolve()?;
        let agents = match &self.agent[..] {
            [] => self.hulls.agents()?,
            named => named.to_vec(),
        };
        check_agents(&agents, &hulls).map_err(|error| usage(format!("--agent {error}")))?;
        let grouping = self.group.check(&hulls);
        grouping.map_err(|error| usage(format!("--group: {error}")))?;
        let fill = match (self.no_fill, self.fill_from.is_empty()) {
            (true, _) => Fill::Off,
            (false, true) => Fill::default(),
            (false, false) => Fill::From(self.fill_from.clone()),
        };
        Ok(CompileOptions {
            hulls,
            agents,
            patch_error: self.patch_error,
            grouping: self.group.clone(),
            compare_groups: self.compare_groups,
            fill,
            seal: self.seal,
            limits: Limits {
                max_nodes: self.max_nodes,
                max_bytes: self.max_bytes,
            },
            fast: !self.no_fast,
            entities: !self.no_entities,
            surfaces: !self.no_surfaces,
            brushes: self.brushes,
            floors: self.floors,
            observer: Observer::default(),
        })
    }

    /// Returns the arguments that limit and check a compile, as far as they are given.
    pub(in crate::commands) fn limits(&self) -> Vec<String> {
        let numbers = [
            ("--max-nodes", self.max_nodes),
            ("--max-bytes", self.max_bytes),
            ("--threads", self.threads),
        ];
        let given = numbers.into_iter();
        let given = given.filter_map(|(name, number)| Some(format!("{name}={}", number?)));
        given
            .chain([format!("--max-memory={}", self.max_memory)])
            .chain(self.verify.then(|| "--verify".to_owned()))
            .collect()
    }

    /// Returns warnings about classes of `--fill-from` that no entity of a map has: they may be misspelled.
    pub(in crate::commands) fn classes_of_no_entity(&self, map: &Map) -> Vec<Warning> {
        let is_absent = |class: &&String| {
            let fill = Fill::From(vec![class.to_string()]);
            !map.points.iter().any(|point| fill.names(&point.class))
        };
        let message = "no entity of this class has an origin; check the spelling";
        let absent = self.fill_from.iter().filter(is_absent);
        let warnings = absent.map(|class| Warning::new(format!("--fill-from {class}"), message));
        warnings.collect()
    }

    /// Returns the output for the compiled map, or for the dump in its place.
    pub(in crate::commands) fn output<'a>(&self, path: &'a Path) -> Output<'a> {
        let of_dump = |stage: DumpStage| {
            if stage.extension().ends_with("map") {
                Kind::Export(ExportFormat::Map)
            } else {
                Kind::Export(ExportFormat::Obj)
            }
        };
        Output::new("-o", path, self.dump.map_or(Kind::Compiled, of_dump))
    }

    /// Returns the output for the report of `--json`.
    pub(in crate::commands) fn json_output<'a>(&self, path: &'a Path) -> Output<'a> {
        let is_several = self.is_several();
        let of_one = if is_several { "schema" } else { "format" };
        Output::new("--json", path, Kind::Json(of_one))
    }
}

/// Reads a number of units that must be above 0.
fn positive(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(number) if number > 0.0 && number.is_finite() => Ok(number),
        _ => Err("expected a number of units above 0".to_owned()),
    }
}
