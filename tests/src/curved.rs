//! Generated maps of many curved patches: a number of them and a kind in; a closed room with a place to start, in
//! which they stand in rows, out. The same number and kind give the same map everywhere.

use clap::ValueEnum;

use crate::random::Random;
use crate::samples::{Map, Patch, Shader, Vec3};

/// Side of the square that is one place for patches, in units.
const SIDE: f64 = 256.0;

/// Height of the room, in units.
const HEIGHT: f64 = 640.0;

/// The kinds of patches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Curves {
    /// Half barrels overhead, two patches each.
    Vaults,
    /// Round columns, four patches each.
    Pillars,
    /// Hills: patches that meet at their edges.
    Terrain,
    /// Ribbons in the air that turn about their middle.
    Sheets,
}

impl Curves {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Vaults, Self::Pillars, Self::Terrain, Self::Sheets];

    /// Returns the name for tables and messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Vaults => "vaults",
            Self::Pillars => "pillars",
            Self::Terrain => "terrain",
            Self::Sheets => "sheets",
        }
    }

    /// Returns the number of patches in one place.
    fn in_place(self) -> usize {
        match self {
            Self::Vaults => 2,
            Self::Pillars => 4,
            Self::Terrain | Self::Sheets => 1,
        }
    }

    /// Makes a map with `n_patches` patches of this kind.
    pub fn map(self, n_patches: usize) -> Map {
        let n_places = n_patches.div_ceil(self.in_place());
        let width = (1..).find(|side| side * side >= n_places).unwrap_or(1);
        let size = width as f64 * SIDE;
        let mut map = Map::new("curved", self.name());
        map.room([0.0; 3], [size, size, HEIGHT]);
        map.spawn([SIDE as i32 / 2, SIDE as i32 / 2, HEIGHT as i32 - 64], 0);
        for place in 0..n_places {
            let column = place % width;
            self.add(&mut map, [column, place / width]);
        }
        map.models[0].patches.truncate(n_patches);
        map
    }

    /// Adds the patches of a place.
    fn add(self, map: &mut Map, place: [usize; 2]) {
        let [x, y] = place.map(|at| at as f64 * SIDE);
        let mut random = at(place);
        let patches = &mut map.models[0].patches;
        match self {
            Self::Vaults => {
                let half = random.between(64.0, 96.0).round();
                map.vault(0, x + SIDE / 2.0, half, 128.0, &[y, y + SIDE]);
            }
            Self::Pillars => {
                let radius = random.between(16.0, 64.0).round();
                patches.extend((0..4).map(|quarter| pillar([x, y], radius, quarter)));
            }
            Self::Terrain => patches.push(terrain(place)),
            Self::Sheets => patches.push(sheet([x, y], &mut random)),
        }
    }
}

/// Returns the random numbers of a place.
fn at([column, row]: [usize; 2]) -> Random {
    Random::new(Random::new((column << 20 | row) as u64).bits())
}

/// Makes a patch from its control points by row and column.
fn patch(point: impl Fn(usize, usize) -> Vec3) -> Patch {
    let row = |row: usize| [0, 1, 2].map(|column| point(row, column));
    Patch {
        points: [0, 1, 2].map(row),
        shader: Shader::Trim,
    }
}

/// Makes a quarter of a column, to be seen from outside.
fn pillar([x, y]: [f64; 2], radius: f64, quarter: usize) -> Patch {
    const AROUND: [[f64; 2]; 8] = [
        [1.0, 0.0],
        [1.0, 1.0],
        [0.0, 1.0],
        [-1.0, 1.0],
        [-1.0, 0.0],
        [-1.0, -1.0],
        [0.0, -1.0],
        [1.0, -1.0],
    ];
    patch(|row, column| {
        let [across, along] = AROUND[(2 * quarter + column) % 8];
        let middle = SIDE / 2.0;
        let z = [256.0, 128.0, 0.0][row];
        [x + middle + across * radius, y + middle + along * radius, z]
    })
}

/// Makes a piece of the hills. Neighbors share the heights of the control points on their common edge.
fn terrain([column, row]: [usize; 2]) -> Patch {
    patch(|i, j| {
        let at_point = [2 * column + i, 2 * row + j];
        let [x, y] = at_point.map(|at| at as f64 * SIDE / 2.0);
        [x, y, at(at_point).between(16.0, 112.0).round()]
    })
}

/// Makes a ribbon along x that turns.
fn sheet([x, y]: [f64; 2], random: &mut Random) -> Patch {
    let [from, by] = [random.between(0.0, 3.0), random.between(0.25, 0.6)];
    let z = random.between(144.0, 400.0).round();
    patch(|row, column| {
        let turn = from + by * row as f64;
        let across = (column as f64 - 1.0) * 80.0;
        let middle = SIDE / 2.0;
        let [y, z] = [y + middle + across * turn.cos(), z + across * turn.sin()];
        [x + 32.0 + row as f64 * 96.0, y.round(), z.round()]
    })
}
