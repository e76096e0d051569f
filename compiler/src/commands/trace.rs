//! `onionc trace` traces a hull through a compiled map, along one segment or along each segment of a CSV file. The
//! answers are CSV.

use std::io::{self, Write};
use std::path::PathBuf;

use onion_runtime::{DEFAULT_MARGIN, Hit, Source, Trace};
use onionc::error::{CommandError, usage};

use crate::commands::input::csv;
use crate::commands::output::files;

#[derive(clap::Args)]
#[command(
    after_help = "Example: onionc trace level.onion --hull stand --from 0,0,24 --to 512,0,24"
)]
pub struct Args {
    /// The compiled map; - is standard input.
    file: PathBuf,
    /// Name of the hull.
    #[arg(long)]
    hull: String,
    /// Where the hull's origin starts.
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = csv::parse_point,
          requires = "to")]
    from: Option<[f64; 3]>,
    /// Where it ends unless something stops it.
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = csv::parse_point,
          requires = "from")]
    to: Option<[f64; 3]>,
    /// A CSV file of segments with the columns sx, sy, sz (start), ex, ey and ez (end), named in its
    /// first line; - is standard input.
    #[arg(long, value_name = "FILE.csv", conflicts_with_all = ["from", "to"])]
    batch: Option<PathBuf>,
    /// Distance to keep from whatever is hit, in units.
    #[arg(long, value_name = "UNITS", default_value_t = DEFAULT_MARGIN, allow_hyphen_values = true)]
    margin: f64,
    /// Add columns for what was hit: brush or patch and its number, side, whether the plane is a bevel,
    /// surface, contents of the brush. They are empty where nothing was hit.
    #[arg(long)]
    hits: bool,
    /// The model to trace in, in its own space; 0 is the world.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = super::whole(0, usize::MAX),
          allow_negative_numbers = true)]
    model: usize,
}

// Many branches: one for each conflict of options, and one for each form of the output.
pub fn run(args: &Args) -> Result<(), CommandError> {
    if args.from.is_none() && args.batch.is_none() {
        return Err(usage("give --from and --to, or --batch FILE"));
    }
    files::check_inputs([&args.file].into_iter().chain(&args.batch))?;
    let map = super::open(&args.file)?;
    let hull = map.find_hull(&args.hull).ok_or_else(|| {
        let names: Vec<_> = map.hulls().map(|hull| hull.name).collect();
        let (hull, names) = (&args.hull, names.join(", "));
        usage(format!(
            "--hull {hull}: no such hull in the file; it has {names}"
        ))
    })?;
    let model = super::model(&map, args.model)?.with_margin(args.margin);
    let segments = match (&args.batch, args.from, args.to) {
        (Some(batch), ..) => csv::rows(batch, ["sx", "sy", "sz", "ex", "ey", "ez"])?,
        (None, Some([a, b, c]), Some([d, e, f])) => vec![[a, b, c, d, e, f]],
        (None, ..) => Vec::new(),
    };
    if args.hits && !map.has_hit_data() {
        return Err(usage(
            "--hits: the file has no hit data; compile it without --no-surfaces",
        ));
    }
    files::print(|out| {
        let columns = "fraction,hit_fraction,end_x,end_y,end_z,normal_x,normal_y,normal_z,dist,start_solid,all_solid";
        let more = ",source,number,side,bevel,surface,contents";
        writeln!(out, "{columns}{}", if args.hits { more } else { "" })?;
        for [a, b, c, d, e, f] in segments {
            let trace = model.trace(hull, [a, b, c], [d, e, f]);
            write_row(out, &trace)?;
            if args.hits {
                let hit = model.hit(hull, &trace).map_err(io::Error::other)?;
                write_hit(out, hit)?;
            }
            writeln!(out)?;
        }
        Ok(())
    })
}

/// Writes one row; normal and distance are 0 if no plane was hit.
fn write_row(out: &mut dyn Write, trace: &Trace<f64>) -> io::Result<()> {
    let [x, y, z] = trace.end_pos;
    let plane = trace.plane.map(|plane| (plane.normal, plane.dist));
    let ([a, b, c], dist) = plane.unwrap_or_default();
    let (fraction, hit_fraction) = (trace.fraction, trace.hit_fraction);
    let [start, all] = [trace.start_solid, trace.all_solid].map(u8::from);
    write!(
        out,
        "{fraction},{hit_fraction},{x},{y},{z},{a},{b},{c},{dist},{start},{all}"
    )
}

/// Writes the columns of a hit.
fn write_hit(out: &mut dyn Write, hit: Option<Hit<'_>>) -> io::Result<()> {
    let Some(hit) = hit else {
        return write!(out, ",,,,,,");
    };
    let (source, number) = match hit.brush.source {
        Source::Brush(number) => ("brush", number),
        Source::Patch(number) => ("patch", number),
    };
    let name = String::from_utf8_lossy(hit.side.surface.name_bytes);
    let (name, side, is_bevel) = (
        csv::field(&name),
        hit.side.number,
        u8::from(hit.side.is_bevel),
    );
    write!(
        out,
        ",{source},{number},{side},{is_bevel},{name},{}",
        hit.brush.contents
    )
}
