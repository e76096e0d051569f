"""Onion maps in Python: traces and points over NumPy arrays, with the numbers of ``onionc`` to the last bit.

    import onion

    level = onion.load("map.onion")
    trace = level.trace("stand", (0, 0, 24), (512, 0, 24))
    print(trace.fraction, trace.end_pos)

Points are arrays of shape (..., 3) in units of the map; one call queries any number of them, and starts and ends
broadcast against each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from enum import IntEnum
from os import PathLike, fspath

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _onion, contents

__all__ = [
    "DEFAULT_MARGIN",
    "AgentClass",
    "Agents",
    "Floor",
    "FloorPlaces",
    "Followers",
    "Hits",
    "Hull",
    "Link",
    "LinkKind",
    "LinkedPortal",
    "LinkedTraces",
    "Model",
    "OnionMap",
    "Path",
    "PathCosts",
    "PathError",
    "Progress",
    "Traces",
    "contents",
    "load",
]

DEFAULT_MARGIN: float = _onion.DEFAULT_MARGIN
"""The default distance, in units, that traces keep from what they hit."""

PathError = _onion.PathError


@dataclass(frozen=True)
class Hull:
    """A named box that is traced as a point, its origin."""

    index: int
    """Its index in the file, and its bit in a solidity."""
    name: str
    mins: tuple[float, float, float]
    """Lower corner, relative to the origin."""
    maxs: tuple[float, float, float]
    contents: int
    """Contents bits that block it, see `contents`."""
    filled: bool
    """Whether space that it cannot reach is solid."""


@dataclass(frozen=True)
class Traces:
    """The results of traces, one element for each segment."""

    start: NDArray[np.float64]
    """Shape (..., 3), as ``end``, ``end_pos`` and ``normal``."""
    end: NDArray[np.float64]
    fraction: NDArray[np.float64]
    """The movable part of the segment, 0 to 1, with the margin kept. Shape (...), as all that follow."""
    hit_fraction: NDArray[np.float64]
    """The part before it enters solid, 0 to 1; 1 if it never does."""
    end_pos: NDArray[np.float64]
    """The end of the hull's move; not solid unless the start is."""
    normal: NDArray[np.float64]
    """Unit normal of the plane that was hit, facing the motion; 0 if none was."""
    dist: NDArray[np.float64]
    """Distance of that plane from the origin."""
    plane: NDArray[np.int64]
    """Number of that plane in the file; -1 if none was hit."""
    start_solid: NDArray[np.bool_]
    all_solid: NDArray[np.bool_]


@dataclass(frozen=True)
class Hits:
    """The brushes and sides that traces met, one element for each trace; numbers are -1 if nothing was met."""

    brush: NDArray[np.int64]
    """Number in the map of the brush, or of the patch's surface."""
    side: NDArray[np.int64]
    """Number of the side in its brush; for a bevel, the number of the face it belongs to."""
    surface: NDArray[np.int64]
    """Index of the side's texture or shader in ``OnionMap.surfaces``."""
    is_patch: NDArray[np.bool_]
    is_bevel: NDArray[np.bool_]


@dataclass(frozen=True)
class Floor:
    """A floor of a hull: a convex polygon on which the hull's origin is when it stands in the world.

    An agent that stands on it has its origin at most the margin of a trace above it.
    """

    number: int
    """Its number in the file."""
    normal: tuple[float, float, float]
    """Unit normal of its plane, which points up."""
    dist: float
    """Distance of that plane from the origin."""
    corners: NDArray[np.float64]
    """Shape (n, 3), counterclockwise as seen from above."""


@dataclass(frozen=True)
class FloorPlaces:
    """The floors under positions, one element for each position."""

    floor: NDArray[np.int64]
    """Number of the floor in the file, as ``Floor.number``; -1 if there is none."""
    point: NDArray[np.float64]
    """The point of the floor there; 0 if there is none. Shape (..., 3)."""


@dataclass(frozen=True)
class AgentClass:
    """A class of agents: the hulls that are the stances of one agent, and how it moves.

    It is an ``--agent`` of the compile, or the hulls of equal width and contents.
    """

    number: int
    """Its number in the file."""
    name: str
    hulls: tuple[Hull, ...]
    """The hulls that are its stances."""
    speed: float
    """Horizontal speed at which it runs, in units per second."""
    jump: float
    """Height that it can jump, in units; 0 if it does not jump."""
    drop: float
    """Greatest height that it may fall, in units."""
    swim: float
    """Speed at which it swims, in units per second; 0 if it does not swim."""
    climb: float
    """Speed at which it climbs ladders, in units per second; 0 if it does not climb."""
    step_height: float
    """Height of the highest step that it walks up, in units."""
    min_ground_z: float
    """Least z of the normal of ground that it stands on."""
    gravity: float
    """In units per second squared."""


class LinkKind(IntEnum):
    """How an agent takes a link."""

    WALK = 0
    """It walks on, up or down a step if there is one."""
    CROUCH = 1
    """It changes to a lower stance, and walks on."""
    STAND = 2
    """It walks on, and changes to a taller stance."""
    DROP = 3
    """It runs over an edge, and falls."""
    JUMP = 4
    """It jumps."""
    SWIM = 5
    """It swims up, and jumps out of the water."""
    CLIMB = 6
    """It climbs up or down a ladder."""
    TELEPORT = 7
    """The game puts it elsewhere."""
    JUMP_PAD = 8
    """The game throws it into the air."""
    LIFT = 9
    """A lift takes it up."""


@dataclass(frozen=True)
class Link:
    """A one-way link between floors of one class of agents: agents leave a floor anywhere on a line of it.

    Places are x and y, in units.
    """

    number: int
    """Its number in the file."""
    from_floor: int
    """Number of the floor that it leaves, as ``Floor.number``."""
    to_floor: int
    """Number of the floor that it leads to."""
    kind: LinkKind
    right: tuple[float, float]
    """The right end of the line, as seen by an agent that leaves."""
    left: tuple[float, float]
    """Its left end."""
    turns: tuple[bool, bool]
    """Whether shortest paths may turn at the right and at the left end."""
    across: tuple[float, float]
    """Way from a place on the line to the agent's place on the other floor; 0 if it walks."""
    only_to_goal: bool
    """Whether paths take it only to a goal on the floor ``to_floor``, which is too narrow to walk along."""
    upright: bool
    """Whether a taller stance can cross this link, too. If changing stance is free, searches skip such links."""


@dataclass(frozen=True)
class PathCosts:
    """What parts of a path cost, beside 1 for each unit of the way as seen from above."""

    crouched: float = _onion.DEFAULT_COSTS[0]
    """Cost of a unit of the way in other stances than the tallest, at least 1."""
    switch: float = _onion.DEFAULT_COSTS[1]
    """Cost of a change of stance, 0 or more, as all that follow."""
    drop: float = _onion.DEFAULT_COSTS[2]
    """Cost of a drop."""
    jump: float = _onion.DEFAULT_COSTS[3]
    """Cost of a jump."""
    climb: float = _onion.DEFAULT_COSTS[4]
    """Cost of swimming up, of climbing a ladder, or of riding a lift."""


@dataclass(frozen=True)
class Path:
    """A path: the places where it begins, turns, crosses a link that is not walking, and ends."""

    points: NDArray[np.float64]
    """Origins of the hull on the floors. Shape (n, 3), n at least 2; the others have the shape (n,)."""
    hull: NDArray[np.int64]
    """Indices of the hulls in ``OnionMap.hulls`` in which an agent arrives at the points."""
    floor: NDArray[np.int64]
    """Numbers of the floors."""
    kind: NDArray[np.uint8]
    """How it gets to each point from the one before: numbers of ``LinkKind``."""
    length: float
    """Its length as seen from above, in units."""
    cost: float
    """The length, and what the costs add."""


class Progress(IntEnum):
    """What an agent that follows a path did in a tick."""

    FOLLOWING = 0
    """It goes on."""
    ARRIVED = 1
    """It stands at the last point."""
    STUCK = 2
    """It has not come nearer to the next point for two seconds, or has waited beside a lift for 32 seconds. Find another
    path from where it is."""


@dataclass(frozen=True)
class LinkedPortal:
    """An opening that leads to its partner: a rectangle that stands upright."""

    center: tuple[float, float, float]
    """The middle of the opening."""
    facing: int
    """The direction that it faces, in quarter turns counterclockwise from the x axis, 0 to 3."""
    half_size: tuple[float, float]
    """Half of its width and height."""
    partner: int
    """Index of its partner in the list; if there is none, it leads nowhere."""


@dataclass(frozen=True)
class LinkedTraces:
    """The results of traces through linked portals, one element for each segment.

    Points and normals are those of the space around the start: what lies behind an opening is where it would be if its
    partner were there.
    """

    start: NDArray[np.float64]
    """Shape (..., 3), as ``end``, ``end_pos``, ``normal`` and ``place``."""
    end: NDArray[np.float64]
    fraction: NDArray[np.float64]
    """The movable part of the segment, 0 to 1, with the margin kept. Shape (...), as ``hit`` and ``quarters``."""
    end_pos: NDArray[np.float64]
    """The end of the hull's move."""
    normal: NDArray[np.float64]
    """Unit normal of what was hit, facing the motion; 0 if nothing was."""
    hit: NDArray[np.bool_]
    place: NDArray[np.float64]
    """The real place of ``end_pos``."""
    quarters: NDArray[np.uint8]
    """The quarter turns from directions around the start to those at ``place``, 0 to 3."""


class Model:
    """The world, or an inline model such as a door, in its own space."""

    def __init__(self, level: OnionMap, index: int) -> None:
        self.level = level
        """The map."""
        self._native = level._native
        self.index = index
        self.mins, self.maxs, self.origin, self.entity = self._native.model(index)

    def trace(self, hull: str | Hull, start: ArrayLike, end: ArrayLike, margin: float = DEFAULT_MARGIN) -> Traces:
        """Moves a hull's origin along segments, and stops it in front of the first solid that it enters."""
        start, end = (np.array(points) for points in np.broadcast_arrays(_points(start), _points(end)))
        index = self.level.hull(hull).index
        answer = self._native.trace(self.index, index, _flat(start), _flat(end), margin)
        return Traces(start, end, *(_shaped(part, start) for part in answer))

    def hits(self, hull: str | Hull, traces: Traces) -> Hits:
        """What traces of a hull in this model met.

        Raises ValueError if the file was compiled with ``--no-surfaces``.
        """
        index = self.level.hull(hull).index
        ends = _flat(traces.start), _flat(traces.end)
        of_planes = traces.hit_fraction.ravel(), _flat(traces.normal), traces.plane.ravel()
        answer = self._native.hits(self.index, index, *ends, *of_planes)
        return Hits(*(_shaped(part, traces.start) for part in answer))

    def is_solid(self, hull: str | Hull, points: ArrayLike) -> NDArray[np.bool_]:
        """Whether a hull's box, with its origin at points, overlaps solid. Touching is free."""
        points = _points(points)
        answer = self._native.is_solid(self.index, self.level.hull(hull).index, _flat(points))
        return _shaped(answer, points)

    def solidity(self, points: ArrayLike) -> NDArray[np.uint64]:
        """Returns the hulls for which points are solid: bit ``h`` is set for hull ``h``."""
        points = _points(points)
        return _shaped(self._native.solidity(self.index, _flat(points)), points)


class OnionMap(Model):
    """A checked map; its queries are those of the world, model 0."""

    def __init__(self, data: bytes) -> None:
        """Raises ValueError with the reason if the file is damaged or not an onion map."""
        self._native = _onion.Map(data)
        self.hulls: list[Hull] = [Hull(*fields) for fields in self._native.hulls()]
        self.surfaces: list[str] = self._native.surfaces()
        """The names of textures and shaders."""
        super().__init__(self, 0)

    @property
    def entities(self) -> list[dict[str, str]] | None:
        """The map's entities, keys in order; None if the file does not hold them. Of equal keys the first counts."""

        def first(pairs):
            entity = {}
            for key, value in pairs:
                entity.setdefault(key, value)
            return entity

        entities = self._native.entities()
        return entities and [first(pairs) for pairs in entities]

    @property
    def models(self) -> list[Model]:
        """The world and the inline models."""
        return [Model(self, index) for index in range(self._native.n_models())]

    @property
    def has_floors(self) -> bool:
        """Whether the file holds floors (it was compiled with ``--floors``)."""
        return self._native.has_floors()

    def floors(self, hull: str | Hull) -> list[Floor]:
        """Returns the floors of a hull; none for a point, or if the file holds no floors."""
        return [Floor(*fields) for fields in self._native.floors(self.hull(hull).index)]

    def floor_at(self, hull: str | Hull, position: ArrayLike, reach: float) -> FloorPlaces:
        """Finds the floors of a hull under positions of its origin, at most ``reach`` units below them.

        The highest floor counts, then the first in the file.
        """
        position = _points(position)
        answer = self._native.floor_at(self.hull(hull).index, _flat(position), reach)
        return FloorPlaces(*(_shaped(part, position) for part in answer))

    def nearest_floor(self, hull: str | Hull, position: ArrayLike, max_distance: float) -> FloorPlaces:
        """Finds the floors of a hull that are nearest to positions of its origin, and their nearest points.

        Floors more than ``max_distance`` units away do not count. Of equally near ones the first in the file counts.
        """
        position = _points(position)
        answer = self._native.nearest_floor(self.hull(hull).index, _flat(position), max_distance)
        return FloorPlaces(*(_shaped(part, position) for part in answer))

    def random_place(self, hull: str | Hull, random: ArrayLike) -> FloorPlaces:
        """Returns random places of a hull, as likely everywhere on its floors as seen from above.

        ``random`` has three uniform random numbers from 0 to 1 for each, such as ``rng.random((100, 3))``; equal
        numbers give equal places. There is no floor for other numbers, or if the hull has none.
        """
        random = _points(random)
        answer = self._native.random_place(self.hull(hull).index, _flat(random))
        return FloorPlaces(*(_shaped(part, random) for part in answer))

    def agents(self) -> list[AgentClass]:
        """Returns the classes of agents; none if the file was compiled without ``--floors``."""
        classes = self._native.agents()
        return [AgentClass(*names, tuple(self.hulls[hull] for hull in hulls), *rest) for *names, hulls, rest in classes]

    def links(self) -> list[Link]:
        """Returns the links between floors, in the order of the floors that they leave."""
        links = self._native.links()
        return [Link(number, *floors, LinkKind(kind), *rest, *flags) for number, floors, kind, *rest, flags in links]

    def path(self, hull: str | Hull, start: ArrayLike, goal: ArrayLike, costs: PathCosts | None = None) -> Path:
        """Finds the way of least cost for an agent from one position to another.

        Both are origins of the hull, on a floor or at most a step above it. The agent may change its stance on the way.
        Of ways that only walk, no other is shorter as seen from above by more than rounding; where links take the agent
        across, it leaves a floor in the direction of the goal, and another place may be better.

        Raises PathError if there is no path.
        """
        ends = (_points(end).tolist() for end in (start, goal))
        return Path(*self._native.path(self.hull(hull).index, *ends, astuple(costs or PathCosts())))

    def reachable(self, hull: str | Hull, start: ArrayLike) -> NDArray[np.int64]:
        """Returns the numbers of the floors that an agent gets to from a position, the one it is on first.

        They are those of all its stances, by the number of links on the way. Raises PathError if it cannot stand there.
        """
        return self._native.reachable(self.hull(hull).index, _points(start).tolist())

    def can_reach(self, hull: str | Hull, start: ArrayLike, goal: ArrayLike) -> bool:
        """Whether an agent gets from one position to another: whether ``path`` finds a way, which takes longer.

        Raises PathError if it cannot stand at one of them.
        """
        ends = (_points(end).tolist() for end in (start, goal))
        return self._native.can_reach(self.hull(hull).index, *ends)

    @property
    def linked_portals(self) -> list[LinkedPortal]:
        """The linked portals that entities of the class ``info_linked_portal`` declare.

        Raises ValueError if an entity's keys are not as they should be, or if the file does not hold the entities.
        """
        return [LinkedPortal(*fields) for fields in self._native.linked_portals()]

    def trace_linked(
        self,
        hull: str | Hull,
        start: ArrayLike,
        end: ArrayLike,
        portals: list[LinkedPortal],
        margin: float = DEFAULT_MARGIN,
    ) -> LinkedTraces:
        """Moves a hull's origin along segments in the world, through linked portals, and stops it in front of solid."""
        start, end = (np.array(points) for points in np.broadcast_arrays(_points(start), _points(end)))
        fields = [(portal.center, portal.facing, portal.half_size, portal.partner) for portal in portals]
        answer = self._native.trace_linked(self.hull(hull).index, _flat(start), _flat(end), fields, margin)
        return LinkedTraces(start, end, *(_shaped(part, start) for part in answer))

    def hull(self, hull: str | Hull) -> Hull:
        """Returns the hull of this name; KeyError if there is none. A hull of another map is found by its name."""
        name = hull.name if isinstance(hull, Hull) else hull
        for own in self.hulls:
            if own.name == name and (own == hull or not isinstance(hull, Hull)):
                return own
        raise KeyError(f"no hull {hull}; the map has {', '.join(own.name for own in self.hulls)}")

    def require_hull(self, name: str, mins: ArrayLike, maxs: ArrayLike) -> Hull:
        """Returns the hull of this name, if it has exactly this box; ValueError otherwise."""
        box = ([float(x) for x in np.ravel(corner)] for corner in (mins, maxs))
        return self.hulls[self._native.require_hull(name, *box)]


class Agents:
    """Agents that walk in the world of a map: one call moves all of them, on all processors."""

    def __init__(self, level: OnionMap, hull: str | Hull, position: ArrayLike) -> None:
        """Makes agents at rest, at positions of shape (n, 3)."""
        self._native = _onion.Agents(level._native, level.hull(hull).index, _flat(_points(position)))

    def walk(
        self,
        wish: ArrayLike,
        dt: float,
        *,
        step_height: float = 18,
        min_ground_z: float = 0.7,
        gravity: float = 800,
        air_control: float = 1,
        max_unstick: float = 16,
    ) -> None:
        """Moves the agents for a tick of ``dt`` seconds.

        ``wish`` has the horizontal velocities that they should have, in units per second; one of shape (2,) applies
        to all. They slide along walls, climb steps of up to ``step_height`` units, stand on ground whose normal has a
        z of at least ``min_ground_z``, and fall by ``gravity`` units per second squared. In the air their velocity
        approaches the wish by a part ``air_control`` per second; they get out of solid by up to ``max_unstick``
        units.
        """
        wish = np.broadcast_to(np.asarray(wish, dtype=np.float64), (len(self.position), 2))
        settings = [step_height, min_ground_z, gravity, air_control, max_unstick]
        self._native.walk(np.ascontiguousarray(wish), dt, settings)

    def jump(self, speed: ArrayLike) -> None:
        """Makes the agents that stand leave the ground with these vertical speeds; one whose speed is 0 stays."""
        self._native.jump(np.broadcast_to(np.asarray(speed, dtype=np.float64), len(self.position)).tolist())

    def put(self, position: ArrayLike, velocity: ArrayLike = (0, 0, 0)) -> None:
        """Moves them elsewhere. They are in the air until the next tick."""
        shape = self.position.shape
        self._native.put(*(_flat(np.broadcast_to(_points(part), shape)) for part in (position, velocity)))

    @property
    def position(self) -> NDArray[np.float64]:
        """Shape (n, 3), in units."""
        return self._native.state()[0]

    @property
    def velocity(self) -> NDArray[np.float64]:
        """Shape (n, 3), in units per second."""
        return self._native.state()[1]

    @property
    def on_ground(self) -> NDArray[np.bool_]:
        """Shape (n,): whether they stand on ground."""
        return self._native.on_ground()

    @property
    def hull(self) -> NDArray[np.int64]:
        """Shape (n,): indices in ``OnionMap.hulls`` of the hulls that move, which ``Followers`` change."""
        return self._native.hulls()


class Followers:
    """Walkers on paths, one for each of some agents: one call moves all of them, on all processors."""

    def __init__(self, level: OnionMap, agents: Agents, paths: Sequence[Path]) -> None:
        """Starts agents on paths of the map, one for each agent."""
        self.agents = agents
        parts = [(path.points, path.hull.tolist(), path.floor.tolist(), path.kind.tolist()) for path in paths]
        self._native = _onion.Followers(level._native, parts)

    def walk(self, dt: float) -> NDArray[np.uint8]:
        """Moves the agents along their paths for a tick of ``dt`` seconds, in place of ``Agents.walk``.

        They walk at the speed of their class, slower where they have to, drop, jump and change their stances. At the
        last point they stand. Returns the numbers of ``Progress``, shape (n,).
        """
        return self._native.walk(self.agents._native, dt)


def load(path: str | PathLike[str]) -> OnionMap:
    """Reads a compiled map.

    Raises OSError if the file cannot be read, ValueError if it is damaged or not an onion map.
    """
    with open(fspath(path), "rb") as file:
        return OnionMap(file.read())


def _points(points: ArrayLike) -> NDArray[np.float64]:
    points = np.asarray(points, dtype=np.float64)
    if points.ndim == 0 or points.shape[-1] != 3:
        raise ValueError(f"points are arrays of shape (..., 3), not {points.shape}")
    return points


def _flat(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns rows of three numbers."""
    return np.ascontiguousarray(points.reshape(-1, 3))


def _shaped(answer: NDArray, points: NDArray[np.float64]) -> NDArray:
    """Returns an answer for flat points in the shape of the points."""
    return answer.reshape(points.shape[:-1] + answer.shape[1:])
