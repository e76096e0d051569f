//! One brush for the runtime's shapes: a cell of the compiler in; its faces, bevels, corners and edges as vectors
//! out, in the way that a file has them in records.

use onion_compiler::brush;
use onion_compiler::brush::bevel::bevels;
use onion_compiler::hull::HullEdges;
use onion_geometry::{Cell, PlaneSet};
use onion_maps::{Halfspace, Map, MapBrush, MapModel, MapSide, MapSurface};
use onion_runtime::shape::{Convex, Edge, FacePlane};

use crate::oracle;
use crate::random::Random;

/// A brush in vectors.
#[derive(Clone, Debug)]
pub struct Solid {
    /// The planes of its faces.
    pub faces: Vec<FacePlane>,
    /// Its bevels for boxes of any size.
    pub bevels: Vec<FacePlane>,
    /// Its corners.
    pub vertices: Vec<[f64; 3]>,
    /// Its edges.
    pub edges: Vec<Edge>,
}

impl Convex for Solid {
    fn faces(&self) -> impl Iterator<Item = FacePlane> {
        self.faces.iter().copied()
    }

    fn bevels(&self) -> impl Iterator<Item = FacePlane> {
        self.bevels.iter().copied()
    }

    fn vertices(&self) -> impl Iterator<Item = [f64; 3]> {
        self.vertices.iter().copied()
    }

    fn edges(&self) -> impl Iterator<Item = Edge> {
        self.edges.iter().copied()
    }
}

impl Solid {
    /// Makes a brush of planes as the compiler does, or returns `None` if they leave no volume.
    pub fn new(planes: &[oracle::Plane]) -> Option<Self> {
        let map = map_of(planes);
        let mut set = PlaneSet::default();
        let models = brush::build(&map, 4.0, &mut set, &mut Vec::new()).unwrap();
        let brush = models.first()?.first()?;
        Some(Self::from_cell(&mut set, &brush.cell))
    }

    /// Returns the brush of a cell.
    pub fn from_cell(set: &mut PlaneSet, cell: &Cell) -> Self {
        let bevels = bevels(set, cell, &HullEdges::along([true; 3]));
        let bevels: Vec<_> = bevels.into_iter().map(|bevel| set.insert(bevel)).collect();
        let plane = |id| {
            let entry = &set[id];
            FacePlane {
                normal: entry.normal.to_array(),
                dist: entry.dist,
            }
        };
        let windings = cell.windings();
        let mut edges = Vec::new();
        for (face, winding) in windings.iter().enumerate() {
            let next = winding.corners.iter().cycle().skip(1);
            for (from, to) in winding.corners.iter().zip(next) {
                let mut others = windings.iter();
                let other = others.position(|other| other.plane == from.edge).unwrap();
                if face < other {
                    edges.push(Edge {
                        ends: [from, to].map(|corner| corner.position.to_array()),
                        faces: [face, other],
                        normals: [winding.plane, from.edge].map(|id| plane(id).normal),
                    });
                }
            }
        }
        let vertices = cell.vertices().iter();
        Self {
            faces: windings
                .iter()
                .map(|winding| plane(winding.plane))
                .collect(),
            bevels: bevels.into_iter().map(plane).collect(),
            vertices: vertices.map(|vertex| vertex.position.to_array()).collect(),
            edges,
        }
    }

    /// Returns the planes of the faces, exactly those that the compiler made.
    pub fn planes(&self) -> Vec<oracle::Plane> {
        let faces = self.faces.iter();
        faces.map(|face| (face.normal, face.dist)).collect()
    }
}

/// Makes planes around a point that close a convex brush: some of them nearly parallel, some axial.
pub fn random_planes(random: &mut Random) -> Vec<oracle::Plane> {
    let center = random.point([-4000.0; 3], [4000.0; 3]);
    let size = 10f64.powf(random.between(-1.0, 2.7));
    let n_sloped = random.below(12);
    let mut sides = Vec::new();
    for axis in 0..3 {
        for sign in [-1.0, 1.0] {
            let mut normal = [0.0; 3];
            normal[axis] = sign;
            sides.push((normal, random.between(0.3, 1.0)));
        }
    }
    for _ in 0..n_sloped {
        let mut normal = random.direction();
        if random.below(4) == 0 {
            let (other, _) = sides[random.below(sides.len())];
            let tilt = 10f64.powf(random.between(-6.0, -1.0));
            normal = std::array::from_fn(|axis| other[axis] + tilt * normal[axis]);
            let length = normal.iter().map(|x| x * x).sum::<f64>().sqrt();
            normal = normal.map(|x| x / length);
        }
        sides.push((normal, random.between(0.2, 0.9)));
    }
    let sides = sides.into_iter().map(|(normal, reach)| {
        let middle: f64 = (0..3).map(|axis| normal[axis] * center[axis]).sum();
        (normal, middle + size * reach)
    });
    sides.collect()
}

/// Makes a brush as a map stores it.
pub fn map_brush(number: usize, planes: &[oracle::Plane]) -> MapBrush {
    let sides = planes.iter().map(|&(normal, dist)| MapSide {
        halfspace: Halfspace::stored(normal.map(|component| component as f32), dist as f32),
        surface: 0,
    });
    MapBrush {
        number,
        contents: 1,
        sides: sides.collect(),
    }
}

/// Makes a map of one brush.
pub fn map_of(planes: &[oracle::Plane]) -> Map {
    map_of_all(&[planes.to_vec()])
}

/// Makes a map of some brushes.
pub fn map_of_all(brushes: &[Vec<oracle::Plane>]) -> Map {
    let brushes = brushes.iter().enumerate();
    Map {
        models: vec![MapModel {
            brushes: brushes
                .map(|(number, planes)| map_brush(number, planes))
                .collect(),
            ..MapModel::default()
        }],
        surfaces: vec![MapSurface::default()],
        ..Map::default()
    }
}
