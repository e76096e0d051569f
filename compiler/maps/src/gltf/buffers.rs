//! Reads the buffers of a scene and the triangles of its meshes. Bytes come from the file itself, from data URIs, or
//! from files next to it; every offset and count is checked before anything is read.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use blake3::Hasher;
use gltf::accessor::{DataType, Dimensions};
use gltf::buffer::Source;
use gltf::mesh::Mode;
use gltf::{Accessor, Document, Primitive, Semantic};

use crate::error::MapError;
use crate::reading::ReadOptions;
use crate::wording::shortened;

/// Maximum number of bytes of all buffers of a scene together.
const MAX_BYTES: u128 = 1 << 30;

pub(super) struct Buffers(Vec<Vec<u8>>);

impl Buffers {
    /// Reads the buffers of a scene. `blob` is the buffer of a binary glTF; buffers in files next to the scene are
    /// added to the digest.
    pub(super) fn read(
        document: &Document,
        mut blob: Option<Vec<u8>>,
        options: &ReadOptions,
        digest: &mut Hasher,
    ) -> Result<Self, MapError> {
        let total: u128 = document.buffers().map(|own| own.length() as u128).sum();
        if total > MAX_BYTES {
            let what = format!("they have more than {MAX_BYTES} bytes, the most that is read");
            return Err(MapError::scene("the buffers", what));
        }
        let read = document.buffers().map(|buffer| {
            let bytes = bytes_of_buffer(&buffer, &mut blob, options, digest);
            bytes.map_err(|what| MapError::scene(format_args!("buffer {}", buffer.index()), what))
        });
        read.collect::<Result<_, _>>().map(Self)
    }

    /// Returns the files next to a scene that hold buffers.
    pub(super) fn files(document: &Document, options: &ReadOptions) -> Vec<PathBuf> {
        let file = |source| match source {
            Source::Uri(uri) if !uri.starts_with("data:") => {
                Some(options.folder.as_ref()?.join(decoded(uri)))
            }
            _ => None,
        };
        let sources = document.buffers().map(|buffer| buffer.source());
        sources.filter_map(file).collect()
    }

    /// Returns the number of triangle corners that a primitive declares, without reading them.
    pub(super) fn n_corners(primitive: &Primitive<'_>) -> usize {
        let positions = primitive.get(&Semantic::Positions);
        let accessor = primitive.indices().or(positions);
        accessor.map_or(0, |accessor| accessor.count())
    }

    /// Reads the corners of a primitive's triangles, three for each triangle.
    pub(super) fn corners(&self, primitive: &Primitive<'_>) -> Result<Vec<[f32; 3]>, String> {
        if primitive.mode() != Mode::Triangles {
            let mode = primitive.mode();
            return Err(format!("it is made of {mode:?}; make triangles of them"));
        }
        let positions = primitive.get(&Semantic::Positions);
        let positions = self.positions(&positions.ok_or("it has no positions")?)?;
        let Some(indices) = primitive.indices() else {
            return Ok(positions);
        };
        let n_positions = positions.len();
        let corner = |index: usize| {
            positions.get(index).copied().ok_or_else(|| {
                format!("index {index} of a corner is beyond its {n_positions} positions")
            })
        };
        self.indices(&indices)?.into_iter().map(corner).collect()
    }

    fn positions(&self, accessor: &Accessor<'_>) -> Result<Vec<[f32; 3]>, String> {
        if (accessor.data_type(), accessor.dimensions()) != (DataType::F32, Dimensions::Vec3) {
            return Err("its positions are not three f32 numbers each".to_owned());
        }
        let position = |bytes: &[u8]| [0, 4, 8].map(|at| f32::from_bits(number(bytes, at, 4)));
        Ok(self.elements(accessor)?.map(position).collect())
    }

    fn indices(&self, accessor: &Accessor<'_>) -> Result<Vec<usize>, String> {
        let size = accessor.data_type().size();
        let is_whole = matches!(
            accessor.data_type(),
            DataType::U8 | DataType::U16 | DataType::U32
        );
        if !is_whole || accessor.dimensions() != Dimensions::Scalar {
            return Err("its indices are not whole numbers".to_owned());
        }
        let index = |bytes: &[u8]| number(bytes, 0, size) as usize;
        Ok(self.elements(accessor)?.map(index).collect())
    }

    /// Returns the bytes of each element of an accessor.
    fn elements(&self, accessor: &Accessor<'_>) -> Result<impl Iterator<Item = &[u8]>, String> {
        if accessor.sparse().is_some() {
            return Err("it has sparse numbers; export it without shape keys".to_owned());
        }
        let view = accessor
            .view()
            .ok_or("its numbers are in no buffer; export it without compression")?;
        let size = accessor.size();
        let stride = view.stride().unwrap_or(size).max(1);
        let bytes = || {
            // The last element need not be followed by the rest of a stride.
            let n_bytes = match accessor.count() {
                0 => 0,
                count => (count - 1).checked_mul(stride)?.checked_add(size)?,
            };
            let buffer = self.0.get(view.buffer().index())?;
            let bytes = buffer.get(view.offset()..)?.get(..view.length())?;
            bytes.get(accessor.offset()..)?.get(..n_bytes)
        };
        let bytes = bytes().ok_or("its numbers are beyond the end of their buffer")?;
        let elements = bytes.chunks(stride);
        Ok(elements.map(move |element| &element[..size.min(element.len())]))
    }
}

/// Reads a little-endian number of up to four bytes; missing bytes are zero.
fn number(bytes: &[u8], at: usize, size: usize) -> u32 {
    let bytes = bytes.iter().skip(at).take(size).rev();
    bytes.fold(0, |number, &byte| number << 8 | u32::from(byte))
}

/// Returns the bytes of a buffer; `blob` is the buffer of a binary glTF.
fn bytes_of_buffer(
    buffer: &gltf::Buffer<'_>,
    blob: &mut Option<Vec<u8>>,
    options: &ReadOptions,
    digest: &mut Hasher,
) -> Result<Vec<u8>, String> {
    let n_bytes = buffer.length();
    let bytes = match buffer.source() {
        Source::Bin => blob.take().ok_or("the file does not have its bytes")?,
        Source::Uri(uri) => match uri.strip_prefix("data:") {
            Some(data) => bytes_of_data(data)?,
            None => {
                let bytes = bytes_beside(uri, n_bytes, options.folder.as_deref())?;
                digest.update(&bytes);
                bytes
            }
        },
    };
    if bytes.len() < n_bytes {
        return Err(format!("it has {} bytes instead of {n_bytes}", bytes.len()));
    }
    Ok(bytes)
}

fn bytes_of_data(data: &str) -> Result<Vec<u8>, String> {
    let data = data.split_once(";base64,");
    let (_, data) = data.ok_or("its data URI is not in base64")?;
    let bytes = STANDARD.decode(data);
    bytes.map_err(|reason| format!("its data URI is wrong: {reason}"))
}

fn bytes_beside(uri: &str, n_bytes: usize, folder: Option<&Path>) -> Result<Vec<u8>, String> {
    let name = decoded(uri);
    let path = Path::new(&name);
    let (shown, uri_shown) = (shortened(&name), shortened(uri));
    // A scene may come from anyone, and must not make the compiler read any other file of the machine.
    let mut parts = path.components();
    if !parts.all(|part| matches!(part, Component::Normal(_))) || uri.contains(':') {
        return Err(format!(
            "{uri_shown:?} is not a file beside the scene; export the scene as .glb"
        ));
    }
    let folder = folder.ok_or_else(|| {
        format!("it is in the file {shown:?}, whose folder is unknown; export the scene as .glb")
    })?;
    let path = folder.join(path);
    let read = || {
        // Checked before opening, which for a pipe waits until a process writes to it.
        if !fs::metadata(&path)?.is_file() {
            return Err(io::Error::other("it is not a file"));
        }
        let mut bytes = Vec::new();
        let file = File::open(&path)?;
        file.take(n_bytes as u64).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    read().map_err(|reason| format!("cannot read {shown:?} beside the scene: {reason}"))
}

/// Decodes the `%XX` of a URI into the bytes that they represent.
fn decoded(uri: &str) -> String {
    let mut parts = uri.split('%');
    let mut bytes = parts.next().unwrap_or("").as_bytes().to_vec();
    for part in parts {
        let digits = part.get(..2);
        let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        let (byte, rest) = byte.map_or((b'%', part), |byte| (byte, &part[2..]));
        bytes.push(byte);
        bytes.extend(rest.as_bytes());
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
