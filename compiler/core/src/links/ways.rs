//! The ways over the edges of a floor: an edge and the floors beyond it in; links that an agent was driven across out.
//! Beyond an edge, an agent walks on to a floor no more than a step higher or lower. Elsewhere it changes its stance
//! if only another one has a floor there, drops to a floor below, jumps up, or jumps over a gap.

use std::cell::RefCell;

use onion_format::{LinkRecord, WHOLE_EDGE};
use onion_runtime::navigation::{AgentClass, LinkKind, PathCosts};

use super::beyond::{FARTHEST, LEDGE, before, beyond, distances, near, without_tips};
use super::detour::Walks;
use super::edge::Edge;
use super::ground::Ground;
use super::landings::Landings;
use super::line::{Line, Part, Place, common, part_of, without};
use super::piece::Piece;
use super::way::Way;
use super::{carried, climbs, corners, upright};
use crate::tolerance::{BESIDE, FROM_END, SAME_CORNER};

/// The field `turns` of a link where paths may turn at both ends.
const EITHER_END: u8 = 0b11;

/// The way that an agent moves on while it changes its stance, in units.
const SWITCHING: f64 = 1.0;

/// Returns the edges of a floor.
pub(super) fn walking(ground: &Ground<'_>, from: &Piece<'_>) -> Vec<Edge> {
    let step = f64::from(ground.driver.class.settings.step_height);
    let lines = from.lines().filter(|_| !from.takes_along());
    let edges = lines.map(|line| {
        let mut walks = Vec::new();
        let [mut open, mut around] = [vec![[0.0, 1.0]], vec![[0.0, 1.0]]];
        for (to, part, rise) in beyond(ground, from, &line, BESIDE, [step, step]) {
            if to.hull == from.hull {
                let way = Way {
                    from,
                    to,
                    kind: LinkKind::Walk,
                    line,
                    across: 0.0,
                };
                // Links over the short ends of strips would lead nowhere that their long sides do not. Slivers in a row
                // are linked: some have no other neighbors.
                let is_end = (part[1] - part[0]) * line.length < 2.0 * FROM_END;
                let is_strip = |piece: &Piece<'_>| piece.half_width() <= FROM_END;
                let is_beside = (is_strip(from) || is_strip(to))
                    && !(from.is_sliver() && to.is_sliver())
                    && !(from.is_speck() || to.is_speck());
                let first = walks.len();
                if !(is_end && is_beside) {
                    add_walks(ground, &way, part, rise, &mut walks);
                }
                // Agents do not stop on slivers: they fall from the floor before them.
                if to.is_sliver() {
                    continue;
                }
                open = without(open, part);
                if !to.takes_along() {
                    // Where agents do not get across, paths turn around the corners of what is in their way.
                    around = match is_end && is_beside {
                        true => without(around, part),
                        false => walks[first..].iter().map(part_of).fold(around, without),
                    };
                }
            }
        }
        close_gaps(&mut walks, line.length);
        Edge {
            line,
            walks,
            open,
            around,
        }
    });
    edges.collect()
}

/// Closes small gaps between the walking links over an edge, and between links and the ends of the edge. Rounding and
/// acute corners of floors leave such gaps, and a straight path through a gap would cross none of the links.
fn close_gaps(walks: &mut [LinkRecord], length: f64) {
    let gap = (SAME_CORNER / length * f64::from(WHOLE_EDGE)) as u16;
    walks.sort_by_key(|link| link.part);
    for number in 1..walks.len() {
        let [before, after] = [walks[number - 1].part[1], walks[number].part[0]];
        if before < after && after - before <= gap {
            let middle = before + (after - before) / 2;
            (walks[number - 1].part[1], walks[number].part[0]) = (middle, middle);
        }
    }
    if let Some(first) = walks.first_mut().filter(|link| link.part[0] <= gap / 2) {
        first.part[0] = 0;
    }
    let mut last = walks
        .last_mut()
        .filter(|link| WHOLE_EDGE - link.part[1] <= gap / 2);
    if let Some(last) = &mut last {
        last.part[1] = WHOLE_EDGE;
    }
}

/// Returns the links over the edges of a floor, with the numbers of the floors that they leave, given the edges and the
/// walking links of all floors.
pub(super) fn from(
    ground: &Ground<'_>,
    walks: &[Vec<LinkRecord>],
    edges: &[Vec<Edge>],
    number: usize,
) -> Vec<(u32, LinkRecord)> {
    let floor = &ground.floors[number];
    let mut links = Vec::from_iter(carried::link(ground, walks, floor));
    let mut stands = Vec::new();
    for edge in &edges[number] {
        let line = &edge.line;
        let upright = upright::parts(ground, walks, floor, line);
        links.extend(edge.walks.iter().map(|link| {
            // A path into a trigger may turn at both ends of the link; other paths treat its edges as walls.
            let turns = match ground.floors[ground.index(link.to())].takes_along() {
                true => EITHER_END,
                false => corners::turns(ground, edges, floor, line, link.part),
            };
            let only_to_goal = match leads_aside(ground, walks, floor, link) {
                true => LinkRecord::ONLY_TO_GOAL,
                false => 0,
            };
            let is_upright = match upright::is_upright(&upright, link, line.length) {
                true => LinkRecord::UPRIGHT,
                false => 0,
            };
            link.with_turns(turns | only_to_goal | is_upright)
        }));
        if is_passed(ground, walks, number) {
            continue;
        }
        let open = edge.open.clone();
        let open = stances(ground, floor, line, open, &mut links, &mut stands);
        let open = ledges(ground, floor, line, open);
        if let (Some(first), Some(last)) = (open.first(), open.last()) {
            let walks_to = walks_to(ground, walks, floor, line, [first[0], last[1]]);
            let first = links.len();
            falls(ground, walks, floor, line, &open, &walks_to, &mut links);
            climbs::add(ground, floor, line, &open, &walks_to, &mut links, first);
        }
    }
    let own = links.into_iter().map(|link| (floor.floor.number, link));
    own.chain(stands).collect()
}

/// Returns whether a link leads to a sliver beside a wider floor. Agents get from the wider floor to all that they get
/// to from the sliver, so paths walk onto it only if it holds their goal.
fn leads_aside(
    ground: &Ground<'_>,
    walks: &[Vec<LinkRecord>],
    from: &Piece<'_>,
    link: &LinkRecord,
) -> bool {
    let to = ground.index(link.to());
    ground.floors[to].is_sliver() && (!from.is_sliver() || is_passed(ground, walks, to))
}

/// Returns whether a floor is a sliver beside a wider floor, so that agents walk past it.
fn is_passed(ground: &Ground<'_>, walks: &[Vec<LinkRecord>], number: usize) -> bool {
    let is_sliver = |number: usize| ground.floors[number].is_sliver();
    let mut next = walks[number].iter();
    is_sliver(number) && next.any(|link| !is_sliver(ground.index(link.to())))
}

/// Returns a function that tells whether a place on a floor is within a walk of some length, in units, from the middle
/// and from both ends of a part of an edge.
fn walks_to<'g, 'a>(
    ground: &'g Ground<'a>,
    walks: &'g [Vec<LinkRecord>],
    floor: &Piece<'a>,
    line: &Line,
    [start, end]: Part,
) -> impl Fn(u32, Place, f64) -> bool + use<'g, 'a> {
    let number = ground.index(floor.floor.number);
    let walks = [(start + end) / 2.0, start, end].map(|part| {
        let from = (number, line.at(part));
        RefCell::new(Walks::new(ground, walks, from))
    });
    move |to, place, most| {
        let mut walks = walks.iter();
        walks.all(|walks| walks.borrow_mut().leads_to(to, place, most))
    }
}

/// Adds links to a floor beyond a part of an edge that is `rise` units higher. Paths may turn where a step becomes too
/// narrow.
fn add_walks(
    ground: &Ground<'_>,
    way: &Way<'_, '_>,
    part: Part,
    rise: f64,
    walks: &mut Vec<LinkRecord>,
) {
    let wide = match rise.abs() > BESIDE {
        true => without_tips(ground, way.from, &way.line, way.to, part),
        false => part,
    };
    let first = walks.len();
    way.add(ground, wide, walks);
    let turns = u8::from(wide[0] > part[0]) | u8::from(wide[1] < part[1]) << 1;
    for link in &mut walks[first..] {
        *link = link.with_turns(turns);
    }
}

/// Adds links to the floors of lower stances beyond an edge, at most a step higher or lower, and back, the latter with
/// the numbers of the floors that they leave. Returns the parts of the edge that are left.
fn stances<'a>(
    ground: &Ground<'a>,
    floor: &Piece<'a>,
    line: &Line,
    mut open: Vec<Part>,
    links: &mut Vec<LinkRecord>,
    stands: &mut Vec<(u32, LinkRecord)>,
) -> Vec<Part> {
    // Too short an edge to move on over it.
    if line.length < 2.0 * FROM_END {
        return open;
    }
    let before = open.clone();
    let step = f64::from(ground.driver.class.settings.step_height);
    for (other, part, rise) in beyond(ground, floor, line, BESIDE, [step, step]) {
        // An agent that steps onto a sliver falls off it.
        let is_narrow = other.is_sliver() && rise.abs() > BESIDE;
        if other.tall < floor.tall && !other.takes_along() && !is_narrow {
            let (line, across) = (*line, SWITCHING);
            let crouch = Way {
                from: floor,
                to: other,
                kind: LinkKind::Crouch,
                line,
                across,
            };
            let stand = Way {
                from: other,
                to: floor,
                kind: LinkKind::Stand,
                line,
                across,
            };
            for part in before.iter().filter_map(|&open| common(open, part)) {
                crouch.add(ground, part, links);
                let mut back = Vec::new();
                stand.add(ground, part, &mut back);
                stands.extend(back.into_iter().map(|link| (other.floor.number, link)));
            }
            open = without(open, part);
        }
    }
    open
}

/// Returns the parts of an edge, of those that are open, over which agents fall and jump.
fn ledges<'a>(ground: &Ground<'a>, from: &Piece<'a>, line: &Line, open: Vec<Part>) -> Vec<Part> {
    if line.length < 2.0 * FROM_END {
        return Vec::new();
    }
    // Where the floor ends in a tip, an agent has no room to come to the edge.
    let run_up = from.run_up();
    let tips = line.part_before(&from.corners, -run_up, 0.0);
    let mut open = Vec::from_iter(open.iter().filter_map(|&open| common(open, tips?)));
    // Where a taller stance has a floor, agents stand up before they fall.
    for (other, part, _) in beyond(ground, from, line, -run_up, [BESIDE, BESIDE]) {
        if other.tall > from.tall {
            open = without(open, part);
        }
    }
    open
}

/// Adds links to the floors below, above, and beyond gaps.
fn falls<'a>(
    ground: &Ground<'a>,
    walks: &[Vec<LinkRecord>],
    from: &Piece<'a>,
    line: &Line,
    open: &[Part],
    walks_to: &impl Fn(u32, Place, f64) -> bool,
    links: &mut Vec<LinkRecord>,
) {
    let class = &ground.driver.class;
    let mut landings = Landings::new(walks);
    let limits = [class.drop, class.jump];
    let near = near(ground, from, line, [0.0, FARTHEST], limits);
    let near = near.filter(|to| to.tall >= from.tall);
    let near = Vec::from_iter(near.map(|to| (to, line.distances(&to.corners))));
    for across in distances(&near) {
        let there = near
            .iter()
            .filter(|(_, [nearest, farthest])| (*nearest..*farthest).contains(&across));
        let found = there.filter_map(|&(to, _)| {
            let (part, rise) = before(from, line, to, across, limits)?;
            Some((to, part, rise))
        });
        let mut found = Vec::from_iter(found);
        // The highest first: it is what an agent falls on. It stands up there if it can.
        found.sort_by(|(one, _, rise), (other, _, other_rise)| {
            let by_height = other_rise.total_cmp(rise);
            by_height.then(other.tall.total_cmp(&one.tall))
        });
        for kind in [LinkKind::Drop, LinkKind::Jump] {
            let mut left = open.to_vec();
            for &(to, part, rise) in &found {
                let line = *line;
                let way = Way {
                    from,
                    to,
                    kind,
                    line,
                    across,
                };
                if comes_down(class, &way, rise) {
                    let first = links.len();
                    let parts = left.iter().filter_map(|&left| common(left, part));
                    for part in useful(ground, &way, parts.collect(), rise, walks_to, &mut landings)
                    {
                        way.add(ground, part, links);
                    }
                    landings.add(&way, &links[first..]);
                    left = without(left, part);
                }
            }
        }
    }
}

/// Returns whether a fall or jump can end on a floor `rise` units higher. An agent that runs over an edge gets as far
/// as it moves while it falls; only a jump gets it higher.
fn comes_down(class: &AgentClass, way: &Way<'_, '_>, rise: f64) -> bool {
    let step = f64::from(class.settings.step_height);
    let is_long = way.across > LEDGE;
    match way.kind {
        LinkKind::Jump => is_long || rise > 0.0,
        _ => rise <= 0.0 && (!is_long || way.across <= class.speed * seconds(class, step - rise)),
    }
}

/// Returns those of some parts of an edge where a fall or jump may succeed, and gets an agent where neither a walk nor
/// another landing gets it as well. Agents leap to floors that they do not get to over the edge yet.
fn useful<'a>(
    ground: &Ground<'a>,
    way: &Way<'_, 'a>,
    parts: Vec<Part>,
    rise: f64,
    walks_to: &impl Fn(u32, Place, f64) -> bool,
    landings: &mut Landings<'_>,
) -> Vec<Part> {
    let (line, to) = (&way.line, way.to.floor.number);
    let is_leap = way.across > LEDGE;
    if way.across > range(&ground.driver.class, rise) || is_leap && landings.have(to) {
        return Vec::new();
    }
    let walk = way.across + PathCosts::default().of(way.kind) + line.length / 2.0;
    let mut parts = landings.left(ground, way, parts);
    parts.retain(|[start, end]| {
        // Links keep away from both ends of a part.
        let is_long = (end - start) * line.length >= 2.0 * FROM_END;
        let middle = (start + end) / 2.0;
        let lands = line.beyond(middle, way.across);
        is_long && (!is_leap || leaps(ground, way, middle)) && !walks_to(to, lands, walk)
    });
    parts
}

/// Returns whether agents leap from a place of an edge: those that drop, or jump higher than they step, over a gap.
fn leaps<'a>(ground: &Ground<'a>, way: &Way<'_, 'a>, place: f64) -> bool {
    let class = &ground.driver.class;
    let step = f64::from(class.settings.step_height);
    let is_able = way.kind == LinkKind::Drop || class.jump > step;
    is_able && !ground.has_floor(way.from, way.line.beyond(place, way.across / 2.0), step)
}

/// Returns how far an agent jumps until it is `rise` units higher than at the start, or lower if that is negative.
fn range(class: &AgentClass, rise: f64) -> f64 {
    class.speed * (seconds(class, class.jump) + seconds(class, class.jump - rise))
}

/// Returns the seconds that an agent takes to fall from a height, in units.
fn seconds(class: &AgentClass, height: f64) -> f64 {
    (2.0 * height.max(0.0) / f64::from(class.settings.gravity)).sqrt()
}
