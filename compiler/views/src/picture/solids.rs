//! The slice: for each of several samples of a pixel, the hulls for which it is solid, and whether it is in a wall. A
//! row of samples is a segment. The runtime reports where the segment enters and leaves solid, so a picture shows
//! exactly the answers that a game gets.

use std::collections::BTreeSet;
use std::ops::Range;

use glam::DVec3;
use onion_runtime::{HullId, OnionMap};
use rayon::prelude::*;

use super::eye::Eye;
use super::view::View;
use crate::boxes;
use crate::solid_intervals::each_solid;
use crate::walls::Wall;

/// Samples of a pixel along each axis.
pub const SAMPLES: usize = 3;
/// Empty for all hulls. A number from 1 on is one plus the rank, from the largest, of the smallest hull for which the
/// sample is solid.
pub const FREE: u8 = 0;
/// Solid in a file, and not in the one before.
pub const GAINED: u8 = 251;
/// Solid in the file before, and not now.
pub const LOST: u8 = 252;
/// Solid because of a model that moves, such as a door.
pub const DOOR: u8 = 253;
/// In a brush of such a model.
pub const DOOR_WALL: u8 = 254;
/// In a brush of the world.
pub const WALL: u8 = 255;

/// A slice through a map: what is solid at each sample.
#[derive(Clone, Debug)]
pub struct Solids {
    /// Samples in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// A code for each sample, row by row from the top.
    pub samples: Vec<u8>,
}

impl Solids {
    /// Creates a slice that is empty everywhere.
    pub fn free(view: &View) -> Self {
        let [width, height] = view.size.map(|size| size * SAMPLES);
        Self {
            width,
            height,
            samples: vec![FREE; width * height],
        }
    }

    /// Slices a map, for hulls in order from the largest.
    pub fn cut<D: AsRef<[u8]> + Sync>(
        map: &OnionMap<D>,
        hulls: &[HullId],
        walls: &[Wall],
        view: &View,
    ) -> Self {
        let mut solids = Self::free(view);
        let rows = solids.samples.par_chunks_mut(solids.width).enumerate();
        rows.for_each(|(number, row)| {
            let y = (number as f64 + 0.5) / SAMPLES as f64;
            let ends = [0.0, view.size[0] as f64].map(|x| view.place([x, y]));
            cut_hulls(map, hulls, ends, row);
            cut_walls(walls, ends, row);
        });
        solids
    }

    /// Returns, for each sample, the number of hulls whose line of sight there is solid all the way; the eyes are those
    /// of the hulls, from the largest.
    pub fn behind<D: AsRef<[u8]> + Sync>(map: &OnionMap<D>, eyes: &[Eye], view: &View) -> Self {
        let [width, height] = view.size;
        let code = |x: f64, y: f64| {
            let place = view.place([x, y]);
            let rank = eyes.iter().position(|eye| eye.is_open(map, view, place));
            rank.unwrap_or(eyes.len()) as u8
        };
        let pixels = (0..width * height).into_par_iter().map(|number| {
            let [x, y] = [number % width, number / width].map(|at| at as f64 + 0.5);
            code(x, y)
        });
        let pixels: Vec<u8> = pixels.collect();
        // A pixel whose neighbors are all alike is not on a border.
        let like = |x: usize, y: usize| {
            let near = |at: usize, end: usize| at.saturating_sub(1)..(at + 2).min(end);
            let mut around = near(y, height).flat_map(|row| &pixels[row * width..][near(x, width)]);
            let own = pixels[y * width + x];
            around.all(|&other| other == own).then_some(own)
        };
        let mut solids = Self::free(view);
        let rows = solids.samples.par_chunks_mut(solids.width).enumerate();
        rows.for_each(|(row, samples)| {
            let y = (row as f64 + 0.5) / SAMPLES as f64;
            for (column, sample) in samples.iter_mut().enumerate() {
                // Separate tests of each sample are needed only at borders between colors.
                let x = (column as f64 + 0.5) / SAMPLES as f64;
                *sample = like(column / SAMPLES, row / SAMPLES).unwrap_or_else(|| code(x, y));
            }
        });
        solids
    }

    /// Marks the differences between two cuts: space that is solid now, and space that was solid before.
    pub fn mark_changes(&mut self, now: &Self, before: &Self) {
        let pairs = now.samples.iter().zip(&before.samples);
        for (sample, (&now, &before)) in self.samples.iter_mut().zip(pairs) {
            match [now != FREE, before != FREE] {
                [true, false] => *sample = GAINED,
                [false, true] => *sample = LOST,
                _ => {}
            }
        }
    }

    /// Returns the codes that occur, for the legend.
    pub fn codes(&self) -> BTreeSet<u8> {
        self.samples.iter().copied().collect()
    }

    /// Returns the code of a sample or, for places outside, of the nearest sample.
    pub fn at(&self, x: isize, y: isize) -> u8 {
        let x = x.clamp(0, self.width as isize - 1) as usize;
        let y = y.clamp(0, self.height as isize - 1) as usize;
        self.samples[y * self.width + x]
    }
}

/// Marks where a line of samples is solid for hulls, which are in the order from the largest.
fn cut_hulls<D: AsRef<[u8]>>(
    map: &OnionMap<D>,
    hulls: &[HullId],
    ends: [DVec3; 2],
    row: &mut [u8],
) {
    for number in 0..map.n_models() {
        let Some(model) = map.model(number) else {
            continue;
        };
        let origin = boxes::vector(model.origin());
        // The solid of a smaller hull lies within that of a larger one, so its code replaces the larger one's.
        for (code, &hull) in (1..).zip(hulls) {
            each_solid(&model, hull, ends.map(|end| end - origin), |part| {
                let part = samples(part, row.len());
                for sample in &mut row[part] {
                    *sample = match number {
                        0 => code,
                        _ if *sample == FREE => DOOR,
                        _ => *sample,
                    };
                }
            });
        }
    }
}

/// Marks where a line of samples is inside walls, over what hulls have marked.
fn cut_walls(walls: &[Wall], ends: [DVec3; 2], row: &mut [u8]) {
    let (mins, maxs) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
    for wall in walls {
        let touches = mins.cmple(wall.bounds.maxs).all() && maxs.cmpge(wall.bounds.mins).all();
        let part = wall.inside(ends[0], ends[1]).filter(|_| touches);
        if let Some(part) = part {
            let code = if wall.model == 0 { WALL } else { DOOR_WALL };
            let part = samples(part, row.len());
            row[part].fill(code);
        }
    }
}

/// Returns the samples whose middles are in a part of a row.
fn samples(part: [f64; 2], n_samples: usize) -> Range<usize> {
    let [from, to] = part.map(|end| {
        let sample = (end * n_samples as f64 - 0.5).ceil();
        sample.clamp(0.0, n_samples as f64) as usize
    });
    from..to.max(from)
}
