//! The page of `onionc view` in a real browser without a window: it loads and draws, and with scripted keys a player
//! walks into a wall or a door, jumps and crouches, and then is at the position of the runtime's agent, to the last
//! bit. Skipped if Chromium is not installed.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use onion_compiler::Fill;
use onion_compiler::options::arguments::recorded_stances;
use onion_runtime::movement::{Agent, WalkSettings, World};
use onion_runtime::navigation::{PathCosts, PathFollower, Progress};
use onion_runtime::{Mover, OnionMap, Scene};
use onion_tests::cases::{Case, real_cases, sample_case};
use onion_tests::fixtures::{add_entity, compiled, filled, has_or_skips};
use onion_tests::skips::skip;
use onion_views::page::{PageOptions, page};
use onion_views::walls;
use serde_json::{Value, json};
use tempfile::TempDir;

/// The page's tick in seconds, its jump in units a second.
const TICK: f64 = 1.0 / 120.0;
const JUMP: f64 = 270.0;

/// Time limit for a browser.
const PATIENCE: Duration = Duration::from_secs(120);

/// Makes the page of a map as `onionc view FILE MAP` does.
fn page_of(bytes: &[u8], case: &Case) -> String {
    let map = OnionMap::from_bytes(bytes).unwrap();
    let walls = walls::of_map(&map, &case.map).unwrap();
    let options = PageOptions {
        title: format!("{} <&>", case.name),
        leak: Vec::new(),
        stances: recorded_stances(&map).unwrap(),
    };
    page(&map, bytes, &walls, &options).unwrap()
}

/// Returns a browser, or `None`, which is listed as skipped.
fn browser() -> Option<String> {
    let named = std::env::var("CHROMIUM").ok();
    let usual = ["chromium", "chromium-browser", "google-chrome"].map(str::to_owned);
    let is_there = |name: &String| Command::new(name).arg("--version").output().is_ok();
    let found = named.into_iter().chain(usual).find(is_there);
    if found.is_none() {
        skip("the page in a browser: no chromium on the PATH");
    }
    found
}

/// A page that a browser opens.
struct Opened {
    browser: String,
    folder: TempDir,
}

/// Writes the page of a file, which `change` may edit; `None` without a browser.
fn page_in_browser(bytes: &[u8], case: &Case, change: impl Fn(String) -> String) -> Option<Opened> {
    let browser = browser()?;
    let folder = TempDir::new().unwrap();
    let page = change(page_of(bytes, case));
    fs::write(folder.path().join("level.html"), page).unwrap();
    Some(Opened { browser, folder })
}

impl Opened {
    /// Writes the page of a sample map.
    fn sample(name: &str, change: impl Fn(String) -> String) -> Option<Self> {
        let case = sample_case(name);
        page_in_browser(&case.filled().bytes, case, change)
    }

    /// Opens the page and returns the output of the browser.
    fn open(&self, hash: &str, arguments: &[&str]) -> String {
        self.open_sized([800, 600], hash, arguments)
    }

    /// Opens the page in a window of some size.
    fn open_sized(&self, size: [u32; 2], hash: &str, arguments: &[&str]) -> String {
        open(&self.browser, self.folder.path(), size, hash, arguments)
    }

    /// Returns the page's result after the keys of a script.
    fn driven(&self, script: &str) -> Value {
        let text = self.open(&format!("drive={script}"), &["--dump-dom"]);
        json_in(&text, "result")
    }
}

fn open(browser: &str, folder: &Path, size: [u32; 2], hash: &str, arguments: &[&str]) -> String {
    let output = folder.join("output.txt");
    let profile = folder.join("profile");
    let page = folder.join("level.html");
    let options = "--headless --no-sandbox --disable-gpu --no-first-run --use-gl=angle --use-angle=swiftshader \
                   --enable-unsafe-swiftshader --disable-background-networking --disable-component-update \
                   --disable-sync --disable-quic --virtual-time-budget=4000";
    let mut child = Command::new(browser)
        .args(options.split_whitespace())
        .arg(format!("--window-size={},{}", size[0], size[1]))
        .arg(format!("--user-data-dir={}", profile.display()))
        .args(arguments)
        .arg(format!("file://{}#{hash}", page.display()))
        .stdout(fs::File::create(&output).unwrap())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begun.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("the browser takes more than {PATIENCE:?}");
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    fs::read_to_string(&output).unwrap()
}

fn vector<const N: usize>(value: &Value) -> [f64; N] {
    std::array::from_fn(|k| value[k].as_f64().unwrap())
}

/// Returns the JSON in an element of a page.
fn json_in(text: &str, id: &str) -> Value {
    let begin = &format!("id=\"{id}\">");
    let start = text
        .find(begin)
        .unwrap_or_else(|| panic!("no result: {:.2000}", text))
        + begin.len();
    let end = start + text[start..].find("</script>").unwrap();
    serde_json::from_str(&text[start..end]).unwrap()
}

/// Moves an agent of the runtime through the ticks of a page's result.
fn replayed(result: &Value, map: &OnionMap<&[u8]>, world: &impl World<f64>) -> Agent<f64> {
    let hull = |name: &Value| map.find_hull(name.as_str().unwrap()).unwrap();
    let mut agent = Agent::new(hull(&result["hull"]), vector(&result["start"]));
    for tick in result["ticks"].as_array().unwrap() {
        if tick["jump"] == true {
            agent.jump(JUMP);
        }
        agent.switch_stance(world, hull(&tick["stance"]));
        let settings = WalkSettings::default();
        agent.walk(world, &settings, vector::<2>(&tick["wish"]), TICK);
    }
    agent
}

#[test]
fn a_scripted_player_is_where_the_agent_is() {
    let sample = sample_case("courtyard");
    let hulls = ["stand:16x56", "crouch:16x32"];
    let case = Case::new("courtyard", &sample.bytes, &hulls, "one");
    let bytes = &case.filled().bytes;
    let Some(page) = page_in_browser(bytes, &case, |page| page) else {
        return;
    };
    let map = OnionMap::from_bytes(&bytes[..]).unwrap();
    let result = page.driven("w120,wj1,w60,d200,c30,30");
    assert_eq!(result["ticks"].as_array().unwrap().len(), 441);
    let agent = replayed(&result, &map, &map.world());
    // Equal numbers have equal bits, except for the sign of zero, which JSON does not keep.
    assert_eq!(vector(&result["position"]), agent.position, "{agent:?}");
    assert_eq!(vector(&result["velocity"]), agent.velocity, "{agent:?}");
    // The walls of the court are at 768, the box reaches 16 beyond its origin, and traces keep 1/32 off.
    let reach = agent.position.map(f64::abs).into_iter().fold(0.0, f64::max);
    assert_eq!(reach, 768.0 - 16.0 - 1.0 / 32.0);

    // The click at the end: the end of the runtime's trace, and the name of a wall.
    let found = &result["trace"];
    let end = vector::<3>(&found["endPos"]);
    let is_hit = found["plane"].is_object() && !map.world().is_solid(agent.stance, end);
    assert!(is_hit, "{found}");
    let title = result["title"].as_str().unwrap();
    assert!(title.starts_with("brush "), "{result}");
}

/// The door is in the middle of the doorway, and its box is 4 to each side. The lift is at its entity's origin.
#[test]
fn doors_stop_the_player() {
    let case = sample_case("door");
    let bytes = &case.filled().bytes;
    let Some(page) = Opened::sample("door", |page| page) else {
        return;
    };
    let map = OnionMap::from_bytes(&bytes[..]).unwrap();
    let movers: Vec<Mover> = map.movers().collect();
    let scene = Scene::new(&map, &movers).unwrap();
    let result = page.driven("w240,a30,wd60");
    let agent = replayed(&result, &map, &scene);
    assert_eq!(vector(&result["position"]), agent.position, "{agent:?}");
    assert_eq!(vector(&result["velocity"]), agent.velocity, "{agent:?}");
    // It slides along the door, which keeps it a little farther off.
    let off = -4.0 - 16.0 - agent.position[0];
    assert!(off > 0.0 && off < 0.1, "{agent:?}");
    let without = replayed(&result, &map, &map.world());
    assert!(without.position[0] > 100.0, "{without:?}");
    // So do the traces of clicks.
    assert_eq!(result["trace"]["mover"], 0, "{result}");
    let title = result["title"].as_str().unwrap();
    assert!(title.ends_with("textures/samples/door"), "{result}");
}

/// A script for a page: hides the doors, walks ahead for some frames, and writes down where the player is.
const PASS: &str = r#"<script>
let [at, left] = [0, 100];
window.requestAnimationFrame = (next) => left-- > 0 && setTimeout(() => next((at += 50)), 1);
</script><script type="module">
const wait = () => {
  if (!document.body.dataset.ready) return setTimeout(wait, 20);
  const label = [...document.querySelectorAll('#layers label')].find((at) => at.textContent.startsWith("doors"));
  label.click();
  document.dispatchEvent(new KeyboardEvent("keydown", { code: "KeyW" }));
  setTimeout(() => {
    const place = document.getElementById("state").textContent.split("\n")[1].split(/\s+/).map(Number);
    const made = { type: "application/json", id: "passed", textContent: JSON.stringify(place) };
    document.body.append(Object.assign(document.createElement("script"), made));
  }, 3000);
};
wait();
</script></body>"#;

#[test]
fn doors_that_are_hidden_stop_nobody() {
    let Some(page) = Opened::sample("door", |page| page.replace("</body>", PASS)) else {
        return;
    };
    let text = page.open_sized([320, 240], "enter", &["--dump-dom"]);
    let place: [f64; 3] = vector(&json_in(&text, "passed"));
    assert!(place[0] > 100.0, "{place:?}");
}

/// The classes of agents of the tests with floors: a player who crouches, a larger and a smaller monster.
const CLASSES: [&str; 4] = ["stand:16x56", "crouch:16x32", "ogre:32x96", "imp:12x32"];

/// A sample map with the floors of three classes.
fn with_floors(name: &str) -> (Case, Vec<u8>) {
    let sample = sample_case(name);
    let case = Case::new(name, &sample.bytes, &CLASSES, "one");
    let made = compiled(&case.map, &CLASSES, |options| {
        options.floors = true;
        options.fill = Fill::default();
    });
    (case, made.bytes)
}

/// To the other side of the courtyard, as the runtime's follower gets there.
#[test]
fn a_player_goes_where_it_is_sent() {
    let (case, bytes) = with_floors("courtyard");
    let Some(page) = page_in_browser(&bytes, &case, |page| page) else {
        return;
    };
    let map = OnionMap::from_bytes(&bytes[..]).unwrap();
    let ogre = map.find_hull("ogre").unwrap();
    let goal = [-320.0, 320.0, 24.0];
    let text = page.open("go=-320,320,24&drive=1200", &["--dump-dom"]);
    let result = json_in(&text, "result");
    assert_eq!(result["hull"], "ogre", "{result}");
    let start = vector::<3>(&result["start"]);
    let (_, goal) = map.nearest_floor(ogre, goal, 128.0).unwrap();
    let mut scratch = vec![Default::default(); map.path_scratch()];
    let mut points = vec![Default::default(); 64];
    let costs = PathCosts::default();
    let path = map.path(ogre, start, goal, &costs, &mut scratch, &mut points);
    let points = &points[..path.unwrap().n_points];
    let class = map.agent_of(ogre).unwrap();
    let (mut agent, mut follower) = (Agent::new(ogre, start), PathFollower::new());
    let mut progress = Progress::Following;
    for tick in result["ticks"].as_array().unwrap() {
        assert_eq!(tick["follows"] == true, progress == Progress::Following);
        progress = match progress {
            Progress::Following => follower.walk(&mut agent, &map.world(), &class, points, TICK),
            _ => {
                agent.walk(&map.world(), &WalkSettings::default(), [0.0; 2], TICK);
                progress
            }
        };
    }
    assert_eq!(progress, Progress::Arrived, "{result}");
    assert_eq!(vector(&result["position"]), agent.position, "{agent:?}");
}

/// A script for a page: lets 100 bots walk for a minute, and writes into it what came of that.
const BOTS: &str = r#"<script type="module">
import { Bots } from "bots.mjs";
import { readLevel } from "level.mjs";
const { map } = await readLevel();
const [bots, world] = [new Bots(map, 100), map.world()];
let nSolid = 0;
const begun = performance.now();
for (let tick = 0; tick < 3600; tick++) {
  bots.tick(world);
  for (const { agent } of bots.all) if (world.isSolid(agent.stance, agent.position)) nSolid++;
}
const { nArrived, nStuck } = bots;
const names = [...new Set(bots.all.map(({ agentClass }) => agentClass.name))];
const text = JSON.stringify({ nArrived, nStuck, nSolid, names, tick: (performance.now() - begun) / 3600 });
document.body.append(Object.assign(document.createElement("script"), { type: "application/json", id: "bots", textContent: text }));
</script></body>"#;

/// Bots of three classes walk through the courtyard, and nothing stops them.
#[test]
fn a_hundred_bots_cross_the_map() {
    let (case, bytes) = with_floors("courtyard");
    let walk = |page: String| page.replace("</body>", BOTS);
    let Some(page) = page_in_browser(&bytes, &case, walk) else {
        return;
    };
    let found = json_in(&page.open("still", &["--dump-dom"]), "bots");
    assert_eq!(found["names"].as_array().unwrap().len(), 3, "{found}");
    let [n_arrived, n_stuck, n_solid] =
        ["nArrived", "nStuck", "nSolid"].map(|name| found[name].as_u64().unwrap());
    assert!(n_arrived > 1_000, "{found}");
    assert_eq!([n_stuck, n_solid], [0, 0], "{found}");
}

#[test]
fn it_draws() {
    let Some(page) = Opened::sample("courtyard", |page| page) else {
        return;
    };
    let picture = page.folder.path().join("page.png");
    let screenshot = format!("--screenshot={}", picture.display());
    page.open("still&enter", &[&screenshot]);
    let mut reader = png::Decoder::new(std::io::BufReader::new(fs::File::open(&picture).unwrap()))
        .read_info()
        .unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let frame = reader.next_frame(&mut bytes).unwrap();
    let size = frame.color_type.samples();
    // Panels have few colors; light and shadow of the level have many.
    let colors: std::collections::BTreeSet<_> = bytes.chunks(size).collect();
    assert!(colors.len() > 2_000, "{} colors", colors.len());
}

#[test]
fn a_slice_is_where_one_flies() {
    let Some(page) = Opened::sample("courtyard", |page| page) else {
        return;
    };
    let text = page.open("at=-500,-600,400,50,-35", &["--dump-dom"]);
    assert!(text.contains("slice at z = 400"), "{:.2000}", text);
}

/// A script for a page: writes into it the box of each visible panel, and the number of visible keys.
const MEASURE: &str = r#"<script type="module">
const wait = () => {
  if (!document.body.dataset.ready) return setTimeout(wait, 20);
  const boxes = {};
  let keys = 0;
  for (const at of document.querySelectorAll(".panel, #menu, #stick, #touch button, kbd")) {
    const { x, y, right, bottom } = at.getBoundingClientRect();
    if (right <= x) continue;
    if (at.tagName === "KBD") keys++;
    else boxes[at.id] = [x, y, right, bottom];
  }
  const text = JSON.stringify({ boxes, keys, width: innerWidth, height: innerHeight });
  const made = Object.assign(document.createElement("script"), { type: "application/json", id: "measured", textContent: text });
  document.body.append(made);
};
wait();
</script></body>"#;

/// No visible panel overlaps another or extends beyond the window; a touch screen has a stick and no keys, a desktop
/// has keys and no stick. Each has a panel for the hit of a trace.
#[test]
fn panels_do_not_overlap() {
    let Some(page) = Opened::sample("courtyard", |page| page.replace("</body>", MEASURE)) else {
        return;
    };
    let fingers = "--blink-settings=primaryPointerType=2,availablePointerTypes=2";
    // Of each height, a window of this browser takes 143 for itself.
    for (size, is_touch, has_keys) in [
        ([1280, 800], false, true),
        ([600, 800], false, true),
        ([500, 987], true, false),
        ([844, 533], true, false),
    ] {
        let pointer: &[&str] = if is_touch { &[fingers] } else { &[] };
        let arguments = [&["--dump-dom"], pointer].concat();
        let text = page.open_sized(size, "drive=w1", &arguments);
        let found = json_in(&text, "measured");
        let window = [&found["width"], &found["height"]].map(|x| x.as_f64().unwrap());
        let boxes = found["boxes"].as_object().unwrap().iter();
        let boxes: Vec<(&String, [f64; 4])> = boxes.map(|(id, at)| (id, vector(at))).collect();
        let shows = |name: &str| boxes.iter().any(|(id, _)| *id == name);
        let has = |names: [&str; 3]| names.map(shows) == [true; 3];
        assert_eq!(has(["stick", "jump", "fly"]), is_touch, "{size:?}: {found}");
        assert_eq!(found["keys"] != 0, has_keys, "{size:?}: {found}");
        assert_eq!(shows("menu"), !shows("layers"), "{size:?}: {found}");
        assert!(has(["hit", "slice", "head"]), "{size:?}: {found}");
        for (number, (id, at)) in boxes.iter().enumerate() {
            let is_inside =
                at[0] >= 0.0 && at[1] >= 0.0 && at[2] <= window[0] && at[3] <= window[1];
            assert!(is_inside, "{size:?}: {id} {at:?} of {window:?}");
            for (other, over) in &boxes[number + 1..] {
                let is_apart = (0..2).any(|k| at[k] >= over[k + 2] || over[k] >= at[k + 2]);
                assert!(is_apart, "{size:?}: {id} {at:?} and {other} {over:?}");
            }
        }
    }
}

/// Keys move the player as expected, by hand: the start of the low tunnel looks east, so right is south.
#[test]
fn keys_lead_where_they_should() {
    let Some(page) = Opened::sample("low_tunnel", |page| page) else {
        return;
    };
    for (script, direction, speed) in [
        ("w40", [1.0, 0.0], 320.0),
        ("s20", [-1.0, 0.0], 320.0),
        ("d40", [0.0, -1.0], 320.0),
        ("a40", [0.0, 1.0], 320.0),
        ("cw40", [1.0, 0.0], 160.0),
    ] {
        let result = page.driven(script);
        let [from, to] = ["start", "position"].map(|name| vector::<3>(&result[name]));
        let last = result["ticks"].as_array().unwrap().last().unwrap();
        let wish: [f64; 2] = vector(&last["wish"]);
        for k in 0..2 {
            let off = wish[k] - direction[k] * speed;
            assert!(off.abs() < TICK, "{script}: {wish:?}");
            let moved = (to[k] - from[k]) * direction[k];
            let is_moved = direction[k] == 0.0 || moved > 10.0;
            assert!(is_moved, "{script}: {from:?} {to:?}");
        }
    }
}

/// A script for a page of the room: writes into it the areas of the standing hull's skin that face up, down and
/// sideways, the colors of the slice at some places, the place where a player begins, and the eye of a player that
/// walks and then flies, before and after.
const ASK: &str = r#"<script type="module">
import { readLevel, beginning } from "level.mjs";
import { skin } from "skins.mjs";
import { Slice } from "slice.mjs";
import { Player } from "player.mjs";
const { map, tables } = await readLevel();
const areas = { up: 0, down: 0, side: 0 };
skin(tables, 0, 0, [[-400, -400, -400], [400, 400, 400]], (corners, normal) => {
  let sum = 0;
  for (let i = 2; i < corners.length; i++) {
    const [a, b] = [corners[i - 1], corners[i]].map((corner) => corner.map((x, k) => x - corners[0][k]));
    const cross = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    sum += cross.reduce((all, x, k) => all + x * normal[k], 0) / 2;
  }
  areas[normal[2] > 0.5 ? "up" : normal[2] < -0.5 ? "down" : "side"] += sum;
});
const figure = document.createElement("figure");
figure.innerHTML = "<canvas></canvas><figcaption></figcaption>";
const slice = new Slice(figure);
const hulls = [...map.hulls];
for (let i = 0; i < 400; i++) slice.update(map, hulls, [200, 0, 60], 0);
const context = figure.querySelector("canvas").getContext("2d");
const at = (x, y) => [...context.getImageData(Math.round(80 + (x - 200) / 4.8), Math.round(80 - y / 4.8), 1, 1).data.slice(0, 3)];
const colors = [at(100, 0), at(248, 100), at(300, 0), at(-120, 200), at(100, 248)];
const { position, angle } = beginning(map, hulls[0]);
const player = new Player(map, hulls[0], undefined, { position, angle });
player.key("KeyW", true);
player.pass(0.1);
const { eye } = player;
player.toggleFlight();
const flight = [eye, player.eye];
const text = JSON.stringify({ areas, colors, position, angle, flight });
document.body.append(Object.assign(document.createElement("script"), { type: "application/json", id: "asked", textContent: text }));
</script></body>"#;

/// The room is 512 wide and 256 high; a box of 32 by 56 keeps 16 from its walls, 24 from its floor, 32 from its roof.
#[test]
fn skins_and_slices_are_those_of_the_room() {
    let sample = sample_case("room");
    let hulls = ["stand:16x56", "point:point"];
    let case = Case::new("room", &sample.bytes, &hulls, "one");
    let mut map = case.map.clone();
    // A start in a wall comes before the others: the player begins at the next one.
    add_entity(&mut map, "info_player_deathmatch", "900 900 0");
    let own = map.entities.pop().unwrap();
    map.entities.insert(1, own);
    let bytes = filled(&map, &hulls).into_bytes();
    let ask = |page: String| page.replace("</body>", ASK);
    let Some(page) = page_in_browser(&bytes, &case, ask) else {
        return;
    };
    let asked = json_in(&page.open("still", &["--dump-dom"]), "asked");
    let file = OnionMap::from_bytes(bytes).unwrap();
    let stand = file.find_hull("stand").unwrap();
    let up = file
        .world()
        .trace::<f64>(stand, [0.0, 0.0, 60.0], [0.0, 0.0, 4000.0]);
    let height = (up.end_pos[2] - 24.0).round();
    for (name, area) in [
        ("up", 480.0 * 480.0),
        ("down", 480.0 * 480.0),
        ("side", 4.0 * 480.0 * height),
    ] {
        let found = asked["areas"][name].as_f64().unwrap();
        assert!((found - area).abs() < 4.0, "{name}: {found} and {area}");
    }
    let (free, stand_only, rock) = ([250, 246, 234], [246, 176, 77], [108, 123, 142]);
    let expected = json!([free, stand_only, rock, free, stand_only]);
    assert_eq!(asked["colors"], expected, "{asked}");
    let position = vector::<3>(&asked["position"]);
    assert!(!file.world().is_solid(stand, position), "{asked}");
    assert!(position[0].abs() < 240.0, "{asked}");
    assert_eq!(asked["flight"][0], asked["flight"][1], "{asked}");
}

/// Frames that take half a second each give two frames a second, whatever the player's own clock does with them.
#[test]
fn slow_frames_are_told() {
    let slow = "<script>let at = 0, left = 60; \
                window.requestAnimationFrame = (next) => left-- > 0 && setTimeout(() => next((at += 500)), 1);\
                </script></head>";
    let Some(page) = Opened::sample("low_tunnel", |page| page.replace("</head>", slow)) else {
        return;
    };
    let text = page.open_sized([320, 240], "still", &["--dump-dom"]);
    assert!(text.contains(" 2 fps"), "{:.3000}", text);
}

/// Without a browser, at least its modules have no errors of syntax.
#[test]
fn its_modules_are_well_formed() {
    if !has_or_skips("node", "the modules of the page") {
        return;
    }
    let folder = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../compiler/views/src/page/web"
    );
    let entries = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let modules = entries.filter(|path| path.extension().is_some_and(|end| end == "mjs"));
    for module in modules {
        let node = Command::new("node").arg("--check").arg(&module).output();
        let errors = node.unwrap().stderr;
        assert!(errors.is_empty(), "{}", String::from_utf8_lossy(&errors));
    }
}

#[test]
fn pages_are_small_and_need_nothing() {
    let samples = ["courtyard", "low_tunnel"].map(sample_case);
    for case in samples.into_iter().chain(real_cases().iter().take(3)) {
        let bytes = &case.filled().bytes;
        let page = page_of(bytes, case);
        let most = bytes.len() * 14 / 10 + 250_000;
        assert!(page.len() < most, "{}: {} of {most}", case.name, page.len());
        assert!(page.contains("&lt;&amp;&gt;</title>"), "{}", case.name);
        for word in ["http:", "https:", " src=", "@import", "fetch("] {
            assert!(!page.contains(word), "{}: {word}", case.name);
        }
    }
}

#[test]
fn pages_hold_each_module_that_another_imports() {
    let case = sample_case("low_tunnel");
    let page = page_of(&case.filled().bytes, case);
    let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("../compiler/views/src/page/web");
    let mut n_imports = 0;
    for entry in fs::read_dir(web).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        for import in text.split(" from \"").skip(1) {
            let name = import.split('"').next().unwrap();
            let name = name.trim_start_matches("./");
            let module = format!("\"{name}\":\"data:text/javascript");
            assert!(page.contains(&module), "{}: {name}", path.display());
            n_imports += 1;
        }
    }
    assert!(n_imports > 20, "{n_imports}");
}
