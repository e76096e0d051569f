//! Defines the meaning of the names of nodes: which nodes are convex collision meshes, by the conventions of Unreal
//! and Godot, and the class of an empty node. Case does not matter.

/// Prefixes of names in Unreal's convention: meshes, boxes, spheres and capsules, all of them convex meshes here.
const PREFIXES: [&str; 4] = ["ucx_", "ubx_", "usp_", "ucp_"];

/// Suffixes of names in Godot's convention, after `-`, `_` or `$`.
const SUFFIXES: [&str; 2] = ["convcol", "convcolonly"];

/// Suffixes of names of meshes that need not be convex, which are not read.
const CONCAVE: [&str; 2] = ["col", "colonly"];

pub(super) fn is_convex(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    PREFIXES.iter().any(|prefix| name.starts_with(prefix)) || has_suffix(&name, &SUFFIXES)
}

/// Whether a node of this name is a collision mesh that need not be convex.
pub(super) fn is_concave(name: &str) -> bool {
    has_suffix(&name.to_ascii_lowercase(), &CONCAVE)
}

fn has_suffix(name: &str, suffixes: &[&str]) -> bool {
    let name = without_number(name);
    suffixes.iter().any(|suffix| {
        let rest = name.strip_suffix(suffix);
        rest.is_some_and(|rest| rest.ends_with(['-', '_', '$']))
    })
}

/// Strips the number that editors append to the names of copies, such as `.001`.
pub(super) fn without_number(name: &str) -> &str {
    let name = name.trim_end();
    match name.rsplit_once('.') {
        Some((rest, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => rest,
        _ => name,
    }
}
