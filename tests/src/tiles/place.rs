//! A tile and its placement: a turn by quarter circles, perhaps after mirroring, and a shift by whole units. Turning
//! is exact; the distance of a moved plane is rounded to the nearest f32, as a game's own compiler would write it.

use crate::random::Random;

/// The largest shift of a tile above or below the map it repeats, in whole units.
pub const MAX_RISE: f64 = 32.0;

/// One tile in this many is thinned.
const THINNED: usize = 4;

/// A number of columns and rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// Tiles along x.
    pub columns: usize,
    /// Tiles along y.
    pub rows: usize,
}

/// The placement of a tile, and its differences from the others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// The middle of the map, which moves to `to`, in whole units.
    pub from: [f32; 3],
    /// The new place of the middle, in whole units.
    pub to: [f32; 3],
    /// Quarter turns from +x to +y.
    pub turns: usize,
    /// Whether x is mirrored before the turn.
    pub mirrored: bool,
    /// Whether brushes are left out of the tile.
    pub thinned: bool,
}

impl Placement {
    /// Picks a seeded placement around z, with its middle at the origin of x and y.
    pub fn random(from: [f32; 3], random: &mut Random) -> Self {
        let rise = random.below(2 * MAX_RISE as usize + 1) as f32 - MAX_RISE as f32;
        Self {
            from,
            to: [0.0, 0.0, from[2] + rise],
            turns: random.below(4),
            mirrored: random.below(2) == 1,
            thinned: random.below(THINNED) == 0,
        }
    }

    /// Turns a direction.
    pub fn vector(&self, [x, y, z]: [f32; 3]) -> [f32; 3] {
        let x = if self.mirrored { -x } else { x };
        match self.turns {
            0 => [x, y, z],
            1 => [-y, x, z],
            2 => [-x, -y, z],
            _ => [y, -x, z],
        }
    }

    /// Moves a place.
    pub fn point(&self, point: [f32; 3]) -> [f32; 3] {
        let turned = self.vector(std::array::from_fn(|axis| point[axis] - self.from[axis]));
        std::array::from_fn(|axis| turned[axis] + self.to[axis])
    }

    /// Moves a plane.
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

    /// Turns a direction on the ground in degrees from +x, as entities give it.
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
    /// Its placement.
    pub placement: Placement,
    /// Indices of its brushes among the brushes of the map's world.
    pub brushes: Vec<usize>,
    /// Number of the world's patches that it has.
    pub n_patches: usize,
}

impl Tile {
    /// Keeps at most `most` brushes of the tile, and the same fraction of its patches.
    pub fn cut(&mut self, most: usize) {
        let all = self.brushes.len();
        if most < all {
            self.brushes.truncate(most);
            self.n_patches = self.n_patches * most / all;
        }
    }
}
