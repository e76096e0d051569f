//! The report of a compile as text: first what a level designer wants to know, then advice for the next step and,
//! with `-v`, all counts, costs and times. Warnings with equal text share a line.

use std::io::{self, Write};
use std::path::Path;

use indexmap::IndexMap;
use onion_compiler::fill::leak::Leak;
use onion_compiler::fill::seeds::Fill;
use onion_compiler::fill::{FillOutcome, HullFilling};
use onion_compiler::group::Rival;
use onion_compiler::report::Report;
use onion_compiler::serialize::Sizes;
use onion_maps::Warning;
use onion_maps::wording::counted;

use super::files;
use super::leak_file::LeakFile;
use super::message;

/// Number of costliest brushes that the details list.
const MAX_COSTLY: usize = 5;

/// Limit on the lines of warnings; the JSON report has all warnings.
const MAX_WARNINGS: usize = 50;

/// Number of places that a warning names before it counts the others.
const MAX_PLACES: usize = 3;

/// Writes the hulls and their filling, the file that was written, and the proof.
pub fn write_brief(out: &mut dyn Write, report: &Report, output: &Path) -> io::Result<()> {
    for (hull, filling) in report.hulls.iter().zip(&report.filling) {
        writeln!(out, "hull {hull}; {}", outcome(filling))?;
    }
    let target = match files::is_stdio(output) {
        true => "standard output".to_owned(),
        false => output.display().to_string(),
    };
    writeln!(
        out,
        "wrote {target}: {} bytes, {} nodes; every leaf proven for every hull",
        report.bytes, report.nodes
    )
}

/// Writes the file that was written, for one of several maps.
pub fn write_line(out: &mut dyn Write, report: &Report, output: &Path) -> io::Result<()> {
    let unfilled =
        |hull: &&HullFilling| !matches!(hull.outcome, FillOutcome::Filled | FillOutcome::Off);
    let unfilled = report.filling.iter().find(unfilled);
    let why = unfilled.map_or(String::new(), |hull| {
        format!("; hull {} is {}", hull.hull, outcome(hull))
    });
    writeln!(
        out,
        "wrote {}: {} bytes, {} nodes{why}",
        output.display(),
        report.bytes,
        report.nodes
    )
}

fn outcome(filling: &HullFilling) -> String {
    match &filling.outcome {
        FillOutcome::Filled => format!(
            "filled, starting from {}",
            counted(filling.seeds, "entity", "entities")
        ),
        FillOutcome::Off => "not filled (--no-fill)".to_owned(),
        FillOutcome::NothingSolid => "not filled: nothing in the map blocks it".to_owned(),
        FillOutcome::NoSeed if filling.starts == 0 => {
            "not filled: the map has no entity to start from".to_owned()
        }
        FillOutcome::NoSeed => "not filled: no entity to start from has room for it".to_owned(),
        FillOutcome::Leaks { .. } => "not filled: the map leaks".to_owned(),
    }
}

/// Writes the rest of the report.
pub fn write_details(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    writeln!(
        out,
        "map: {}, {}, {} ({}), {}, {}",
        report.format,
        counted(report.n_brushes, "brush", "brushes"),
        counted(report.n_patches, "patch", "patches"),
        counted(report.n_patch_pieces, "flat piece", "flat pieces"),
        counted(report.n_models, "model", "models"),
        counted(report.n_entities, "entity", "entities")
    )?;
    let dropped: usize = report.filling.iter().map(|hull| hull.faces_dropped).sum();
    writeln!(
        out,
        "geometry: {} expanded brushes, {} faces of their unions, {dropped} of them out of reach",
        report.n_hull_brushes, report.n_faces
    )?;
    writeln!(
        out,
        "tree: {} nodes, {} leaves, {} planes, depth {}",
        report.nodes, report.leaves, report.planes, report.depth
    )?;
    write_groups(out, report)?;
    write_sizes(out, &report.optional)?;
    for line in report.costs.summary(MAX_COSTLY) {
        writeln!(out, "{line}")?;
    }
    writeln!(
        out,
        "audit: {} pairs of leaf and hull proven",
        report.audit.leaf_hulls
    )?;
    let stages = report.stages.iter();
    let stages = stages.map(|(stage, seconds)| format!("{stage} {seconds:.3}"));
    let total: f64 = report.stages.iter().map(|(_, seconds)| seconds).sum();
    let stages = stages.collect::<Vec<_>>().join(", ");
    writeln!(out, "seconds: {stages}, total {total:.3}")
}

fn write_groups(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    write!(out, "groups: {}", report.groups)?;
    if let Some(Rival { groups, nodes }) = &report.rival {
        write!(out, " (with --group {groups}: {nodes} nodes)")?;
    }
    writeln!(out)
}

/// Writes the sizes of the optional parts of the file, in bytes.
fn write_sizes(out: &mut dyn Write, sizes: &Sizes) -> io::Result<()> {
    if sizes.entities > 0 {
        writeln!(out, "bytes of entities: {}", sizes.entities)?;
    }
    if sizes.fast > 0 {
        writeln!(out, "bytes of the fast form: {}", sizes.fast)?;
    }
    let parts = [
        ("brushes and sides", sizes.names),
        ("hits at nodes", sizes.hits),
        ("brush shapes", sizes.shapes),
    ];
    let parts = parts.iter().filter(|(_, bytes)| *bytes > 0);
    let parts: Vec<String> = parts
        .map(|(what, bytes)| format!("{what} {bytes}"))
        .collect();
    if parts.is_empty() {
        return writeln!(out, "hit data: none");
    }
    writeln!(out, "bytes of hit data: {}", parts.join(", "))
}

/// Returns advice about a hull that is not filled, or `None` if there is no such hull.
pub fn advice(
    report: &Report,
    fill: &Fill,
    leak_file: Option<&LeakFile>,
    leak: Option<&Leak>,
) -> Option<String> {
    match leak {
        Some(leak) => Some(leak_advice(report, leak_file, leak)),
        None => seed_advice(report, fill),
    }
}

/// Returns advice about a hull without an entity to start from.
fn seed_advice(report: &Report, fill: &Fill) -> Option<String> {
    let mut fillings = report.filling.iter();
    let filling = fillings.find(|filling| filling.outcome == FillOutcome::NoSeed)?;
    Some(match filling.starts {
        0 if *fill == Fill::default() => {
            "name the classes that agents start from with --fill-from, or use --no-fill".to_owned()
        }
        0 => "correct the classes of --fill-from, or use --no-fill".to_owned(),
        _ => format!(
            "make hull {} smaller, or name other classes with --fill-from",
            filling.hull
        ),
    })
}

/// Returns advice about a leak.
fn leak_advice(report: &Report, leak_file: Option<&LeakFile>, leak: &Leak) -> String {
    let gap = match leak_file.filter(|file| file.is_ours) {
        Some(file) => format!(
            "open {} in a map editor, close the gap it leads through",
            file.path.display()
        ),
        None => "close the gap".to_owned(),
    };
    let start = match &report.filling[leak.hull.index()].outcome {
        FillOutcome::Leaks { entity, class, .. } => {
            format!(" (or move {class}, entity {entity}, if it stands outside of the map)")
        }
        _ => String::new(),
    };
    let close =
        format!("{gap}{start}, and compile again; a map that is open by design needs --no-fill");
    match report.hulls[leak.hull.index()].is_point() {
        true => format!("seal wider cracks (--seal), or {close}"),
        false => close,
    }
}

/// Returns a path quoted for a shell.
pub fn quoted(path: &Path) -> String {
    let path = path.display().to_string();
    if path.contains(char::is_whitespace) {
        format!("\"{path}\"")
    } else {
        path
    }
}

/// Prints warnings to standard error; those with the same message share a line. A map is named if there are several.
pub fn print_warnings(map: Option<&Path>, warnings: &[Warning]) {
    let map = map.map_or(String::new(), |map| format!("{}: ", map.display()));
    let mut lines: IndexMap<&str, Vec<&str>> = IndexMap::new();
    for warning in warnings {
        let places = lines.entry(&warning.message).or_default();
        places.push(&warning.place);
    }
    for (text, places) in lines.iter().take(MAX_WARNINGS) {
        message::warning(format!("{map}{}: {text}", listed(places)));
    }
    let rest: usize = lines.values().skip(MAX_WARNINGS).map(Vec::len).sum();
    if rest > 0 {
        message::warning(format!(
            "{map}{rest} more warnings are in the JSON report (--json)"
        ));
    }
}

/// Returns the first places, and the number of the rest.
fn listed(places: &[&str]) -> String {
    let first = places[..places.len().min(MAX_PLACES)].join(", ");
    match places.len() - places.len().min(MAX_PLACES) {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}
