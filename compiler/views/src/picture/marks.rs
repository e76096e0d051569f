//! The entities that a picture marks: starts, with the direction that an agent faces, items, monsters, and other
//! entities that agents go to.

use onion_runtime::OnionMap;

use super::canvas::{Canvas, Color};
use super::eye::Eye;
use super::view::View;
use super::{palette, relief};
use crate::marked_entities::{MarkedEntity, MarkedKind};

const FAINT: f64 = 0.38;

/// All kinds, with their names in legends.
pub const KINDS: [(MarkedKind, &str); 4] = [
    (MarkedKind::Start, "start"),
    (MarkedKind::Item, "item"),
    (MarkedKind::Monster, "monster"),
    (MarkedKind::Target, "target"),
];

/// Whether an entity is visible: the surface at its pixel is no nearer than the entity, within the height of an agent,
/// and the entity is neither in a cut solid nor in front of the cut.
pub fn is_seen<D: AsRef<[u8]>>(
    entity: &MarkedEntity,
    map: &OnionMap<D>,
    eye: &Eye,
    view: &View,
    agent: f64,
) -> bool {
    let depth = view.depth_of(entity.middle());
    let place = view.place(view.pixel(entity.middle()));
    let is_cut = view.cut.is_some() && map.world().is_solid(eye.hull, place.to_array());
    let behind = relief::look(map, eye, None, view, place);
    let is_near = behind.is_none_or(|behind| depth <= behind.depth + agent);
    !is_cut && is_near && (view.cut.is_none() || depth >= -agent)
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
    let white = [0xFF; 3];
    let (color, distance): (Color, fn(f64, f64) -> f64) = match kind {
        MarkedKind::Start => (palette::START, |x, y| (x * x + y * y).sqrt() - 6.0),
        MarkedKind::Item => (palette::ITEM, |x, y| (x.abs() + y.abs() - 6.5) * 0.71),
        MarkedKind::Monster => (palette::MONSTER, |x, y| x.abs().max(y.abs()) - 4.0),
        MarkedKind::Target => (palette::OTHER, |x, y| {
            ((x * x + y * y).sqrt() - 4.5).abs() - 1.5
        }),
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
