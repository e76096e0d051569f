//! The plane geometry of a path search, as seen from above: what a place, the root, sees through a window, which is a
//! part of a line between two floors. All sums are in one order, so that readers in other languages get the same bits.

use crate::tolerance::ROUNDED;

/// A place as seen from above: x and y, in units.
pub(super) type Place = [f64; 2];

/// Returns the distance between two places, in units.
pub(super) fn distance([ax, ay]: Place, [bx, by]: Place) -> f64 {
    let [x, y] = [bx - ax, by - ay];
    libm::sqrt(x * x + y * y)
}

/// Returns a number above 0 if a place is to the left of the way from one place to another, below 0 if to the right.
pub(super) fn turn([ax, ay]: Place, [bx, by]: Place, [x, y]: Place) -> f64 {
    (bx - ax) * (y - ay) - (by - ay) * (x - ax)
}

/// Whether a place lies on the right side of a line, farther away than the rounding error of links. No path crosses the
/// line from there.
pub(super) fn is_behind(right: Place, left: Place, place: Place) -> bool {
    let behind = turn(right, left, place);
    let [x, y] = [left[0] - right[0], left[1] - right[1]];
    behind < 0.0 && behind * behind > ROUNDED * ROUNDED * (x * x + y * y)
}

/// Moves the ends of a window outward by the rounding error of links, except for those that are corners. Without this,
/// a straight path along a wall, or through a point where several floors meet, would miss the windows beside it.
pub(super) fn widened([right, left]: [Place; 2], are_corners: [bool; 2]) -> [Place; 2] {
    let length = distance(right, left);
    if length <= 0.0 {
        return [right, left];
    }
    let part = ROUNDED / length;
    let [x, y] = [(left[0] - right[0]) * part, (left[1] - right[1]) * part];
    let [is_right, is_left] = are_corners;
    [
        if is_right {
            right
        } else {
            [right[0] - x, right[1] - y]
        },
        if is_left {
            left
        } else {
            [left[0] + x, left[1] + y]
        },
    ]
}

/// Returns the place at a part of the way from one place to another; exactly at the ends if the part is 0 or 1.
pub(super) fn between([ax, ay]: Place, [bx, by]: Place, part: f64) -> Place {
    if part >= 1.0 {
        return [bx, by];
    }
    [ax + (bx - ax) * part, ay + (by - ay) * part]
}

/// How a place beyond a window is reached on the shortest way from the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sight {
    /// Around the right end of the window.
    AroundRight,
    /// In a straight line through it.
    Straight,
    /// Around its left end.
    AroundLeft,
}

/// What a root sees through a window.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cone {
    /// The place that looks.
    pub(super) root: Place,
    /// The right end of the window, as seen from the root.
    pub(super) right: Place,
    /// The left end of the window.
    pub(super) left: Place,
}

impl Cone {
    /// Returns what a place sees without a window: everything.
    pub(super) fn all_around(root: Place) -> Self {
        let (right, left) = (root, root);
        Self { root, right, left }
    }

    /// Returns how a place beyond the window is reached.
    pub(super) fn sight(&self, place: Place) -> Sight {
        if turn(self.root, self.right, place) < 0.0 {
            Sight::AroundRight
        } else if turn(self.root, self.left, place) > 0.0 {
            Sight::AroundLeft
        } else {
            Sight::Straight
        }
    }

    /// Returns the place from which a place with this sight is seen: the root or an end of the window.
    pub(super) fn turning_place(&self, sight: Sight) -> Place {
        match sight {
            Sight::AroundRight => self.right,
            Sight::Straight => self.root,
            Sight::AroundLeft => self.left,
        }
    }

    /// Returns how the way to a node behind the window turns, whose root is the root of this one or an end of the
    /// window.
    pub(super) fn turn_at(&self, root: Place) -> Sight {
        if root == self.root {
            Sight::Straight
        } else if root == self.right {
            Sight::AroundRight
        } else {
            Sight::AroundLeft
        }
    }

    /// Returns the place of the window that is nearest to the root.
    pub(super) fn nearest(&self) -> Place {
        let [x, y] = [self.left[0] - self.right[0], self.left[1] - self.right[1]];
        let square = x * x + y * y;
        let along = (self.root[0] - self.right[0]) * x + (self.root[1] - self.right[1]) * y;
        if square > 0.0 && along > 0.0 {
            between(self.right, self.left, along / square)
        } else {
            self.right
        }
    }

    /// Returns the length of the shortest way from the root through the window to a place, in units.
    pub(super) fn distance_to(&self, place: Place) -> f64 {
        let beyond = self.mirrored(place);
        let by = self.turning_place(self.sight(beyond));
        if by == self.root {
            return distance(self.root, beyond);
        }
        distance(self.root, by) + distance(by, beyond)
    }

    /// Returns a place beyond the window that is as far from all places of the window: the mirror image if the place
    /// is on the side of the root.
    fn mirrored(&self, [x, y]: Place) -> Place {
        let ([rx, ry], [lx, ly]) = (self.right, self.left);
        let inside = turn(self.right, self.left, [x, y]);
        if inside <= 0.0 {
            return [x, y];
        }
        let [wx, wy] = [lx - rx, ly - ry];
        let twice = 2.0 * inside / (wx * wx + wy * wy);
        [x + wy * twice, y - wx * twice]
    }

    /// Returns the parts of a line beyond the window that are reached in each way, as parts of the way from its right
    /// to its left end. Parts without length are left out.
    pub(super) fn parts(
        &self,
        right: Place,
        left: Place,
    ) -> impl Iterator<Item = (Sight, [f64; 2])> {
        let from_right = |place| turn(self.root, self.right, place);
        let from_left = |place| turn(self.root, self.left, place);
        // A line whose left end is right of what is seen is not seen from its inside, if at all: whichever end the way
        // goes around decides.
        let seen_from = match (from_right(right), from_right(left)) {
            (_, at_left) if at_left < 0.0 => 1.0,
            (at_right, _) if at_right >= 0.0 => 0.0,
            (at_right, at_left) => at_right / (at_right - at_left),
        };
        let seen_to = match (from_left(right), from_left(left)) {
            (at_right, _) if at_right > 0.0 => 0.0,
            (_, at_left) if at_left <= 0.0 => 1.0,
            (at_right, at_left) => at_right / (at_right - at_left),
        };
        let parts = [
            (Sight::AroundRight, [0.0, seen_from]),
            (Sight::Straight, [seen_from, seen_to]),
            (Sight::AroundLeft, [seen_to, 1.0]),
        ];
        parts.into_iter().filter(|(_, [from, to])| from < to)
    }

    /// Returns the place of the window nearest to the straight way from the root to a place beyond it, or to the mirror
    /// image of a place that is on the side of the root.
    pub(super) fn crossing(&self, place: Place) -> Place {
        let place = self.mirrored(place);
        match self.sight(place) {
            Sight::AroundRight => self.right,
            Sight::AroundLeft => self.left,
            Sight::Straight => {
                let root = turn(self.right, self.left, self.root);
                let beyond = turn(self.right, self.left, place);
                if root <= 0.0 || beyond >= 0.0 {
                    return self.nearest();
                }
                between(self.root, place, root / (root - beyond))
            }
        }
    }
}
