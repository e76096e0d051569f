//! Replays a script of the conformance kit: a map and a script that calls an interface in each line in, a line with
//! the runtime's answer to each call out. `kit.md` defines the calls. Agents can walk in the same world through
//! several views of it, which must all give the same answers.

use onion_runtime::movement::{Agent, Footing, Ground, WalkSettings, World};
use onion_runtime::{
    Aabb, Coordinate, DEFAULT_MARGIN, Hit, HullId, Model, Mover, OnionMap, Pose, Scene, Source,
};

/// The view of the world, or of a model, in which agents walk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Through {
    /// The model.
    Model,
    /// The map, which stands for its world with the default margin.
    Map,
    /// The view for the hull with this number, whatever hull the agents have.
    View(usize),
    /// A scene without movers.
    Scene,
}

/// The place where agents walk.
#[derive(Clone, Copy)]
enum Place {
    Model(usize),
    Scene,
}

/// The state of a script.
struct Player<'a, T> {
    map: &'a OnionMap<&'a [u8]>,
    through: Through,
    place: Place,
    margin: f64,
    movers: Vec<Mover>,
    settings: WalkSettings,
    agent: Option<Agent<T>>,
    met: Option<Ground<T>>,
}

/// Returns the answers to a script, one line for each of its lines.
///
/// # Panics
/// If the script is wrong.
pub fn replay<T: Coordinate>(map: &OnionMap<&[u8]>, script: &str, through: Through) -> String {
    let mut player = Player::<T> {
        map,
        through,
        place: Place::Model(0),
        margin: DEFAULT_MARGIN,
        movers: Vec::new(),
        settings: WalkSettings::default(),
        agent: None,
        met: None,
    };
    let answers = script.lines().map(|line| player.answer(line) + "\n");
    answers.collect()
}

/// Returns the bits of a number in hexadecimal; all NaNs give `nan`.
fn bits(number: f64) -> String {
    if number.is_nan() {
        return "nan".to_owned();
    }
    format!("{:016x}", number.to_bits())
}

fn all<T: Coordinate>(numbers: &[T]) -> String {
    let words: Vec<String> = numbers.iter().map(|number| bits(number.widen())).collect();
    words.join(" ")
}

fn or_dash(value: Option<impl ToString>) -> String {
    value.map_or("-".to_owned(), |value| value.to_string())
}

fn flag(holds: bool) -> &'static str {
    if holds { "1" } else { "0" }
}

/// Writes a hit: source, number, side, bevel, contents, model, entity, surface, its flags and contents, and the
/// side's own plane.
fn hit(hit: Option<Hit<'_>>) -> String {
    let Some(hit) = hit else {
        return "-".to_owned();
    };
    let (source, number) = match hit.brush.source {
        Source::Brush(number) => ("brush", number),
        Source::Patch(number) => ("patch", number),
    };
    let (side, surface, contents) = (hit.side, hit.side.surface, hit.brush.contents);
    let entity = or_dash(hit.brush.entity);
    format!(
        "{source} {number} {} {} {contents} {} {entity} {} {} {} {} {}",
        side.number,
        flag(side.is_bevel),
        hit.brush.model,
        surface.number,
        surface.flags,
        surface.contents,
        all(&side.normal),
        bits(side.dist),
    )
}

/// Writes a normal, and the other facts about the ground: its model, and of its footing the brush, contents, surface
/// and flags.
fn ground<T: Coordinate>(ground: Option<Ground<T>>) -> [String; 2] {
    let Some(ground) = ground else {
        return ["-".to_owned(), "-".to_owned()];
    };
    let footing = |footing: Footing| {
        let Footing {
            brush,
            contents,
            surface,
            surface_flags,
        } = footing;
        format!("{brush} {contents} {surface} {surface_flags}")
    };
    let footing = or_dash(ground.footing.map(footing));
    [all(&ground.normal), format!("{} {footing}", ground.object)]
}

impl<'a, T: Coordinate> Player<'a, T> {
    fn answer(&mut self, line: &str) -> String {
        let words: Vec<&str> = line.split(' ').collect();
        let (&call, arguments) = words.split_first().expect("a line has a word");
        let numbers: Vec<f64> = arguments
            .iter()
            .map(|word| word.parse().unwrap_or(f64::NAN))
            .collect();
        match call {
            "hulls" => self.hulls(),
            "models" => self.models(),
            "entities" => self.entities(),
            "find" => {
                let found = self.map.find_hull(arguments[0]).map(|hull| hull.index());
                let [mins, maxs] = [1, 4].map(|first| point::<f64>(&numbers[first..]));
                let is_right = self
                    .map
                    .require_hull(arguments[0], Aabb::new(mins, maxs))
                    .is_ok();
                format!("{} {}", or_dash(found), flag(is_right))
            }
            "margin" => {
                self.margin = numbers[0];
                "ok".to_owned()
            }
            "trace" => self.trace(&numbers, arguments[1]),
            "solid" => self.solid(&numbers),
            "rest" => self.rest(),
            "clear" => {
                self.movers.clear();
                "ok".to_owned()
            }
            "mover" => self.mover(&numbers),
            "sweep" => self.sweep(&numbers, arguments[0]),
            "held" => self.held(&numbers, arguments[0]),
            _ => self.of_agent(call, arguments, &numbers),
        }
    }

    fn hull(&self, name: &str) -> HullId {
        self.map.find_hull(name).expect("the map has the hull")
    }

    fn model(&self, number: f64) -> Model<'a> {
        let model = self
            .map
            .model(number as usize)
            .expect("the map has the model");
        model.with_margin(self.margin)
    }

    fn scene(&self) -> Scene<'_, '_> {
        let scene = Scene::new(self.map, &self.movers).expect("the movers are models of the map");
        scene.with_margin(self.margin)
    }

    fn hulls(&self) -> String {
        let hulls = self.map.hulls().map(|hull| {
            let (mins, maxs) = (all(&hull.bounds.mins), all(&hull.bounds.maxs));
            format!(
                "{} {mins} {maxs} {} {}",
                hull.name,
                hull.contents,
                flag(hull.filled)
            )
        });
        hulls.collect::<Vec<_>>().join(" ; ")
    }

    fn models(&self) -> String {
        let models = (0..self.map.n_models()).map(|index| {
            let model = self.model(index as f64);
            let Aabb { mins, maxs } = model.bounds();
            let corners = [mins, maxs, model.origin()].map(|corner| all(&corner));
            format!("{} {}", corners.join(" "), or_dash(model.entity_number()))
        });
        models.collect::<Vec<_>>().join(" ; ")
    }

    fn entities(&self) -> String {
        let Ok(entities) = self.map.entities() else {
            return "-".to_owned();
        };
        let entities = entities.map(|entity| {
            let pairs = entity
                .pairs()
                .map(|(key, value)| format!("\"{key}\" \"{value}\""));
            pairs.collect::<Vec<_>>().join(" ")
        });
        entities.collect::<Vec<_>>().join(" ; ")
    }

    fn trace(&self, numbers: &[f64], hull: &str) -> String {
        let (model, hull) = (self.model(numbers[0]), self.hull(hull));
        let trace = model.trace(hull, point::<T>(&numbers[2..]), point::<T>(&numbers[5..]));
        let plane = trace.plane.map(|plane| {
            let (normal, dist) = (all(&plane.normal), bits(plane.dist));
            format!("{normal} {dist} {}", plane.number)
        });
        let found = if self.map.has_hit_data() {
            model.hit(hull, &trace).expect("the file tells")
        } else {
            None
        };
        format!(
            "{} {} {} {} {} {} {}",
            bits(trace.fraction),
            bits(trace.hit_fraction),
            all(&trace.end_pos),
            flag(trace.start_solid),
            flag(trace.all_solid),
            or_dash(plane),
            hit(found)
        )
    }

    fn solid(&self, numbers: &[f64]) -> String {
        let (model, at) = (self.model(numbers[0]), point::<T>(&numbers[1..]));
        let hulls = self.map.hulls();
        let each: Vec<_> = hulls
            .map(|hull| flag(model.is_solid(hull.id, at)))
            .collect();
        format!("{:x} {}", model.solidity(at).bits(), each.join(" "))
    }

    fn rest(&mut self) -> String {
        self.movers = self.map.movers().collect();
        let movers = self.movers.iter().map(|mover| {
            assert_eq!(mover.from, mover.to);
            let origin: [f64; 3] = mover.from.origin();
            format!("{} {}", mover.model, all(&origin))
        });
        movers.collect::<Vec<_>>().join(" ; ")
    }

    fn mover(&mut self, numbers: &[f64]) -> String {
        let [from, to] = [1, 8].map(|first| {
            let rotation = [3, 4, 5, 6].map(|number| numbers[first + number]);
            Pose::quaternion(point::<f64>(&numbers[first..]), rotation).expect("a rotation")
        });
        self.movers.push(Mover {
            model: numbers[0] as usize,
            from,
            to,
        });
        "ok".to_owned()
    }

    fn sweep(&self, numbers: &[f64], hull: &str) -> String {
        let (start, end) = (point::<T>(&numbers[1..]), point::<T>(&numbers[4..]));
        let trace = self.scene().trace(self.hull(hull), start, end);
        format!(
            "{} {} {} {} {} {} {} {}",
            bits(trace.fraction),
            bits(trace.hit_fraction),
            all(&trace.end_pos),
            flag(trace.start_solid),
            flag(trace.all_solid),
            or_dash(trace.normal.map(|normal| all(&normal))),
            or_dash(trace.mover),
            hit(trace.hit)
        )
    }

    fn held(&self, numbers: &[f64], hull: &str) -> String {
        let at = point::<T>(&numbers[1..]);
        flag(self.scene().is_solid(self.hull(hull), at, numbers[4])).to_owned()
    }

    /// Returns the world in which agents walk.
    fn world(&self) -> Box<dyn World<T> + '_> {
        match (self.place, self.through) {
            (Place::Scene, _) => Box::new(self.scene()),
            (Place::Model(0), Through::Scene) => {
                let scene = Scene::new(self.map, &[]).expect("there are no movers");
                Box::new(scene.with_margin(self.margin))
            }
            (Place::Model(model), Through::View(hull)) => {
                let hull = self.map.hulls().nth(hull).expect("the map has the hull").id;
                Box::new(self.model(model as f64).view(hull))
            }
            (Place::Model(model), _) => Box::new(self.model(model as f64)),
        }
    }

    /// Runs a call that makes or moves the agent, and writes its state and the answer of the call.
    fn of_agent(&mut self, call: &str, words: &[&str], numbers: &[f64]) -> String {
        match call {
            "world" => {
                self.place = words
                    .first()
                    .map_or(Place::Scene, |_| Place::Model(numbers[0] as usize));
                return "ok".to_owned();
            }
            "settings" => {
                self.settings = settings(numbers);
                return "ok".to_owned();
            }
            "agent" => {
                self.agent = Some(Agent::new(self.hull(words[0]), point::<T>(&numbers[1..])));
                self.met = None;
            }
            _ => {}
        }
        let mut said = "-".to_owned();
        let mut agent = self.agent.expect("there is an agent");
        match call {
            "agent" => {}
            "walk" => {
                let [x, y, dt] = point::<T>(numbers);
                let met = agent.walk(&*self.world(), &self.settings, [x, y], dt);
                self.met = met;
            }
            "swim" => {
                let dt = T::narrow(numbers[3]);
                let met = agent.swim(&*self.world(), &self.settings, point::<T>(numbers), dt);
                self.met = met;
            }
            "water" => {
                let level = agent.water_level(&*self.world(), numbers[0] as u32);
                said = (level as u32).to_string();
            }
            "ride" => {
                let ride = agent.ride(&self.scene(), &self.settings, T::narrow(numbers[0]));
                said = [ride.crushed_by, ride.pushed_by].map(or_dash).join(" ");
            }
            "push" => agent.velocity = point(numbers),
            "lift" => agent.on_ground = None,
            "jump" => said = flag(agent.jump(T::narrow(numbers[0]))).to_owned(),
            "stance" => {
                said = flag(agent.switch_stance(&*self.world(), self.hull(words[0]))).to_owned();
            }
            _ => panic!("{call} is no call"),
        }
        self.agent = Some(agent);
        let stance = self
            .map
            .hull(agent.stance)
            .expect("the agent has a hull of the map")
            .name;
        let [[stands, on], [met, at]] = [agent.on_ground, self.met].map(ground);
        let (position, velocity) = (all(&agent.position), all(&agent.velocity));
        // A scene reports other surfaces.
        let more = if self.through == Through::Scene {
            "...".to_owned()
        } else {
            format!("{on} {at}")
        };
        format!("{stance} {position} {velocity} {stands} {met} {said} {more}")
    }
}

fn settings(numbers: &[f64]) -> WalkSettings {
    let [step_height, min_ground_z, gravity, air_control, max_unstick] =
        [0, 1, 2, 3, 4].map(|number| numbers[number] as f32);
    WalkSettings {
        step_height,
        min_ground_z,
        gravity,
        air_control,
        max_unstick,
    }
}

fn point<T: Coordinate>(numbers: &[f64]) -> [T; 3] {
    [0, 1, 2].map(|axis| T::narrow(numbers[axis]))
}
