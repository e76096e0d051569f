//! Liquids and ladders above a floor: a place of the floor in; how high an agent gets out that swims or climbs up from
//! there.

use onion_runtime::navigation::LinkKind;

use super::ground::Ground;
use super::line::Place;
use super::piece::Piece;
use crate::tolerance::LADDER_REACH;

/// An agent swims in a liquid that reaches up to this part of its height: Quake III's waist.
const WAIST: f64 = 0.5;

/// Returns how far above a floor the places are at most to which an agent swims or climbs from a place of it, in units;
/// 0 if it does not.
pub(super) fn highest(ground: &Ground<'_>, from: &Piece<'_>, place: Place, kind: LinkKind) -> f64 {
    let (driver, hull) = (&ground.driver, from.hull.index());
    let [x, y] = place;
    let position = [x, y, from.floor.height(place)];
    let (above, more) = match kind {
        LinkKind::Swim => {
            let above = driver.volumes.liquids.above(hull, position);
            (above - from.tall * WAIST, driver.class.leap())
        }
        _ => {
            let above = driver.volumes.ladders.above(hull, position);
            (above, f64::from(LADDER_REACH))
        }
    };
    if above > 0.0 { above + more } else { 0.0 }
}
