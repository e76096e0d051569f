//! Public types of the workspace's libraries have distinct names, so that a name has one meaning everywhere. Modules
//! of programs and of tests are not counted, as nothing else can name their types.

use std::collections::BTreeMap;

use crate::assert_none;
use crate::code::tokens;
use crate::sources::{self, CRATES};

/// Modules of the command, whose types only the command names.
const COMMAND: &str = "compiler/src/commands/";

/// A trait that nothing else can implement, in a private module.
const PRIVATE: [&str; 1] = ["runtime/src/math/coordinate.rs"];

#[test]
fn no_two_public_types_share_a_name() {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for folder in CRATES.into_iter().filter(|&folder| folder != "tests") {
        for source in sources::of_crate(folder) {
            if source.path.starts_with(COMMAND) || PRIVATE.contains(&source.path.as_str()) {
                continue;
            }
            for part in tokens(&source.text).windows(3) {
                let is_type = ["struct", "enum", "trait", "union"].contains(&part[1].text);
                if part[0].text == "pub" && is_type {
                    let place = format!("{}:{}", source.path, part[2].line);
                    places
                        .entry(part[2].text.to_owned())
                        .or_default()
                        .push(place);
                }
            }
        }
    }
    assert!(places.len() > 100, "only {} types are found", places.len());
    places.retain(|_, places| places.len() > 1);
    let shared = places.into_iter();
    let found: Vec<_> = shared
        .map(|(name, places)| format!("{name}: {}", places.join(", ")))
        .collect();
    assert_none("Give each of these types a name of its own", &found);
}
