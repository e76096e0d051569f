//! Simple polygons in a plane: tests whether a polygon is simple, measures the depth of a point in it, and covers it
//! with few convex polygons, which may bridge shallow dents of it. Corners run counterclockwise and are identified by
//! their numbers.

use std::cmp::Ordering;

use glam::DVec2;

/// A polygon by its corners, counterclockwise.
pub struct Polygon {
    /// In units, counterclockwise.
    corners: Vec<DVec2>,
}

/// The convex hull of some corners of a simple polygon.
#[derive(Clone)]
pub struct ConvexHull {
    /// Numbers of the polygon's corners that it contains, in ascending order.
    pub members: Vec<usize>,
    /// Numbers of its own corners, counterclockwise.
    pub corners: Vec<usize>,
    /// Upper bound on the distance of its points from the polygon with the corners `members`.
    pub dent: f64,
}

impl ConvexHull {
    /// Returns the numbers of the corners at both ends of each edge.
    fn edges(&self) -> impl Iterator<Item = [usize; 2]> + Clone {
        let after = self.corners.iter().cycle().skip(1);
        let ends = self.corners.iter().zip(after);
        ends.map(|(&from, &to)| [from, to])
    }
}

impl Polygon {
    /// Returns the polygon with these corners, or `None` if it is not simple: its edges may meet only in its corners.
    pub fn new(corners: Vec<DVec2>) -> Option<Self> {
        let polygon = Self { corners };
        polygon.is_simple().then_some(polygon)
    }

    pub fn corner(&self, number: usize) -> DVec2 {
        self.corners[number]
    }

    pub fn after(&self, number: usize) -> usize {
        (number + 1) % self.corners.len()
    }

    /// Returns the distance of a point from the border; negative if the point is outside.
    pub fn depth(&self, point: DVec2) -> f64 {
        let distances = self.edges().map(|edge| distance(edge, point));
        let distance = distances.fold(f64::INFINITY, f64::min);
        let is_crossed = |[a, b]: &[DVec2; 2]| {
            (a.y <= point.y) != (b.y <= point.y)
                && ((b - a).perp_dot(point - a) > 0.0) == (b.y > a.y)
        };
        // A ray from an inner point crosses the border an odd number of times.
        match self.edges().filter(is_crossed).count() % 2 {
            1 => distance,
            _ => -distance,
        }
    }

    /// Returns the distance of a point from a hull; 0 inside.
    pub fn outside(&self, hull: &ConvexHull, point: DVec2) -> f64 {
        let edges = hull.edges().map(|edge| self.line(edge));
        let is_inside = |[from, to]: [DVec2; 2]| (to - from).perp_dot(point - from) >= 0.0;
        if edges.clone().all(is_inside) {
            return 0.0;
        }
        let distances = edges.map(|edge| distance(edge, point));
        distances.fold(f64::INFINITY, f64::min)
    }

    /// Returns convex polygons that cover this one and reach at most `dent` beyond it, or `None` if this one cannot be
    /// triangulated. Each begins with a triangle that has fewer than two neighbors left, and grows by neighbors while
    /// its dent allows.
    pub fn hulls(&self, dent: f64) -> Option<Vec<ConvexHull>> {
        let mut rest = self.triangles()?;
        let mut hulls = Vec::new();
        let is_end = |rest: &[Vec<usize>], at: usize| {
            let neighbors = rest.iter().filter(|other| n_shared(&rest[at], other) == 2);
            neighbors.count() < 2
        };
        while !rest.is_empty() {
            let end = (0..rest.len()).find(|&at| is_end(&rest, at)).unwrap_or(0);
            let mut hull = self.hull(rest.swap_remove(end));
            while let Some((at, larger)) = self.larger(&hull, &rest, dent) {
                rest.swap_remove(at);
                hull = larger;
            }
            hulls.push(hull);
        }
        Some(hulls)
    }

    /// Returns the union of a hull with the neighbor that gives the smallest dent, or `None` if every dent is too
    /// large.
    fn larger(
        &self,
        hull: &ConvexHull,
        rest: &[Vec<usize>],
        dent: f64,
    ) -> Option<(usize, ConvexHull)> {
        let rest = rest.iter().enumerate();
        let neighbors = rest.filter(|(_, other)| n_shared(&hull.members, other) == 2);
        let larger = neighbors.map(|(at, other)| {
            let mut members = [&hull.members[..], other].concat();
            members.sort_unstable();
            members.dedup();
            (at, self.hull(members))
        });
        let fits = larger.filter(|(_, larger)| larger.dent <= dent);
        fits.min_by(|a, b| a.1.dent.total_cmp(&b.1.dent))
    }

    /// Returns the edges of a hull that are needed: without the other edges, its corners move by at most `error`.
    pub fn edges_of(&self, hull: &ConvexHull, error: f64) -> Vec<[usize; 2]> {
        let mut edges: Vec<[usize; 2]> = hull.edges().collect();
        let whole: Vec<[DVec2; 2]> = hull.edges().map(|edge| self.line(edge)).collect();
        while edges.len() > 3 {
            let n_edges = edges.len();
            let off = |at: usize| {
                let [before, after] =
                    [at + n_edges - 1, at + 1].map(|at| self.line(edges[at % n_edges]));
                let corner = crossing(before, after)?;
                let distances = whole.iter().map(|&edge| distance(edge, corner));
                Some((at, distances.fold(f64::INFINITY, f64::min)))
            };
            let offs = (0..n_edges).filter_map(off);
            match offs.min_by(|a, b| a.1.total_cmp(&b.1)) {
                Some((at, off)) if off <= error => edges.remove(at),
                _ => break,
            };
        }
        edges
    }

    fn edges(&self) -> impl Iterator<Item = [DVec2; 2]> {
        (0..self.corners.len()).map(|at| self.line([at, self.after(at)]))
    }

    fn line(&self, edge: [usize; 2]) -> [DVec2; 2] {
        edge.map(|number| self.corners[number])
    }

    fn is_simple(&self) -> bool {
        let edges: Vec<_> = self.edges().collect();
        let n_edges = edges.len();
        (0..n_edges).all(|at| {
            let [from, to] = edges[at];
            let [_, end] = edges[self.after(at)];
            // The next edge must not turn back, and no other edge may be touched.
            let is_spike =
                (to - from).perp_dot(end - to) == 0.0 && (to - from).dot(end - to) <= 0.0;
            let mut others = (at + 2..n_edges).filter(|other| self.after(*other) != at);
            !is_spike && others.all(|other| !meet(edges[at], edges[other]))
        })
    }

    /// Returns a triangulation by ear clipping, each triangle as its corners in ascending order.
    fn triangles(&self) -> Option<Vec<Vec<usize>>> {
        let mut left: Vec<usize> = (0..self.corners.len()).collect();
        let mut triangles = Vec::new();
        while left.len() > 3 {
            let n_left = left.len();
            let around = |at: usize| [n_left - 1, 0, 1].map(|step| left[(at + step) % n_left]);
            let across = |at: &usize| {
                let [before, _, after] = around(*at);
                self.corners[before].distance_squared(self.corners[after])
            };
            let ears = (0..n_left).filter(|&at| self.is_ear(around(at), &left));
            let ear = ears.min_by(|a, b| across(a).total_cmp(&across(b)))?;
            triangles.push(around(ear).to_vec());
            left.remove(ear);
        }
        triangles.push(left);
        for triangle in &mut triangles {
            triangle.sort_unstable();
        }
        Some(triangles)
    }

    /// Whether a triangle of three consecutive corners is an ear: it turns left and contains no other corner.
    fn is_ear(&self, triangle: [usize; 3], left: &[usize]) -> bool {
        let [a, b, c] = triangle.map(|number| self.corners[number]);
        let turns = |from: DVec2, to: DVec2, point: DVec2| (to - from).perp_dot(point - from);
        let holds = |point: DVec2| {
            turns(a, b, point) >= 0.0 && turns(b, c, point) >= 0.0 && turns(c, a, point) >= 0.0
        };
        let mut others = left.iter().filter(|number| !triangle.contains(number));
        turns(a, b, c) >= 0.0 && !others.any(|&other| holds(self.corners[other]))
    }

    /// Returns the convex hull of some corners, whose numbers are in ascending order.
    fn hull(&self, members: Vec<usize>) -> ConvexHull {
        let mut sorted = members.clone();
        let key = |number: usize| self.corners[number].to_array();
        sorted.sort_by(|&a, &b| key(a).partial_cmp(&key(b)).unwrap_or(Ordering::Equal));
        let chain = |numbers: &mut dyn Iterator<Item = usize>| {
            let mut chain: Vec<usize> = Vec::new();
            for number in numbers {
                while let &[.., a, b] = chain.as_slice()
                    && (self.corners[b] - self.corners[a])
                        .perp_dot(self.corners[number] - self.corners[b])
                        <= 0.0
                {
                    chain.pop();
                }
                chain.push(number);
            }
            chain.pop();
            chain
        };
        let mut corners = chain(&mut sorted.iter().copied());
        corners.extend(chain(&mut sorted.iter().rev().copied()));
        let mut hull = ConvexHull {
            members,
            corners,
            dent: 0.0,
        };
        hull.dent = self.dent(&hull);
        hull
    }

    /// Returns the largest distance of a hull's members from the edge that bridges them. An edge bridges the members
    /// between its ends, in the order of corners.
    fn dent(&self, hull: &ConvexHull) -> f64 {
        let dents = hull.edges().flat_map(|[from, to]| {
            let edge = self.line([from, to]);
            let is_between = move |number: usize| {
                if from < to {
                    from < number && number < to
                } else {
                    from < number || number < to
                }
            };
            let members = hull.members.iter().copied();
            let between = members.filter(move |&number| is_between(number));
            between.map(move |number| distance(edge, self.corners[number]))
        });
        dents.fold(0.0, f64::max)
    }
}

/// Returns the number of corners that two polygons share.
fn n_shared(one: &[usize], other: &[usize]) -> usize {
    one.iter().filter(|number| other.contains(number)).count()
}

/// Returns the point where a line meets the next one, or `None` unless that one turns left by less than half a turn.
fn crossing([a, b]: [DVec2; 2], [c, d]: [DVec2; 2]) -> Option<DVec2> {
    let turn = (b - a).perp_dot(d - c);
    let along = (c - a).perp_dot(d - c) / turn;
    (turn > 0.0).then(|| a + (b - a) * along)
}

fn distance([from, to]: [DVec2; 2], point: DVec2) -> f64 {
    let edge = to - from;
    let along = (point - from).dot(edge) / edge.length_squared().max(f64::MIN_POSITIVE);
    point.distance(from + edge * along.clamp(0.0, 1.0))
}

/// Whether two segments have a point in common.
fn meet([a, b]: [DVec2; 2], [c, d]: [DVec2; 2]) -> bool {
    let sides =
        |from: DVec2, to: DVec2| [c, d, a, b].map(|point| (to - from).perp_dot(point - from));
    let [to_c, to_d, ..] = sides(a, b);
    let [.., to_a, to_b] = sides(c, d);
    let apart = |one: f64, other: f64| (one > 0.0 && other > 0.0) || (one < 0.0 && other < 0.0);
    let boxes_apart = a.max(b).cmplt(c.min(d)).any() || c.max(d).cmplt(a.min(b)).any();
    !boxes_apart && !apart(to_c, to_d) && !apart(to_a, to_b)
}
