//! A list in chunks is assembled from lists in order without copying them; the lists are parts of a result that
//! several threads make. When the list is complete, it is copied once, to a list of the exact size.

/// A list in chunks.
pub struct ChunkedVec<T>(Vec<Vec<T>>);

impl<T> Default for ChunkedVec<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> ChunkedVec<T> {
    /// The most items of a chunk that grows item by item.
    const PIECE: usize = 1 << 12;

    /// Adds an item at the end.
    pub fn push(&mut self, item: T) {
        match self.0.last_mut() {
            Some(piece) if piece.len() < Self::PIECE => piece.push(item),
            _ => self.0.push(vec![item]),
        }
    }

    /// Adds another list in chunks at the end.
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
