//! Scripts of the conformance kit: lines that call an interface with random numbers. They cover all calls that
//! answers depend on: margins, models away from their origins, settings, hulls of other sizes, agents in solid.

use std::fmt::Write;

use onion_runtime::contents::{LAVA, SLIME, WATER};
use onion_runtime::{Aabb, OnionMap};

use crate::random::Random;
use crate::segments::segments;

/// Number of traces of each script, and also of its points.
const TRACES: usize = 150;
/// Number of agents of each script, and of their ticks.
const AGENTS: usize = 10;
const TICKS: usize = 80;
/// Number of scenes of each script.
const SCENES: usize = 40;
/// Distances that traces keep from the surfaces they hit, in units, in turn.
const MARGINS: [f64; 4] = [0.03125, 0.0, 3.75, -1.0];

/// A writer of a script for a map.
struct Writer<'a> {
    map: &'a OnionMap<&'a [u8]>,
    hulls: Vec<&'a str>,
    random: Random,
    text: String,
}

/// Writes numbers as words that all languages read.
fn words(numbers: &[f64]) -> String {
    let words = numbers.iter().map(|number| {
        if number.is_infinite() {
            format!("{}Infinity", if *number < 0.0 { "-" } else { "" })
        } else {
            number.to_string()
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

impl<'a> Writer<'a> {
    fn new(map: &'a OnionMap<&'a [u8]>, seed: u64) -> Self {
        Self {
            map,
            hulls: map.hulls().map(|hull| hull.name).collect(),
            random: Random::new(seed),
            text: String::new(),
        }
    }

    fn call(&mut self, call: &str, numbers: &[f64]) {
        let words = words(numbers);
        writeln!(self.text, "{}", format!("{call} {words}").trim_end()).expect("a text takes all");
    }

    fn hull(&mut self) -> &'a str {
        self.hulls[self.random.below(self.hulls.len())]
    }

    /// Picks a place in the bounds of the world, often of whole numbers.
    fn place(&mut self) -> [f64; 3] {
        let Aabb { mins, maxs } = self.map.world().bounds();
        let place = self.random.point(mins.map(f64::from), maxs.map(f64::from));
        if self.random.below(2) == 0 {
            place.map(|number| (number / 8.0).round() * 8.0)
        } else {
            place
        }
    }

    /// Picks a place with room, if one is found soon.
    fn room(&mut self, hull: &str) -> [f64; 3] {
        let hull = self.map.find_hull(hull).expect("the map has the hull");
        let mut place = self.place();
        for _ in 0..20 {
            if self.map.world().is_solid(hull, place) {
                place = self.place();
            }
        }
        place
    }
}

/// Writes calls for the contents of a file, and for the end and the hit of a segment of each kind.
pub(super) fn facts(map: &OnionMap<&[u8]>, seed: u64) -> String {
    let mut writer = Writer::new(map, seed);
    for call in ["hulls", "models", "entities"] {
        writer.call(call, &[]);
    }
    for hull in map.hulls() {
        let corners = [hull.bounds.mins, hull.bounds.maxs].map(|corner| corner.map(f64::from));
        let name = hull.name;
        for (name, other) in [(name, 0.0), (name, 1.0), (&name[..name.len() - 1], 0.0)] {
            let [mins, mut maxs] = corners;
            maxs[2] += other;
            writer.call(&format!("find {name}"), &[mins, maxs].concat());
        }
    }
    for (number, segment) in segments(TRACES, seed).into_iter().enumerate() {
        if number % 30 == 0 {
            writer.call("margin", &[MARGINS[number / 30 % MARGINS.len()]]);
        }
        let model = writer.random.below(map.n_models());
        let hull = writer.hull();
        let within = [writer.place(), writer.place()].concat();
        writer.call(&format!("trace {model} {hull}"), &within);
        writer.call(&format!("trace {model} {hull}"), &segment);
        // To whatever is below, which includes slopes.
        let [x, y, z] = writer.place();
        let down = [x, y, z, x, y, z - 4_096.0];
        writer.call(&format!("trace {model} {hull}"), &down);
        writer.call(&format!("solid {model}"), &segment[..3]);
    }
    writer.text
}

/// Writes calls for agents that run, jump, fall, crouch, and sometimes start in solid.
pub(super) fn walks(map: &OnionMap<&[u8]>, seed: u64) -> String {
    let mut writer = Writer::new(map, seed);
    for number in 0..AGENTS {
        // Models other than the world have little to walk on.
        let model = if number == AGENTS - 1 {
            map.n_models() - 1
        } else {
            0
        };
        writer.call("world", &[model as f64]);
        writer.call("margin", &[MARGINS[number % 3]]);
        writer.settings(number);
        writer.walk();
    }
    writer.text
}

impl Writer<'_> {
    fn settings(&mut self, number: usize) {
        let settings = [18.0, 0.7, 800.0, 1.0, 16.0];
        let other = [5.5, 0.35, 333.3, 7.7, 0.05];
        let strange = [-1.0, 0.0, -200.0, -3.0, 128.0];
        let pick = |setting: usize| {
            [settings, other, strange][if number.is_multiple_of(3) {
                0
            } else {
                self.random.below(3)
            }][setting]
        };
        let numbers = [0, 1, 2, 3, 4].map(pick);
        self.call("settings", &numbers);
    }

    fn walk(&mut self) {
        let hull = self.hull();
        let start = if self.random.below(4) == 0 {
            self.place()
        } else {
            self.room(hull)
        };
        self.call(&format!("agent {hull}"), &start);
        let mut wish = [0.0; 2];
        for _ in 0..TICKS {
            match self.random.below(16) {
                0 => self.call("jump", &[270.0]),
                1 | 2 => {
                    let hull = self.hull();
                    self.call(&format!("stance {hull}"), &[]);
                }
                3 => {
                    let velocity = self.random.direction().map(|part| part * 400.0);
                    self.call("push", &velocity);
                    self.call("lift", &[]);
                }
                4 | 5 => wish = [0; 2].map(|_| self.random.below(3) as f64 * 237.5 - 237.5),
                _ => {}
            }
            let dt = [1.0 / 60.0, 1.0 / 60.0, 1.0 / 17.0, 0.25][self.random.below(4)];
            if self.random.below(5) == 0 {
                let rise = self.random.between(-200.0, 200.0);
                self.call("swim", &[wish[0], wish[1], rise, dt]);
                self.call("water", &[f64::from(WATER | SLIME | LAVA)]);
            } else {
                self.call("walk", &[wish[0], wish[1], dt]);
            }
        }
    }

    /// Picks a pose: turned if the file has the data for that.
    fn pose(&mut self, can_turn: bool) -> [f64; 7] {
        let [x, y, z] = self.place();
        let mut turn = [0.0, 0.0, 0.0, 1.0];
        if can_turn {
            turn = turn.map(|_| self.random.between(-1.0, 1.0));
        }
        [x, y, z, turn[0], turn[1], turn[2], turn[3]]
    }

    /// Writes a scene of a few movers, and traces, places and a walk in it.
    fn scene(&mut self, n_movers: usize) {
        self.call("clear", &[]);
        for _ in 0..n_movers {
            let model = 1 + self.random.below(self.map.n_models() - 1);
            let can_turn = self.map.has_brush_shapes() && self.random.below(2) == 0;
            let from = self.pose(can_turn);
            let mut to = if self.random.below(3) == 0 {
                from
            } else {
                self.pose(can_turn)
            };
            if self.random.below(2) == 0 {
                to[3..].copy_from_slice(&from[3..]);
            }
            self.call(&format!("mover {model}"), &[from, to].concat());
        }
        self.ask_scene();
    }

    fn ask_scene(&mut self) {
        let margin = MARGINS[self.random.below(MARGINS.len())];
        self.call("margin", &[margin]);
        for _ in 0..3 {
            let hull = self.hull();
            let segment = [self.place(), self.place()].concat();
            self.call(&format!("sweep {hull}"), &segment);
            let moment = self.random.between(-0.5, 1.5);
            self.call(
                &format!("held {hull}"),
                &[segment[0], segment[1], segment[2], moment],
            );
        }
    }
}

impl Writer<'_> {
    /// Writes an agent that movers near it carry, push and crush.
    fn ride(&mut self, n_movers: usize) {
        let hull = self.hull();
        let start = self.room(hull);
        self.call(&format!("agent {hull}"), &start);
        let can_turn = self.map.has_brush_shapes();
        let mut poses: Vec<_> = (0..n_movers).map(|_| self.pose(can_turn)).collect();
        for pose in &mut poses {
            for axis in 0..3 {
                pose[axis] = start[axis] + self.random.between(-40.0, 40.0);
            }
        }
        let steps: Vec<_> = (0..n_movers).map(|_| self.random.direction()).collect();
        for tick in 0..TICKS {
            self.call("clear", &[]);
            for (number, pose) in poses.iter_mut().enumerate() {
                let from = *pose;
                let back = if tick / 8 % 2 == 0 { 1.0 } else { -1.0 };
                for axis in 0..3 {
                    pose[axis] += back * 4.0 * steps[number][axis];
                }
                if can_turn && number % 2 == 0 {
                    pose[3] += 0.05 * back;
                }
                let model = 1 + number % (self.map.n_models() - 1);
                self.call(&format!("mover {model}"), &[from, *pose].concat());
            }
            self.call("ride", &[1.0 / 60.0]);
            if self.random.below(16) == 0 {
                self.call("jump", &[270.0]);
            }
            let wish = self.random.direction().map(|part| part * 50.0);
            self.call("walk", &[wish[0], wish[1], 1.0 / 60.0]);
        }
    }
}

/// Writes scenes of movers at rest, and of movers that move and turn, with agents among them.
pub(super) fn scenes(map: &OnionMap<&[u8]>, seed: u64) -> String {
    let mut writer = Writer::new(map, seed);
    writer.call("rest", &[]);
    writer.ask_scene();
    writer.call("world", &[]);
    for number in 0..4 {
        writer.settings(number);
        writer.walk();
    }
    for number in 0..SCENES {
        // Few, more than a call in C has room for at first, and the largest number that fits there.
        let n_movers = [1, 3, 8, 9, 70][number % 5];
        writer.scene(if map.n_models() > 1 { n_movers } else { 0 });
    }
    if map.n_models() > 1 {
        writer.call("margin", &[MARGINS[0]]);
        writer.settings(0);
        (0..4 * AGENTS).for_each(|number| writer.ride(1 + number % 3));
    }
    writer.text
}
