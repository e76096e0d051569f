//! Checks the entities of a file: their keys and values are UTF-8, follow each other without gaps, and are terminated
//! by zero bytes, so that reading them later cannot fail.

use onion_format::{EntityRecord, Record, TextRecord};

use crate::error::{LoadError, require};
use crate::file::view::View;

/// Checks the entities, if the file has them.
pub(super) fn check(map: &View<'_>) -> Result<(), LoadError> {
    let text = map.text().all_bytes();
    check_text::<TextRecord>(text)?;
    let entities = map.entities();
    let mut end = 0;
    for (index, entity) in entities.iter().enumerate() {
        let next = entities.get(index + 1);
        let first = entity.first as usize;
        require::<EntityRecord>(first == end, index, "texts follow each other without gaps")?;
        // An entity stores only where its texts begin: those of the next one end them.
        end = next.map_or(text.len(), |next| next.first as usize);
        let are_pairs = text.get(first..end).is_some_and(are_pairs);
        require::<EntityRecord>(
            are_pairs,
            index,
            "keys and values are pairs of terminated texts",
        )?;
    }
    require::<EntityRecord>(
        end == text.len(),
        entities.len(),
        "all of the text is of entities",
    )
}

/// Checks that the bytes of a chunk are a text. The error has the number of the first byte that is not.
pub(super) fn check_text<R: Record>(text: &[u8]) -> Result<(), LoadError> {
    let checked = core::str::from_utf8(text);
    let index = checked.map_or_else(|error| error.valid_up_to(), str::len);
    require::<R>(index == text.len(), index, "the text is UTF-8")
}

/// Whether bytes are keys and values, each terminated by a zero byte.
fn are_pairs(bytes: &[u8]) -> bool {
    // An odd text would make a key of the next entity its value, and one without an end would run on into it.
    let n_strings = bytes.iter().filter(|&&byte| byte == 0).count();
    n_strings.is_multiple_of(2) && bytes.last().is_none_or(|&last| last == 0)
}
