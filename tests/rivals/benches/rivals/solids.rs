//! The solids of a map's world for one hull, for rivals that work on brushes: the compiler's brushes and patch
//! pieces, with the planes of their exact Minkowski sum with the box, without redundant ones.

use onion_compiler::DEFAULT_PATCH_ERROR;
use onion_compiler::brush::{self, BrushSource, ModelBrushes};
use onion_compiler::expand::{HullBrush, expand};
use onion_compiler::hull::HullSpec;
use onion_geometry::PlaneSet;
use onion_geometry::grid::DIST_ONE;
use onion_maps::Map;

/// A plane: unit normal and distance along it, in units.
pub type Plane = ([f64; 3], f64);

/// A convex solid.
pub struct Solid {
    /// Its source in the map.
    pub source: BrushSource,
    /// Its corners, not expanded, in units.
    pub corners: Vec<[f64; 3]>,
    /// Planes of the expanded solid, facing outward; the axial ones are [`Solid::mins`] and
    /// [`Solid::maxs`].
    pub sloped: Vec<Plane>,
    /// Planes that become those of [`Solid::sloped`] when expanded by the hull's box.
    pub unexpanded: Vec<Plane>,
    /// Lower corner of the expanded solid, in units.
    pub mins: [f64; 3],
    /// Upper corner of the expanded solid, in units.
    pub maxs: [f64; 3],
}

/// Everything that blocks a hull in the world.
pub struct Solids {
    /// The box, and the contents that block it.
    pub hull: HullSpec,
    /// The brushes first, the pieces of patches after them.
    pub solids: Vec<Solid>,
    /// The corners of the outer faces of their union, counterclockwise as seen from outside.
    #[cfg(feature = "embree")]
    pub faces: Vec<Vec<[f64; 3]>>,
}

/// The world's brushes, before expansion by any hull.
pub struct Brushes {
    world: [ModelBrushes; 1],
    planes: PlaneSet,
}

impl Brushes {
    /// Makes the brushes as the compiler does.
    pub fn new(map: &Map) -> Result<Self, String> {
        let mut planes = PlaneSet::default();
        let models = brush::build(map, DEFAULT_PATCH_ERROR, &mut planes, &mut Vec::new());
        let models = models.map_err(|error| error.to_string())?;
        let world = models.into_iter().next().ok_or("a map has a world")?;
        let world = [world];
        Ok(Self { world, planes })
    }

    /// Expands the brushes that block a hull.
    pub fn expand(&self, hull: &HullSpec) -> Solids {
        let mut planes = self.planes.clone();
        let (models, _cells) = expand(&self.world, std::slice::from_ref(hull), &mut planes);
        let expanded = models.iter().flatten().flat_map(|solid| &solid.brushes);
        let solids = expanded.map(|brush| self.solid(brush, hull, &planes));
        Solids {
            hull: hull.clone(),
            solids: solids.collect(),
            #[cfg(feature = "embree")]
            faces: onion_compiler::union::unite(&models, _cells, &planes)
                .iter()
                .flatten()
                .map(|face| {
                    face.winding
                        .corners
                        .iter()
                        .map(|corner| corner.position.to_array())
                        .collect()
                })
                .collect(),
        }
    }

    fn solid(&self, expanded: &HullBrush, hull: &HullSpec, planes: &PlaneSet) -> Solid {
        let brush = &self.world[0][expanded.brush.index()];
        let corners = brush.cell.vertices().iter();
        let (mut mins, mut maxs) = (expanded.bounds.mins, expanded.bounds.maxs);
        let (mut sloped, mut unexpanded) = (Vec::new(), Vec::new());
        for &id in &expanded.planes {
            let entry = &planes[id];
            if let Some(axis) = entry.axis.map(usize::from) {
                let corner = if entry.normal[axis] > 0.0 {
                    &mut maxs
                } else {
                    &mut mins
                };
                corner[axis] = entry.dist * entry.normal[axis];
                continue;
            }
            let support = hull.support(&entry.plane.normal) as f64 / DIST_ONE as f64;
            sloped.push((entry.normal.to_array(), entry.dist));
            unexpanded.push((entry.normal.to_array(), entry.dist - support));
        }
        Solid {
            source: brush.source,
            corners: corners.map(|corner| corner.position.to_array()).collect(),
            sloped,
            unexpanded,
            mins: mins.to_array(),
            maxs: maxs.to_array(),
        }
    }
}

impl Solids {
    /// Returns the corners of the box around everything, in units.
    pub fn bounds(&self) -> [[f64; 3]; 2] {
        let mut bounds = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
        for solid in &self.solids {
            let [mins, maxs] = bounds;
            bounds = [
                std::array::from_fn(|axis| solid.mins[axis].min(mins[axis])),
                std::array::from_fn(|axis| solid.maxs[axis].max(maxs[axis])),
            ];
        }
        bounds
    }

    /// Returns the center of the hull's box and half its size, in units.
    pub fn center_and_half(&self) -> [[f32; 3]; 2] {
        let HullSpec { mins, maxs, .. } = &self.hull;
        let of = |combine: fn(f32, f32) -> f32| {
            std::array::from_fn(|axis| combine(mins[axis], maxs[axis]) / 2.0)
        };
        [of(|min, max| min + max), of(|min, max| max - min)]
    }
}
