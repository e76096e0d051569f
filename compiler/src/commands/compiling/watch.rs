//! `--watch`: compiles, then compiles again whenever a file that the maps are made from changes, or a map is added to
//! a folder. Each time, it starts the command again, so that the project file is read again, too; targets that are up
//! to date stay.

use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, SystemTime};
use std::{fs, thread};

use onionc::error::{CommandError, usage};

use crate::commands::compiling::compile_options::Args;
use crate::commands::compiling::job;
use crate::commands::output::{files, message};

/// Interval at which files are checked.
const PAUSE: Duration = Duration::from_millis(200);

/// The last observed state of a file: its time and length, or `None` if it did not exist.
type Seen = (PathBuf, Option<(SystemTime, u64)>);

/// Compiles again and again: after each compile it waits until a file changes that the targets depend on, and then
/// until no more changes follow.
pub fn run(args: &Args) -> Result<(), CommandError> {
    let is_stream = |map: &PathBuf| files::is_stdio(map) || files::is_pipe_at(map);
    if args.maps.iter().any(is_stream) {
        return Err(usage(
            "--watch: standard input and pipes do not change; name a file",
        ));
    }
    loop {
        let seen = look(args);
        compile()?;
        if !args.quiet {
            message::note("watching; Ctrl-C ends it");
        }
        while look(args) == seen {
            thread::sleep(PAUSE);
        }
        // Programs write files in several steps.
        loop {
            let before = look(args);
            thread::sleep(PAUSE);
            if look(args) == before {
                break;
            }
        }
    }
}

/// Runs this command once, with the same arguments. It prints its errors, which do not end the watch.
fn compile() -> Result<(), CommandError> {
    let arguments = std::env::args_os().skip(1);
    let arguments = arguments.filter(|argument| argument != "--watch");
    let program = std::env::current_exe();
    let run = program.and_then(|program| Command::new(program).args(arguments).status());
    run.map(|_| ())
        .map_err(|error| usage(format!("--watch: cannot run onionc: {error}")))
}

/// Returns the state of all files that the targets depend on.
fn look(args: &Args) -> Vec<Seen> {
    // The compile reports any faults of the targets.
    let targets = args.targets().unwrap_or_default();
    let maps = targets
        .iter()
        .flat_map(|target| job::files_of(args, &target.map));
    let paths = maps.chain(args.config.clone());
    let seen = paths.map(|path| {
        let metadata = fs::metadata(&path).ok();
        let state = metadata.and_then(|data| Some((data.modified().ok()?, data.len())));
        (path, state)
    });
    seen.collect()
}
