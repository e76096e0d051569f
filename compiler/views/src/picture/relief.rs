//! Draws the surfaces beyond the slice. For each pixel it traces along the line of sight, from the beginning of the
//! line or, if that is solid, from its first free point. The surface that the trace hits is colored by depth or cost
//! and lit from the upper left, with shadows.

use glam::DVec3;
use onion_runtime::OnionMap;
use rayon::prelude::*;

use super::canvas::{Color, mix};
use super::eye::Eye;
use super::palette;
use super::view::View;
use crate::node_costs::NodeCosts;

/// The surface that a line of sight meets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Met {
    /// Its distance beyond the cut, in units; infinite if no surface is met.
    pub depth: f64,
    /// The unit normal of the surface; zero if none is met.
    normal: DVec3,
    /// The relative cost of its brush, from 0 to 1.
    heat: f64,
}

const NOTHING: Met = Met {
    depth: f64::INFINITY,
    normal: DVec3::ZERO,
    heat: 0.0,
};

/// The surfaces that the lines of sight of all pixels meet.
#[derive(Clone, Debug)]
pub struct Relief {
    /// The part of the map that the pixels show.
    view: View,
    met: Vec<Met>,
    /// The depths of the nearest and the farthest surface, except for a few outliers.
    pub depths: [f64; 2],
    /// Whether surfaces have the colors of their costs.
    is_hot: bool,
}

/// Reach of shadows, in pixels, and their darkness.
const SHADOW_REACH: usize = 28;
const SHADOW: f64 = 0.34;
/// Darkness of a surface that is turned away from the light.
const SHADE: f64 = 0.42;
const DARK: Color = [0x1C, 0x2B, 0x45];

impl Relief {
    /// Traces the lines of sight of all pixels.
    pub fn look<D: AsRef<[u8]> + Sync>(
        map: &OnionMap<D>,
        eye: &Eye,
        heat: Option<&NodeCosts>,
        view: &View,
    ) -> Self {
        let [width, height] = view.size;
        let mut met = vec![NOTHING; width * height];
        let rows = met.par_chunks_mut(width).enumerate();
        rows.for_each(|(y, row)| {
            for (x, met) in row.iter_mut().enumerate() {
                let place = view.place([x as f64 + 0.5, y as f64 + 0.5]);
                *met = look(map, eye, heat, view, place).unwrap_or(NOTHING);
            }
        });
        Self {
            view: *view,
            depths: usual_depths(&met),
            met,
            is_hot: heat.is_some(),
        }
    }

    /// Returns the color of a pixel. `wall` returns whether a pixel is cut, so that it casts a shadow.
    pub fn color(&self, x: usize, y: usize, wall: impl Fn(usize, usize) -> bool) -> Color {
        let met = self.met(x, y);
        if !met.depth.is_finite() {
            return palette::VOID;
        }
        let [least, most] = self.depths;
        let base = if self.is_hot {
            palette::heat(met.heat)
        } else {
            // Of a map with less than 64 units between its floors, only a part of the colors is used: it is nearly
            // flat.
            palette::height((met.depth - least) / (most - least).max(64.0))
        };
        let light = self.light().dot(met.normal).max(0.0);
        // A surface that faces the eye, as floors do from above, is not shaded at all.
        let flat = self.light().dot(self.view.sight.toward_eye());
        let shade = (1.0 - light / flat).clamp(0.0, 1.0) * SHADE;
        let lit = mix(base, DARK, shade);
        mix(lit, DARK, self.shadow(x, y, met.depth, wall) * SHADOW)
    }

    /// Returns the surface that a pixel shows.
    fn met(&self, x: usize, y: usize) -> Met {
        self.met[y * self.view.size[0] + x]
    }

    /// Returns the direction toward the light: the upper left, in front of the picture.
    fn light(&self) -> DVec3 {
        let [right, up] = self.view.sight.across();
        // The components of a unit vector: 0.8, 0.36 and 0.48.
        let mut light = self.view.sight.toward_eye() * 0.8;
        light[right] -= 0.36;
        light[up] += 0.48;
        light
    }

    /// Returns how deep in shadow a pixel is, from 0 to 1, because of surfaces between it and the light, toward the
    /// upper left.
    fn shadow(&self, x: usize, y: usize, depth: f64, wall: impl Fn(usize, usize) -> bool) -> f64 {
        let reach = SHADOW_REACH.min(x).min(y);
        let mut shadow = 0.0f64;
        for step in 1..=reach {
            let (x, y) = (x - step * 3 / 4, y - step);
            let other = if wall(x, y) {
                0.0
            } else {
                self.met(x, y).depth
            };
            // Height of the other surface above the ray of light, in pixels.
            let above = (depth - other) * self.view.scale - step as f64 * 1.1;
            let faded = 1.0 - step as f64 / (SHADOW_REACH + 1) as f64;
            shadow = shadow.max((above / 3.0).clamp(0.0, 1.0) * faded);
        }
        shadow
    }
}

/// Returns the 4th and the 96th percentile of the depths, so that a sky or a pit does not use up the colors of the
/// floors between them.
fn usual_depths(met: &[Met]) -> [f64; 2] {
    let depths = met.iter().map(|met| met.depth);
    let mut depths: Vec<f64> = depths.filter(|depth| depth.is_finite()).collect();
    let Some(last) = depths.len().checked_sub(1) else {
        return [f64::INFINITY, 0.0];
    };
    let few = depths.len() / 25;
    [few, last - few].map(|number| *depths.select_nth_unstable_by(number, f64::total_cmp).1)
}

/// Returns the surface that the line of sight through a point hits, or `None` if it hits none.
pub fn look<D: AsRef<[u8]>>(
    map: &OnionMap<D>,
    eye: &Eye,
    heat: Option<&NodeCosts>,
    view: &View,
    place: DVec3,
) -> Option<Met> {
    let [start, end] = eye.look(map, view, place)?;
    let trace = map
        .world()
        .trace(eye.hull, start.to_array(), end.to_array());
    let plane = trace.plane?;
    let hit = heat.and_then(|heat| {
        let hit = map.world().hit(eye.hull, &trace).ok()??;
        Some(heat.of(hit.brush.number))
    });
    Some(Met {
        depth: view.depth_of(start.lerp(end, trace.hit_fraction)),
        normal: DVec3::from_array(plane.normal),
        heat: hit.unwrap_or(0.0),
    })
}
