//! The outcomes of the maps compiled so far: counted for the summary, as rules for make and ninja, and as the
//! document that `--report` writes.

use std::path::PathBuf;

use onion_maps::Warning;
use onion_maps::wording::counted;
use onionc::error::CommandError;

use crate::commands::compiling::depfile;
use crate::commands::compiling::job::{Done, Outcome};
use crate::commands::compiling::run_report::{Entry, RunReport};
use crate::commands::compiling::targets::Target;
use crate::commands::input::sources::MapPath;
use crate::commands::output::message;

/// The outcomes of the targets so far.
#[derive(Default)]
pub struct Tally {
    /// One for each target, for the report in JSON.
    entries: Vec<Entry>,
    /// For each target that was compiled, the options that have no effect on its map.
    idle: Vec<Vec<Warning>>,
    /// Advice about maps that are not filled.
    next: Vec<String>,
    /// The last error; the earlier ones are already printed.
    failed: Option<CommandError>,
}

impl Tally {
    /// Adds a target that was made, or is up to date.
    pub fn add(&mut self, target: &Target, done: Done) {
        let mut entry = Entry::of(target, done.outcome.name(), done.inputs);
        if let Outcome::Compiled(report, next) = done.outcome {
            let map = target.map.display();
            self.next.extend(next.map(|next| format!("{map}: {next}")));
            entry.report = Some(report);
            self.idle.push(done.idle);
        }
        self.entries.push(entry);
    }

    /// Adds a target that was not made. Prints the error of the previous one.
    pub fn fail(&mut self, target: &Target, error: CommandError) {
        let inputs = vec![MapPath::new(&target.map).file];
        self.entries.push(Entry {
            error: Some((&error).into()),
            ..Entry::of(target, "failed", inputs)
        });
        if let Some(earlier) = self.failed.replace(error) {
            message::error(earlier);
        }
    }

    /// Returns options that have no effect on any map. If not all maps were compiled, the others may need them: then
    /// empty.
    pub fn idle(&self) -> Vec<Warning> {
        let [first, others @ ..] = &self.idle[..] else {
            return Vec::new();
        };
        let is_all = self.idle.len() == self.entries.len();
        let is_idle = |option: &&Warning| is_all && others.iter().all(|own| own.contains(option));
        first.iter().filter(is_idle).cloned().collect()
    }

    /// Returns the number of targets with this outcome.
    fn count(&self, outcome: &str) -> usize {
        let entries = self.entries.iter();
        entries.filter(|entry| entry.outcome == outcome).count()
    }

    /// Returns the number of targets that were tried.
    pub fn n_targets(&self) -> usize {
        self.entries.len()
    }

    /// Returns one line about all targets, and one about the first that is not filled.
    pub fn summary(&self) -> Vec<String> {
        let (n_fresh, n_failed) = (self.count("up_to_date"), self.count("failed"));
        let n_compiled = self.entries.len() - n_fresh - n_failed;
        let maps = counted(self.entries.len(), "map", "maps");
        let counts =
            format!("{maps}: {n_compiled} compiled, {n_fresh} up to date, {n_failed} failed");
        let next = match &self.next[..] {
            [] => None,
            [next] => Some(format!("next: {next}")),
            [next, others @ ..] => Some(format!("next (and for {} more): {next}", others.len())),
        };
        [counts].into_iter().chain(next).collect()
    }

    /// Returns a rule for each existing target, with the files that it was made from; `project` is the project file.
    pub fn rules(&self, project: Option<&PathBuf>) -> Result<String, CommandError> {
        let made = self.entries.iter().filter(|entry| entry.error.is_none());
        made.map(|entry| depfile::rule(&entry.output, entry.inputs.iter().chain(project)))
            .collect()
    }

    /// Returns everything as a document, and the last error, if any.
    pub fn finish(self) -> (RunReport, Option<CommandError>) {
        (RunReport::of_maps(self.entries), self.failed)
    }
}
