//! Checks the entities of a file: their keys and values are UTF-8, follow each other without gaps, and are terminated
//! by zero bytes, so that reading them later cannot fail.

use onion_format::{EntityRecord, TextRecord};

use crate::error::LoadError;
use crate::file::view::View;

/// Checks the entities, if the file has them.
pub(super) fn check(map: &View<'_>) -> Result<(), LoadError> {
    let text = map.text().all_bytes();
    core::str::from_utf8(text)
        .map_err(|error| LoadError::record(TextRecord::TAG, error.valid_up_to()))?;
    let entities = map.entities();
    let mut end = 0;
    for (index, entity) in entities.iter().enumerate() {
        let next = entities.get(index + 1);
        let first = entity.first as usize;
        if first != end {
            return Err(LoadError::record(EntityRecord::TAG, index));
        }
        end = next.map_or(text.len(), |next| next.first as usize);
        if !text.get(first..end).is_some_and(are_pairs) {
            return Err(LoadError::record(EntityRecord::TAG, index));
        }
    }
    if end != text.len() {
        return Err(LoadError::record(EntityRecord::TAG, entities.len()));
    }
    Ok(())
}

/// Whether bytes are keys and values, each terminated by a zero byte.
fn are_pairs(bytes: &[u8]) -> bool {
    let n_strings = bytes.iter().filter(|&&byte| byte == 0).count();
    n_strings.is_multiple_of(2) && bytes.last().is_none_or(|&last| last == 0)
}
