//! Text for reports, warnings and errors: counts in English (`1 node`, `2 nodes`), with both forms of each noun
//! because not all plurals end in s, and text from files, shortened and without control characters.

use std::borrow::Cow;

/// Formats a number with its noun.
pub fn counted(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// Returns the number, from 1, of the line that contains a byte.
pub fn line_of(text: &str, at: usize) -> usize {
    1 + text.bytes().take(at).filter(|&byte| byte == b'\n').count()
}

/// Shortens a text of any length to its first 60 characters.
pub fn shortened(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Escapes a text that may come from a file, for one line of a terminal or for the name of a file: control
/// characters, and characters that reverse the order of letters, become escapes (`\n`, `\u{1b}`).
pub fn plain(text: &str) -> Cow<'_, str> {
    if !text.contains(is_control) {
        return Cow::Borrowed(text);
    }
    let mut plain = String::new();
    for letter in text.chars() {
        if is_control(letter) {
            plain.extend(letter.escape_default())
        } else {
            plain.push(letter)
        }
    }
    Cow::Owned(plain)
}

/// Escapes the control characters in the strings of JSON. Outside of strings, JSON has no control characters other
/// than line ends.
pub fn plain_json(json: &str) -> String {
    let mut plain = String::with_capacity(json.len());
    for letter in json.chars() {
        match letter > '\u{1f}' && is_control(letter) {
            true => {
                let units = letter.encode_utf16(&mut [0; 2]).to_vec();
                plain.extend(units.iter().map(|unit| format!("\\u{unit:04x}")));
            }
            false => plain.push(letter),
        }
    }
    plain
}

/// Whether a character affects a terminal beyond displaying itself, or displays nothing: control characters,
/// line ends, direction marks, tags and invisible characters.
fn is_control(letter: char) -> bool {
    let is_mark = matches!(letter, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}');
    letter.is_control() || is_mark
}
