//! `onionc compile`, or `onionc MAP` for short: reads a map, compiles it, writes the compiled map in one
//! step, and reports what was done and what to do next.

use std::collections::HashSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::builder::{PathBufValueParser, TypedValueParser};
use onionc::cost::Limits;
use onionc::dump::{DumpStage, dump};
use onionc::error::{CommandError, CompileError};
use onionc::grouping::Grouping;
use onionc::hull::{self, HullOption, Origin, SealWidth};
use onionc::map::{Map, Warning};
use onionc::report::Report;
use onionc::seeds::Fill;
use onionc::verify::verify;
use onionc::{CompileOptions, Compiled, DEFAULT_PATCH_ERROR, compile};

use super::leak_file::LeakFile;
use super::reading::{Reading, parse_map};
use super::sources::{self, MapPath};
use super::{files, summary};

/// Most threads that may be asked for: beyond any machine's processors, below what would exhaust it.
const MAX_THREADS: i64 = 1024;

/// Maps of a folder that the error about it names.
const N_MAPS_NAMED: usize = 3;

/// What the names of maps end in.
const MAP_EXTENSIONS: [&str; 4] = ["bsp", "map", "glb", "gltf"];

/// Options of a compile.
#[derive(Clone, clap::Args)]
pub struct Args {
    /// The map: a BSP file of Quake III, Quake II, Quake, Half-Life or their kin, the text of a map editor
    /// (.map), a glTF scene (.gltf, .glb), or - for standard input. ARCHIVE:MAP is a map in a .pk3, .zip or .pak
    /// file.
    #[arg(value_parser = PathBufValueParser::new().try_map(not_a_folder))]
    map: PathBuf,
    /// Where to write; - is standard output. [default: MAP.onion beside the map]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Compile every map in the archive; -o then names a folder. [default: that of the archive]
    #[arg(long, conflicts_with = "json")]
    all: bool,
    /// A hull, as often as needed: NAME:RxH (half-width R, height H), NAME:point, or
    /// NAME:mins=X,Y,Z:maxs=X,Y,Z.
    ///
    /// The origin of RxH is 24 units above its feet, or its center if it is no taller than that;
    /// RxH@feet, RxH@center and RxH@N (N units above the feet) say otherwise. Add
    /// :contents=solid+playerclip to name what blocks the hull; that is the default for boxes, solid
    /// alone for points.
    #[arg(
        long = "hull",
        value_name = "NAME:RxH",
        required = true,
        help_heading = "Hulls"
    )]
    hulls: Vec<HullOption>,
    /// Where hulls given as RxH have their origin: feet, center, or N units above the feet.
    #[arg(
        long,
        value_name = "ORIGIN",
        allow_hyphen_values = true,
        help_heading = "Hulls"
    )]
    origin: Option<Origin>,
    /// Which hulls share a tree: one (all of them), each (none), auto (the fewest nodes), or groups by name,
    /// such as stand+crouch,point.
    ///
    /// Dissimilar hulls make smaller files in trees of their own, but a leaf then
    /// answers for the hulls of its group alone.
    #[arg(
        long,
        value_name = "GROUPS",
        default_value = "one",
        help_heading = "Hulls"
    )]
    group: Grouping,
    /// Report how many nodes another grouping would make: auto beside one, and one beside any other. It
    /// takes about as long as the compile itself.
    #[arg(long, help_heading = "Hulls")]
    compare_groups: bool,
    #[command(flatten)]
    reading: Reading,
    /// Leave the void around the map and sealed pockets empty. By default, whatever no agent can reach
    /// becomes solid.
    #[arg(long, help_heading = "Filling")]
    no_fill: bool,
    /// A class of entities that agents start from, as often as needed; a * at its end stands for any
    /// ending. [default: player starts, teleport destinations, items, weapons, flags, monsters]
    #[arg(
        long,
        value_name = "CLASSNAME",
        conflicts_with = "no_fill",
        help_heading = "Filling"
    )]
    fill_from: Vec<String>,
    /// How wide an opening has to be for a hull without extent to count in the filling, in units: what is behind
    /// narrower cracks becomes solid. 0 counts every opening.
    #[arg(
        long,
        value_name = "WIDTH",
        default_value_t,
        conflicts_with = "no_fill",
        help_heading = "Filling"
    )]
    seal: SealWidth,
    /// How far the flat pieces of a curved patch may lie from its surface, in units.
    #[arg(long, value_name = "UNITS", default_value_t = DEFAULT_PATCH_ERROR, value_parser = positive,
          help_heading = "Contents of the file")]
    patch_error: f32,
    /// Leave out the fast form of the trees: files are smaller, and traces take longer.
    #[arg(long, help_heading = "Contents of the file")]
    no_fast: bool,
    /// Leave out the map's entities: their keys and values, for games that read them elsewhere.
    #[arg(long, help_heading = "Contents of the file")]
    no_entities: bool,
    /// Leave out hit data: which brush, side and surface a trace hit.
    #[arg(long, help_heading = "Contents of the file")]
    no_surfaces: bool,
    /// Include the brushes, for traces of any shape and for models that turn.
    #[arg(long, help_heading = "Contents of the file")]
    brushes: bool,
    /// Fail if the trees have more nodes than this; the error names the most costly brushes.
    #[arg(long, value_name = "N", help_heading = "Limits and checks")]
    max_nodes: Option<usize>,
    /// Fail if the file has more bytes than this; the error names the most costly brushes.
    #[arg(long, value_name = "N", help_heading = "Limits and checks")]
    max_bytes: Option<usize>,
    /// Prove the file as `onionc verify` does before writing it.
    #[arg(long, help_heading = "Limits and checks")]
    verify: bool,
    /// Number of threads; the result is the same for any number. [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS))]
    threads: Option<u16>,
    /// Report all counts, costs and times too.
    #[arg(short, long, conflicts_with = "quiet")]
    verbose: bool,
    /// Print warnings and errors only.
    #[arg(short, long)]
    quiet: bool,
    /// Print the report as JSON instead of text; --json=FILE writes it there and prints the text too.
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true,
          default_missing_value = "-")]
    json: Option<PathBuf>,
    /// Instead of compiling, write what a stage made for a map editor or a viewer: brush or expand as
    /// MAP.STAGE.map; union, fill or tree as MAP.STAGE.obj.
    #[arg(long, value_name = "STAGE", conflicts_with_all = ["json", "verify"])]
    dump: Option<DumpStage>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), CommandError> {
    if !args.all {
        return compile_one(args);
    }
    // A map that fails does not keep the others from being compiled.
    let mut failed = None;
    for one in args.each_of_archive()? {
        if let Err(error) = compile_one(&one)
            && let Some(earlier) = failed.replace(error)
        {
            eprintln!("onionc: error: {earlier}");
        }
    }
    failed.map_or(Ok(()), Err)
}

fn compile_one(args: &Args) -> Result<(), CommandError> {
    let options = args.options()?;
    let output = args.output_path();
    let map = parse_map(&args.map, args.reading.options())?;
    args.check_targets(&output)?;
    if let Some(stage) = args.dump {
        let text = pool(args.threads)?.install(|| dump(&map, &options, stage));
        return args.write_dump(&output, text);
    }
    let compiled = pool(args.threads)?.install(|| compile(&map, &options));
    let Compiled {
        bytes,
        mut report,
        leak,
    } = compiled.map_err(|source| CommandError::Compile {
        path: args.map.clone(),
        source,
    })?;
    if args.verify {
        verify(&bytes, &map).map_err(|source| CommandError::Unverified {
            path: args.map.clone(),
            source,
        })?;
    }
    files::write(&output, &bytes)?;
    report.warnings.extend(args.classes_of_no_entity(&map));
    let mut next = None;
    if !args.no_fill {
        let leak_file = LeakFile::update(&output, leak.as_ref())?;
        if let (Some(file), Some(leak)) = (&leak_file, &leak) {
            let hull = &report.hulls[leak.hull.index()].name;
            report.warnings.push(file.warning(hull));
        }
        next = summary::advice(&report, &options.fill, leak_file.as_ref(), leak.as_ref());
    }
    summary::print_warnings(&report.warnings);
    if next.is_none() && !args.verify {
        next = Some(summary::verify_command(&output, &args.map));
    }
    args.print_report(&report, &output, next.as_deref())
}

impl Args {
    /// The arguments for each map of an archive.
    fn each_of_archive(&self) -> Result<Vec<Self>, CommandError> {
        if let Some(folder) = self.output.as_ref().filter(|folder| !folder.is_dir()) {
            let folder = folder.display();
            let message = format!("-o {folder}: --all writes into a folder, which this is not");
            return Err(CommandError::Usage(message));
        }
        let mut outputs = HashSet::new();
        sources::all(&self.map)?
            .into_iter()
            .map(|map| {
                let one = Self {
                    map,
                    output: None,
                    ..self.clone()
                };
                let mut output = one.output_path();
                if let (Some(folder), Some(name)) = (&self.output, output.file_name()) {
                    output = folder.join(name);
                }
                if !outputs.insert(output.clone()) {
                    let message = format!("--all: two maps would become {}", output.display());
                    return Err(CommandError::Usage(message + "; compile them one by one"));
                }
                Ok(Self {
                    output: Some(output),
                    ..one
                })
            })
            .collect()
    }

    fn options(&self) -> Result<CompileOptions, CommandError> {
        let hulls = hull::resolve(&self.hulls, self.origin)
            .map_err(|(name, error)| CommandError::Usage(format!("--hull {name}: {error}")))?;
        self.group
            .check(&hulls)
            .map_err(|error| CommandError::Usage(format!("--group: {error}")))?;
        let fill = match (self.no_fill, self.fill_from.is_empty()) {
            (true, _) => Fill::Off,
            (false, true) => Fill::default(),
            (false, false) => Fill::From(self.fill_from.clone()),
        };
        Ok(CompileOptions {
            hulls,
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
        })
    }

    /// Warnings about classes of `--fill-from` that no entity has: they may be misspelled.
    fn classes_of_no_entity<'a>(&'a self, map: &'a Map) -> impl Iterator<Item = Warning> + 'a {
        let is_absent = |class: &&String| {
            let fill = Fill::From(vec![class.to_string()]);
            !map.points.iter().any(|point| fill.names(&point.class))
        };
        let warn = |class| {
            let message = "no entity of this class has an origin; check the spelling";
            Warning::new(format!("--fill-from {class}"), message)
        };
        self.fill_from.iter().filter(is_absent).map(warn)
    }

    /// Where the compiled map goes. One that comes from standard input goes to standard output.
    fn output_path(&self) -> PathBuf {
        match &self.output {
            Some(path) => path.clone(),
            None if files::is_stdio(&self.map) => self.map.clone(),
            None => {
                let extension = self.dump.map_or("onion", DumpStage::extension);
                MapPath::new(&self.map).beside(extension)
            }
        }
    }

    fn check_targets(&self, output: &Path) -> Result<(), CommandError> {
        let map = MapPath::new(&self.map).file;
        files::check_target(&map, output)?;
        let Some(json) = &self.json else {
            return Ok(());
        };
        if json == output {
            return Err(CommandError::Usage(format!(
                "--json={}: the compiled map is written there; name another file",
                json.display()
            )));
        }
        files::check_target(&map, json)
    }

    fn write_dump(
        &self,
        output: &Path,
        text: Result<String, CompileError>,
    ) -> Result<(), CommandError> {
        let text = text.map_err(|source| CommandError::Compile {
            path: self.map.clone(),
            source,
        })?;
        files::write(output, text.as_bytes())?;
        if self.quiet || files::is_stdio(output) {
            return Ok(());
        }
        files::print(|out| writeln!(out, "wrote {}", output.display()))
    }

    /// Prints the report, to standard error where the compiled map went to standard output.
    fn print_report(
        &self,
        report: &Report,
        output: &Path,
        next: Option<&str>,
    ) -> Result<(), CommandError> {
        if let Some(json) = &self.json {
            files::write_json(json, report)?;
            if files::is_stdio(json) {
                return Ok(());
            }
        }
        if self.quiet {
            return Ok(());
        }
        let write = |out: &mut dyn Write| -> io::Result<()> {
            summary::write_brief(out, report, output)?;
            if self.verbose {
                summary::write_details(out, report)?;
            }
            if let Some(next) = next.filter(|_| !files::is_stdio(output)) {
                writeln!(out, "next: {next}")?;
            }
            Ok(())
        };
        if files::is_stdio(output) {
            write(&mut io::stderr().lock()).map_err(|error| files::write_error(output, error))
        } else {
            files::print(write)
        }
    }
}

fn positive(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(number) if number > 0.0 && number.is_finite() => Ok(number),
        _ => Err("expected a number of units above 0".to_owned()),
    }
}

/// Refuses folders, and names some maps in them.
fn not_a_folder(path: PathBuf) -> Result<PathBuf, String> {
    let Ok(entries) = fs::read_dir(&path) else {
        return Ok(path);
    };
    let paths = entries.flatten().map(|entry| entry.path());
    let is_map = |path: &PathBuf| {
        let extension = path.extension().unwrap_or_default();
        MAP_EXTENSIONS
            .iter()
            .any(|own| extension.eq_ignore_ascii_case(own))
    };
    let mut maps: Vec<PathBuf> = paths.filter(is_map).collect();
    maps.sort();
    let named: Vec<String> = maps
        .iter()
        .take(N_MAPS_NAMED)
        .map(|path| path.display().to_string())
        .collect();
    Err(match maps.len() {
        0 => format!(
            "it is a folder, and holds no map (*.{})",
            MAP_EXTENSIONS.join(", *.")
        ),
        _ => format!(
            "it is a folder; name a map in it, such as {}",
            named.join(", ")
        ),
    })
}

fn pool(threads: Option<u16>) -> Result<rayon::ThreadPool, CommandError> {
    // Zero lets rayon choose: one for each processor.
    let threads = usize::from(threads.unwrap_or(0));
    let builder = rayon::ThreadPoolBuilder::new().num_threads(threads);
    builder
        .build()
        .map_err(|error| CommandError::Usage(format!("--threads {threads}: {error}")))
}
