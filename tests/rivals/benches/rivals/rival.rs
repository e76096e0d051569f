//! The interface of a rival: a segment in, the fraction at which its hull first meets the map out. The timing loop is
//! compiled separately for each rival; only whole lists of queries go through dynamic dispatch.

use std::hint::black_box;
use std::time::Instant;

/// A segment, start and end, in units; for queries about points only the start counts.
pub type Segment = [[f32; 3]; 2];

/// The distance that a trace keeps from the surface it hits, in units: Quake's `DIST_EPSILON`, which is also the
/// onion's default margin.
pub const BACK_OFF: f32 = 1.0 / 32.0;

/// Largest error of an f32 answer along the segment, in units. Some thousands of units from the origin, distances to
/// planes are off by up to 2^-10 units; segments that meet a plane at an angle increase that. Of the answers on real
/// maps, 0.02% are farther off: those that graze an edge.
pub const SINGLE_PRECISION: f32 = 1.0 / 64.0;

/// The answer to a trace.
#[derive(Clone, Copy, Debug)]
pub struct Answer {
    /// Part of the segment before the hull enters solid, 0 to 1; 1 if it never does.
    pub hit_fraction: f32,
    /// The same, backed off by [`BACK_OFF`] from the plane that was hit.
    pub fraction: f32,
    /// Unit normal of the surface that was hit, against the motion; zero without a hit.
    pub normal: [f32; 3],
    /// Whether the hull is in solid where the segment starts.
    pub start_solid: bool,
}

impl Answer {
    /// The answer of a miss.
    pub const MISS: Self = Self {
        hit_fraction: 1.0,
        fraction: 1.0,
        normal: [0.0; 3],
        start_solid: false,
    };

    /// The answer if the start is in solid, after which the trace stops.
    pub const STUCK: Self = Self {
        hit_fraction: 0.0,
        fraction: 0.0,
        start_solid: true,
        ..Self::MISS
    };

    /// Returns the answer of a hit on a plane with this normal, which the segment approaches by `approach` units in
    /// total.
    #[inline(always)]
    pub fn hit(hit_fraction: f32, normal: [f32; 3], approach: f32) -> Self {
        Self {
            hit_fraction,
            fraction: (hit_fraction - BACK_OFF / approach).max(0.0),
            normal,
            start_solid: false,
        }
    }
}

/// The visits of a trace; only counted in runs that are not timed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Visits {
    /// Nodes of the tree, or pairs of boxes of a BVH.
    pub nodes: u64,
    /// Brushes or parts that were clipped against.
    pub brushes: u64,
    /// Bytes of all records of the structure that were read: nodes, planes, lists and sides of brushes.
    pub bytes: u64,
}

impl Visits {
    /// Counts a node that was visited and read, in runs that count.
    #[inline(always)]
    pub fn node<const COUNT: bool, T>(&mut self) {
        self.nodes += u64::from(COUNT);
        self.read::<COUNT, T>(1);
    }

    /// Counts a brush that is clipped against.
    #[inline(always)]
    pub fn brush<const COUNT: bool>(&mut self) {
        self.brushes += u64::from(COUNT);
    }

    /// Counts some records that were read.
    #[inline(always)]
    pub fn read<const COUNT: bool, T>(&mut self, n_records: usize) {
        if COUNT {
            self.bytes += (n_records * size_of::<T>()) as u64;
        }
    }
}

/// Means over some queries; `None` for a number that the rival does not count.
#[derive(Clone, Copy, Debug)]
pub struct MeanVisits {
    /// The mean of [`Visits::nodes`].
    pub nodes: Option<f64>,
    /// The mean of [`Visits::brushes`].
    pub brushes: Option<f64>,
    /// The mean of [`Visits::bytes`].
    pub bytes: Option<f64>,
}

impl MeanVisits {
    /// Returns nodes and brushes together.
    pub fn visits(&self) -> Option<f64> {
        let sum = self.nodes.unwrap_or(0.0) + self.brushes.unwrap_or(0.0);
        self.nodes.or(self.brushes).map(|_| sum)
    }
}

/// A way to answer traces of one hull in one map. `COUNT` is set for runs that count visits.
pub trait Rival {
    /// The name in tables.
    const NAME: &'static str;

    /// Largest distance along the segment between an answer and the exact one for which they agree, in units.
    const TOLERANCE: f32 = SINGLE_PRECISION;

    /// The reason why answers may differ more often than [`crate::agreement::MAX_DIFFERENT`], if they may.
    const APPROXIMATE: Option<&'static str> = None;

    /// Whether nodes and brushes are counted in [`Visits`].
    const COUNTED: [bool; 2] = [false, false];

    /// This rival gets one in this many of the queries, because it is slow.
    const EVERY: usize = 1;

    /// Traces the hull up to where it first meets the map.
    fn trace<const COUNT: bool>(&mut self, segment: &Segment, visits: &mut Visits) -> Answer;

    /// Whether the hull at a point is in solid.
    fn is_solid<const COUNT: bool>(&mut self, point: [f32; 3], visits: &mut Visits) -> bool;

    /// Returns the memory that queries may read, in bytes.
    fn bytes(&self) -> usize;

    /// Answers all queries; this is the timed part. By default it makes one call for each query; a rival that answers
    /// many at once has its own.
    #[inline(always)]
    fn answer_all(&mut self, question: Question, queries: &[Segment]) {
        let mut visits = Visits::default();
        match question {
            Question::Trace => {
                for segment in queries {
                    black_box(self.trace::<false>(segment, &mut visits));
                }
            }
            Question::Point => {
                for [point, _] in queries {
                    black_box(self.is_solid::<false>(*point, &mut visits));
                }
            }
        }
    }
}

/// The question about a list of queries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Traces each segment.
    Trace,
    /// Tests whether each start is in solid.
    Point,
}

/// A rival behind dynamic dispatch, with one call for a list of queries.
pub trait Contender {
    /// Returns [`Rival::NAME`].
    fn name(&self) -> &'static str;
    /// Returns [`Rival::TOLERANCE`].
    fn tolerance(&self) -> f32;
    /// Returns [`Rival::APPROXIMATE`].
    fn approximate(&self) -> Option<&'static str>;
    /// Returns [`Rival::EVERY`].
    fn every(&self) -> usize;
    /// Returns [`Rival::bytes`].
    fn bytes(&self) -> usize;
    /// Returns the seconds that all queries take.
    fn time(&mut self, question: Question, queries: &[Segment]) -> f64;
    /// Returns the answers; those about points only set `start_solid`.
    fn answers(&mut self, question: Question, queries: &[Segment]) -> Vec<Answer>;
    /// Returns the mean visits of a query.
    fn visits(&mut self, question: Question, queries: &[Segment]) -> MeanVisits;
}

impl<R: Rival> Contender for R {
    fn name(&self) -> &'static str {
        R::NAME
    }

    fn tolerance(&self) -> f32 {
        R::TOLERANCE
    }

    fn approximate(&self) -> Option<&'static str> {
        R::APPROXIMATE
    }

    fn every(&self) -> usize {
        R::EVERY
    }

    fn bytes(&self) -> usize {
        Rival::bytes(self)
    }

    fn time(&mut self, question: Question, queries: &[Segment]) -> f64 {
        let start = Instant::now();
        self.answer_all(question, queries);
        start.elapsed().as_secs_f64()
    }

    fn answers(&mut self, question: Question, queries: &[Segment]) -> Vec<Answer> {
        let mut visits = Visits::default();
        let answer = |segment: &Segment| match question {
            Question::Trace => self.trace::<false>(segment, &mut visits),
            Question::Point => Answer {
                start_solid: self.is_solid::<false>(segment[0], &mut visits),
                ..Answer::MISS
            },
        };
        queries.iter().map(answer).collect()
    }

    fn visits(&mut self, question: Question, queries: &[Segment]) -> MeanVisits {
        let mut visits = Visits::default();
        for segment in queries {
            match question {
                Question::Trace => drop(self.trace::<true>(segment, &mut visits)),
                Question::Point => _ = self.is_solid::<true>(segment[0], &mut visits),
            }
        }
        let mean = |count: u64| count as f64 / queries.len().max(1) as f64;
        let [nodes, brushes] = Self::COUNTED;
        MeanVisits {
            nodes: nodes.then(|| mean(visits.nodes)),
            brushes: brushes.then(|| mean(visits.brushes)),
            bytes: (nodes || brushes).then(|| mean(visits.bytes)),
        }
    }
}
