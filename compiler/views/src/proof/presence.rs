//! Where agents are with respect to an entity: the floor on which an agent that appears at it comes to stand, and the
//! floors on which an agent touches it, as games let players touch what they pick up or set off.

use glam::DVec3;
use onion_compiler::fill::seeds::EXTRA_LIFT;
use onion_geometry::Bounds;
use onion_runtime::movement::Agent;
use onion_runtime::navigation::AgentClass;
use onion_runtime::{Hull, OnionMap};

use super::ways::{Piece, Ways};
use crate::boxes;
use crate::marked_entities::MarkedEntity;
use crate::outline;
use crate::tolerance::{ON_FLOOR, TOUCH};

/// Ticks per second of an agent that falls to its floor, and the number of them after which it is given up.
const TICKS: [u32; 2] = [60, 1200];

/// Returns the floor on which an agent that appears at an entity comes to stand, as its tallest stance that has room
/// there; `None` if no stance has room, or it comes to stand on no floor.
pub(super) fn standing<D: AsRef<[u8]>>(
    map: &OnionMap<D>,
    class: &AgentClass,
    ways: &Ways<'_>,
    entity: &MarkedEntity,
) -> Option<usize> {
    let mut stances: Vec<_> = map.hulls().collect();
    stances.retain(|hull| class.hulls.contains(hull.id.index()));
    let height = |hull: &Hull<'_>| hull.bounds.size()[2];
    stances.sort_by(|one, other| height(other).total_cmp(&height(one)));
    let world = map.world();
    stances.iter().find_map(|hull| {
        let most = f64::from(-hull.bounds.mins[2]).max(0.0).ceil() as u32 + EXTRA_LIFT;
        let mut places = (0..=most).map(|lift| entity.place + DVec3::Z * f64::from(lift));
        let place = places.find(|place| !world.is_solid(hull.id, place.to_array()))?;
        let mut agent = Agent::new(hull.id, place.to_array());
        let [rate, most] = TICKS;
        for _ in 0..most {
            agent.walk(&world, &class.settings, [0.0; 2], 1.0 / f64::from(rate));
            if agent.on_ground.is_some() {
                break;
            }
        }
        let (floor, _) = map.floor_at(hull.id, agent.position, ON_FLOOR)?;
        ways.piece(floor.number)
    })
}

/// Whether an agent touches an entity while it stands on a floor, or jumps there straight up.
pub(super) fn touches<D: AsRef<[u8]>>(
    map: &OnionMap<D>,
    jump: f64,
    piece: &Piece<'_>,
    entity: &MarkedEntity,
) -> bool {
    let bounds = boxes::moved(entity.bounds, entity.place).widened(TOUCH);
    let Bounds { mins, maxs } = boxes::touching(bounds, boxes::of_hull(&piece.hull));
    let near = Bounds {
        mins: mins - DVec3::Z * jump,
        maxs,
    };
    if !piece.bounds.touches(&near) {
        return false;
    }
    let below = outline::column(&piece.corners, near);
    let below = below.and_then(|part| outline::behind(part, DVec3::Z, maxs.z));
    let Some(below) = below.and_then(|part| outline::behind(part, DVec3::NEG_Z, -near.mins.z))
    else {
        return false;
    };
    let stands = outline::behind(below.clone(), DVec3::NEG_Z, -mins.z).is_some();
    stands || rises(map, piece, &below, mins.z)
}

/// Whether an agent has room to rise to a height, in the middle of a part of a floor or halfway to its corners.
fn rises<D: AsRef<[u8]>>(
    map: &OnionMap<D>,
    piece: &Piece<'_>,
    part: &[DVec3],
    height: f64,
) -> bool {
    let middle = outline::middle(part);
    let halfway = part.iter().map(|corner| corner.midpoint(middle));
    let mut places = std::iter::once(middle).chain(halfway);
    places.any(|place| {
        let ends = [place, place.with_z(height.max(place.z))].map(|end| end.to_array());
        let trace = map.world().trace(piece.hull.id, ends[0], ends[1]);
        trace.hit_fraction == 1.0 && !trace.start_solid
    })
}
