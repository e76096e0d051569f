//! Rules for entities. Each row has a text that says how a rule is broken, and a function that plants the fault and
//! returns the runtime's error, which names the first wrong record.

use onion_format::{EntityRecord, TextRecord};

use super::rule::{Rule, at, change, last};
use crate::planted::{append, edit, replace};

/// Rules for entities.
pub(super) const ENTITIES: &[Rule] = &[
    ("a text that is no UTF-8", |file| {
        change::<TextRecord>(file, 3, |text| text.byte = 0xff)
    }),
    ("bytes before the first entity", |file| {
        change::<EntityRecord>(file, 0, |entity| entity.first = 1)
    }),
    ("an end within a value", |file| {
        edit::<EntityRecord>(file, 1, |entity| entity.first -= 1);
        at::<EntityRecord>(0)
    }),
    ("an end after a key", |file| {
        let key = b"classname\0".len() as u32;
        edit::<EntityRecord>(file, 1, |entity| entity.first += key);
        at::<EntityRecord>(0)
    }),
    ("an end beyond the text", |file| {
        edit::<EntityRecord>(file, 1, |entity| entity.first = u32::MAX);
        at::<EntityRecord>(0)
    }),
    ("an entity that ends before it begins", |file| {
        edit::<EntityRecord>(file, 2, |entity| entity.first = 0);
        at::<EntityRecord>(1)
    }),
    ("a text without an end", |file| {
        let text = last::<TextRecord>(file);
        edit::<TextRecord>(file, text, |text| text.byte = b'x');
        at::<EntityRecord>(last::<EntityRecord>(file))
    }),
    ("a text of no entity", |file| {
        replace::<EntityRecord>(file, &[]);
        at::<EntityRecord>(0)
    }),
    ("a value without an end", |file| {
        append::<TextRecord>(file);
        let text = last::<TextRecord>(file);
        edit::<TextRecord>(file, text, |text| text.byte = b'x');
        at::<EntityRecord>(last::<EntityRecord>(file))
    }),
    ("a character cut at the end", |file| {
        let text = last::<TextRecord>(file);
        change::<TextRecord>(file, text - 1, |text| text.byte = 0xc3)
    }),
];
