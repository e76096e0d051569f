//! Trees that are one long chain of nodes, made by hand: at any depth, a walk keeps every branch that it deferred on
//! its way down. Walks have stacks of several sizes, so the test tries depths on both sides of each.

use onion_format::{InfoRecord, MAX_DEPTH, NORMAL_ONE, NodePlane, NodeRecord, PlaneRecord};
use onion_runtime::OnionMap;
use onion_tests::planted::{edit, replace, restate};

/// Makes a tree with planes across the x axis at 1, 2, 3 and so on, the farthest at the root, and a leaf in front of
/// each: solid for the first hull only between the planes at `solid` and at the next one.
fn chain(depth: u32, solid: u32) -> Vec<u8> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/golden/low_tunnel-bare.onion");
    let mut file = std::fs::read(path).unwrap();
    let at = |node: u32| depth - node;
    let plane = |node| PlaneRecord {
        normal: [NORMAL_ONE, 0, 0],
        axis: 0,
        dist: f64::from(at(node)),
    };
    let node = |node: u32| NodeRecord {
        normal: [NORMAL_ONE, 0, 0],
        dist: f64::from(at(node)),
        plane: NodePlane::new(node, at(node) == solid + 1, at(node) == solid).0,
        back: NodeRecord::LEAF_BITS[0]
            | if node + 1 < depth {
                node + 1
            } else {
                NodeRecord::LEAF_BITS[1]
            },
        resolved: [7; 2],
        solid: [u8::from(at(node) == solid), 0],
    };
    let planes: Vec<_> = (0..depth).map(plane).collect();
    let nodes: Vec<_> = (0..depth).map(node).collect();
    replace(&mut file, &planes);
    replace(&mut file, &nodes);
    edit::<InfoRecord>(&mut file, 0, |info| info.depth = depth);
    restate(&mut file);
    file
}

#[test]
fn nothing_is_forgotten_on_the_way_down() {
    let most = MAX_DEPTH as u32;
    for depth in [1, 15, 16, 17, 32, 33, 48, 49, 80, 81, most - 1, most] {
        for solid in [1, depth / 2, depth].map(|solid| solid.max(1)) {
            let file = OnionMap::from_bytes(chain(depth, solid)).unwrap();
            let hull = file.hulls().next().unwrap();
            let world = file.world().with_margin(0.0);
            // The segment crosses all planes, and the walk defers everything in front of them until the segment gets
            // there.
            let [start, end] = [[0.5, 0.0, 0.0], [512.5, 0.0, 0.0]];
            let right = (f64::from(solid) - 0.5) / 512.0;
            let trace = world.trace(hull.id, start, end);
            assert_eq!(trace.hit_fraction, right, "depth {depth}, solid {solid}");
        }
    }
}
