//! `onionc reach` reports the places that the hulls of a compiled map reach or do not: entities without room, floors
//! where crouching fits and standing does not, sealed pockets, leaks and gaps without room; and, for builds, what
//! breaks the conditions of its options. It writes text, JSON or points for a map editor.

use std::path::PathBuf;

use onion_maps::wording::counted;
use onion_views::proof::Proof;
use onion_views::reach::{self, LowPlace, Pocket, Reach, Seam, SeamKind, Stuck, WayOut};
use onionc::error::CommandError;
use serde::Serialize;

use super::drawing::{self, add_places};
use super::proof::{self, ConditionArgs};
use crate::commands::input::sources;
use crate::commands::output::kinds::{Kind, points_text};
use crate::commands::output::outputs::{Json, Output};

#[derive(clap::Args)]
#[command(after_help = "Example: onionc reach level.onion level.bsp --pts low.pts")]
pub struct Args {
    /// The compiled map; - is standard input.
    file: PathBuf,
    /// The map it was compiled from, to look for sealed pockets, leaks and gaps where hulls stick as well.
    map: Option<PathBuf>,
    #[command(flatten)]
    json: Json,
    /// Write the places as points, which map editors show like the path of a leak.
    #[arg(long, value_name = "FILE.pts")]
    pts: Option<PathBuf>,
    #[command(flatten)]
    conditions: ConditionArgs,
}

/// All that the command tells.
#[derive(Serialize)]
struct Report {
    #[serde(flatten)]
    reach: Reach,
    #[serde(flatten)]
    proof: Option<Proof>,
}

/// Prints where hulls do not fit; with the map, also leaks, sealed pockets and seams; and what breaks a condition,
/// which is an error.
pub fn run(args: &Args) -> Result<(), CommandError> {
    let bytes = sources::read_before(args.map.as_ref(), &args.file, "reach")?;
    let map = super::load(&args.file, bytes)?;
    let fail = |error| CommandError::Verify(args.file.clone(), error);
    let mut reach = reach::reach(&map).map_err(fail)?;
    if let Some(source) = drawing::source(&map, &args.file, args.map.as_ref())? {
        reach.sealed = Some(reach::sealed(&map, &source.map).map_err(fail)?);
        reach.seams = Some(reach::seams(&map, &source.map).map_err(fail)?);
    }
    let proof = args.conditions.prove(&map)?;
    if let Some(path) = &args.pts {
        let mut points = points(&reach);
        points.extend(proof.iter().flat_map(proof::points));
        Output::new("--pts", path, Kind::Points).write(points_text(&points).as_bytes())?;
    }
    let mut lines = text(&reach);
    lines.extend(proof.iter().flat_map(proof::text));
    let report = Report { reach, proof };
    args.json.print("step", &report, &lines)?;
    report
        .proof
        .map_or(Ok(()), |proof| proof::check(&args.file, &proof))
}

/// Returns all places, in the order of the text.
fn points(reach: &Reach) -> Vec<[f64; 3]> {
    let stuck = reach.stuck.iter().map(|stuck| stuck.origin);
    let seams = reach.seams.iter().flatten().map(|seam| seam.at);
    let low = reach.low.iter().map(|place| place.at);
    let pockets = reach.sealed.iter().flat_map(|sealed| &sealed.pockets);
    let pockets = pockets.map(|pocket| pocket.at);
    stuck.chain(seams).chain(low).chain(pockets).collect()
}

/// Describes first what a designer fixes first: entities at which agents appear in solid, then leaks, items without
/// room, and ways in which agents stick.
fn text(reach: &Reach) -> Vec<String> {
    let hulls = reach.hulls.iter().map(|hull| {
        let filled = if hull.filled { "filled" } else { "not filled" };
        let floor = hull.floor.map_or(String::new(), |area| {
            format!("; about {area} square units of floor")
        });
        format!("hull {}: {filled}{floor}", hull.hull)
    });
    let mut lines: Vec<String> = hulls.collect();
    let (arrivals, others): (Vec<&Stuck>, _) =
        reach.stuck.iter().partition(|stuck| stuck.is_arrival);
    lines.extend(arrivals.into_iter().map(describe_stuck));
    let leaks = reach.sealed.iter().flat_map(|sealed| &sealed.leaks);
    lines.extend(leaks.map(describe_leak));
    lines.extend(others.into_iter().map(describe_stuck));
    let seams = reach.seams.as_deref().unwrap_or_default();
    let is_way = |seam: &&Seam| seam.kind == SeamKind::Way;
    let ways: Vec<String> = seams.iter().filter(is_way).map(describe_seam).collect();
    let others = seams.len() - ways.len();
    add_places(&mut lines, ways, ["smaller gap", "smaller gaps"]);
    let low = reach.low.iter().map(describe_low).collect();
    add_places(&mut lines, low, ["smaller place", "smaller places"]);
    if let Some(sealed) = &reach.sealed {
        let pockets = sealed.pockets.iter().map(describe_pocket).collect();
        add_places(&mut lines, pockets, ["smaller pocket", "smaller pockets"]);
        if sealed.pockets.is_empty() && sealed.leaks.is_empty() {
            lines.push("no pocket is sealed, and nothing leaks".to_owned());
        }
    }
    if others > 0 {
        let others = counted(others, "gap", "gaps");
        lines.push(format!(
            "{others} without room besides, in niches or above no floor; --json lists all"
        ));
    }
    if reach.low.is_empty() && reach.stuck.is_empty() {
        lines.push("every entity has room, and no floor is only for smaller hulls".to_owned());
    }
    lines
}

/// Returns the line of an entity where a hull has no room.
fn describe_stuck(stuck: &Stuck) -> String {
    let hulls = stuck.hulls.join(", ");
    let (class, entity, at) = (&stuck.class, stuck.entity, drawing::place(stuck.origin));
    format!("{class} (entity {entity}) at {at} has no room for {hulls}")
}

/// Returns the line of a path out of the map.
fn describe_leak(way: &WayOut) -> String {
    let [from, to] = [way.path.first(), way.path.last()];
    let [from, to] = [from, to].map(|end| drawing::place(end.copied().unwrap_or_default()));
    let (hull, entity) = (&way.hull, way.entity);
    format!("{hull} leaks: from entity {entity} at {from}, out at {to}")
}

/// Returns the line of a space that no agent reaches.
fn describe_pocket(pocket: &Pocket) -> String {
    let [at, mins, maxs] = [pocket.at, pocket.mins, pocket.maxs].map(drawing::place);
    let hull = &pocket.hull;
    format!("{hull} has a sealed pocket: at {at}, from {mins} to {maxs}")
}

/// Returns the line of a gap between two brushes that is hardly wider than the hull.
fn describe_seam(seam: &Seam) -> String {
    let [at, mins, maxs] = [seam.at, seam.mins, seam.maxs].map(drawing::place);
    let (hull, [one, other]) = (&seam.hull, &seam.between);
    // More digits would not help a reader.
    let room = (seam.room * 1024.0).round() / 1024.0;
    let near = drawing::near(seam.near.as_ref());
    format!(
        "{hull} sticks in a way with {room} units of room between {one} and {other}: \
         at {at}, from {mins} to {maxs}{near}"
    )
}

/// Returns the line of a place where one hull fits and the next larger one does not.
fn describe_low(low: &LowPlace) -> String {
    let [at, mins, maxs] = [low.at, low.mins, low.maxs].map(drawing::place);
    let (fits, too_large, area) = (&low.fits, &low.too_large, low.area);
    let near = drawing::near(low.near.as_ref());
    format!(
        "{fits} fits and {too_large} does not: about {area} square units at {at}, from {mins} to {maxs}{near}"
    )
}
