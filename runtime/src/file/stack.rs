//! A fixed-capacity stack for walks, which may not allocate. It borrows its storage from its owner: a stack that
//! owned its storage was copied on construction, which took a tenth of the time of a short trace.

/// A stack of up to `N` items.
pub(crate) struct Stack<'a, T, const N: usize> {
    /// The storage; entries from `len` on hold nothing of meaning.
    entries: &'a mut [T; N],
    /// Number of items on the stack, the last of which is on top.
    len: usize,
}

impl<'a, T: Copy, const N: usize> Stack<'a, T, N> {
    /// Returns an empty stack; the contents of `entries` do not matter.
    #[inline(always)]
    pub(crate) fn on(entries: &'a mut [T; N]) -> Self {
        Self { entries, len: 0 }
    }

    /// Pushes an item. Returns `false` if the stack is full.
    #[inline(always)]
    pub(crate) fn push(&mut self, item: T) -> bool {
        // Loading proved for all trees that this does not happen.
        let Some(entry) = self.entries.get_mut(self.len) else {
            return false;
        };
        *entry = item;
        self.len += 1;
        true
    }

    /// Pops the last item.
    #[inline(always)]
    pub(crate) fn pop(&mut self) -> Option<T> {
        let last = self.len.checked_sub(1)?;
        let item = self.entries.get(last)?;
        self.len = last;
        Some(*item)
    }

    /// Returns the last item, to change it.
    #[inline(always)]
    pub(crate) fn last_mut(&mut self) -> Option<&mut T> {
        let last = self.len.checked_sub(1)?;
        self.entries.get_mut(last)
    }

    /// Returns all items, the first one first.
    #[inline(always)]
    pub(crate) fn items(&self) -> &[T] {
        self.entries.get(..self.len).unwrap_or(&[])
    }
}
