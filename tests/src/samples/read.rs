//! Reads an IBSP 46 file back, to check the output of `write`. Deliberately independent: it shares no code or record
//! sizes with the writer.
//!
//! In: the bytes of a file. Out: its records as plain numbers, or an error.

/// The records of a file that the checks need.
#[derive(Clone, Debug, Default)]
pub struct BspFile {
    /// Entity text without the terminating zero byte.
    pub entities: String,
    /// Name, surface flags, contents.
    pub shaders: Vec<(String, i32, i32)>,
    /// Normal and distance.
    pub planes: Vec<([f32; 3], f32)>,
    /// Plane and two children.
    pub nodes: Vec<[i32; 3]>,
    /// First surface, surfaces, first brush, brushes.
    pub leafs: Vec<[i32; 4]>,
    /// Surface numbers.
    pub leaf_surfaces: Vec<i32>,
    /// Brush numbers.
    pub leaf_brushes: Vec<i32>,
    /// Bounds, and first surface, surfaces, first brush, brushes.
    pub models: Vec<([f32; 6], [i32; 4])>,
    /// First side, sides, shader.
    pub brushes: Vec<[i32; 3]>,
    /// Plane and shader.
    pub sides: Vec<[i32; 2]>,
    /// Place and normal.
    pub vertices: Vec<([f32; 3], [f32; 3])>,
    /// Vertex numbers, counted from a surface's first vertex.
    pub indices: Vec<i32>,
    /// Shader, fog, type, first vertex, vertices, first index, indices; patch width and height.
    pub surfaces: Vec<([i32; 7], [i32; 2])>,
}

fn ints<const N: usize>(record: &[u8], at: usize) -> [i32; N] {
    std::array::from_fn(|k| {
        let b = &record[at + 4 * k..at + 4 * k + 4];
        i32::from_le_bytes([b[0], b[1], b[2], b[3]])
    })
}

fn floats<const N: usize>(record: &[u8], at: usize) -> [f32; N] {
    ints::<N>(record, at).map(|i| f32::from_bits(i as u32))
}

/// Reads a file.
///
/// # Errors
/// When the file is not IBSP 46, a lump lies outside it or overlaps another one, or the length of a lump is not a
/// multiple of its record size.
pub fn read(file: &[u8]) -> Result<BspFile, String> {
    if file.len() < 144 || &file[..4] != b"IBSP" || ints::<1>(file, 4) != [46] {
        return Err("not an IBSP 46 file".to_string());
    }
    let mut spans = vec![(0, 144)];
    let mut lumps: Vec<&[u8]> = Vec::new();
    for lump in 0..17 {
        let [start, length] = ints::<2>(file, 8 + 8 * lump);
        let start = usize::try_from(start).map_err(|e| e.to_string())?;
        let length = usize::try_from(length).map_err(|e| e.to_string())?;
        let bytes = file.get(start..start + length);
        lumps.push(bytes.ok_or(format!("lump {lump} lies outside the file"))?);
        spans.push((start, start + length));
    }
    spans.sort_unstable();
    if spans.windows(2).any(|w| w[0].1 > w[1].0) {
        return Err("lumps overlap".to_string());
    }
    let records = |lump: usize, size: usize| {
        if lumps[lump].len().is_multiple_of(size) {
            Ok(lumps[lump].chunks_exact(size))
        } else {
            Err(format!("lump {lump}: {} bytes", lumps[lump].len()))
        }
    };
    let text = |b: &[u8]| {
        let end = b.iter().position(|&c| c == 0).unwrap_or(b.len());
        String::from_utf8_lossy(&b[..end]).into_owned()
    };
    let vertex = |r: &[u8]| (floats::<3>(r, 0), floats::<3>(r, 28));
    Ok(BspFile {
        entities: text(lumps[0]),
        shaders: records(1, 72)?
            .map(|r| {
                let [flags, contents] = ints(r, 64);
                (text(&r[..64]), flags, contents)
            })
            .collect(),
        planes: records(2, 16)?
            .map(|r| (floats(r, 0), floats::<1>(r, 12)[0]))
            .collect(),
        nodes: records(3, 36)?.map(|r| ints(r, 0)).collect(),
        leafs: records(4, 48)?.map(|r| ints(r, 32)).collect(),
        leaf_surfaces: records(5, 4)?.map(|r| ints::<1>(r, 0)[0]).collect(),
        leaf_brushes: records(6, 4)?.map(|r| ints::<1>(r, 0)[0]).collect(),
        models: records(7, 40)?
            .map(|r| (floats(r, 0), ints(r, 24)))
            .collect(),
        brushes: records(8, 12)?.map(|r| ints(r, 0)).collect(),
        sides: records(9, 8)?.map(|r| ints(r, 0)).collect(),
        vertices: records(10, 44)?.map(vertex).collect(),
        indices: records(11, 4)?.map(|r| ints::<1>(r, 0)[0]).collect(),
        surfaces: records(13, 104)?
            .map(|r| (ints(r, 0), ints(r, 96)))
            .collect(),
    })
}
