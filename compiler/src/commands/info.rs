//! `onionc info` describes a compiled map, as text or JSON: its hulls and groups, its sizes, and the options of its
//! compile.

use std::path::PathBuf;

use onion_compiler::group::grouping;
use onion_compiler::hull::HullSpec;
use onion_compiler::options::arguments;
use onion_maps::contents;
use onion_maps::wording::counted;
use onion_runtime::navigation::AgentClass;
use onion_runtime::{Aabb, Hull, OnionMap};
use onionc::error::CommandError;
use serde::Serialize;

use crate::commands::output::outputs::Json;

#[derive(clap::Args)]
#[command(after_help = "Example: onionc info level.onion --json")]
pub struct Args {
    /// The compiled map; - is standard input.
    file: PathBuf,
    #[command(flatten)]
    json: Json,
}

/// What a compiled file says about itself; the keys of the JSON.
#[derive(Serialize)]
struct Info<'a> {
    version: u32,
    /// Name and version of the compiler that wrote the file.
    compiler: &'a str,
    /// BLAKE3 hash of the map file, in hexadecimal digits.
    map_digest: String,
    /// The options of the compile, as command-line arguments.
    options: Vec<String>,
    bytes: usize,
    n_nodes: usize,
    n_leaves: usize,
    n_planes: usize,
    /// Nodes on the longest path from a root to a leaf.
    depth: u32,
    /// The hulls, in the order of their numbers.
    hulls: Vec<HullInfo>,
    /// The hulls that share trees, as `--group` takes them.
    groups: String,
    /// The models; the first is the world.
    models: Vec<ModelInfo>,
    /// Entities; null with `--no-entities`.
    n_entities: Option<usize>,
    /// Blocks of the fast form; null without one.
    n_blocks: Option<usize>,
    /// Rooms of the fast form; null without one.
    n_rooms: Option<usize>,
    /// Surfaces of brush sides and patches; null without hit data.
    n_surfaces: Option<usize>,
    /// Brushes and pieces of patches; null without `--brushes`.
    n_brushes: Option<usize>,
    /// The classes of agents; null without floors.
    agents: Option<Vec<AgentInfo>>,
    /// What the compiler has proven.
    audit: AuditInfo,
}

/// A class of agents, with lengths in units and times in seconds.
#[derive(Serialize)]
struct AgentInfo {
    name: String,
    /// The names of its hulls.
    stances: Vec<String>,
    speed: f64,
    step: f32,
    jump: f64,
    drop: f64,
    slope: f32,
    gravity: f32,
    swim: f64,
    climb: f64,
    n_floors: usize,
    n_links: usize,
}

#[derive(Serialize)]
struct HullInfo {
    /// Name, corners, sides and contents.
    #[serde(flatten)]
    spec: HullSpec,
    /// The names of its contents, joined by `+`.
    contents_names: String,
    /// Whether space that agents cannot reach is solid for it.
    filled: bool,
}

#[derive(Serialize)]
struct ModelInfo {
    /// Where the map has the origin of the model, in units.
    origin: [f32; 3],
    mins: [f32; 3],
    maxs: [f32; 3],
    /// Number of the entity that has the model; null if there is none.
    entity: Option<u32>,
}

#[derive(Serialize)]
struct AuditInfo {
    /// The number of pairs of leaf and hull whose solidity was proven.
    leaf_hulls: u64,
}

/// Prints what a compiled file says about itself.
pub fn run(args: &Args) -> Result<(), CommandError> {
    let map = super::open(&args.file)?;
    let info = info(&map);
    args.json.print("version", &info, &text(&info))
}

/// Returns the lines that are printed without `--json`.
fn text(info: &Info<'_>) -> Vec<String> {
    let (nodes, leaves, planes) = (info.n_nodes, info.n_leaves, info.n_planes);
    let models = counted(info.models.len(), "model", "models");
    let part = |name: &str, content: Option<String>, remark: &str| {
        format!(
            "{name}: {}",
            content.unwrap_or_else(|| format!("none ({remark})"))
        )
    };
    let number = |number: usize| number.to_string();
    let fast = info.n_blocks.zip(info.n_rooms);
    let fast = fast.map(|(blocks, rooms)| format!("{blocks} blocks, {rooms} rooms"));
    let surfaces = info
        .n_surfaces
        .map(|surfaces| format!("{surfaces} surfaces"));
    let mut lines = vec![
        format!("compiled by {}", info.compiler),
        format!("options: {}", info.options.join(" ")),
        format!("map: BLAKE3 {}", info.map_digest),
    ];
    lines.extend(info.hulls.iter().map(|hull| {
        let filled = if hull.filled { "filled" } else { "not filled" };
        format!("hull {}; {filled}", hull.spec)
    }));
    lines.extend([
        format!("groups: {}", info.groups),
        format!(
            "tree: {nodes} nodes, {leaves} leaves, {planes} planes, depth {}, {models}",
            info.depth
        ),
        part("entities", info.n_entities.map(number), "--no-entities"),
        part("fast form", fast, "--no-fast"),
        part("hit data", surfaces, "--no-surfaces"),
        part(
            "brushes for any shape",
            info.n_brushes.map(number),
            "compile with --brushes",
        ),
    ]);
    let agents = info.agents.iter().flatten();
    lines.extend(agents.map(describe_agent));
    if info.agents.is_none() {
        lines.push(part("agents", None, "compile with --floors"));
    }
    lines.extend([
        format!(
            "audit: {} pairs of leaf and hull proven",
            info.audit.leaf_hulls
        ),
        format!(
            "file: {} bytes, format version {}",
            info.bytes, info.version
        ),
    ]);
    lines
}

/// Collects the facts from a file.
fn info(map: &OnionMap<Vec<u8>>) -> Info<'_> {
    let hull_info = |hull: Hull<'_>| HullInfo {
        spec: HullSpec::from(hull),
        contents_names: contents::to_names(hull.contents),
        filled: hull.filled,
    };
    let models = (0..map.n_models()).filter_map(|index| map.model(index));
    let model_infos = models.map(|model| {
        let Aabb { mins, maxs } = model.bounds();
        ModelInfo {
            origin: model.origin(),
            mins,
            maxs,
            entity: model.entity_number(),
        }
    });
    let hulls: Vec<HullSpec> = map.hulls().map(HullSpec::from).collect();
    let file = map.inspect();
    let options = hulls.iter().map(arguments::hull_argument);
    let options = options.chain(file.options().map(str::to_owned));
    let groups: Vec<_> = (0..file.n_groups())
        .map(|group| file.hulls_of_group(group))
        .collect();
    Info {
        version: file.version(),
        compiler: file.compiler(),
        map_digest: hex(&file.info().map_digest),
        options: options.collect(),
        bytes: file.n_bytes(),
        n_nodes: file.n_nodes(),
        n_leaves: file.n_leaves(),
        n_planes: file.n_planes(),
        depth: file.info().depth,
        hulls: map.hulls().map(hull_info).collect(),
        groups: grouping::names(&groups, &hulls),
        models: model_infos.collect(),
        n_entities: map.entities().ok().map(|entities| entities.len()),
        n_blocks: file.has_fast_form().then(|| file.blocks().len()),
        n_rooms: file.has_fast_form().then(|| file.rooms().len()),
        n_surfaces: map.has_hit_data().then(|| file.surfaces().count()),
        n_brushes: map.has_brush_shapes().then(|| file.brushes().count()),
        agents: map
            .has_links()
            .then(|| map.agents().map(|class| agent_info(map, &class)).collect()),
        audit: AuditInfo {
            leaf_hulls: file.info().leaf_hulls,
        },
    }
}

/// Collects what a file says about a class of agents.
fn agent_info(map: &OnionMap<Vec<u8>>, class: &AgentClass) -> AgentInfo {
    let hulls = map.hulls();
    let hulls = Vec::from_iter(hulls.filter(|hull| class.hulls.contains(hull.id.index())));
    let floors = hulls.iter().flat_map(|hull| map.floors(hull.id));
    let floors = Vec::from_iter(floors.map(|floor| floor.number));
    let links = floors.iter().map(|&floor| map.links_from(floor).count());
    AgentInfo {
        name: map.agent_name(class).unwrap_or_default().to_owned(),
        stances: hulls.iter().map(|hull| hull.name.to_string()).collect(),
        speed: class.speed,
        step: class.settings.step_height,
        jump: class.jump,
        drop: class.drop,
        slope: class.settings.min_ground_z,
        gravity: class.settings.gravity,
        swim: class.swim,
        climb: class.climb,
        n_floors: floors.len(),
        n_links: links.sum(),
    }
}

/// Returns the line of a class of agents, with the words of `--agent`.
fn describe_agent(agent: &AgentInfo) -> String {
    let AgentInfo {
        name,
        speed,
        step,
        jump,
        drop,
        ..
    } = agent;
    let stances = agent.stances.join(",");
    let abilities = format!("speed={speed}:step={step}:jump={jump}:drop={drop}");
    let [floors, links] = [agent.n_floors, agent.n_links];
    format!("agent {name}:{stances}:{abilities}; {floors} floors, {links} links")
}

/// Returns bytes as hexadecimal digits, two for each.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
