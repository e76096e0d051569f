//! The effect of entity classes on models, which overrides the contents of their brushes.
//!
//! In: the bytes of a BSP file and its models. Out: the models of triggers stop only hulls that trigger contents
//! block, and illusions have no brushes. Method: the entities are the first lump, or the second in some files of
//! Half-Life; each is a pair of braces with keys and values in quotes.

use super::ibsp::{OracleModel, lump_at};

/// Contents of triggers.
const TRIGGER: u32 = 0x4000_0000;

/// Applies the class of each entity to the model that shows it.
pub fn apply(bytes: &[u8], directory: usize, models: &mut [OracleModel]) {
    let lumps = [0, 1].map(|number| lump_at(bytes, directory + 8 * number, 1));
    let texts = lumps.map(|lump| lump.unwrap_or_default().concat());
    let text = texts
        .iter()
        .find(|text| text.trim_ascii_start().starts_with(b"{"));
    let text = String::from_utf8_lossy(text.map_or(&[][..], Vec::as_slice)).into_owned();
    let mut seen = vec![false; models.len()];
    for entity in text.split('}') {
        let words: Vec<&str> = entity.split('"').skip(1).step_by(2).collect();
        let value = |key| {
            let mut pairs = words.chunks_exact(2).filter(|pair| pair[0] == key);
            pairs.next_back().map_or("", |pair| pair[1])
        };
        let model = value("model").strip_prefix('*').map(str::parse::<usize>);
        let Some(Ok(model)) = model else { continue };
        if model == 0 || model >= models.len() || std::mem::replace(&mut seen[model], true) {
            continue;
        }
        let brushes = &mut models[model].brushes;
        match value("classname") {
            "func_illusionary" | "func_detail_illusionary" => brushes.clear(),
            class if class.starts_with("trigger_") => {
                brushes
                    .iter_mut()
                    .for_each(|brush| brush.contents = TRIGGER);
            }
            _ => {}
        }
    }
}
