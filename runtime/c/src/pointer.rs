//! Pointers from C, the only unsafe code of the library: each kind of argument is a type around one pointer, made by
//! C (or by an unsafe constructor), and dereferenced only here.
//!
//! Values are copied in and out without regard to alignment, and no reference to an argument is live while an answer
//! is written: so arguments and answers may overlap. Only the map and the file's bytes are borrowed; nothing writes
//! to them while a call runs.

use core::ffi::{c_char, c_void};
use core::mem::{align_of, size_of};
use core::ptr::NonNull;

use onion_format::MAX_HULL_NAME;
use onion_runtime::movement::WalkSettings;
use onion_runtime::navigation::{PathPoint, PathScratch};
use onion_runtime::{Coordinate, LinkedPortal, OnionMap};

use crate::agent::AgentState;
use crate::navigation::{AgentClassState, FollowerState, PathCostsState, PathPointState};
use crate::scene_state::MoverState;
use crate::shape::ShapeSpec;
use crate::status::Status;
use crate::trace_result::TraceResult;

/// Marks memory that holds a loaded map. Other memory has this value with the odds of 64 random bits.
const LOADED: u64 = 0xd3c7_52a9_1be8_6f45;

/// `onion_map`: the caller's memory for a map, with room to spare.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct MapMemory {
    /// Private.
    pub opaque: [u64; 80],
}

/// The contents of a [`MapMemory`].
#[repr(C)]
struct Loaded {
    mark: u64,
    map: OnionMap<&'static [u8]>,
}

const _: () = assert!(size_of::<Loaded>() <= size_of::<MapMemory>());
const _: () = assert!(align_of::<Loaded>() <= align_of::<MapMemory>());

/// Checks that threads may share a map.
const _: () = {
    const fn is_shared<T: Send + Sync>() {}
    is_shared::<OnionMap<&[u8]>>();
};

/// `onion_map *`: the destination of a loaded map.
#[repr(transparent)]
pub struct MapOut(*mut MapMemory);

impl MapOut {
    /// # Safety
    /// NULL, or writable during the call and used by no other thread.
    pub const unsafe fn new(pointer: *mut MapMemory) -> Self {
        Self(pointer)
    }

    /// Writes a map, or a mark that means "not loaded".
    pub(crate) fn write(self, map: Result<OnionMap<&'static [u8]>, Status>) -> Result<(), Status> {
        if self.0.is_null() || !self.0.is_aligned() {
            return Err(Status::Pointer);
        }
        match map {
            Ok(map) => {
                let loaded = Loaded { mark: LOADED, map };
                // SAFETY: not NULL, so writable as the constructor demands, and as large and aligned as
                // it must be, which is checked when this is compiled.
                unsafe { self.0.cast::<Loaded>().write(loaded) };
                Ok(())
            }
            Err(status) => {
                // SAFETY: as above.
                unsafe { self.0.cast::<u64>().write(0) };
                Err(status)
            }
        }
    }
}

/// `const onion_map *`.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct MapIn(*const MapMemory);

impl MapIn {
    /// # Safety
    /// NULL, or memory that was zeroed or that [`crate::onion_load`] was called with, that is not
    /// written during the call, and the bytes of whose file are still there and unchanged.
    pub const unsafe fn new(pointer: *const MapMemory) -> Self {
        Self(pointer)
    }

    /// Returns the map.
    #[inline]
    pub(crate) fn get(&self) -> Result<&OnionMap<&'static [u8]>, Status> {
        if self.0.is_null() || !self.0.is_aligned() {
            return Err(Status::Pointer);
        }
        // SAFETY: not NULL, so readable and initialized as the constructor demands; aligned.
        if unsafe { self.0.cast::<u64>().read() } != LOADED {
            return Err(Status::NotLoaded);
        }
        // SAFETY: the mark is there only if a whole `Loaded` was written; it is not written during
        // the call, which `self` does not outlive.
        Ok(unsafe { &(*self.0.cast::<Loaded>()).map })
    }
}

/// `onion_model`: a map's model, and the margin of its traces.
#[repr(C)]
#[derive(Clone, Copy)]
#[allow(missing_docs, reason = "onion.h tells what they are")]
pub struct ModelHandle {
    pub map: MapIn,
    pub margin: f64,
    pub index: u32,
    pub reserved: u32,
}

/// `onion_scene`: a map's world with some of its models.
#[repr(C)]
#[derive(Clone, Copy)]
#[allow(missing_docs, reason = "onion.h tells what they are")]
pub struct SceneHandle {
    pub map: MapIn,
    pub movers: In<MoverState>,
    pub n_movers: usize,
    pub margin: f64,
}

/// `onion_linked_world`: a scene with linked portals.
#[repr(C)]
#[derive(Clone, Copy)]
#[allow(missing_docs, reason = "onion.h tells what they are")]
pub struct LinkedHandle {
    pub scene: SceneHandle,
    pub portals: In<LinkedPortal>,
    pub n_portals: usize,
}

/// `const void *` to the bytes of a file.
#[repr(transparent)]
pub struct FileBytes(*const c_void);

impl FileBytes {
    /// # Safety
    /// NULL, or readable for the number of bytes that the call gets, which stay there and unchanged for as
    /// long as the map is used that they are loaded to.
    pub const unsafe fn new(pointer: *const c_void) -> Self {
        Self(pointer)
    }

    /// Returns the bytes, for as long as the map is used.
    pub(crate) fn get(self, size: usize) -> Result<&'static [u8], Status> {
        let pointer = NonNull::new(self.0.cast_mut()).ok_or(Status::Pointer)?;
        check_count::<u8>(size)?;
        // SAFETY: not NULL, so readable and unchanged as the constructor demands; bytes need no alignment
        // and the size is not beyond what a slice can have.
        Ok(unsafe { core::slice::from_raw_parts(pointer.as_ptr().cast::<u8>(), size) })
    }
}

/// Types for which any bytes are a value.
///
/// # Safety
/// Every pattern of bits is a value of the type.
pub unsafe trait Plain: Copy {}
// SAFETY: all patterns of bits are numbers.
unsafe impl Plain for u64 {}
// SAFETY: as above: a coordinate is `f32` or `f64`, and an array has no padding.
unsafe impl<T: Coordinate> Plain for [T; 3] {}
// SAFETY: as above.
unsafe impl Plain for [f32; 2] {}
// SAFETY: all members are numbers, and there is no padding between them.
unsafe impl Plain for WalkSettings {}
// SAFETY: as above; so are the members of its grounds.
unsafe impl Plain for AgentState {}
// SAFETY: all members are numbers, and there is no padding between them.
unsafe impl<T: Coordinate> Plain for TraceResult<T> {}
// SAFETY: a pointer and numbers, which any bits are. What the pointer must be is demanded by `MapIn::new`, and of
// C by the header: a model is one that a call made.
unsafe impl Plain for ModelHandle {}
// SAFETY: all members are numbers, and there is no padding between them.
unsafe impl Plain for ShapeSpec {}
// SAFETY: as above.
unsafe impl Plain for MoverState {}
// SAFETY: as above.
unsafe impl Plain for LinkedPortal {}
// SAFETY: as above.
unsafe impl Plain for AgentClassState {}
// SAFETY: as above.
unsafe impl Plain for PathCostsState {}
// SAFETY: as above.
unsafe impl Plain for PathPointState {}
// SAFETY: as above.
unsafe impl Plain for FollowerState {}
// SAFETY: pointers and numbers, which any bits are. What the pointers must be is demanded by `MapIn::new` and
// `In::new`, and of C by the header: a scene's members are of the caller's making.
unsafe impl Plain for SceneHandle {}
// SAFETY: as above.
unsafe impl Plain for LinkedHandle {}

/// `const T *`: one argument, or an array of them.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct In<T>(*const T);

impl<T: Plain> In<T> {
    /// # Safety
    /// NULL, or readable and initialized during the call, for the number of values that the call gets, or for one
    /// value. No alignment is needed.
    pub const unsafe fn new(pointer: *const T) -> Self {
        Self(pointer)
    }

    /// Returns the value.
    #[inline]
    pub(crate) fn read(self) -> Result<T, Status> {
        if self.0.is_null() {
            return Err(Status::Pointer);
        }
        // SAFETY: not NULL, so readable as the constructor demands; any bits are a value.
        Ok(unsafe { self.0.read_unaligned() })
    }

    /// Returns the values of an array, each read on demand. The pointer to an empty array may be NULL.
    #[inline]
    pub(crate) fn read_many(&self, count: usize) -> Result<impl Iterator<Item = T>, Status> {
        check_array(self.0, count)?;
        let pointer = self.0;
        // SAFETY: there are `count` values, readable as the constructor demands, all within what one
        // object can have; any bits are a value.
        Ok((0..count).map(move |index| unsafe { pointer.add(index).read_unaligned() }))
    }

    /// Returns a function that reads the value of an array with a number, or `None` after the last. The pointer to an
    /// empty array may be NULL.
    pub(crate) fn read_any(self, count: usize) -> Result<impl Fn(usize) -> Option<T>, Status> {
        check_array(self.0, count)?;
        let pointer = self.0;
        // SAFETY: as above, for numbers below `count`.
        let read = move |index| unsafe { pointer.add(index).read_unaligned() };
        Ok(move |index| (index < count).then(|| read(index)))
    }
}

/// `T *`: an out-parameter, for one answer or an array of them.
#[repr(transparent)]
pub struct Out<T>(*mut T);

impl<T: Copy> Out<T> {
    /// # Safety
    /// NULL, or writable during the call and used by no other thread, for the number of values that the call gets, or
    /// for one value. No alignment is needed.
    pub const unsafe fn new(pointer: *mut T) -> Self {
        Self(pointer)
    }

    /// Returns the place of the answer.
    #[inline]
    pub(crate) fn place(self) -> Result<Place<T>, Status> {
        NonNull::new(self.0).map(Place).ok_or(Status::Pointer)
    }

    /// Returns the places of an array of answers. The pointer to an empty array may be NULL.
    #[inline]
    pub(crate) fn places(self, count: usize) -> Result<impl Iterator<Item = Place<T>>, Status> {
        check_array(self.0, count)?;
        let pointer = self.0;
        Ok((0..count).filter_map(move |index| {
            // SAFETY: there are `count` places, as the constructor demands, all within what one object
            // can have.
            NonNull::new(unsafe { pointer.add(index) }).map(Place)
        }))
    }
}

/// `T *`: an argument that a call changes.
#[repr(transparent)]
pub struct InOut<T>(*mut T);

impl<T: Plain> InOut<T> {
    /// # Safety
    /// NULL, or readable, initialized and writable during the call and used by no other thread. No alignment is
    /// needed.
    pub const unsafe fn new(pointer: *mut T) -> Self {
        Self(pointer)
    }

    /// Returns the value, and the place for its new value.
    pub(crate) fn read(self) -> Result<(T, Place<T>), Status> {
        Ok((In(self.0.cast_const()).read()?, Out(self.0).place()?))
    }
}

/// The destination of an answer.
pub(crate) struct Place<T>(NonNull<T>);

impl<T: Copy> Place<T> {
    /// Writes the answer.
    #[inline]
    pub(crate) fn write(self, answer: T) {
        // SAFETY: only an `Out` makes places, those that its constructor demands to be writable.
        unsafe { self.0.as_ptr().write_unaligned(answer) };
    }
}

/// `onion_path_scratch`: a part of the caller's memory for path searches.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ScratchMemory {
    /// Private.
    pub opaque: [u64; 16],
}

const _: () = assert!(align_of::<PathScratch>() <= align_of::<ScratchMemory>());
const _: () = assert!(align_of::<PathPoint>() <= align_of::<ScratchMemory>());
const _: () = assert!(size_of::<PathPoint>().is_multiple_of(align_of::<ScratchMemory>()));

/// `onion_path_scratch *`: the memory of a search, at whose end are the points that it finds.
#[repr(transparent)]
pub struct Scratch(*mut ScratchMemory);

impl Scratch {
    /// # Safety
    /// NULL, or readable, initialized and writable during the call and used by no other thread, for the number of
    /// values that the call gets; and no other argument or answer is in it.
    pub const unsafe fn new(pointer: *mut ScratchMemory) -> Self {
        Self(pointer)
    }

    /// Returns the number of values that have room for a search and for points.
    pub(crate) fn count(n_parts: usize, n_points: usize) -> Result<usize, Status> {
        let search = n_parts.checked_mul(size_of::<PathScratch>());
        let points = n_points.checked_mul(size_of::<PathPoint>());
        let size = search.zip(points).and_then(|(a, b)| a.checked_add(b));
        let size = size.ok_or(Status::Count)?;
        Ok(size.div_ceil(size_of::<ScratchMemory>()))
    }

    /// Lends `count` values to a search, as its memory and as a number of points.
    pub(crate) fn lend(
        self,
        count: usize,
        (no_point, n_points): (PathPoint, usize),
        search: impl FnOnce(&mut [PathScratch], &mut [PathPoint]) -> Result<(), Status>,
    ) -> Result<(), Status> {
        let (n_parts, points) = self.divided(count, n_points)?;
        for index in 0..n_points {
            // SAFETY: there is room for so many, writable as the constructor demands.
            unsafe { points.add(index).write(no_point) };
        }
        // SAFETY: in front of the points, initialized and writable as the constructor demands; any bits are a value.
        let parts = unsafe { core::slice::from_raw_parts_mut(self.0.cast(), n_parts) };
        // SAFETY: behind the parts; all were written above.
        let found = search(parts, unsafe {
            core::slice::from_raw_parts_mut(points, n_points)
        });
        // SAFETY: as above. Points have bytes between their members, which would not be initialized.
        unsafe { points.write_bytes(0, n_points) };
        found
    }

    /// Returns the number of parts of a search that `count` values have room for besides points, and where the points
    /// begin.
    fn divided(&self, count: usize, n_points: usize) -> Result<(usize, *mut PathPoint), Status> {
        check_array(self.0, count)?;
        if !self.0.is_aligned() {
            return Err(Status::Pointer);
        }
        let size = count * size_of::<ScratchMemory>();
        let of_points = n_points.checked_mul(size_of::<PathPoint>());
        let rest = of_points.and_then(|of_points| size.checked_sub(of_points));
        let rest = rest.filter(|_| count > 0).ok_or(Status::PathScratch)?;
        // SAFETY: within the memory, and aligned, because the sizes of both types are multiples of its alignment.
        let points = unsafe { self.0.cast::<u8>().add(rest) }.cast();
        Ok((rest / size_of::<PathScratch>(), points))
    }
}

/// `const char *`: the name of a hull, or a key of an entity.
#[repr(transparent)]
pub struct Characters(*const c_char);

impl Characters {
    /// # Safety
    /// NULL, or readable during the call up to and including the first zero byte.
    pub const unsafe fn new(pointer: *const c_char) -> Self {
        Self(pointer)
    }

    /// Checks that there is a string.
    pub(crate) fn check(&self) -> Result<(), Status> {
        if self.0.is_null() {
            return Err(Status::Pointer);
        }
        Ok(())
    }

    /// Whether the string equals `text`, which has no zero byte. NULL equals no text.
    pub(crate) fn is(&self, text: &str) -> bool {
        let mut bytes = text.bytes().chain([0]).enumerate();
        // SAFETY: not NULL, and no byte before this one is zero, as all were equal to those of the text, so it
        // is readable as the constructor demands.
        !self.0.is_null()
            && bytes.all(|(index, byte)| unsafe { self.0.cast::<u8>().add(index).read() } == byte)
    }

    /// Returns a copy of the string, truncated to one byte more than a name can have.
    pub(crate) fn read(self) -> Result<Name, Status> {
        if self.0.is_null() {
            return Err(Status::Pointer);
        }
        let mut name = Name {
            bytes: [0; MAX_HULL_NAME + 1],
            length: 0,
        };
        for (index, byte) in name.bytes.iter_mut().enumerate() {
            // SAFETY: no byte before this one is zero, so it is readable as the constructor demands.
            *byte = unsafe { self.0.cast::<u8>().add(index).read() };
            name.length = index;
            if *byte == 0 {
                break;
            }
        }
        Ok(name)
    }
}

/// The start of a string.
pub(crate) struct Name {
    bytes: [u8; MAX_HULL_NAME + 1],
    /// Number of bytes before the terminator, or before the last byte of a string that is too long.
    length: usize,
}

impl Name {
    /// Returns the text, or `None` if it is longer than any name, or not UTF-8.
    pub(crate) fn text(&self) -> Option<&str> {
        let (text, end) = self.bytes.split_at_checked(self.length)?;
        let is_whole = end.first() == Some(&0);
        core::str::from_utf8(text).ok().filter(|_| is_whole)
    }
}

/// Checks that `count` values fit into memory.
fn check_count<T>(count: usize) -> Result<(), Status> {
    match count.checked_mul(size_of::<T>()) {
        Some(size) if isize::try_from(size).is_ok() => Ok(()),
        _ => Err(Status::Count),
    }
}

fn check_array<T>(pointer: *const T, count: usize) -> Result<(), Status> {
    if count == 0 {
        return Ok(());
    }
    if pointer.is_null() {
        return Err(Status::Pointer);
    }
    check_count::<T>(count)
}
