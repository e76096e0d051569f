//! A level that owns its map: shared by threads, loaded again while they run, with doors that move and agents that
//! report the surface they stand on.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, RwLock};
use std::thread;

use onion_runtime::movement::{Agent, WalkSettings};
use onion_runtime::{Model, Mover, OnionMap, Pose, Scene, Trace};
use onion_tests::random::Random;

use super::Level;

const THREADS: usize = 4;

/// Compiles only for types that a Bevy resource, a component or a lazy static can hold.
const fn can_be_kept<T: Send + Sync + 'static>() {}
const _: () = can_be_kept::<OnionMap<Vec<u8>>>();
const _: () = can_be_kept::<OnionMap<Arc<[u8]>>>();
const _: () = can_be_kept::<Arc<RwLock<Arc<Level>>>>();

/// Models are passed by value.
const _: () = assert!(size_of::<Model<'_>>() <= 9 * size_of::<usize>());

fn traces(level: &Level, n_traces: usize) -> Vec<Trace<f32>> {
    let mut random = Random::new(3);
    let mut point = || random.point([-200.0, -100.0, 0.0], [200.0, 100.0, 120.0]);
    let mut point = || point().map(|x| x as f32);
    (0..n_traces)
        .map(|_| level.map.world().trace(level.stand, point(), point()))
        .collect()
}

#[test]
fn threads_share_a_level() {
    let level = Arc::new(Level::door());
    let expected = traces(&level, 2_000);
    let hits = expected.iter().filter(|trace| trace.plane.is_some());
    assert!(hits.count() > 200);
    let threads = (0..THREADS).map(|_| {
        let level = Arc::clone(&level);
        thread::spawn(move || traces(&level, 2_000))
    });
    for thread in threads.collect::<Vec<_>>() {
        assert_eq!(thread.join().unwrap(), expected);
    }
}

#[test]
fn owned_and_borrowed_maps_answer_alike() {
    let level = Level::door();
    let owned = traces(&level, 500);
    let file = level.map.into_bytes();
    let map = OnionMap::from_bytes(file.as_slice()).unwrap();
    // A borrowed map is copied like the reference inside it.
    let (copy, model) = (map, map.world());
    for trace in owned {
        let again = copy.world().trace(level.stand, trace.start, trace.end);
        assert_eq!(again, trace, "the same file has the same hulls");
        assert_eq!(model.trace(level.stand, trace.start, trace.end), trace);
    }
}

/// A level is replaced while threads trace in it: each finishes in the one it began with.
#[test]
fn a_level_is_loaded_again() {
    let files = ["door", "low_tunnel"].map(|name| Level::sample(name, false).map.into_bytes());
    let expected = files.clone().map(|file| traces(&Level::load(file), 50));
    let current = RwLock::new(Arc::new(Level::load(files[0].clone())));
    let (is_over, n_seen) = (AtomicBool::new(false), [const { AtomicUsize::new(0) }; 2]);
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    let level = Arc::clone(&current.read().unwrap());
                    let found = traces(&level, 50);
                    let which = expected.iter().position(|expected| *expected == found);
                    n_seen[which.expect("one of the levels")].fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        for load in 0.. {
            let seen = n_seen.each_ref().map(|n| n.load(Ordering::Relaxed));
            if load >= 10 && seen.iter().all(|&n| n > 0) {
                break;
            }
            *current.write().unwrap() = Arc::new(Level::load(files[load % 2].clone()));
            thread::yield_now();
        }
        is_over.store(true, Ordering::Relaxed);
    });
}

#[test]
fn a_level_prints_what_it_is() {
    let level = Level::door();
    let n_bytes = level.map.inspect().n_bytes();
    let printed = format!("{:?}", level.map);
    let hulls = "[\"stand\", \"crouch\", \"point\"]";
    let expected = format!("OnionMap {{ hulls: {hulls}, models: 3, bytes: {n_bytes} }}");
    assert_eq!(printed, expected);
    assert!(format!("{level:?}").contains(&printed));
}

/// A game with a door, which it moves between ticks.
struct Game {
    level: Arc<Level>,
    movers: Vec<Mover>,
}

impl Game {
    /// Moves the door; the result of an earlier trace stays valid meanwhile.
    fn tick(&mut self) -> Option<u32> {
        let scene = Scene::new(&self.level.map, &self.movers).unwrap();
        let walk = [[-100.0, 0.0, 24.0f32], [100.0, 0.0, 24.0]];
        let answer = scene.trace(self.level.stand, walk[0], walk[1]);
        for mover in &mut self.movers {
            let [x, y, z]: [f64; 3] = mover.to.origin();
            mover.from = mover.to;
            mover.to = mover.to.with_origin([x, y, z + 40.0]);
        }
        // The answer outlives the scene, and the move of the door.
        let hit = answer.hit?;
        assert_eq!(answer.mover, Some(0));
        Some(hit.brush.model as u32)
    }
}

#[test]
fn a_stored_door_moves() {
    let level = Arc::new(Level::door());
    let door = Mover::still(1, Pose::at(level.map.model(1).unwrap().origin()));
    let movers = vec![door];
    let mut game = Game { level, movers };
    let met: Vec<_> = (0..6).map(|_| game.tick()).collect();
    // The door is shut, and then moves 40 units up each tick: the door is 96 high and so is the doorway, the box 56.
    assert_eq!(met[0], Some(1));
    assert_eq!(met[5], None, "{met:?}");
}

/// Ice, footsteps and ladders: an agent reports its ground by brush and surface.
#[test]
fn agents_know_what_they_stand_on() {
    let level = Level::door();
    let mut agent = Agent::new(level.stand, [-100.0f32, 0.0, 24.0]);
    for _ in 0..10 {
        agent.walk(&level.map.world(), &WalkSettings::default(), [0.0; 2], 0.05);
    }
    let footing = agent.on_ground.unwrap().footing.unwrap();
    let below = [-100.0f32, 0.0, -100.0];
    let trace = level.map.world().trace(level.stand, agent.position, below);
    let hit = level.map.world().hit(level.stand, &trace).unwrap().unwrap();
    assert_eq!(footing.brush, hit.brush.number);
    assert_eq!(footing.surface, hit.side.surface.number);
    assert_eq!(footing.surface_flags, hit.side.surface.flags);
    let surface = level.map.surface(footing.surface).unwrap();
    assert_eq!(surface.name(), hit.side.surface.name());
    // On a lift the ground belongs to the lift, and a file without hit data has no footing.
    let [x, y, z] = level.map.model(2).unwrap().origin();
    let movers = [Mover::still(2, Pose::at([x, y, z]))];
    let scene = Scene::new(&level.map, &movers).unwrap();
    let mut agent = Agent::new(level.stand, [x + 22.0, y + 22.0, z + 50.0]);
    for _ in 0..20 {
        agent.walk(&scene, &WalkSettings::default(), [0.0; 2], 0.05);
    }
    let ground = agent.on_ground.unwrap();
    assert_eq!(ground.object, 1);
    let brush = level.map.inspect().brush(ground.footing.unwrap().brush);
    assert_eq!(brush.unwrap().model, 2);
    let bare = Level::sample("door", false);
    let mut agent = Agent::new(bare.stand, [-100.0f32, 0.0, 24.0]);
    agent.walk(&bare.map.world(), &WalkSettings::default(), [0.0; 2], 0.05);
    assert_eq!(agent.on_ground.unwrap().footing, None);
}
