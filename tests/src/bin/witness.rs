//! Compares compiled maps with the bot files (`.aas`) beside them, which van Waveren's own compiler made, at random
//! places. Prints the number of agreements, and the number of differences for each explanation; see
//! `onion_tests::aas`.

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use clap::Parser;
use onion_tests::aas::{WHYS, compare};

/// Compares maps with the bot files beside them.
#[derive(Parser)]
struct Args {
    /// The maps, which have a file of the same name and `.aas` beside them.
    maps: Vec<PathBuf>,
    /// Places for each hull of a map.
    #[arg(long, default_value_t = 100_000)]
    places: usize,
    /// Also print a place of each kind.
    #[arg(long)]
    show: bool,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    print!("{:<24}", "map and hull");
    WHYS.iter()
        .for_each(|why| print!(" {:>11}", format!("{why:?}")));
    println!();
    for path in &args.maps {
        let name = path.file_stem().ok_or("no name")?.to_string_lossy();
        let files = [path.clone(), path.with_extension("aas")];
        let [map, aas] = [fs::read(&files[0])?, fs::read(&files[1])?];
        for row in compare(&name, &map, &aas, args.places).ok_or("a damaged bot file")? {
            println!("{row}");
            if args.show {
                println!("    {:?}", &row.first[2..]);
            }
        }
    }
    Ok(())
}
