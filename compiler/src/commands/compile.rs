//! `onionc MAP --hull …`: reads a map, compiles it, writes the file in one step, reports.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::leak_file;
use onionc::cost::Limits;
use onionc::error::CommandError;
use onionc::group::Grouping;
use onionc::hull::{self, HullOption, Origin};
use onionc::report::Report;
use onionc::seeds::Fill;
use onionc::verify::verify;
use onionc::{CompileOptions, DEFAULT_PATCH_ERROR, compile, map};

/// Most threads that may be asked for: beyond any machine's processors, below what would exhaust it.
const MOST_THREADS: i64 = 1024;

/// Most warnings that are printed one by one; `--json` has all of them.
const MOST_WARNINGS: usize = 50;

/// Options of a compile.
#[derive(clap::Args)]
pub struct Args {
    /// The map: a Quake III BSP file (IBSP version 46 or 47).
    map: PathBuf,
    /// A hull, once for each: NAME:RxH (half-width R, full height H, origin 24 units above the
    /// feet, or centered if no taller than that), NAME:point, or NAME:mins=X,Y,Z:maxs=X,Y,Z.
    /// RxH@feet, RxH@center and RxH@N move the origin; :contents=solid+playerclip (the default
    /// for boxes; solid for a point) names what blocks the hull.
    #[arg(long = "hull", value_name = "HULL", required = true)]
    hulls: Vec<HullOption>,
    /// Where hulls given as RxH have their origin: feet, center, or units above the feet.
    #[arg(long, value_name = "ORIGIN", allow_hyphen_values = true)]
    origin: Option<Origin>,
    /// Where to write; beside the map by default, as MAP.onion.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// How far the flat pieces that stand for a curved patch may be from its surface, in units.
    #[arg(long, value_name = "UNITS", default_value_t = DEFAULT_PATCH_ERROR, value_parser = positive)]
    patch_error: f32,
    /// Leave what no agent can reach as it is. By default it is solid, for each hull: the void
    /// around the map and sealed pockets.
    #[arg(long)]
    no_fill: bool,
    /// A class of entities that agents start from, once for each; '*' at its end stands for any
    /// ending. By default: starts, teleport destinations, items, weapons, flags and monsters.
    #[arg(long, value_name = "CLASSNAME", conflicts_with = "no_fill")]
    fill_from: Vec<String>,
    /// Fail, and write nothing, if the trees have more nodes than this; the error names the
    /// brushes that cost most.
    #[arg(long, value_name = "N")]
    max_nodes: Option<usize>,
    /// Fail, and write nothing, if the file is larger than this many bytes.
    #[arg(long, value_name = "N")]
    max_bytes: Option<usize>,
    /// Number of threads; by default, one for each processor. The result is the same.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MOST_THREADS))]
    threads: Option<u16>,
    /// Which hulls share a tree: one for all of them, each its own, auto (those that are similar), or
    /// named groups such as stand+crouch,point. Several trees are smaller and faster where hulls are
    /// dissimilar, but a place is then one leaf for the hulls of a group alone.
    #[arg(long, value_name = "GROUPS", default_value = "one")]
    group: Grouping,
    /// Report how many nodes another grouping would make: the similar hulls' beside one tree for all, and
    /// one tree for all beside any other. It takes about as long again.
    #[arg(long)]
    compare_groups: bool,
    /// Leave out what tells which brush, side and surface was hit.
    #[arg(long)]
    no_surfaces: bool,
    /// Put the brushes themselves into the file, for traces of any size and shape and for movers that
    /// turn.
    #[arg(long)]
    brushes: bool,
    /// Verify the file as `onionc verify` does, from its bytes and the map, before it is written.
    #[arg(long)]
    verify: bool,
    /// Print the report as JSON.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), CommandError> {
    let hulls = hull::resolve(&args.hulls, args.origin)
        .map_err(|(name, error)| CommandError::Usage(format!("--hull {name}: {error}")))?;
    args.group
        .check(&hulls)
        .map_err(|error| CommandError::Usage(format!("--group: {error}")))?;
    let options = CompileOptions {
        hulls,
        patch_error: args.patch_error,
        grouping: args.group.clone(),
        compare_groups: args.compare_groups,
        fill: if args.no_fill {
            Fill::Off
        } else {
            super::fill_from(&args.fill_from)
        },
        limits: Limits {
            max_nodes: args.max_nodes,
            max_bytes: args.max_bytes,
        },
        surfaces: !args.no_surfaces,
        brushes: args.brushes,
    };
    let output = match &args.output {
        Some(path) => path.clone(),
        None => args.map.with_extension("onion"),
    };
    check_target(&args.map, &output)?;
    let bytes = super::read(&args.map)?;
    let parsed =
        map::parse(&bytes).map_err(|error| super::bad_input(&args.map, error.to_string()))?;
    let compiled = pool(args.threads)?.install(|| compile(&parsed, &options));
    let mut compiled = compiled.map_err(|source| CommandError::Compile {
        path: args.map.clone(),
        source,
    })?;
    if args.verify {
        verify(&compiled.bytes, &parsed).map_err(|source| CommandError::Verify {
            path: args.map.clone(),
            source,
        })?;
    }
    write_whole(&output, &compiled.bytes).map_err(|source| write_error(&output, source))?;
    if !args.no_fill {
        let warning = leak_file::update(&output, compiled.leak.as_ref())?;
        compiled.report.warnings.extend(warning);
    }
    print_warnings(&compiled.report);
    super::print(|out| {
        if args.json {
            serde_json::to_writer_pretty(&mut *out, &compiled.report)?;
            writeln!(out)
        } else {
            writeln!(out, "{}", compiled.report)?;
            writeln!(out, "wrote {}", output.display())
        }
    })
}

fn positive(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(number) if number > 0.0 && number.is_finite() => Ok(number),
        _ => Err("give a number of units above 0".to_owned()),
    }
}

fn pool(threads: Option<u16>) -> Result<rayon::ThreadPool, CommandError> {
    // Zero lets rayon choose: one for each processor.
    let threads = usize::from(threads.unwrap_or(0));
    let builder = rayon::ThreadPoolBuilder::new().num_threads(threads);
    builder
        .build()
        .map_err(|error| CommandError::Usage(format!("--threads {threads}: {error}")))
}

pub(super) fn write_error(path: &Path, source: io::Error) -> CommandError {
    CommandError::Write {
        path: path.to_owned(),
        source,
    }
}

/// Refuses targets that a compile would destroy: the map itself, folders and devices.
fn check_target(map: &Path, output: &Path) -> Result<(), CommandError> {
    let other = |message: &str| {
        let message = format!(
            "{}: {message}; name another place with -o",
            output.display()
        );
        Err(CommandError::Unwritable(message))
    };
    let Ok(metadata) = fs::metadata(output) else {
        return Ok(());
    };
    if !metadata.is_file() {
        return other("it is a folder or a device, not a file");
    }
    match (fs::canonicalize(map), fs::canonicalize(output)) {
        (Ok(map), Ok(output)) if map == output => other("it is the map itself"),
        _ => Ok(()),
    }
}

/// Writes a file beside its place and moves it there when it is whole.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As for any new file: the user's mask decides.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.prefix(".onionc-").tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

fn print_warnings(report: &Report) {
    for warning in report.warnings.iter().take(MOST_WARNINGS) {
        eprintln!("onionc: warning: {}: {}", warning.place, warning.message);
    }
    let rest = report.warnings.len().saturating_sub(MOST_WARNINGS);
    if rest > 0 {
        eprintln!("onionc: warning: and {rest} more: see --json");
    }
}
