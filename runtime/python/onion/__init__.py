"""Onion maps in Python: traces and points over NumPy arrays, with the numbers of ``onionc`` to the last bit.

    import onion

    level = onion.load("map.onion")
    trace = level.trace("stand", (0, 0, 24), (512, 0, 24))
    print(trace.fraction, trace.end_pos)

Points are arrays of shape (..., 3) in units of the map; one call queries any number of them, and starts and ends
broadcast against each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike, fspath

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _onion, contents

__all__ = [
    "DEFAULT_MARGIN",
    "Agents",
    "Floor",
    "FloorPlaces",
    "Hits",
    "Hull",
    "LinkedPortal",
    "LinkedTraces",
    "Model",
    "OnionMap",
    "Traces",
    "contents",
    "load",
]

DEFAULT_MARGIN: float = _onion.DEFAULT_MARGIN
"""The default distance, in units, that traces keep from what they hit."""


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

    An agent that stands on it has its origin the margin of a trace above it.
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
