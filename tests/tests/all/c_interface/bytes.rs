//! The bytes of answers in the layouts of `onion.h`. The structs of both precisions have the same members, so one
//! generic function writes each of them.

use onion_runtime::shape::ShapeTrace;
use onion_runtime::{Coordinate, Crossing, Hit, Source, Trace, Transition};

/// A precision of queries, each of which has functions of its own in C.
pub(super) trait Precision: Coordinate {
    /// The end of the names of these functions.
    const SUFFIX: &'static str;

    fn bytes(self) -> Vec<u8>;
}

impl Precision for f32 {
    const SUFFIX: &'static str = "";

    fn bytes(self) -> Vec<u8> {
        self.to_ne_bytes().to_vec()
    }
}

impl Precision for f64 {
    const SUFFIX: &'static str = "_double";

    fn bytes(self) -> Vec<u8> {
        self.to_ne_bytes().to_vec()
    }
}

/// The bytes of an answer, member by member, in the order of the layout.
#[derive(Default)]
pub(super) struct Bytes(pub Vec<u8>);

impl Bytes {
    pub fn hex(&self) -> String {
        self.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    pub fn u8(mut self, values: impl IntoIterator<Item = u8>) -> Self {
        self.0.extend(values);
        self
    }

    pub fn u32(self, value: u32) -> Self {
        self.u8(value.to_ne_bytes())
    }

    pub fn u64(self, value: u64) -> Self {
        self.u8(value.to_ne_bytes())
    }

    pub fn numbers<T: Precision>(self, values: impl IntoIterator<Item = T>) -> Self {
        self.u8(values.into_iter().flat_map(T::bytes))
    }

    fn flags(self, flags: [bool; 3]) -> Self {
        self.u8(flags.map(u8::from))
    }

    pub fn trace<T: Precision>(self, trace: &Trace<T>) -> Self {
        let unset = ([T::default(); 3], 0.0, u32::MAX);
        let (normal, dist, number) = trace
            .plane
            .map_or(unset, |at| (at.normal, at.dist, at.number));
        self.numbers([trace.fraction, trace.hit_fraction, dist])
            .numbers([trace.start, trace.end, trace.end_pos, normal].concat())
            .u32(number)
            .flags([trace.start_solid, trace.all_solid, trace.plane.is_some()])
            .u8([0; 9])
    }

    pub fn shape_trace<T: Precision>(self, trace: &ShapeTrace<'_, T>) -> Self {
        const NO_MOVER: u32 = u32::MAX;
        self.numbers([trace.fraction, trace.hit_fraction])
            .numbers([trace.end_pos, trace.normal.unwrap_or_default()].concat())
            .hit(trace.hit)
            .u32(NO_MOVER)
            .flags([trace.start_solid, trace.all_solid, trace.normal.is_some()])
            .u8([0])
    }

    pub fn hit(self, hit: Option<Hit<'_>>) -> Self {
        let Some(Hit { brush, side }) = hit else {
            return self.u8([0; 36]).u32(u32::MAX).u8([0; 8]);
        };
        let (kind, source) = match brush.source {
            Source::Brush(number) => (0, number),
            Source::Patch(number) => (1, number),
        };
        let surface = side.surface;
        self.u32(brush.number)
            .u32(brush.contents)
            .u32(kind)
            .u32(source)
            .u32(side.number)
            .u32(surface.number)
            .u32(surface.flags)
            .u32(surface.contents)
            .u32(brush.model as u32)
            .u32(brush.entity.unwrap_or(u32::MAX))
            .u8([1, side.is_bevel.into(), 0, 0, 0, 0, 0, 0])
    }

    pub fn fit(self, point: Option<[f32; 3]>) -> Self {
        let bytes = self.numbers(point.unwrap_or_default());
        bytes.u8([point.is_some().into(), 0, 0, 0])
    }

    pub fn transition(self, transition: &Transition<f64>) -> Self {
        let (kind, crossing) = match transition {
            Transition::Empty => (0, None),
            Transition::Solid => (1, None),
            Transition::EnterSolid(crossing) => (2, Some(*crossing)),
            Transition::LeaveSolid(crossing) => (3, Some(*crossing)),
        };
        let Some(Crossing {
            fraction,
            point,
            plane,
            from,
            to,
        }) = crossing
        else {
            let bytes = self.numbers([1.0]).numbers([0.0; 7]).u32(kind);
            return bytes.u32(u32::MAX).u32(u32::MAX).u32(0);
        };
        let (normal, dist) = plane.map_or(Default::default(), |at| (at.normal, at.dist));
        self.numbers([fraction, dist])
            .numbers([point, normal].concat())
            .u32(kind)
            .u32(from.map_or(u32::MAX, |leaf| leaf.index() as u32))
            .u32(to.index() as u32)
            .u8([plane.is_some().into(), 0, 0, 0])
    }
}
