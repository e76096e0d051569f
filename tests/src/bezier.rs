//! Random patches as an editor writes them, and an evaluation of the true surface that shares no code with the
//! compiler: a kind and random numbers in, the text of a patch out; a patch in, points of its surface with normals and
//! the nearest place of the surface to any point out.

use std::fmt::Write;

use glam::DVec3;
use onion_maps::Patch;

use crate::random::Random;

/// The shapes of random patches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// In a plane, with control points at random places of a grid.
    Flat,
    /// Flat sides at right angles, along the axes: tubes, trays, steps.
    Square,
    /// Control points anywhere near a sheet, so that the surface folds and meets itself.
    Folded,
    /// A sheet that is rolled up.
    Spiral,
    /// A dome that tapers to a point.
    Cap,
    /// A cone or a fan, of any angle.
    Cone,
    /// A sheet of which whole rows of control points coincide, or lie on a line.
    Degenerate,
    /// A tube, round as editors make it or with fewer sides.
    Tube,
    /// A sheet that bulges and twists.
    Wave,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 9] = [
        Self::Flat,
        Self::Square,
        Self::Folded,
        Self::Spiral,
        Self::Cap,
        Self::Cone,
        Self::Degenerate,
        Self::Tube,
        Self::Wave,
    ];

    /// Returns the control points of a random patch of this kind, column by column: between 3 by 3 and 31 by 31, most
    /// of them small. Some patches are turned, scaled, or have coordinates that are not whole numbers.
    pub fn columns(self, random: &mut Random) -> Vec<Vec<DVec3>> {
        let most = [3, 5, 9, 31][random.below(4)];
        let size = [(); 2].map(|()| 3 + 2 * random.below((most - 1) / 2));
        let point = self.surface(random, size);
        let is_turned = random.below(2) == 0;
        let (scale, [x, y, z]) = if is_turned {
            (random.between(0.2, 3.0), turned_axes(random))
        } else {
            (1.0, DVec3::AXES)
        };
        let is_whole = !is_turned || random.below(2) == 0;
        let origin = DVec3::from_array(random.point([-512.0; 3], [512.0; 3]));
        let place = |at: DVec3| {
            let at = (x * at.x + y * at.y + z * at.z) * scale + origin;
            if is_whole { at.round() } else { at }
        };
        let columns = point.into_iter();
        columns
            .map(|column| column.into_iter().map(place).collect())
            .collect()
    }

    fn surface(self, random: &mut Random, [width, height]: [usize; 2]) -> Vec<Vec<DVec3>> {
        let length = [16.0, 64.0, 200.0][random.below(3)];
        let step = [16.0, 32.0, 64.0][random.below(3)];
        let outline = self.outline(random, width);
        let off: Vec<DVec3> = (0..width * height).map(|_| self.off(random)).collect();
        let tip = random.below(height);
        let point = |column: usize, row: usize| {
            let along = row as f64 * length / (height - 1) as f64;
            let share = match self {
                Self::Cone => row as f64 / (height - 1) as f64,
                Self::Cap => (row as f64 / (height - 1) as f64 * std::f64::consts::FRAC_PI_2).sin(),
                Self::Degenerate if row == tip => 0.0,
                _ => 1.0,
            };
            let up = match self {
                Self::Cap => (1.0 - share * share).sqrt() * length,
                Self::Flat => 0.0,
                _ => along,
            };
            let [x, y] = outline[column];
            let at = match self {
                Self::Flat => DVec3::new(x, along / step, 0.0),
                _ => DVec3::new(x * share, y * share, up / step),
            };
            (at + off[column * height + row]) * step
        };
        (0..width)
            .map(|column| (0..height).map(|row| point(column, row)).collect())
            .collect()
    }

    /// Returns the columns of control points seen along their length, in steps.
    fn outline(self, random: &mut Random, width: usize) -> Vec<[f64; 2]> {
        let turn = random.between(0.1, 1.6);
        let mut at = [0.0, 0.0];
        let mut direction = random.below(4);
        let numbers = 0..width;
        let outline = numbers.map(|column| {
            let angle = turn * column as f64;
            match self {
                Self::Flat | Self::Wave | Self::Folded | Self::Degenerate => [column as f64, 0.0],
                Self::Cap | Self::Cone => [angle.cos(), angle.sin()],
                Self::Tube => {
                    let around = [
                        [1, 0],
                        [1, 1],
                        [0, 1],
                        [-1, 1],
                        [-1, 0],
                        [-1, -1],
                        [0, -1],
                        [1, -1],
                    ];
                    around[column % 8].map(f64::from)
                }
                Self::Spiral => {
                    let radius = 0.5 + 0.15 * column as f64;
                    [radius * angle.cos(), radius * angle.sin()]
                }
                Self::Square => {
                    let now = at;
                    let steps = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]];
                    at = [at[0] + steps[direction][0], at[1] + steps[direction][1]];
                    if column % 2 == 1 {
                        direction = (direction + [1, 3, 0, 1][random.below(4)]) % 4;
                    }
                    now
                }
            }
        });
        outline.collect()
    }

    /// Returns a random offset for a control point, in steps.
    fn off(self, random: &mut Random) -> DVec3 {
        let most = match self {
            Self::Folded => 1.0,
            Self::Wave => 0.4,
            Self::Degenerate => [0.0, 0.3][random.below(2)],
            _ => 0.0,
        };
        let off = DVec3::from_array(random.point([-most; 3], [most; 3]));
        match self {
            Self::Flat => DVec3::new(random.between(-0.4, 0.4), random.between(-0.4, 0.4), 0.0),
            _ => off,
        }
    }
}

fn turned_axes(random: &mut Random) -> [DVec3; 3] {
    let x = DVec3::from_array(random.direction());
    let (y, z) = x.any_orthonormal_pair();
    [x, y, z]
}

/// Writes the text of a map that holds these patches, given by their columns of control points.
pub fn map_text(patches: &[Vec<Vec<DVec3>>]) -> String {
    let mut text = String::from("{\n\"classname\" \"worldspawn\"\n");
    for columns in patches {
        let [width, height] = [columns.len(), columns[0].len()];
        let _ = write!(
            text,
            "{{\npatchDef2\n{{\nwall\n( {width} {height} 0 0 0 )\n(\n"
        );
        for column in columns {
            text.push_str("( ");
            for DVec3 { x, y, z } in column {
                let _ = write!(text, "( {x} {y} {z} 0 0 ) ");
            }
            text.push_str(")\n");
        }
        text.push_str(")\n}\n}\n");
    }
    text.push_str("}\n");
    text
}

/// The true surface of a patch: biquadratic Bézier spans of three by three control points.
pub struct Bezier {
    /// Control points and normals of each span, row by row.
    spans: Vec<[[DVec3; 9]; 2]>,
    /// The box around the control points of each span, which its surface is in.
    boxes: Vec<[DVec3; 2]>,
    /// The number of samples along each side of a span, minus one.
    steps: usize,
}

/// A span and its parameters.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    span: usize,
    at: [f64; 2],
}

/// A square of the parameters of a span, by its low corner and its size, with its control points.
struct Part {
    low: Place,
    size: f64,
    net: [DVec3; 9],
}

impl Bezier {
    /// Returns the surface of a patch, to be sampled at `steps` steps along each side of a span.
    pub fn new(patch: &Patch, steps: usize) -> Self {
        let rows = (0..patch.height - 2).step_by(2);
        let spans = rows.flat_map(|row| {
            let columns = (0..patch.width - 2).step_by(2);
            columns.map(move |column| {
                [&patch.points, &patch.normals].map(|values| {
                    std::array::from_fn(|number| {
                        let at = (row + number / 3) * patch.width + column + number % 3;
                        DVec3::from_array(values[at].map(f64::from))
                    })
                })
            })
        });
        let spans: Vec<[[DVec3; 9]; 2]> = spans.collect();
        let boxes = spans.iter().map(|[points, _]| {
            let low = points.iter().copied().fold(DVec3::INFINITY, DVec3::min);
            [low, points.iter().copied().fold(low, DVec3::max)]
        });
        Self {
            boxes: boxes.collect(),
            spans,
            steps,
        }
    }

    /// Returns the sampled points.
    pub fn points(&self) -> impl Iterator<Item = DVec3> {
        let share = |step: usize| step as f64 / self.steps as f64;
        let side = self.steps + 1;
        (0..self.spans.len()).flat_map(move |span| {
            let at = move |number: usize| [share(number % side), share(number / side)];
            (0..side * side).map(move |number| {
                self.point(Place {
                    span,
                    at: at(number),
                })
            })
        })
    }

    /// Evaluates the point at a place, by de Casteljau's construction.
    pub fn point(&self, place: Place) -> DVec3 {
        value(&self.spans[place.span][0], place.at)
    }

    /// Returns the unit normal at a place, on the visible side of the surface; where the surface has no normal, the
    /// normal of a place beside it.
    pub fn normal(&self, Place { span, at }: Place) -> DVec3 {
        const STEP: f64 = 1e-5;
        /// Far above rounding error, and far below the distance that a regular surface covers in a step.
        const LEAST: f64 = 1e-9;
        let inner = at.map(|at| at.clamp(0.001, 0.999));
        let [points, normals] = &self.spans[span];
        let slope = |axis: usize| {
            let [mut low, mut high] = [at; 2];
            low[axis] = (at[axis] - STEP).max(0.0);
            high[axis] = (at[axis] + STEP).min(1.0);
            value(points, high) - value(points, low)
        };
        let visible = value(normals, at);
        let slopes = [slope(0), slope(1)];
        // Where the surface ends in a point, the normals around it count.
        if slopes.iter().any(|slope| slope.length() < LEAST) && at != inner {
            return self.normal(Place { span, at: inner });
        }
        let own = slopes[0].cross(slopes[1]).normalize_or_zero();
        own * own.dot(visible).signum()
    }

    /// Returns the place of the surface that is nearest to a point, or any place within the distance `enough`, and
    /// its distance. Quarters squares of parameters, nearest first, as long as they may hold a nearer place than the
    /// best one so far.
    pub fn nearest(&self, point: DVec3, enough: f64) -> (Place, f64) {
        let spans = self.boxes.iter().enumerate();
        let mut order: Vec<(f64, usize)> = spans
            .map(|(span, [low, high])| (point.distance(point.clamp(*low, *high)), span))
            .collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0));
        let at = [0.0; 2];
        let first = Place {
            span: order[0].1,
            at,
        };
        let mut search = Search {
            point,
            enough,
            best: (first, f64::INFINITY),
            nearest: point,
        };
        for (least, span) in order {
            if search.may_improve(least) {
                let part = Part {
                    low: Place { span, at },
                    size: 1.0,
                    net: self.spans[span][0],
                };
                search.visit(&part);
            }
        }
        search.best
    }
}

/// A search for the place that is nearest to a point.
struct Search {
    point: DVec3,
    enough: f64,
    best: (Place, f64),
    /// The point of the surface at the best place.
    nearest: DVec3,
}

impl Search {
    /// Returns whether a part of the surface that is at least this far away may hold a nearer place.
    fn may_improve(&self, least: f64) -> bool {
        /// In units: far below the rounding that tests allow for.
        const PRECISION: f64 = 1e-5;
        self.best.1 > self.enough && least + PRECISION < self.best.1
    }

    fn visit(&mut self, part: &Part) {
        for (place, at) in part.corners() {
            let distance = at.distance(self.point);
            if distance < self.best.1 {
                self.best = (place, distance);
                self.nearest = at;
            }
        }
        if self.best.1 <= self.enough {
            return;
        }
        let quarters = part.quarters();
        let mut order: [_; 4] =
            std::array::from_fn(|number| (quarters[number].least_distance(self.point), number));
        order.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (least, number) in order {
            if !self.may_improve(least) {
                return;
            }
            // This bound leaves out the rest of a flat surface once the nearest place is known.
            let way = (self.nearest - self.point).normalize_or_zero();
            if self.may_improve(quarters[number].least_along(way, self.point)) {
                self.visit(&quarters[number]);
            }
        }
    }
}

impl Part {
    /// Returns a lower bound on the distance of the surface: the distance of its control points along the direction
    /// to their middle.
    fn least_distance(&self, point: DVec3) -> f64 {
        let middle = self.net.iter().sum::<DVec3>() / 9.0;
        self.least_along((middle - point).normalize_or_zero(), point)
    }

    /// Returns the least distance of the control points along a direction.
    fn least_along(&self, way: DVec3, point: DVec3) -> f64 {
        let along = self.net.iter().map(|control| (*control - point).dot(way));
        along.fold(f64::INFINITY, f64::min)
    }

    /// Returns the corners of the square, where the surface has its control points.
    fn corners(&self) -> [(Place, DVec3); 4] {
        [[0, 0], [1, 0], [0, 1], [1, 1]].map(|far: [usize; 2]| {
            let at = [0, 1].map(|axis| self.low.at[axis] + far[axis] as f64 * self.size);
            (Place { at, ..self.low }, self.net[2 * far[0] + 6 * far[1]])
        })
    }

    fn quarters(&self) -> [Self; 4] {
        let halves = |[a, b, c]: [DVec3; 3]| {
            let [first, last] = [a.midpoint(b), b.midpoint(c)];
            [a, first, first.midpoint(last), last, c]
        };
        let rows = [0, 1, 2].map(|row| halves([0, 1, 2].map(|column| self.net[3 * row + column])));
        let columns: [_; 5] = std::array::from_fn(|at| halves(rows.map(|row| row[at])));
        let size = self.size / 2.0;
        [[0, 0], [1, 0], [0, 1], [1, 1]].map(|far: [usize; 2]| Self {
            low: Place {
                at: [0, 1].map(|axis| self.low.at[axis] + far[axis] as f64 * size),
                ..self.low
            },
            size,
            net: std::array::from_fn(|at| columns[2 * far[0] + at % 3][2 * far[1] + at / 3]),
        })
    }
}

/// Evaluates `values` at parameters, by de Casteljau's construction.
fn value(values: &[DVec3; 9], [u, v]: [f64; 2]) -> DVec3 {
    let curve = |t: f64, [a, b, c]: [DVec3; 3]| a.lerp(b, t).lerp(b.lerp(c, t), t);
    curve(
        v,
        [0, 1, 2].map(|y| curve(u, [0, 1, 2].map(|x| values[3 * y + x]))),
    )
}
