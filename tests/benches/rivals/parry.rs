//! `parry`: a shape cast of crate `parry3d` (f32): the map's convex brushes and patch pieces as
//! `ConvexPolyhedron`s under its BVH, a cuboid (or, for a point, a ray) in, the nearest brush out. Faster than
//! `cast_shapes` with a `Compound`: the same search, but with the shapes' types known, each brush around its own center,
//! where f32 is exact enough, and no geometry of a contact where the cast starts in a brush.

use parry3d::bounding_volume::Aabb;
use parry3d::math::{Pose, Vector};
use parry3d::partitioning::{Bvh, BvhBuildStrategy};
use parry3d::query::details::{
    cast_shapes_support_map_support_map, intersection_test_support_map_support_map,
};
use parry3d::query::{PointQuery, Ray, RayCast, ShapeCastHit, ShapeCastOptions};
use parry3d::shape::{ConvexPolyhedron, Cuboid};

use crate::rival::{Answer, Rival, Segment, Visits};
use crate::solids::{Solid, Solids};

/// A brush around its center.
struct Part {
    center: Vector,
    shape: ConvexPolyhedron,
}

/// The rival.
pub struct Parry {
    parts: Vec<Part>,
    bvh: Bvh,
    center: Vector,
    cuboid: Cuboid,
    is_point: bool,
}

impl Parry {
    /// Makes the shapes and the BVH. Brushes of which `parry3d` makes no convex shape are left out.
    pub fn new(solids: &Solids) -> Self {
        let parts: Vec<Part> = solids.solids.iter().filter_map(part).collect();
        let boxes: Vec<Aabb> = parts
            .iter()
            .map(|part| part.shape.local_aabb_at(part.center))
            .collect();
        let [center, half] = solids.center_and_half().map(Vector::from_array);
        let missing = solids.solids.len() - parts.len();
        if missing > 0 {
            println!("parry: {missing} brushes are too thin for a convex shape");
        }
        Self {
            bvh: Bvh::from_leaves(BvhBuildStrategy::Ploc, &boxes),
            parts,
            center,
            cuboid: Cuboid::new(half),
            is_point: half == Vector::ZERO,
        }
    }

    fn cast_point<const COUNT: bool>(
        &self,
        ray: &Ray,
        visits: &mut Visits,
    ) -> Option<(f32, Vector)> {
        let counted = std::cell::Cell::new(0);
        let found = self.bvh.find_best(
            1.0,
            |node, best| node.cast_ray(ray, best),
            |part, best| {
                if COUNT {
                    counted.set(counted.get() + 1);
                }
                let part = &self.parts[part as usize];
                let local = Ray::new(ray.origin - part.center, ray.dir);
                let hit = part.shape.cast_local_ray_and_get_normal(&local, best, true);
                hit.map(ByTime)
            },
        );
        visits.brushes += counted.get();
        found.map(|(_, ByTime(hit))| (hit.time_of_impact, hit.normal))
    }

    fn cast_box<const COUNT: bool>(&self, ray: &Ray, visits: &mut Visits) -> Option<(f32, Vector)> {
        let counted = std::cell::Cell::new(0);
        let half = self.cuboid.half_extents;
        let found = self.bvh.find_best(
            1.0,
            |node, best| {
                let sum = Aabb::new(node.mins() - half, node.maxs() + half);
                let hit = sum.cast_local_ray(ray, best, true);
                hit.unwrap_or(f32::MAX)
            },
            |part, best| {
                if COUNT {
                    counted.set(counted.get() + 1);
                }
                let part = &self.parts[part as usize];
                let options = ShapeCastOptions {
                    max_time_of_impact: best,
                    target_distance: 0.0,
                    stop_at_penetration: true,
                    compute_impact_geometry_on_penetration: false,
                };
                let place = Pose::from_translation(ray.origin - part.center);
                cast_shapes_support_map_support_map(
                    &place,
                    ray.dir,
                    &part.shape,
                    &self.cuboid,
                    options,
                )
            },
        );
        visits.brushes += counted.get();
        found.map(|(_, hit): (u32, ShapeCastHit)| (hit.time_of_impact, hit.normal1))
    }
}

/// A ray's hit, ordered by time.
struct ByTime(parry3d::query::RayIntersection);

impl parry3d::partitioning::BvhLeafCost for ByTime {
    fn cost(&self) -> f32 {
        self.0.time_of_impact
    }
}

fn part(solid: &Solid) -> Option<Part> {
    let corners = solid.corners.iter();
    let sum = corners.clone().fold([0.0; 3], |sum, corner| {
        std::array::from_fn(|axis| sum[axis] + corner[axis])
    });
    let center = sum.map(|x: f64| (x / solid.corners.len() as f64).round());
    let local = |corner: &[f64; 3]| {
        Vector::from_array(std::array::from_fn(|axis| {
            (corner[axis] - center[axis]) as f32
        }))
    };
    let points: Vec<Vector> = corners.map(local).collect();
    Some(Part {
        center: Vector::from_array(center.map(|x| x as f32)),
        shape: ConvexPolyhedron::from_convex_hull(&points)?,
    })
}

/// The box of a shape that is moved.
trait LocalAabb {
    fn local_aabb_at(&self, center: Vector) -> Aabb;
}

impl LocalAabb for ConvexPolyhedron {
    fn local_aabb_at(&self, center: Vector) -> Aabb {
        self.aabb(&Pose::from_translation(center))
    }
}

impl Rival for Parry {
    const NAME: &'static str = "parry";
    const TOLERANCE: f32 = 0.25;
    const APPROXIMATE: Option<&'static str> =
        Some("its iterations end with false hits where a box slides along a wall");
    const EVERY: usize = 8;

    #[inline(always)]
    fn trace<const COUNT: bool>(&mut self, [start, end]: &Segment, visits: &mut Visits) -> Answer {
        let [start, end] = [*start, *end].map(Vector::from_array);
        let ray = Ray::new(start + self.center, end - start);
        let found = if self.is_point {
            self.cast_point::<COUNT>(&ray, visits)
        } else {
            self.cast_box::<COUNT>(&ray, visits)
        };
        match found {
            Some((time, _)) if time <= 0.0 => Answer::STUCK,
            Some((time, normal)) => Answer::hit(time, normal.to_array(), -normal.dot(ray.dir)),
            None => Answer::MISS,
        }
    }

    #[inline(always)]
    fn is_solid<const COUNT: bool>(&mut self, point: [f32; 3], visits: &mut Visits) -> bool {
        let center = Vector::from_array(point) + self.center;
        let half = self.cuboid.half_extents;
        let place = Aabb::new(center - half, center + half);
        let mut found = self.bvh.intersect_aabb(&place);
        found.any(|part| {
            if COUNT {
                visits.brushes += 1;
            }
            let part = &self.parts[part as usize];
            let local = center - part.center;
            if self.is_point {
                return part.shape.contains_local_point(local);
            }
            let place = Pose::from_translation(local);
            intersection_test_support_map_support_map(&place, &part.shape, &self.cuboid)
        })
    }

    fn bytes(&self) -> usize {
        let shape = |part: &Part| {
            size_of::<Part>()
                + size_of_val(part.shape.points())
                + size_of_val(part.shape.faces())
                + size_of_val(part.shape.edges())
                + size_of_val(part.shape.vertices())
                + size_of_val(part.shape.vertices_adj_to_face())
                + size_of_val(part.shape.edges_adj_to_face())
                + size_of_val(part.shape.faces_adj_to_vertex())
        };
        self.bvh.total_memory_size() + self.parts.iter().map(shape).sum::<usize>()
    }
}
