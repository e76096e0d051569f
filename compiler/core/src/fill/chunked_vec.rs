//! A growable list stored as chunks. Threads that make parts of a result append their lists without copying items;
//! [`ChunkedVec::into_vec`] copies all items once, into a `Vec` of the exact size.

/// A list in chunks.
pub struct ChunkedVec<T>(Vec<Vec<T>>);

impl<T> Default for ChunkedVec<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> ChunkedVec<T> {
    /// Maximum number of items in a chunk that grows item by item.
    const PIECE: usize = 1 << 12;

    /// Adds an item at the end.
    pub fn push(&mut self, item: T) {
        match self.0.last_mut() {
            Some(piece) if piece.len() < Self::PIECE => piece.push(item),
            _ => self.0.push(vec![item]),
        }
    }

    /// Adds the items of another list at the end, without copying them.
    pub fn append(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// Returns all items in order.
    pub fn into_vec(self) -> Vec<T> {
        let mut all = Vec::with_capacity(self.0.iter().map(Vec::len).sum());
        all.extend(self.0.into_iter().flatten());
        all
    }
}
