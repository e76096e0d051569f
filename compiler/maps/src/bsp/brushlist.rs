//! Reads brushes that a compiler appended to a Quake BSP file: the lump `BRUSHLIST` of the extension BSPX, which
//! ericw-tools writes on request (`-wrbrushes`). It lists the brushes of each model, each as a box, contents and the
//! planes that are not those of the box. The layout follows ericw-tools' `bspxfile.hh`.

use super::lumps::{File, Records, f32s, i32s, part, u16s};
use super::{build, contents};
use crate::error::MapError;
use crate::parts::{MapBrush, MapModel, Warning};

/// The name of the lump, also for messages.
const NAME: &str = "BRUSHLIST";

/// Size of an entry of the extension's directory, in bytes: name, offset and length.
const ENTRY: i64 = 32;

/// Size of the name in an entry, in bytes.
const ENTRY_NAME: usize = 24;

/// The only version of the lump.
const VERSION: i32 = 1;

/// Size of a model's header before its brushes, in bytes.
const MODEL: usize = 16;

/// Sizes of a brush's header before its planes, and of a plane, in bytes.
const BRUSH: usize = 28;
const PLANE: usize = 16;

/// Returns the bytes of the lump, or `None` if the file does not have it. The extension follows the last of the
/// file's own lumps.
pub fn lump(file: File<'_>, n_lumps: usize) -> Result<Option<&[u8]>, MapError> {
    let ends = (0..n_lumps).filter_map(|index| file.extent(index).ok());
    let end = ends.map(|[start, length]| start + length).max();
    // Lumps are padded to multiples of four bytes, and no entry of the directory names the extension.
    let start = (end.unwrap_or(0) + 3) & !3;
    let Some(header) = part(file.bytes, start, 8).filter(|header| header.starts_with(b"BSPX"))
    else {
        return Ok(None);
    };
    let length = ENTRY * i64::from(i32s::<2>(header, 0)[1]);
    let entries = file.part("BSPX directory", start + 8, length)?;
    let mut entries = entries.chunks_exact(ENTRY as usize);
    let is_list = |entry: &&[u8]| super::lumps::name(&entry[..ENTRY_NAME]) == NAME.as_bytes();
    let Some(entry) = entries.find(is_list) else {
        return Ok(None);
    };
    let [start, length] = i32s(entry, ENTRY_NAME).map(i64::from);
    file.part(NAME, start, length).map(Some)
}

/// Reads the brushes of a file's models.
pub fn models(
    list: &[u8],
    records: Records<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<MapModel>, MapError> {
    let mut models = vec![MapModel::default(); records.len()];
    let mut reader = Reader { list, at: 0 };
    let mut numbers = 0..;
    while reader.at < list.len() {
        let [version, model, count, _n_planes] = i32s(reader.take(MODEL)?, 0);
        if version != VERSION {
            return Err(bad(format!(
                "its version is {version}, but only {VERSION} is known"
            )));
        }
        records.get(model.into(), || format!("lump {NAME}"))?;
        if count < 0 {
            return Err(bad(format!("model {model} has {count} brushes")));
        }
        // Numbers count on through all models, because warnings and hits name a brush of the file.
        for number in numbers.by_ref().take(count as usize) {
            let brush = reader.brush(number, warnings)?;
            models[model as usize].brushes.extend(brush);
        }
    }
    Ok(models)
}

fn bad(problem: String) -> MapError {
    MapError::bad_number(format_args!("lump {NAME}"), problem)
}

/// The lump, and the position of its unread rest.
struct Reader<'a> {
    /// All bytes of the lump.
    list: &'a [u8],
    /// Offset of the next byte.
    at: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8], MapError> {
        let taken = self.list.get(self.at..).and_then(|rest| rest.get(..length));
        let taken = taken.ok_or_else(|| {
            bad(format!(
                "it has {} bytes, but its brushes need at least {}",
                self.list.len(),
                self.at + length
            ))
        })?;
        self.at += length;
        Ok(taken)
    }

    /// Reads a brush, or returns `None` if its contents are empty or unknown.
    fn brush(
        &mut self,
        number: usize,
        warnings: &mut Vec<Warning>,
    ) -> Result<Option<MapBrush>, MapError> {
        let record = self.take(BRUSH)?;
        let [kind, n_planes] = u16s(record, 24);
        let planes = self.take(PLANE * usize::from(n_planes))?;
        let planes = sides(f32s(record, 0), planes);
        let place = || format!("brush {number} of lump {NAME}");
        let sides = planes.map(|plane| build::side(plane, 0, place));
        let sides = sides.collect::<Result<_, _>>()?;
        let kind = kind.cast_signed();
        let Some(contents) = contents::quake(kind.into()) else {
            let message = format!("its contents {kind} are unknown; left out");
            warnings.push(Warning::new(format!("brush {number}"), message));
            return Ok(None);
        };
        Ok((contents != 0).then_some(MapBrush {
            number,
            contents,
            sides,
        }))
    }
}

/// Returns the planes of a brush's sides: those of its box, then the others.
fn sides(bounds: [f32; 6], planes: &[u8]) -> impl Iterator<Item = [f32; 4]> {
    let bounds = bounds.into_iter().enumerate().map(|(at, bound)| {
        let sign = if at < 3 { -1.0 } else { 1.0 };
        let mut plane = [0.0, 0.0, 0.0, sign * bound];
        plane[at % 3] = sign;
        plane
    });
    bounds.chain(planes.chunks_exact(PLANE).map(|plane| f32s(plane, 0)))
}
