//! A walker that follows a path: an agent and the points of its path in; its next tick out. It runs in straight lines
//! from point to point, slows down where it drops over an edge, jumps, swims and climbs where a link says so, and
//! changes its stance. In teleporters, on jump pads and on lifts it waits until the game takes it along, and beside a
//! lift until the lift is down.

use super::agents::AgentClass;
use super::lifts::{self, is_below, is_free};
use super::links::LinkKind;
use super::points::PathPoint;
use crate::math::coordinate::{Coordinate, widened};
use crate::movement::{Agent, Ground, World};
use crate::tolerance::{ARRIVED, CLEARANCE, STOPPED_NEAR};

/// A walker that comes no nearer to the next point for this long is stuck, in seconds: longer than a jump or a fall
/// takes.
const PATIENCE: f64 = 2.0;

/// A tick is walked in parts of at most this many units, less than the treads of stairs are deep.
const LONGEST_PART: f64 = 8.0;

/// Limit on the parts of a tick.
const MAX_PARTS: f64 = 16.0;

/// Teleporters, jump pads and lifts act as soon as an agent touches them, when it has yet to come to this many points
/// at most, that to which they take it included: it may turn around corners at their edges.
const AHEAD: usize = 6;

/// Where an agent would leave the ground, a part is walked in this many: each at most a quarter of a unit, within
/// which agents look for ground below a step.
const N_SHORT_PARTS: u8 = 32;

/// What a walker did in a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Progress {
    /// It goes on.
    Following = 0,
    /// It stands at the last point.
    Arrived = 1,
    /// It has not come nearer to the next point for two seconds: something that moves is in its way, or it left the
    /// path. Or it has waited beside a lift for 32 seconds. Find another path from where it is.
    Stuck = 2,
}

/// A walker on a path. It refers to the points by number, so a game keeps them with it. All of its state is public, so
/// that a game can save it; begin with [`PathFollower::new`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathFollower {
    /// Number of the point that it walks to.
    pub next: usize,
    /// Whether it has jumped on its way to that point, or the game has taken it along.
    pub has_jumped: bool,
    /// Its least distance from that point so far, in units: as seen from above, unless it swims, climbs or rides a lift
    /// there. Infinite before the first tick.
    pub nearest: f64,
    /// How long it has not come nearer, in seconds.
    pub waited: f64,
}

impl Default for PathFollower {
    fn default() -> Self {
        Self::new()
    }
}

impl PathFollower {
    /// Returns a walker at the start of a path.
    pub fn new() -> Self {
        Self::toward(0)
    }

    fn toward(next: usize) -> Self {
        Self {
            next,
            has_jumped: false,
            nearest: f64::INFINITY,
            waited: 0.0,
        }
    }

    /// Moves an agent along a path for one tick of `dt` seconds, with [`Agent::walk`] and, where it swims up or climbs,
    /// [`Agent::swim`]: at the speeds of its class, slower where it has to, and never past a point. At the last point
    /// it stands.
    pub fn walk<T: Coordinate, W: World<T> + ?Sized>(
        &mut self,
        agent: &mut Agent<T>,
        world: &W,
        class: &AgentClass,
        points: &[PathPoint],
        dt: T,
    ) -> Progress {
        let point = |number: usize| points.get(number).copied();
        self.walk_to(agent, world, class, point, dt)
    }

    /// Does the same as [`walk`](Self::walk) with points that are not in a slice: `point` returns the one with a
    /// number, or `None` after the last.
    pub fn walk_to<T: Coordinate, W: World<T> + ?Sized>(
        &mut self,
        agent: &mut Agent<T>,
        world: &W,
        class: &AgentClass,
        point: impl Fn(usize) -> Option<PathPoint>,
        dt: T,
    ) -> Progress {
        // In parts, so that no step of a stair is passed over, and turns are taken within a tick.
        let n_parts = libm::ceil(class.speed * dt.widen() / LONGEST_PART);
        let n_parts = if n_parts > 1.0 {
            n_parts.min(MAX_PARTS)
        } else {
            1.0
        };
        let part = dt / T::narrow(n_parts);
        let mut progress = self.walk_part(agent, world, class, &point, part);
        for _ in 1..n_parts as usize {
            if progress == Progress::Following {
                progress = self.walk_part(agent, world, class, &point, part);
            }
        }
        progress
    }

    fn walk_part<T: Coordinate, W: World<T> + ?Sized>(
        &mut self,
        agent: &mut Agent<T>,
        world: &W,
        class: &AgentClass,
        point: &impl Fn(usize) -> Option<PathPoint>,
        dt: T,
    ) -> Progress {
        while point(self.next).is_some_and(|point| self.is_at(agent, class, &point)) {
            *self = Self::toward(self.next + 1);
        }
        if let Some(lands) = self.carried(agent, class, point) {
            *self = Self {
                has_jumped: true,
                ..Self::toward(lands)
            };
        }
        let waits = self.waits(agent, world, class, point);
        let before = self.next.checked_sub(1).and_then(point);
        let Some(point) = &point(self.next) else {
            agent.walk(world, &class.settings, [T::default(); 2], dt);
            return Progress::Arrived;
        };
        agent.switch_stance(world, point.hull);
        if let Some(wish) = self.climb(agent, class, point, dt.widen()) {
            agent.swim(world, &class.settings, wish.map(T::narrow), dt);
            return self.progress(distance_to(agent, point), dt.widen());
        }
        let start = *agent;
        // Until a lift is down, it stays beside it; until the lift is up, it goes to the middle of it.
        let goal = match waits || is_below(agent, class, point) {
            true => before.unwrap_or(*point),
            false => *point,
        };
        let wish = self.wish(agent, class, &goal, dt.widen()).map(T::narrow);
        agent.walk(world, &class.settings, wish, dt);
        if point.kind.is_on_foot() && start.on_ground.is_some() && agent.on_ground.is_none() {
            // Down a step and a slope in one go was too far, and in the air it would get off its way.
            *agent = start;
            let dt = dt / T::narrow(f64::from(N_SHORT_PARTS));
            for _ in 0..N_SHORT_PARTS {
                agent.walk(world, &class.settings, wish, dt);
            }
        }
        if waits {
            (self.nearest, self.waited) = (f64::INFINITY, self.waited + dt.widen());
            return match self.waited > lifts::PATIENCE {
                true => Progress::Stuck,
                false => Progress::Following,
            };
        }
        let left = match point.kind {
            LinkKind::Lift => distance_to(agent, point),
            _ => way_to(agent, point)[2],
        };
        self.progress(left, dt.widen())
    }

    /// Returns whether an agent that is to step onto a lift has to wait until the lift is down. One that is in the
    /// middle when the lift has left without it goes back.
    fn waits<T: Coordinate, W: World<T> + ?Sized>(
        &mut self,
        agent: &Agent<T>,
        world: &W,
        class: &AgentClass,
        point: &impl Fn(usize) -> Option<PathPoint>,
    ) -> bool {
        let is_lift = |number: usize| point(number).is_some_and(|at| at.kind == LinkKind::Lift);
        let leaves = match is_lift(self.next) && !self.has_jumped {
            true => self.next.checked_sub(1),
            false => Some(self.next).filter(|next| is_lift(next.saturating_add(1))),
        };
        let ends = leaves.and_then(|number| Some((number, point(number)?, point(number + 1)?)));
        let Some((number, leaves, lands)) = ends else {
            return false;
        };
        let step = f64::from(class.settings.step_height);
        let is_low = agent.position[2].widen() <= leaves.position[2] + step;
        let waits = is_low && !is_free(world, &leaves, step, &lands);
        if waits && number != self.next {
            *self = Self::toward(number);
        }
        waits
    }

    /// Counts a tick of `dt` seconds after which some distance is left to the next point, in units.
    fn progress(&mut self, left: f64, dt: f64) -> Progress {
        self.waited += dt;
        if left < self.nearest - ARRIVED {
            (self.nearest, self.waited) = (left, 0.0);
        }
        if self.waited > PATIENCE {
            Progress::Stuck
        } else {
            Progress::Following
        }
    }

    /// Whether an agent is at a point of its path.
    fn is_at<T: Coordinate>(
        &self,
        agent: &Agent<T>,
        class: &AgentClass,
        point: &PathPoint,
    ) -> bool {
        let [_, _, left] = way_to(agent, point);
        let height = (agent.position[2].widen() - point.position[2]).abs();
        let is_there =
            left <= ARRIVED && height <= f64::from(class.settings.step_height) + STOPPED_NEAR;
        // Stopped since the last tick, but not before a step.
        let is_near = self.waited > 0.0 && left <= STOPPED_NEAR && height <= 2.0 * STOPPED_NEAR;
        let has_ground = agent.on_ground.is_some();
        agent.stance == point.hull
            && ((is_there && (has_ground || point.kind.is_on_foot())) || (is_near && has_ground))
    }

    /// Returns the number of the point that the game has begun to take the agent to, if it has since the last tick.
    fn carried<T: Coordinate>(
        &self,
        agent: &Agent<T>,
        class: &AgentClass,
        point: &impl Fn(usize) -> Option<PathPoint>,
    ) -> Option<usize> {
        let mut ahead = (0..AHEAD).filter_map(|number| self.next.checked_add(number));
        let is_carried = |number: &usize| point(*number).is_some_and(|at| at.kind.is_carried());
        let number = ahead.find(is_carried)?;
        let [next, lands] = [point(self.next)?, point(number)?];
        let [before, leaves] = [
            point(self.next.saturating_sub(1))?,
            point(number.checked_sub(1)?)?,
        ];
        let is_next = number == self.next;
        let is_new = !(is_next && self.has_jumped);
        if lands.kind == LinkKind::Lift {
            let goes_up = |ground: Ground<T>| ground.velocity[2] > T::default();
            return (is_new && agent.on_ground.is_some_and(goes_up)).then_some(number);
        }
        let rises = agent.on_ground.is_none() && agent.velocity[2] > T::default();
        let speed = agent.velocity[2].widen();
        let top = speed * speed / (2.0 * f64::from(class.settings.gravity));
        let above = match next.kind {
            LinkKind::Jump => agent.position[2].widen() - before.position[2],
            _ => 0.0,
        };
        let is_jump = above + top <= class.jump + f64::from(class.settings.step_height);
        let is_thrown = rises && (is_next || !(is_jump || next.kind.is_climb()));
        let is_nearer = distance_to(agent, &lands) < distance_to(agent, &leaves);
        let is_away = is_next || way_to(agent, &next)[2] > self.nearest + LONGEST_PART;
        // An agent that overshoots a drop may be nearer to where a pad throws agents than to the pad, but it falls.
        let is_moved = is_nearer && is_away && (rises || lands.kind == LinkKind::Teleport);
        (is_new && (is_thrown || is_moved)).then_some(number)
    }

    /// Returns the velocity of an agent that swims or climbs to a point, in units per second: straight up, across, or
    /// straight down. `None` if it walks, falls, or jumps out of the water.
    fn climb<T: Coordinate>(
        &self,
        agent: &Agent<T>,
        class: &AgentClass,
        point: &PathPoint,
        dt: f64,
    ) -> Option<[f64; 3]> {
        if !point.kind.is_climb() || self.has_jumped {
            return None;
        }
        let (speed, leap) = match point.kind {
            LinkKind::Swim => (class.swim, class.leap()),
            _ => (class.climb, 0.0),
        };
        let [x, y, left] = way_to(agent, point);
        let rise = point.position[2] - agent.position[2].widen();
        let up = rise - leap + CLEARANCE;
        if up > CLEARANCE / 2.0 {
            return Some([0.0, 0.0, (up / dt).min(speed)]);
        }
        if leap > 0.0 {
            return None;
        }
        if left > ARRIVED {
            let speed = (left / dt).min(speed);
            return Some([x / left * speed, y / left * speed, 0.0]);
        }
        Some([0.0, 0.0, (rise / dt).max(-speed)])
    }

    /// Returns the velocity toward a point, in units per second, after the agent has jumped if it has to.
    fn wish<T: Coordinate>(
        &mut self,
        agent: &mut Agent<T>,
        class: &AgentClass,
        point: &PathPoint,
        dt: f64,
    ) -> [f64; 2] {
        let [x, y, left] = way_to(agent, point);
        let waits = point.kind.is_carried() && point.kind != LinkKind::Lift && !self.has_jumped;
        if left <= 0.0 || waits {
            return [0.0; 2];
        }
        // At a speed with which it is there after some time.
        let within = |time: f64| {
            let speed = if left > class.speed * time {
                class.speed
            } else {
                left / time
            };
            [x / left * speed, y / left * speed]
        };
        let gravity = f64::from(class.settings.gravity);
        let depth = agent.position[2].widen() - point.position[2];
        let is_launched = match point.kind {
            LinkKind::Jump => agent.on_ground.is_some(),
            kind => kind == LinkKind::Swim,
        };
        if is_launched && !self.has_jumped {
            let speed = libm::sqrt(2.0 * gravity * class.jump);
            let wish = within(fall_time(speed, depth, gravity).max(dt));
            agent.velocity = [wish[0], wish[1], speed].map(T::narrow);
            (agent.on_ground, self.has_jumped) = (None, true);
            return wish;
        }
        if point.kind == LinkKind::JumpPad && agent.on_ground.is_none() {
            if depth < 0.0 {
                // Until it is as high, it lets itself be thrown, because ledges may be in its way.
                return [0, 1].map(|axis| agent.velocity[axis].widen());
            }
            let time = fall_time(agent.velocity[2].widen(), depth, gravity).max(dt);
            return steered(agent, class, [x / time, y / time], dt);
        }
        let falls = agent.on_ground.is_none() || point.kind == LinkKind::Drop;
        if falls && depth.abs() > f64::from(class.settings.step_height) {
            let speed = agent.on_ground.map_or(agent.velocity[2].widen(), |_| 0.0);
            return within(fall_time(speed, depth, gravity).max(dt));
        }
        within(dt)
    }
}

/// Returns the wish with which an agent in the air comes as near to a velocity as it can within a tick: its class's
/// speed, or its own if that is higher, limits what it can wish.
fn steered<T: Coordinate>(
    agent: &Agent<T>,
    class: &AgentClass,
    wanted: [f64; 2],
    dt: f64,
) -> [f64; 2] {
    let control = f64::from(class.settings.air_control) * dt;
    let part = control / (1.0 + control);
    if part <= 0.0 {
        return wanted;
    }
    let now = [0, 1].map(|axis| agent.velocity[axis].widen());
    let [x, y] = [0, 1].map(|axis| now[axis] + (wanted[axis] - now[axis]) / part);
    let [speed, own] = [[x, y], now].map(|[x, y]| libm::sqrt(x * x + y * y));
    let most = own.max(class.speed);
    if speed > most {
        [x / speed * most, y / speed * most]
    } else {
        [x, y]
    }
}

/// Returns the time until an agent with an upward speed is `depth` units lower, in seconds; if it does not get there,
/// the time until it is highest.
fn fall_time(speed: f64, depth: f64, gravity: f64) -> f64 {
    let square = speed * speed + 2.0 * gravity * depth;
    (speed + libm::sqrt(square.max(0.0))) / gravity
}

/// Returns the way of an agent to a point as seen from above, and its length, in units.
fn way_to<T: Coordinate>(agent: &Agent<T>, point: &PathPoint) -> [f64; 3] {
    let [x, y, _] = widened(agent.position);
    let [x, y] = [point.position[0] - x, point.position[1] - y];
    [x, y, libm::sqrt(x * x + y * y)]
}

/// Returns the distance of an agent from a point, in units.
fn distance_to<T: Coordinate>(agent: &Agent<T>, point: &PathPoint) -> f64 {
    let [_, _, left] = way_to(agent, point);
    let height = agent.position[2].widen() - point.position[2];
    libm::sqrt(left * left + height * height)
}
