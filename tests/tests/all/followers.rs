//! Followers of paths whose points are made by hand: a room and points in, what the follower does in a tick out. Paths
//! that the runtime finds are in `paths`.

use onion_runtime::HullId;
use onion_runtime::movement::Agent;
use onion_runtime::navigation::{LinkKind, PathFollower, PathPoint};
use onion_tests::fixtures::made;
use onion_tests::rooms;

use crate::paths::with_links;

fn point(hull: HullId, position: [f64; 3], kind: LinkKind) -> PathPoint {
    PathPoint {
        position,
        hull,
        floor: 0,
        kind,
    }
}

/// Below a drop from 152 to 24, at (0, 0), a pad throws agents to (60, 0). A player in the air above (40, 0), which is
/// nearer to that place than the pad is, has overshot the drop if it falls, and was thrown if it rises. One that rises
/// above (10, 0) by more than a jump was thrown, although it stays below the ledge. A teleporter in place of the pad
/// does put agents into the air from which they fall.
#[test]
fn who_overshoots_a_drop_was_not_thrown() {
    use LinkKind::{Drop, JumpPad, Teleport, Walk};
    let map = with_links(&made(&rooms::terrace()));
    let stand = map.find_hull("stand").unwrap();
    let class = map.agent_of(stand).unwrap();
    for (kind, x, speed, next) in [
        (JumpPad, 40.0, -100.0, 1),
        (JumpPad, 40.0, 100.0, 3),
        (JumpPad, 10.0, 100.0, 1),
        (JumpPad, 10.0, 400.0, 3),
        (Teleport, 40.0, -100.0, 3),
    ] {
        let places = [
            (-100.0, 152.0, Walk),
            (20.0, 24.0, Drop),
            (0.0, 24.0, Walk),
            (60.0, 24.0, kind),
        ];
        let points = places.map(|(x, z, kind)| point(stand, [x, 0.0, z], kind));
        let mut agent = Agent::new(stand, [x, 0.0, 60.0]);
        agent.velocity[2] = speed;
        let mut follower = PathFollower::new();
        (follower.next, follower.nearest) = (1, 1.0);
        follower.walk(&mut agent, &map.world(), &class, &points, 1.0 / 60.0);
        assert_eq!(follower.next, next, "{kind:?} {x} {speed}");
    }
}

/// An agent at the top of a ladder moves straight to its point, 30 units to the east and 40 to the north.
#[test]
fn who_leaves_a_ladder_moves_straight() {
    let map = with_links(&made(&rooms::terrace()));
    let stand = map.find_hull("stand").unwrap();
    let class = map.agent_of(stand).unwrap();
    let point = |position, kind| point(stand, position, kind);
    let [start, end] = [[60.0, -40.0, 100.0], [90.0, 0.0, 100.0]];
    let points = [point(start, LinkKind::Walk), point(end, LinkKind::Climb)];
    let mut agent = Agent::new(stand, [60.0, -40.0, 100.1]);
    let mut follower = PathFollower::new();
    follower.next = 1;
    follower.walk(&mut agent, &map.world(), &class, &points, 0.1);
    let moved = [0, 1].map(|axis| agent.position[axis] - start[axis]);
    let far = 0.1 * class.climb;
    assert!(
        (moved[0] - 0.6 * far).abs() < 1e-3 && (moved[1] - 0.8 * far).abs() < 1e-3,
        "{moved:?}"
    );
}
