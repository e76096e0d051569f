//! `--plan`: writes what a compile would run, one command for each map, for a build engine that runs the commands on as
//! many machines as it has. In: the targets and the options of a compile. Out: rules for ninja, a job array for Slurm,
//! or JSON for anything else. Each command names all options, so it needs no project file, and its inputs and its
//! output are listed.

use std::path::Path;

use onion_compiler::CompileOptions;
use onion_compiler::options::arguments;
use onionc::error::{CommandError, usage};
use serde::Serialize;

use crate::commands::compiling::compile_options::{Args, Engine};
use crate::commands::compiling::job;
use crate::commands::compiling::targets::Target;
use crate::commands::output::files;
use crate::commands::output::kinds::Kind;
use crate::commands::output::outputs::Output;

/// The action that makes one target.
#[derive(Serialize)]
struct Action {
    /// Paths of the files that the output depends on.
    inputs: Vec<String>,
    /// Path of the compiled map.
    output: String,
    /// The command and its arguments, one text for each. They name all options, so no project file is needed.
    command: Vec<String>,
}

/// The plan as JSON.
#[derive(Serialize)]
struct Plan {
    /// One for each target; none depends on another.
    actions: Vec<Action>,
}

/// Prints the plan of a compile.
pub fn run(
    args: &Args,
    engine: Engine,
    options: &CompileOptions,
    targets: &[Target],
) -> Result<(), CommandError> {
    let actions = targets.iter().map(|target| action(args, options, target));
    let actions = actions.collect::<Result<Vec<_>, _>>()?;
    let output = Output::new("--plan", Path::new("-"), Kind::Source);
    match engine {
        Engine::Json => output.write_json(&Plan { actions }),
        Engine::Ninja => output.write((ninja(&actions).join("\n") + "\n").as_bytes()),
        Engine::Slurm => output.write((slurm(&actions).join("\n") + "\n").as_bytes()),
    }
}

/// Returns the action that makes a target: its files, and the command that compiles it alone.
fn action(args: &Args, options: &CompileOptions, target: &Target) -> Result<Action, CommandError> {
    let (map, output) = (text(&target.map)?, text(&target.output)?);
    let inputs = job::files_of(args, &target.map);
    let inputs = inputs.iter().map(|path| text(path));
    let mut command: Vec<String> = ["onionc", "compile", "--no-config", &map, "-o", &output]
        .map(str::to_owned)
        .into();
    command.extend(options.hulls.iter().map(arguments::hull_argument));
    let reading = args.reading.options_for(&target.map);
    let recorded = arguments::to_text(options, &reading);
    command.extend(recorded.lines().skip(1).map(|argument| {
        // A file holds the text of a table of textures; a command names the table's file.
        let game = reading
            .game
            .as_ref()
            .filter(|_| argument.starts_with("--game="));
        game.map_or_else(
            || argument.to_owned(),
            |game| format!("--game={}", game.name),
        )
    }));
    command.extend(args.limits());
    Ok(Action {
        inputs: inputs.collect::<Result<_, _>>()?,
        output,
        command,
    })
}

/// Returns a path as text that a plan can hold.
fn text(path: &Path) -> Result<String, CommandError> {
    let wrong = |what: &str| usage(format!("--plan: {}: {what}", path.display()));
    let text = path
        .to_str()
        .ok_or_else(|| wrong("the path is not UTF-8; rename it"))?;
    if text.contains(['\n', '\r']) || files::is_stdio(path) {
        Err(wrong("a plan needs files whose names have no line breaks"))
    } else {
        Ok(text.to_owned())
    }
}

/// Returns rules for ninja. A target that `onionc` leaves as it is need not be built again.
fn ninja(actions: &[Action]) -> Vec<String> {
    let mut lines: Vec<String> = [
        "rule onion",
        "  command = $onionc",
        "  description = $out",
        "  restat = 1",
    ]
    .map(str::to_owned)
    .into();
    for Action {
        inputs,
        output,
        command,
    } in actions
    {
        let inputs: Vec<String> = inputs.iter().map(|path| of_ninja(path)).collect();
        lines.push(format!(
            "build {}: onion {}",
            of_ninja(output),
            inputs.join(" ")
        ));
        lines.push(format!(
            "  onionc = {}",
            of_shell(command).replace('$', "$$")
        ));
    }
    lines
}

/// Escapes a path for a build file of ninja.
fn of_ninja(path: &str) -> String {
    let escaped = path.replace('$', "$$");
    escaped.replace(' ', "$ ").replace(':', "$:")
}

/// Returns a script for `sbatch`: a job array with a task for each map. Slurm runs a task again if its node fails.
fn slurm(actions: &[Action]) -> Vec<String> {
    let mut lines = vec![
        "#!/bin/sh".to_owned(),
        "#SBATCH --job-name=onionc".to_owned(),
        format!("#SBATCH --array=0-{}", actions.len().saturating_sub(1)),
        "#SBATCH --requeue".to_owned(),
        "case \"$SLURM_ARRAY_TASK_ID\" in".to_owned(),
    ];
    let tasks = actions.iter().enumerate();
    lines.extend(
        tasks.map(|(task, action)| format!("{task}) exec {} ;;", of_shell(&action.command))),
    );
    lines.push("*) echo \"there is no task $SLURM_ARRAY_TASK_ID\" >&2; exit 2 ;;".to_owned());
    lines.push("esac".to_owned());
    lines
}

/// Returns a command as a line of a shell.
fn of_shell(command: &[String]) -> String {
    let is_plain = |char: char| char.is_ascii_alphanumeric() || "-_./=:,+@".contains(char);
    let words = command.iter().map(|word| {
        if !word.is_empty() && word.chars().all(is_plain) {
            word.clone()
        } else {
            format!("'{}'", word.replace('\'', r"'\''"))
        }
    });
    words.collect::<Vec<_>>().join(" ")
}
