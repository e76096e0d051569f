//! Draws the sheet around a picture: title, coordinates at the edges, grid, scale bar, and a legend with the hulls
//! and their boxes.

use std::collections::BTreeSet;

use onion_geometry::Bounds;
use onion_runtime::Hull;

use super::canvas::{Canvas, Color, Font, mix};
use super::marks::{self, Mark};
use super::palette;
use super::relief::Relief;
use super::solids::{DOOR_WALL, GAINED, LOST, WALL};
use super::view::{Sight, View};
use crate::marked_entities::MarkedKind;
use crate::node_costs::NodeCosts;

/// Pixels left of the map.
pub const LEFT: usize = 78;
/// Pixels above the map.
pub const TOP: usize = 76;
/// Pixels right of the map, for the legend.
pub const RIGHT: usize = 286;
/// Pixels below the map.
pub const BOTTOM: usize = 64;
/// Minimum height of the map in pixels, so that the legend has room.
pub const LEAST_HEIGHT: usize = 420;
/// Minimum number of pixels between two coordinates, side by side and one above the other.
const TICKS_APART: [f64; 2] = [80.0, 48.0];
/// Height of a line of the legend, in pixels.
const LINE: f64 = 26.0;

/// The content of a sheet.
pub struct Sheet<'a> {
    /// The name of the map.
    pub title: &'a str,
    /// The hulls from the largest.
    pub hulls: &'a [Hull<'a>],
    /// The entities that are drawn, and whether each of them is seen.
    pub marks: Vec<(Mark, bool)>,
    /// The costs of brushes; `None` if the picture does not show them.
    pub heat: Option<&'a NodeCosts>,
    /// The codes of the picture's samples.
    pub codes: BTreeSet<u8>,
}

/// Returns the smallest power of two that is at least 1 and at least `units`.
fn round_step(units: f64) -> f64 {
    let mut step = 1.0;
    while step < units {
        step *= 2.0;
    }
    step
}

/// Returns the multiples of a step in a range.
fn multiples(from: f64, to: f64, step: f64) -> impl Iterator<Item = f64> {
    let first = (from / step).ceil() as i64;
    let last = (to / step).floor() as i64;
    (first..=last).map(move |number| number as f64 * step)
}

/// Draws coordinates at the edges, with faint lines through the map.
pub fn coordinates(canvas: &mut Canvas, view: &View) {
    let steps = TICKS_APART.map(|pixels| round_step(pixels / view.scale));
    let [right, up] = view.sight.across();
    let Bounds { mins, maxs } = view.bounds;
    let [width, height] = view.size.map(|size| size as f64);
    let [left, top] = [LEFT as f64, TOP as f64];
    for at in multiples(mins[right], maxs[right], steps[0]) {
        let x = (left + (at - mins[right]) * view.scale).round();
        canvas.rectangle([x, top], [1.0, height], palette::INK, 0.10);
        canvas.rectangle([x, top + height], [1.0, 5.0], palette::FAINT_INK, 1.0);
        let text = at.to_string();
        let at = [x - Font::Small.width(&text) / 2.0, top + height + 7.0];
        canvas.text(at, Font::Small, palette::FAINT_INK, &text);
    }
    for at in multiples(mins[up], maxs[up], steps[1]) {
        let y = (top + (maxs[up] - at) * view.scale).round();
        canvas.rectangle([left, y], [width, 1.0], palette::INK, 0.10);
        canvas.rectangle([left - 5.0, y], [5.0, 1.0], palette::FAINT_INK, 1.0);
        let text = at.to_string();
        let at = [left - 9.0 - Font::Small.width(&text), y - 8.0];
        canvas.text(at, Font::Small, palette::FAINT_INK, &text);
    }
    canvas.frame(
        [left - 1.0, top - 1.0],
        [width + 2.0, height + 2.0],
        1.0,
        palette::FAINT_INK,
    );
    axes(canvas, view);
}

/// Draws the names of the axes.
fn axes(canvas: &mut Canvas, view: &View) {
    let names = ["x", "y", "z"];
    let [right, up] = view.sight.across();
    let [width, height] = view.size.map(|size| size as f64);
    let end = [LEFT as f64 + width - 10.0, TOP as f64 + height + 26.0];
    canvas.text(end, Font::Bold, palette::INK, names[right]);
    canvas.text(
        [14.0, TOP as f64 - 2.0],
        Font::Bold,
        palette::INK,
        names[up],
    );
}

/// Draws a bar of a round length, below the map.
pub fn scale_bar(canvas: &mut Canvas, view: &View) {
    let mut units = round_step(160.0 / view.scale);
    if units * view.scale > view.size[0] as f64 {
        units /= 2.0;
    }
    let [x, y] = [LEFT as f64, (TOP + view.size[1]) as f64 + 38.0];
    let length = units * view.scale;
    for part in 0..4 {
        let color = if part % 2 == 0 {
            palette::INK
        } else {
            [0xFF; 3]
        };
        let from = x + length * f64::from(part) / 4.0;
        canvas.rectangle([from, y], [length / 4.0, 7.0], color, 1.0);
    }
    canvas.frame([x, y], [length, 7.0], 1.0, palette::INK);
    let text = format!("{units} units");
    canvas.text(
        [x + length + 12.0, y - 5.0],
        Font::Small,
        palette::INK,
        &text,
    );
}

impl Sheet<'_> {
    /// Draws the title above the map.
    pub fn title(&self, canvas: &mut Canvas, view: &View) {
        let axis = ["x", "y", "z"][view.sight.axis()];
        let what = match (view.cut, view.sight) {
            (Some(at), _) => format!("slice at {axis} = {at}"),
            (None, Sight::Top) => "seen from above".to_owned(),
            (None, Sight::Front) => "seen along y".to_owned(),
            (None, Sight::Side) => "seen against x".to_owned(),
        };
        let left = LEFT as f64;
        canvas.text([left, 18.0], Font::Title, palette::INK, self.title);
        let beside = left + Font::Title.width(self.title) + 22.0;
        canvas.text([beside, 25.0], Font::Small, palette::FAINT_INK, &what);
    }

    /// Draws the legend beside the map.
    pub fn legend(&self, canvas: &mut Canvas, view: &View, relief: &Relief) {
        let x = (LEFT + view.size[0]) as f64 + 28.0;
        let mut y = TOP as f64;
        if view.cut.is_some() {
            self.bands(canvas, x, &mut y);
        } else {
            self.rooms(canvas, x, &mut y);
        }
        y += 10.0;
        match self.heat {
            Some(heat) => {
                heading(canvas, x, &mut y, "nodes of a brush");
                let labels = ["0".to_owned(), heat.most.to_string()];
                ramp(canvas, x, &mut y, palette::heat, labels);
            }
            None => depth_ramp(canvas, x, &mut y, view, relief),
        }
        self.entities(canvas, x, y + 12.0);
    }

    /// Draws the hulls for which a slice is solid.
    fn bands(&self, canvas: &mut Canvas, x: f64, y: &mut f64) {
        heading(canvas, x, y, "solid for");
        for (rank, hull) in self.hulls.iter().enumerate() {
            let color = palette::band(rank, self.hulls.len());
            swatch(canvas, x, y, color, &self.band_name(rank));
            note(canvas, x, y, &size(hull));
        }
        let others = [
            (WALL, palette::WALL, "wall"),
            (DOOR_WALL, palette::DOOR, "door, lift"),
            (GAINED, palette::GAINED, "solid now"),
            (LOST, palette::LOST, "solid before"),
        ];
        for (code, color, name) in others {
            if self.codes.contains(&code) {
                swatch(canvas, x, y, color, name);
            }
        }
    }

    /// Draws the hulls that have room somewhere behind a pixel; the largest has room where its floor is shown.
    fn rooms(&self, canvas: &mut Canvas, x: f64, y: &mut f64) {
        let n_hulls = self.hulls.len();
        heading(canvas, x, y, &format!("room for {}", self.hulls[0].name));
        note(canvas, x - 30.0, y, &size(&self.hulls[0]));
        *y += 6.0;
        for (rank, hull) in self.hulls.iter().enumerate().skip(1) {
            if self.codes.contains(&(rank as u8)) {
                let name = match rank + 1 == n_hulls {
                    true => format!("only for {}", hull.name),
                    false => format!("for {} and smaller", hull.name),
                };
                swatch(canvas, x, y, palette::band(rank - 1, n_hulls), &name);
                note(canvas, x, y, &size(hull));
            }
        }
        if self.codes.contains(&(n_hulls as u8)) {
            swatch(canvas, x, y, palette::ROCK, "no room");
        }
    }

    /// Returns the name of the space that is solid for the hulls up to a rank.
    fn band_name(&self, rank: usize) -> String {
        let name = self.hulls[rank].name;
        match (rank, self.hulls.len()) {
            (0, 1) => name.to_owned(),
            (0, _) => format!("{name} only"),
            _ => format!("{name} and larger"),
        }
    }

    fn entities(&self, canvas: &mut Canvas, x: f64, mut y: f64) {
        for (kind, name) in marks::KINDS {
            let marks = self.marks.iter();
            let count = marks
                .filter(|(mark, is_seen)| mark.kind == kind && *is_seen)
                .count();
            if count > 0 {
                let toward = (kind == MarkedKind::Start).then_some([1.0, 0.0]);
                marks::draw(canvas, kind, [x + 9.0, y + 9.0], toward, false);
                let text = format!("{name} ({count})");
                canvas.text([x + 36.0, y + 1.0], Font::Small, palette::INK, &text);
                y += LINE;
            }
        }
        let n_hidden = self.marks.iter().filter(|(_, is_seen)| !is_seen).count();
        if n_hidden > 0 {
            marks::draw(canvas, MarkedKind::Item, [x + 9.0, y + 9.0], None, true);
            let text = format!("on another floor ({n_hidden})");
            canvas.text([x + 36.0, y + 1.0], Font::Small, palette::INK, &text);
        }
    }
}

fn heading(canvas: &mut Canvas, x: f64, y: &mut f64, text: &str) {
    canvas.text([x, *y - 2.0], Font::Bold, palette::INK, text);
    *y += LINE;
}

fn swatch(canvas: &mut Canvas, x: f64, y: &mut f64, color: Color, text: &str) {
    canvas.rectangle([x, *y], [18.0, 18.0], color, 1.0);
    canvas.frame([x, *y], [18.0, 18.0], 1.0, mix(color, palette::INK, 0.72));
    canvas.text([x + 30.0, *y + 1.0], Font::Small, palette::INK, text);
    *y += LINE;
}

/// Draws a remark below a swatch.
fn note(canvas: &mut Canvas, x: f64, y: &mut f64, text: &str) {
    canvas.text([x + 30.0, *y - 7.0], Font::Small, palette::FAINT_INK, text);
    *y += LINE - 6.0;
}

/// Describes the box of a hull.
fn size(hull: &Hull<'_>) -> String {
    let extents = [0, 1, 2].map(|k| hull.maxs[k] - hull.mins[k]);
    match extents {
        [0.0, 0.0, 0.0] => "a point".to_owned(),
        [x, y, z] => format!("{x} x {y} x {z}"),
    }
}

/// Draws the colors of depths, with coordinates.
fn depth_ramp(canvas: &mut Canvas, x: f64, y: &mut f64, view: &View, relief: &Relief) {
    let [least, most] = relief.depths;
    if least > most {
        return;
    }
    let axis = ["x", "y", "z"][view.sight.axis()];
    let sign = view.sight.toward_eye()[view.sight.axis()];
    let labels = [least, least + (most - least).max(64.0)];
    let labels = labels.map(|depth| (view.nearest() - sign * depth).round() + 0.0);
    heading(canvas, x, y, &format!("{axis} of its origin there"));
    ramp(
        canvas,
        x,
        y,
        palette::height,
        labels.map(|label| label.to_string()),
    );
}

fn ramp(
    canvas: &mut Canvas,
    x: f64,
    y: &mut f64,
    color: impl Fn(f64) -> Color,
    labels: [String; 2],
) {
    let length = 200u32;
    for step in 0..length {
        let at = [x + f64::from(step), *y];
        let part = f64::from(step) / f64::from(length - 1);
        canvas.rectangle(at, [1.0, 14.0], color(part), 1.0);
    }
    canvas.frame([x, *y], [f64::from(length), 14.0], 1.0, palette::FAINT_INK);
    let end = x + f64::from(length) - Font::Small.width(&labels[1]);
    canvas.text([x, *y + 17.0], Font::Small, palette::FAINT_INK, &labels[0]);
    canvas.text(
        [end, *y + 17.0],
        Font::Small,
        palette::FAINT_INK,
        &labels[1],
    );
    *y += 38.0;
}
