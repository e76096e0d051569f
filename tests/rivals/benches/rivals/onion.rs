//! `onion`: `HullView::trace` of `onion-runtime` in the file of all hulls, one tree, without filling. It does more
//! than its rivals: its fractions are exact, and it ensures that the end is not in solid. Beside it, `own tree`: the
//! same in a file of the hull alone, as `--group each` makes it; and `batch`: all points in one call.

use std::hint::black_box;

use onion_runtime::{HullId, HullView, Model, OnionMap, Trace};

use crate::rival::{Answer, Question, Rival, Segment, Visits};

/// The onion itself, queried through the view of a hull in the world; `OWN` if the file has no other hull.
pub struct Onion<'a, const OWN: bool = false> {
    view: HullView<'a>,
    bytes: usize,
}

impl<'a, const OWN: bool> Onion<'a, OWN> {
    /// Prepares one hull of a file.
    pub fn new(file: &'a OnionMap<Vec<u8>>, hull: HullId) -> Self {
        Self {
            view: file.world().view(hull),
            bytes: file.inspect().n_bytes(),
        }
    }
}

impl<const OWN: bool> Rival for Onion<'_, OWN> {
    const NAME: &'static str = if OWN { "own tree" } else { "onion" };
    const TOLERANCE: f32 = 0.0;

    #[inline(always)]
    fn trace<const COUNT: bool>(&mut self, segment: &Segment, _: &mut Visits) -> Answer {
        let [start, end] = *segment;
        answer(&self.view.trace(start, end))
    }

    #[inline(always)]
    fn is_solid<const COUNT: bool>(&mut self, point: [f32; 3], _: &mut Visits) -> bool {
        self.view.is_solid(point)
    }

    fn bytes(&self) -> usize {
        self.bytes
    }
}

#[inline(always)]
fn answer(trace: &Trace<f32>) -> Answer {
    Answer {
        hit_fraction: trace.hit_fraction as f32,
        fraction: trace.fraction as f32,
        normal: trace.plane.map_or([0.0; 3], |plane| plane.normal),
        start_solid: trace.start_solid,
    }
}

/// All points in one call.
pub struct Batch<'a> {
    world: Model<'a>,
    hull: HullId,
    bytes: usize,
    points: Vec<[f32; 3]>,
    solid: Vec<bool>,
}

impl<'a> Batch<'a> {
    /// Prepares one hull of a file.
    pub fn new(file: &'a OnionMap<Vec<u8>>, hull: HullId) -> Self {
        Self {
            world: file.world(),
            hull,
            bytes: file.inspect().n_bytes(),
            points: Vec::new(),
            solid: Vec::new(),
        }
    }
}

impl Rival for Batch<'_> {
    const NAME: &'static str = "batch";
    const TOLERANCE: f32 = 0.0;

    #[inline(always)]
    fn trace<const COUNT: bool>(&mut self, [start, end]: &Segment, _: &mut Visits) -> Answer {
        answer(&self.world.trace(self.hull, *start, *end))
    }

    #[inline(always)]
    fn is_solid<const COUNT: bool>(&mut self, point: [f32; 3], _: &mut Visits) -> bool {
        self.world.is_solid(self.hull, point)
    }

    fn bytes(&self) -> usize {
        self.bytes
    }

    fn answer_all(&mut self, question: Question, queries: &[Segment]) {
        if question == Question::Trace {
            let mut visits = Visits::default();
            for segment in queries {
                black_box(self.trace::<false>(segment, &mut visits));
            }
            return;
        }
        self.points.clear();
        self.points.extend(queries.iter().map(|[point, _]| *point));
        self.solid.resize(queries.len(), false);
        let Self { world, hull, .. } = self;
        world.is_solid_batch(*hull, &self.points, &mut self.solid);
        black_box(&self.solid);
    }
}

/// The onion queried through its map each time, as in a game that keeps a map and no model: a map that owns its
/// bytes, or one that borrows them.
pub struct Kept<'a, D, const OWNED: bool> {
    map: &'a OnionMap<D>,
    hull: HullId,
}

impl<'a, D: AsRef<[u8]>, const OWNED: bool> Kept<'a, D, OWNED> {
    /// Prepares one hull of a file.
    pub fn new(map: &'a OnionMap<D>, hull: HullId) -> Self {
        Self { map, hull }
    }
}

impl<D: AsRef<[u8]>, const OWNED: bool> Rival for Kept<'_, D, OWNED> {
    const NAME: &'static str = if OWNED { "owned" } else { "borrowed" };
    const TOLERANCE: f32 = 0.0;

    #[inline(always)]
    fn trace<const COUNT: bool>(&mut self, [start, end]: &Segment, _: &mut Visits) -> Answer {
        answer(&self.map.trace(self.hull, *start, *end))
    }

    #[inline(always)]
    fn is_solid<const COUNT: bool>(&mut self, point: [f32; 3], _: &mut Visits) -> bool {
        self.map.is_solid(self.hull, point)
    }

    fn bytes(&self) -> usize {
        self.map.inspect().n_bytes()
    }
}
