//! `onionc point`: tells for every hull whether points are solid.

use std::path::PathBuf;

use onionc::error::CommandError;

/// Options of a point query.
#[derive(clap::Args)]
pub struct Args {
    /// The compiled map.
    file: PathBuf,
    /// The point.
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = super::parse_point,
          required_unless_present = "batch")]
    at: Option<[f64; 3]>,
    /// A file with a header line and then one point a line: x,y,z.
    #[arg(long, value_name = "FILE.csv", conflicts_with = "at")]
    batch: Option<PathBuf>,
    /// The model to look in, in its own space; 0 is the world.
    #[arg(long, default_value_t = 0)]
    model: usize,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), CommandError> {
    let bytes = super::read(&args.file)?;
    let map = super::load(&args.file, &bytes)?;
    let model = super::model(&map, args.model)?;
    let points = match (&args.batch, args.at) {
        (Some(batch), _) => super::rows(batch)?,
        (None, at) => at.into_iter().collect(),
    };
    super::print(|out| {
        let names: Vec<_> = map.hulls().map(|hull| hull.name).collect();
        writeln!(out, "{}", names.join(","))?;
        for point in points {
            let solidity = model.solidity_f64(point);
            let bits = map
                .hulls()
                .map(|hull| (solidity >> hull.id.index() & 1).to_string());
            writeln!(out, "{}", bits.collect::<Vec<_>>().join(","))?;
        }
        Ok(())
    })
}
