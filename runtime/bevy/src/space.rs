//! The conversion between the axes and the units of maps and those of Bevy. Maps have z up, Bevy has y up: x, y, z of
//! the map are x, z, -y in Bevy, which turns the map about its x axis and mirrors nothing.

use bevy_ecs::resource::Resource;
use bevy_math::Vec3;
use bevy_transform::components::Transform;
use onion_runtime::Pose;

/// The conversion from points of maps to points of Bevy's world. A resource; insert another one before levels are
/// used.
#[derive(Resource, Clone, Copy, Debug, PartialEq)]
pub struct MapSpace {
    /// Number of map units per meter; above 0. Powers of two cause no rounding.
    pub units_per_meter: f32,
}

impl Default for MapSpace {
    /// Returns 32 units per meter, so that a player of 56 units is 1.75 meters tall.
    fn default() -> Self {
        Self {
            units_per_meter: 32.0,
        }
    }
}

impl MapSpace {
    /// Converts a point of the map, in units, to Bevy's world, in meters.
    pub fn to_bevy(&self, point: [f32; 3]) -> Vec3 {
        turned(point) / self.units_per_meter
    }

    /// Converts a point of Bevy's world, in meters, to the map, in units. Speeds are converted in the same way.
    pub fn to_map(&self, point: Vec3) -> [f32; 3] {
        turned_back(point * self.units_per_meter)
    }

    /// Converts a direction of the map, such as a normal, to Bevy's world; its length stays.
    pub fn direction_to_bevy(&self, direction: [f32; 3]) -> Vec3 {
        turned(direction)
    }

    /// Converts a direction of Bevy's world to the map; its length stays.
    pub fn direction_to_map(&self, direction: Vec3) -> [f32; 3] {
        turned_back(direction)
    }

    /// Converts the place and the rotation of a model to the map, or returns `None` if a number is not finite.
    pub fn pose_to_map(&self, place: &Transform) -> Option<Pose> {
        let (origin, rotation) = (self.to_map(place.translation), place.rotation);
        let [x, y, z] = turned_back(rotation.xyz());
        Pose::quaternion(origin, [x, y, z, rotation.w])
    }
}

// Differences, because the negative of 0 would be -0.

fn turned([x, y, z]: [f32; 3]) -> Vec3 {
    Vec3::new(x, z, 0.0 - y)
}

fn turned_back(vector: Vec3) -> [f32; 3] {
    [vector.x, 0.0 - vector.z, vector.y]
}
