//! The last test program prints what the others left out: Cargo runs them in alphabetical order, and this one comes
//! after all others of the default run.

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
