//! The `onionc` command: finds the subcommand that the arguments name, runs it, and prints any error, with an exit
//! code for each kind of error.

use std::borrow::Cow;
use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand};
use onion_maps::wording::plain;
use onionc::error::CommandError;

use commands::output::message;

mod commands;

/// A compile allocates many small vectors.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Compiles game maps for collision detection, and queries compiled maps.
///
/// A compiled map holds one BSP tree for the boxes ("hulls") of all agents. Moving a box through the
/// map is then moving a point through the tree.
#[derive(Parser)]
#[command(
    version,
    arg_required_else_help = true,
    override_usage = "onionc MAP --hull NAME:RxH [OPTIONS]   (short for onionc compile)\n       \
                      onionc COMMAND [ARGUMENTS]",
    after_help = "Example: onionc map.bsp --hull stand:16x56 --hull crouch:16x32\n\
                  `onionc help COMMAND` lists a command's options. A file named - is standard input \
                  or output.",
    after_long_help = "Example: onionc map.bsp --hull stand:16x56 --hull crouch:16x32\n\
                  `onionc help COMMAND` lists a command's options. A file named - is standard input \
                  or output.\n\n\
                  Exit codes:\n  \
                  0  success\n  \
                  2  the command line is wrong\n  \
                  3  a file cannot be read\n  \
                  4  a file is damaged or of another kind than expected\n  \
                  5  a file cannot be written\n  \
                  6  the compile or the verification failed, or a limit was exceeded\n  \
                  7  a map breaks a condition of onionc reach"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Whether messages have colors; by default on terminals, unless NO_COLOR is set.
    #[arg(long, value_name = "WHEN", default_value = "auto", global = true)]
    color: ColorChoice,
}

#[derive(Subcommand)]
enum Command {
    /// Compile maps.
    Compile(Box<commands::compiling::compile_options::Args>),
    /// Trace a hull through a compiled map; prints CSV.
    Trace(commands::trace::Args),
    /// Test whether points are solid for each hull of a compiled map; prints CSV.
    Point(commands::point::Args),
    /// Prove every leaf of a compiled map against the brushes of its map.
    Verify(commands::verify::Args),
    /// Describe a compiled map: how it was compiled, its hulls, models and sizes.
    Info(commands::info::Args),
    /// Draw a compiled map: a slice through all hulls, or the whole map from one side.
    Render(commands::render::Args),
    /// Make a web page to walk in a compiled map.
    View(commands::view::Args),
    /// Report where hulls fit, and whether agents get to items (--require).
    Reach(commands::reach::Args),
    /// Report what differs between two compiled maps, and draw where.
    Diff(commands::diff::Args),
    /// Write skins, floors, walls or a navigation mesh for other programs.
    Export(commands::export::Args),
    /// Write the names and boxes of hulls as source code for a game.
    Constants(commands::constants::Args),
    /// Print a completion script for a shell.
    Completions(commands::shell::CompletionsArgs),
    /// Print a manual page for `man`.
    Man(commands::shell::ManArgs),
}

/// Runs the command that the arguments and the project file name. Errors are printed here, and only here.
fn main() -> ExitCode {
    commands::compiling::interrupt::listen();
    let given: Vec<OsString> = std::env::args_os().collect();
    let color = message::colors(&given);
    let arguments = command_line(given.clone())
        .and_then(|arguments| commands::input::project::complete(&built(), arguments))
        .inspect_err(|error| note_failure(&given, error));
    match arguments.and_then(|arguments| run(parse(arguments, color).command)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            message::error(&error);
            ExitCode::from(error.exit_code())
        }
    }
}

/// Returns the command with everything that clap fills in.
fn built() -> clap::Command {
    let mut cli = Cli::command();
    cli.build();
    cli
}

/// Reads the command line. Exits if it is wrong, or asks for help or the version.
fn parse(arguments: Vec<OsString>, color: ColorChoice) -> Cli {
    let cli = Cli::command().color(color);
    let matches = cli.try_get_matches_from(&arguments);
    let parsed = matches.and_then(|matches| Cli::from_arg_matches(&matches));
    parsed.map_err(explained).unwrap_or_else(|error| {
        let is_help = error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
        if error.use_stderr() && !is_help {
            refuse(&arguments, &error)
        } else {
            error.exit()
        }
    })
}

/// Reports that the command line is wrong, on the terminal and in the report of the compile, and exits.
fn refuse(arguments: &[OsString], error: &clap::Error) -> ! {
    let text = error.to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text).trim_end();
    let text = message::limited(text);
    note_failure(arguments, &CommandError::Usage(text.to_string()));
    // The same prefix as all other errors. If the write fails, the exit code still reports the error.
    let _ = write!(std::io::stderr(), "onionc: ");
    let lines: Vec<_> = text.lines().map(plain).collect();
    let is_changed = |text: &Cow<'_, str>| matches!(text, Cow::Owned(_));
    if !is_changed(&text) && !lines.iter().any(is_changed) {
        // Clap prints it with colors.
        error.exit()
    }
    let _ = writeln!(std::io::stderr(), "error: {}", lines.join("\n"));
    std::process::exit(error.exit_code())
}

/// Replaces clap's tips with ours: its tip to put an unknown argument after `--` is seldom what is meant.
fn explained(mut error: clap::Error) -> clap::Error {
    error.remove(ContextKind::Suggested);
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidArg) else {
        return error;
    };
    let is_number = word.parse::<f64>().is_ok();
    if ["-j", "--jobs"].contains(&&**word) {
        let threads = ContextValue::String("--threads".to_owned());
        error.insert(ContextKind::SuggestedArg, threads);
    } else if error.kind() == ErrorKind::UnknownArgument && is_number {
        let tip = "put a place in quotes, or join it with commas, such as 0,-16,24.5";
        let tip = ContextValue::StyledStrs(vec![tip.into()]);
        error.insert(ContextKind::Suggested, tip);
    }
    error
}

/// Writes the reason why there is no compile to the report of the compile, if one is requested.
fn note_failure(arguments: &[OsString], error: &CommandError) {
    let cli = built();
    let first = arguments.get(1);
    let subcommand = first.and_then(|first| cli.find_subcommand(first));
    if subcommand.is_none_or(|subcommand| subcommand.get_name() == "compile") {
        commands::compiling::run_report::note_failure(arguments, error);
    }
}

fn run(command: Command) -> Result<(), CommandError> {
    match command {
        Command::Compile(args) => commands::compiling::compile::run(&args),
        Command::Trace(args) => commands::trace::run(&args),
        Command::Point(args) => commands::point::run(&args),
        Command::Verify(args) => commands::verify::run(&args),
        Command::Info(args) => commands::info::run(&args),
        Command::Render(args) => commands::render::run(&args),
        Command::View(args) => commands::view::run(&args),
        Command::Reach(args) => commands::reach::run(&args),
        Command::Diff(args) => commands::diff::run(&args),
        Command::Export(args) => commands::export::run(&args),
        Command::Constants(args) => commands::constants::run(&args),
        Command::Completions(args) => commands::shell::completions(&args, Cli::command()),
        Command::Man(args) => commands::shell::man(&args, Cli::command()),
    }
}

/// Returns the arguments of the process: `onionc MAP …` becomes `onionc compile MAP …`.
// Many branches: each guesses what was meant by a first word that is not a subcommand.
fn command_line(mut arguments: Vec<OsString>) -> Result<Vec<OsString>, CommandError> {
    let Some(first) = arguments.get(1) else {
        return Ok(arguments);
    };
    let cli = built();
    let word = first.to_string_lossy();
    refuse_single_dash(&cli, &arguments[1..2])?;
    let helped = arguments.get(2).filter(|_| word == "help");
    if let Some(unknown) = helped.filter(|word| cli.find_subcommand(word).is_none()) {
        let word = unknown.to_string_lossy();
        return Err(commands::shell::unknown(&cli, "subcommand", &word));
    }
    if let Some(subcommand) = cli.find_subcommand(first) {
        refuse_single_dash(subcommand, &arguments[2..])?;
        return Ok(arguments);
    }
    if ["-h", "--help", "-V", "--version"].contains(&&*word) {
        return Ok(arguments);
    }
    let may_be_name = !word.contains(['.', '/', '\\']) && !word.starts_with('-');
    if may_be_name && !Path::new(first).exists() {
        if let Some(map) = commands::compiling::targets::map_named(Path::new(first)) {
            let message = format!("no file is named {word}; did you mean {}?", map.display());
            return Err(CommandError::Usage(message));
        }
        return Err(commands::shell::unknown(&cli, "subcommand or map", &word));
    }
    if let Some(compile) = cli.find_subcommand("compile") {
        refuse_single_dash(compile, &arguments[1..])?;
        let own = compile.get_arguments().filter_map(Arg::get_long);
        let meant = message::nearest(&word[2.min(word.len())..], own.chain(["version"]));
        if word.starts_with("--") && meant == Some("version") {
            let message = format!("unexpected argument {word}; did you mean --version?");
            return Err(CommandError::Usage(message));
        }
    }
    arguments.insert(1, "compile".into());
    Ok(arguments)
}

/// Rejects long options with a single dash. Clap parses them as clusters of short options: `-hull` would ask for
/// help, and a build step that makes nothing would succeed.
fn refuse_single_dash(command: &clap::Command, arguments: &[OsString]) -> Result<(), CommandError> {
    for argument in arguments.iter().take_while(|argument| *argument != "--") {
        let word = argument.to_string_lossy();
        let word = word.split('=').next().unwrap_or_default();
        let Some(name) = word.strip_prefix('-') else {
            continue;
        };
        let mut options = command.get_arguments();
        if options.any(|option| option.get_long() == Some(name)) {
            let message = format!("{word}: long options have two dashes; write --{name}");
            return Err(CommandError::Usage(message));
        }
    }
    Ok(())
}
