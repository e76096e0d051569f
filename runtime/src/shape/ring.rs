//! Directions around a circle, for prisms that stand for cylinders. Their cosines come from the formula for half an
//! angle, because square roots are the same on every machine.

/// Returns the directions of the sides of a regular polygon, one for each pair of opposite sides, counterclockwise from
/// the x axis, or `None` if the number of sides is not 8, 16 or 32. Four sides are parallel to the axes.
pub fn ring(n_sides: usize) -> Option<impl Iterator<Item = [f64; 2]> + Clone> {
    let n_pairs = matches!(n_sides, 8 | 16 | 32).then_some(n_sides / 2)?;
    Some((0..n_pairs).map(move |pair| {
        let quarter = n_pairs / 2;
        [
            cosine(pair, n_pairs),
            cosine(pair.abs_diff(quarter), n_pairs),
        ]
    }))
}

/// Returns the cosine of `part / parts` of half a turn; `parts` is a power of two.
fn cosine(part: usize, parts: usize) -> f64 {
    // Down to a quarter of a turn by symmetry, then from the double angle: `cos a = sqrt((1 + cos 2a) / 2)`.
    if 2 * part > parts {
        -cosine(parts - part, parts)
    } else if 2 * part == parts {
        0.0
    } else if part == 0 {
        1.0
    } else {
        libm::sqrt((1.0 + cosine(2 * part, parts)) / 2.0)
    }
}
