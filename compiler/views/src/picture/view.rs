//! The view of a picture: the axis and direction of sight, the position of the slice, and the conversion between pixels
//! and positions in the world.

use glam::DVec3;
use onion_geometry::Bounds;

/// The direction of sight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// Down, with y up in the picture.
    Top,
    /// Along y, with z up.
    Front,
    /// Against x, with z up.
    Side,
}

/// Margin of the picture around the brushes, as a part of their size and in units.
const MARGIN: [f64; 2] = [0.02, 24.0];

impl Sight {
    /// Returns the axis of sight.
    pub fn axis(self) -> usize {
        match self {
            Self::Top => 2,
            Self::Front => 1,
            Self::Side => 0,
        }
    }

    /// Returns the name of the axis of sight.
    pub fn axis_name(self) -> &'static str {
        ["x", "y", "z"][self.axis()]
    }

    /// Returns the axes to the right and up in the picture.
    pub fn across(self) -> [usize; 2] {
        match self {
            Self::Top => [0, 1],
            Self::Front => [0, 2],
            Self::Side => [1, 2],
        }
    }

    /// Whether coordinates grow along the direction of sight.
    fn looks_forward(self) -> bool {
        self == Self::Front
    }

    /// Returns the direction toward the eye.
    pub fn toward_eye(self) -> DVec3 {
        let mut direction = DVec3::ZERO;
        direction[self.axis()] = if self.looks_forward() { -1.0 } else { 1.0 };
        direction
    }
}

/// The world behind the pixels of a picture.
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// The direction of sight.
    pub sight: Sight,
    /// Coordinate of the cut along the axis of sight; `None` if there is no cut.
    pub cut: Option<f64>,
    /// The part of the world that is shown.
    pub bounds: Bounds,
    /// Pixels per unit.
    pub scale: f64,
    /// Size in pixels.
    pub size: [usize; 2],
}

impl View {
    /// Creates a view of a box, with at most `most` pixels in each direction. If it would be lower than `least_height`
    /// pixels, it shows more space above and below the box.
    pub fn new(
        sight: Sight,
        cut: Option<f64>,
        brushes: Bounds,
        most: [usize; 2],
        least_height: usize,
    ) -> Self {
        let margin = (brushes.maxs - brushes.mins) * MARGIN[0] + MARGIN[1];
        let mut bounds = Bounds {
            mins: brushes.mins - margin,
            maxs: brushes.maxs + margin,
        };
        let axes = sight.across();
        let extents = axes.map(|axis| bounds.maxs[axis] - bounds.mins[axis]);
        let scale = (most[0] as f64 / extents[0]).min(most[1] as f64 / extents[1]);
        let missing = (least_height as f64 / scale - extents[1]).max(0.0);
        let [_, up] = axes;
        bounds.mins[up] -= missing / 2.0;
        bounds.maxs[up] += missing / 2.0;
        let extents = [extents[0], extents[1] + missing];
        Self {
            sight,
            cut,
            bounds,
            scale,
            size: extents.map(|extent| ((extent * scale) as usize).max(1)),
        }
    }

    /// Returns the position in the plane of the cut for a point of the picture, which is given in pixels.
    pub fn place(&self, [x, y]: [f64; 2]) -> DVec3 {
        let [right, up] = self.sight.across();
        let mut place = DVec3::ZERO;
        place[right] = self.bounds.mins[right] + x / self.scale;
        place[up] = self.bounds.maxs[up] - y / self.scale;
        place[self.sight.axis()] = self.nearest();
        place
    }

    /// Returns the point of the picture, in pixels, for a position in the world.
    pub fn pixel(&self, place: DVec3) -> [f64; 2] {
        let [right, up] = self.sight.across();
        let x = (place[right] - self.bounds.mins[right]) * self.scale;
        [x, (self.bounds.maxs[up] - place[up]) * self.scale]
    }

    /// Returns the coordinate at which lines of sight begin: the cut, or in front of the whole map.
    pub fn nearest(&self) -> f64 {
        let axis = self.sight.axis();
        self.cut.unwrap_or(if self.sight.looks_forward() {
            self.bounds.mins[axis]
        } else {
            self.bounds.maxs[axis]
        })
    }

    /// Returns the length of lines of sight, in units: they end behind the whole map.
    pub fn depth(&self) -> f64 {
        let far = if self.sight.looks_forward() {
            self.bounds.maxs
        } else {
            self.bounds.mins
        };
        self.depth_of(far).max(1.0)
    }

    /// Returns the distance of a position beyond the nearest plane, in units.
    pub fn depth_of(&self, place: DVec3) -> f64 {
        let axis = self.sight.axis();
        if self.sight.looks_forward() {
            place[axis] - self.nearest()
        } else {
            self.nearest() - place[axis]
        }
    }
}
