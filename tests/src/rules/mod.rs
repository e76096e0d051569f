//! The rules of FORMAT.md, each with a file that breaks it and is otherwise correct, including the checksum; and
//! files at the edges of rules, which every reader loads. The conformance kit has all of them.

mod edges;
mod entities;
mod fast;
mod floors;
mod frame;
mod hits;
mod links;
mod prisms;
mod required;
mod rule;
mod shapes;

use onion_runtime::LoadError;

pub use edges::edges;
pub use rule::{prisms, right};

/// A file that breaks a rule.
pub struct Broken {
    /// A text that says how it breaks the rule.
    pub breaks: &'static str,
    /// The runtime's error for the file.
    pub error: LoadError,
    /// The file.
    pub bytes: Vec<u8>,
}

/// Makes a file for each rule.
pub fn broken() -> Vec<Broken> {
    let one_group = [
        frame::FRAME,
        required::HULLS,
        required::PLANES,
        required::TREES,
        entities::ENTITIES,
        fast::GRIDS,
        floors::FLOORS,
        links::LINKS,
        hits::BRUSHES,
        hits::HITS,
        shapes::FACES,
        shapes::EDGES,
        shapes::BOXES,
    ];
    let files = [
        (right("one"), one_group.concat()),
        (right("each"), required::GROUPS.to_vec()),
        (self::rule::prisms(), self::prisms::PRISMS.to_vec()),
    ];
    let broken = files.into_iter().flat_map(|(right, rules)| {
        rules.into_iter().map(move |(breaks, plant)| {
            let mut bytes = right.clone();
            let error = plant(&mut bytes);
            Broken {
                breaks,
                error,
                bytes,
            }
        })
    });
    broken.collect()
}
