//! `onionc diff` reports the differences between two compiled files, as text or JSON, and draws them: volumes that
//! became solid or empty for each hull, options and sizes.

use std::io::{self, Write};
use std::path::PathBuf;

use onion_maps::wording::counted;
use onion_runtime::OnionMap;
use onion_views::diff::{self, Change, ChangedPlace, Diff, HullDiff};
use onion_views::picture::{self, PictureOptions, Sight, Subject};
use onionc::error::CommandError;

use super::kinds::Kind;
use super::outputs::Output;
use super::{drawing, files, message};

/// Limit on the places of a hull that the text lists; the JSON has all.
const MAX_PLACES: usize = 10;

/// Options of the command.
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
    /// Print JSON instead of text; --json=FILE writes it there and prints the text too.
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true,
          default_missing_value = "-")]
    json: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), CommandError> {
    files::check_inputs([&args.before, &args.now].into_iter().chain(&args.map))?;
    let [before, now] = [&args.before, &args.now].map(|path| {
        let bytes = super::read_compiled(path)?;
        super::load(path, bytes)
    });
    let (before, now) = (before?, now?);
    drawing::check_slice(&[&before, &now], args.slice)?;
    let diff = diff::diff(&before, &now);
    if let Some(path) = &args.output {
        let output = Output {
            option: "-o",
            path,
            kind: Kind::Picture,
        };
        draw(args, &output, [&before, &now], &diff)?;
    }
    if let Some(json) = &args.json {
        Output::json(json, "same_map").write_json(&diff)?;
        if files::is_stdio(json) {
            return Ok(());
        }
    }
    files::print(|out| write_text(out, &diff))
}

/// Draws the hull that the user names, or the one that differs most.
fn draw(
    args: &Args,
    output: &Output,
    [before, now]: [&OnionMap<Vec<u8>>; 2],
    diff: &Diff,
) -> Result<(), CommandError> {
    let changed = |hull: &&HullDiff| hull.became_solid + hull.became_empty;
    let most = diff
        .hulls
        .iter()
        .max_by(|one, other| changed(one).total_cmp(&changed(other)));
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
        title: drawing::title(&args.now),
    };
    let source = drawing::source(now, &args.now, args.map.as_ref())?;
    output.check()?;
    let walls = drawing::walls(now, source.as_ref())?;
    let picture = picture::draw_change(now, before, &walls, &options)
        .map_err(|error| output.failed(io::Error::other(error)))?;
    output.write(&picture.png)
}

fn write_text(out: &mut dyn Write, diff: &Diff) -> io::Result<()> {
    if diff.is_empty() {
        return writeln!(out, "nothing differs");
    }
    if !diff.same_map {
        writeln!(out, "the map: its bytes differ")?;
    }
    let before = diff.options_before.iter().map(|option| ("before", option));
    let now = diff.options_now.iter().map(|option| ("now", option));
    for (when, option) in before.chain(now) {
        writeln!(out, "{when}: {option}")?;
    }
    for count in &diff.counts {
        let change = count.now as i128 - count.before as i128;
        writeln!(
            out,
            "{}: {} to {} ({change:+})",
            count.what, count.before, count.now
        )?;
    }
    for hull in &diff.hulls {
        write_hull(out, hull)?;
    }
    if diff.hulls.iter().any(|hull| !hull.places.is_empty()) {
        writeln!(
            out,
            "sampled along vertical lines {} units apart, exactly along each",
            diff.step
        )?;
    }
    Ok(())
}

fn write_hull(out: &mut dyn Write, hull: &HullDiff) -> io::Result<()> {
    if hull.places.is_empty() {
        return writeln!(
            out,
            "hull {}: solid and empty in the same places",
            hull.hull
        );
    }
    writeln!(
        out,
        "hull {}: about {} cubic units became solid, {} became empty, in {}",
        hull.hull,
        hull.became_solid.round(),
        hull.became_empty.round(),
        counted(hull.places.len(), "place", "places")
    )?;
    for place in hull.places.iter().take(MAX_PLACES) {
        writeln!(out, "  {}", describe(place))?;
    }
    match hull.places.len().saturating_sub(MAX_PLACES) {
        0 => Ok(()),
        more => writeln!(out, "  and {more} smaller; --json lists all"),
    }
}

fn describe(place: &ChangedPlace) -> String {
    let near = place.near.as_ref().map_or(String::new(), |near| {
        let (class, entity, distance) = (&near.class, near.entity, near.distance);
        format!("; {distance} from {class} (entity {entity})")
    });
    let model = match place.model {
        0 => String::new(),
        number => format!(" of model {number}"),
    };
    let change = match place.change {
        Change::Solid => "solid",
        Change::Empty => "empty",
    };
    format!(
        "{change} now: about {} cubic units{model} at {}, from {} to {}{near}",
        place.volume.round(),
        drawing::place(place.at),
        drawing::place(place.mins),
        drawing::place(place.maxs)
    )
}
