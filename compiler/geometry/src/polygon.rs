//! Convex polygons for display and for weighing choices: corners in f64, counterclockwise as seen from the side that
//! the normal points to. Positions are rounded, so they decide nothing about collision.

use glam::DVec3;

use crate::tolerance::ON_SKIN;

/// Returns a square in a plane, centered on the point of the plane that is nearest to the origin, with sides of twice
/// `size`.
pub fn square(normal: DVec3, dist: f64, size: f64) -> Vec<DVec3> {
    let (u, v) = normal.any_orthonormal_pair();
    let center = normal * dist;
    let corners = [-u - v, u - v, u + v, v - u];
    corners.map(|corner| center + corner * size).to_vec()
}

/// Returns the area of a polygon, in square units.
pub fn area(corners: &[DVec3]) -> f64 {
    area_at(corners, |&corner| corner)
}

/// Returns the area of a polygon in square units, given the positions of its corners.
pub(super) fn area_at<T>(corners: &[T], at: impl Fn(&T) -> DVec3) -> f64 {
    let Some((apex, rest)) = corners.split_first() else {
        return 0.0;
    };
    let apex = at(apex);
    let fan = rest.windows(2);
    let twice = fan.map(|pair| (at(&pair[0]) - apex).cross(at(&pair[1]) - apex));
    twice.sum::<DVec3>().length() / 2.0
}

/// Returns the parts of a polygon in front of and behind a plane; `None` stands for an empty part.
pub fn split(corners: Vec<DVec3>, normal: DVec3, dist: f64) -> [Option<Vec<DVec3>>; 2] {
    let ahead = corners.iter().map(|corner| corner.dot(normal) - dist);
    let ahead: Vec<f64> = ahead.collect();
    if !ahead.iter().any(|&distance| distance < -ON_SKIN) {
        return [Some(corners), None];
    }
    if !ahead.iter().any(|&distance| distance > ON_SKIN) {
        return [None, Some(corners)];
    }
    let mut parts = [Vec::new(), Vec::new()];
    for (number, &corner) in corners.iter().enumerate() {
        let next = (number + 1) % corners.len();
        let [here, there] = [ahead[number], ahead[next]];
        if here > -ON_SKIN {
            parts[0].push(corner);
        }
        if here < ON_SKIN {
            parts[1].push(corner);
        }
        if here.abs() >= ON_SKIN && there.abs() >= ON_SKIN && here.signum() != there.signum() {
            let crossing = corner + (corners[next] - corner) * (here / (here - there));
            parts.iter_mut().for_each(|part| part.push(crossing));
        }
    }
    parts.map(|part| (part.len() > 2).then_some(part))
}
