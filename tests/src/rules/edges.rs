//! Files at the edges of rules: as large, as deep or as empty as the format allows. Every reader
//! loads them.

use onion_format::{
    AgentRecord, BoxRecord, EntityRecord, GridRecord, HullRecord, InfoRecord, MAX_DEPTH,
    NodeRecord, PlaneRecord, PrismRecord, SurfaceRecord, TextRecord,
};

use super::links::{farthest, strongest};
use super::prisms::only_prism;
use super::rule::{last, prisms, right};
use crate::planted::{append, edit, record, replace, replace_links, restate};
use crate::strange::golden;

/// The largest distance of a plane, in units.
const FARTHEST: f64 = 131_072.0 - 1.0 / (1u64 << 36) as f64;

/// The largest normal along an axis whose square is within 1/512 of 1.
pub(super) const LONGEST_NORMAL: i32 = 1_074_789_888;

/// Returns files that every reader loads, with the reason why each is strange.
// Long: a table of files.
pub fn edges() -> Vec<(&'static str, Vec<u8>)> {
    type Change = fn(&mut Vec<u8>);
    let changes: [(&str, Change); 15] = [
        ("as deep as allowed", |file| *file = tower(MAX_DEPTH as u32)),
        ("no entities", |file| {
            replace::<EntityRecord>(file, &[]);
            replace::<TextRecord>(file, &[]);
        }),
        ("entities without keys", |file| {
            replace::<EntityRecord>(file, &[EntityRecord { first: 0 }; 3]);
            replace::<TextRecord>(file, &[]);
        }),
        ("names as long as allowed", |file| {
            edit::<HullRecord>(file, 1, |hull| hull.name = [b'x'; 32]);
            edit::<SurfaceRecord>(file, 1, |surface| surface.name = [0xff; 64]);
        }),
        ("a hull as large as allowed", |file| {
            edit::<HullRecord>(file, 1, |hull| {
                (hull.mins, hull.maxs) = ([-4_096.0; 3], [4_096.0; 3])
            });
        }),
        ("a hull without extent at a corner", |file| {
            edit::<HullRecord>(file, 1, |hull| {
                (hull.mins, hull.maxs) = ([4_096.0; 3], [4_096.0; 3])
            });
        }),
        ("a normal as long as allowed", |file| {
            append::<PlaneRecord>(file);
            let plane = last::<PlaneRecord>(file);
            edit::<PlaneRecord>(file, plane, |plane| {
                (plane.normal, plane.axis, plane.dist) = ([0, LONGEST_NORMAL, 0], 3, FARTHEST);
            });
        }),
        ("a grid as long as allowed", |file| {
            edit::<GridRecord>(file, 1, |grid| {
                let longest = grid.counts.into_iter().max().unwrap();
                grid.size = (262_144 / longest.next_power_of_two()) as f32;
                grid.origin = [-262_143.0, 262_143.0, 0.0];
                grid.outside = GridRecord::UNKNOWN;
            });
        }),
        ("a prism with as many sides as allowed", |file| {
            *file = prisms();
            only_prism(file, 16);
        }),
        ("no prisms in their chunk", |file| {
            *file = prisms();
            replace::<PrismRecord>(file, &[]);
        }),
        ("no links in their chunk", |file| replace_links(file, &[])),
        ("no classes of agents in their chunk", |file| {
            replace_links(file, &[]);
            replace::<AgentRecord>(file, &[]);
        }),
        ("links as far as allowed", farthest),
        ("agents as strong as allowed", |file| strongest(file)),
        ("boxes without extent", |file| {
            let root = record::<BoxRecord>(file, 0);
            let number = last::<BoxRecord>(file);
            assert!(root.second != 0);
            edit::<BoxRecord>(file, number, |leaf| leaf.maxs = leaf.mins);
        }),
    ];
    let right = right("one");
    let made = changes.into_iter().map(|(name, change)| {
        let mut file = right.clone();
        change(&mut file);
        (name, file)
    });
    made.collect()
}

/// Makes a tree of nodes in one chain, each with a leaf in front.
pub(super) fn tower(n_nodes: u32) -> Vec<u8> {
    let mut file = golden("low_tunnel-bare");
    let root = record::<NodeRecord>(&file, 0);
    let node = |index: u32| {
        let is_last = index + 1 == n_nodes;
        let back = if is_last {
            NodeRecord::LEAF_BITS[1]
        } else {
            index + 1
        };
        NodeRecord {
            back: NodeRecord::LEAF_BITS[0] | back,
            resolved: [7; 2],
            solid: [index, index + 1].map(|leaf| (leaf % 2) as u8),
            ..root
        }
    };
    replace(&mut file, &(0..n_nodes).map(node).collect::<Vec<_>>());
    edit::<InfoRecord>(&mut file, 0, |info| info.depth = n_nodes);
    restate(&mut file);
    file
}
