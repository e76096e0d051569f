//! Random patches as an editor writes them, and an evaluation of the true surface that shares no code with the
//! compiler: a kind and random numbers in, the text of a patch out; a patch in, points of its surface with normals and
//! the nearest place of the surface to any point out.

use std::collections::HashMap;
use std::fmt::Write;

use glam::DVec3;
use onionc::map::Patch;

use crate::random::Random;

/// Shapes of random patches.
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
    /// A dome that ends in a point.
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

    /// Control points of a random patch of this kind, column by column: between 3 by 3 and 31 by 31, most of them
    /// small; some are turned, scaled, or have coordinates that are not whole.
    pub fn columns(self, random: &mut Random) -> Vec<Vec<DVec3>> {
        let most = [3, 5, 9, 31][random.below(4)];
        let size = [(); 2].map(|()| 3 + 2 * random.below((most - 1) / 2));
        let point = self.surface(random, size);
        let is_turned = random.below(2) == 0;
        let (scale, [x, y, z]) = match is_turned {
            true => (random.between(0.2, 3.0), turned_axes(random)),
            false => (1.0, DVec3::AXES),
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

    /// The columns of control points as seen along them, in steps.
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

    /// What is added to each control point, in steps.
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

/// The text of a map of patches, given by their columns of control points.
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
    samples: Vec<(Place, DVec3)>,
    /// The samples in each cube of a grid.
    cubes: HashMap<[i64; 3], Vec<u32>>,
    cube: f64,
    /// Samples along each side of a span, less one.
    steps: usize,
    /// Largest distance between samples beside each other.
    spacing: f64,
}

/// A span and its parameters.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    span: usize,
    at: [f64; 2],
}

impl Bezier {
    /// The surface of a patch, to be sampled at so many steps along each side of a span.
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
        let mut own = Self {
            spans: spans.collect(),
            samples: Vec::new(),
            cubes: HashMap::new(),
            cube: 1.0,
            steps,
            spacing: 0.0,
        };
        let share = move |step: usize| step as f64 / steps as f64;
        for span in 0..own.spans.len() {
            for number in 0..(steps + 1) * (steps + 1) {
                let at = [share(number % (steps + 1)), share(number / (steps + 1))];
                let place = Place { span, at };
                own.samples.push((place, own.point(place)));
            }
        }
        let beside = |number: usize| own.beside(number).map(move |other| [number, other]);
        let pairs = (0..own.samples.len()).flat_map(beside);
        let apart = pairs.map(|[a, b]| own.samples[a].1.distance(own.samples[b].1));
        own.spacing = apart.fold(0.0, f64::max);
        let points = || own.samples.iter().map(|sample| sample.1);
        let low = points().fold(DVec3::INFINITY, DVec3::min);
        let high = points().fold(DVec3::NEG_INFINITY, DVec3::max);
        own.cube = ((high - low).max_element() / 24.0).max(0.5);
        for (number, (_, point)) in (0..).zip(&own.samples) {
            let cube = cube_of(*point, own.cube);
            own.cubes.entry(cube).or_default().push(number);
        }
        own
    }

    /// Sampled points.
    pub fn points(&self) -> impl Iterator<Item = (Place, DVec3)> {
        self.samples.iter().copied()
    }

    /// The point at a place, by de Casteljau's construction.
    pub fn point(&self, place: Place) -> DVec3 {
        value(&self.spans[place.span][0], place.at)
    }

    /// Unit normal at a place on the visible side, as the surface has it; zero where it has none.
    pub fn normal(&self, Place { span, at }: Place) -> DVec3 {
        const STEP: f64 = 1e-5;
        let [points, normals] = &self.spans[span];
        let slope = |axis: usize| {
            let [mut low, mut high] = [at; 2];
            low[axis] = (at[axis] - STEP).max(0.0);
            high[axis] = (at[axis] + STEP).min(1.0);
            value(points, high) - value(points, low)
        };
        let visible = value(normals, at);
        let own = slope(0).cross(slope(1)).normalize_or_zero();
        own * own.dot(visible).signum()
    }

    /// The nearest place of the surface to a point, and its distance: ever smaller steps lead toward it from each
    /// sample that is nearer than those beside it, unless others are much nearer.
    pub fn nearest(&self, point: DVec3) -> (Place, f64) {
        let reach = self.nearest_sample(point) + 2.0 * self.spacing;
        let near = self.numbers_within(point, reach);
        let distance = |number: usize| self.samples[number].1.distance_squared(point);
        let low = near.filter(|&number| {
            let own = distance(number);
            own <= reach * reach && self.beside(number).all(|other| own <= distance(other))
        });
        let found = low.map(|number| self.descended(self.samples[number].0, point));
        let best = found.min_by(|a, b| a.1.total_cmp(&b.1));
        best.expect("the nearest sample is nearer than those beside it")
    }

    /// The numbers of the samples beside one in its span.
    fn beside(&self, number: usize) -> impl Iterator<Item = usize> {
        let side = self.steps + 1;
        let in_span = number % (side * side);
        let (column, row) = ((in_span % side) as isize, (in_span / side) as isize);
        let ways = (-1..=1).flat_map(|y| (-1..=1).map(move |x| [x, y]));
        let is_inside = move |at: isize| (0..side as isize).contains(&at);
        let ways = ways.filter(move |[x, y]| is_inside(column + x) && is_inside(row + y));
        ways.map(move |[x, y]| number.wrapping_add_signed(y * side as isize + x))
    }

    /// Distance to the nearest sample.
    fn nearest_sample(&self, point: DVec3) -> f64 {
        let mut reach = self.cube;
        loop {
            let near = self.numbers_within(point, reach);
            let best = near
                .map(|number| self.samples[number].1.distance(point))
                .reduce(f64::min);
            match best {
                Some(best) if best <= reach => return best,
                _ => reach *= 2.0,
            }
        }
    }

    /// The numbers of the samples within a distance, and some more.
    fn numbers_within(&self, point: DVec3, reach: f64) -> Box<dyn Iterator<Item = usize> + '_> {
        let [low, high] = [point - reach, point + reach].map(|corner| cube_of(corner, self.cube));
        let sizes = [0, 1, 2].map(|axis| (high[axis] - low[axis] + 1) as f64);
        if sizes[0] * sizes[1] * sizes[2] > self.cubes.len() as f64 {
            return Box::new(0..self.samples.len());
        }
        let across = move |axis: usize| low[axis]..=high[axis];
        let cubes = across(0)
            .flat_map(move |x| across(1).flat_map(move |y| across(2).map(move |z| [x, y, z])));
        let numbers = cubes.filter_map(|cube| self.cubes.get(&cube)).flatten();
        Box::new(numbers.map(|&number| number as usize))
    }

    /// The nearest place that ever smaller steps lead to from a place, and its distance.
    fn descended(&self, mut place: Place, point: DVec3) -> (Place, f64) {
        const LEAST: f64 = 1e-6;
        let distance = |place: Place| self.point(place).distance_squared(point);
        let mut best = distance(place);
        let mut step = 1.0 / 16.0;
        while step > LEAST {
            let ways = [
                [-1.0, 0.0],
                [1.0, 0.0],
                [0.0, -1.0],
                [0.0, 1.0],
                [1.0, 1.0],
                [-1.0, -1.0],
                [1.0, -1.0],
                [-1.0, 1.0],
            ];
            let there = ways.map(|[u, v]| Place {
                at: [place.at[0] + u * step, place.at[1] + v * step].map(|at| at.clamp(0.0, 1.0)),
                ..place
            });
            let found = there.map(|place| (distance(place), place));
            let found = found.into_iter().min_by(|a, b| a.0.total_cmp(&b.0));
            match found {
                Some((nearer, at)) if nearer < best => (best, place) = (nearer, at),
                _ => step /= 2.0,
            }
        }
        (place, best.sqrt())
    }
}

fn cube_of(point: DVec3, size: f64) -> [i64; 3] {
    point.to_array().map(|at| (at / size).floor() as i64)
}

/// The value at parameters, by de Casteljau's construction.
fn value(values: &[DVec3; 9], [u, v]: [f64; 2]) -> DVec3 {
    let curve = |t: f64, [a, b, c]: [DVec3; 3]| a.lerp(b, t).lerp(b.lerp(c, t), t);
    curve(
        v,
        [0, 1, 2].map(|y| curve(u, [0, 1, 2].map(|x| values[3 * y + x]))),
    )
}
