//! Records of one kind, read in place: the bytes of a chunk in, records by number out. A number without a record
//! gives `None`, so no query can read beyond a chunk, whatever the bytes are.

use core::fmt;
use core::marker::PhantomData;

use onion_format::Record;

/// The records of a chunk.
pub(crate) struct Records<'a, R> {
    /// The bytes of all records; a rest shorter than a record is ignored.
    bytes: &'a [u8],
    /// The type that the bytes are read as; nothing is stored.
    record: PhantomData<R>,
}

impl<R> fmt::Debug for Records<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.bytes.len())
    }
}

impl<R> Clone for Records<'_, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R> Copy for Records<'_, R> {}

impl<'a, R: Record> Records<'a, R> {
    /// Returns the records in some bytes. Nothing is read yet, and nothing is copied.
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            record: PhantomData,
        }
    }

    /// Returns all bytes, record after record.
    #[inline(always)]
    pub(crate) fn all_bytes(self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the number of whole records.
    pub(crate) fn len(self) -> usize {
        self.bytes.len() / R::SIZE
    }

    /// Whether there are no bytes, as in a chunk that the file does not have.
    pub(crate) fn is_empty(self) -> bool {
        self.bytes.is_empty()
    }

    /// Returns the bytes of a record, or `None` if there is no such record.
    #[inline]
    pub(crate) fn bytes(self, number: usize) -> Option<&'a [u8]> {
        let start = number.checked_mul(R::SIZE)?;
        self.bytes.get(start..start.checked_add(R::SIZE)?)
    }

    /// Returns a record, or `None` if there is no such record.
    #[inline]
    pub(crate) fn get(self, number: usize) -> Option<R> {
        Some(R::read(self.bytes(number)?))
    }

    /// Returns `count` records from `first` on, or `None` if some of them do not exist.
    #[inline]
    pub(crate) fn slice(self, first: usize, count: usize) -> Option<Self> {
        // Checked, because the numbers come from a file, and a `usize` may have 32 bits.
        let start = first.checked_mul(R::SIZE)?;
        let end = start.checked_add(count.checked_mul(R::SIZE)?)?;
        Some(Self::new(self.bytes.get(start..end)?))
    }

    /// Returns all records, in order.
    #[inline]
    pub(crate) fn iter(
        self,
    ) -> impl DoubleEndedIterator<Item = R> + ExactSizeIterator + Clone + use<'a, R> {
        self.bytes.chunks_exact(R::SIZE).map(R::read)
    }

    /// Returns the number of leading records for which `holds` is true. After the first record for which it is false,
    /// it must be false for all.
    pub(crate) fn partition_point(self, holds: impl Fn(R) -> bool) -> usize {
        // The answer is never before `from`, nor after `to`.
        let (mut from, mut to) = (0, self.len());
        while from < to {
            let middle = from + (to - from) / 2;
            if self.get(middle).is_some_and(&holds) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        from
    }
}
