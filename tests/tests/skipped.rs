//! The last of the test programs, which Cargo runs in alphabetical order: prints what the others left out.

use onion_tests::maps::say;
use onion_tests::skips;

#[test]
fn list_of_what_was_skipped() {
    let skipped = skips::list();
    if skipped.is_empty() {
        say("nothing was skipped");
    } else {
        say("skipped:");
    }
    for what in skipped {
        say(&format!("- {what}"));
    }
}
