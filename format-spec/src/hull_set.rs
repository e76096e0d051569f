//! A set of hulls, one bit each, such as the hulls for which a leaf is solid, or those that share a tree. Hulls are
//! numbers below [`MAX_HULLS`], in the order of the file's `HULL` records; bit `h` of [`HullSet::bits`], as files
//! store it, is hull `h`.

use core::fmt;
use core::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

use crate::MAX_HULLS;

/// A set of hulls of a file.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Default)]
pub struct HullSet(u64);

impl HullSet {
    /// The empty set.
    pub const EMPTY: Self = Self(0);

    /// Every hull that a file could have.
    pub const FULL: Self = Self(u64::MAX);

    /// Returns the first `n` hulls; all that a file could have if `n` is [`MAX_HULLS`] or more.
    pub const fn all(n: usize) -> Self {
        if n >= MAX_HULLS {
            Self::FULL
        } else {
            Self((1 << n) - 1)
        }
    }

    /// Returns one hull alone; the empty set if its number is [`MAX_HULLS`] or more.
    pub const fn single(hull: usize) -> Self {
        if hull < MAX_HULLS {
            Self(1 << hull)
        } else {
            Self::EMPTY
        }
    }

    /// Returns the set that files store as these bits.
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// Returns the set as files store it: bit `h` is hull `h`.
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Whether the set holds a hull.
    pub const fn contains(self, hull: usize) -> bool {
        hull < MAX_HULLS && self.0 >> hull & 1 == 1
    }

    /// Whether the two sets have a hull in common.
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the number of hulls in the set.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns the hull with the lowest number, or `None` if the set is empty.
    pub const fn first(self) -> Option<usize> {
        match self.0 {
            0 => None,
            bits => Some(bits.trailing_zeros() as usize),
        }
    }

    /// Adds a hull; a number of [`MAX_HULLS`] or more changes nothing.
    pub const fn insert(&mut self, hull: usize) {
        self.0 |= Self::single(hull).0;
    }

    /// Removes a hull.
    pub const fn remove(&mut self, hull: usize) {
        self.0 &= !Self::single(hull).0;
    }

    /// Returns the hulls of either set.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the hulls of this set that are not in the other.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Returns the number of hulls in the set with lower numbers than a hull: its rank, if it is in the set.
    pub const fn rank(self, hull: usize) -> usize {
        Self(self.0 & Self::all(hull).0).len()
    }

    /// Returns the hulls of the set whose ranks have these bits.
    pub fn with_ranks(self, bits: u8) -> Self {
        let has_bit = |&hull: &usize| u64::from(bits) >> self.rank(hull) & 1 == 1;
        self.iter().filter(has_bit).collect()
    }

    /// Returns the bits of the ranks of those hulls of the set, at most 8, that are in another set.
    pub fn ranks_of(self, other: Self) -> u8 {
        let ranks = self.iter().filter(|&hull| other.contains(hull));
        ranks.fold(0, |bits, hull| bits | 1 << self.rank(hull))
    }

    /// Returns the numbers of the hulls, in order.
    pub const fn iter(self) -> Hulls {
        Hulls(self)
    }
}

/// Iterator over the numbers of a set's hulls, in order.
#[derive(Clone, Debug)]
pub struct Hulls(HullSet);

impl Iterator for Hulls {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let first = self.0.first()?;
        self.0.remove(first);
        Some(first)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len(), Some(self.0.len()))
    }
}

impl ExactSizeIterator for Hulls {}

impl IntoIterator for HullSet {
    type Item = usize;
    type IntoIter = Hulls;

    fn into_iter(self) -> Hulls {
        self.iter()
    }
}

impl FromIterator<usize> for HullSet {
    fn from_iter<I: IntoIterator<Item = usize>>(hulls: I) -> Self {
        let hulls = hulls.into_iter();
        hulls.fold(Self::EMPTY, |set, hull| set | Self::single(hull))
    }
}

impl BitOr for HullSet {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitAnd for HullSet {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOrAssign for HullSet {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl BitAndAssign for HullSet {
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

/// Returns all hulls that a file could have and that are not in the set.
impl Not for HullSet {
    type Output = Self;

    fn not(self) -> Self {
        Self(!self.0)
    }
}

/// Prints the numbers of the hulls in braces.
impl fmt::Debug for HullSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::HullSet;

    #[test]
    fn sets_are_their_bits() {
        let mut set: HullSet = [63, 0, 5].into_iter().collect();
        assert_eq!(set.bits(), 1 << 63 | 1 << 5 | 1);
        assert!(set.iter().eq([0, 5, 63]));
        assert_eq!((set.len(), set.first()), (3, Some(0)));
        set.remove(0);
        set.insert(6);
        assert_eq!(set, HullSet::from_bits(1 << 63 | 1 << 6 | 1 << 5));
        assert_eq!(set.without(HullSet::all(6)), !HullSet::all(6) & set);
        assert_eq!((set.rank(63), set.ranks_of(HullSet::all(6))), (2, 0b001));
        assert_eq!(set.with_ranks(0b101), HullSet::from_bits(1 << 63 | 1 << 5));
    }

    #[test]
    fn numbers_beyond_the_last_hull_are_in_no_set() {
        let mut set = HullSet::EMPTY;
        set.insert(64);
        assert!(set.is_empty() && HullSet::single(64).is_empty());
        assert!(!HullSet::FULL.contains(64) && HullSet::FULL.contains(63));
        assert_eq!(HullSet::all(64), HullSet::FULL);
        assert_eq!(HullSet::all(3).bits(), 0b111);
        assert_eq!(HullSet::all(0), HullSet::EMPTY);
    }
}
