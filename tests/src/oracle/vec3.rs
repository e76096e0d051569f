//! Three-vector arithmetic on plain `[f64; 3]`.
//!
//! In and out: arrays, so that no caller needs a vector library. Method: textbook formulas only; every sum is written
//! out in index order.

/// A point or direction in map units.
pub type V3 = [f64; 3];

/// Returns the component-wise sum `a + b`.
pub fn add(a: V3, b: V3) -> V3 {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// Returns the component-wise difference `a - b`.
pub fn sub(a: V3, b: V3) -> V3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// Returns `a` times the number `s`.
pub fn scale(a: V3, s: f64) -> V3 {
    [a[0] * s, a[1] * s, a[2] * s]
}

/// Returns the point that lies `distance` times `direction` from `start`.
pub fn along(start: V3, direction: V3, distance: f64) -> V3 {
    add(start, scale(direction, distance))
}

/// Returns the point at fraction `t` from `a` to `b`.
pub fn lerp(a: V3, b: V3, t: f64) -> V3 {
    add(a, scale(sub(b, a), t))
}

/// Returns the inner product.
pub fn dot(a: V3, b: V3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Returns the right-handed cross product.
pub fn cross(a: V3, b: V3) -> V3 {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// Returns the Euclidean length.
pub fn length(a: V3) -> f64 {
    dot(a, a).sqrt()
}

/// Returns `a` scaled to length 1, or `None` if it is shorter than `shortest` or not finite.
pub fn unit(a: V3, shortest: f64) -> Option<V3> {
    let len = length(a);
    (len.is_finite() && len > shortest).then(|| scale(a, 1.0 / len))
}

/// Returns two unit vectors `u`, `v` with `u x v = n`, for a unit `n`.
pub fn basis(n: V3) -> (V3, V3) {
    let mut smallest = 0;
    for k in 1..3 {
        if n[k].abs() < n[smallest].abs() {
            smallest = k;
        }
    }
    let mut up = [0.0; 3];
    up[smallest] = 1.0;
    let u = cross(up, n);
    let u = scale(u, 1.0 / length(u));
    (u, cross(n, u))
}

/// Returns the smallest axis-aligned box around the points, or `None` without points.
pub fn bounds(points: &[V3]) -> Option<(V3, V3)> {
    let first = *points.first()?;
    let (mut lo, mut hi) = (first, first);
    for p in points {
        for k in 0..3 {
            lo[k] = lo[k].min(p[k]);
            hi[k] = hi[k].max(p[k]);
        }
    }
    Some((lo, hi))
}
