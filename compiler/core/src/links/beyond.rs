//! The floors beyond an edge: the edge and a distance in; the floors there out, with the part of the edge that each is
//! beyond, and the parts over which no link leads to it yet.

use onion_format::LinkRecord;

use super::ground::Ground;
use super::line::{Line, Part, Place, common, part_of, part_within, without};
use super::piece::Piece;
use super::way::Way;
use crate::tolerance::{BESIDE, FROM_END, LANDING, NEXT_TO, TREAD};

/// The distances beyond an edge at which an agent comes down, in units: not whole, because most edges lie on whole
/// units, and rounding would decide what it falls on. Up to [`LEDGE`] it steps or jumps over the edge: first the
/// farther ones, because one that falls keeps some of its speed. The others are for agents that run over the edge or
/// jump over a gap, the shortest first.
const ACROSS: [f64; 15] = [
    15.5, 7.5, 3.5, 1.5, 0.75, 31.5, 47.5, 71.5, 99.5, 129.5, 159.5, 187.5, 211.5, 235.5, 259.5,
];

/// The farthest that an agent comes down beyond an edge, in units.
pub(super) const FARTHEST: f64 = ACROSS[ACROSS.len() - 1];

/// The farthest that an agent comes down beyond an edge that it does not run over or take a long jump from, in units.
pub(super) const LEDGE: f64 = 16.0;

/// Returns the floors at a distance beyond a line, within two limits as [`near`] takes them, each with the part of the
/// line that it is beyond, and how much higher it is.
pub(super) fn beyond<'g, 'a>(
    ground: &'g Ground<'a>,
    from: &Piece<'a>,
    line: &Line,
    distance: f64,
    limits: [f64; 2],
) -> impl Iterator<Item = (&'g Piece<'a>, Part, f64)> {
    // A floor that touches the line may be narrower than the distance.
    let near = near(ground, from, line, [distance.min(0.0), distance], limits);
    near.filter_map(move |piece| {
        if distance == BESIDE && is_behind_another(ground, from, line, piece, limits) {
            return None;
        }
        let (part, rise) = before(from, line, piece, distance, limits)?;
        Some((piece, part, rise))
    })
}

/// Returns the floors that may lie between two distances beyond a line, at most `up` units higher and `down` lower.
pub(super) fn near<'g, 'a>(
    ground: &'g Ground<'a>,
    from: &Piece<'a>,
    line: &Line,
    distances: [f64; 2],
    [down, up]: [f64; 2],
) -> impl Iterator<Item = &'g Piece<'a>> {
    let own = from.floor.number;
    let [right, left] = [line.right, line.left].map(|end| from.height(end));
    let ends = distances.map(|distance| [0.0, 1.0].map(|part| line.beyond(part, distance)));
    let heights = [right.min(left) - down, right.max(left) + up];
    let near = ground.near(ends.as_flattened(), heights);
    near.filter(move |piece| piece.floor.number != own)
}

/// Returns the part of a line that a floor is beyond at a distance, at most `up` units higher and `down` lower, and how
/// much higher it is.
pub(super) fn before(
    from: &Piece<'_>,
    line: &Line,
    to: &Piece<'_>,
    distance: f64,
    [down, up]: [f64; 2],
) -> Option<(Part, f64)> {
    // An agent that lands on the very edge of a floor slides off. A floor that touches the line may be narrower than
    // the distance, so the place to look at is at most in the middle of it.
    let [distance, inside] = match distance <= BESIDE {
        true => [distance.min(to.half_width()), 0.0],
        false => [distance, LANDING],
    };
    let [right, left] = [line.right, line.left].map(|end| from.height(end));
    let part = line.part_before(&to.corners, distance, inside)?;
    // The corners of the floor may be acute, so its ends are looked up nearer to the line.
    let nearer = line.part_before(&to.corners, distance.min(NEXT_TO), inside);
    let part = nearer.filter(|_| distance <= BESIDE).unwrap_or(part);
    let rise = |at| to.height(line.beyond(at, distance)) - (right + (left - right) * at);
    let low = part_within(part, part.map(rise), [-down, up])?;
    // Paths keep away from places where a step gets too high, so they need some width beside one.
    let is_tip = low != part && (low[1] - low[0]) * line.length < TREAD;
    let is_wide = distance > BESIDE || !is_tip;
    is_wide.then(|| (low, rise((low[0] + low[1]) / 2.0)))
}

/// Returns the part of a step where the floors on both sides are wide enough to stand on them, one after the other: the
/// steps of a winding stair end in tips beside each other. All of it if none is left: floors may meet in tips only.
pub(super) fn without_tips(
    ground: &Ground<'_>,
    from: &Piece<'_>,
    line: &Line,
    to: &Piece<'_>,
    whole: Part,
) -> Part {
    let mut part = whole;
    for (piece, side) in [(to, 1.0), (from, -1.0)] {
        let width = side * f64::min(TREAD, piece.half_width());
        let Some(wide) = line.part_before(&piece.corners, width, 0.0) else {
            continue;
        };
        for (end, is_at_tip) in [wide[0] > part[0], wide[1] < part[1]]
            .into_iter()
            .enumerate()
        {
            if is_at_tip && !goes_on(ground, piece, line.beyond(part[end], width)) {
                part[end] = wide[end];
            }
        }
    }
    if part[0] < part[1] { part } else { whole }
}

/// Returns whether a floor touches a line with a corner only, and another floor lies between them, as other steps of a
/// winding stair do. Without one, an agent passes by the corner.
fn is_behind_another(
    ground: &Ground<'_>,
    from: &Piece<'_>,
    line: &Line,
    to: &Piece<'_>,
    limits: [f64; 2],
) -> bool {
    let [nearer, part] = [NEXT_TO, BESIDE].map(|by| line.part_before(&to.corners, by, 0.0));
    let Some((nearer, part)) = nearer.zip(part) else {
        return false;
    };
    let narrows = 4.0 * (nearer[1] - nearer[0]) < part[1] - part[0];
    let mut ends = part.iter().map(|&end| line.beyond(end, NEXT_TO));
    narrows && ends.any(|at| has_another(ground, to, at, from.height(at), limits))
}

/// Returns whether there is another floor as high as a floor at a place beside it.
fn goes_on(ground: &Ground<'_>, piece: &Piece<'_>, at: Place) -> bool {
    has_another(ground, piece, at, piece.height(at), [BESIDE; 2])
}

/// Returns whether a floor other than one, and no sliver, is at a place, at most `up` units above a height and `down`
/// below it.
fn has_another(
    ground: &Ground<'_>,
    one: &Piece<'_>,
    at: Place,
    height: f64,
    [down, up]: [f64; 2],
) -> bool {
    let heights = [height - down, height + up];
    let mut near = ground.near(&[at], heights);
    near.any(|other| {
        let is_other = other.floor.number != one.floor.number && other.half_width() > FROM_END;
        let is_there = is_other && other.floor.contains(at);
        is_there && (heights[0]..=heights[1]).contains(&other.height(at))
    })
}

/// Returns the distances beyond an edge at which agents are tried to come down: those of [`ACROSS`], and the middle of
/// each floor that none of these reaches. `near` holds each floor with its least and greatest distance from the edge.
pub(super) fn distances(near: &[(&Piece<'_>, [f64; 2])]) -> impl Iterator<Item = f64> {
    let narrow = near.iter().filter_map(|(_, [nearest, farthest])| {
        let middle = (nearest.max(0.0) + farthest) / 2.0;
        let is_inside = |across: &f64| (nearest + LANDING..farthest - LANDING).contains(across);
        let is_wide = farthest - nearest.max(0.0) > 2.0 * LANDING;
        (is_wide && middle < FARTHEST && !ACROSS.iter().any(is_inside)).then_some(middle)
    });
    ACROSS.into_iter().chain(narrow)
}

/// Returns what other links to the same floor leave of the part of an edge that a way leads over.
pub(super) fn unlinked(
    open: &[Part],
    part: Part,
    way: &Way<'_, '_>,
    links: &[LinkRecord],
) -> Vec<Part> {
    let open = open.iter().filter_map(|&open| common(open, part));
    let to_floor = links.iter().filter(|link| link.to() == way.to.floor.number);
    // With the ends that links keep away from.
    let end = 2.0 * FROM_END / way.line.length;
    to_floor.fold(open.collect(), |open, link| {
        let [start, stop] = part_of(link);
        without(open, [start - end, stop + end])
    })
}
