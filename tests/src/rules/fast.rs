//! Rules for the fast form. Each row is what breaks a rule, and the fault; what the
//! runtime says of it names the first wrong record.

use onion_format::{
    BlockRecord, GridRecord, LocalChild, LocalPlane, LocalRecord, PlaneRecord, TwinRecord,
};
use onion_runtime::LoadError;

use super::rule::{Rule, at, change, last};
use crate::planted::{count, edit, record, replace};

/// Rules for grids and blocks.
pub(super) const GRIDS: &[Rule] = &[
    ("a grid too few", |file| {
        let grids: Vec<GridRecord> = (0..last::<GridRecord>(file))
            .map(|number| record(file, number))
            .collect();
        replace(file, &grids);
        at::<GridRecord>(grids.len())
    }),
    ("a fast form without grids", |file| {
        replace::<GridRecord>(file, &[]);
        at::<GridRecord>(0)
    }),
    ("a corner of a grid between whole numbers", |file| {
        change::<GridRecord>(file, 1, |grid| grid.origin[0] += 0.25)
    }),
    ("a corner of a grid too far out", |file| {
        change::<GridRecord>(file, 1, |grid| grid.origin[1] = -262_144.0)
    }),
    ("a corner of a grid that is not finite", |file| {
        change::<GridRecord>(file, 1, |grid| grid.origin[2] = f32::INFINITY)
    }),
    ("a size of blocks that is no power of two", |file| {
        change::<GridRecord>(file, 1, |grid| grid.size = 48.0)
    }),
    ("a size of blocks below one", |file| {
        change::<GridRecord>(file, 1, |grid| grid.size = 0.5)
    }),
    ("a negative size of blocks", |file| {
        change::<GridRecord>(file, 1, |grid| grid.size = -grid.size)
    }),
    ("a size of blocks that is no number", |file| {
        change::<GridRecord>(file, 1, |grid| grid.size = f32::NAN)
    }),
    ("a grid too long", |file| {
        let count = record::<GridRecord>(file, 1)
            .counts
            .into_iter()
            .max()
            .unwrap();
        assert!(count > 1);
        change::<GridRecord>(file, 1, |grid| grid.size = 262_144.0)
    }),
    ("no blocks along an axis", |file| {
        change::<GridRecord>(file, 1, |grid| grid.counts[2] = 0)
    }),
    ("more blocks than there are numbers", |file| {
        change::<GridRecord>(file, 1, |grid| {
            (grid.size, grid.counts) = (1.0, [1 << 17; 3])
        })
    }),
    ("blocks that do not follow", |file| {
        change::<GridRecord>(file, 1, |grid| grid.first += 1)
    }),
    ("an unknown solidity outside", |file| {
        change::<GridRecord>(file, 1, |grid| grid.outside = 1)
    }),
    ("a solidity outside beyond solid", |file| {
        change::<GridRecord>(file, 1, |grid| grid.outside = LocalChild::SOLID.0 + 1)
    }),
    ("a block too few", |file| {
        let blocks: Vec<BlockRecord> = (0..last::<BlockRecord>(file))
            .map(|number| record(file, number))
            .collect();
        replace(file, &blocks);
        at::<BlockRecord>(blocks.len())
    }),
    ("a root that is not there", |file| {
        let n_nodes = count(file, LocalRecord::TAG) as u32;
        change::<BlockRecord>(file, 3, |block| block.root = n_nodes)
    }),
    ("a reach to a seventh side", |file| {
        change::<BlockRecord>(file, 3, |block| block.reach |= 1 << 30)
    }),
];

/// Adds twins, and makes the last local node name the list that begins at one of them. The planes are told from that
/// of the node.
fn with_list(
    file: &mut Vec<u8>,
    first: usize,
    twins: impl Fn(u32) -> Vec<TwinRecord>,
) -> [LoadError; 2] {
    let node = last::<LocalRecord>(file);
    let LocalPlane::Plane(own) = record::<LocalRecord>(file, node).local_plane() else {
        panic!("the last local node has twins");
    };
    let old = count(file, TwinRecord::TAG);
    let mut all: Vec<TwinRecord> = (0..old).map(|number| record(file, number)).collect();
    all.extend(twins(own));
    replace(file, &all);
    edit::<LocalRecord>(file, node, |node| {
        node.plane = LocalPlane::List((old + first) as u32).bits()
    });
    [at::<LocalRecord>(node), at::<TwinRecord>(all.len() - 1)]
}

/// A list as it should be; see [`super::edges`].
pub(super) fn list(file: &mut Vec<u8>) {
    with_list(file, 0, |own| {
        vec![TwinRecord::new(own, false), TwinRecord::new(own ^ 1, true)]
    });
}

/// Rules for local trees and lists of twins.
pub(super) const LOCAL_TREES: &[Rule] = &[
    ("a local node without a plane", |file| {
        let node = last::<LocalRecord>(file);
        change::<LocalRecord>(file, node, |node| node.plane = (1 << 30) - 1)
    }),
    ("a local node with an unknown bit", |file| {
        let node = last::<LocalRecord>(file);
        change::<LocalRecord>(file, node, |node| node.plane |= 1 << 31)
    }),
    ("another normal than the local node's plane", |file| {
        let node = last::<LocalRecord>(file);
        change::<LocalRecord>(file, node, |node| node.normal[0] += 1)
    }),
    ("another dist than the local node's plane", |file| {
        let node = last::<LocalRecord>(file);
        change::<LocalRecord>(file, node, |node| node.dist += 0.5)
    }),
    ("a local node that is its own child", |file| {
        let node = last::<LocalRecord>(file);
        change::<LocalRecord>(file, node, |own| own.children[1] = node as u32)
    }),
    ("a local child that comes later", |file| {
        change::<LocalRecord>(file, 0, |node| node.children[0] = 1)
    }),
    ("a local child beyond solid", |file| {
        change::<LocalRecord>(file, 1, |node| node.children[0] = LocalChild::SOLID.0 + 1)
    }),
    ("a list that is not there", |file| {
        let n_twins = count(file, TwinRecord::TAG) as u32;
        let node = last::<LocalRecord>(file);
        change::<LocalRecord>(file, node, |node| {
            node.plane = LocalPlane::List(n_twins).bits()
        })
    }),
    ("a list that begins within another", |file| {
        let [error, _] = with_list(file, 1, |own| {
            vec![
                TwinRecord::new(own ^ 1, false),
                TwinRecord::new(own, false),
                TwinRecord::new(own, true),
            ]
        });
        error
    }),
    ("a list of one", |file| {
        let [error, _] = with_list(file, 0, |own| vec![TwinRecord::new(own, true)]);
        error
    }),
    ("a list that begins with another plane", |file| {
        let [error, _] = with_list(file, 0, |own| {
            vec![TwinRecord::new(own ^ 1, false), TwinRecord::new(own, true)]
        });
        error
    }),
    ("a list without an end", |file| {
        let [_, error] = with_list(file, 0, |own| {
            vec![TwinRecord::new(own, false), TwinRecord::new(own, false)]
        });
        error
    }),
    ("a twin that is not there", |file| {
        let n_planes = count(file, PlaneRecord::TAG) as u32;
        let [_, error] = with_list(file, 0, |own| {
            vec![TwinRecord::new(own, false), TwinRecord::new(own, true)]
        });
        let twin = last::<TwinRecord>(file);
        edit::<TwinRecord>(file, twin, |twin| *twin = TwinRecord::new(n_planes, true));
        error
    }),
];
