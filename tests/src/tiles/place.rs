//! A tile and where it lies: a turn by quarter circles, perhaps after mirroring, and a shift by whole
//! units. Turning is exact; the distance of a moved plane is rounded to the nearest f32, as a
//! game's own compiler would write it.

use crate::random::Random;

/// How many whole units a tile may lie above or below the map it repeats.
pub const MOST_RISE: f64 = 32.0;

/// One tile in so many is thinned.
const THINNED: usize = 4;

/// A number of columns and rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// Tiles along x.
    pub columns: usize,
    /// Tiles along y.
    pub rows: usize,
}

/// Where a tile lies and how it differs from the others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// The middle of the map, which comes to lie at `to`, in whole units.
    pub from: [f32; 3],
    /// Where that comes to lie, in whole units.
    pub to: [f32; 3],
    /// Quarter turns from +x to +y.
    pub turns: usize,
    /// Whether x is mirrored before the turn.
    pub mirrored: bool,
    /// Whether brushes are left out of the tile.
    pub thinned: bool,
}

impl Placement {
    /// A seeded placement around z; its middle lies at the origin of x and y.
    pub fn random(from: [f32; 3], random: &mut Random) -> Self {
        let rise = random.below(2 * MOST_RISE as usize + 1) as f32 - MOST_RISE as f32;
        Self {
            from,
            to: [0.0, 0.0, from[2] + rise],
            turns: random.below(4),
            mirrored: random.below(2) == 1,
            thinned: random.below(THINNED) == 0,
        }
    }

    /// A direction, turned.
    pub fn vector(&self, [x, y, z]: [f32; 3]) -> [f32; 3] {
        let x = if self.mirrored { -x } else { x };
        match self.turns {
            0 => [x, y, z],
            1 => [-y, x, z],
            2 => [-x, -y, z],
            _ => [y, -x, z],
        }
    }

    /// A place, moved.
    pub fn point(&self, point: [f32; 3]) -> [f32; 3] {
        let turned = self.vector(std::array::from_fn(|axis| point[axis] - self.from[axis]));
        std::array::from_fn(|axis| turned[axis] + self.to[axis])
    }

    /// A plane, moved.
    pub fn plane(&self, (normal, dist): ([f32; 3], f32)) -> ([f32; 3], f32) {
        let turned = self.vector(normal);
        let along = |normal: [f32; 3], point: [f32; 3]| -> f64 {
            (0..3)
                .map(|axis| f64::from(normal[axis]) * f64::from(point[axis]))
                .sum()
        };
        let dist = f64::from(dist) - along(normal, self.from) + along(turned, self.to);
        (turned, dist as f32)
    }

    /// A direction on the ground in degrees from +x, as entities have it, turned.
    pub fn angle(&self, degrees: f32) -> f32 {
        let mirrored = if self.mirrored {
            180.0 - degrees
        } else {
            degrees
        };
        (mirrored + 90.0 * self.turns as f32).rem_euclid(360.0)
    }
}

/// A tile.
#[derive(Clone, Debug)]
pub struct Tile {
    /// Where it lies.
    pub placement: Placement,
    /// Numbers of its brushes among those of the map's world.
    pub brushes: Vec<usize>,
    /// How many of the world's patches it has.
    pub n_patches: usize,
}

impl Tile {
    /// Leaves the tile at most so many brushes, and as large a part of its patches.
    pub fn cut(&mut self, most: usize) {
        let all = self.brushes.len();
        if most < all {
            self.brushes.truncate(most);
            self.n_patches = self.n_patches * most / all;
        }
    }
}
