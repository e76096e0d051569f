//! A game in a terminal, seen from the side: a low tunnel, a door, a pool, a ladder, a lift and a target to shoot.
//!
//! ```text
//! onionc sample-maps/game.map --hull stand:16x56 --hull crouch:16x32 --hull bullet:point --brushes
//! cargo run -p onion-runtime --features shapes --example game -- sample-maps/game.onion
//! ```
//!
//! # Keys
//! A line has keys and a number of ticks, of which a second has 60, such as `d 60`: `a` and `d` walk west and east, `w`
//! jumps, swims or climbs up, `s` crouches or dives, `f` shoots. This input wins; no key is held where it has a dot:
//!
//! ```text
//! d 120
//! ds 110
//! d 120
//! dw 90
//! d 50
//! . 140
//! d 30
//! f 1
//! ```

use std::io::{BufRead, Write};

use onion_runtime::contents::{LADDER, LAVA, SLIME, SOLID, WATER};
use onion_runtime::movement::{Agent, WalkSettings, WaterLevel, World};
use onion_runtime::shape::Shape;
use onion_runtime::{HullId, Mover, OnionMap, Pose, Scene};

const TICK: f32 = 1.0 / 60.0;
/// Speeds in units per second, as in Quake III.
const RUN: f32 = 320.0;
const SWIM: f32 = 160.0;
const JUMP: f32 = 270.0;
/// Speed of the door and of the lift, in units per second, and how far they rise, in units.
const MOVER_SPEED: f32 = 96.0;
const DOOR_RISE: f32 = 100.0;
const LIFT_RISE: f32 = 176.0;

/// The state of the game: what a game of its own would keep.
pub(crate) struct Session {
    map: OnionMap<Vec<u8>>,
    /// Models 1 and 2: the door and the lift.
    movers: Vec<Mover>,
    stances: [HullId; 2],
    bullet: HullId,
    body: Shape,
    pub(crate) player: Agent<f32>,
    pub(crate) has_won: bool,
}

impl Session {
    pub(crate) fn new(file: Vec<u8>) -> Result<Self, Box<dyn std::error::Error>> {
        let map = OnionMap::from_bytes(file)?;
        if !map.has_brush_shapes() {
            // Without them there is no water and no ladder.
            return Err("the file has no brushes: compile the map with --brushes".into());
        }
        let hull = |name: &str| {
            map.find_hull(name)
                .ok_or(format!("no hull {name}: see the usage"))
        };
        let (stances, bullet) = ([hull("stand")?, hull("crouch")?], hull("bullet")?);
        let bounds = map
            .hull(stances[0])
            .ok_or("the hull is of this map")?
            .bounds;
        Ok(Self {
            movers: map.movers().collect(),
            body: Shape::axial_box(bounds)?,
            player: Agent::new(stances[0], [-448.0, 0.0, 24.0]),
            has_won: false,
            stances,
            bullet,
            map,
        })
    }

    /// Plays one tick with the keys that are held.
    pub(crate) fn tick(&mut self, keys: &str) {
        let settings = WalkSettings::default();
        self.move_movers();
        let scene = Scene::new(&self.map, &self.movers).expect("the movers are of the map");
        // First the movers carry and push the player, then the player moves.
        let ride = self.player.ride(&scene, &settings, TICK);
        let mut movers = self.movers.clone();
        if let Some(mover) = ride.crushed_by {
            // There is no room: the mover waits for this tick.
            movers[mover].to = movers[mover].from;
        }
        let scene = Scene::new(&self.map, &movers).expect("the movers are of the map");
        let held = |key: char| f32::from(u8::from(keys.contains(key)));
        let (east, up) = (held('d') - held('a'), held('w') - held('s'));
        let level = self.player.water_level(&scene, WATER | SLIME | LAVA);
        let world = self.map.world();
        let is_on_ladder = world.shape_is_solid(&self.body, LADDER, self.player.position);
        let swims = level >= WaterLevel::Waist || is_on_ladder == Ok(true);
        let stance = self.stances[usize::from(up < 0.0 && !swims)];
        self.player.switch_stance(&scene, stance);
        if swims {
            let wish = [east * SWIM, 0.0, up * SWIM];
            self.player.swim(&scene, &settings, wish, TICK);
        } else {
            if up > 0.0 {
                self.player.jump(JUMP);
            }
            self.player.walk(&scene, &settings, [east * RUN, 0.0], TICK);
        }
        if keys.contains('f') {
            let [x, y, z] = self.player.position;
            let shot = scene.trace(self.bullet, [x, y, z + 26.0], [x + 2048.0, y, z + 26.0]);
            let name = shot.hit.map(|hit| hit.side.surface.name().to_string());
            self.has_won |= name.is_some_and(|name| name.ends_with("target"));
        }
        self.movers = movers;
    }

    /// Sets the ways of door and lift in the next tick: they rise while the player is near, and sink otherwise.
    fn move_movers(&mut self) {
        let ground = self.player.on_ground.map_or(0, |ground| ground.object);
        let is_at_door = (self.player.position[0] - 136.0).abs() < 96.0;
        let wanted = [(is_at_door, DOOR_RISE), (ground == 2, LIFT_RISE)];
        for (mover, (rises, top)) in self.movers.iter_mut().zip(wanted) {
            let [x, y, z] = mover.to.origin::<f32>();
            let step = if rises {
                MOVER_SPEED * TICK
            } else {
                -MOVER_SPEED * TICK
            };
            mover.from = mover.to;
            mover.to = Pose::at([x, y, (z + step).clamp(0.0, top)]);
        }
    }

    /// Draws the middle of the map from the side.
    pub(crate) fn draw(&self) -> String {
        let scene = Scene::new(&self.map, &self.movers).expect("the movers are of the map");
        let mut text = String::new();
        for row in (0..34u8).rev() {
            for column in 0..80u8 {
                // The ladder is only 4 units wide: from 396 to 400.
                let at = [
                    f32::from(column) * 16.0 - 498.0,
                    0.0,
                    f32::from(row) * 16.0 - 136.0,
                ];
                text.push(self.letter(&scene, at));
            }
            text.push('\n');
        }
        text
    }

    /// Returns the letter for what is at a point.
    fn letter(&self, scene: &Scene<'_, '_>, at: [f32; 3]) -> char {
        let [x, _, z] = self.player.position;
        let contents = World::contents(scene, at);
        let is_of_map = World::contents(&self.map.world(), at) & SOLID != 0;
        if (at[0] - x).abs() <= 8.0 && (at[2] - z).abs() <= 16.0 {
            '@'
        } else if contents & SOLID != 0 {
            if is_of_map { '#' } else { '=' }
        } else if contents & LADDER != 0 {
            'H'
        } else if contents & WATER != 0 {
            '~'
        } else {
            ' '
        }
    }
}

/// Plays the lines of an input; each has keys and a number of ticks.
pub(crate) fn play(
    game: &mut Session,
    input: impl BufRead,
    mut out: impl Write,
) -> std::io::Result<()> {
    writeln!(out, "@ you, # wall, = door or lift, H ladder, ~ water")?;
    for line in input.lines() {
        let line = line?;
        let mut words = line.split_whitespace();
        let keys = words.next().unwrap_or("");
        let n_ticks = words.next().and_then(|word| word.parse().ok()).unwrap_or(1);
        for _ in 0..n_ticks {
            game.tick(keys);
        }
        write!(out, "{}", game.draw())?;
        let [x, y, z] = game.player.position;
        writeln!(out, "{line}: at {x:.1} {y:.1} {z:.1}")?;
        if game.has_won {
            return writeln!(out, "You hit the target.");
        }
    }
    Ok(())
}

fn main() {
    if let Err(error) = run() {
        eprintln!("game: error: {error}");
        std::process::exit(1);
    }
}

fn run() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: game MAP.onion")?;
    let mut game = Session::new(std::fs::read(path)?)?;
    play(&mut game, std::io::stdin().lock(), std::io::stdout())?;
    Ok(())
}
