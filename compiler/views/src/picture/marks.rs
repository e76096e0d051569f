//! The entities that a picture marks: starts, with the direction that an agent faces, items, and everything else that
//! agents go to.

use glam::DVec3;
use onion_runtime::OnionMap;

use super::canvas::{Canvas, Color};
use super::eye::Eye;
use super::view::View;
use super::{palette, relief};
use crate::marked_entities::{self, MarkedEntity, MarkedKind};

/// Opacity of a faint mark.
const FAINT: f64 = 0.38;

/// All kinds, with their names in legends.
pub const KINDS: [(MarkedKind, &str); 4] = [
    (MarkedKind::Start, "start"),
    (MarkedKind::Item, "item"),
    (MarkedKind::Monster, "monster"),
    (MarkedKind::Target, "target"),
];

fn color(kind: MarkedKind) -> Color {
    match kind {
        MarkedKind::Start => palette::START,
        MarkedKind::Item => palette::ITEM,
        MarkedKind::Monster => palette::MONSTER,
        MarkedKind::Target => palette::OTHER,
    }
}

/// An entity with a place.
#[derive(Clone, Debug)]
pub struct Mark {
    /// Its kind.
    pub kind: MarkedKind,
    /// Its position.
    pub place: DVec3,
    /// The direction that it faces, in degrees from x to y.
    pub angle: f64,
}

impl Mark {
    /// Returns whether nothing hides it: it is no farther than the surface behind its place in the picture, give or
    /// take the height of an agent.
    pub fn is_seen<D: AsRef<[u8]>>(
        &self,
        map: &OnionMap<D>,
        eye: &Eye,
        view: &View,
        agent: f64,
    ) -> bool {
        let depth = view.depth_of(self.place);
        let place = view.place(view.pixel(self.place));
        let is_cut = view.cut.is_some() && map.world().is_solid(eye.hull, place.to_array());
        let behind = relief::depth_behind(map, eye, view, place);
        let is_near = behind.is_none_or(|behind| depth <= behind + agent);
        !is_cut && is_near && (view.cut.is_none() || depth >= -agent)
    }
}

/// Returns the entities of a file that agents start from or get to.
pub fn of_file<D: AsRef<[u8]>>(map: &OnionMap<D>) -> Vec<Mark> {
    marked_entities::reached(map)
        .into_iter()
        .map(mark)
        .collect()
}

fn mark(entity: MarkedEntity) -> Mark {
    Mark {
        kind: entity.kind,
        place: entity.middle(),
        angle: entity.angle,
    }
}

/// Draws a mark, about 12 pixels wide; it is faint if something hides the entity.
pub fn draw(
    canvas: &mut Canvas,
    kind: MarkedKind,
    at: [f64; 2],
    toward: Option<[f64; 2]>,
    is_faint: bool,
) {
    let opacity = if is_faint { FAINT } else { 1.0 };
    let color = color(kind);
    let white = [0xFF; 3];
    let length = |x: f64, y: f64| (x * x + y * y).sqrt();
    let distance = |x: f64, y: f64| match kind {
        MarkedKind::Start => length(x, y) - 6.0,
        MarkedKind::Item => (x.abs() + y.abs() - 6.5) * 0.71,
        MarkedKind::Monster => x.abs().max(y.abs()) - 4.0,
        MarkedKind::Target => (length(x, y) - 4.5).abs() - 1.5,
    };
    let arrow = toward.filter(|_| matches!(kind, MarkedKind::Start) && !is_faint);
    if let Some([x, y]) = arrow {
        let tip = [at[0] + x * 15.0, at[1] + y * 15.0];
        canvas.line(at, tip, 5.0, white);
        canvas.line(at, tip, 2.4, color);
    }
    for (color, wider) in [(white, 1.5), (color, 0.0)] {
        canvas.shape(at, 9.0, color, opacity, |x, y| distance(x, y) - wider);
    }
}
