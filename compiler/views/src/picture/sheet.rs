//! Draws the sheet around a picture: title, coordinates at the edges, grid, scale bar, and a legend with the hulls and
//! their boxes.

use std::collections::BTreeSet;

use onion_geometry::Bounds;
use onion_runtime::Hull;
use onion_runtime::navigation::LinkKind;

use super::canvas::{Canvas, Color, Font, mix};
use super::ground::{self, FloorPlan};
use super::relief::Relief;
use super::solids::{DOOR_WALL, GAINED, LOST, WALL};
use super::view::{Sight, View};
use super::{marks, palette};
use crate::marked_entities::{MarkedEntity, MarkedKind};
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
pub const MIN_HEIGHT: usize = 420;
/// Minimum number of pixels between two coordinates, side by side and one above the other.
const TICKS_APART: [f64; 2] = [80.0, 48.0];
/// Height of a line of the legend, and distance of its text from the left, in pixels.
const LINE: f64 = 26.0;
const INDENT: f64 = 30.0;

/// What is written around a picture: title, scales and legend.
pub struct Sheet<'a> {
    /// The name of the map.
    pub title: &'a str,
    /// The hulls from the largest.
    pub hulls: &'a [Hull<'a>],
    /// The entities that are drawn, and whether each of them is seen.
    pub marks: Vec<(MarkedEntity, bool)>,
    /// The costs of brushes; `None` if the picture does not show them.
    pub heat: Option<&'a NodeCosts>,
    /// The floors that are drawn over the map; `None` if none are.
    pub ground: Option<FloorPlan>,
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
    let size = [width + 2.0, height + 2.0];
    canvas.frame([left - 1.0, top - 1.0], size, 1.0, palette::FAINT_INK);
    let names = [right, up].map(|axis| ["x", "y", "z"][axis]);
    let places = [
        [left + width - 10.0, top + height + 26.0],
        [14.0, top - 2.0],
    ];
    for (name, at) in names.into_iter().zip(places) {
        canvas.text(at, Font::Bold, palette::INK, name);
    }
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
        let color = [palette::INK, [0xFF; 3]][part % 2];
        let from = x + length * part as f64 / 4.0;
        canvas.rectangle([from, y], [length / 4.0, 7.0], color, 1.0);
    }
    canvas.frame([x, y], [length, 7.0], 1.0, palette::INK);
    let beside = [x + length + 12.0, y - 5.0];
    canvas.text(beside, Font::Small, palette::INK, &format!("{units} units"));
}

impl Sheet<'_> {
    /// Writes the title, and beside it how the map is seen.
    pub fn title(&self, canvas: &mut Canvas, view: &View) {
        let axis = view.sight.axis_name();
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

    /// Draws the legend at the right: the colors of hulls, depths or costs, then the marks of entities.
    pub fn legend(&self, canvas: &mut Canvas, view: &View, relief: &Relief) {
        let mut legend = Legend {
            canvas,
            x: (LEFT + view.size[0]) as f64 + 28.0,
            y: TOP as f64,
        };
        match (&self.ground, view.cut) {
            (Some(ground), _) => self.floors(&mut legend, ground),
            (None, Some(_)) => self.bands(&mut legend),
            (None, None) => self.rooms(&mut legend),
        }
        legend.y += 10.0;
        match self.heat {
            // Floors hide the surfaces that depths and costs color.
            _ if self.ground.is_some() => {}
            Some(heat) => {
                legend.heading("nodes of a brush");
                legend.ramp(palette::heat, ["0".to_owned(), heat.most.to_string()]);
            }
            None => legend.depths(view, relief),
        }
        legend.y += 12.0;
        self.entities(&mut legend);
    }

    /// Draws the hulls for which a slice is solid.
    fn bands(&self, legend: &mut Legend<'_>) {
        legend.heading("solid for");
        for (rank, hull) in self.hulls.iter().enumerate() {
            let name = match (rank, self.hulls.len()) {
                (0, 1) => hull.name.to_owned(),
                (0, _) => format!("{} only", hull.name),
                _ => format!("{} and larger", hull.name),
            };
            legend.swatch(palette::band(rank, self.hulls.len()), &name);
            legend.note(&size(hull));
        }
        let others = [
            (WALL, palette::WALL, "wall"),
            (DOOR_WALL, palette::DOOR, "door, lift"),
            (GAINED, palette::GAINED, "solid now"),
            (LOST, palette::LOST, "solid before"),
        ];
        for (code, color, name) in others {
            if self.codes.contains(&code) {
                legend.swatch(color, name);
            }
        }
    }

    /// Draws the hulls in the colors of space where they have room and larger ones have not; the largest has room where
    /// its floor is shown.
    fn rooms(&self, legend: &mut Legend<'_>) {
        let n_hulls = self.hulls.len();
        legend.heading(&format!("room for {}", self.hulls[0].name));
        legend.x -= INDENT;
        legend.note(&size(&self.hulls[0]));
        legend.x += INDENT;
        legend.y += 6.0;
        for (rank, hull) in self.hulls.iter().enumerate().skip(1) {
            if self.codes.contains(&(rank as u8)) {
                let name = if rank + 1 == n_hulls {
                    format!("only for {}", hull.name)
                } else {
                    format!("for {} and smaller", hull.name)
                };
                legend.swatch(palette::band(rank - 1, n_hulls), &name);
                legend.note(&size(hull));
            }
        }
        if self.codes.contains(&(n_hulls as u8)) {
            legend.swatch(palette::ROCK, "no room");
        }
    }

    /// Draws the hulls in the colors of their floors, and the kinds of links with their numbers.
    fn floors(&self, legend: &mut Legend<'_>, ground: &FloorPlan) {
        legend.heading("floors of");
        for (rank, hull) in self.hulls.iter().enumerate() {
            legend.swatch(palette::floor(rank, 0.5), hull.name);
            legend.note(&size(hull));
        }
        legend.y += 10.0;
        legend.heading("links");
        let names = [
            "walk", "crouch", "stand up", "drop", "jump", "swim", "climb", "teleport", "jump pad",
            "lift",
        ];
        for (kind, name) in LinkKind::ALL.into_iter().zip(names) {
            let count = ground.counts[kind as usize];
            if count > 0 {
                legend.link(kind, &format!("{name} ({count})"));
            }
        }
    }

    /// Draws the mark of each kind of entity, with the number of those that are seen.
    fn entities(&self, legend: &mut Legend<'_>) {
        for (kind, name) in marks::KINDS {
            let of_kind = |(mark, is_seen): &&(MarkedEntity, bool)| mark.kind == kind && *is_seen;
            let count = self.marks.iter().filter(of_kind).count();
            if count > 0 {
                legend.mark(kind, false, &format!("{name} ({count})"));
            }
        }
        let n_hidden = self.marks.iter().filter(|(_, is_seen)| !is_seen).count();
        if n_hidden > 0 {
            legend.mark(
                MarkedKind::Item,
                true,
                &format!("on another floor ({n_hidden})"),
            );
        }
    }
}

/// A legend that is drawn from the top down.
struct Legend<'a> {
    /// The canvas to draw on.
    canvas: &'a mut Canvas,
    /// The left edge, in pixels.
    x: f64,
    /// The top of the next line, in pixels.
    y: f64,
}

impl Legend<'_> {
    fn heading(&mut self, text: &str) {
        let at = [self.x, self.y - 2.0];
        self.canvas.text(at, Font::Bold, palette::INK, text);
        self.y += LINE;
    }

    /// Draws a square of a color and what it stands for.
    fn swatch(&mut self, color: Color, text: &str) {
        let at = [self.x, self.y];
        self.canvas.rectangle(at, [18.0; 2], color, 1.0);
        self.canvas
            .frame(at, [18.0; 2], 1.0, mix(color, palette::INK, 0.72));
        let beside = [self.x + INDENT, self.y + 1.0];
        self.canvas.text(beside, Font::Small, palette::INK, text);
        self.y += LINE;
    }

    /// Draws a remark below a swatch.
    fn note(&mut self, text: &str) {
        let at = [self.x + INDENT, self.y - 7.0];
        self.canvas.text(at, Font::Small, palette::FAINT_INK, text);
        self.y += LINE - 6.0;
    }

    /// Draws the mark of a kind of entities.
    fn mark(&mut self, kind: MarkedKind, is_faint: bool, text: &str) {
        let toward = (kind == MarkedKind::Start).then_some([1.0, 0.0]);
        let at = [self.x + 9.0, self.y + 9.0];
        marks::draw(self.canvas, kind, at, toward, is_faint);
        let beside = [self.x + 36.0, self.y + 1.0];
        self.canvas.text(beside, Font::Small, palette::INK, text);
        self.y += LINE;
    }

    /// Draws a link of a kind, on the color of a floor, as its lines are.
    fn link(&mut self, kind: LinkKind, text: &str) {
        self.canvas
            .rectangle([self.x, self.y], [18.0; 2], palette::floor(0, 0.5), 1.0);
        let [left, right] = [1.0, 17.0].map(|x| [self.x + x, self.y + 9.0]);
        ground::draw_link(self.canvas, [left, right], kind);
        let beside = [self.x + INDENT, self.y + 1.0];
        self.canvas.text(beside, Font::Small, palette::INK, text);
        self.y += LINE;
    }

    /// Draws the colors of depths, with coordinates.
    fn depths(&mut self, view: &View, relief: &Relief) {
        let [least, most] = relief.depths;
        if least > most {
            return;
        }
        let sign = view.sight.toward_eye()[view.sight.axis()];
        let ends = [least, least + (most - least).max(64.0)];
        // Adding zero turns minus zero into zero.
        let ends = ends.map(|depth| (view.nearest() - sign * depth).round() + 0.0);
        self.heading(&format!("{} of its origin there", view.sight.axis_name()));
        self.ramp(palette::height, ends.map(|end| end.to_string()));
    }

    /// Draws a ramp of colors with labels at its ends; `color` takes 0 to 1.
    fn ramp(&mut self, color: impl Fn(f64) -> Color, labels: [String; 2]) {
        let (x, y, length) = (self.x, self.y, 200u32);
        for step in 0..length {
            let part = f64::from(step) / f64::from(length - 1);
            let at = [x + f64::from(step), y];
            self.canvas.rectangle(at, [1.0, 14.0], color(part), 1.0);
        }
        let length = f64::from(length);
        self.canvas
            .frame([x, y], [length, 14.0], 1.0, palette::FAINT_INK);
        let starts = [x, x + length - Font::Small.width(&labels[1])];
        for (start, label) in starts.into_iter().zip(&labels) {
            let at = [start, y + 17.0];
            self.canvas.text(at, Font::Small, palette::FAINT_INK, label);
        }
        self.y += 38.0;
    }
}

/// Describes the box of a hull.
fn size(hull: &Hull<'_>) -> String {
    match hull.bounds.size() {
        [0.0, 0.0, 0.0] => "a point".to_owned(),
        [x, y, z] => format!("{x} x {y} x {z}"),
    }
}
