//! One map of a compile: reads it, compiles it unless its target is up to date, writes the results in one step, and
//! returns the outcome. Prints nothing.

use std::path::{Path, PathBuf};

use onion_compiler::report::Report;
use onion_compiler::verify::verify;
use onion_compiler::{CompileOptions, compile};
use onion_maps::{Inputs, Map, ReadOptions, Warning};
use onion_views::dump::dump;
use onionc::error::{CommandError, bad_input, usage};

use crate::commands::compiling::compile_options::Args;
use crate::commands::compiling::fresh::is_fresh;
use crate::commands::compiling::leak_file::LeakFile;
use crate::commands::compiling::targets::Target;
use crate::commands::compiling::{depfile, run_report, summary};
use crate::commands::input::sources::{self, MapPath};
use crate::commands::output::files;
use crate::commands::output::outputs::Output;

/// The result of making a target.
pub struct Done {
    pub outcome: Outcome,
    /// The files that the target is made from, for rules of build tools.
    pub inputs: Vec<PathBuf>,
    /// Options that have no effect on the map.
    pub idle: Vec<Warning>,
}

/// The result of making a target.
pub enum Outcome {
    /// The target is what a compile would write.
    Fresh,
    /// The result of a stage was written.
    Dumped,
    /// The compiled map was written: the report, and advice for the next step.
    Compiled(Box<Report>, Option<String>),
}

impl Outcome {
    /// Returns its name in reports.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Fresh => "up_to_date",
            Self::Dumped => "dumped",
            Self::Compiled(..) => "compiled",
        }
    }
}

/// Makes one target: reads the map, and compiles it unless the output is already what that would write.
pub fn run(args: &Args, options: &CompileOptions, target: &Target) -> Result<Done, CommandError> {
    let Target { map: path, output } = target;
    let bytes = sources::read(path)?;
    let reading = args.reading.options_for(path);
    let wrong = |error: onion_maps::error::MapError| bad_input(path, error.to_string());
    let Inputs { digest, files } = onion_maps::inputs(&bytes, &reading).map_err(wrong)?;
    files::note_inputs(&files);
    let done = |outcome, idle| Done {
        outcome,
        inputs: inputs(path, &reading, files),
        idle,
    };
    let wanted = args.output(output);
    if args.may_be_fresh(output) && is_fresh(&wanted, digest, options, &reading) {
        return Ok(done(Outcome::Fresh, Vec::new()));
    }
    let mut map = onion_maps::parse(&bytes, &reading).map_err(wrong)?;
    let is_of_option = |warning: &mut Warning| warning.place.starts_with("--");
    let mut idle: Vec<Warning> = map.warnings.extract_if(.., is_of_option).collect();
    idle.extend(args.classes_of_no_entity(&map));
    check_outputs(args, &wanted)?;
    let outcome = match args.dump {
        Some(stage) => {
            let text = dump(&map, options, stage);
            let text = text.map_err(|error| CommandError::Compile(path.to_path_buf(), error))?;
            wanted.write(text.as_bytes())?;
            Outcome::Dumped
        }
        None => compile_map(args, options, target, &map)?,
    };
    Ok(done(outcome, idle))
}

/// Compiles a map that was read, verifies the result if asked to, and only then writes it with all that belongs to it.
fn compile_map(
    args: &Args,
    options: &CompileOptions,
    Target { map: path, output }: &Target,
    map: &Map,
) -> Result<Outcome, CommandError> {
    let compiled =
        compile(map, options).map_err(|error| CommandError::Compile(path.to_path_buf(), error))?;
    let (mut report, leak) = (compiled.report, compiled.leak.as_ref());
    if args.verify {
        let verified = verify(&compiled.bytes, map);
        verified.map_err(|error| CommandError::Unverified(path.clone(), error))?;
    }
    args.output(output).write(&compiled.bytes)?;
    let mut next = None;
    if !args.no_fill {
        let leak_file = LeakFile::update(output, leak)?;
        if let (Some(file), Some(leak)) = (&leak_file, leak) {
            let hull = &report.hulls[leak.hull.index()].name;
            report.warnings.push(file.warning(hull));
        }
        next = summary::advice(&report, &options.fill, leak_file.as_ref(), leak);
    }
    Ok(Outcome::Compiled(Box::new(report), next))
}

/// Returns all files that a map is made from, as far as it can be read.
pub fn files_of(args: &Args, path: &Path) -> Vec<PathBuf> {
    let reading = args.reading.options_for(path);
    let beside = sources::read(path).ok();
    let beside = beside.and_then(|bytes| Some(onion_maps::inputs(&bytes, &reading).ok()?.files));
    inputs(path, &reading, beside.unwrap_or_default())
}

/// Returns all files that a map is made from.
fn inputs(map: &Path, reading: &ReadOptions, beside: Vec<PathBuf>) -> Vec<PathBuf> {
    let mut inputs = vec![MapPath::new(map).file];
    inputs.extend(beside);
    let game = reading.game.as_ref();
    let table = game.filter(|game| game.table.is_some());
    inputs.extend(table.map(|game| PathBuf::from(&*game.name)));
    inputs
}

/// Rejects outputs that must not be written, before the work for them, and outputs that would replace each other.
fn check_outputs(args: &Args, target: &Output) -> Result<(), CommandError> {
    target.check()?;
    let report = args.report.as_deref();
    let report = report.map(|path| run_report::output("--report", path));
    let json = args.json.as_deref().map(|path| args.json_output(path));
    let depfile = args.depfile.as_deref().map(depfile::output);
    let mut outputs = vec![(target.option, target.path)];
    for output in [report, json, depfile].into_iter().flatten() {
        let (option, path) = (output.option, output.path);
        if let Some((other, _)) = outputs.iter().find(|(_, other)| *other == path) {
            let message = format!("what {other} is for is written there; name another file");
            return Err(usage(format!("{option}={}: {message}", path.display())));
        }
        output.check()?;
        outputs.push((option, path));
    }
    Ok(())
}
