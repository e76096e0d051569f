//! `onionc render` draws a compiled map as a picture: a compiled file and, for its walls, the map it comes from, to a
//! PNG file.

use std::path::PathBuf;

use clap::ValueEnum;
use onion_views::picture::{self, Picture, PictureOptions, Sight, Subject};
use onionc::error::{CommandError, usage};

use super::drawing;
use crate::commands::input::sources;
use crate::commands::output::files;
use crate::commands::output::kinds::Kind;
use crate::commands::output::outputs::Output;

#[derive(clap::Args)]
#[command(after_help = "Example: onionc render level.onion level.bsp --slice z=64 -o level.png")]
pub struct Args {
    /// The compiled map; - is standard input.
    file: PathBuf,
    /// The map it was compiled from, to show its walls; not needed if it was compiled with --brushes.
    map: Option<PathBuf>,
    /// The picture (PNG). [default: the compiled map's name with .png]
    #[arg(short, long, value_name = "FILE.png")]
    output: Option<PathBuf>,
    /// Cut the world there, such as z=64, x=0 or y=-512. [default: no cut; the floors where agents walk,
    /// from above]
    #[arg(long, value_name = "AXIS=N", value_parser = drawing::slice, allow_hyphen_values = true)]
    slice: Option<(Sight, f64)>,
    /// Show the whole map from one side: the first surface that is seen from there.
    #[arg(long, value_name = "SIDE", conflicts_with = "slice")]
    projection: Option<Projection>,
    /// Largest width and height, in pixels.
    #[arg(long, value_name = "PIXELS", default_value_t = picture::USUAL_SIZE, value_parser = super::whole(picture::SIZES[0], picture::SIZES[1]),
          allow_negative_numbers = true)]
    size: usize,
    /// Show one hull only.
    #[arg(long, value_name = "NAME")]
    hull: Option<String>,
    /// Color surfaces beyond the slice by the number of nodes that their brush costs.
    #[arg(long)]
    costs: bool,
    /// Draw the floors of each hull and the links between them, if the map was compiled with --floors.
    #[arg(long)]
    floors: bool,
}

/// A side, as options name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Projection {
    /// From above, with y up.
    Top,
    /// Looking along y, with z up.
    Front,
    /// Looking against x, with z up.
    Side,
}

// Many branches: each kind of picture is a case of its own.
pub fn run(args: &Args) -> Result<(), CommandError> {
    let bytes = sources::read_before(args.map.as_ref(), &args.file, "render")?;
    let map = super::load(&args.file, bytes)?;
    drawing::check_slice(&[&map], args.slice)?;
    let hull = args.hull.as_ref().map(|name| drawing::hull(&map, name));
    let source = drawing::source(&map, &args.file, args.map.as_ref())?;
    let path = drawing::output(&args.file, args.output.as_ref(), "png");
    let output = Output::new("-o", &path, Kind::Picture);
    output.check()?;
    let walls = drawing::walls(&map, source.as_ref())?;
    if args.costs && !map.has_hit_data() {
        return Err(usage(
            "--costs needs hit data; compile the map without --no-surfaces",
        ));
    }
    if args.floors && !map.has_floors() {
        return Err(usage("the file has no floors; compile it with --floors"));
    }
    let options = PictureOptions {
        subject: match (args.slice, args.projection) {
            (Some((sight, at)), _) => Subject::Slice(sight, at),
            (None, Some(Projection::Top)) => Subject::Projection(Sight::Top),
            (None, Some(Projection::Front)) => Subject::Projection(Sight::Front),
            (None, Some(Projection::Side)) => Subject::Projection(Sight::Side),
            (None, None) => Subject::Floors,
        },
        size: args.size,
        hull: hull.transpose()?,
        costs: args.costs,
        floors: args.floors,
        title: drawing::title(&args.file),
    };
    let picture = picture::draw(&map, None, &walls, &options);
    let picture = picture.map_err(|error| output.failed(std::io::Error::other(error)))?;
    output.write(&picture.png)?;
    if files::is_stdio(&path) {
        return Ok(());
    }
    files::print(|out| writeln!(out, "wrote {}: {}", path.display(), describe(&picture)))
}

/// Returns the size of a picture, and where it cuts the map.
fn describe(picture: &Picture) -> String {
    let [width, height] = picture.size;
    let axis = picture.view.sight.axis_name();
    let cut = picture.view.cut;
    let cut = cut.map_or(String::new(), |at| format!(", slice at {axis}={at}"));
    format!("{width} x {height} pixels{cut}")
}
