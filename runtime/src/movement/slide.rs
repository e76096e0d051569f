//! Moves: a velocity and a time in; a position and the remaining velocity out. A move slides along the planes it
//! meets. If it may step and is blocked, it tries again a step higher. The behavior is that of Quake III's
//! `PM_SlideMove` and `PM_StepSlideMove`; the implementation is original.

use super::agent::{Agent, along_ground, raised};
use super::limits::{MAX_BUMPS, STEP_PARTS};
use super::planes::{MAX_MET, MAX_WALLS, Planes, clipped};
use super::settings::WalkSettings;
use super::world::{Ground, World};
use crate::math::coordinate::{Coordinate, narrowed, widened};
use crate::math::vector::{Vector, along, dot, sub};
use crate::tolerance::{FARTHER, GROUND_REACH, NUDGE, SLOWEST};

const _: () = assert!(
    MAX_BUMPS + 1 + STEP_PARTS.len() * (MAX_BUMPS + 1) == 27,
    "as `Agent::step_slide` says"
);

/// Removes the part of a velocity that goes into a plane; a velocity along the plane or away from it is unchanged.
/// The normal may have any length.
pub fn clip_velocity<T: Coordinate>(
    velocity: impl Into<[T; 3]>,
    normal: impl Into<[T; 3]>,
) -> [T; 3] {
    narrowed(clipped(widened(velocity.into()), widened(normal.into())))
}

impl<T: Coordinate> Agent<T> {
    /// Moves with the agent's velocity for `dt` seconds, sliding along obstacles: along one plane, along the line
    /// where two meet, nowhere in a corner of three. In the air, slopes too steep to stand on first act as walls and
    /// remove the part of the velocity that would climb them; then the velocity becomes the nearest one that goes
    /// into none of the planes met. On the ground, its horizontal part becomes the nearest that goes into nothing but
    /// ground, and its vertical part follows the ground.
    ///
    /// Ignores gravity. Takes at most [`MAX_BUMPS`] traces. Returns the first surface that was in the way.
    ///
    /// An agent that is in solid moves as a trace does: through the solid it is in, if the way leaves that solid, and
    /// not at all otherwise. Velocities and times that are not finite, and times that are not above 0, move nothing;
    /// such velocities become 0.
    pub fn slide<W: World<T> + ?Sized>(
        &mut self,
        world: &W,
        settings: &WalkSettings,
        dt: T,
    ) -> Option<Ground<T>> {
        let speeds = widened(self.velocity);
        if !speeds.iter().all(|speed| speed.is_finite()) {
            self.velocity = [T::default(); 3];
        }
        let time = dt.widen();
        if !time.is_finite() || time <= 0.0 || self.velocity == [T::default(); 3] {
            return None;
        }
        let wanted = widened(self.velocity);
        let mut velocity = wanted;
        let mut met = None;
        let mut first = None;
        let mut left = time;
        let mut nudge = [0.0; 3];
        for _ in 0..MAX_BUMPS {
            // Pushed off the planes met so far, the next trace does not meet them again by rounding error.
            let end = along(&widened(self.position), &velocity, left);
            let end = narrowed(along(&end, &nudge, NUDGE));
            let stop = world.trace(self.stance, self.position, end);
            self.position = stop.end_pos;
            if stop.fraction >= 1.0 {
                break;
            }
            // Stopped by no plane: all of the way is solid.
            let Some(ground) = stop.met else {
                velocity = [0.0; 3];
                break;
            };
            first = first.or(Some(ground));
            // Most moves meet nothing, and their lists are not even cleared.
            let met = met.get_or_insert_with(|| Obstacles::new(self.on_ground, settings));
            met.add(widened(ground.normal), settings);
            // From the wished velocity, and not from the deflected one: so the order of the planes does not matter, and
            // an agent that gets past a wall goes on in its own direction.
            velocity = met.allow(wanted, settings);
            // What remains of a velocity straight into a corner is rounding error.
            if dot(&velocity, &velocity) < SLOWEST * SLOWEST {
                velocity = [0.0; 3];
                break;
            }
            nudge = met.planes.outward(&velocity);
            // Time goes by in proportion to the way, at whatever speed the planes leave.
            left *= 1.0 - stop.fraction;
        }
        self.velocity = narrowed(velocity);
        first
    }

    /// Runs [`Agent::slide`] with steps: if something blocks the agent, it also tries to rise by the height of a
    /// step, slide there, and come down again, and keeps that if it gets farther. It does not step onto a
    /// surface that is too steep to stand on, nor while it rises in the air. Takes at most 27 traces: three slides of
    /// [`MAX_BUMPS`], one on the way up, and one on the way down for each of two attempts at a step.
    pub fn step_slide<W: World<T> + ?Sized>(
        &mut self,
        world: &W,
        settings: &WalkSettings,
        dt: T,
    ) -> Option<Ground<T>> {
        let start = *self;
        let blocked = self.slide(world, settings, dt);
        if blocked.is_some()
            && let Some(stepped) = start.step(world, settings, dt)
            // A step that only rises, or gains nothing but rounding error, is not taken.
            && start.way_to(&stepped) > start.way_to(self) * FARTHER
        {
            *self = stepped;
        }
        blocked
    }

    /// Returns the agent after a step, or `None` if it takes none.
    fn step<W: World<T> + ?Sized>(
        &self,
        world: &W,
        settings: &WalkSettings,
        dt: T,
    ) -> Option<Self> {
        // An agent that jumps against a ledge would climb it otherwise.
        if self.on_ground.is_none() && self.velocity[2] > T::default() {
            return None;
        }
        let height = T::narrow(f64::from(settings.step_height.max(0.0)));
        let top = raised(self.position, height);
        let top = world.trace(self.stance, self.position, top).end_pos;
        let above = Self {
            position: top,
            ..*self
        };
        // If the slide of a whole tick ends on a steep slope, a shorter one may end before the slope.
        let times = STEP_PARTS.iter().map(|&part| dt * T::narrow(part));
        let mut steps = times.filter_map(|time| {
            let mut agent = above;
            agent.slide(world, settings, time);
            agent.land(world, settings, top[2] - self.position[2])
        });
        steps.next()
    }

    /// Returns the agent `height` units lower, or at the first obstacle below it, or `None` if that is too steep.
    fn land<W: World<T> + ?Sized>(
        mut self,
        world: &W,
        settings: &WalkSettings,
        height: T,
    ) -> Option<Self> {
        // A little farther down than it rose, because slides keep away from the ground that they meet.
        let bottom = raised(self.position, -height - T::narrow(GROUND_REACH));
        let landing = world.trace(self.stance, self.position, bottom);
        self.position = landing.end_pos;
        if let Some(ground) = landing.met {
            if !settings.is_ground(ground.normal) {
                return None;
            }
            self.velocity = clip_velocity(self.velocity, ground.normal);
        }
        Some(self)
    }

    /// Returns the square of the horizontal distance to another position of the agent.
    fn way_to(&self, other: &Self) -> f64 {
        let [x, y, _] = sub(&widened(other.position), &widened(self.position));
        x * x + y * y
    }
}

/// The planes that a move has met.
struct Obstacles {
    /// All planes, including the ground.
    planes: Planes<MAX_MET>,
    /// Horizontal normals of the planes that stop horizontal velocities: upright walls, steep slopes as if they were
    /// upright, and for an agent on the ground the lines where steep planes meet its ground.
    walls: Planes<MAX_WALLS>,
    /// Whether the move begins on ground that is not too steep to stand on.
    stands: bool,
}

impl Obstacles {
    /// Returns the planes before a move has met anything: the ground that the agent stands on, if it does.
    fn new<T: Coordinate>(ground: Option<Ground<T>>, settings: &WalkSettings) -> Self {
        let mut planes = Planes::<MAX_MET>::default();
        if let Some(ground) = ground {
            planes.add(widened(ground.normal));
        }
        Self {
            planes,
            walls: Planes::default(),
            stands: ground.is_some_and(|ground| settings.is_ground(ground.normal)),
        }
    }

    /// Adds a plane that blocked the move, and the walls that it makes together with the planes before it.
    fn add(&mut self, normal: Vector, settings: &WalkSettings) {
        let is_ground = |normal: &Vector| settings.is_ground(*normal);
        // An overhang stops an agent only where it comes down to the ground, as a seam.
        if !is_ground(&normal) && normal[2] >= 0.0 {
            self.walls.add([normal[0], normal[1], 0.0]);
        }
        if self.stands {
            for other in self.planes.normals() {
                match (is_ground(&normal), is_ground(&other)) {
                    (false, true) => self.walls.add(seam(normal, other)),
                    (true, false) => self.walls.add(seam(other, normal)),
                    _ => {}
                }
            }
        // In the air, a steep slope is also met as an upright wall, so that an agent does not run up it before it
        // falls.
        } else if !is_ground(&normal) && normal[2] > 0.0 {
            self.planes.add([normal[0], normal[1], 0.0]);
        }
        self.planes.add(normal);
    }

    /// Returns the nearest velocity that the obstacles allow. On the ground, the horizontal part decides, and the
    /// highest ground gives the vertical one. In the air, walls remove what would climb them before slopes deflect
    /// the fall.
    fn allow(&self, wanted: Vector, settings: &WalkSettings) -> Vector {
        if !self.stands {
            // Walls first: a slope would turn a fast run against it into a climb.
            return self.planes.nearest(self.walls.nearest(wanted));
        }
        let [x, y, _] = self.walls.nearest([wanted[0], wanted[1], 0.0]);
        let grounds = self
            .planes
            .normals()
            .filter(|&normal| settings.is_ground(normal));
        // There is at least one: the ground that the agent stands on.
        let climbs = grounds.map(|normal| along_ground([x, y], normal)[2]);
        [x, y, climbs.fold(f64::NEG_INFINITY, f64::max)]
    }
}

/// Returns the horizontal normal through which a plane acts on an agent on the ground: a velocity along the ground
/// goes into the plane exactly if its horizontal part goes into this normal.
fn seam(plane: Vector, ground: Vector) -> Vector {
    let [x, y, _] = along(&plane, &ground, -plane[2] / ground[2]);
    [x, y, 0.0]
}
