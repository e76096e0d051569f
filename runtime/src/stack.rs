//! A stack of fixed size, because walks may not allocate: what was pushed last comes out first, and what has no room
//! is refused.

/// Up to `N` items.
pub(crate) struct Stack<T, const N: usize> {
    items: [T; N],
    len: usize,
}

impl<T: Copy, const N: usize> Stack<T, N> {
    /// An empty stack; `fill` takes the places of items to come.
    #[inline(always)]
    pub(crate) fn new(fill: T) -> Self {
        Self {
            items: [fill; N],
            len: 0,
        }
    }

    /// Adds an item, unless the stack is full; whether it was added.
    #[inline(always)]
    pub(crate) fn push(&mut self, item: T) -> bool {
        match self.items.get_mut(self.len) {
            Some(slot) => {
                *slot = item;
                self.len += 1;
                true
            }
            None => false,
        }
    }

    /// Takes the last item off.
    #[inline(always)]
    pub(crate) fn pop(&mut self) -> Option<T> {
        let last = self.last()?;
        self.len -= 1;
        Some(last)
    }

    /// The last item.
    #[inline(always)]
    pub(crate) fn last(&self) -> Option<T> {
        let last = self.len.checked_sub(1)?;
        self.items.get(last).copied()
    }

    /// The last item, to change it.
    #[inline(always)]
    pub(crate) fn last_mut(&mut self) -> Option<&mut T> {
        let last = self.len.checked_sub(1)?;
        self.items.get_mut(last)
    }

    /// All items, the first one first.
    #[inline(always)]
    pub(crate) fn items(&self) -> &[T] {
        self.items.get(..self.len).unwrap_or(&[])
    }
}
