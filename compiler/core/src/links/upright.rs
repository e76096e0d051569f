//! Where a taller stance of a class walks as well as a lower one: an edge of a floor and the walking links of all
//! floors in; the parts of the edge where paths need not crouch out. They make up much of a map, and searches leave
//! them out.

use onion_format::LinkRecord;

use super::beyond::near;
use super::ground::Ground;
use super::line::{Line, Part, common, part_of, without};
use super::piece::Piece;
use crate::tolerance::NEXT_TO;

/// The distance on both sides of an edge at which the taller stance must have floors, in units: as far as agents move
/// on while they stand up.
const ASIDE: f64 = 1.0;

/// Returns the parts of an edge of a lower stance where a taller one walks as well: it has floors on both sides, which
/// are the same or linked.
pub(super) fn parts<'a>(
    ground: &Ground<'a>,
    walks: &[Vec<LinkRecord>],
    from: &Piece<'a>,
    line: &Line,
) -> Vec<Part> {
    if from.tall >= ground.tallest {
        return Vec::new();
    }
    let step = f64::from(ground.driver.class.settings.step_height);
    let sides = [-ASIDE, ASIDE];
    let near = near(ground, from, line, sides, [step, step]);
    let taller = near.filter(|piece| piece.tall > from.tall && !piece.takes_along());
    let taller = Vec::from_iter(taller);
    let [before, beyond] = sides.map(|distance| {
        let parts = taller.iter().filter_map(|piece| {
            let part = line.part_before(&piece.corners, distance, 0.0)?;
            let place = line.beyond((part[0] + part[1]) / 2.0, distance);
            let rise = piece.height(place) - from.height(place);
            (rise.abs() <= step).then_some((piece.floor.number, part))
        });
        Vec::from_iter(parts)
    });
    let pairs = before
        .iter()
        .flat_map(|one| beyond.iter().map(move |other| (one, other)));
    let walks_on = |one: u32, other: u32| {
        one == other
            || walks[ground.index(one)]
                .iter()
                .any(|link| link.to() == other)
    };
    let linked = pairs.filter(|(one, other)| walks_on(one.0, other.0));
    let parts = linked.filter_map(|(one, other)| common(one.1, other.1));
    parts.collect()
}

/// Returns whether agents in a taller stance can walk over a whole link, given the parts of its edge where they can.
pub(super) fn is_upright(upright: &[Part], link: &LinkRecord, length: f64) -> bool {
    let part = part_of(link);
    let low = upright
        .iter()
        .fold(vec![part], |low, &part| without(low, part));
    let low: f64 = low.iter().map(|[start, end]| end - start).sum();
    low * length <= NEXT_TO && low < (part[1] - part[0]) / 2.0
}
