//! The sandwich rule, which decides whether an answer is correct up to a thin shell around the solids.
//!
//! In: a world, a segment, the tested program's [`Answer`], the shell's thickness. Out: the distance of the answer
//! from the exact one, or a sentence that says why no solids within the shell could give it. Method: let G and S be
//! the solids grown and shrunk by the shell. The answer is correct if some set X with S <= X <= G, restricted to the
//! segment, gives it, and if its hit is where the segment enters one of the solids, neither before that solid's grown
//! copy nor after its shrunk one.

use super::vec3::{V3, length, lerp, sub};
use super::world::{HullWorld, OracleTrace, Span, outside_by};

/// Slack for comparing fractions, in units along the segment; above rounding error, far below any shell.
const ROUNDING: f64 = 1e-7;

/// The tested program's answer about a segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer {
    /// Whether the start is inside.
    pub start_solid: bool,
    /// Whether the whole segment is inside; then `hit` is `None` or 0.
    pub all_solid: bool,
    /// Fraction at which the segment enters; after a solid start, at which it enters again.
    pub hit: Option<f64>,
}

/// Distance of an accepted answer from the exact one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Differences {
    /// Units between the hit and its surface; for a missed hit, the depth of the exact segment there.
    pub perpendicular: f64,
    /// Units along the segment from the exact hit, positive if the answer is later; `None` if only one of the two
    /// hits.
    pub along_ray: Option<f64>,
    /// Whether `start_solid` or `all_solid` differs from the exact one.
    pub flags_differ: bool,
}

impl From<OracleTrace> for Answer {
    fn from(t: OracleTrace) -> Self {
        Answer {
            start_solid: t.start_solid,
            all_solid: t.all_solid,
            hit: t.first_enter,
        }
    }
}

/// Judges an answer; `shell` is in units, usually 0.001.
pub fn sandwich(
    world: &HullWorld,
    start: V3,
    end: V3,
    answer: Answer,
    shell: f64,
) -> Result<Differences, String> {
    let exact = world.trace(start, end, 0.0);
    check(world, start, end, answer, shell).map_err(|why| {
        let grown = world.trace(start, end, shell);
        let shrunk = world.trace(start, end, -shell);
        format!(
            "{why}\n  segment {start:?} to {end:?}\n  answer {answer:?}\n  grown  {grown:?}\n  \
             exact  {exact:?}\n  shrunk {shrunk:?}"
        )
    })?;
    let len = length(sub(end, start));
    let hit = answer.hit.filter(|_| !answer.all_solid);
    let along_ray = match (hit, exact.first_enter) {
        (Some(t), Some(e)) => Some((t - e) * len),
        (None, None) => Some(0.0),
        _ => None,
    };
    let perpendicular = match (hit, exact.first_enter) {
        (Some(t), _) => off_surface(world, start, end, t, shell),
        (None, Some(_)) => missed_depth(world, start, end),
        (None, None) => 0.0,
    };
    Ok(Differences {
        perpendicular,
        along_ray,
        flags_differ: (answer.start_solid, answer.all_solid)
            != (exact.start_solid, exact.all_solid),
    })
}

/// Checks the rule itself.
fn check(world: &HullWorld, start: V3, end: V3, answer: Answer, shell: f64) -> Result<(), String> {
    let rounding = ROUNDING / length(sub(end, start)).max(ROUNDING);
    if answer.hit.is_some_and(|t| !(0.0..=1.0).contains(&t)) {
        return Err("the hit is not a fraction from 0 to 1".into());
    }
    if answer.all_solid && !answer.start_solid {
        return Err("all solid, but the start is not".into());
    }
    let (grown_start, grown) = world.intervals(start, end, shell);
    let (shrunk_start, shrunk) = world.intervals(start, end, -shell);
    if answer.start_solid && !grown_start {
        return Err("the start is outside, by more than the shell".into());
    }
    if !answer.start_solid && shrunk_start {
        return Err("the start is inside, by more than the shell".into());
    }
    // The farthest fraction up to which the segment can have stayed inside.
    let stay = grown
        .first()
        .filter(|_| grown_start)
        .map_or(0.0, |first| first.1);
    if answer.all_solid {
        return match answer.hit {
            _ if stay < 1.0 - rounding => {
                Err("the segment leaves the solids, by more than the shell".into())
            }
            Some(t) if t > 0.0 => Err("a hit although all is solid".into()),
            _ => Ok(()),
        };
    }
    // The segment is free from the point where the answer leaves (or starts) to its hit: a gap of the shrunk solids
    // that begins where the grown ones still hold the start, if that matters.
    let latest_begin = if answer.start_solid { stay } else { 0.0 };
    let target = answer.hit.unwrap_or(1.0);
    let fits = |&(from, to): &(f64, f64)| {
        from <= latest_begin + rounding && from - rounding <= target && target <= to + rounding
    };
    if !gaps(&shrunk, shrunk_start).iter().any(fits) {
        return Err(match answer.hit {
            Some(_) => "the hit is not the first one, even of the shrunk solids".into(),
            None => "no hit, but the shrunk solids are hit".into(),
        });
    }
    match answer.hit {
        Some(t) if !enters(world, start, end, t, shell, rounding) => {
            Err("no solid is entered at the hit, even within the shell".into())
        }
        _ => Ok(()),
    }
}

/// Returns the free parts of the segment. Without a solid start the first begins at 0, and may be empty.
fn gaps(solid: &[(f64, f64)], start_solid: bool) -> Vec<(f64, f64)> {
    let mut out = Vec::with_capacity(solid.len() + 1);
    let mut from = if start_solid { None } else { Some(0.0) };
    for &(lo, hi) in solid {
        if let Some(from) = from {
            out.push((from, lo));
        }
        from = Some(hi);
    }
    let from = from.unwrap_or(0.0);
    if from < 1.0 {
        out.push((from, 1.0));
    }
    out
}

/// Returns for each grown solid on the segment its index and the fractions between which it may be entered.
pub(super) fn windows(world: &HullWorld, start: V3, end: V3, shell: f64) -> Vec<(usize, f64, f64)> {
    let shrunk = world.spans(start, end, -shell);
    let last = |g: &Span| {
        let same = shrunk.iter().find(|s| s.solid == g.solid);
        same.map_or(g.hi, |s| s.lo)
    };
    let grown = world.spans(start, end, shell);
    grown.iter().map(|g| (g.solid, g.lo, last(g))).collect()
}

fn enters(world: &HullWorld, start: V3, end: V3, t: f64, shell: f64, rounding: f64) -> bool {
    windows(world, start, end, shell)
        .iter()
        .any(|&(_, from, to)| from - rounding <= t && t <= to + rounding)
}

/// Returns the units between the hit and the surface of the solid it can be on.
fn off_surface(world: &HullWorld, start: V3, end: V3, t: f64, shell: f64) -> f64 {
    let p = lerp(start, end, t);
    let rounding = ROUNDING / length(sub(end, start)).max(ROUNDING);
    windows(world, start, end, shell)
        .iter()
        .filter(|w| w.1 - rounding <= t && t <= w.2 + rounding)
        .map(|w| outside_by(&world.solids()[w.0], p).abs())
        .fold(f64::INFINITY, f64::min)
}

/// Returns the depth of the segment in the exact solids that it enters first.
fn missed_depth(world: &HullWorld, start: V3, end: V3) -> f64 {
    let (start_solid, parts) = world.intervals(start, end, 0.0);
    let Some(&(lo, hi)) = parts.get(usize::from(start_solid)) else {
        return 0.0;
    };
    let spans = world.spans(start, end, 0.0);
    let here = spans.iter().filter(|s| s.lo < hi && s.hi > lo);
    here.map(|s| deepest(world, s, start, end))
        .fold(0.0, f64::max)
}

/// Returns the greatest depth along one span. Depth is concave along a line, so ternary search finds it.
fn deepest(world: &HullWorld, s: &Span, start: V3, end: V3) -> f64 {
    let depth = |t: f64| -outside_by(&world.solids()[s.solid], lerp(start, end, t));
    let (mut a, mut b) = (s.lo.max(0.0), s.hi.min(1.0));
    for _ in 0..80 {
        let (u, v) = (a + (b - a) / 3.0, b - (b - a) / 3.0);
        if depth(u) < depth(v) {
            a = u;
        } else {
            b = v;
        }
    }
    depth(0.5 * (a + b))
}
