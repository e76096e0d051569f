//! The names of contents on the command line and in maps: lists such as `solid+playerclip`, parsed and formatted. The
//! bits themselves belong to the file format.

pub use onion_format::contents::*;

/// Parses a list such as `solid+playerclip`; a number such as `0x10001` sets bits directly.
///
/// # Errors
/// The list has an unknown name; the message says which names exist.
pub fn from_names(list: &str) -> Result<Contents, String> {
    let mut bits = 0;
    for part in list.split('+') {
        let named = NAMES
            .iter()
            .find(|(name, _)| *name == part)
            .map(|&(_, bits)| bits);
        let number = || match part.strip_prefix("0x") {
            Some(digits) => u32::from_str_radix(digits, 16).ok(),
            None => part.parse().ok(),
        };
        match named.or_else(number) {
            Some(0) | None => return Err(part.to_owned()),
            Some(part) => bits |= part,
        }
    }
    Ok(bits)
}

/// Parses a list as [`from_names`] does, and also accepts `none`.
///
/// # Errors
/// The list has an unknown name; the message says which names exist.
pub fn from_names_or_none(list: &str) -> Result<Contents, String> {
    match list {
        "none" => Ok(0),
        _ => from_names(list).map_err(|unknown| {
            let names = all_names();
            format!("unknown contents {unknown:?}; use none, {names}")
        }),
    }
}

/// Formats contents as a list that [`from_names`] reads back.
pub fn to_names(bits: Contents) -> String {
    let mut parts = Vec::new();
    let mut rest = bits;
    for (name, bit) in NAMES {
        if rest & bit != 0 {
            parts.push(name.to_owned());
            rest &= !bit;
        }
    }
    if rest != 0 || parts.is_empty() {
        parts.push(format!("{rest:#x}"));
    }
    parts.join("+")
}

/// Returns all names that [`from_names`] accepts, for messages.
pub fn all_names() -> String {
    NAMES.map(|(name, _)| name).join(", ")
}
