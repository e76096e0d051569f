//! The records that hold the entities of the map: all keys and values one after the other, and the start of each
//! entity's keys and values.

use onion_format::{EntityRecord, TextRecord};
use onion_maps::MapEntity;

use super::document::Document;
use super::trees::number;
use crate::error::CompileError;

/// Appends the records of entities; returns their size in bytes. Readers of maps do not let a zero byte into a text,
/// so a zero byte ends each text here.
pub(super) fn push_entities(
    document: &mut Document,
    entities: &[MapEntity],
) -> Result<usize, CompileError> {
    let (mut records, mut text) = (Vec::new(), Vec::new());
    for entity in entities {
        let first = number(text.len())?;
        records.push(EntityRecord { first });
        for string in entity.iter().flat_map(|(key, value)| [key, value]) {
            debug_assert!(!string.contains('\0'));
            let bytes = string.bytes().chain([0]);
            text.extend(bytes.map(|byte| TextRecord { byte }));
        }
    }
    Ok(document.push(&records) + document.push(&text))
}
