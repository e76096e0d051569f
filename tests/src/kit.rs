//! The conformance kit: a folder of compiled maps, queries and the answers that any reader of `.onion` files must give,
//! to the last bit, and of damaged files that it must refuse. `kit.json` lists them; `README.md` says how to use it.
//! The answers are those of the command `onionc`; the same kit comes out on every machine.

use std::fmt::Write;
use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;

use onion_runtime::OnionMap;
use serde::Serialize;

use crate::random::Random;
use crate::samples;
use crate::segments::segments;
use crate::strange::{flipped, golden, scrambled, with_checksum, with_scrambled_hits};
use crate::subject::{HULLS, compile_filled, hulls, parse};

/// Segments for each hull of a file, and files of each strange kind.
const SEGMENTS: usize = 240;
const STRANGE: u64 = 6;
/// Damaged files of each kind.
const DAMAGED: usize = 24;
/// Distances that traces keep from what they hit, in units, in turn.
const SKINS: [f64; 3] = [0.03125, 0.0, 7.5];

const README: &str = include_str!("kit.md");

/// What `kit.json` holds.
#[derive(Default, Serialize)]
struct Kit {
    version: u32,
    traces: Vec<Traces>,
    points: Vec<Points>,
    refused: Vec<String>,
}

#[derive(Serialize)]
struct Traces {
    file: String,
    hull: String,
    model: usize,
    skin: f64,
    segments: String,
    answers: String,
}

#[derive(Serialize)]
struct Points {
    file: String,
    model: usize,
    points: String,
    answers: String,
}

/// Writes the kit into a folder, with the answers of an `onionc`.
///
/// # Errors
/// A file cannot be written, or the command does not answer.
pub fn write(folder: &Path, onionc: &Path) -> io::Result<()> {
    for name in ["files", "queries", "answers", "refused"] {
        fs::create_dir_all(folder.join(name))?;
    }
    let mut writer = Writer {
        folder,
        onionc,
        kit: Kit {
            version: 1,
            ..Kit::default()
        },
    };
    for (name, bytes) in files() {
        writer.file(&name, &bytes)?;
    }
    for (number, bytes) in damaged().into_iter().enumerate() {
        let path = format!("refused/{number:03}.onion");
        fs::write(folder.join(&path), bytes)?;
        writer.kit.refused.push(path);
    }
    let list = serde_json::to_string_pretty(&writer.kit)?;
    fs::write(folder.join("kit.json"), list + "\n")?;
    fs::write(folder.join("README.md"), README)
}

/// The maps of the kit: the golden files, some samples as they are compiled by default, and files that no compile
/// makes.
fn files() -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for name in ["low_tunnel", "low_tunnel-groups", "low_tunnel-bare"] {
        files.push((name.to_owned(), golden(name)));
    }
    for (name, bytes) in samples::all() {
        if ["door", "ramp_stairs", "patch_arch", "slivers"].contains(&name) {
            let compiled = compile_filled(&parse(&bytes), hulls(&HULLS), Default::default());
            files.push((name.to_owned(), compiled.bytes));
        }
    }
    for seed in 0..STRANGE {
        files.push((format!("strange-tree-{seed}"), scrambled(seed)));
        files.push((format!("strange-hits-{seed}"), with_scrambled_hits(seed)));
    }
    files
}

/// Damaged files, each of which the runtime refuses: cut, longer, with a flipped byte, and with one that the checksum
/// does not tell.
fn damaged() -> Vec<Vec<u8>> {
    let file = golden("low_tunnel-bare");
    let mut random = Random::new(1);
    let mut damaged = vec![Vec::new(), [file.as_slice(), &[0]].concat()];
    for _ in 0..DAMAGED {
        damaged.push(file[..random.below(file.len())].to_vec());
        damaged.push(flipped(&file, random.below(file.len())));
    }
    let told_by_rules =
        std::iter::repeat_with(|| with_checksum(flipped(&file, random.below(file.len()))));
    let refused = told_by_rules.filter(|bytes| OnionMap::from_bytes(bytes).is_err());
    damaged.extend(refused.take(DAMAGED));
    damaged
}

struct Writer<'a> {
    folder: &'a Path,
    onionc: &'a Path,
    kit: Kit,
}

impl Writer<'_> {
    /// Adds a map with queries of all of its models and hulls.
    fn file(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let file = format!("files/{name}.onion");
        fs::write(self.folder.join(&file), bytes)?;
        let map = OnionMap::from_bytes(bytes).map_err(io::Error::other)?;
        for model in 0..map.n_models() {
            let queries = segments(SEGMENTS, self.kit.points.len() as u64);
            let points = format!("queries/{name}-{model}-points.csv");
            let rows = queries.iter().map(|segment| segment[..3].to_vec());
            self.table(&points, "x,y,z", rows)?;
            for hull in map.hulls() {
                self.traces(&file, name, model, hull.name, map.has_hit_data())?;
            }
            let arguments = ["point", &file, "--batch", &points, "--model"];
            let answers = self.answer(&format!("{name}-{model}-points"), &arguments, model)?;
            self.kit.points.push(Points {
                file: file.clone(),
                model,
                points,
                answers,
            });
        }
        Ok(())
    }

    fn traces(
        &mut self,
        file: &str,
        name: &str,
        model: usize,
        hull: &str,
        tells_hits: bool,
    ) -> io::Result<()> {
        let number = self.kit.traces.len();
        let skin = SKINS[number % SKINS.len()];
        let stem = format!("{name}-{model}-{hull}");
        let path = format!("queries/{stem}.csv");
        let queries = segments(SEGMENTS, number as u64);
        let rows = queries.iter().map(|segment| segment.to_vec());
        self.table(&path, "sx,sy,sz,ex,ey,ez", rows)?;
        let skin_text = skin.to_string();
        let mut arguments = vec!["trace", file, "--hull", hull, "--batch", &path];
        arguments.extend(["--skin", &skin_text]);
        arguments.extend(tells_hits.then_some("--hits"));
        arguments.push("--model");
        let answers = self.answer(&stem, &arguments, model)?;
        self.kit.traces.push(Traces {
            file: file.to_owned(),
            hull: hull.to_owned(),
            model,
            skin,
            segments: path,
            answers,
        });
        Ok(())
    }

    /// Writes a table of numbers.
    fn table(
        &self,
        path: &str,
        header: &str,
        rows: impl Iterator<Item = Vec<f64>>,
    ) -> io::Result<()> {
        let mut text = format!("{header}\n");
        for row in rows {
            let cells: Vec<String> = row.iter().map(f64::to_string).collect();
            writeln!(text, "{}", cells.join(",")).map_err(io::Error::other)?;
        }
        fs::write(self.folder.join(path), text)
    }

    /// Writes what the command says.
    fn answer(&self, stem: &str, arguments: &[&str], model: usize) -> io::Result<String> {
        let mut command = Command::new(self.onionc);
        command.args(arguments).arg(model.to_string());
        let output = command.current_dir(self.folder).output()?;
        if !output.status.success() {
            let message = String::from_utf8_lossy(&output.stderr);
            return Err(io::Error::other(format!("{stem}: {message}")));
        }
        let path = format!("answers/{stem}.csv");
        fs::write(self.folder.join(&path), output.stdout)?;
        Ok(path)
    }
}
