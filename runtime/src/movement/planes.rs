//! The planes that a move has met: a wished velocity in; the nearest velocity that goes into none of them out.
//! Directions that go into no plane form a cone, and the nearest velocity in it is the wished one projected onto a
//! plane, onto the line where two planes meet, or onto the point where all planes meet.

use super::limits::MAX_BUMPS;
use crate::math::vector::{Vector, along, cross, dot};
use crate::tolerance::SAME_ANGLE;

/// Number of planes that a move can meet: two for each bump (a steep slope and the wall it acts as), and one for the
/// ground of the agent.
pub(super) const MAX_MET: usize = 2 * MAX_BUMPS + 1;

/// Number of walls that can act in a move: of all that it meets and its ground, the steep ones, and again each of them
/// with each ground where the two meet. That is `s (1 + g)` for `s + g = MAX_BUMPS + 1`, which is largest for equal
/// factors.
pub(super) const MAX_WALLS: usize = (MAX_BUMPS / 2 + 1) * (MAX_BUMPS / 2 + 1);

/// Normals of at most `N` planes, of any nonzero length.
pub(super) struct Planes<const N: usize> {
    /// The normals; those from `n_planes` on are unused.
    normals: [Vector; N],
    /// Number of planes in use.
    n_planes: usize,
}

impl<const N: usize> Default for Planes<N> {
    fn default() -> Self {
        Self {
            normals: [[0.0; 3]; N],
            n_planes: 0,
        }
    }
}

impl<const N: usize> Planes<N> {
    /// Adds a plane; if there are too many, ignores it.
    pub fn add(&mut self, normal: Vector) {
        // [`MAX_MET`] and [`MAX_WALLS`] count all that a move can add, so none is lost.
        if let Some(place) = self.normals.get_mut(self.n_planes) {
            *place = normal;
            self.n_planes += 1;
        }
    }

    /// Returns the normals, in the order in which the planes were met.
    pub fn normals(&self) -> impl Iterator<Item = Vector> + Clone {
        self.normals.iter().take(self.n_planes).copied()
    }

    /// Returns the sum of the normals of the planes that a velocity is parallel to or goes into: a direction away
    /// from them.
    pub fn outward(&self, velocity: &Vector) -> Vector {
        // A plane that the velocity leaves is no longer in the way, and would only divert the nudge.
        let limit = SAME_ANGLE * SAME_ANGLE * dot(velocity, velocity);
        self.normals()
            .filter(|normal| {
                let away = dot(velocity, normal);
                away <= 0.0 || away * away <= limit * dot(normal, normal)
            })
            .fold([0.0; 3], |sum, normal| along(&sum, &normal, 1.0))
    }

    /// Returns the velocity nearest to `wanted` that goes into no plane; never more than 90 degrees from it.
    pub fn nearest(&self, wanted: Vector) -> Vector {
        if self.normals().all(|normal| dot(&wanted, &normal) >= 0.0) {
            return wanted;
        }
        let limit = SAME_ANGLE * SAME_ANGLE * dot(&wanted, &wanted);
        // Cosines are compared as squares: normals may have any length, and `core` has no root.
        let goes_into = |velocity, normal| {
            let away = dot(&velocity, &normal);
            away < 0.0 && away * away > limit * dot(&normal, &normal)
        };
        // All candidates are projections of `wanted` on planes and lines through 0, so the longest is the nearest.
        let mut nearest = [0.0; 3];
        let mut consider = |velocity| {
            let longer = dot(&velocity, &velocity) > dot(&nearest, &nearest);
            if longer && !self.normals().any(|normal| goes_into(velocity, normal)) {
                nearest = velocity;
            }
        };
        // Planes, and the lines where two meet; where three meet, only 0 is left.
        let mut normals = self.normals();
        while let Some(normal) = normals.next() {
            consider(clipped(wanted, normal));
            for other in normals.clone() {
                consider(along_crease(wanted, normal, other));
            }
        }
        nearest
    }
}

/// Returns a velocity without the part of it that goes into a plane; one that does not go into it is unchanged.
pub(super) fn clipped(velocity: Vector, normal: Vector) -> Vector {
    let away = dot(&velocity, &normal);
    if away < 0.0 {
        along(&velocity, &normal, -away / dot(&normal, &normal))
    } else {
        velocity
    }
}

/// Returns the part of a velocity along the line where two planes meet, or zero if the planes are parallel.
fn along_crease(velocity: Vector, normal: Vector, other: Vector) -> Vector {
    // Long only if the planes meet at a clear angle; otherwise its direction is rounding error.
    let crease = cross(&normal, &other);
    let squared = dot(&crease, &crease);
    let parallel = SAME_ANGLE * SAME_ANGLE * dot(&normal, &normal) * dot(&other, &other);
    if squared > parallel {
        along(&[0.0; 3], &crease, dot(&velocity, &crease) / squared)
    } else {
        [0.0; 3]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nearest(wanted: Vector, normals: &[Vector]) -> Vector {
        let mut planes = Planes::<MAX_MET>::default();
        normals.iter().for_each(|&normal| planes.add(normal));
        planes.nearest(wanted)
    }

    const FLOOR: Vector = [0.0, 0.0, 1.0];
    const EAST_WALL: Vector = [-1.0, 0.0, 0.0];
    const NORTH_WALL: Vector = [0.0, -1.0, 0.0];

    #[test]
    fn walls_take_what_goes_into_them() {
        assert_eq!(nearest([3.0, 4.0, 5.0], &[]), [3.0, 4.0, 5.0]);
        assert_eq!(nearest([3.0, 4.0, 5.0], &[FLOOR]), [3.0, 4.0, 5.0]);
        assert_eq!(nearest([3.0, 4.0, -5.0], &[FLOOR]), [3.0, 4.0, 0.0]);
        let walls = [FLOOR, EAST_WALL];
        assert_eq!(nearest([3.0, 4.0, -5.0], &walls), [0.0, 4.0, 0.0]);
        let corner = [FLOOR, EAST_WALL, NORTH_WALL];
        assert_eq!(nearest([3.0, 4.0, -5.0], &corner), [0.0; 3]);
        assert_eq!(nearest([-3.0, 4.0, -5.0], &corner), [-3.0, 0.0, 0.0]);
    }

    /// A wedge that opens at 60 degrees: clipping by one plane and then by the other would go into the first again;
    /// the line where they meet is vertical.
    #[test]
    fn a_wedge_leaves_its_crease_only() {
        let half = 0.75f64.sqrt();
        let wedge = [[-0.5, half, 0.0], [-0.5, -half, 0.0]];
        let found = nearest([10.0, 1.0, 2.0], &wedge);
        assert!(
            found[0].abs() < 1e-12 && found[1].abs() < 1e-12,
            "{found:?}"
        );
        assert!((found[2] - 2.0).abs() < 1e-12, "{found:?}");
    }

    /// No sampled point of the cone is nearer than the result.
    #[test]
    fn nothing_allowed_is_nearer() {
        let mut bits = 1u64;
        let mut random = || {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (bits >> 40) as f64 / f64::from(1u32 << 23) - 1.0
        };
        for round in 0..2_000 {
            let mut vector = || [random(), random(), random()];
            let normals = [vector(), vector(), vector(), vector()];
            let normals = &normals[..1 + round % 4];
            let wanted = vector();
            let found = nearest(wanted, normals);
            let off = along(&wanted, &found, -1.0);
            for _ in 0..100 {
                let other = vector();
                if normals.iter().all(|&normal| dot(&other, &normal) >= 0.0) {
                    let its_off = along(&wanted, &other, -1.0);
                    let slack = 4.0 * SAME_ANGLE * dot(&wanted, &wanted);
                    assert!(dot(&off, &off) <= dot(&its_off, &its_off) + slack);
                }
            }
            for &normal in normals {
                let into = -dot(&found, &normal);
                assert!(
                    into <= SAME_ANGLE * (dot(&wanted, &wanted) * dot(&normal, &normal)).sqrt()
                );
            }
        }
    }
}
