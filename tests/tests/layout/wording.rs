//! Wording: comments and documents use plain English. The phrases below are those that a reader stumbles over; for
//! each, the failure shows plainer words.

use crate::{assert_none, documents};

/// Phrases, in lower case, and plainer ones.
const PHRASES: [(&str, &str); 11] = [
    ("; none if", "`None` if"),
    ("nobody", "no thread, no call, no caller"),
    ("somebody", "an agent, a user, another process"),
    ("whoever", "the caller"),
    (" anew", "again, from scratch"),
    ("exactly so many", "exactly this number of"),
    ("at most so many", "at most this number of"),
    (" is told", " gets, is passed"),
    ("named after", "attributed to, called by the name of"),
    (" looks to", " faces"),
    (" at hand", "available"),
];

/// Whether a line negates a noun, except after "there", and except in comparisons.
fn is_no(line: &str) -> bool {
    [" is no ", " are no "].iter().any(|phrase| {
        line.match_indices(phrase).any(|(at, _)| {
            let before = line[..at].trim_end().rsplit([' ', '(']).next();
            let next = line[at + phrase.len()..].split(' ').next().unwrap_or("");
            let compares =
                next.ends_with("er") || ["more", "less", "better", "worse"].contains(&next);
            !before.is_some_and(|word| word.eq_ignore_ascii_case("there")) && !compares
        })
    })
}

#[test]
fn words_are_plain() {
    let mut found = Vec::new();
    for (place, line) in documents::prose() {
        let line = line.to_lowercase();
        let phrases = PHRASES.iter().filter(|(phrase, _)| line.contains(phrase));
        found.extend(phrases.map(|(phrase, plainer)| format!("{place}: {phrase:?}: {plainer}")));
        if is_no(&line) {
            found.push(format!("{place}: a negated noun: X is not a Y"));
        }
    }
    assert_none("Write plainer words", &found);
}

#[test]
fn negated_nouns_are_found() {
    assert!(is_no("a patch is no brush"));
    assert!(!is_no("there is no brush"));
    assert!(!is_no("a height that is no higher than 3"));
}
