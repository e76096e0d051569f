//! The command line of the benchmark: maps, hulls, kinds and numbers of queries, and the rivals that
//! take part.

use std::path::PathBuf;

use clap::Parser;
use clap::builder::PossibleValuesParser;
use onion_compiler::hull::{HullOption, HullSpec, resolve};

use crate::bvh2::BinaryBvh;
use crate::cwbvh::WideBvh;
use crate::hull_check::HullCheck;
use crate::leaf_brushes::LeafBrushes;
use crate::onion::{Batch, Kept, Onion};
use crate::parry::Parry;
use crate::plane_shift::PlaneShift;
use crate::queries::{KINDS, Kind, ORDERS, Order};
use crate::rival::Rival;

/// The default hulls.
const HULLS: [&str; 4] = ["stand:16x56", "crouch:16x32", "point:point", "big:32x72"];

/// All rivals, by their names in the tables.
const RIVALS: &[&str] = &[
    Batch::NAME,
    Kept::<Vec<u8>, true>::NAME,
    Kept::<&[u8], false>::NAME,
    LeafBrushes::NAME,
    Onion::<true>::NAME,
    HullCheck::NAME,
    PlaneShift::NAME,
    Parry::NAME,
    BinaryBvh::NAME,
    WideBvh::NAME,
    #[cfg(feature = "embree")]
    crate::embree::Embree::NAME,
];

/// Measures the onion and its rivals.
#[derive(Parser)]
pub struct Args {
    /// A folder: all IBSP 46 maps in it.
    #[arg(long, value_name = "DIR")]
    pub maps: PathBuf,
    /// Only maps whose names hold one of these texts.
    #[arg(long, value_name = "TEXT", value_delimiter = ',')]
    pub only: Vec<String>,
    /// A hull, as the compiler takes it; once for each.
    #[arg(long = "hull", value_name = "HULL", default_values = HULLS)]
    pub hulls: Vec<HullOption>,
    /// Distinct queries of each short kind, for each hull and map; long ones are fewer.
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    pub queries: usize,
    /// Kinds of queries.
    #[arg(long, value_name = "KIND", value_enum, value_delimiter = ',', default_values_t = KINDS)]
    pub kinds: Vec<Kind>,
    /// Orders of queries.
    #[arg(long, value_name = "ORDER", value_enum, value_delimiter = ',', default_values_t = ORDERS)]
    pub orders: Vec<Order>,
    /// Only these rivals, by their names in the tables; the onion always takes part.
    #[arg(long, value_name = "NAME", value_delimiter = ',', ignore_case = true,
        value_parser = PossibleValuesParser::new(RIVALS))]
    pub rivals: Vec<String>,
    /// Ticks of walking agents in place of queries.
    #[arg(long)]
    pub ticks: bool,
    /// Only say so where answers differ more often than they may.
    #[arg(long)]
    pub keep_going: bool,
    /// Where to write all that was measured.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Cargo gives this to every benchmark.
    #[arg(long, hide = true)]
    pub bench: bool,
}

impl Args {
    pub fn hulls(&self) -> Result<Vec<HullSpec>, String> {
        resolve(&self.hulls, None).map_err(|error| error.to_string())
    }

    pub fn wants(&self, rival: &str) -> bool {
        self.rivals.is_empty()
            || self
                .rivals
                .iter()
                .any(|name| name.eq_ignore_ascii_case(rival))
    }
}
