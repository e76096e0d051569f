//! `parry`: a shape cast of crate `parry3d` (f32): the map's convex brushes and patch pieces as `ConvexPolyhedron`s,
//! boxes as `Cuboid`s, under its BVH, a cuboid (or, for a point, a ray) in, the nearest brush out. Faster than
//! `cast_shapes` with a `Compound`: the same search, but with the shapes' types known, each brush around its own
//! center, where f32 is exact enough; a cuboid is cast at a cuboid as a ray at their sum; and the contact's geometry
//! is not computed if the cast starts in a brush.

use std::cell::Cell;

use parry3d::bounding_volume::Aabb;
use parry3d::math::{Pose, Vec3A, Vector};
use parry3d::partitioning::{Bvh, BvhBuildStrategy, BvhLeafCost, BvhNode};
use parry3d::query::details::{
    cast_shapes_support_map_support_map, intersection_test_support_map_support_map,
};
use parry3d::query::{PointQuery, Ray, RayCast, ShapeCastOptions};
use parry3d::shape::{ConvexPolyhedron, Cuboid};

use crate::rival::{Answer, Rival, Segment, Visits};
use crate::solids::{Solid, Solids};

/// A brush around its center.
struct Part {
    center: Vector,
    shape: Shape,
}

enum Shape {
    Cuboid(Cuboid),
    Polyhedron(Box<ConvexPolyhedron>),
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
    /// Makes the shapes and the BVH. Leaves out brushes of which `parry3d` makes no convex shape.
    pub fn new(solids: &Solids) -> Self {
        let parts: Vec<Part> = solids.solids.iter().filter_map(part).collect();
        let boxes: Vec<Aabb> = parts.iter().map(Part::bounds).collect();
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

    /// Finds the nearest brush in the way, and its normal.
    fn cast<const COUNT: bool>(&self, ray: &Ray, visits: &mut Visits) -> Option<ByTime> {
        let (boxes, counted, of_parts) = (Cell::new(0), Cell::new(0), Cell::new(0));
        let half = Vec3A::from(self.cuboid.half_extents);
        let inverse = InverseRay::new(ray);
        let found = self.bvh.find_best(
            1.0,
            |node, _| {
                if COUNT {
                    boxes.set(boxes.get() + 1);
                }
                inverse.time_to(node, half)
            },
            |part, best| {
                let part = &self.parts[part as usize];
                if COUNT {
                    counted.set(counted.get() + 1);
                    of_parts.set(of_parts.get() + part.least_read());
                }
                self.cast_at(part, ray, best)
            },
        );
        visits.brushes += counted.get();
        visits.bytes += of_parts.get();
        visits.read_boxes(boxes.get());
        found.map(|(_, hit)| hit)
    }

    fn cast_at(&self, part: &Part, ray: &Ray, best: f32) -> Option<ByTime> {
        let local = Ray::new(ray.origin - part.center, ray.dir);
        let hit = match &part.shape {
            Shape::Cuboid(cuboid) => {
                let sum = Cuboid::new(cuboid.half_extents + self.cuboid.half_extents);
                sum.cast_local_ray_and_get_normal(&local, best, true)?
            }
            Shape::Polyhedron(shape) if self.is_point => {
                shape.cast_local_ray_and_get_normal(&local, best, true)?
            }
            Shape::Polyhedron(shape) => {
                let options = ShapeCastOptions {
                    max_time_of_impact: best,
                    target_distance: 0.0,
                    stop_at_penetration: true,
                    compute_impact_geometry_on_penetration: false,
                };
                let place = Pose::from_translation(local.origin);
                let (shape, cuboid) = (&**shape, &self.cuboid);
                let hit =
                    cast_shapes_support_map_support_map(&place, ray.dir, shape, cuboid, options)?;
                return Some(ByTime(hit.time_of_impact, hit.normal1));
            }
        };
        Some(ByTime(hit.time_of_impact, hit.normal))
    }
}

/// A ray, ready for boxes: the crate's own test of a box and a ray needs three divisions for each.
struct InverseRay {
    origin: Vec3A,
    inverse: Vec3A,
}

impl InverseRay {
    fn new(ray: &Ray) -> Self {
        Self {
            origin: Vec3A::from(ray.origin),
            inverse: Vec3A::from(ray.dir).recip(),
        }
    }

    /// Returns the time at which the ray enters a node's box, expanded by half the size of the cast shape.
    #[inline(always)]
    fn time_to(&self, node: &BvhNode, half: Vec3A) -> f32 {
        let mins = Vec3A::from(node.mins()) - half;
        let maxs = Vec3A::from(node.maxs()) + half;
        let one = (mins - self.origin) * self.inverse;
        let other = (maxs - self.origin) * self.inverse;
        let enter = one.min(other).max_element();
        let leave = one.max(other).min_element();
        if enter <= leave && leave >= 0.0 {
            enter.max(0.0)
        } else {
            f32::MAX
        }
    }
}

/// Time and normal of a hit, ordered by time.
struct ByTime(f32, Vector);

impl BvhLeafCost for ByTime {
    fn cost(&self) -> f32 {
        self.0
    }
}

impl Visits {
    /// Counts boxes of the BVH, which are stored in pairs.
    fn read_boxes(&mut self, boxes: usize) {
        self.nodes += boxes.div_ceil(2) as u64;
        self.read::<true, BvhNode>(boxes);
    }
}

fn part(solid: &Solid) -> Option<Part> {
    let [mins, maxs] = [f64::min, f64::max].map(|farther: fn(f64, f64) -> f64| {
        let corners = solid.corners.iter().copied();
        let corner = corners.reduce(|a, b| std::array::from_fn(|axis| farther(a[axis], b[axis])));
        corner.unwrap_or_default()
    });
    let center: [f64; 3] = std::array::from_fn(|axis| (mins[axis] + maxs[axis]) / 2.0);
    // Rounded to f32, so that only the shape loses precision.
    let center = center.map(|x| f64::from(x as f32));
    let local = |corner: &[f64; 3]| {
        Vector::from_array(std::array::from_fn(|axis| {
            (corner[axis] - center[axis]) as f32
        }))
    };
    let (lower, upper) = (local(&mins), local(&maxs));
    let is_box = solid.sloped.is_empty() && lower == -upper;
    let shape = if is_box {
        Shape::Cuboid(Cuboid::new(upper))
    } else {
        let points: Vec<Vector> = solid.corners.iter().map(local).collect();
        Shape::Polyhedron(Box::new(ConvexPolyhedron::from_convex_hull(&points)?))
    };
    Some(Part {
        center: Vector::from_array(center.map(|x| x as f32)),
        shape,
    })
}

impl Part {
    fn bounds(&self) -> Aabb {
        let place = Pose::from_translation(self.center);
        match &self.shape {
            Shape::Cuboid(cuboid) => cuboid.aabb(&place),
            Shape::Polyhedron(shape) => shape.aabb(&place),
        }
    }

    /// Returns the least number of bytes that a test reads: a search for the farthest corner in a direction reads all
    /// corners, and most tests repeat it.
    fn least_read(&self) -> u64 {
        let corners = match &self.shape {
            Shape::Cuboid(_) => 0,
            Shape::Polyhedron(shape) => size_of::<ConvexPolyhedron>() + size_of_val(shape.points()),
        };
        (size_of::<Self>() + corners) as u64
    }

    fn bytes(&self) -> usize {
        let Shape::Polyhedron(shape) = &self.shape else {
            return size_of::<Self>();
        };
        size_of::<Self>()
            + size_of::<ConvexPolyhedron>()
            + size_of_val(shape.points())
            + size_of_val(shape.faces())
            + size_of_val(shape.edges())
            + size_of_val(shape.vertices())
            + size_of_val(shape.vertices_adj_to_face())
            + size_of_val(shape.edges_adj_to_face())
            + size_of_val(shape.faces_adj_to_vertex())
    }
}

impl Rival for Parry {
    const NAME: &'static str = "parry";
    const TOLERANCE: f32 = 0.25;
    const COUNTED: [bool; 2] = [true, true];
    const APPROXIMATE: Option<&'static str> =
        Some("its iterations end with false hits where a box slides along a wall");
    const EVERY: usize = 8;

    #[inline(always)]
    fn trace<const COUNT: bool>(&mut self, [start, end]: &Segment, visits: &mut Visits) -> Answer {
        let [start, end] = [*start, *end].map(Vector::from_array);
        let ray = Ray::new(start + self.center, end - start);
        match self.cast::<COUNT>(&ray, visits) {
            Some(ByTime(time, _)) if time <= 0.0 => Answer::STUCK,
            Some(ByTime(time, normal)) => {
                Answer::hit(time, normal.to_array(), -normal.dot(ray.dir))
            }
            None => Answer::MISS,
        }
    }

    #[inline(always)]
    fn is_solid<const COUNT: bool>(&mut self, point: [f32; 3], visits: &mut Visits) -> bool {
        let center = Vector::from_array(point) + self.center;
        let half = self.cuboid.half_extents;
        let place = Aabb::new(center - half, center + half);
        let boxes = Cell::new(0);
        // The same as `intersect_aabb`.
        let query = BvhNode::leaf(place, 0);
        let mut found = self.bvh.leaves(|node| {
            if COUNT {
                boxes.set(boxes.get() + 1);
            }
            node.intersects(&query)
        });
        let solid = found.any(|part| {
            let part = &self.parts[part as usize];
            if COUNT {
                visits.brushes += 1;
                visits.bytes += part.least_read();
            }
            let local = center - part.center;
            match &part.shape {
                Shape::Cuboid(cuboid) => local.abs().cmplt(cuboid.half_extents + half).all(),
                Shape::Polyhedron(shape) if self.is_point => shape.contains_local_point(local),
                Shape::Polyhedron(shape) => {
                    let place = Pose::from_translation(local);
                    intersection_test_support_map_support_map(&place, &**shape, &self.cuboid)
                }
            }
        });
        visits.read_boxes(boxes.get());
        solid
    }

    fn bytes(&self) -> usize {
        self.bvh.total_memory_size() + self.parts.iter().map(Part::bytes).sum::<usize>()
    }
}
