//! Project files: `onion.toml` holds compile options that a project shares, under their names on the command line.
//! The command line wins. The file is converted into arguments, so that both are checked and explained in the same
//! way.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};
use onion_compiler::CompileOptions;
use onion_compiler::options::arguments;
use onion_format::MAX_HULLS;
use onion_maps::ReadOptions;
use onion_maps::wording::{line_of, shortened};
use onionc::error::{CommandError, bad_input};
use toml::de::DeTable;
use toml::{Table, Value};

use crate::commands::compiling::compile_options::Args;
use crate::commands::compiling::memory::MaxMemory;
use crate::commands::heading;
use crate::commands::output::{files, message};

const FILE_NAME: &str = "onion.toml";

/// Options that belong to a run and not to a project.
const NOT_HERE: [&str; 13] = [
    "config",
    "no-config",
    "print-config",
    "help",
    "color",
    "json",
    "report",
    "dump",
    "force",
    "quiet",
    "watch",
    "verbose",
    "depfile",
];

/// Advice about a path with backslashes, as on Windows.
const NO_BACKSLASH: &str = "write a path with /, or in single quotes ('build\\maps')";

/// Options that replace each other.
const HULLS: [&str; 2] = ["hull", "preset"];

/// Returns the arguments of a command, with those of its project file after the name of the command.
pub fn complete(
    command: &Command,
    mut arguments: Vec<OsString>,
) -> Result<Vec<OsString>, CommandError> {
    let lenient = command.clone().ignore_errors(true);
    if let Ok(matches) = lenient.try_get_matches_from(&arguments)
        && let Some((name, given)) = matches.subcommand()
        && let Some(compile) = command.find_subcommand("compile")
        && let Some(own) = command.find_subcommand(name)
        && own
            .get_arguments()
            .any(|option| option.get_id() == "no_config")
        && !is_given(given, "no_config")
        && let Some(path) = project_of(given)
    {
        let project = Project::read(&path)?;
        project.check(compile)?;
        let mut added = project.arguments_for(own, given)?;
        if !is_given(given, "config") {
            added.push(format!("--config={}", path.display()).into());
        }
        let at = 2.min(arguments.len());
        arguments.splice(at..at, added);
    }
    Ok(arguments)
}

/// Whether the command line itself has an argument, rather than a default.
fn is_given(given: &ArgMatches, id: &str) -> bool {
    given.value_source(id) == Some(ValueSource::CommandLine)
}

/// Returns the project file of a command line: the one it names, or the nearest one above its first map.
fn project_of(given: &ArgMatches) -> Option<PathBuf> {
    if let Some(path) = given.try_get_one::<PathBuf>("config").ok().flatten() {
        return Some(path.clone());
    }
    let maps = given.try_get_many::<PathBuf>("maps").ok().flatten();
    let map = maps.and_then(|mut maps| maps.next());
    let map = map.filter(|map| !files::is_stdio(map));
    let start = map.map_or(Path::new("."), PathBuf::as_path);
    let start = std::path::absolute(start).ok()?;
    let mut folders = start.ancestors();
    let found = folders.find_map(|folder| {
        let path = folder.join(FILE_NAME);
        path.is_file().then_some(path)
    })?;
    // As short as the user would write it, if the file is below the current folder.
    let here = std::env::current_dir().ok()?;
    Some(found.strip_prefix(here).unwrap_or(&found).to_owned())
}

/// A project file, whose keys are the long names of options.
struct Project<'a> {
    /// Its path, for messages.
    path: &'a Path,
    /// Its keys and values.
    table: Table,
    /// The lines of keys; a key in a table is prefixed with the name of the table and a period.
    lines: HashMap<String, usize>,
}

impl<'a> Project<'a> {
    /// Reads a project file; errors name the line.
    fn read(path: &'a Path) -> Result<Self, CommandError> {
        let text = files::read_text(path)?;
        let wrong = |error: toml::de::Error| {
            let at = error.span().map_or(0, |span| span.start);
            let message = error.message().trim_end();
            let hint = if message.contains("escape") {
                format!("; {NO_BACKSLASH}")
            } else {
                String::new()
            };
            bad_input(
                path,
                format!("line {}: {message}{hint}", line_of(&text, at)),
            )
        };
        let table = text.parse().map_err(wrong)?;
        let lines = lines_of_keys(&text).map_err(wrong)?;
        Ok(Self { path, table, lines })
    }

    /// Rejects options that a compile does not have, and values that it does not take.
    fn check(&self, compile: &Command) -> Result<(), CommandError> {
        let texts_of = |(key, value): (&String, &Value)| match option(compile, key) {
            Some(_) => self.texts(key, value),
            None => Err(self.wrong(key, &unknown(compile, key))),
        };
        let texts: Result<Vec<_>, _> = self.table.iter().map(texts_of).collect();
        let texts = texts?;
        if refusal(compile, texts.concat()).is_none() {
            return Ok(());
        }
        // Of two options that exclude each other, the second is named.
        for (number, (key, value)) in self.table.iter().enumerate() {
            let Some(error) = refusal(compile, texts[..=number].concat()) else {
                continue;
            };
            let hulls = value.as_table().into_iter().flatten().take(MAX_HULLS);
            for (name, hull) in hulls {
                let alone = Table::from_iter([(name.clone(), hull.clone())]);
                if let Some(error) = refusal(compile, self.texts(key, &alone.into())?) {
                    return Err(self.wrong(&format!("{key}.{name}"), &error));
                }
            }
            return Err(self.wrong(key, &error));
        }
        unreachable!("all options together are refused")
    }

    /// Returns the arguments for a command that was given others, which win.
    fn arguments_for(
        &self,
        command: &Command,
        given: &ArgMatches,
    ) -> Result<Vec<OsString>, CommandError> {
        let is_given = |option: &Arg| is_given(given, option.get_id().as_str());
        let mut arguments = Vec::new();
        for (key, value) in &self.table {
            // For commands other than compiles, only the options of hulls apply.
            let is_of_hulls = |own: &&Arg| own.get_help_heading() == Some(heading::HULLS);
            let is_compile = command.get_name() == "compile";
            let Some(own) = option(command, key).filter(|own| is_compile || is_of_hulls(own))
            else {
                continue;
            };
            let excludes = |one: &&Arg, other: &Arg| {
                let others = command.get_arg_conflicts_with(one);
                others.iter().any(|one| one.get_id() == other.get_id())
            };
            let rivals = command.get_arguments();
            let rivals = rivals.filter(|other| excludes(other, own) || excludes(&own, other));
            let mut rivals: Vec<&Arg> = rivals.collect();
            if HULLS.contains(&key.as_str()) {
                rivals.extend(HULLS.iter().filter_map(|name| option(command, name)));
            }
            if !is_given(own) && !rivals.into_iter().any(is_given) {
                arguments.extend(self.texts(key, value)?);
            }
        }
        Ok(arguments)
    }

    /// Converts an option and its value into arguments.
    fn texts(&self, key: &str, value: &Value) -> Result<Vec<OsString>, CommandError> {
        let one = |text: &str| OsString::from(format!("--{key}={text}"));
        Ok(match value {
            Value::String(text) if text.contains(char::is_control) => {
                let message = format!("{key}: there is a control character; {NO_BACKSLASH}");
                return Err(self.wrong(key, &message));
            }
            Value::String(text) => vec![one(&self.place(key, text))],
            Value::Integer(number) => vec![one(&number.to_string())],
            Value::Float(number) => vec![one(&number.to_string())],
            Value::Boolean(true) => vec![format!("--{key}").into()],
            Value::Boolean(false) => Vec::new(),
            Value::Array(values) => {
                let texts = values.iter().map(|value| self.texts(key, value));
                texts.collect::<Result<Vec<_>, _>>()?.concat()
            }
            Value::Table(values) => {
                let texts = values.iter().map(|(name, value)| match value {
                    Value::String(text) => Ok(one(&format!("{name}:{text}"))),
                    _ => {
                        let key = format!("{key}.{name}");
                        let message = format!("{key}: expected a text, such as {name} = \"16x56\"");
                        Err(self.wrong(&key, &message))
                    }
                });
                texts.collect::<Result<_, _>>()?
            }
            Value::Datetime(_) => {
                let message = format!("{key}: expected a text, a number, true, or a list of them");
                return Err(self.wrong(key, &message));
            }
        })
    }

    /// Returns the error of a key, with its line.
    fn wrong(&self, key: &str, message: &str) -> CommandError {
        let line = self.lines.get(key).copied().unwrap_or_default();
        bad_input(self.path, format!("line {line}: {message}"))
    }

    /// Returns a text; a path is resolved relative to the folder of the project file.
    fn place(&self, key: &str, text: &str) -> String {
        let folder = self.path.parent().unwrap_or(Path::new(""));
        let inside = folder.join(text).display().to_string();
        match key {
            "output" => format!("{inside}/"),
            "game" if text.ends_with(".toml") => inside,
            _ => text.to_owned(),
        }
    }
}

/// Returns the options that a project may have.
fn options(command: &Command) -> impl Iterator<Item = &Arg> {
    let is_here = |name: &str| !NOT_HERE.contains(&name);
    let options = command.get_arguments();
    options.filter(move |option| option.get_long().is_some_and(is_here))
}

/// Returns the option of this name, if a project may have it.
fn option<'a>(command: &'a Command, name: &str) -> Option<&'a Arg> {
    options(command).find(|option| option.get_long() == Some(name))
}

/// Returns the lines of keys, including those in tables.
fn lines_of_keys(text: &str) -> Result<HashMap<String, usize>, toml::de::Error> {
    let table = DeTable::parse(text)?;
    let keys = table.get_ref().iter().flat_map(|(key, value)| {
        let inner = value.get_ref().as_table().into_iter().flatten();
        let inner = inner.map(|(name, _)| (format!("{}.{}", key.get_ref(), name.get_ref()), name));
        [(key.get_ref().to_string(), key)].into_iter().chain(inner)
    });
    let mut keys: Vec<_> = keys.map(|(name, key)| (key.span().start, name)).collect();
    keys.sort();
    let (mut line, mut before) = (1, 0);
    let lines = keys.into_iter().map(|(at, name)| {
        line += line_of(&text[before..], at - before) - 1;
        before = at;
        (name, line)
    });
    Ok(lines.collect())
}

/// Returns the reason why a compile rejects options, or `None` if it accepts them.
fn refusal(compile: &Command, options: Vec<OsString>) -> Option<String> {
    let start = ["compile", "MAP"].map(OsString::from).into_iter();
    let matches = compile.clone().try_get_matches_from(start.chain(options));
    let text = matches.err()?.to_string();
    // The possible values are on a separate line.
    let lines = text.lines().take_while(|line| !line.is_empty());
    let text = lines.map(str::trim).collect::<Vec<_>>().join(" ");
    Some(text.strip_prefix("error: ").unwrap_or(&text).to_owned())
}

/// Whether an option, if it is used, comes from the project file.
pub fn is_of_project(project: Option<&Path>, option: &str) -> bool {
    let mut words = std::env::args_os();
    project.is_some() && !words.any(|word| word.to_string_lossy().starts_with(option))
}

/// Returns the error about an option, with its line of the project file if it comes from there.
pub fn blame(project: Option<&Path>, error: CommandError) -> CommandError {
    let (Some(path), CommandError::Usage(text)) = (project, &error) else {
        return error;
    };
    let text = text.trim_start_matches("--");
    let option = text.split([':', ' ']).next().unwrap_or_default();
    let project = Project::read(path).ok();
    let project = project.filter(|_| is_of_project(Some(path), &format!("--{option}")));
    let key = text.split(':').next().unwrap_or_default().replace(' ', ".");
    let place = |project: &Project<'_>| {
        let mut keys = [key.as_str(), option].into_iter();
        let key = keys.find(|key| project.lines.contains_key(*key))?;
        Some(project.wrong(key, text))
    };
    project.as_ref().and_then(place).unwrap_or(error)
}

/// Returns the message for a key that is not an option of a project.
fn unknown(compile: &Command, key: &str) -> String {
    let nearest = message::nearest(key, options(compile).filter_map(Arg::get_long));
    let key = shortened(key);
    match nearest {
        Some(name) => format!("{key} is not an option of a project; did you mean {name}?"),
        None => format!(
            "{key} is not an option of a project; `onionc help compile` lists them, without their dashes"
        ),
    }
}

/// Prints the hulls and options of a compile as a project file for the current folder.
pub fn print(args: &Args, options: &CompileOptions) -> Result<(), CommandError> {
    let mut table = of_run(args);
    of_file(options, &args.reading.options(), &mut table);
    let text = table.to_string();
    files::print(|out| out.write_all(text.as_bytes()))
}

/// Returns the options that do not affect the bytes of a file, unless they are at their defaults.
fn of_run(args: &Args) -> Table {
    let mut table = Table::new();
    if let Some(folder) = args.folder() {
        let text = folder.to_string_lossy();
        let bare = text.strip_suffix('/').filter(|text| !text.is_empty());
        let text = bare.unwrap_or(&text);
        table.insert("output".to_owned(), text.into());
    }
    let numbers = [
        ("max-nodes", args.max_nodes),
        ("max-bytes", args.max_bytes),
        ("threads", args.threads),
    ];
    for (key, number) in numbers {
        let number = number.and_then(|number| i64::try_from(number).ok());
        table.extend(number.map(|number| (key.to_owned(), Value::Integer(number))));
    }
    if args.max_memory != MaxMemory::default() {
        table.insert("max-memory".to_owned(), args.max_memory.to_string().into());
    }
    let switches = [
        ("all", args.all),
        ("compare-groups", args.compare_groups),
        ("verify", args.verify),
    ];
    let switches = switches.into_iter().filter(|(_, is_on)| *is_on);
    table.extend(switches.map(|(key, _)| (key.to_owned(), Value::Boolean(true))));
    table
}

/// Adds the hulls and options that a compiled file records.
fn of_file(options: &CompileOptions, reading: &ReadOptions, table: &mut Table) {
    let hulls = options.hulls.iter().map(arguments::hull_argument);
    let text = arguments::to_text(options, reading);
    for argument in hulls.chain(text.lines().skip(1).map(str::to_owned)) {
        let argument = argument.trim_start_matches("--");
        match argument.split_once('=') {
            None => {
                table.insert(argument.to_owned(), Value::Boolean(true));
            }
            Some((key @ ("hull" | "agent" | "fill-from"), value)) => {
                let list = table.entry(key).or_insert_with(|| Value::Array(Vec::new()));
                if let Value::Array(list) = list {
                    list.push(value.into());
                }
            }
            Some((key, value)) => {
                let game = reading.game.as_ref().filter(|_| key == "game");
                let value = game.map_or(value, |game| &game.name);
                table.insert(key.to_owned(), value.into());
            }
        }
    }
}
