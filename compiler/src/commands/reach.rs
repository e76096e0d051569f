//! `onionc reach` reports the places that the hulls of a compiled map reach or do not: entities without room, floors
//! where crouching fits and standing does not, sealed pockets, leaks and gaps without room. It writes text, JSON or
//! points for a map editor.

use std::io::{self, Write};
use std::path::PathBuf;

use onion_maps::wording::counted;
use onion_views::reach::{self, LowPlace, Near, Pocket, Reach, SealedPockets, Seam, SeamKind};
use onionc::error::CommandError;

use super::kinds::{DECIMALS, Kind};
use super::outputs::Output;
use super::{drawing, files, sources};

/// Limit on the places that the text lists; the JSON has all.
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
    let bytes = sources::read_before(args.map.as_ref(), &args.file, "reach")?;
    let map = super::load(&args.file, bytes)?;
    let mut reach = reach::reach(&map);
    if let Some(source) = drawing::source(&map, &args.file, args.map.as_ref())? {
        let fail = |source| CommandError::Verify {
            path: args.file.clone(),
            source,
        };
        reach.sealed = Some(reach::sealed(&map, &source.map).map_err(fail)?);
        reach.seams = Some(reach::seams(&map, &source.map).map_err(fail)?);
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

/// Formats a line for each place, in the order of the text.
fn points(reach: &Reach) -> String {
    let stuck = reach.stuck.iter().map(|stuck| stuck.origin);
    let seams = reach.seams.iter().flatten().map(|seam| seam.at);
    let low = reach.low.iter().map(|place| place.at);
    let pockets = reach.sealed.iter().flat_map(|sealed| &sealed.pockets);
    let pockets = pockets.map(|pocket| pocket.at);
    let lines = stuck
        .chain(seams)
        .chain(low)
        .chain(pockets)
        .map(|[x, y, z]| {
            format!(
                "{x:.DECIMALS$} {y:.DECIMALS$} {z:.DECIMALS$}
"
            )
        });
    lines.collect()
}

/// Writes first what a designer fixes first: entities at which agents appear in solid, then leaks, items without
/// room, and ways in which agents stick.
fn write_text(out: &mut dyn Write, reach: &Reach) -> io::Result<()> {
    for hull in &reach.hulls {
        let filled = if hull.filled { "filled" } else { "not filled" };
        let floor = hull.floor.map_or(String::new(), |area| {
            format!("; about {area} square units of floor")
        });
        writeln!(out, "hull {}: {filled}{floor}", hull.hull)?;
    }
    write_stuck(out, reach, true)?;
    if let Some(sealed) = &reach.sealed {
        write_leaks(out, sealed)?;
    }
    write_stuck(out, reach, false)?;
    let seams = reach.seams.as_deref().unwrap_or_default();
    let is_way = |seam: &&Seam| seam.kind == SeamKind::Way;
    let ways: Vec<String> = seams.iter().filter(is_way).map(describe_seam).collect();
    write_places(out, &ways, ["smaller gap", "smaller gaps"])?;
    let low: Vec<String> = reach.low.iter().map(describe_low).collect();
    write_places(out, &low, ["smaller place", "smaller places"])?;
    if let Some(sealed) = &reach.sealed {
        let pockets: Vec<String> = sealed.pockets.iter().map(describe_pocket).collect();
        write_places(out, &pockets, ["smaller pocket", "smaller pockets"])?;
        if sealed.pockets.is_empty() && sealed.leaks.is_empty() {
            writeln!(out, "no pocket is sealed, and nothing leaks")?;
        }
    }
    let others = seams.len() - ways.len();
    if others > 0 {
        let others = counted(others, "gap", "gaps");
        writeln!(
            out,
            "{others} without room besides, in niches or above no floor; --json lists all"
        )?;
    }
    if reach.low.is_empty() && reach.stuck.is_empty() {
        writeln!(
            out,
            "every entity has room, and no floor is only for smaller hulls"
        )?;
    }
    Ok(())
}

/// Writes the entities without room: those at which agents appear, or all others.
fn write_stuck(out: &mut dyn Write, reach: &Reach, is_arrival: bool) -> io::Result<()> {
    let stuck = reach.stuck.iter();
    for stuck in stuck.filter(|stuck| stuck.is_arrival == is_arrival) {
        let hulls = stuck.hulls.join(", ");
        let (class, entity, at) = (&stuck.class, stuck.entity, drawing::place(stuck.origin));
        writeln!(
            out,
            "{class} (entity {entity}) at {at} has no room for {hulls}"
        )?;
    }
    Ok(())
}

/// Writes a line each, up to the limit, and the number of the rest.
fn write_places(out: &mut dyn Write, lines: &[String], [one, many]: [&str; 2]) -> io::Result<()> {
    for line in lines.iter().take(MAX_PLACES) {
        writeln!(out, "{line}")?;
    }
    match lines.len().saturating_sub(MAX_PLACES) {
        0 => Ok(()),
        more => writeln!(out, "and {}; --json lists all", counted(more, one, many)),
    }
}

fn write_leaks(out: &mut dyn Write, sealed: &SealedPockets) -> io::Result<()> {
    for way in &sealed.leaks {
        let [from, to] = [way.path.first(), way.path.last()];
        let [from, to] = [from, to].map(|end| drawing::place(end.copied().unwrap_or_default()));
        let (hull, entity) = (&way.hull, way.entity);
        writeln!(
            out,
            "{hull} leaks: from entity {entity} at {from}, out at {to}"
        )?;
    }
    Ok(())
}

fn describe_pocket(pocket: &Pocket) -> String {
    let [at, mins, maxs] = [pocket.at, pocket.mins, pocket.maxs].map(drawing::place);
    let hull = &pocket.hull;
    format!("{hull} has a sealed pocket: at {at}, from {mins} to {maxs}")
}

fn describe_seam(seam: &Seam) -> String {
    let [at, mins, maxs] = [seam.at, seam.mins, seam.maxs].map(drawing::place);
    let (hull, [one, other]) = (&seam.hull, &seam.between);
    // More digits would not help a reader.
    let room = (seam.room * 1024.0).round() / 1024.0;
    let near = near(seam.near.as_ref());
    format!(
        "{hull} sticks in a way with {room} units of room between {one} and {other}: \
         at {at}, from {mins} to {maxs}{near}"
    )
}

/// Returns the entity near a place, in words.
fn near(near: Option<&Near>) -> String {
    near.map_or(String::new(), |near| {
        let (class, entity, distance) = (&near.class, near.entity, near.distance);
        format!("; {distance} from {class} (entity {entity})")
    })
}

fn describe_low(low: &LowPlace) -> String {
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
