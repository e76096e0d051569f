//! Convex cells are intersections of half-spaces, stored as polyhedra that planes cut. This is the one routine that
//! turns planes into faces, for brushes, expanded brushes and the cells of trees.

use glam::DVec3;
use smallvec::{SmallVec, smallvec};

use super::bounds::Bounds;
use super::plane::{PlaneId, PlaneSet};
use super::polygon::area_at;
use super::predicate::{Location, Locations, PointH, Vertex};
use super::split::Split;
use super::winding::{Corner, PlaneSide, Winding, after};

/// The corners of a box's faces. Corner `i` lies on the upper plane of axis `a` when bit `a` of `i` is set.
const BOX_LOOPS: [[u32; 4]; 6] = [
    [0, 4, 6, 2],
    [1, 3, 7, 5],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 2, 3, 1],
    [4, 5, 7, 6],
];

/// A bounded convex polyhedron with a volume.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Its corners, each once, in no particular order.
    vertices: Vec<Vertex>,
    /// Its faces, each in a plane of its own.
    faces: Vec<Face>,
    /// The vertex numbers of all faces, face after face.
    corners: Vec<u32>,
}

/// A face: a range of the corners, counterclockwise seen from outside.
#[derive(Clone, Copy, Debug)]
struct Face {
    /// The plane, facing outward.
    plane: PlaneId,
    /// The first of its corners, as an index into [`Cell::corners`].
    start: u32,
    /// The index after its last corner.
    end: u32,
}

/// An edge that passes through the cutting plane, and the vertex there.
struct CutEdge {
    /// The numbers of the vertices that it joins, one on each side of the plane.
    ends: [u32; 2],
    /// Where the plane cuts it.
    vertex: Vertex,
}

/// The cut edges of a cell; usually few enough for the stack.
type CutEdges = SmallVec<[CutEdge; 8]>;

/// Marks a vertex that has no number yet.
const NONE: u32 = u32::MAX;

impl Cell {
    /// Returns the box between six axial planes that face outward, in the order -x +x -y +y -z +z. They must bound a
    /// box with a volume.
    pub fn from_box(planes: &PlaneSet, bounds: [PlaneId; 6]) -> Self {
        let vertices: Vec<_> = (0..8)
            .map(|corner| {
                let meeting = [0, 1, 2].map(|axis| bounds[2 * axis + (corner >> axis & 1)]);
                Vertex::new(planes, meeting).expect("axial planes of different axes meet")
            })
            .collect();
        debug_assert!(vertices[0].position.cmplt(vertices[7].position).all());
        let faces = (0u32..6).zip(bounds).map(|(at, plane)| Face {
            plane,
            start: 4 * at,
            end: 4 * at + 4,
        });
        Self {
            vertices,
            faces: faces.collect(),
            corners: BOX_LOOPS.as_flattened().to_vec(),
        }
    }

    /// Returns the intersection of the half-spaces behind `sides`, within the box of six axial planes (facing outward,
    /// in the order -x +x -y +y -z +z), or `None` if it has no volume.
    pub fn from_planes(
        planes: &PlaneSet,
        mut bounds: [PlaneId; 6],
        sides: impl IntoIterator<Item = PlaneId>,
    ) -> Option<Self> {
        let mut sloped = Vec::new();
        for plane in sides {
            match planes[plane].axis {
                Some(axis) => tighten(planes, &mut bounds, usize::from(axis), plane),
                None => sloped.push(plane),
            }
        }
        let Bounds { mins, maxs } = Bounds::between(planes, bounds);
        let has_volume = mins.cmplt(maxs).all();
        let axial = has_volume.then(|| Self::from_box(planes, bounds))?;
        let mut sloped = sloped.into_iter();
        sloped.try_fold(axial, |cell, plane| cell.clip(planes, plane))
    }

    /// Returns the planes of the faces, facing outward.
    pub fn planes(&self) -> impl Iterator<Item = PlaneId> {
        self.faces.iter().map(|face| face.plane)
    }

    /// Returns the vertices.
    pub fn vertices(&self) -> &[Vertex] {
        &self.vertices
    }

    /// Returns a box that certainly holds the cell.
    pub fn bounds(&self) -> Bounds {
        Bounds::around(self.vertices.iter().map(|vertex| vertex.position))
    }

    /// Returns the numbers of a face's vertices, counterclockwise.
    fn corners(&self, face: &Face) -> &[u32] {
        &self.corners[face.start as usize..face.end as usize]
    }

    /// Returns the numbers of each face's vertices, counterclockwise, in the order of [`Self::planes`].
    pub fn face_corners(&self) -> impl Iterator<Item = &[u32]> {
        self.faces.iter().map(|face| self.corners(face))
    }

    /// Returns the positions of each face's vertices, as [`Self::face_corners`] numbers them.
    pub fn face_positions(&self) -> impl Iterator<Item = Vec<DVec3>> {
        let at = |&corner: &u32| self.vertices[corner as usize].position;
        self.face_corners()
            .map(move |corners| corners.iter().map(at).collect())
    }

    /// Returns the edges of a face in order.
    fn edges_of(&self, face: &Face) -> impl Iterator<Item = [u32; 2]> {
        let corners = self.corners(face);
        (0..corners.len()).map(|at| [corners[at], corners[after(at, corners.len())]])
    }

    /// Returns the edges of all faces, each with the number of its face.
    fn edges(&self) -> impl Iterator<Item = ([u32; 2], usize)> {
        let faces = (0..).zip(&self.faces);
        faces.flat_map(|(number, face)| self.edges_of(face).map(move |edge| (edge, number)))
    }

    /// Returns the edges of all faces, sorted, each with the number of its face.
    fn sorted_edges(&self) -> Vec<([u32; 2], usize)> {
        let mut edges: Vec<_> = self.edges().collect();
        edges.sort_unstable();
        edges
    }

    /// Returns the edges, each once: the numbers of its vertices and of the two faces that share it.
    pub fn shared_edges(&self) -> Vec<([u32; 2], [usize; 2])> {
        let edges = self.sorted_edges();
        let once = edges.iter().filter(|([from, to], _)| from < to);
        let shared = once.map(|&([from, to], face)| {
            let other = face_of_edge(&edges, [to, from]);
            ([from, to], [face, other])
        });
        shared.collect()
    }

    /// Returns the planes of each pair of faces that share an edge, facing outward.
    pub fn adjacent_planes(&self) -> impl Iterator<Item = [PlaneId; 2]> {
        let edges = self.shared_edges().into_iter();
        edges.map(|(_, faces)| faces.map(|face| self.faces[face].plane))
    }

    /// Returns the faces as windings, facing outward.
    pub fn windings(&self) -> Vec<Winding> {
        let edges = self.sorted_edges();
        let winding = |face| self.winding(face, |edge| face_of_edge(&edges, edge));
        self.faces.iter().map(winding).collect()
    }

    /// Returns the face in a plane that faces outward, as a winding, or `None` if no face lies in the plane.
    pub fn winding_on(&self, plane: PlaneId) -> Option<Winding> {
        let face = self.faces.iter().find(|face| face.plane == plane)?;
        let face_of = |edge| {
            let found = self.edges().find(|(own, _)| *own == edge);
            found.expect("every edge has a face on both sides").1
        };
        Some(self.winding(face, face_of))
    }

    /// Returns a face as a winding; `face_of` finds the number of the face of an edge.
    fn winding(&self, face: &Face, face_of: impl Fn([u32; 2]) -> usize) -> Winding {
        let corners = self.edges_of(face).map(|[from, to]| Corner {
            position: self.vertices[from as usize].position,
            edge: self.faces[face_of([to, from])].plane,
        });
        Winding {
            plane: face.plane,
            corners: corners.collect(),
        }
    }

    /// Returns the mean of the vertices, which lies inside the cell up to rounding error.
    pub fn center(&self) -> DVec3 {
        let positions = self.vertices.iter().map(|vertex| vertex.position);
        positions.sum::<DVec3>() / self.vertices.len() as f64
    }

    /// Returns an exact point inside the cell, in general position: another `seed` gives another point. Unlike the mean
    /// of the vertices, it does not fall on the symmetry planes of the cell, where the seams of touching brushes are.
    pub fn interior_point(&self, planes: &PlaneSet, seed: u64) -> PointH {
        // The weights may add up to 2^11. A cell of the tree has at most 262 faces (its box and the nodes above it), so
        // at most 520 vertices.
        debug_assert!(self.vertices.len() <= 1 << 10);
        let most = ((1 << 11) / self.vertices.len() as u64).clamp(2, 14);
        let weights = (0..).map(|at| i128::from(1 + scramble(seed, at) % most));
        let points = self.vertices.iter().map(|vertex| vertex.point(planes));
        PointH::weighted_mean(points.zip(weights)).expect("a cell has vertices")
    }

    /// Returns the part of the cell behind a plane, or `None` if that part has no volume.
    pub fn clip(self, planes: &PlaneSet, plane: PlaneId) -> Option<Self> {
        let locations = self.locate(planes, plane);
        if !locations.contains(&Location::Front) {
            return Some(self);
        }
        if !locations.contains(&Location::Back) {
            return None;
        }
        let cuts = self.cut_edges(planes, plane, &locations);
        Some(self.part_behind(plane, &locations, &cuts))
    }

    /// Whether a part of the cell with a volume lies behind all of some planes.
    pub fn reaches_behind(&self, planes: &PlaneSet, sides: &[PlaneId]) -> bool {
        let [plane, rest @ ..] = sides else {
            return true;
        };
        let locations = self.locate(planes, *plane);
        if !locations.contains(&Location::Back) {
            return false;
        }
        if rest.is_empty() || !locations.contains(&Location::Front) {
            return self.reaches_behind(planes, rest);
        }
        let cuts = self.cut_edges(planes, *plane, &locations);
        let part = self.part_behind(*plane, &locations, &cuts);
        part.reaches_behind(planes, rest)
    }

    /// Classifies the cell against a plane.
    pub fn side(&self, planes: &PlaneSet, plane: PlaneId) -> PlaneSide {
        PlaneSide::of(self.locations(planes, plane))
    }

    /// Splits the cell by a plane.
    pub fn split(&self, planes: &PlaneSet, plane: PlaneId) -> Split<Self> {
        let locations = self.locate(planes, plane);
        match PlaneSide::of(locations.iter().copied()) {
            PlaneSide::Both => {
                let cuts = self.cut_edges(planes, plane, &locations);
                let flipped: Locations = locations.iter().map(|at| at.flipped()).collect();
                Split::Both(
                    self.part_behind(plane.flipped(), &flipped, &cuts),
                    self.part_behind(plane, &locations, &cuts),
                )
            }
            PlaneSide::Back => Split::Back,
            PlaneSide::Front | PlaneSide::On => Split::Front,
        }
    }

    /// Returns, for each vertex, on which side of a plane it is.
    fn locations(&self, planes: &PlaneSet, plane: PlaneId) -> impl Iterator<Item = Location> {
        let vertices = self.vertices.iter();
        vertices.map(move |vertex| vertex.locate(planes, plane))
    }

    /// Locates the vertices relative to a plane.
    pub fn locate(&self, planes: &PlaneSet, plane: PlaneId) -> Locations {
        self.locations(planes, plane).collect()
    }

    /// Returns the edges that pass through a plane, each once, although two faces share it.
    fn cut_edges(&self, planes: &PlaneSet, plane: PlaneId, locations: &[Location]) -> CutEdges {
        let mut half_cut: SmallVec<[([u32; 2], PlaneId); 16]> = SmallVec::new();
        let mut cut = CutEdges::new();
        for face in &self.faces {
            for [from, to] in self.edges_of(face) {
                let location = locations[from as usize];
                if location == Location::On || location.flipped() != locations[to as usize] {
                    continue;
                }
                let Some(other) = half_cut.iter().position(|&(ends, _)| ends == [to, from]) else {
                    half_cut.push(([from, to], face.plane));
                    continue;
                };
                let (ends, other) = half_cut.swap_remove(other);
                let vertex = Vertex::new(planes, [other, face.plane, plane]);
                let vertex = vertex.expect("an edge passes through the plane in one point");
                cut.push(CutEdge { ends, vertex });
            }
        }
        debug_assert!(half_cut.is_empty());
        cut
    }

    /// Returns the part behind the plane, closed by a face in the plane. Faces are copied up to the plane; each face
    /// that reaches the plane in an edge gives one edge of the closing face, which is assembled last.
    ///
    /// Long: one walk around each face numbers its corners, cuts its edges and finds what the closing face
    /// needs; it is the innermost loop of most stages.
    fn part_behind(&self, plane: PlaneId, locations: &[Location], cuts: &[CutEdge]) -> Self {
        let kept = locations.iter().filter(|&&at| at != Location::Front);
        let mut part = Self {
            vertices: Vec::with_capacity(kept.count() + cuts.len()),
            faces: Vec::with_capacity(self.faces.len() + 1),
            corners: Vec::with_capacity(self.corners.len() + 2 * cuts.len()),
        };
        let mut renumbered: SmallVec<[u32; 32]> = smallvec![NONE; self.vertices.len()];
        let mut cut_numbers: SmallVec<[u32; 16]> = smallvec![NONE; cuts.len()];
        // Pairs of consecutive vertices of the closing face.
        let mut closing: SmallVec<[(u32, u32); 16]> = SmallVec::new();

        for face in &self.faces {
            let behind = |&corner: &u32| locations[corner as usize] == Location::Back;
            if !self.corners(face).iter().any(behind) {
                continue;
            }
            let start = part.corners.len();
            let mut in_plane: SmallVec<[usize; 4]> = SmallVec::new();
            for [from, to] in self.edges_of(face) {
                let location = locations[from as usize];
                if location != Location::Front {
                    if location == Location::On {
                        in_plane.push(part.corners.len());
                    }
                    let vertex = &self.vertices[from as usize];
                    part.push_corner(&mut renumbered[from as usize], vertex);
                }
                if location != Location::On && location.flipped() == locations[to as usize] {
                    let same = |cut: &CutEdge| cut.ends == [from, to] || cut.ends == [to, from];
                    let cut = cuts.iter().position(same);
                    let cut = cut.expect("every edge that passes through was cut");
                    in_plane.push(part.corners.len());
                    part.push_corner(&mut cut_numbers[cut], &cuts[cut].vertex);
                }
            }
            if let [first, second] = in_plane[..] {
                let ends = (part.corners[second], part.corners[first]);
                let follows = second == first + 1;
                closing.push(if follows { ends } else { (ends.1, ends.0) });
            }
            part.faces.push(Face {
                plane: face.plane,
                start: start as u32,
                end: part.corners.len() as u32,
            });
        }
        part.close(plane, &closing);
        part
    }

    /// Adds a corner at a vertex. A vertex without a number is added, too.
    fn push_corner(&mut self, number: &mut u32, vertex: &Vertex) {
        if *number == NONE {
            *number = self.vertices.len() as u32;
            self.vertices.push(*vertex);
        }
        self.corners.push(*number);
    }

    /// Adds the face in the cutting plane, given the pairs of its consecutive vertices.
    fn close(&mut self, plane: PlaneId, closing: &[(u32, u32)]) {
        debug_assert!(closing.len() >= 3);
        let start = self.corners.len() as u32;
        let mut at = closing[0].0;
        for _ in closing {
            self.corners.push(at);
            let next = closing.iter().find(|&&(from, _)| from == at);
            at = next.expect("the closing face is a loop").1;
        }
        debug_assert_eq!(at, closing[0].0);
        self.faces.push(Face {
            plane,
            start,
            end: self.corners.len() as u32,
        });
    }

    /// Returns the approximate surface area in square units.
    pub fn area(&self) -> f64 {
        let at = |&corner: &u32| self.vertices[corner as usize].position;
        self.face_corners()
            .map(|corners| area_at(corners, at))
            .sum()
    }

    /// Returns the approximate surface areas of the parts in front of and behind a plane, in square units.
    pub fn areas_cut_by(&self, planes: &PlaneSet, plane: PlaneId) -> [f64; 2] {
        let entry = &planes[plane];
        let ahead: SmallVec<[f64; 32]> = self
            .vertices
            .iter()
            .map(|vertex| entry.normal.dot(vertex.position) - entry.dist)
            .collect();
        let mut areas = [0.0; 2];
        // The closing face as a fan around the plane's point nearest to a vertex.
        let hub = self.vertices[0].position - entry.normal * ahead[0];
        let mut closing = DVec3::ZERO;
        for face in &self.faces {
            let apex = self.vertices[self.corners(face)[0] as usize].position;
            let mut twice = [DVec3::ZERO; 2];
            let mut enters = apex;
            let mut leaves = apex;
            for ends in self.edges_of(face) {
                let [d_from, d_to] = ends.map(|corner| ahead[corner as usize]);
                let [from, to] = ends.map(|corner| self.vertices[corner as usize].position);
                if (d_from > 0.0) == (d_to > 0.0) {
                    twice[usize::from(d_from <= 0.0)] += (from - apex).cross(to - apex);
                    continue;
                }
                let middle = from + (to - from) * (d_from / (d_from - d_to));
                twice[usize::from(d_from <= 0.0)] += (from - apex).cross(middle - apex);
                twice[usize::from(d_to <= 0.0)] += (middle - apex).cross(to - apex);
                if d_from > 0.0 {
                    enters = middle;
                } else {
                    leaves = middle;
                }
            }
            // The chord between the two crossings closes both parts, in opposite directions.
            let chord = (leaves - apex).cross(enters - apex);
            twice[1] += chord;
            twice[0] -= chord;
            closing += (enters - hub).cross(leaves - hub);
            for side in 0..2 {
                areas[side] += twice[side].length() / 2.0;
            }
        }
        areas.map(|area| area + closing.length() / 2.0)
    }
}

/// Returns the number of the face of an edge, given all edges, sorted.
fn face_of_edge(edges: &[([u32; 2], usize)], edge: [u32; 2]) -> usize {
    let found = edges.binary_search_by_key(&edge, |&(edge, _)| edge);
    edges[found.expect("every edge has a face on both sides")].1
}

/// Replaces a plane of a box by an axial plane if that one lies farther inward.
fn tighten(planes: &PlaneSet, bounds: &mut [PlaneId; 6], axis: usize, plane: PlaneId) {
    let forward = planes[plane].plane.normal[axis] > 0;
    let bound = &mut bounds[2 * axis + usize::from(forward)];
    if planes[plane].plane.dist < planes[*bound].plane.dist {
        *bound = plane;
    }
}

/// Mixes a seed and an index into a well-distributed number (the finalizer of SplitMix64).
fn scramble(seed: u64, index: u64) -> u64 {
    let mut bits = (seed << 32 | index).wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}
