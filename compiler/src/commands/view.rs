//! `onionc view` makes a page to walk in: a compiled file in and, for its walls, the map it comes from; one HTML file
//! out.

use std::path::PathBuf;

use onion_compiler::error::VerifyError;
use onion_compiler::options::arguments::recorded_stances;
use onion_views::page::{self, PageOptions};
use onionc::error::CommandError;

use super::drawing;
use crate::commands::input::sources;
use crate::commands::output::files;
use crate::commands::output::kinds::Kind;
use crate::commands::output::outputs::Output;

#[derive(clap::Args)]
#[command(after_help = "Example: onionc view level.onion level.bsp -o level.html")]
pub struct Args {
    /// The compiled map; - is standard input.
    file: PathBuf,
    /// The map it was compiled from, to show its walls; not needed if it was compiled with --brushes.
    map: Option<PathBuf>,
    /// The page (HTML). [default: the compiled map's name with .html]
    #[arg(short, long, value_name = "FILE.html")]
    output: Option<PathBuf>,
}

pub fn run(args: &Args) -> Result<(), CommandError> {
    let bytes = sources::read_before(args.map.as_ref(), &args.file, "view")?;
    let map = super::load(&args.file, &bytes)?;
    let source = drawing::source(&map, &args.file, args.map.as_ref())?;
    let stances = recorded_stances(&map).map_err(VerifyError::from);
    let options = PageOptions {
        title: drawing::title(&args.file),
        leak: drawing::leak(&args.file),
        stances: stances.map_err(|error| CommandError::Verify(args.file.clone(), error))?,
    };
    let path = drawing::output(&args.file, args.output.as_ref(), "html");
    let output = Output::new("-o", &path, Kind::Page);
    output.check()?;
    let walls = drawing::walls(&map, source.as_ref())?;
    let page = page::page(&map, &bytes, &walls, &options);
    let page = page.map_err(|error| output.failed(error))?;
    output.write(page.as_bytes())?;
    if files::is_stdio(&path) {
        return Ok(());
    }
    let mut lines = vec![format!("wrote {}: {} bytes", path.display(), page.len())];
    if walls.is_empty() {
        lines.push("it shows skins only; name the map too to see its walls".to_owned());
    }
    files::print_lines(&lines)
}
