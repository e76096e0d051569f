//! A walking player as Quake III moves it: the traces of a rival and a wished direction in, the player after a frame
//! out. It is a rewrite of `Pmove` of `bg_pmove.c` and `bg_slidemove.c` for a player on foot outside water: ground,
//! friction, acceleration, `PM_SlideMove`, `PM_StepSlideMove`, and ground again.

use onion_tests::oracle::vec3::{V3, along, cross, dot, scale};

use crate::rival::{Answer, Rival, Visits};

/// Quake III's constants, in its units and seconds: `pm_friction`, `pm_stopspeed`, `pm_accelerate`,
/// `pm_airaccelerate`, `g_speed`, `g_gravity`, `STEPSIZE`, `MIN_WALK_NORMAL` and `OVERCLIP`.
const FRICTION: f64 = 6.0;
const STOP_SPEED: f64 = 100.0;
const ACCELERATE: f64 = 10.0;
const AIR_ACCELERATE: f64 = 1.0;
const SPEED: f64 = 320.0;
const GRAVITY: f64 = 800.0;
const STEP: f64 = 18.0;
const WALKABLE: f64 = 0.7;
const OVERCLIP: f64 = 1.001;
/// Largest distance of the ground below a player, in units.
const GROUND: f64 = 0.25;
/// Limit on the traces of one slide.
const BUMPS: usize = 4;
/// Planes with a larger cosine between them are the same.
const SAME: f64 = 0.99;
/// A velocity that enters a plane by less than this, in units a second, counts as along it.
const INTO: f64 = 0.1;
/// A player that leaves the ground faster than this, in units a second, is in the air.
const KICK_OFF: f64 = 10.0;

/// A player.
pub struct Player {
    /// Origin of its box, in units.
    pub at: [f32; 3],
    velocity: V3,
    ground: Option<V3>,
    /// Number of traces made so far.
    pub n_traces: usize,
}

impl Player {
    pub fn new(at: [f32; 3]) -> Self {
        Self {
            at,
            velocity: [0.0; 3],
            ground: None,
            n_traces: 0,
        }
    }

    /// Moves the player for one frame of `dt` seconds with a wished horizontal direction.
    #[inline(always)]
    pub fn frame<R: Rival>(&mut self, world: &mut R, direction: [f64; 2], dt: f64) {
        self.look_for_ground(world);
        let [x, y] = direction;
        match self.ground {
            Some(normal) => {
                self.rub(dt);
                let wish = clipped([x, y, 0.0], normal);
                let wish = scale(wish, 1.0 / dot(wish, wish).sqrt());
                self.accelerate(wish, ACCELERATE, dt);
                let speed = dot(self.velocity, self.velocity).sqrt();
                let level = clipped(self.velocity, normal);
                let length = dot(level, level).sqrt();
                self.velocity = scale(level, speed / length.max(f64::MIN_POSITIVE));
            }
            None => self.accelerate([x, y, 0.0], AIR_ACCELERATE, dt),
        }
        self.step_slide(world, dt);
        self.look_for_ground(world);
        // Stands for the water-level check: one point of the player.
        std::hint::black_box(world.is_solid::<false>(self.at, &mut Visits::default()));
    }

    fn rub(&mut self, dt: f64) {
        let [x, y, _] = self.velocity;
        let speed = x.hypot(y);
        let left = (speed - speed.max(STOP_SPEED) * FRICTION * dt).max(0.0);
        self.velocity = scale(self.velocity, left / speed.max(f64::MIN_POSITIVE));
    }

    fn accelerate(&mut self, direction: V3, factor: f64, dt: f64) {
        let missing = SPEED - dot(self.velocity, direction);
        let gained = (factor * dt * SPEED).min(missing).max(0.0);
        self.velocity = along(self.velocity, direction, gained);
    }

    #[inline(always)]
    fn look_for_ground<R: Rival>(&mut self, world: &mut R) {
        let below = self.trace(world, self.at, [0.0, 0.0, -GROUND]);
        let normal = below.normal.map(f64::from);
        let is_ground = below.fraction < 1.0 && normal[2] >= WALKABLE;
        let leaves = self.velocity[2] > 0.0 && dot(self.velocity, normal) > KICK_OFF;
        self.ground = (is_ground && !leaves).then_some(normal);
    }

    #[inline(always)]
    fn step_slide<R: Rival>(&mut self, world: &mut R, dt: f64) {
        let (start, velocity) = (self.at, self.velocity);
        if !self.slide(world, dt) {
            return;
        }
        let (slid, slid_velocity) = (self.at, self.velocity);
        let down = self.trace(world, start, [0.0, 0.0, -STEP]);
        let stands = down.fraction < 1.0 && f64::from(down.normal[2]) >= WALKABLE;
        if velocity[2] > 0.0 && !stands {
            return;
        }
        let up = self.trace(world, start, [0.0, 0.0, STEP]);
        if up.start_solid {
            return;
        }
        let rise = STEP * f64::from(up.fraction);
        (self.at, self.velocity) = (moved(start, [0.0, 0.0, rise]), velocity);
        self.slide(world, dt);
        let down = self.trace(world, self.at, [0.0, 0.0, -rise]);
        if down.start_solid {
            (self.at, self.velocity) = (slid, slid_velocity);
            return;
        }
        self.at = moved(self.at, [0.0, 0.0, -rise * f64::from(down.fraction)]);
        if down.fraction < 1.0 {
            self.velocity = clipped(self.velocity, down.normal.map(f64::from));
        }
    }

    /// Moves along obstacles, and returns whether there were any.
    #[inline(always)]
    fn slide<R: Rival>(&mut self, world: &mut R, dt: f64) -> bool {
        let falls = self.ground.is_none();
        let end_velocity = along(
            self.velocity,
            [0.0, 0.0, -GRAVITY * dt],
            f64::from(u8::from(falls)),
        );
        if falls {
            self.velocity[2] = (self.velocity[2] + end_velocity[2]) / 2.0;
        }
        let mut planes = [[0.0; 3]; BUMPS + 2];
        let mut n_planes = 0;
        let mut add = |planes: &mut [V3; BUMPS + 2], plane: V3| {
            planes[n_planes] = plane;
            n_planes += 1;
            n_planes
        };
        let mut known = 0;
        if let Some(ground) = self.ground {
            known = add(&mut planes, ground);
        }
        let speed = dot(self.velocity, self.velocity).sqrt();
        if speed > 0.0 {
            known = add(&mut planes, scale(self.velocity, 1.0 / speed));
        }
        let (mut left, mut end_velocity, mut bumps) = (dt, end_velocity, 0);
        while bumps < BUMPS {
            let motion = scale(self.velocity, left);
            let stop = self.trace(world, self.at, motion);
            if stop.start_solid {
                self.velocity[2] = 0.0;
                return true;
            }
            self.at = moved(self.at, scale(motion, f64::from(stop.fraction)));
            if stop.fraction >= 1.0 {
                break;
            }
            bumps += 1;
            left -= left * f64::from(stop.fraction);
            let normal = stop.normal.map(f64::from);
            if planes[..known]
                .iter()
                .any(|&plane| dot(normal, plane) > SAME)
            {
                self.velocity = along(self.velocity, normal, 1.0);
                continue;
            }
            known = add(&mut planes, normal);
            let Some((velocity, end)) = allowed(&planes[..known], self.velocity, end_velocity)
            else {
                self.velocity = [0.0; 3];
                return true;
            };
            (self.velocity, end_velocity) = (velocity, end);
        }
        if falls {
            self.velocity = end_velocity;
        }
        bumps != 0
    }

    #[inline(always)]
    fn trace<R: Rival>(&mut self, world: &mut R, from: [f32; 3], motion: V3) -> Answer {
        self.n_traces += 1;
        world.trace::<false>(&[from, moved(from, motion)], &mut Visits::default())
    }
}

/// Returns two velocities made parallel to all planes they enter, or `None` if three planes meet.
fn allowed(planes: &[V3], velocity: V3, end: V3) -> Option<(V3, V3)> {
    let into = |velocity, plane| dot(velocity, plane) < INTO;
    for (number, &plane) in planes.iter().enumerate() {
        if !into(velocity, plane) {
            continue;
        }
        let (mut slid, mut slid_end) = (clipped(velocity, plane), clipped(end, plane));
        for (second, &other) in planes.iter().enumerate() {
            if second == number || !into(slid, other) {
                continue;
            }
            (slid, slid_end) = (clipped(slid, other), clipped(slid_end, other));
            if dot(slid, plane) >= 0.0 {
                continue;
            }
            let crease = cross(plane, other);
            let crease = scale(crease, 1.0 / dot(crease, crease).sqrt());
            (slid, slid_end) = (
                scale(crease, dot(crease, velocity)),
                scale(crease, dot(crease, end)),
            );
            let meets_third = |(third, &plane): (usize, &V3)| {
                third != number && third != second && into(slid, plane)
            };
            if planes.iter().enumerate().any(meets_third) {
                return None;
            }
        }
        return Some((slid, slid_end));
    }
    Some((velocity, end))
}

/// Implements `PM_ClipVelocity`.
fn clipped(velocity: V3, normal: V3) -> V3 {
    let away = dot(velocity, normal);
    let by = if away < 0.0 {
        away * OVERCLIP
    } else {
        away / OVERCLIP
    };
    along(velocity, normal, -by)
}

fn moved(from: [f32; 3], motion: V3) -> [f32; 3] {
    along(from.map(f64::from), motion, 1.0).map(|x| x as f32)
}
