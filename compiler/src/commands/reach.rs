//! `onionc reach` reports what the hulls of a compiled map reach: entities without room, floors where crouching fits
//! and standing does not, sealed pockets, leaks and gaps without room. It writes text, JSON or points for a map
//! editor.

use std::io::{self, Write};
use std::path::PathBuf;

use onionc::error::CommandError;
use onionc::reach::{self, LowPlace, Near, Reach, Sealed, Seam};
use onionc::text::counted;
use onionc::verify::read_options;

use super::kinds::{DECIMALS, Kind};
use super::outputs::Output;
use super::reading::parse_map;
use super::{drawing, files};

/// Most places that the text lists; the JSON has all.
const MAX_PLACES: usize = 20;

/// Options of the command.
#[derive(clap::Args)]
#[command(after_help = "Example: onionc reach level.onion level.bsp --pts low.pts")]
pub struct Args {
    /// The compiled map; - is standard input.
    file: PathBuf,
    /// The map it was compiled from, to look for sealed pockets, leaks and gaps where hulls stick as well.
    map: Option<PathBuf>,
    /// Print JSON instead of text; --json=FILE writes it there and prints the text too.
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true,
          default_missing_value = "-")]
    json: Option<PathBuf>,
    /// Write the places as points, which map editors show like the path of a leak.
    #[arg(long, value_name = "FILE.pts")]
    pts: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), CommandError> {
    let map = super::load(&args.file, super::read_compiled(&args.file)?)?;
    let mut reach = reach::reach(&map);
    if let Some(path) = &args.map {
        files::check_inputs([&args.file, path])?;
        let fail = |source| CommandError::Verify {
            path: args.file.clone(),
            source,
        };
        let source = parse_map(path, read_options(&map).map_err(fail)?)?;
        reach.sealed = Some(reach::sealed(&map, &source).map_err(fail)?);
        reach.seams = Some(reach::seams(&map, &source).map_err(fail)?);
    }
    if let Some(path) = &args.pts {
        let output = Output {
            option: "--pts",
            path,
            kind: Kind::Points,
        };
        output.write(points(&reach).as_bytes())?;
    }
    if let Some(json) = &args.json {
        Output::json(json, "step").write_json(&reach)?;
        if files::is_stdio(json) {
            return Ok(());
        }
    }
    files::print(|out| write_text(out, &reach))
}

/// A line for each place.
fn points(reach: &Reach) -> String {
    let low = reach.low.iter().map(|place| place.at);
    let stuck = reach.stuck.iter().map(|stuck| stuck.origin);
    let pockets = reach.sealed.iter().flat_map(|sealed| &sealed.pockets);
    let pockets = pockets.map(|pocket| pocket.at);
    let seams = reach.seams.iter().flatten().map(|seam| seam.at);
    let lines = low
        .chain(stuck)
        .chain(pockets)
        .chain(seams)
        .map(|[x, y, z]| format!("{x:.DECIMALS$} {y:.DECIMALS$} {z:.DECIMALS$}\n"));
    lines.collect()
}

fn write_text(out: &mut dyn Write, reach: &Reach) -> io::Result<()> {
    for hull in &reach.hulls {
        let filled = if hull.filled { "filled" } else { "not filled" };
        let floor = hull.floor.map_or(String::new(), |area| {
            format!("; about {area} square units of floor")
        });
        writeln!(out, "hull {}: {filled}{floor}", hull.hull)?;
    }
    for stuck in &reach.stuck {
        let hulls = stuck.hulls.join(", ");
        let (class, entity, at) = (&stuck.class, stuck.entity, drawing::place(stuck.origin));
        writeln!(
            out,
            "{class} (entity {entity}) at {at} has no room for {hulls}"
        )?;
    }
    write_places(out, &reach.low)?;
    if let Some(sealed) = &reach.sealed {
        write_sealed(out, sealed)?;
    }
    if let Some(seams) = &reach.seams {
        write_seams(out, seams)?;
    }
    if reach.low.is_empty() && reach.stuck.is_empty() {
        writeln!(
            out,
            "every entity has room, and no floor is for smaller hulls alone"
        )?;
    }
    Ok(())
}

fn write_places(out: &mut dyn Write, low: &[LowPlace]) -> io::Result<()> {
    for low in low.iter().take(MAX_PLACES) {
        writeln!(out, "{}", describe(low))?;
    }
    let more = low.len().saturating_sub(MAX_PLACES);
    if more > 0 {
        writeln!(
            out,
            "and {}; --json lists all",
            counted(more, "smaller place", "smaller places")
        )?;
    }
    Ok(())
}

fn write_sealed(out: &mut dyn Write, sealed: &Sealed) -> io::Result<()> {
    for way in &sealed.leaks {
        let [from, to] = [way.path.first(), way.path.last()];
        let [from, to] = [from, to].map(|end| drawing::place(end.copied().unwrap_or_default()));
        let (hull, entity) = (&way.hull, way.entity);
        writeln!(
            out,
            "{hull} leaks: from entity {entity} at {from}, out at {to}"
        )?;
    }
    for pocket in sealed.pockets.iter().take(MAX_PLACES) {
        let [at, mins, maxs] = [pocket.at, pocket.mins, pocket.maxs].map(drawing::place);
        let hull = &pocket.hull;
        writeln!(
            out,
            "{hull} has a sealed pocket: at {at}, from {mins} to {maxs}"
        )?;
    }
    let more = sealed.pockets.len().saturating_sub(MAX_PLACES);
    if more > 0 {
        let more = counted(more, "smaller pocket", "smaller pockets");
        writeln!(out, "and {more}; --json lists all")?;
    }
    if sealed.pockets.is_empty() && sealed.leaks.is_empty() {
        writeln!(out, "no pocket is sealed, and nothing leaks")?;
    }
    Ok(())
}

fn write_seams(out: &mut dyn Write, seams: &[Seam]) -> io::Result<()> {
    for seam in seams.iter().take(MAX_PLACES) {
        let [at, mins, maxs] = [seam.at, seam.mins, seam.maxs].map(drawing::place);
        let (hull, [one, other]) = (&seam.hull, &seam.between);
        // Beyond this, people do not read on.
        let room = (seam.room * 1024.0).round() / 1024.0;
        let near = near(seam.near.as_ref());
        writeln!(
            out,
            "{hull} has {room} units of room between {one} and {other}: at {at}, from {mins} to {maxs}{near}"
        )?;
    }
    let more = seams.len().saturating_sub(MAX_PLACES);
    if more > 0 {
        let more = counted(more, "smaller gap", "smaller gaps");
        writeln!(out, "and {more} without room; --json lists all")?;
    }
    Ok(())
}

/// The entity near a place, in words.
fn near(near: Option<&Near>) -> String {
    near.map_or(String::new(), |near| {
        let (class, entity, distance) = (&near.class, near.entity, near.distance);
        format!("; {distance} from {class} (entity {entity})")
    })
}

fn describe(low: &LowPlace) -> String {
    let near = near(low.near.as_ref());
    format!(
        "{} fits and {} does not: about {} square units at {}, from {} to {}{near}",
        low.fits,
        low.too_large,
        low.area,
        drawing::place(low.at),
        drawing::place(low.mins),
        drawing::place(low.maxs)
    )
}
