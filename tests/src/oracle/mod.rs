//! Independent oracle for collision queries of a box or prism among convex brushes.
//!
//! In: the bytes of a map ([`read_models`], [`read_text`], [`read_glb`]), a box or prism, a segment. Out: expanded
//! solids ([`expand()`]) and exact answers for points and segments ([`HullWorld`]), plus the rule that says whether a
//! tested program's answer is close enough ([`sandwich()`]). Method: brushes become vertex sets, the sum is a hull of
//! shifted vertices, and a trace is a union of intervals. No tree, no bevels, no code shared with the tested program.

pub mod classes;
pub mod convex;
pub mod expand;
pub mod gap;
pub mod gltf;
pub mod ibsp;
pub mod map_text;
pub mod names;
pub mod parts;
pub mod quake1;
pub mod quake2;
pub mod sandwich;
pub mod vec3;
pub mod world;

/// Offset of the directory of lumps in a Quake file, in bytes.
const QUAKE_DIRECTORY: usize = 4;

/// The same in a file with the magic `IBSP`.
const IBSP_DIRECTORY: usize = 8;

/// Reads the models of a BSP file of any format.
pub fn read_models(bytes: &[u8]) -> Result<Vec<OracleModel>, String> {
    let (directory, models) = match QuakeFile::new(bytes) {
        Ok(file) => (QUAKE_DIRECTORY, file.models()),
        Err(_) => (
            IBSP_DIRECTORY,
            read_ibsp(bytes)
                .or_else(|error| read_quake2(bytes).map_err(|other| format!("{error}; {other}"))),
        ),
    };
    let mut models = models?;
    classes::apply(bytes, directory, &mut models);
    Ok(models)
}

pub use convex::{Plane, box_planes, vertices};
pub use expand::{Expanded, Summand, expand, expand_by, expand_points, expand_points_by};
pub use gap::{Body, Gap};
pub use gltf::read_glb;
pub use ibsp::{OracleBrush, OracleModel, OracleShader, OracleShaders, read_ibsp, read_shaders};
pub use map_text::read_text;
pub use names::{Name, NamedWorld, Names};
pub use parts::{Parts, sandwich_parts};
pub use quake1::QuakeFile;
pub use quake2::read_quake2;
pub use sandwich::{Answer, Differences, sandwich};
pub use world::{HullWorld, NearPlane, OracleTrace};
