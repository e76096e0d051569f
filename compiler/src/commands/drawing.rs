//! Code shared by the commands that draw, compare and export: hulls and slices that options name, the walls, the
//! title, the name of the output, and places in words.

use std::path::{Path, PathBuf};

use onion_compiler::verify::read_options;
use onion_format::WORLD_LIMIT;
use onion_maps::Map;
use onion_maps::wording::counted;
use onion_runtime::{HullId, OnionMap};
use onion_views::picture::Sight;
use onion_views::reach::Near;
use onion_views::walls::{self, Wall};
use onionc::error::{CommandError, usage};

use crate::commands::input::reading::parse_map;
use crate::commands::output::{files, message};

/// Limit on the places of a kind that texts list; the JSON has all.
const MAX_PLACES: usize = 20;

/// Finds a hull by its name; the error lists those that the file has.
pub fn hull<D: AsRef<[u8]>>(map: &OnionMap<D>, name: &str) -> Result<HullId, CommandError> {
    map.find_hull(name).ok_or_else(|| {
        let names: Vec<_> = map.hulls().map(|hull| hull.name).collect();
        usage(format!("--hull {name}: the file has {}", names.join(", ")))
    })
}

/// A map that is named beside a compiled file.
pub struct Source<'a> {
    /// Its path, for messages.
    pub path: &'a Path,
    /// The map, read with the options that the compiled file records.
    pub map: Map,
}

/// Reads the map beside a compiled file, if one is named.
pub fn source<'a, D: AsRef<[u8]>>(
    file: &OnionMap<D>,
    file_path: &Path,
    map: Option<&'a PathBuf>,
) -> Result<Option<Source<'a>>, CommandError> {
    let Some(path) = map else {
        return Ok(None);
    };
    if let Some(option) = option_of_output(path) {
        let path = path.display();
        let message = format!("{path}: there is no such map; to write it, put {option} before it");
        return Err(usage(message));
    }
    let options =
        read_options(file).map_err(|error| CommandError::Verify(file_path.to_owned(), error))?;
    let map = parse_map(path, options)?;
    if file.inspect().info().map_digest != map.digest {
        let (file, map) = (file_path.display(), path.display());
        message::warning(format!(
            "{map}: {file} was not compiled from these bytes, so what is told of the map may be wrong; name the map of the \
             compile, or compile this one"
        ));
    }
    Ok(Some(Source { path, map }))
}

/// Returns the option for an output with this extension, if the path is not a file that may be read.
fn option_of_output(path: &Path) -> Option<&'static str> {
    let ending = path.extension().filter(|_| !path.exists())?;
    match ending.to_str()? {
        "png" | "html" | "htm" | "obj" | "prt" => Some("-o"),
        "pts" => Some("--pts"),
        _ => None,
    }
}

/// Returns the walls of the map if it is named, or those that the file holds.
pub fn walls<D: AsRef<[u8]>>(
    file: &OnionMap<D>,
    map: Option<&Source<'_>>,
) -> Result<Vec<Wall>, CommandError> {
    let Some(Source { path, map }) = map else {
        return Ok(walls::of_file(file));
    };
    walls::of_map(file, map).map_err(|error| CommandError::Compile(path.to_path_buf(), error))
}

/// Returns the name of a map, for people.
pub fn title(file: &Path) -> String {
    match file.file_stem() {
        Some(name) if !files::is_stdio(file) => name.to_string_lossy().into_owned(),
        _ => "map".to_owned(),
    }
}

/// Returns the path of the output: the one that the user names, or one beside the compiled map.
pub fn output(file: &Path, output: Option<&PathBuf>, extension: &str) -> PathBuf {
    match output {
        Some(output) => output.clone(),
        None if files::is_stdio(file) => PathBuf::from("-"),
        None => file.with_extension(extension),
    }
}

/// Parses an axis and a coordinate from an option.
pub fn slice(text: &str) -> Result<(Sight, f64), String> {
    let (axis, at) = text.split_once('=').unwrap_or_default();
    let sight = match axis.trim() {
        "x" => Sight::Side,
        "y" => Sight::Front,
        "z" => Sight::Top,
        _ => return Err("write an axis and a coordinate, such as z=64".to_owned()),
    };
    match at.trim().parse::<f64>() {
        Ok(at) if at.abs() <= WORLD_LIMIT => Ok((sight, at)),
        Ok(at) if !at.is_nan() => Err(format!(
            "{at} is beyond the world; write a number from -{WORLD_LIMIT} to {WORLD_LIMIT}"
        )),
        _ => Err(format!(
            "{at:?} is not a coordinate; write a number of units"
        )),
    }
}

/// Rejects a slice that misses the worlds of all maps.
pub fn check_slice(
    maps: &[&OnionMap<Vec<u8>>],
    slice: Option<(Sight, f64)>,
) -> Result<(), CommandError> {
    let Some((sight, at)) = slice else {
        return Ok(());
    };
    let axis = sight.axis();
    let bounds = maps.iter().map(|map| map.world().bounds());
    let (low, high) = bounds.fold((f32::MAX, f32::MIN), |(low, high), bounds| {
        (low.min(bounds.mins[axis]), high.max(bounds.maxs[axis]))
    });
    if (f64::from(low)..=f64::from(high)).contains(&at) {
        return Ok(());
    }
    let axis = ["x", "y", "z"][axis];
    let range = format!("between {axis}={low} and {axis}={high}");
    Err(usage(format!("--slice {axis}={at}: the map is {range}")))
}

/// Formats a place in whole units, for people.
pub fn place(at: [f64; 3]) -> String {
    // Adding zero turns minus zero into zero.
    let [x, y, z] = at.map(|x| x.round() + 0.0);
    format!("({x} {y} {z})")
}

/// Adds a line for each place, up to the limit, and the number of the rest.
pub fn add_places(lines: &mut Vec<String>, places: Vec<String>, [one, many]: [&str; 2]) {
    let more = places.len().saturating_sub(MAX_PLACES);
    lines.extend(places.into_iter().take(MAX_PLACES));
    if more > 0 {
        lines.push(format!(
            "and {}; --json lists all",
            counted(more, one, many)
        ));
    }
}

/// Returns the entity near a place, in words.
pub fn near(near: Option<&Near>) -> String {
    near.map_or(String::new(), |near| {
        let (class, entity, distance) = (&near.class, near.entity, near.distance);
        format!("; {distance} from {class} (entity {entity})")
    })
}

/// Reads the path out of the map that the compile wrote beside it, three numbers a line; empty if there is none.
pub fn leak(file: &Path) -> Vec<[f64; 3]> {
    let path = file.with_extension("pts");
    let bytes = files::found(&path).unwrap_or_default();
    files::note_inputs([&path]);
    let text = String::from_utf8_lossy(&bytes);
    let points = text.lines().map(|line| {
        let numbers = line.split_whitespace().map(|word| word.parse().ok());
        let numbers: Option<Vec<f64>> = numbers.collect();
        <[f64; 3]>::try_from(numbers?).ok()
    });
    points.collect::<Option<_>>().unwrap_or_default()
}
