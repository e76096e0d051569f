//! The place of a point in a grid: whole numbers of blocks along the axes. It is counted in f32 for four numbers
//! at once, which compilers turn into instructions for several numbers where the processor has them. That is off
//! by less than half of a block's margin, where the trees of both blocks are right.

/// A number of this size has no bits below one, so adding it rounds to a whole number, whose lowest bits are
/// then the lowest of the sum; half as much again, so that this is true of negative numbers too.
const WHOLE: f32 = 1.5 * (1u32 << 23) as f32;

/// The corner and density of a grid, as places need them.
#[derive(Clone, Copy)]
pub(super) struct Lattice {
    /// Lower corner, in units; a fourth number for company.
    origin: [f32; 4],
    /// Blocks in a unit: a power of two.
    density: f32,
}

impl Lattice {
    /// The lattice of a lower corner in units and a number of blocks in a unit.
    #[inline(always)]
    pub(super) fn new([x, y, z]: [f32; 3], density: f32) -> Self {
        Self {
            origin: [x, y, z, 0.0],
            density,
        }
    }

    /// The place of a point below 2^30 units, right within 2^18 units of the origin. Places below the corner, and those
    /// 2^22 blocks from it or more, come out as numbers above 2^21, which no grid has.
    #[inline(always)]
    pub(super) fn place(&self, point: &[f64; 3]) -> [u32; 3] {
        let point = [point[0] as f32, point[1] as f32, point[2] as f32, 0.0];
        let mut place = [0; 4];
        for axis in 0..4 {
            let blocks = (point[axis] - self.origin[axis]) * self.density - 0.5;
            place[axis] = (blocks + WHOLE).to_bits().wrapping_sub(WHOLE.to_bits());
        }
        [place[0], place[1], place[2]]
    }
}
