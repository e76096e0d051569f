//! `onionc point` tests whether points are solid, for every hull of a compiled map. Points come from the command line
//! or from a CSV file.

use std::path::PathBuf;

use onionc::error::{CommandError, usage};

use crate::commands::input::csv;
use crate::commands::output::files;

#[derive(clap::Args)]
#[command(after_help = "Example: onionc point level.onion --at 0,0,24")]
pub struct Args {
    /// The compiled map; - is standard input.
    file: PathBuf,
    /// The point.
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = csv::parse_point)]
    at: Option<[f64; 3]>,
    /// A CSV file of points with the columns x, y and z, named in its first line; - is standard input.
    #[arg(long, value_name = "FILE.csv", conflicts_with = "at")]
    batch: Option<PathBuf>,
    /// The model to test, in its own space; 0 is the world.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = super::whole(0, usize::MAX),
          allow_negative_numbers = true)]
    model: usize,
}

/// Prints, for each point, whether it is solid for each hull.
pub fn run(args: &Args) -> Result<(), CommandError> {
    if args.at.is_none() && args.batch.is_none() {
        return Err(usage("give --at, or --batch FILE"));
    }
    files::check_inputs([&args.file].into_iter().chain(&args.batch))?;
    let map = super::open(&args.file)?;
    let model = super::model(&map, args.model)?;
    let points = match (&args.batch, args.at) {
        (Some(batch), _) => csv::rows(batch, ["x", "y", "z"])?,
        (None, at) => at.into_iter().collect(),
    };
    files::print(|out| {
        let names: Vec<_> = map.hulls().map(|hull| csv::field(hull.name)).collect();
        writeln!(out, "{}", names.join(","))?;
        for point in points {
            let solidity = model.solidity(point);
            let is_solid = map.hulls().map(|hull| solidity.contains(hull.id.index()));
            let bits: Vec<_> = is_solid
                .map(|is_solid| u8::from(is_solid).to_string())
                .collect();
            writeln!(out, "{}", bits.join(","))?;
        }
        Ok(())
    })
}
