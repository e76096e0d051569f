//! Draws the floors of hulls over the map, each in the color of its hull, and the links that leave them: lines where
//! agents walk across or change their stance, arrows where they drop or jump. Nearer floors hide farther ones, and
//! those of larger hulls those of smaller ones on the same ground; the nearest are the lightest.

use glam::DVec3;
use onion_runtime::navigation::{Floor, Link, LinkKind};
use onion_runtime::{Hull, OnionMap};

use super::canvas::{Canvas, Color, mix};
use super::palette;
use super::view::View;

/// Opacity of floors: what is below them is still seen a little.
const OPACITY: f64 = 0.86;
/// Least length of arrows, in pixels: most drops lead hardly beyond an edge.
const ARROW: f64 = 9.0;
/// Width of lines, in pixels.
const WIDTH: f64 = 1.6;
/// Length and half the width of the head of an arrow, in pixels.
const HEAD: [f64; 2] = [5.0, 3.0];

/// The floors of some hulls, and the links that leave them, as they are drawn.
#[derive(Clone, Debug)]
pub struct FloorPlan {
    /// The floors, the farthest from the eye first.
    floors: Vec<Outline>,
    /// Arrows of drops and jumps, which are above all floors.
    arrows: Vec<Line>,
    /// For each kind of links, the number of those that are drawn.
    pub counts: [usize; LinkKind::ALL.len()],
}

/// A floor.
#[derive(Clone, Debug)]
struct Outline {
    /// Distance of its middle from the nearest plane of the view, in units.
    depth: f64,
    /// The rank of its hull from the largest.
    rank: usize,
    /// Its corners in pixels of the map.
    corners: Vec<[f64; 2]>,
    /// Where agents leave it on foot.
    lines: Vec<Line>,
}

/// A line from one point of the map to another, in pixels, in the color of a kind of links.
#[derive(Clone, Debug)]
struct Line {
    ends: [[f64; 2]; 2],
    kind: LinkKind,
}

impl FloorPlan {
    /// Collects the floors of hulls, the largest hull first, that a view shows: those behind its cut.
    pub fn new<D: AsRef<[u8]>>(map: &OnionMap<D>, hulls: &[Hull<'_>], view: &View) -> Self {
        let mut ground = Self {
            floors: Vec::new(),
            arrows: Vec::new(),
            counts: [0; LinkKind::ALL.len()],
        };
        for (rank, hull) in hulls.iter().enumerate() {
            for floor in map.floors(hull.id) {
                ground.add(map, &floor, rank, hull, view);
            }
        }
        let order = |outline: &Outline| (-outline.depth, -(outline.rank as f64));
        ground.floors.sort_by(|one, other| {
            let [one, other] = [one, other].map(order);
            one.0.total_cmp(&other.0).then(one.1.total_cmp(&other.1))
        });
        ground
    }

    fn add<D: AsRef<[u8]>>(
        &mut self,
        map: &OnionMap<D>,
        floor: &Floor<'_>,
        rank: usize,
        hull: &Hull<'_>,
        view: &View,
    ) {
        // The ground itself, so that hulls with their origins at other heights are in order.
        let feet = DVec3::Z * f64::from(hull.bounds.mins[2]);
        let corners: Vec<DVec3> = floor.corners().map(|at| DVec3::from(at) + feet).collect();
        let depths = corners.iter().map(|&corner| view.depth_of(corner));
        let depth = depths.clone().sum::<f64>() / corners.len() as f64;
        if depths.fold(f64::INFINITY, f64::min) < 0.0 {
            return;
        }
        let mut outline = Outline {
            depth,
            rank,
            corners: corners.iter().map(|&corner| view.pixel(corner)).collect(),
            lines: Vec::new(),
        };
        for link in map.links_from(floor.number) {
            self.counts[link.kind as usize] += 1;
            match link.kind.is_on_foot() {
                true => outline.lines.push(line(floor, &link, feet, view)),
                false => self.arrows.push(arrow(map, floor, &link, feet, view)),
            }
        }
        self.floors.push(outline);
    }

    /// Draws all of it over a map.
    pub fn draw(&self, canvas: &mut Canvas) {
        let [last, first] = [self.floors.last(), self.floors.first()];
        let depths = [last, first].map(|floor| floor.map_or(0.0, |floor| floor.depth));
        for floor in &self.floors {
            let [least, most] = depths;
            let part = (floor.depth - least) / (most - least).max(1.0);
            let color = palette::floor(floor.rank, part);
            fill(canvas, &floor.corners, color);
            let edge = mix(color, palette::INK, 0.55);
            let next = floor.corners.iter().cycle().skip(1);
            for (&from, &to) in floor.corners.iter().zip(next) {
                canvas.line(from, to, 1.0, edge);
            }
            for line in &floor.lines {
                draw_link(canvas, line.ends, line.kind);
            }
        }
        for arrow in &self.arrows {
            draw_link(canvas, arrow.ends, arrow.kind);
        }
    }
}

/// Returns the line on which agents leave a floor on foot.
fn line(floor: &Floor<'_>, link: &Link, feet: DVec3, view: &View) -> Line {
    let ends = [link.right, link.left].map(|end| {
        let [x, y] = end;
        view.pixel(DVec3::new(x, y, floor.height(end)) + feet)
    });
    Line {
        ends,
        kind: link.kind,
    }
}

/// Returns the arrow from the middle of the line on which agents leave a floor to their place on the other floor; seen
/// from above, it is at least as long as an arrow must be.
fn arrow<D: AsRef<[u8]>>(
    map: &OnionMap<D>,
    floor: &Floor<'_>,
    link: &Link,
    feet: DVec3,
    view: &View,
) -> Line {
    let [x, y] = [0, 1].map(|k| (link.right[k] + link.left[k]) / 2.0);
    let from = DVec3::new(x, y, floor.height([x, y]));
    let beyond = [x + link.across[0], y + link.across[1]];
    let height = map
        .floor(link.to)
        .map_or(from.z, |floor| floor.height(beyond));
    let to = DVec3::new(beyond[0], beyond[1], height);
    let [from, to] = [from, to].map(|end| view.pixel(end + feet));
    let way = [0, 1].map(|k| to[k] - from[k]);
    let length = (way[0] * way[0] + way[1] * way[1]).sqrt();
    let longer = (ARROW / length.max(f64::MIN_POSITIVE)).max(1.0);
    Line {
        ends: [from, [0, 1].map(|k| from[k] + way[k] * longer)],
        kind: link.kind,
    }
}

/// Draws a link from one point to another: as an arrow if an agent leaves the ground by itself, else as a line.
pub fn draw_link(canvas: &mut Canvas, [from, to]: [[f64; 2]; 2], kind: LinkKind) {
    let color = palette::link(kind);
    canvas.line(from, to, WIDTH, color);
    let [x, y] = [to[0] - from[0], to[1] - from[1]];
    let length = (x * x + y * y).sqrt();
    if !kind.is_on_foot() && !kind.is_carried() && length > 0.0 {
        let [x, y] = [x / length, y / length];
        for side in [HEAD[1], -HEAD[1]] {
            let back = [
                to[0] - x * HEAD[0] - y * side,
                to[1] - y * HEAD[0] + x * side,
            ];
            canvas.line(to, back, WIDTH, color);
        }
    }
}

/// Fills a convex polygon.
fn fill(canvas: &mut Canvas, corners: &[[f64; 2]], color: Color) {
    let bounds = corners.iter().fold(
        [[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]],
        |[least, most], at| {
            [
                [least[0].min(at[0]), least[1].min(at[1])],
                [most[0].max(at[0]), most[1].max(at[1])],
            ]
        },
    );
    let [least, most] = bounds;
    let center = [0, 1].map(|k| (least[k] + most[k]) / 2.0);
    let reach = (most[0] - least[0]).max(most[1] - least[1]) / 2.0;
    let next = corners.iter().cycle().skip(1);
    let sides: Vec<[f64; 3]> = corners.iter().zip(next).filter_map(side).collect();
    canvas.shape(center, reach, color, OPACITY, |x, y| {
        let [x, y] = [x + center[0], y + center[1]];
        let outside = sides.iter().map(|[a, b, dist]| a * x + b * y - dist);
        outside.fold(f64::NEG_INFINITY, f64::max)
    });
}

/// Returns the outward normal of an edge of a polygon that is clockwise in pixels, as floors seen from above are, and
/// its distance from the origin along it; `None` if the edge has no length.
fn side((from, to): (&[f64; 2], &[f64; 2])) -> Option<[f64; 3]> {
    let [x, y] = [to[0] - from[0], to[1] - from[1]];
    let length = (x * x + y * y).sqrt();
    let [a, b] = [-y / length, x / length];
    (length > 0.0).then_some([a, b, a * from[0] + b * from[1]])
}
