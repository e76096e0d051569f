//! Random numbers for tests: a seed in, the same numbers on every machine out. The generator is SplitMix64 (Steele,
//! Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014).

/// A generator.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Returns the generator for a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// Returns a number from 0 to 1, 1 excluded.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Returns a number from `low` to `high`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Returns a whole number below `limit`, which is above 0.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.bits() % limit as u64) as usize
    }

    /// Returns a random point in a box.
    pub fn point(&mut self, mins: [f64; 3], maxs: [f64; 3]) -> [f64; 3] {
        std::array::from_fn(|axis| self.between(mins[axis], maxs[axis]))
    }

    /// Returns a unit vector, uniformly distributed over all directions.
    pub fn direction(&mut self) -> [f64; 3] {
        loop {
            let vector = self.point([-1.0; 3], [1.0; 3]);
            let length = vector.iter().map(|x| x * x).sum::<f64>().sqrt();
            if length > 0.1 && length <= 1.0 {
                return vector.map(|x| x / length);
            }
        }
    }
}
