//! Large maps made of small ones: the world of a map, repeated side by side in a grid of square tiles around the
//! origin. Tiles are not exact copies: each is turned by quarter circles, perhaps mirrored, and shifted up or down by
//! whole units, and some leave out about one brush in sixteen; a seed decides all of it. The same map, size and seed
//! give the same bytes everywhere.

mod output;
mod place;
mod source;

pub use place::{Grid, Placement, Tile};

use onion_format::WORLD_LIMIT;

use crate::random::Random;
use place::MAX_RISE;
use source::World;

/// A thinned tile leaves out one brush in this many on average.
const LEFT_OUT: usize = 16;

/// The size of a map.
#[derive(Clone, Copy, Debug)]
pub enum Size {
    /// A whole grid.
    Tiles(Grid),
    /// Exactly this many brushes: the smallest grid, as near to square as can be, that reaches the number; its last
    /// tile may be partial.
    Brushes(usize),
}

/// A map made of tiles.
#[derive(Clone, Debug)]
pub struct Tiled {
    /// The IBSP 46 file.
    pub bytes: Vec<u8>,
    /// Its grid.
    pub grid: Grid,
    /// The side of a tile, in units.
    pub side: f64,
    /// Its tiles, by rows; the last row may end early if the size is a number of brushes.
    pub tiles: Vec<Tile>,
}

impl Tiled {
    /// Returns the number of brushes in all tiles.
    pub fn n_brushes(&self) -> usize {
        self.tiles.iter().map(|tile| tile.brushes.len()).sum()
    }

    /// Returns the number of patches in all tiles.
    pub fn n_patches(&self) -> usize {
        self.tiles.iter().map(|tile| tile.n_patches).sum()
    }
}

/// Repeats the world of an IBSP 46 map.
///
/// # Errors
/// The map cannot be read, or this number of tiles does not fit in a world that ends 65,536 units from the origin.
pub fn tile(map: &[u8], size: Size, seed: u64) -> Result<Tiled, String> {
    let world = World::read(map)?;
    let generator = Generator::new(&world, seed)?;
    let (grid, mut tiles) = match size {
        Size::Tiles(grid) => generator.grid(grid)?,
        Size::Brushes(count) => generator.brushes(count)?,
    };
    for (number, tile) in tiles.iter_mut().enumerate() {
        let at = |index: usize, n: usize| {
            (2 * index + 1) as f64 * generator.half - n as f64 * generator.half
        };
        tile.placement.to[0] = at(number % grid.columns, grid.columns) as f32;
        tile.placement.to[1] = at(number / grid.columns, grid.rows) as f32;
    }
    Ok(Tiled {
        bytes: output::write(&world, grid, &tiles),
        grid,
        side: 2.0 * generator.half,
        tiles,
    })
}

struct Generator<'a> {
    world: &'a World,
    seed: u64,
    /// The middle of the world, in whole units.
    middle: [f32; 3],
    /// Half the side of a tile, which is the least square of whole units around the middle, so that turned tiles do
    /// not overlap.
    half: f64,
    /// The largest number of columns, and of rows, that fits.
    most: usize,
}

impl<'a> Generator<'a> {
    fn new(world: &'a World, seed: u64) -> Result<Self, String> {
        let (mins, maxs) = world.bounds;
        let middle = |axis: usize| ((mins[axis] + maxs[axis]) / 2.0).round();
        let reach = |axis| (maxs[axis] - middle(axis)).max(middle(axis) - mins[axis]);
        let half = reach(0).max(reach(1)).max(1.0).ceil();
        if mins[2].abs().max(maxs[2].abs()) + MAX_RISE > WORLD_LIMIT {
            return Err(format!("it lies more than {WORLD_LIMIT} units up or down"));
        }
        Ok(Self {
            world,
            seed,
            middle: [0, 1, 2].map(|axis| middle(axis) as f32),
            half,
            most: (WORLD_LIMIT / half) as usize,
        })
    }

    /// Makes a whole grid.
    fn grid(&self, grid: Grid) -> Result<(Grid, Vec<Tile>), String> {
        let Grid { columns, rows } = grid;
        if columns == 0 || rows == 0 {
            return Err("a grid has at least one column and one row".to_owned());
        }
        if columns.max(rows) > self.most {
            return Err(self.no_room(&format!("{columns} by {rows}")));
        }
        let tiles = (0..columns * rows).map(|number| self.tile(number));
        Ok((grid, tiles.collect()))
    }

    /// Makes the smallest grid with a number of brushes.
    fn brushes(&self, count: usize) -> Result<(Grid, Vec<Tile>), String> {
        if count == 0 {
            return Err("a map of no brushes was asked for".to_owned());
        }
        let mut tiles: Vec<Tile> = Vec::new();
        let mut missing = count;
        while missing > 0 {
            if tiles.len() == self.most * self.most {
                return Err(
                    self.no_room(&format!("for {count} brushes, more than {}", tiles.len()))
                );
            }
            let mut tile = self.tile(tiles.len());
            tile.cut(missing);
            missing -= tile.brushes.len();
            tiles.push(tile);
        }
        let columns = (1..).find(|n| n * n >= tiles.len()).unwrap_or(1);
        let rows = tiles.len().div_ceil(columns);
        Ok((Grid { columns, rows }, tiles))
    }

    fn no_room(&self, tiles: &str) -> String {
        let (side, most) = (2.0 * self.half, self.most);
        format!(
            "{tiles} tiles of {side} units have no room: the world ends {WORLD_LIMIT} units from \
             the origin, so {most} by {most} are the most"
        )
    }

    /// Makes a tile by its number, at the middle of the grid.
    fn tile(&self, number: usize) -> Tile {
        let mut random = Random::new(self.seed ^ (number as u64).rotate_left(32));
        let placement = Placement::random(self.middle, &mut random);
        let keeps = |_: &usize| !placement.thinned || random.below(LEFT_OUT) != 0;
        Tile {
            placement,
            brushes: (0..self.world.brushes.len()).filter(keeps).collect(),
            n_patches: self.world.patches.len(),
        }
    }
}
