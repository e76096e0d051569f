//! Calls of the library for C as C makes them, for Miri: every type around a pointer is made, read and written, with
//! arguments and answers at odd places, in memory of exactly their size, and with answers over arguments. Miri ends
//! the program at undefined behavior, such as a read beyond memory, of uninitialized memory, or through an
//! invalidated pointer. `cargo +nightly miri run` in this folder runs it.

use std::ffi::CStr;
use std::mem::size_of;

use onion::*;

const FILE: &[u8] = include_bytes!("../../golden/low_tunnel.onion");
const WITH_FLOORS: &[u8] = include_bytes!("../../golden/low_tunnel-floors.onion");

/// Number of points that a path has room for.
const CAPACITY: usize = 16;

/// Memory for some values at an odd address, with nothing after it.
struct Odd<T> {
    bytes: Vec<u8>,
    kind: std::marker::PhantomData<T>,
}

impl<T: Copy> Odd<T> {
    /// Allocates memory that was never written, except for one byte in front.
    fn new(count: usize) -> Self {
        let mut bytes = Vec::with_capacity(1 + count * size_of::<T>());
        bytes.push(0);
        let kind = std::marker::PhantomData;
        Self { bytes, kind }
    }

    fn of(values: &[T]) -> Self {
        let mut odd = Self::new(values.len());
        for (index, value) in values.iter().enumerate() {
            // SAFETY: there is room for all values.
            unsafe { odd.pointer().add(index).write_unaligned(*value) };
        }
        odd
    }

    fn pointer(&mut self) -> *mut T {
        // SAFETY: there is a byte in front.
        unsafe { self.bytes.as_mut_ptr().add(1) }.cast()
    }

    fn input(&mut self) -> In<T>
    where
        T: Plain,
    {
        // SAFETY: the memory is there, and was written.
        unsafe { In::new(self.pointer()) }
    }

    fn output(&mut self) -> Out<T> {
        // SAFETY: the memory is there.
        unsafe { Out::new(self.pointer()) }
    }

    /// Returns the value that a call wrote.
    fn get(&mut self) -> T {
        // SAFETY: Miri says so if it was not written.
        unsafe { self.pointer().read_unaligned() }
    }
}

/// A loaded file, in memory of exactly its size.
struct File {
    bytes: Vec<u8>,
    memory: Box<MapMemory>,
}

impl File {
    fn load(bytes: &[u8]) -> (Self, Status) {
        let memory = Box::new(MapMemory { opaque: [0; 80] });
        let mut bytes = bytes.to_vec();
        bytes.shrink_to_fit();
        let mut file = Self { bytes, memory };
        // SAFETY: the map's memory and the bytes are there as long as the file is.
        let status = unsafe {
            let map = MapOut::new(&raw mut *file.memory);
            let bytes = FileBytes::new(file.bytes.as_ptr().cast());
            onion_load(map, bytes, file.bytes.len())
        };
        (file, status)
    }

    fn map(&self) -> MapIn {
        // SAFETY: the memory was zeroed or loaded, and nothing writes to it.
        unsafe { MapIn::new(&raw const *self.memory) }
    }
}

fn text(text: &CStr) -> Characters {
    // SAFETY: it ends in a zero byte.
    unsafe { Characters::new(text.as_ptr()) }
}

fn ok(status: Status) {
    assert_eq!(status, Status::Ok);
}

fn names(file: &File, hull: &mut Odd<u64>) {
    ok(onion_find_hull(file.map(), text(c"stand"), hull.output()));
    let long = c"a name that is longer than any name of a hull can be, which is read no farther";
    assert_ne!(
        onion_find_hull(file.map(), text(long), Odd::new(1).output()),
        Status::Ok
    );
    ok(onion_get_hull_info(file.map(), 0, Odd::new(1).output()));
    ok(onion_get_surface_name(file.map(), 0, Odd::new(1).output()));
    let mut value = Odd::new(1);
    ok(onion_entity_value(
        file.map(),
        0,
        text(c"classname"),
        value.output(),
    ));
    // SAFETY: the answer is a text of the file, which is there.
    let class = unsafe { CStr::from_ptr(value.get()) };
    assert_eq!(class, c"worldspawn");
    ok(onion_entity_value(
        file.map(),
        0,
        text(c"no such key"),
        value.output(),
    ));
    ok(onion_entity_pair(
        file.map(),
        0,
        0,
        Odd::new(1).output(),
        value.output(),
    ));
}

// Long: one statement for each kind of call.
fn traces(mut world: Odd<ModelHandle>, hull: u64) {
    let mut start = Odd::of(&[[-200.0, 0.0, 24.5], [-199.0, 2.0, 30.0]]);
    let mut end = Odd::of(&[[600.0, 0.0, 24.5], [-199.0, 2.0, -300.0]]);
    let mut trace = Odd::new(1);
    let (model, starts, ends) = (world.input(), start.input(), end.input());
    ok(onion_trace(model, hull, starts, ends, trace.output()));
    assert!(trace.get().fraction < 1.0);
    ok(onion_hit(model, hull, trace.input(), Odd::new(1).output()));
    ok(onion_trace_batch(
        model,
        hull,
        starts,
        ends,
        2,
        Odd::new(2).output(),
    ));
    ok(onion_is_solid_batch(
        model,
        hull,
        starts,
        2,
        Odd::new(2).output(),
    ));
    let (mut found, mut count) = (Odd::new(1), Odd::new(1));
    let (change, count) = (found.output(), count.output());
    ok(onion_transitions(
        model, hull, starts, ends, change, 1, count,
    ));
    let shape = ShapeSpec {
        kind: 1,
        n_sides: 0,
        a: [0.0; 3],
        b: [0.0, 0.0, 9.0],
        axes: [[0.0; 3]; 3],
        radius: 8.0,
    };
    let mut shape = Odd::of(&[shape]);
    ok(onion_trace_shape(
        model,
        shape.input(),
        1,
        starts,
        ends,
        Odd::new(1).output(),
    ));
    // An answer that overwrites an argument.
    let point = start.pointer().cast::<u64>();
    // SAFETY: the point is there, larger than the answer.
    let over = unsafe { Out::new(point) };
    ok(onion_solidity(model, starts, over));
}

fn agents(file: &File, world: &mut Odd<ModelHandle>, hull: u64) {
    let mut settings = Odd::new(1);
    ok(onion_default_walk_settings(settings.output()));
    let mut agent = Odd::new(1);
    ok(onion_agent_init(
        hull,
        Odd::of(&[[-200.0, 0.0, 24.5]]).input(),
        agent.output(),
    ));
    ok(onion_movers_at_rest(
        file.map(),
        Odd::new(2).output(),
        2,
        Odd::new(1).output(),
    ));
    // SAFETY: a scene without movers may have none.
    let movers = unsafe { In::new(std::ptr::null()) };
    let handle = SceneHandle {
        map: file.map(),
        movers,
        n_movers: 0,
        margin: 0.03125,
    };
    let mut scene = Odd::of(&[handle]);
    let mut wish = Odd::of(&[[100.0, 20.0]]);
    for _ in 0..3 {
        // SAFETY: the agent is there.
        let place = unsafe { InOut::new(agent.pointer()) };
        ok(onion_agent_walk(
            world.input(),
            settings.input(),
            wish.input(),
            0.05,
            place,
        ));
        // SAFETY: as above.
        let place = unsafe { InOut::new(agent.pointer()) };
        ok(onion_scene_agent_walk(
            scene.input(),
            settings.input(),
            wish.input(),
            0.05,
            place,
        ));
    }
    assert!(agent.get().position[0] > -199.0);
    linked(handle, &mut agent);
}

/// Moves an agent through a linked portal that leads back.
fn linked(scene: SceneHandle, agent: &mut Odd<AgentState>) {
    let mut settings = Odd::new(1);
    ok(onion_default_walk_settings(settings.output()));
    let mut places = Odd::new(2);
    let mut count = Odd::new(1);
    ok(onion_linked_portals(
        scene.map,
        places.output(),
        2,
        count.output(),
    ));
    let [x, y, z] = agent.get().position.map(f64::from);
    let mut portals = Odd::of(&[LinkedPortal {
        center: [x + 1.0, y, z],
        half_size: [64.0, 64.0],
        facing: 2,
        partner: 0,
    }]);
    let mut world = Odd::of(&[LinkedHandle {
        scene,
        portals: portals.input(),
        n_portals: 1,
    }]);
    let (mut wish, mut quarters) = (Odd::of(&[[100.0, 0.0]]), Odd::new(1));
    // SAFETY: the agent is there.
    let place = unsafe { InOut::new(agent.pointer()) };
    ok(onion_linked_agent_walk(
        world.input(),
        settings.input(),
        wish.input(),
        0.05,
        place,
        quarters.output(),
    ));
    // A half turn, as the agent comes out where it goes in.
    assert_eq!(quarters.get(), 2);
}

/// Finds paths in memory of exactly its size, with room for many points and for few, and follows one.
fn paths() {
    let (file, status) = File::load(WITH_FLOORS);
    ok(status);
    let (mut hull, mut costs, mut count) = (Odd::new(1), Odd::new(1), Odd::new(1));
    ok(onion_find_hull(file.map(), text(c"stand"), hull.output()));
    ok(onion_default_path_costs(costs.output()));
    ok(onion_path_scratch_count(
        file.map(),
        CAPACITY,
        count.output(),
    ));
    let mut scratch = vec![ScratchMemory { opaque: [7; 16] }; count.get()];
    let mut start = Odd::of(&[[-200.0, 0.0, 24.5f32]]);
    let mut goal = Odd::of(&[[200.0, 0.0, 24.5f32]]);
    let mut points = Odd::new(CAPACITY);
    let (mut path, place) = (Odd::<PathResult>::new(1), scratch.as_mut_ptr());
    let mut find = |capacity: usize, count: usize, path: &mut Odd<PathResult>| {
        // SAFETY: the memory is there, and no other argument is in it.
        let scratch = unsafe { Scratch::new(place) };
        onion_path(
            file.map(),
            hull.get(),
            start.input(),
            goal.input(),
            costs.input(),
            scratch,
            count,
            points.output(),
            capacity,
            path.output(),
        )
    };
    for capacity in [2, CAPACITY, 0, 1] {
        let status = find(capacity, count.get(), &mut path);
        let found = if capacity == CAPACITY {
            Status::Ok
        } else {
            Status::PathPoints
        };
        assert_eq!(status, found);
        assert_eq!(find(capacity, 1, &mut path), Status::PathScratch);
        assert_eq!(find(capacity, 0, &mut path), Status::PathScratch);
    }
    follow(&file, hull.get(), &mut points, path.get().n_points as usize);
}

fn follow(file: &File, hull: u64, points: &mut Odd<PathPointState>, n_points: usize) {
    let (mut world, mut class, mut progress) = (Odd::new(1), Odd::new(1), Odd::new(1));
    let (mut agent, mut follower) = (Odd::new(1), Odd::new(1));
    ok(onion_world(file.map(), world.output()));
    ok(onion_get_agent_class(file.map(), 0, class.output()));
    let mut start = Odd::of(&[[-200.0, 0.0, 24.5]]);
    ok(onion_agent_init(hull, start.input(), agent.output()));
    ok(onion_path_follower_init(follower.output()));
    for _ in 0..3 {
        // SAFETY: both are there.
        let (agent, follower) =
            unsafe { (InOut::new(agent.pointer()), InOut::new(follower.pointer())) };
        ok(onion_agent_follow(
            world.input(),
            class.input(),
            points.input(),
            n_points,
            0.05,
            agent,
            follower,
            progress.output(),
        ));
    }
    assert_eq!(progress.get(), Progress::Following);
    assert!(agent.get().position[0] > -190.0);
}

/// Refuses null pointers, memory without a loaded map, and counts larger than any memory.
fn refused(file: &File, mut world: Odd<ModelHandle>, hull: u64) {
    let (none, status) = File::load(&FILE[..100]);
    assert_ne!(status, Status::Ok);
    assert_eq!(
        onion_world(none.map(), Odd::new(1).output()),
        Status::NotLoaded
    );
    // SAFETY: calls may be given pointers to nothing.
    let (no_map, no_place) =
        unsafe { (MapIn::new(std::ptr::null()), Out::new(std::ptr::null_mut())) };
    assert_eq!(onion_world(no_map, Odd::new(1).output()), Status::Pointer);
    assert_eq!(onion_world(file.map(), no_place), Status::Pointer);
    let mut points = Odd::of(&[[0.0; 3]]);
    let status = onion_is_solid_batch(
        world.input(),
        hull,
        points.input(),
        usize::MAX,
        Odd::new(1).output(),
    );
    assert_eq!(status, Status::Count);
}

fn main() {
    let (file, status) = File::load(FILE);
    ok(status);
    let world = || {
        let mut world = Odd::new(1);
        ok(onion_world(file.map(), world.output()));
        world
    };
    let mut hull = Odd::new(1);
    names(&file, &mut hull);
    traces(world(), hull.get());
    agents(&file, &mut world(), hull.get());
    paths();
    refused(&file, world(), hull.get());
    println!("no undefined behavior");
}
