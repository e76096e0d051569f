//! The result of splitting a convex shape by a plane, for cells, regions and windings, and the subtraction of a brush,
//! which splits a shape by one side of the brush after the other.

/// The result of splitting a convex shape by a plane: the parts on each side.
#[derive(Debug)]
pub enum Split<T> {
    /// It is wholly in front; it may touch the plane.
    Front,
    /// It is wholly behind; it may touch the plane.
    Back,
    /// The plane passes through: the part in front and the part behind.
    Both(T, T),
}

impl<T> Split<T> {
    /// Converts the parts.
    pub(super) fn map<U>(self, convert: impl Fn(T) -> U) -> Split<U> {
        match self {
            Self::Front => Split::Front,
            Self::Back => Split::Back,
            Self::Both(front, back) => Split::Both(convert(front), convert(back)),
        }
    }
}

/// Subtracts a brush from a convex shape, and returns convex parts that make up the remainder. The list is empty
/// if the brush contains the shape. `split` splits a part by a side of the brush.
pub fn subtract<T, S>(
    whole: T,
    sides: impl IntoIterator<Item = S>,
    split: impl Fn(&T, S) -> Split<T>,
) -> Vec<T> {
    let mut remainder = Vec::new();
    let mut inside = None;
    for side in sides {
        match split(inside.as_ref().unwrap_or(&whole), side) {
            Split::Back => {}
            // The brush only touches what the sides before left, so the shape stays whole.
            Split::Front => return vec![whole],
            Split::Both(front, back) => {
                remainder.push(front);
                inside = Some(back);
            }
        }
    }
    remainder
}
