//! The ends of walking links at which shortest paths may turn: the corners of walls and ledges that floors go around.
//! The edges of floors and what is open of them go in; the field `turns` of links comes out.

use onion_format::WHOLE_EDGE;

use super::edge::Edge;
use super::ground::Ground;
use super::line::{Line, Place, distance};
use super::piece::Piece;
use crate::tolerance::SAME_CORNER;

/// Returns the field `turns` of a link over a part of a line.
pub(super) fn turns(
    ground: &Ground<'_>,
    edges: &[Vec<Edge>],
    floor: &Piece<'_>,
    line: &Line,
    part: [u16; 2],
) -> u8 {
    let ends = part.map(|end| line.at(f64::from(end) / f64::from(WHOLE_EDGE)));
    let [right, left] = ends.map(|end| is_corner(ground, edges, floor, end));
    u8::from(right) | u8::from(left) << 1
}

/// Whether the floors around a place leave out less than half of what is around it, but not nothing. The edges that no
/// agent walks over decide: floors are to the left of them.
fn is_corner(ground: &Ground<'_>, edges: &[Vec<Edge>], floor: &Piece<'_>, place: Place) -> bool {
    let step = f64::from(ground.driver.class.settings.step_height);
    let height = floor.height(place);
    let corners = [-SAME_CORNER, SAME_CORNER].map(|by| place.map(|at| at + by));
    let near = ground.near(&corners, [height - step, height + step]);
    let near = near.filter(|other| other.hull == floor.hull);
    let (mut to, mut from) = (Vec::new(), Vec::new());
    for edge in near.flat_map(|other| &edges[ground.index(other.floor.number)]) {
        for [start, end] in edge
            .around
            .iter()
            .map(|part| part.map(|end| edge.line.at(end)))
        {
            let is_here = |end: Place| distance(end, place) < SAME_CORNER;
            match [is_here(start), is_here(end)] {
                [true, false] => from.push([start, end]),
                [false, true] => to.push([start, end]),
                _ => {}
            }
        }
    }
    match (&to[..], &from[..]) {
        ([], []) => false,
        (&[[start, _]], &[[_, end]]) => {
            // The turn at the end of the link itself, which may lie a little inside of the wall's corner.
            let [x, y] = place;
            let [[ax, ay], [bx, by]] = [[x - start[0], y - start[1]], [end[0] - x, end[1] - y]];
            let (left, ahead) = (ax * by - ay * bx, ax * bx + ay * by);
            // It turns to the right, or back: the side of a step or a ramp has no width.
            left < 0.0 || (ahead < 0.0 && left < -ahead)
        }
        // Several corners at one place.
        _ => true,
    }
}
