//! `embree`: Intel's ray tracing kernels (Embree 3; Wald and others, 2014), a box as a point's segment in, the
//! nearest triangle out. The triangles come from the outer faces of all brushes expanded for one hull, without parts
//! inside another brush. A C++ library, which the feature `embree` links.

use embree::{Device, Geometry, IntersectContext, Ray, RayHit, Scene, TriangleMesh};

use crate::rival::{Answer, Rival, Segment, Visits};
use crate::solids::Solids;

/// Length of the upward ray of a point query, in units: farther than a map is high.
const FAR: f32 = 262_144.0;

/// The rival.
pub struct Embree {
    scene: embree::CommittedScene<'static>,
    /// Numbers of corners and of triangles.
    counts: [usize; 2],
}

impl Embree {
    /// Builds the tree. It stays until the program ends: the library's objects refer to each other.
    pub fn new(solids: &Solids) -> Self {
        let corners: Vec<[f64; 3]> = solids.faces.concat();
        let mut triangles = Vec::new();
        let mut first = 0;
        for face in &solids.faces {
            triangles.extend((2..face.len()).map(|last| [first, first + last - 1, first + last]));
            first += face.len();
        }
        let device: &Device = Box::leak(Box::new(Device::new()));
        let mut mesh = TriangleMesh::unanimated(device, triangles.len(), corners.len());
        {
            let mut places = mesh.vertex_buffer.map();
            for (number, corner) in corners.iter().enumerate() {
                let [x, y, z] = corner.map(|along| along as f32);
                places[number] = [x, y, z, 0.0].into();
            }
            let mut numbers = mesh.index_buffer.map();
            for (number, triangle) in triangles.iter().enumerate() {
                numbers[number] = triangle.map(|corner| corner as u32).into();
            }
        }
        let mut mesh = Geometry::Triangle(mesh);
        mesh.commit();
        let mut scene = Scene::new(device);
        scene.attach_geometry(mesh);
        let scene: &Scene<'_> = Box::leak(Box::new(scene));
        Self {
            scene: scene.commit(),
            counts: [corners.len(), triangles.len()],
        }
    }

    /// Returns the first hit of a segment: the fraction before it, and the normal.
    #[inline(always)]
    fn meet(&self, start: [f32; 3], motion: [f32; 3]) -> Option<(f32, [f32; 3])> {
        let ray = Ray::segment(start.into(), motion.into(), 0.0, 1.0);
        let mut found = RayHit::new(ray);
        (self.scene).intersect(&mut IntersectContext::incoherent(), &mut found);
        let hit = found.hit;
        hit.hit()
            .then_some((found.ray.tfar, [hit.Ng_x, hit.Ng_y, hit.Ng_z]))
    }
}

impl Rival for Embree {
    const NAME: &'static str = "embree";
    const APPROXIMATE: Option<&'static str> = Some("it knows faces, and no inside");

    #[inline(always)]
    fn trace<const COUNT: bool>(&mut self, [start, end]: &Segment, _: &mut Visits) -> Answer {
        let motion: [f32; 3] = std::array::from_fn(|axis| end[axis] - start[axis]);
        let Some((fraction, normal)) = self.meet(*start, motion) else {
            return Answer::MISS;
        };
        let dot = |a: [f32; 3], b: [f32; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        let (along, length) = (dot(normal, motion), dot(normal, normal).sqrt());
        let unit = normal.map(|component| component / -length.copysign(along));
        Answer::hit(fraction, unit, along.abs() / length)
    }

    /// Whether a point is in solid: the first face above it is visible from behind.
    #[inline(always)]
    fn is_solid<const COUNT: bool>(&mut self, point: [f32; 3], _: &mut Visits) -> bool {
        let above = self.meet(point, [0.0, 0.0, FAR]);
        above.is_some_and(|(_, normal)| normal[2] > 0.0)
    }

    /// Returns the size of the input; the library does not report the size of its own structures.
    fn bytes(&self) -> usize {
        16 * self.counts[0] + 12 * self.counts[1]
    }
}
