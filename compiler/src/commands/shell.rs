//! `onionc completions` and `onionc man`: completion scripts and manual pages of the command, made from the same
//! description as the help.

use clap::Command;
use clap_complete::Shell;
use onionc::error::{CommandError, usage};

use crate::commands::output::{files, message};

#[derive(clap::Args)]
#[command(after_help = "Example: onionc completions fish > ~/.config/fish/completions/onionc.fish")]
pub struct CompletionsArgs {
    /// The shell that is to complete commands.
    shell: Shell,
}

#[derive(clap::Args)]
#[command(after_help = "Example: onionc man compile > onionc-compile.1")]
pub struct ManArgs {
    /// The subcommand that the page is about. [default: onionc itself]
    command: Option<String>,
}

/// Prints a script that completes commands in a shell.
pub fn completions(args: &CompletionsArgs, mut command: Command) -> Result<(), CommandError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "onionc", &mut script);
    files::print(|out| out.write_all(&script))
}

/// Returns the error about a word that should name a subcommand, or whatever else `kind` says.
pub fn unknown(command: &Command, kind: &str, word: &str) -> CommandError {
    let names: Vec<_> = command.get_subcommands().map(Command::get_name).collect();
    let advice = match message::nearest(word, names.iter().copied()) {
        Some(name) => format!("did you mean {name}?"),
        None => format!("the subcommands are {}", names.join(", ")),
    };
    usage(format!("no {kind} named {word}; {advice}"))
}

/// Prints a page of the manual in the format of `man`.
pub fn man(args: &ManArgs, mut command: Command) -> Result<(), CommandError> {
    command.build();
    let page = match &args.command {
        None => command,
        Some(name) => {
            let found = command.find_subcommand(name).cloned();
            found.ok_or_else(|| unknown(&command, "subcommand", name))?
        }
    };
    let mut text = Vec::new();
    let rendered = clap_mangen::Man::new(page).render(&mut text);
    rendered.map_err(CommandError::Print)?;
    files::print(|out| out.write_all(&text))
}
