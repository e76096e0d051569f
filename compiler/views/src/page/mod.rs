//! Makes a page to walk in: a single HTML file with a compiled map, the walls that are known, and the JavaScript
//! runtime. The file loads no other file. This module assembles it; the page's own code is in `web`.

mod pack;

use std::io;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use onion_format::HullSet;
use onion_runtime::OnionMap;
use serde_json::{Map, Value, json};

use crate::walls::Wall;

/// The content of a page besides the map.
#[derive(Clone, Debug, Default)]
pub struct PageOptions {
    /// The name of the map.
    pub title: String,
    /// The points of a path out of the map, in units; empty if it does not leak.
    pub leak: Vec<[f64; 3]>,
    /// For each hull, the stances of its agent.
    pub stances: Vec<HullSet>,
}

const TEMPLATE: &str = include_str!("web/page.html");
const STYLE: &str = include_str!("web/style.css");

/// The modules of the page, by name; those of the runtime first.
const MODULES: [(&str, &str); 28] = [
    ("contents.mjs", include_str!("web/contents.mjs")),
    ("tolerance.mjs", include_str!("web/tolerance.mjs")),
    ("tables.mjs", include_str!("web/tables.mjs")),
    ("brushes.mjs", include_str!("web/brushes.mjs")),
    ("floors.mjs", include_str!("web/floors.mjs")),
    ("links.mjs", include_str!("web/links.mjs")),
    ("cone.mjs", include_str!("web/cone.mjs")),
    ("corner.mjs", include_str!("web/corner.mjs")),
    ("search.mjs", include_str!("web/search.mjs")),
    ("points.mjs", include_str!("web/points.mjs")),
    ("path.mjs", include_str!("web/path.mjs")),
    ("load.mjs", include_str!("web/load.mjs")),
    ("trace.mjs", include_str!("web/trace.mjs")),
    ("vector.mjs", include_str!("web/vector.mjs")),
    ("hit.mjs", include_str!("web/hit.mjs")),
    ("onion.mjs", include_str!("web/onion.mjs")),
    ("movement.mjs", include_str!("web/movement.mjs")),
    ("stop.mjs", include_str!("web/stop.mjs")),
    ("navigation.mjs", include_str!("web/navigation.mjs")),
    ("app.mjs", include_str!("web/app.mjs")),
    ("bots.mjs", include_str!("web/bots.mjs")),
    ("colors.mjs", include_str!("web/colors.mjs")),
    ("doors.mjs", include_str!("web/doors.mjs")),
    ("gpu.mjs", include_str!("web/gpu.mjs")),
    ("level.mjs", include_str!("web/level.mjs")),
    ("player.mjs", include_str!("web/player.mjs")),
    ("skins.mjs", include_str!("web/skins.mjs")),
    ("slice.mjs", include_str!("web/slice.mjs")),
];

/// Makes the page of a map.
///
/// # Errors
/// Compression fails, for lack of memory.
pub fn page<D: AsRef<[u8]>>(
    map: &OnionMap<D>,
    bytes: &[u8],
    walls: &[Wall],
    options: &PageOptions,
) -> io::Result<String> {
    let file = map.inspect();
    let level = json!({
        "bytes": bytes.len(),
        "nodes": file.n_nodes(),
        "leak": options.leak,
        "stances": options.stances.iter().map(|hulls| hulls.iter().collect()).collect::<Vec<Vec<_>>>(),
    });
    let parts = [
        ("{title}", escaped(&options.title)),
        ("{style}", STYLE.to_owned()),
        ("{modules}", import_map()),
        ("{title}", escaped(&options.title)),
        ("{title}", escaped(&options.title)),
        ("{level}", in_script(&level)),
        ("{map}", pack::deflated(bytes)?),
        ("{walls}", pack::deflated(&pack::walls(map, walls))?),
    ];
    Ok(filled_in(&parts))
}

/// Replaces the marks of the template one after the other, so that no inserted part is taken for a mark.
fn filled_in(parts: &[(&str, String)]) -> String {
    let mut page = String::new();
    let mut rest = TEMPLATE;
    for (mark, part) in parts {
        let (before, after) = rest.split_once(mark).unwrap_or((rest, ""));
        page += before;
        page += part;
        rest = after;
    }
    page + rest
}

/// Returns an import map with the modules as data URLs, so that the page loads no file.
fn import_map() -> String {
    let modules = MODULES.iter().map(|&(name, text)| {
        // A module in a data URL has no folder.
        let text = without_comments(text).replace("from \"./", "from \"");
        let address = format!("data:text/javascript;base64,{}", BASE64.encode(text));
        (name.to_owned(), Value::String(address))
    });
    let imports: Map<String, Value> = modules.collect();
    in_script(&json!({ "imports": imports }))
}

/// Returns a module without the lines that hold comments only.
fn without_comments(text: &str) -> String {
    let mut is_in_comment = false;
    let is_code = |line: &&str| {
        let line = line.trim();
        let begins = line.starts_with("/*") && (line.ends_with("*/") || !line.contains("*/"));
        let is_comment = is_in_comment || begins || line.starts_with("//");
        is_in_comment = (is_in_comment || begins) && !line.ends_with("*/");
        !is_comment
    };
    let lines = text.lines().filter(is_code);
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// Formats a value as JSON that does not end a script.
fn in_script(value: &Value) -> String {
    value.to_string().replace('<', "\\u003c")
}

/// Escapes a text for use between tags.
fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}
