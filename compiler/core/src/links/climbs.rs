//! The ways through liquids and along ladders: an edge of a floor and the floors beyond it in; links over which an
//! agent that is driven swims up or climbs out. It rises in the liquid or at the ladder, and moves across; a swimmer
//! jumps at the surface, and a climber also goes down.

use onion_format::LinkRecord;
use onion_runtime::navigation::{LinkKind, PathCosts};

use super::beyond::{LEDGE, before, distances, near, unlinked};
use super::depth::highest;
use super::ground::Ground;
use super::line::{Line, Part, Place};
use super::piece::Piece;
use super::way::Way;

/// The greatest height of a ladder, in units: that of the largest maps.
const DEEPEST: f64 = (1u32 << 17) as f64;

/// The distance between the places of an edge where the depth of a liquid is looked up, in units: ladders are wider.
const BETWEEN: f64 = 8.0;

/// Adds links to the floors that an agent swims or climbs to over the open parts of an edge. `links[first..]` are the
/// links over this edge so far; where one of them leads to a floor already, no other is added.
pub(super) fn add<'a>(
    ground: &Ground<'a>,
    from: &Piece<'a>,
    line: &Line,
    open: &[Part],
    walks_to: &impl Fn(u32, Place, f64) -> bool,
    links: &mut Vec<LinkRecord>,
    first: usize,
) {
    for kind in [LinkKind::Swim, LinkKind::Climb] {
        let limits = limits(ground, from, line, kind);
        if limits == [0.0; 2] {
            continue;
        }
        let near = near(ground, from, line, [0.0, LEDGE], limits);
        let near = near.filter(|to| to.tall >= from.tall);
        let near = Vec::from_iter(near.map(|to| (to, line.distances(&to.corners))));
        for across in distances(&near).filter(|across| *across <= LEDGE) {
            for (to, _) in &near {
                let Some((part, _)) = before(from, line, to, across, limits) else {
                    continue;
                };
                let line = *line;
                let way = Way {
                    from,
                    to,
                    kind,
                    line,
                    across,
                };
                let lands = line.beyond((part[0] + part[1]) / 2.0, across);
                let walk = across + PathCosts::default().climb + line.length / 2.0;
                if walks_to(to.floor.number, lands, walk) {
                    continue;
                }
                for part in unlinked(open, part, &way, &links[first..]) {
                    way.add(ground, part, links);
                }
            }
        }
    }
}

/// Returns how far down and up an agent may get that swims or climbs from an edge, in units: at most, at any place.
fn limits(ground: &Ground<'_>, from: &Piece<'_>, line: &Line, kind: LinkKind) -> [f64; 2] {
    let (class, volumes) = (&ground.driver.class, ground.driver.volumes);
    let volume = match kind {
        LinkKind::Swim if class.swim > 0.0 => &volumes.liquids,
        LinkKind::Climb if class.climb > 0.0 => &volumes.ladders,
        _ => return [0.0; 2],
    };
    if volume.is_empty(from.hull.index()) {
        return [0.0; 2];
    }
    let n_parts = (line.length / BETWEEN).ceil();
    let parts = (0..=n_parts as u32).map(|number| f64::from(number) / n_parts);
    let rises = parts.map(|part| highest(ground, from, line.at(part), kind));
    let up = rises.fold(0.0, f64::max);
    let down = if kind == LinkKind::Climb {
        DEEPEST
    } else {
        0.0
    };
    [down, up]
}
