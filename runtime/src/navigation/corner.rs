//! The plane geometry of paths that pass corners: where a walker passes an end of a link, at a distance from the wall
//! or ledge behind it. All sums are in one order, so that readers in other languages get the same bits.

use super::cone::{Place, Sight, between, distance, turn};
use super::floors::Floor;
use crate::tolerance::FROM_CORNER;

/// Returns the unit vector from one place to another, or zero if they are one.
pub(super) fn direction(from: Place, to: Place) -> Place {
    let length = distance(from, to);
    if length > 0.0 {
        [(to[0] - from[0]) / length, (to[1] - from[1]) / length]
    } else {
        [0.0; 2]
    }
}

/// Returns the distance of a place from the straight way between two others.
pub(super) fn apart(from: Place, to: Place, place: Place) -> f64 {
    let [x, y] = [to[0] - from[0], to[1] - from[1]];
    let square = x * x + y * y;
    let along = (place[0] - from[0]) * x + (place[1] - from[1]) * y;
    let part = if square > 0.0 { along / square } else { 0.0 };
    distance(between(from, to, part.max(0.0)), place)
}

/// Returns where a way from one place around a corner to another turns: at a distance from both ways that meet there,
/// on the side away from the corner.
pub(super) fn beside(from: Place, corner: Place, to: Place, around: Sight) -> Place {
    let [ax, ay] = direction(from, corner);
    let [bx, by] = direction(corner, to);
    let side = if around == Sight::AroundLeft {
        FROM_CORNER
    } else {
        -FROM_CORNER
    };
    let [x, y] = [(ay + by) * side, -(ax + bx) * side];
    // 2 if the way hardly turns, 0 if it turns back.
    let straightness = 1.0 + ax * bx + ay * by;
    match straightness < 0.5 {
        // Past the end of a thin obstacle.
        true => [
            corner[0] + ax * FROM_CORNER + x,
            corner[1] + ay * FROM_CORNER + y,
        ],
        false => [corner[0] + x / straightness, corner[1] + y / straightness],
    }
}

/// Returns a place moved away from the edges of a floor that it is nearer to than `least` units, or beyond, one after
/// the other; twice, because away from one edge may be nearer to another.
pub(super) fn inside(floor: &Floor<'_>, mut place: Place, least: f64) -> Place {
    let corners = floor.corners().map(|[x, y, _]| [x, y]);
    let next = corners.clone().cycle().skip(1);
    let edges = corners.clone().zip(next);
    for (start, end) in edges.clone().chain(edges) {
        let length = distance(start, end);
        let depth = turn(start, end, place) / length;
        if depth < least {
            let [x, y] = direction(start, end);
            let by = least - depth;
            place = [place[0] - y * by, place[1] + x * by];
        }
    }
    place
}

/// Returns a place moved away from the edges of a floor as far as paths keep away from corners, or a half, a quarter or
/// an eighth of that if the floor is narrower; `None` if it is narrower still.
pub(super) fn onto(floor: &Floor<'_>, place: Place) -> Option<Place> {
    let parts = [1.0, 0.5, 0.25, 0.125].into_iter();
    let mut places = parts.filter_map(|part| {
        let least = part * FROM_CORNER;
        let moved = inside(floor, place, least);
        // No edge is nearer than half of that.
        (inside(floor, moved, 0.5 * least) == moved).then_some(moved)
    });
    places.next()
}
