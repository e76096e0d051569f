//! Reads the lumps of a BSP file: a directory at its start gives the position and length of each lump, and a lump is an
//! array of records of one size. In: the bytes of the file and a format's description of its lumps. Out: records, and
//! the numbers in them. Everything is little-endian. Offsets, lengths and indices come from the file, so all of them
//! are checked, in 64 bits; errors name the lump and the record that refers to it.

use std::iter::Zip;
use std::ops::RangeFrom;
use std::slice::ChunksExact;

use crate::error::MapError;

/// Maximum number of references to the records of a lump, as a multiple of its records. Compilers refer to each record
/// once; without a limit, a small file could request any amount of memory.
const MAX_SHARING: i64 = 4;

/// Number of records that is added to a lump's own before `MAX_SHARING` applies, because few references do no harm.
const FEW: i64 = 64;

/// A format's description of one of its lumps.
#[derive(Clone, Copy, Debug)]
pub struct Lump {
    /// Its name, for messages.
    pub name: &'static str,
    /// Name of one of its records, for messages.
    pub record: &'static str,
    /// Its position in the directory, from 0 on.
    pub index: usize,
    /// Size of a record, in bytes.
    pub size: usize,
}

impl Lump {
    pub const fn new(name: &'static str, record: &'static str, index: usize, size: usize) -> Self {
        Self {
            name,
            record,
            index,
            size,
        }
    }
}

/// A BSP file: its bytes, and the place of its directory of lumps.
#[derive(Clone, Copy)]
pub struct File<'a> {
    /// The whole file.
    pub bytes: &'a [u8],
    /// Position of the offset of the first lump, in bytes; its length follows.
    directory: usize,
    /// Distance from the offset of one lump to the offset of the next, in bytes.
    step: usize,
}

impl<'a> File<'a> {
    /// Creates a file whose directory consists only of offsets and lengths.
    pub const fn new(bytes: &'a [u8], directory: usize) -> Self {
        Self::with_step(bytes, directory, 8)
    }

    /// Creates a file whose directory has `step` bytes for each lump.
    pub const fn with_step(bytes: &'a [u8], directory: usize, step: usize) -> Self {
        Self {
            bytes,
            directory,
            step,
        }
    }

    /// Returns the offset and length of a lump as the directory gives them, in bytes.
    pub fn extent(&self, index: usize) -> Result<[i64; 2], MapError> {
        let at = self.step * index;
        let directory = self.part("directory", self.directory as i64, at as i64 + 8)?;
        Ok(i32s(directory, at).map(i64::from))
    }

    pub fn lump(&self, lump: Lump) -> Result<&'a [u8], MapError> {
        match self.extent(lump.index)? {
            [_, 0] => Ok(&[]),
            [start, length] => self.part(lump.name, start, length),
        }
    }

    /// Returns a part of the file; `lump` is the name of its lump, for errors.
    pub fn part(&self, lump: &str, start: i64, length: i64) -> Result<&'a [u8], MapError> {
        part(self.bytes, start, length).ok_or_else(|| {
            MapError::Damaged(format!(
                "lump {lump} should be bytes {start} to {}, but the file has {} bytes: it is damaged; get it again or \
                 rebuild it",
                start + length,
                self.bytes.len()
            ))
        })
    }

    pub fn records(&self, lump: Lump) -> Result<Records<'a>, MapError> {
        let bytes = self.lump(lump)?;
        if bytes.len().is_multiple_of(lump.size) {
            return Ok(Records { lump, bytes });
        }
        Err(MapError::Damaged(format!(
            "lump {} has {} bytes, which is not a multiple of its record size, {}: the file is damaged, or its format \
             is not the one that its header names",
            lump.name,
            bytes.len(),
            lump.size
        )))
    }

    /// Whether all of these lumps are within the file and consist of complete records.
    pub fn has(&self, lumps: &[Lump]) -> bool {
        lumps.iter().all(|&lump| self.records(lump).is_ok())
    }
}

/// Returns a part of some bytes, or `None` if it is not within them.
pub fn part(bytes: &[u8], start: i64, length: i64) -> Option<&[u8]> {
    let start = usize::try_from(start).ok()?;
    let length = usize::try_from(length).ok()?;
    bytes.get(start..)?.get(..length)
}

pub type Numbered<'a> = Zip<RangeFrom<usize>, ChunksExact<'a, u8>>;

/// The records of a lump, which all have the same size.
#[derive(Clone, Copy)]
pub struct Records<'a> {
    /// The lump, for messages.
    lump: Lump,
    /// Its bytes, a whole number of records.
    bytes: &'a [u8],
}

impl<'a> Records<'a> {
    pub fn len(&self) -> usize {
        self.bytes.len() / self.lump.size
    }

    pub fn not_empty(self) -> Result<Self, MapError> {
        if !self.bytes.is_empty() {
            return Ok(self);
        }
        let name = self.lump.name;
        Err(MapError::Damaged(format!(
            "lump {name} is empty, so this is not a compiled map"
        )))
    }

    pub fn iter(&self) -> impl ExactSizeIterator<Item = &'a [u8]> + use<'a> {
        self.bytes.chunks_exact(self.lump.size)
    }

    /// Returns one record; `place` describes the record that refers to it, for errors.
    pub fn get(&self, index: i64, place: impl Fn() -> String) -> Result<&'a [u8], MapError> {
        self.bytes_of(index, 1, place)
    }

    /// Returns a range of records with their numbers; `place` describes the record that refers to it, for errors.
    pub fn range(
        &self,
        first: i64,
        count: i64,
        place: impl Fn() -> String,
    ) -> Result<Numbered<'a>, MapError> {
        // Some files have empty ranges that begin anywhere.
        let first = if count == 0 { 0 } else { first };
        let bytes = self.bytes_of(first, count, place)?;
        Ok((first as usize..).zip(bytes.chunks_exact(self.lump.size)))
    }

    fn bytes_of(
        &self,
        first: i64,
        count: i64,
        place: impl Fn() -> String,
    ) -> Result<&'a [u8], MapError> {
        // Products of numbers below 2^32 and 2^31 fit.
        let size = self.lump.size as i64;
        part(self.bytes, first * size, count * size).ok_or_else(|| {
            MapError::Damaged(format!(
                "{} refers to {} {}, which does not exist (the file has {}): it is damaged; get it again or rebuild it",
                place(),
                self.lump.record,
                if first < 0 { first } else { first + count - 1 },
                self.len()
            ))
        })
    }

    /// Checks that `referred`, the number of references to these records, is small enough that reading them takes
    /// memory and time in proportion to the file.
    pub fn check_sharing(&self, referred: i64) -> Result<(), MapError> {
        let count = self.len();
        if referred <= MAX_SHARING * (count as i64 + FEW) {
            return Ok(());
        }
        Err(MapError::bad_number(
            format_args!("lump {}", self.lump.name),
            format_args!("its {count} records are referred to {referred} times"),
        ))
    }
}

/// Reads integers of a record, which must be long enough.
pub fn i32s<const N: usize>(record: &[u8], at: usize) -> [i32; N] {
    std::array::from_fn(|i| i32::from_le_bytes(bytes_at(record, at + 4 * i)))
}

/// Reads an integer of a record: signed with 32 bits, or unsigned with 16.
pub fn number(record: &[u8], at: usize, is_wide: bool) -> i64 {
    if is_wide {
        i32s::<1>(record, at)[0].into()
    } else {
        u16s::<1>(record, at)[0].into()
    }
}

/// Reads floats of a record, which must be long enough.
pub fn f32s<const N: usize>(record: &[u8], at: usize) -> [f32; N] {
    std::array::from_fn(|i| f32::from_le_bytes(bytes_at(record, at + 4 * i)))
}

/// Reads short integers of a record, which must be long enough.
pub fn u16s<const N: usize>(record: &[u8], at: usize) -> [u16; N] {
    std::array::from_fn(|i| u16::from_le_bytes(bytes_at(record, at + 2 * i)))
}

fn bytes_at<const N: usize>(record: &[u8], at: usize) -> [u8; N] {
    match record.get(at..).and_then(<[u8]>::first_chunk) {
        Some(bytes) => *bytes,
        None => unreachable!("a format reads within its records"),
    }
}

/// Reads a name from a field of a record: the bytes before the first zero byte.
pub fn name(field: &[u8]) -> Vec<u8> {
    let name = field.split(|&byte| byte == 0).next();
    name.unwrap_or_default().to_vec()
}
