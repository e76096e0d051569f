//! The C interface of the runtime: each function wraps one of `onion_runtime`, and each answer is a plain struct that
//! `onion.h` declares. The header is the documentation; here each function has one line.
//!
//! A call checks its pointers first, then the map, then numbers, and writes its answers last, each by a copy. So a
//! call that fails writes nothing (except for [`onion_load`], which then leaves a map that counts as not loaded), and
//! an answer may overwrite an argument. All unsafe code is in `pointer`; the promises of C callers are stated at the
//! constructors of its types. Nothing here allocates, panics or has state.

mod agent;
mod contents;
mod entity;
mod fit;
mod hit;
mod hull;
mod linked;
mod load;
mod model;
mod movement;
mod navigation;
mod point;
mod pointer;
mod precision;
mod scene;
mod scene_state;
mod shape;
mod shape_trace;
mod status;
mod surface;
mod trace;
mod trace_result;
mod transition;

pub use agent::*;
pub use contents::*;
pub use entity::*;
pub use fit::*;
pub use hit::*;
pub use hull::*;
pub use linked::*;
pub use load::*;
pub use model::*;
pub use movement::*;
pub use navigation::*;
pub use point::*;
pub use pointer::{
    Characters, FileBytes, In, InOut, LinkedHandle, MapIn, MapMemory, MapOut, ModelHandle, Out,
    Plain, SceneHandle, Scratch, ScratchMemory,
};
pub use precision::{PointIn, PointOut, TraceIn, TraceOut};
pub use scene::*;
pub use scene_state::*;
pub use shape::*;
pub use shape_trace::*;
pub use status::{Status, onion_status_string};
pub use surface::*;
pub use trace::*;
pub use trace_result::*;
pub use transition::*;
