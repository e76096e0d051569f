//! Rules for classes of agents and links between floors. Each row has a text that says how a rule is broken, and a
//! function that plants the fault and returns the runtime's error, which names the first wrong record.

use onion_format::{
    AgentRecord, FloorCornerRecord, FloorLinksRecord, FloorPlaceRecord, FloorRecord, LinkRecord,
};
use onion_runtime::LoadError;

use super::rule::{Rule, at, beyond, change, last, one_less, one_more};
use crate::planted::{append, count, edit, links, record, replace, replace_links};

/// The length from which numbers of agents and places are too large, in units.
const TOO_LONG: f32 = 131_072.0;

/// Changes the only class of agents.
fn agent(file: &mut [u8], set: impl FnOnce(&mut AgentRecord)) -> LoadError {
    change(file, 0, set)
}

/// Changes a link that is neither the first nor the last.
fn link(file: &mut [u8], set: impl FnOnce(&mut LinkRecord)) -> LoadError {
    change(file, 2, set)
}

/// Gives the last floor a corner more, so that it is the only one with a fifth edge, and returns its number.
///
/// # Panics
/// If it has more corners than four.
pub(super) fn fifth_edge(file: &mut Vec<u8>) -> u32 {
    append::<FloorCornerRecord>(file);
    let floor = last::<FloorRecord>(file);
    let first = record::<FloorRecord>(file, floor).first_corner() as usize;
    assert_eq!(count(file, FloorCornerRecord::TAG) - first, 5);
    floor as u32
}

/// Adds a link over the fifth edge of the last floor.
fn over_fifth_edge(file: &mut Vec<u8>, set: impl FnOnce(&mut LinkRecord, u32)) -> LoadError {
    let floor = fifth_edge(file);
    append::<LinkRecord>(file);
    let link = last::<LinkRecord>(file);
    change::<LinkRecord>(file, link, |link| {
        link.edge = 4;
        set(link, floor);
    })
}

/// Rules for classes of agents, and for links.
pub(super) const LINKS: &[Rule] = &[
    ("a class without hulls", |file| {
        agent(file, |own| own.hulls = 0)
    }),
    ("a class of a hull that is not there", |file| {
        agent(file, |own| own.hulls |= 0b1000)
    }),
    ("a hull of two classes", |file| {
        append::<AgentRecord>(file);
        change::<AgentRecord>(file, 1, |own| (own.name[0], own.hulls) = (b'x', 0b10))
    }),
    ("a name of two classes", |file| {
        append::<AgentRecord>(file);
        edit::<AgentRecord>(file, 0, |own| own.hulls = 0b01);
        change::<AgentRecord>(file, 1, |own| own.hulls = 0b10)
    }),
    ("a class without a name", |file| {
        agent(file, |own| own.name = [0; 32])
    }),
    ("a name of a class that goes on behind its end", |file| {
        agent(file, |own| own.name[31] = b'x')
    }),
    ("a name of a class that is not UTF-8", |file| {
        agent(file, |own| own.name[0] = 0xff)
    }),
    ("a control character in the name of a class", |file| {
        agent(file, |own| own.name[0] = b'\n')
    }),
    ("agents that do not run", |file| {
        agent(file, |own| own.speed = 0.0)
    }),
    ("agents of an infinite speed", |file| {
        agent(file, |own| own.speed = f32::INFINITY)
    }),
    ("a step below zero", |file| {
        agent(file, |own| own.step = -1.0)
    }),
    ("a step that is no number", |file| {
        agent(file, |own| own.step = f32::NAN)
    }),
    ("a jump below zero", |file| {
        agent(file, |own| own.jump = -1.0)
    }),
    ("a jump too high", |file| {
        agent(file, |own| own.jump = TOO_LONG)
    }),
    ("a drop below zero", |file| {
        agent(file, |own| own.drop = -1.0)
    }),
    ("a drop too deep", |file| {
        agent(file, |own| own.drop = TOO_LONG)
    }),
    ("walls as ground", |file| {
        agent(file, |own| own.min_ground_z = 0.0)
    }),
    ("ground that nothing is level enough for", |file| {
        agent(file, |own| own.min_ground_z = 1.0f32.next_up())
    }),
    ("ground that is no number", |file| {
        agent(file, |own| own.min_ground_z = f32::NAN)
    }),
    ("agents that do not fall", |file| {
        agent(file, |own| own.gravity = 0.0)
    }),
    ("agents that fall upward", |file| {
        agent(file, |own| own.gravity = -800.0)
    }),
    ("agents that swim backward", |file| {
        agent(file, |own| own.swim = -1.0)
    }),
    ("agents that climb at no speed", |file| {
        agent(file, |own| own.climb = f32::NAN)
    }),
    ("a link from no floor", |file| {
        replace::<FloorRecord>(file, &[]);
        replace::<FloorCornerRecord>(file, &[]);
        replace::<FloorPlaceRecord>(file, &[]);
        replace::<FloorLinksRecord>(file, &[]);
        at::<LinkRecord>(0)
    }),
    ("links of a floor too few", one_less::<FloorLinksRecord>),
    ("links of a floor too many", one_more::<FloorLinksRecord>),
    ("a link before those of the first floor", |file| {
        change::<FloorLinksRecord>(file, 0, |own| own.first = 1)
    }),
    (
        "links that begin before those of the floor before",
        |file| {
            let floor = last::<FloorLinksRecord>(file);
            assert!(record::<FloorLinksRecord>(file, floor - 1).first > 0);
            change::<FloorLinksRecord>(file, floor, |own| own.first = 0)
        },
    ),
    ("links that begin after the last", |file| {
        let floor = last::<FloorLinksRecord>(file);
        beyond::<LinkRecord, _>(file, floor, |own: &mut FloorLinksRecord, n_links| {
            own.first = n_links + 1;
        })
    }),
    ("a link to a floor that is not there", |file| {
        beyond::<FloorRecord, LinkRecord>(file, 0, |link, n_floors| link.leads = n_floors)
    }),
    ("a link of a kind that is not there", |file| {
        link(file, |own| {
            *own = LinkRecord::carried(own.to(), LinkRecord::LIFT + 1, [0.0; 2]);
        })
    }),
    ("a jump pad with turns", |file| {
        link(file, |own| {
            let carried = LinkRecord::carried(own.to(), LinkRecord::JUMP_PAD, [0.0; 2]);
            *own = carried.with_turns(1);
        })
    }),
    ("a jump pad that leads to no number", |file| {
        link(file, |own| {
            *own = LinkRecord::carried(own.to(), LinkRecord::JUMP_PAD, [f32::NAN, 0.0]);
        })
    }),
    ("a teleporter that leads too far", |file| {
        link(file, |own| {
            *own = LinkRecord::carried(own.to(), LinkRecord::TELEPORT, [0.0, -TOO_LONG]);
        })
    }),
    ("a link over an edge that is not there", |file| {
        link(file, |own| own.edge = 4)
    }),
    (
        "a link over an edge of the floor that it walks to",
        |file| {
            let floor = fifth_edge(file);
            link(file, |own| (own.leads, own.edge) = (floor, 4))
        },
    ),
    (
        "a link over an edge of the floor that it stands up from",
        |file| over_fifth_edge(file, |link, _| link.leads = LinkRecord::new(0, 2, 0).leads),
    ),
    ("a part of an edge that ends before it begins", |file| {
        link(file, |own| own.part = [7, 6])
    }),
    ("a way across where agents walk", |file| {
        link(file, |own| own.across = 1)
    }),
];

/// Links over the first and the last edges that floors have, at the limits of all numbers.
pub(super) fn farthest(file: &mut Vec<u8>) {
    let floor = fifth_edge(file);
    let mut links = links(file);
    let far = |to: u32, kind: u8| LinkRecord {
        edge: 4,
        part: [65_535; 2],
        across: u16::MAX,
        ..LinkRecord::new(to, kind, 3)
    };
    // Over an edge of the floor that it leads to.
    links.insert(0, (0, far(floor, LinkRecord::STAND)));
    links.push((floor, far(0, LinkRecord::JUMP)));
    let crouches = LinkRecord {
        part: [0; 2],
        across: 0,
        ..far(floor, LinkRecord::CROUCH)
    };
    links.push((floor, crouches));
    replace_links(file, &links);
}

/// A class of agents at the limits of all numbers.
pub(super) fn strongest(file: &mut [u8]) {
    let most = TOO_LONG.next_down();
    edit::<AgentRecord>(file, 0, |own| {
        (own.speed, own.step, own.jump, own.drop) = (most, most, most, most);
        (own.swim, own.climb) = (most, most);
        (own.min_ground_z, own.gravity, own.name) = (1.0, f32::MIN_POSITIVE, [b'x'; 32]);
    });
}
