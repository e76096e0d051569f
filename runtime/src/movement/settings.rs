//! The settings of agents: steps, slopes, gravity and the like. The defaults are Quake III's, where it has
//! them; lengths are in units of the map, times in seconds.

use crate::math::coordinate::{Coordinate, widened};

/// The parameters of an agent's movement, laid out as in C.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct WalkSettings {
    /// Height of the highest step that an agent walks up or down without falling, in units; 0 for none.
    pub step_height: f32,
    /// Least vertical component of the unit normal of a surface that an agent can stand on, 0 to 1. With 0, it can
    /// stand on anything but walls and ceilings, and slide up along anything.
    pub min_ground_z: f32,
    /// Downward acceleration of an agent in the air, in units per second squared.
    pub gravity: f32,
    /// How quickly the horizontal velocity of an agent in the air becomes the wished one, in parts per second; 0 for
    /// not at all, 1000 for at once. Large values also hold agents back on slopes too steep to stand on, so that they
    /// slide down more slowly.
    pub air_control: f32,
    /// The farthest that an agent in solid is moved along each axis to get out, in units; 0 for not at all. At most
    /// 128.
    pub max_unstick: f32,
}

impl Default for WalkSettings {
    /// Returns Quake III's values: maps of its family are built for steps of 18 units, ground with normals from 0.7
    /// up (45.6 degrees), gravity of 800 units per second squared and an air control of 1 per second. Agents get out
    /// of solid by half the width of its players, 16 units.
    fn default() -> Self {
        Self {
            step_height: 18.0,
            min_ground_z: 0.7,
            gravity: 800.0,
            air_control: 1.0,
            max_unstick: 16.0,
        }
    }
}

impl WalkSettings {
    /// Whether an agent can stand on a surface with this normal.
    pub fn is_ground<T: Coordinate>(&self, normal: impl Into<[T; 3]>) -> bool {
        let [_, _, z] = widened(normal.into());
        z > 0.0 && z >= f64::from(self.min_ground_z)
    }
}
