//! `onionc point` tests whether points are solid, for every hull of a compiled map. Points come from the command line
//! or from a CSV file.

use std::path::PathBuf;

use onionc::error::CommandError;

use super::{csv, files};

/// Options of a point query.
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
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        value_parser = super::whole(0, usize::MAX),
        allow_negative_numbers = true
    )]
    model: usize,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), CommandError> {
    if args.at.is_none() && args.batch.is_none() {
        let message = "give --at, or --batch FILE";
        return Err(CommandError::Usage(message.to_owned()));
    }
    files::check_inputs(
        [Some(&args.file), args.batch.as_ref()]
            .into_iter()
            .flatten(),
    )?;
    let map = super::load(&args.file, super::read_compiled(&args.file)?)?;
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
            let bits = map
                .hulls()
                .map(|hull| u8::from(solidity.contains(hull.id.index())).to_string());
            writeln!(out, "{}", bits.collect::<Vec<_>>().join(","))?;
        }
        Ok(())
    })
}
