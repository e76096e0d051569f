//! Rules for the chunks that every file has. Each row has a text that says how a rule is broken, and a function that
//! plants the fault and returns the runtime's error, which names the first wrong record.

use onion_format::{
    Child, GroupRecord, HullRecord, InfoRecord, MAX_DEPTH, MAX_GROUP, MAX_HULLS, ModelRecord,
    NORMAL_ONE, NodeRecord, OptionsRecord, PlaneRecord, RootRecord,
};
use onion_runtime::LoadError;

use super::edges::{LONGEST_NORMAL, tower};
use super::rule::{Rule, at, beyond, change, last, one_less, one_more, right};
use crate::planted::{append, count, edit, record, replace};

/// Replaces the hulls by `n_hulls` hulls with other names.
fn add_hulls(file: &mut Vec<u8>, n_hulls: usize) {
    let hull = record::<HullRecord>(file, 0);
    let hulls = (0..n_hulls as u8).map(|number| {
        let mut hull = hull;
        hull.name[0] = b'!' + number;
        hull
    });
    replace(file, &hulls.collect::<Vec<_>>());
}

/// Rules for hulls, options and groups.
pub(super) const HULLS: &[Rule] = &[
    ("an option that is no UTF-8", |file| {
        change::<OptionsRecord>(file, 2, |option| option.byte = 0xff)
    }),
    ("an unknown flag", |file| {
        change::<HullRecord>(file, 1, |hull| hull.flags = 2)
    }),
    ("a corner off the grid", |file| {
        change::<HullRecord>(file, 1, |hull| hull.maxs[0] += 1.0 / 4_096.0)
    }),
    ("an empty name", |file| {
        change::<HullRecord>(file, 1, |hull| hull.name = [0; 32])
    }),
    ("a name with more behind its end", |file| {
        change::<HullRecord>(file, 1, |hull| hull.name[31] = b'x')
    }),
    ("a name that is no UTF-8", |file| {
        change::<HullRecord>(file, 1, |hull| hull.name[0] = 0xff)
    }),
    ("a name of several lines", |file| {
        change::<HullRecord>(file, 1, |hull| hull.name[1] = b'\n')
    }),
    ("a name with a control character of two bytes", |file| {
        change::<HullRecord>(file, 1, |hull| {
            hull.name[1..3].copy_from_slice("\u{85}".as_bytes());
        })
    }),
    ("a name that is repeated", |file| {
        let name = record::<HullRecord>(file, 0).name;
        change::<HullRecord>(file, 2, |hull| hull.name = name)
    }),
    ("a name that is repeated behind the first", |file| {
        let name = record::<HullRecord>(file, 1).name;
        change::<HullRecord>(file, 2, |hull| hull.name = name)
    }),
    ("corners the wrong way round", |file| {
        change::<HullRecord>(file, 1, |hull| hull.mins[1] = hull.maxs[1] + 1.0)
    }),
    ("a corner that is no number", |file| {
        change::<HullRecord>(file, 1, |hull| hull.maxs[2] = f32::NAN)
    }),
    ("a lower corner too far out", |file| {
        change::<HullRecord>(file, 1, |hull| hull.mins[0] = -4_097.0)
    }),
    ("an upper corner too far out", |file| {
        change::<HullRecord>(file, 1, |hull| hull.maxs[0] = 4_097.0)
    }),
    ("no hull", |file| {
        replace::<HullRecord>(file, &[]);
        at::<HullRecord>(0)
    }),
    ("a hull in two groups", |file| {
        append::<GroupRecord>(file);
        at::<GroupRecord>(1)
    }),
    ("a hull in no group", |file| {
        edit::<GroupRecord>(file, 0, |group| group.hulls = 3);
        at::<GroupRecord>(1)
    }),
    ("more hulls than allowed", |file| {
        add_hulls(file, MAX_HULLS + 1);
        at::<HullRecord>(MAX_HULLS + 1)
    }),
    ("more hulls in a group than allowed", |file| {
        add_hulls(file, MAX_GROUP + 1);
        change::<GroupRecord>(file, 0, |group| group.hulls = (1 << (MAX_GROUP + 1)) - 1)
    }),
    ("an unknown flag of the highest bit", |file| {
        change::<HullRecord>(file, 1, |hull| hull.flags |= 1 << 31)
    }),
    ("a group without hulls", |file| {
        append::<GroupRecord>(file);
        change::<GroupRecord>(file, 1, |group| group.hulls = 0)
    }),
    ("a group of a hull that is not there", |file| {
        change::<GroupRecord>(file, 0, |group| group.hulls |= 1 << 40)
    }),
];

/// Rules for files with several groups.
pub(super) const GROUPS: &[Rule] = &[
    ("groups out of order", |file| {
        let [first, second] = [0, 1].map(|group| record::<GroupRecord>(file, group));
        edit::<GroupRecord>(file, 0, |group| *group = second);
        edit::<GroupRecord>(file, 1, |group| *group = first);
        at::<GroupRecord>(0)
    }),
    ("a root of a second group", |file| {
        change::<RootRecord>(file, 4, |root| root.root += 1)
    }),
];

/// Changes a plane's normal, and the axis that it names.
fn plane(file: &mut [u8], normal: [i32; 3], axis: u32) -> LoadError {
    change::<PlaneRecord>(file, 1, |plane| (plane.normal, plane.axis) = (normal, axis))
}

/// Rules for models, roots and planes.
pub(super) const PLANES: &[Rule] = &[
    ("a tree too many", one_more::<RootRecord>),
    ("a root that is not next", |file| {
        change::<RootRecord>(file, 1, |root| root.root += 1)
    }),
    ("bounds that are not finite", |file| {
        change::<ModelRecord>(file, 1, |model| model.mins[2] = f32::NEG_INFINITY)
    }),
    ("an origin that is no number", |file| {
        change::<ModelRecord>(file, 1, |model| model.origin[0] = f32::NAN)
    }),
    ("a normal that is too long", |file| {
        plane(file, [NORMAL_ONE / 100 * 101, 0, 0], 3)
    }),
    ("a normal that is too short", |file| {
        plane(file, [NORMAL_ONE / 100 * 99, 0, 0], 3)
    }),
    ("a normal that looks back", |file| {
        plane(file, [0, -NORMAL_ONE, 0], 3)
    }),
    ("an axis that is another one", |file| {
        plane(file, [0, NORMAL_ONE, 0], 2)
    }),
    ("an axis that is not named", |file| {
        plane(file, [0, NORMAL_ONE, 0], 3)
    }),
    ("a distance that is too long", |file| {
        change::<PlaneRecord>(file, 1, |plane| plane.dist = -131_072.0)
    }),
    ("a distance that is no number", |file| {
        change::<PlaneRecord>(file, 1, |plane| plane.dist = f64::NAN)
    }),
    ("a distance between steps", |file| {
        change::<PlaneRecord>(file, 1, |plane| plane.dist = (-37f64).exp2())
    }),
    ("no model", |file| {
        replace::<ModelRecord>(file, &[]);
        replace::<RootRecord>(file, &[]);
        at::<ModelRecord>(0)
    }),
    ("a tree too few", one_less::<RootRecord>),
    ("upper bounds that are no numbers", |file| {
        change::<ModelRecord>(file, 0, |model| model.maxs[1] = f32::NAN)
    }),
    ("an origin that is not finite", |file| {
        change::<ModelRecord>(file, 1, |model| model.origin[2] = f32::INFINITY)
    }),
    ("a normal that is a hair too long", |file| {
        plane(file, [LONGEST_NORMAL + 1, 0, 0], 3)
    }),
    ("no normal", |file| plane(file, [0; 3], 3)),
    ("an axis for a normal that is not exactly it", |file| {
        plane(file, [NORMAL_ONE, 1, 0], 0)
    }),
    ("an axis beyond all", |file| {
        plane(file, [NORMAL_ONE, 1, 0], 4)
    }),
    ("a distance that is not finite", |file| {
        change::<PlaneRecord>(file, 1, |plane| plane.dist = f64::INFINITY)
    }),
    ("a distance as large as its limit", |file| {
        change::<PlaneRecord>(file, 1, |plane| plane.dist = 131_072.0)
    }),
];

/// Rules for nodes and leaves, and for the statements of INFO about them.
pub(super) const TREES: &[Rule] = &[
    ("a plane that is not there", |file| {
        beyond::<PlaneRecord, NodeRecord>(file, 1, |node, n_planes| node.plane = n_planes)
    }),
    ("another normal than the plane's", |file| {
        change::<NodeRecord>(file, 1, |node| node.normal[0] += 1)
    }),
    ("another dist than the plane's", |file| {
        change::<NodeRecord>(file, 1, |node| node.dist += 0.5)
    }),
    ("a back child that is not next", |file| {
        let back = record::<NodeRecord>(file, 0).back_node();
        edit::<NodeRecord>(file, 0, |node| node.back += 1);
        at::<NodeRecord>(back as usize)
    }),
    ("a leaf with the number of a node", |file| {
        let last = last::<NodeRecord>(file);
        change::<NodeRecord>(file, last, |node| node.back += 1)
    }),
    ("a last node that has a child", |file| {
        let last = last::<NodeRecord>(file);
        edit::<NodeRecord>(file, last, |node| node.back ^= NodeRecord::LEAF_BITS[0]);
        at::<NodeRecord>(last + 1)
    }),
    (
        "a tree that is solid for a hull that is not there",
        |file| change::<RootRecord>(file, 0, |root| root.root = Child::leaf(1 << 3).0),
    ),
    ("solid, but not all of it", |file| {
        change::<NodeRecord>(file, 0, |node| {
            (node.resolved, node.solid) = ([0; 2], [1, 0]);
        })
    }),
    ("known of a hull that is not there", |file| {
        change::<NodeRecord>(file, 0, |node| node.resolved[0] |= 1 << 3)
    }),
    ("known on both sides of a hull that is not there", |file| {
        change::<NodeRecord>(file, 0, |node| {
            node.resolved = node.resolved.map(|known| known | 1 << 3);
        })
    }),
    ("known above and not below", |file| {
        edit::<NodeRecord>(file, 0, |node| node.resolved = [7; 2]);
        at::<NodeRecord>(1)
    }),
    ("a node too many", |file| {
        append::<NodeRecord>(file);
        at::<NodeRecord>(last::<NodeRecord>(file))
    }),
    ("another depth", |file| {
        change::<InfoRecord>(file, 0, |info| info.depth += 1)
    }),
    ("no patch error", |file| {
        change::<InfoRecord>(file, 0, |info| info.patch_error = 0.0)
    }),
    ("a patch error without end", |file| {
        change::<InfoRecord>(file, 0, |info| info.patch_error = f32::INFINITY)
    }),
    ("two compiles", |file| {
        append::<InfoRecord>(file);
        at::<InfoRecord>(0)
    }),
    ("a zero of another sign", |file| {
        let is_zero = |&node: &usize| record::<NodeRecord>(file, node).dist == 0.0;
        let node = (0..count(file, NodeRecord::TAG)).find(is_zero).unwrap();
        change::<NodeRecord>(file, node, |node| node.dist = -0.0)
    }),
    ("a leaf of which its node knows nothing", |file| {
        *file = tower(4);
        change::<NodeRecord>(file, 1, |node| (node.resolved[0], node.solid[0]) = (6, 0))
    }),
    ("solid below and empty above", |file| {
        *file = tower(4);
        edit::<NodeRecord>(file, 0, |node| (node.resolved[1], node.solid[1]) = (2, 2));
        change::<NodeRecord>(file, 1, |node| node.solid[1] = 0)
    }),
    ("deeper than allowed", |file| {
        *file = tower(MAX_DEPTH as u32 + 1);
        at::<NodeRecord>(MAX_DEPTH)
    }),
    ("a node that is its own child", |file| {
        *file = tower(4);
        edit::<NodeRecord>(file, 2, |node| node.back = NodeRecord::LEAF_BITS[0] | 2);
        at::<NodeRecord>(3)
    }),
    ("a leaf of a hull that only another tree is for", |file| {
        *file = right("each");
        change::<NodeRecord>(file, 0, |node| (node.resolved[0], node.solid[0]) = (5, 4))
    }),
    ("a negative patch error", |file| {
        change::<InfoRecord>(file, 0, |info| info.patch_error = -1.0)
    }),
    ("a patch error that is no number", |file| {
        change::<InfoRecord>(file, 0, |info| info.patch_error = f32::NAN)
    }),
    ("no compile", |file| {
        replace::<InfoRecord>(file, &[]);
        at::<InfoRecord>(0)
    }),
];
