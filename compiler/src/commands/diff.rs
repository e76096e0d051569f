//! `onionc diff` reports the differences between two compiled files, as text or JSON, and draws them: volumes that
//! became solid or empty for each hull, options and sizes.

use std::io;
use std::path::PathBuf;

use onion_maps::wording::counted;
use onion_runtime::OnionMap;
use onion_views::diff::{self, Change, ChangedPlace, Count, Diff, HullDiff};
use onion_views::picture::{self, PictureOptions, Sight, Subject};
use onionc::error::CommandError;

use super::drawing;
use crate::commands::output::kinds::Kind;
use crate::commands::output::outputs::{Json, Output};
use crate::commands::output::{files, message};

/// Limit on the places of a hull that the text lists; the JSON has all.
const MAX_PLACES: usize = 10;

#[derive(clap::Args)]
#[command(after_help = "Example: onionc diff before.onion now.onion now.bsp -o changes.png")]
pub struct Args {
    /// The compiled map before.
    before: PathBuf,
    /// The compiled map now.
    now: PathBuf,
    /// The map that the second one was compiled from, to show its walls in the picture.
    map: Option<PathBuf>,
    /// Draw where a hull differs (PNG).
    #[arg(short, long, value_name = "FILE.png")]
    output: Option<PathBuf>,
    /// Where the picture cuts the world, such as z=64. [default: through the largest place that differs]
    #[arg(long, value_name = "AXIS=N", value_parser = drawing::slice, allow_hyphen_values = true, requires = "output")]
    slice: Option<(Sight, f64)>,
    /// The hull of the picture. [default: the one that differs most]
    #[arg(long, value_name = "NAME", requires = "output")]
    hull: Option<String>,
    #[command(flatten)]
    json: Json,
}

/// Compares two compiled files, and draws where they differ if `-o` asks for a picture.
pub fn run(args: &Args) -> Result<(), CommandError> {
    files::check_inputs([&args.before, &args.now].into_iter().chain(&args.map))?;
    let (before, now) = (super::open(&args.before)?, super::open(&args.now)?);
    drawing::check_slice(&[&before, &now], args.slice)?;
    let diff = diff::diff(&before, &now);
    if let Some(path) = &args.output {
        let output = Output::new("-o", path, Kind::Picture);
        draw(args, &output, [&before, &now], &diff)?;
    }
    args.json.print("same_map", &diff, &text(&diff))
}

/// Draws the hull that the user names, or the one that differs most.
fn draw(
    args: &Args,
    output: &Output,
    [before, now]: [&OnionMap<Vec<u8>>; 2],
    diff: &Diff,
) -> Result<(), CommandError> {
    let changed = |hull: &&HullDiff| hull.became_solid + hull.became_empty;
    let hulls = diff.hulls.iter();
    let most = hulls.max_by(|one, other| changed(one).total_cmp(&changed(other)));
    let name = args.hull.as_deref().or(most.map(|hull| hull.hull.as_str()));
    let Some(name) = name else {
        message::warning("the files have no hull in common, so there is no picture");
        return Ok(());
    };
    let place = diff.hulls.iter().find(|hull| hull.hull == name);
    let place = place.and_then(|hull| hull.places.first());
    let subject = match (args.slice, place) {
        (Some((sight, at)), _) => Subject::Slice(sight, at),
        (None, Some(place)) => Subject::Slice(Sight::Top, place.at[2].round()),
        (None, None) => Subject::Floors,
    };
    let options = PictureOptions {
        subject,
        size: picture::USUAL_SIZE,
        hull: Some(drawing::hull(now, name)?),
        costs: false,
        floors: false,
        title: drawing::title(&args.now),
    };
    let source = drawing::source(now, &args.now, args.map.as_ref())?;
    output.check()?;
    let walls = drawing::walls(now, source.as_ref())?;
    let picture = picture::draw(now, Some(before), &walls, &options)
        .map_err(|error| output.failed(io::Error::other(error)))?;
    output.write(&picture.png)
}

/// Returns the lines of the comparison: the map, the options, the counts that differ, then each hull.
fn text(diff: &Diff) -> Vec<String> {
    if diff.is_empty() {
        return vec!["nothing differs".to_owned()];
    }
    let map = (!diff.same_map).then(|| "the map: its bytes differ".to_owned());
    let before = diff.options_before.iter().map(|option| ("before", option));
    let now = diff.options_now.iter().map(|option| ("now", option));
    let options = before
        .chain(now)
        .map(|(when, option)| format!("{when}: {option}"));
    let counts = diff.counts.iter().map(|Count { what, before, now }| {
        let change = *now as i128 - *before as i128;
        format!("{what}: {before} to {now} ({change:+})")
    });
    let hulls = diff.hulls.iter().flat_map(hull_text);
    let is_sampled = diff.hulls.iter().any(|hull| !hull.places.is_empty());
    let step = diff.step;
    let sampled = is_sampled
        .then(|| format!("sampled along vertical lines {step} units apart, exactly along each"));
    let mut lines: Vec<String> = map.into_iter().chain(options).collect();
    lines.extend(counts.chain(hulls).chain(sampled));
    lines
}

/// Returns the lines of a hull: how much became solid or empty, then the largest places.
fn hull_text(hull: &HullDiff) -> Vec<String> {
    let name = &hull.hull;
    if hull.places.is_empty() {
        return vec![format!("hull {name}: solid and empty in the same places")];
    }
    let [solid, empty] = [hull.became_solid, hull.became_empty].map(f64::round);
    let places = counted(hull.places.len(), "place", "places");
    let mut lines = vec![format!(
        "hull {name}: about {solid} cubic units became solid, {empty} became empty, in {places}"
    )];
    let listed = hull.places.iter().take(MAX_PLACES);
    lines.extend(listed.map(|place| format!("  {}", describe(place))));
    let more = hull.places.len().saturating_sub(MAX_PLACES);
    if more > 0 {
        lines.push(format!("  and {more} smaller; --json lists all"));
    }
    lines
}

/// Returns the line of a place, with the entity that it is near to.
fn describe(place: &ChangedPlace) -> String {
    let near = drawing::near(place.near.as_ref());
    let model = match place.model {
        0 => String::new(),
        number => format!(" of model {number}"),
    };
    let change = match place.change {
        Change::Solid => "solid",
        Change::Empty => "empty",
    };
    let volume = place.volume.round();
    let [at, mins, maxs] = [place.at, place.mins, place.maxs].map(drawing::place);
    format!("{change} now: about {volume} cubic units{model} at {at}, from {mins} to {maxs}{near}")
}
