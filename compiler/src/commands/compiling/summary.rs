//! The report of a compile as text: first what a level designer wants to know, then advice for the next step and,
//! with `-v`, all counts, costs and times. Warnings with equal text share a line.

use std::path::Path;

use indexmap::IndexMap;
use onion_compiler::fill::leak::Leak;
use onion_compiler::fill::seeds::Fill;
use onion_compiler::fill::{FillOutcome, HullFilling};
use onion_compiler::group::OtherGrouping;
use onion_compiler::report::Report;
use onion_compiler::serialize::Sizes;
use onion_maps::Warning;
use onion_maps::wording::counted;

use crate::commands::compiling::leak_file::LeakFile;
use crate::commands::output::{files, message};

/// Number of costliest brushes that the details list.
const MAX_COSTLY: usize = 5;

/// Limit on the lines of warnings; the JSON report has all warnings.
const MAX_WARNINGS: usize = 50;

/// Number of places that a warning names before it counts the others.
const MAX_PLACES: usize = 3;

/// Returns the hulls and their filling, the file that was written, the proof and, if the user wants them, the details.
pub fn text(report: &Report, output: &Path, is_verbose: bool) -> Vec<String> {
    let hulls = report.hulls.iter().zip(&report.filling);
    let hulls = hulls.map(|(hull, filling)| format!("hull {hull}; {}", outcome(filling)));
    let mut lines: Vec<String> = hulls.collect();
    let target = if files::is_stdio(output) {
        "standard output".to_owned()
    } else {
        output.display().to_string()
    };
    let (bytes, nodes) = (report.bytes, report.n_nodes);
    lines.push(format!(
        "wrote {target}: {bytes} bytes, {nodes} nodes; every leaf proven for every hull"
    ));
    if is_verbose {
        lines.extend(details(report));
    }
    lines
}

/// Describes the file that was written, for one of several maps.
pub fn line(report: &Report, output: &Path) -> String {
    let unfilled =
        |hull: &&HullFilling| !matches!(hull.outcome, FillOutcome::Filled | FillOutcome::Off);
    let unfilled = report.filling.iter().find(unfilled);
    let why = unfilled.map_or(String::new(), |hull| {
        format!("; hull {} is {}", hull.hull, outcome(hull))
    });
    let (path, bytes, nodes) = (output.display(), report.bytes, report.n_nodes);
    format!("wrote {path}: {bytes} bytes, {nodes} nodes{why}")
}

/// Returns whether a hull is filled and from how many entities, or why it is not.
fn outcome(filling: &HullFilling) -> String {
    match &filling.outcome {
        FillOutcome::Pending | FillOutcome::Filled => {
            let (n_seeds, n_starts) = (filling.n_seeds, filling.n_starts);
            match n_seeds < n_starts {
                true => format!("filled, starting from {n_seeds} of {n_starts} entities"),
                false => format!(
                    "filled, starting from {}",
                    counted(n_seeds, "entity", "entities")
                ),
            }
        }
        FillOutcome::Off => "not filled (--no-fill)".to_owned(),
        FillOutcome::NothingSolid => "not filled: nothing in the map blocks it".to_owned(),
        FillOutcome::NoSeed if filling.n_starts == 0 => {
            "not filled: the map has no entity to start from".to_owned()
        }
        FillOutcome::NoSeed => "not filled: no entity to start from has room for it".to_owned(),
        FillOutcome::Leaks { .. } => "not filled: the map leaks".to_owned(),
    }
}

/// Returns the rest of the report.
fn details(report: &Report) -> Vec<String> {
    let parts = [
        counted(report.n_brushes, "brush", "brushes"),
        counted(report.n_patches, "patch", "patches"),
        counted(report.n_patch_pieces, "flat piece", "flat pieces"),
        counted(report.n_models, "model", "models"),
        counted(report.n_entities, "entity", "entities"),
    ];
    let [brushes, patches, pieces, models, entities] = parts;
    let dropped: usize = report.filling.iter().map(|hull| hull.n_faces_dropped).sum();
    let (n_hull_brushes, n_faces) = (report.n_hull_brushes, report.n_faces);
    let (nodes, leaves, planes) = (report.n_nodes, report.n_leaves, report.n_planes);
    let mut lines = vec![
        format!(
            "map: {}, {brushes}, {patches} ({pieces}), {models}, {entities}",
            report.format
        ),
        format!(
            "geometry: {n_hull_brushes} expanded brushes, {n_faces} faces of their unions, {dropped} of them out of reach"
        ),
        format!(
            "tree: {nodes} nodes, {leaves} leaves, {planes} planes, depth {}",
            report.depth
        ),
    ];
    let other = report
        .other_grouping
        .iter()
        .map(|OtherGrouping { groups, n_nodes }| {
            format!(" (with --group {groups}: {n_nodes} nodes)")
        });
    let groups = report.groups.to_string() + &other.collect::<String>();
    lines.push(format!("groups: {groups}"));
    lines.extend(sizes(&report.optional));
    lines.extend(report.costs.summary(MAX_COSTLY));
    let audited = report.audit.leaf_hulls;
    lines.push(format!("audit: {audited} pairs of leaf and hull proven"));
    let stages = report.stages.iter();
    let times = stages.map(|(stage, seconds)| format!("{stage} {seconds:.3}"));
    let total: f64 = report.stages.iter().map(|(_, seconds)| seconds).sum();
    let times = Vec::from_iter(times).join(", ");
    lines.push(format!("seconds: {times}, total {total:.3}"));
    lines
}

/// Describes the sizes of the optional parts of the file, in bytes.
fn sizes(sizes: &Sizes) -> Vec<String> {
    let is_there = |(_, bytes): &(&str, usize)| *bytes > 0;
    let whole = [
        ("floors", sizes.floors),
        ("links between floors", sizes.links),
        ("entities", sizes.entities),
        ("the fast form", sizes.fast),
    ];
    let whole = whole
        .into_iter()
        .filter(is_there)
        .map(|(what, bytes)| format!("bytes of {what}: {bytes}"));
    let hit_data = [
        ("brushes and sides", sizes.names),
        ("hits at nodes", sizes.hits),
        ("brush shapes", sizes.shapes),
    ];
    let parts = hit_data.into_iter().filter(is_there);
    let parts: Vec<String> = parts
        .map(|(what, bytes)| format!("{what} {bytes}"))
        .collect();
    let hit_data = if parts.is_empty() {
        "hit data: none".to_owned()
    } else {
        format!("bytes of hit data: {}", parts.join(", "))
    };
    whole.chain([hit_data]).collect()
}

/// Returns advice about a hull that is not filled because of a leak, or because no entity to start from has room for
/// it, or `None` if there is no such hull.
pub fn advice(
    report: &Report,
    fill: &Fill,
    leak_file: Option<&LeakFile>,
    leak: Option<&Leak>,
) -> Option<String> {
    if let Some(leak) = leak {
        return Some(leak_advice(report, leak_file, leak));
    }
    let mut fillings = report.filling.iter();
    let filling = fillings.find(|filling| filling.outcome == FillOutcome::NoSeed)?;
    Some(match filling.n_starts {
        0 if *fill == Fill::default() => {
            "name the classes that agents start from with --fill-from, or use --no-fill".to_owned()
        }
        0 => "correct the classes of --fill-from, or use --no-fill".to_owned(),
        _ => {
            let hull = &filling.hull;
            format!("make hull {hull} smaller, or name other classes with --fill-from")
        }
    })
}

/// Returns advice about a leak.
fn leak_advice(report: &Report, leak_file: Option<&LeakFile>, leak: &Leak) -> String {
    let gap = match leak_file.filter(|file| file.is_ours) {
        Some(file) => {
            let path = file.path.display();
            format!("open {path} in a map editor, close the gap it leads through")
        }
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
    if report.hulls[leak.hull.index()].is_point() {
        format!("seal wider cracks (--seal), or {close}")
    } else {
        close
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
