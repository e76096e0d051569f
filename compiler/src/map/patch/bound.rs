//! Bounds are the planes behind which a piece lies, not yet on the grid of planes, and how far what they leave is from
//! a point or from a corner.

use glam::DVec3;

use crate::geometry::grid;
use crate::tolerance::OVERLAP;

/// Most rounds in search of a short way; two or three planes that meet at 60 degrees take about ten.
const ROUNDS: usize = 32;

/// What a piece has behind it: the points where the product with a normal is at most `dist`.
#[derive(Clone, Copy)]
pub struct Bound {
    /// Unit normal, on the grid of patches.
    pub normal: DVec3,
    /// Distance from the origin, in units.
    pub dist: f64,
}

impl Bound {
    /// How far a curve or surface with these control points is behind, at most.
    pub fn gap(&self, control: &[DVec3]) -> f64 {
        let products = control.iter().map(|point| self.normal.dot(*point));
        self.dist - products.fold(f64::INFINITY, f64::min)
    }

    /// Sine of the angle between its normal and that of another.
    pub fn sine(&self, other: &Self) -> f64 {
        self.normal.cross(other.normal).length()
    }
}

/// What two sides of a piece leave over their corner: what is nearer to it than to either side.
pub struct Tip<'a> {
    /// Where it is.
    pub corner: DVec3,
    /// The surface's normal there, or at a sharp corner that of the piece.
    pub up: DVec3,
    /// Least cosine between this and the surface's normals there.
    pub lean: f64,
    /// The sides.
    pub sides: [Bound; 2],
    /// What bounds the piece on its visible side.
    pub fronts: &'a [Bound],
    /// What bounds it behind, if what is behind the surface counts too.
    pub back: Option<Bound>,
}

impl Tip<'_> {
    /// How far from the corner two bounds meet, at most, behind the fronts and not behind the surface there; 0 if they
    /// do so nearer to one of the sides. If what is behind the surface counts too, its distance is measured at right
    /// angles to the normal through the corner. All of it is divided by [`Tip::lean`], as other normals there may have
    /// the same place in front of them.
    pub fn reach(&self, [one, other]: [Bound; 2]) -> f64 {
        let along = one.normal.cross(other.normal);
        let rise = self.up.dot(along).abs();
        if rise == 0.0 {
            return f64::INFINITY;
        }
        // The place on the line that is nearest to the corner, seen from there.
        let [to_one, to_other] = [one, other].map(|bound| bound.gap(&[self.corner]));
        let foot = other.normal.cross(along) * to_one + along.cross(one.normal) * to_other;
        let foot = foot / along.length_squared();
        if !self.is_over_corner(foot) {
            return 0.0;
        }
        let along = along * self.up.dot(along).signum();
        let height = |bound: &Bound| bound.gap(&[self.corner + foot]) / bound.normal.dot(along);
        let rising = self.fronts.iter();
        let rising = rising.filter(|front| front.normal.dot(along) > 0.0);
        let highest = rising.map(height).fold(f64::INFINITY, f64::min);
        let level = -self.up.dot(foot) / rise;
        let lowest = match &self.back {
            Some(back) if back.normal.dot(along) < 0.0 => height(back),
            Some(_) => f64::NEG_INFINITY,
            None => level,
        };
        if highest < lowest {
            return 0.0;
        }
        let ends = [lowest, level.clamp(lowest, highest), highest];
        let reach = ends.map(|height| {
            let place = foot + along * height;
            match height < level {
                true => place.reject_from_normalized(self.up).length(),
                false => place.length(),
            }
        });
        reach.into_iter().fold(0.0, f64::max) / self.lean
    }

    /// Whether a place is nearer to the corner than to both sides.
    fn is_over_corner(&self, place: DVec3) -> bool {
        let [before, after] = self.sides.map(|side| side.normal);
        let turn = before.cross(after);
        place.cross(after).dot(turn) >= 0.0 && before.cross(place).dot(turn) >= 0.0
    }
}

/// How far a point is from what is behind all bounds, at most: the length of a way there, which Hildreth's method
/// ("A quadratic programming procedure", 1957) makes short. Infinite if the way is not found soon.
pub fn distance(bounds: &[Bound], point: DVec3) -> f64 {
    let mut at = point;
    let mut steps = vec![0.0; bounds.len()];
    for _ in 0..ROUNDS {
        let ahead = |bound: &Bound| bound.normal.dot(at) - bound.dist;
        if bounds.iter().all(|bound| ahead(bound) <= 0.0) {
            return at.distance(point);
        }
        for (bound, step) in bounds.iter().zip(&mut steps) {
            // A little farther than to the bound, so that the way ends.
            let ahead = bound.normal.dot(at) - bound.dist + OVERLAP / 2.0;
            let next = f64::max(*step + ahead / bound.normal.length_squared(), 0.0);
            at -= bound.normal * (next - *step);
            *step = next;
        }
    }
    f64::INFINITY
}

/// A normal on the grid of patches.
pub fn coarse(normal: DVec3) -> DVec3 {
    let one = grid::NORMAL_ONE as f64;
    DVec3::from_array(
        normal
            .to_array()
            .map(|component| grid::coarse_normal_component(component) as f64 / one),
    )
}
