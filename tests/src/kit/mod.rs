//! The conformance kit: a folder of compiled maps, queries and the answers that any reader of `.onion` files must
//! give, to the last bit, and of damaged files that it must refuse. `kit.json` lists them; `README.md` explains its
//! use. The answers come from the command `onionc`, and, for calls of interfaces, from the runtime ([`replay`]). The
//! kit is the same on every machine.

mod replay;
mod scripts;

use std::fmt::Write;
use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;

use onion_compiler::fill::seeds::Fill;
use onion_format::{BrushRecord, ModelRecord};
use onion_runtime::{LoadError, OnionMap};
use serde::Serialize;

pub use self::replay::{Through, replay};
use crate::planted::{count, edit};

use crate::random::Random;
use crate::segments::segments;
use crate::strange::{flipped, golden, scrambled, with_checksum, with_scrambled_hits};
use crate::subject::{HULLS, compile_filled, compile_with_brushes, hulls, parse};
use crate::{rules, samples};

/// Number of segments for each hull of a file, and number of files of each strange kind.
const SEGMENTS: usize = 240;
const STRANGE: u64 = 6;
/// Number of damaged files of each kind that does not belong to a rule.
const DAMAGED: usize = 24;
/// Hulls whose corners are not whole numbers, two of which other contents block.
const ODD_HULLS: [&str; 3] = [
    "stand:mins=-15.3,-14.1,-23.7:maxs=13.9,15.1,31.3",
    "crouch:mins=-7.1,-15.7,-9.3:maxs=15.3,8.7,11.9:contents=playerclip",
    "ghost:point:contents=playerclip",
];
/// A slope of 5 in 12, which text gives exactly: its normal has more digits than any normal of a compiled map.
const SLOPE: &str = r#"{
"classname" "worldspawn"
{
( -96 -64 0 ) ( 96 -64 0 ) ( -96 64 0 ) wall 0 0 0 1 1
( -96 -64 0 ) ( -96 64 0 ) ( -96 -64 1 ) wall 0 0 0 1 1
( -96 -64 0 ) ( -96 -64 1 ) ( 96 -64 0 ) wall 0 0 0 1 1
( -96 64 0 ) ( 96 64 0 ) ( -96 64 1 ) wall 0 0 0 1 1
( -96 -64 0 ) ( -96 64 0 ) ( 96 -64 80 ) wall 0 0 0 1 1
( 96 -64 0 ) ( 96 -64 1 ) ( 96 64 0 ) wall 0 0 0 1 1
}
}
"#;
/// Files in whose worlds agents walk, and files with scenes.
const WALKS: [&str; 8] = [
    "low_tunnel",
    "low_tunnel-bare",
    "low_tunnel-groups",
    "ramp_stairs",
    "odd",
    "courtyard",
    "door",
    "prisms",
];
const SCENES: [&str; 4] = ["low_tunnel-bare", "courtyard", "door", "prisms"];
/// Distances that traces keep from the surfaces they hit, in units, in turn.
const MARGINS: [f64; 3] = [0.03125, 0.0, 7.5];

const README: &str = include_str!("kit.md");

/// The contents of `kit.json`.
#[derive(Default, Serialize)]
struct Kit {
    version: u32,
    traces: Vec<Traces>,
    points: Vec<Points>,
    scripts: Vec<Script>,
    loads: Vec<Judged>,
    refused: Vec<Judged>,
}

#[derive(Serialize)]
struct Traces {
    file: String,
    hull: String,
    model: usize,
    margin: f64,
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

#[derive(Serialize)]
struct Script {
    kind: &'static str,
    file: String,
    script: String,
    double: String,
    single: String,
}

/// A file that readers load or refuse, and the reason why it is strange.
#[derive(Serialize)]
struct Judged {
    file: String,
    about: String,
    /// The chunk that a reader must use to detect the fault.
    chunk: String,
}

/// Writes the kit into a folder, with the answers of an `onionc`.
///
/// # Errors
/// A file cannot be written, or the command does not answer.
pub fn write(folder: &Path, onionc: &Path) -> io::Result<()> {
    for name in ["files", "queries", "answers", "scripts", "loads", "refused"] {
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
    writer.judged()?;
    let list = serde_json::to_string_pretty(&writer.kit)?;
    fs::write(folder.join("kit.json"), list + "\n")?;
    fs::write(folder.join("README.md"), README)
}

/// Returns the maps of the kit: the golden files, some samples compiled with the defaults, and files that no compile
/// makes.
fn files() -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for name in ["low_tunnel", "low_tunnel-groups", "low_tunnel-bare"] {
        files.push((name.to_owned(), golden(name)));
    }
    for (name, bytes) in samples::all() {
        if ["ramp_stairs", "patch_arch", "slivers", "courtyard"].contains(&name) {
            let compiled = compile_filled(&parse(&bytes), hulls(&HULLS), Fill::default());
            files.push((name.to_owned(), compiled.bytes));
        }
        if name == "ramp_stairs" {
            let compiled = compile_with_brushes(&parse(&bytes), hulls(&ODD_HULLS));
            files.push(("odd".to_owned(), with_clips(compiled.bytes)));
        }
    }
    let slope = compile_with_brushes(&parse(SLOPE.as_bytes()), hulls(&ODD_HULLS));
    files.push(("slope".to_owned(), slope.bytes));
    files.push(("door".to_owned(), away(rules::right("one"))));
    files.push(("prisms".to_owned(), away(rules::prisms())));
    for seed in 0..STRANGE {
        files.push((format!("strange-tree-{seed}"), scrambled(seed)));
        files.push((
            format!("strange-hits-{seed}"),
            with_clips(with_scrambled_hits(seed)),
        ));
    }
    files
}

/// Gives some of a file's brushes contents that block only some hulls.
fn with_clips(mut file: Vec<u8>) -> Vec<u8> {
    for brush in 0..count(&file, BrushRecord::TAG) {
        let contents = [1, 0x1_0000, 0x20][brush % 3];
        edit::<BrushRecord>(&mut file, brush, |brush| brush.contents = contents);
    }
    file
}

/// Moves a file's models away from the origin.
fn away(mut file: Vec<u8>) -> Vec<u8> {
    for model in 1..count(&file, ModelRecord::TAG) {
        let origin = [8.0, -24.0 * model as f32, 4.5];
        edit::<ModelRecord>(&mut file, model, |model| model.origin = origin);
    }
    file
}

/// Returns damaged files, each of which the runtime refuses: truncated, longer, with a flipped byte, and with a
/// flipped byte under a correct checksum.
fn damaged() -> Vec<(&'static str, Vec<u8>)> {
    let file = golden("low_tunnel-bare");
    let mut random = Random::new(1);
    let mut damaged = vec![
        ("nothing", Vec::new()),
        ("longer", [file.as_slice(), &[0]].concat()),
    ];
    for _ in 0..DAMAGED {
        damaged.push(("cut", file[..random.below(file.len())].to_vec()));
        damaged.push(("flipped", flipped(&file, random.below(file.len()))));
    }
    let told_by_rules =
        std::iter::repeat_with(|| with_checksum(flipped(&file, random.below(file.len()))));
    let refused = told_by_rules.filter(|bytes| OnionMap::from_bytes(bytes).is_err());
    damaged.extend(
        refused
            .take(DAMAGED)
            .map(|file| ("flipped behind the checksum", file)),
    );
    damaged
}

/// Returns the chunk that an error is about, or an empty string if it is about the file.
fn chunk_of(error: &LoadError) -> String {
    match error {
        LoadError::BadRecord { tag, .. } => String::from_utf8_lossy(tag).into_owned(),
        _ => String::new(),
    }
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
        let seed = self.kit.scripts.len() as u64;
        self.script("facts", name, &map, scripts::facts(&map, seed))?;
        if WALKS.contains(&name) {
            self.script("walks", name, &map, scripts::walks(&map, seed))?;
        }
        if SCENES.contains(&name) {
            self.script("scenes", name, &map, scripts::scenes(&map, seed))?;
        }
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

    fn script(
        &mut self,
        kind: &'static str,
        name: &str,
        map: &OnionMap<&[u8]>,
        text: String,
    ) -> io::Result<()> {
        let stem = format!("{kind}-{name}");
        let path = |part: &str| format!("{part}/{stem}.txt");
        let (double, single) = (
            format!("answers/{stem}.txt"),
            format!("answers/{stem}-single.txt"),
        );
        fs::write(self.folder.join(path("scripts")), &text)?;
        fs::write(
            self.folder.join(&double),
            replay::<f64>(map, &text, Through::Model),
        )?;
        fs::write(
            self.folder.join(&single),
            replay::<f32>(map, &text, Through::Model),
        )?;
        self.kit.scripts.push(Script {
            kind,
            file: format!("files/{name}.onion"),
            script: path("scripts"),
            double,
            single,
        });
        Ok(())
    }

    /// Adds files that readers load or refuse.
    fn judged(&mut self) -> io::Result<()> {
        let folder = self.folder;
        let write = |kind: &str, number: usize, bytes: &[u8], about: &str, chunk: String| {
            let file = format!("{kind}/{number:03}.onion");
            fs::write(folder.join(&file), bytes)?;
            io::Result::Ok(Judged {
                file,
                about: about.to_owned(),
                chunk,
            })
        };
        for (number, (about, bytes)) in rules::edges().into_iter().enumerate() {
            self.kit
                .loads
                .push(write("loads", number, &bytes, about, String::new())?);
        }
        let damaged = damaged()
            .into_iter()
            .map(|(about, bytes)| (about, String::new(), bytes));
        let broken = rules::broken().into_iter();
        let broken = broken.map(|rule| (rule.breaks, chunk_of(&rule.error), rule.bytes));
        for (number, (about, chunk, bytes)) in damaged.chain(broken).enumerate() {
            self.kit
                .refused
                .push(write("refused", number, &bytes, about, chunk)?);
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
        let margin = MARGINS[number % MARGINS.len()];
        let stem = format!("{name}-{model}-{hull}");
        let path = format!("queries/{stem}.csv");
        let queries = segments(SEGMENTS, number as u64);
        let rows = queries.iter().map(|segment| segment.to_vec());
        self.table(&path, "sx,sy,sz,ex,ey,ez", rows)?;
        let margin_text = margin.to_string();
        let mut arguments = vec!["trace", file, "--hull", hull, "--batch", &path];
        arguments.extend(["--margin", &margin_text]);
        arguments.extend(tells_hits.then_some("--hits"));
        arguments.push("--model");
        let answers = self.answer(&stem, &arguments, model)?;
        self.kit.traces.push(Traces {
            file: file.to_owned(),
            hull: hull.to_owned(),
            model,
            margin,
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

    /// Writes the answer of the command.
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
