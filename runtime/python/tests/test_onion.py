"""The module against facts of the sample maps, and against ``onionc trace`` to the last bit.

Run with ``python -m unittest discover runtime/python/tests``. ONION_KIT names a folder that ``make-kit`` wrote: queries
with the answers of ``onionc``, which are skipped without it.
"""

import csv
import json
import math
import os
import struct
import unittest
from pathlib import Path

import numpy as np
import onion

GOLDEN = Path(__file__).parents[3] / "tests" / "golden"
N_SEGMENTS = 2000


class Facts(unittest.TestCase):
    """Facts worked out by hand: sample-maps/low_tunnel.toml."""

    def setUp(self):
        self.level = onion.load(GOLDEN / "low_tunnel.onion")

    def test_hulls_and_models(self):
        stand, crouch, point = self.level.hulls
        self.assertEqual([hull.name for hull in self.level.hulls], ["stand", "crouch", "point"])
        self.assertEqual((stand.mins, stand.maxs), ((-16, -16, -24), (16, 16, 32)))
        self.assertEqual((crouch.maxs, point.maxs, stand.filled), ((16, 16, 8), (0, 0, 0), False))
        self.assertEqual(self.level.require_hull("stand", (-16, -16, -24), np.float32([16, 16, 32])), stand)
        self.assertEqual([model.index for model in self.level.models], [0])
        self.assertEqual(self.level.entities[0]["classname"], "worldspawn")

    def test_a_trace(self):
        # 8 of 40 units to the ceiling, and 1/32 kept from it.
        trace = self.level.trace("crouch", (0, 0, 24), (0, 0, 64))
        self.assertEqual((trace.hit_fraction, trace.fraction), (0.2, 0.2 - 1 / 32 / 40))
        self.assertEqual((trace.normal.tolist(), trace.dist), ([0, 0, -1], -32))
        self.assertEqual(self.level.trace("crouch", (0, 0, 24), (0, 0, 64), margin=0).fraction, 0.2)
        hit = self.level.hits("crouch", trace)
        self.assertGreaterEqual(hit.brush, 0)
        self.assertEqual((bool(hit.is_patch), bool(hit.is_bevel)), (False, False))
        self.assertIn(hit.surface, range(len(self.level.surfaces)))

    def test_shapes_broadcast(self):
        ends = np.array([[[-100, 0, 24], [200, 0, 24]]] * 5)
        traces = self.level.trace("stand", (-200, 0, 24), ends)
        self.assertEqual((traces.fraction.shape, traces.end_pos.shape), ((5, 2), (5, 2, 3)))
        self.assertEqual(traces.hit_fraction.tolist(), [[1, 0.3]] * 5)
        hits = self.level.hits("stand", traces)
        self.assertEqual((hits.brush[:, 0].tolist(), hits.side.shape), ([-1] * 5, (5, 2)))
        self.assertEqual(self.level.is_solid("stand", np.zeros((0, 3))).shape, (0,))

    def test_points(self):
        points = [(0, 0, 24), (0, 0, 33), (0, 0, 41), (-200, 0, 24), (np.nan, 0, 24)]
        self.assertEqual(self.level.solidity(points).tolist(), [0b001, 0b011, 0b111, 0, 0b111])
        self.assertEqual(self.level.is_solid("crouch", points).tolist(), [False, True, True, False, True])
        self.assertIs(bool(self.level.is_solid("stand", (0, 0, 24))), True)

    def test_floors(self):
        # Halls of 256 by 256 whose walls keep a box of 32 by 32 away, and the roof, from above.
        level = onion.load(GOLDEN / "low_tunnel-floors.onion")
        west, roof, east = level.floors("stand")
        self.assertEqual((west.number, west.normal, west.dist), (0, (0, 0, 1), 24))
        self.assertEqual(west.corners.tolist(), [[-304, -112, 24], [-80, -112, 24], [-80, 112, 24], [-304, 112, 24]])
        positions = [[(200, 0, 30), (0, 0, 30), (-200, 0, 24)], [(0, 0, 201), (200, 0, 33), (np.nan, 0, 24)]]
        places = level.floor_at("stand", positions, 8)
        self.assertEqual(places.floor.tolist(), [[east.number, -1, west.number], [roof.number, -1, -1]])
        self.assertEqual(places.point[0].tolist(), [[200, 0, 24], [0, 0, 0], [-200, 0, 24]])
        self.assertEqual(level.floor_at("crouch", (0, 16, 24), reach=0).point.tolist(), [0, 16, 24])
        self.assertEqual(level.floor_at("stand", (200, 0, 30), np.nan).floor, -1)
        self.assertEqual((level.floors("point"), self.level.floors("stand")), ([], []))
        self.assertEqual((level.has_floors, self.level.has_floors), (True, False))
        self.assertEqual(self.level.floor_at("stand", np.zeros((0, 3)), 8).floor.shape, (0,))
        # Beyond a corner of the west hall, by 3, 4 and 12 units; in the middle of the tunnel.
        places = level.nearest_floor("stand", [(-77, 116, 36), (0, 0, 24), (np.nan, 0, 0)], 100)
        self.assertEqual(places.floor.tolist(), [west.number, west.number, -1])
        self.assertEqual(places.point.tolist(), [[-80, 112, 24], [-80, 0, 24], [0, 0, 0]])
        self.assertEqual(level.nearest_floor("stand", (-77, 116, 36), 12.999).floor, -1)
        places = level.random_place("stand", [(0, 0, 0), (1, 0.25, 0.25), (0, 0.25, 0.25), (2, 0, 0)])
        self.assertEqual(places.floor.tolist(), [west.number, east.number, west.number, -1])
        self.assertEqual(places.point[2].tolist(), [-136, -56, 24])
        self.assertEqual(self.level.random_place("stand", (0, 0, 0)).floor, -1)
        with self.assertRaises(KeyError):
            level.floors("nobody")

    def test_classes_of_agents_and_links(self):
        level = onion.load(GOLDEN / "low_tunnel-floors.onion")
        (agent,) = level.agents()
        self.assertEqual((agent.number, agent.name, agent.hulls), (0, "stand", tuple(level.hulls[:2])))
        self.assertEqual((agent.speed, agent.jump, agent.drop, agent.step_height), (320, 45, 256, 18))
        self.assertEqual((agent.min_ground_z, agent.gravity), (np.float32(0.7), 800))
        links, floors = level.links(), {floor.number for hull in agent.hulls for floor in level.floors(hull)}
        self.assertEqual([link.number for link in links], list(range(len(links))))
        self.assertTrue(floors >= {floor for link in links for floor in (link.from_floor, link.to_floor)})
        # From both halls, an agent crouches into the tunnel, 160 by 32, and stands up behind it.
        west, _, east = (floor.number for floor in level.floors("stand"))
        crouches = [link for link in links if link.kind == onion.LinkKind.CROUCH]
        self.assertEqual([link.from_floor for link in crouches], [west, east])
        (x, right), (_, left) = crouches[0].right, crouches[0].left
        self.assertEqual((x, crouches[0].across[1]), (-80, 0))
        self.assertTrue(-16 < right < left < 16 and crouches[0].across[0] > 0)
        stands = [link.to_floor for link in links if link.kind is onion.LinkKind.STAND]
        self.assertEqual((stands, {type(link.turns[0]) for link in links}), ([west, east], {bool}))
        self.assertEqual((self.level.agents(), self.level.links()), ([], []))

    def test_paths(self):
        level = onion.load(GOLDEN / "low_tunnel-floors.onion")
        stand, crouch = level.hulls[:2]
        path = level.path(stand, (-200, 0, 24), (200, 0, 30))
        self.assertEqual((path.points[[0, -1]].tolist(), path.length), ([[-200, 0, 24], [200, 0, 24]], 400))
        self.assertEqual(path.hull.tolist(), [0, 0, crouch.index, crouch.index, 0, 0])
        walk, *kinds = map(onion.LinkKind, path.kind)
        self.assertEqual((walk, kinds[1], kinds[3]), (onion.LinkKind.WALK, onion.LinkKind.CROUCH, onion.LinkKind.STAND))
        self.assertEqual(path.floor[[0, -1]].tolist(), level.floor_at(stand, path.points[[0, -1]], 8).floor.tolist())
        # Between the halls, the way through the tunnel is crouched.
        self.assertTrue(550 < path.cost <= 400 + 160)
        other = level.path(crouch, (-200, 0, 24), (200, 0, 30), onion.PathCosts(switch=10))
        self.assertAlmostEqual(other.cost - path.cost, 20)
        self.assertEqual(onion.PathCosts(), onion.PathCosts(crouched=2, switch=0, drop=64, jump=128, climb=128))
        reached = level.reachable(stand, (-200, 0, 24))
        halls = level.floor_at(stand, [(-200, 0, 24), (200, 0, 24)], 1).floor
        self.assertEqual((reached[0], set(halls) <= set(reached)), (halls[0], True))
        self.assertNotIn(level.floor_at(stand, (0, 0, 200), 1).floor, reached)
        self.assertIs(level.can_reach(stand, (-200, 0, 24), (200, 0, 30)), True)
        self.assertIs(level.can_reach(stand, (-200, 0, 24), (0, 0, 200)), False)
        with self.assertRaisesRegex(onion.PathError, "the start is not on a floor"):
            level.reachable(stand, (0, 0, 100))
        for hull, goal, why in [
            ("stand", (0, 0, 100), "the goal is not on a floor"),
            ("stand", (0, 0, 200), "no way leads from the start to the goal"),
            ("point", (200, 0, 24), "no links for this hull"),
        ]:
            with self.assertRaisesRegex(onion.PathError, why):
                level.path(hull, (-200, 0, 24), goal)
        with self.assertRaisesRegex(onion.PathError, "--floors"):
            self.level.path("stand", (-200, 0, 24), (200, 0, 24))

    def test_followers(self):
        level = onion.load(GOLDEN / "low_tunnel-floors.onion")
        starts, goals = [(-200, y, 24) for y in (0, 50, -100)], [(200, y, 24) for y in (0, -50, 60)]
        paths = [level.path("stand", *ends) for ends in zip(starts, goals, strict=True)]
        agents = onion.Agents(level, "stand", starts)
        followers = onion.Followers(level, agents, paths)
        hulls, progress = set(), np.zeros(3)
        for _ in range(120):
            self.assertTrue((progress != onion.Progress.STUCK).all())
            progress = followers.walk(1 / 60)
            hulls |= set(agents.hull.tolist())
        self.assertEqual((progress.tolist(), hulls), ([onion.Progress.ARRIVED] * 3, {0, 1}))
        np.testing.assert_allclose(agents.position, goals, atol=0.1)
        self.assertEqual((agents.hull.tolist(), agents.on_ground.tolist()), ([0] * 3, [True] * 3))
        with self.assertRaisesRegex(ValueError, "3 paths, but 1 agents"):
            onion.Followers(level, onion.Agents(level, "stand", starts[:1]), paths).walk(1 / 60)

    def test_linked_portals(self):
        self.assertEqual(self.level.linked_portals, [])
        # Across the western room to its southern part, which is seen turned by a quarter: east becomes north.
        portals = [
            onion.LinkedPortal((-100, 64, 80), 2, (64, 80), 1),
            onion.LinkedPortal((-200, -100, 80), 1, (64, 80), 0),
        ]
        # 100 to the portal, then 212 to the north, until the box is at the wall at y = 128.
        ends = [(-100, 64, 24), (-50, 64, 24), (200, 64, 24)]
        traces = self.level.trace_linked("stand", (-200, 64, 24), ends, portals, margin=0)
        self.assertEqual(traces.place.tolist(), [[-100, 64, 24], [-200, -50, 24], [-200, 112, 24]])
        self.assertEqual(traces.end_pos.tolist(), [[-100, 64, 24], [-50, 64, 24], [112, 64, 24]])
        self.assertEqual((traces.quarters.tolist(), traces.hit.tolist()), ([0, 1, 1], [False, False, True]))
        self.assertEqual((traces.fraction[:2].tolist(), traces.normal[2].tolist()), ([1, 1], [-1, 0, 0]))
        self.assertAlmostEqual(traces.fraction[2], 312 / 400)
        # A portal without its partner leads nowhere: the answers are those of other traces.
        alone = self.level.trace_linked("stand", (-200, 64, 24), ends, portals[:1])
        plain = self.level.trace("stand", (-200, 64, 24), ends)
        for part in ("fraction", "end_pos", "normal"):
            np.testing.assert_array_equal(getattr(alone, part), getattr(plain, part))

    def test_agents(self):
        # The wall above the tunnel stops those that stand: 120 units to the front of them, as traces are stopped.
        agents = onion.Agents(self.level, "stand", [(-200, 0, 24), (-200, 32, 40)])
        for _ in range(60):
            agents.walk((320, 0), 1 / 60)
        stop = self.level.trace("stand", (-200, 0, 24), (200, 0, 24)).end_pos[0]
        np.testing.assert_allclose(agents.position, [(stop, 0, 24), (stop, 32, 24)], atol=0.1)
        self.assertEqual((agents.on_ground.tolist(), agents.velocity[:, 0].tolist()), ([True] * 2, [0] * 2))
        agents.jump([270, 0])
        agents.walk((0, 0), 1 / 60)
        self.assertEqual(agents.on_ground.tolist(), [False, True])
        agents.put((-200, 0, 48))
        self.assertEqual((agents.position.tolist(), agents.on_ground.tolist()), ([[-200, 0, 48]] * 2, [False] * 2))

    def test_agents_do_not_depend_on_each_other(self):
        wishes = np.random.default_rng(1).uniform(-320, 320, (8, 10_000, 2))
        starts = np.tile((-200.0, 0.0, 24.0), (10_000, 1))
        crowd, few = (onion.Agents(self.level, "crouch", starts[:n]) for n in (10_000, 50))
        for wish in wishes:
            crowd.walk(wish, 0.05)
            few.walk(wish[:50], 0.05)
        np.testing.assert_array_equal(crowd.position[:50], few.position)
        self.assertGreater(len(np.unique(crowd.position, axis=0)), 9_000)
        self.assertFalse(self.level.is_solid("crouch", crowd.position).any())

    def test_what_is_wrong_is_told(self):
        with self.assertRaisesRegex(KeyError, "no hull fly; the map has stand, crouch, point"):
            self.level.trace("fly", (0, 0, 0), (1, 0, 0))
        with self.assertRaisesRegex(ValueError, "has the box"):
            self.level.require_hull("crouch", (-16, -16, -24), (16, 16, 32))
        with self.assertRaisesRegex(ValueError, r"shape \(\.\.\., 3\), not \(2,\)"):
            self.level.is_solid("stand", (1, 2))
        bare = onion.load(GOLDEN / "low_tunnel-bare.onion")
        with self.assertRaisesRegex(ValueError, "surfaces"):
            bare.hits("crouch", bare.trace("crouch", (0, 0, 24), (0, 0, 64)))
        with self.assertRaises(ValueError):
            onion.OnionMap(b"ONIONBSP")
        with self.assertRaises(OSError):
            onion.load(GOLDEN / "none.onion")
        with self.assertRaises(KeyError):
            self.level.trace(onion.Hull(0, "stand", (0, 0, 0), (0, 0, 0), 1, False), (0, 0, 0), (1, 0, 0))


@unittest.skipUnless("ONION_KIT" in os.environ, "ONION_KIT does not name a conformance kit")
class ConformanceKit(unittest.TestCase):
    def setUp(self):
        self.folder = Path(os.environ["ONION_KIT"])
        self.kit = json.loads((self.folder / "kit.json").read_text())

    def rows(self, path):
        with (self.folder / path).open(newline="") as file:
            return list(csv.reader(file))[1:]

    def test_traces_and_hits(self):
        self.assertGreater(len(self.kit["traces"]), 40)
        for query in self.kit["traces"]:
            with self.subTest(query["answers"]):
                model = onion.load(self.folder / query["file"]).models[query["model"]]
                segments = np.array(self.rows(query["segments"]), dtype=float)
                traces = model.trace(query["hull"], segments[:, :3], segments[:, 3:], query["margin"])
                answers = self.rows(query["answers"])
                self.assertEqual(len(answers), len(segments))
                found = [traces.fraction, traces.hit_fraction, *traces.end_pos.T, *traces.normal.T, traces.dist]
                expected = np.array([row[:9] for row in answers], dtype=float).T
                for column, numbers in zip(expected, found, strict=True):
                    np.testing.assert_array_equal(column.view(np.int64), numbers.view(np.int64))
                flags = np.stack([traces.start_solid, traces.all_solid], axis=1).astype(int).astype(str).tolist()
                self.assertEqual([row[9:11] for row in answers], flags)
                if len(answers[0]) > 11:
                    hits = model.hits(query["hull"], traces)
                    self.assertEqual([row[11:16] for row in answers], self.hit_rows(model, hits))

    @staticmethod
    def hit_rows(model, hits):
        surfaces = model.level.surfaces
        found = zip(hits.brush, hits.side, hits.surface, hits.is_patch, hits.is_bevel, strict=True)
        sources = ["brush", "patch"]
        return [
            [sources[int(patch)], str(brush), str(side), str(int(bevel)), surfaces[surface]] if brush >= 0 else [""] * 5
            for brush, side, surface, patch, bevel in found
        ]

    def test_points(self):
        self.assertGreater(len(self.kit["points"]), 10)
        for query in self.kit["points"]:
            with self.subTest(query["answers"]):
                level = onion.load(self.folder / query["file"])
                points = np.array(self.rows(query["points"]), dtype=float)
                solidity = level.models[query["model"]].solidity(points)
                bits = [[str(bits >> hull.index & 1) for hull in level.hulls] for bits in solidity.tolist()]
                self.assertEqual(self.rows(query["answers"]), bits)

    def test_calls(self):
        scripts = [script for script in self.kit["scripts"] if script["kind"] == "facts"]
        self.assertGreater(len(scripts), 10)
        for query in scripts:
            player = Player(onion.load(self.folder / query["file"]))
            calls, answers = ((self.folder / query[part]).read_text().splitlines() for part in ("script", "double"))
            for number, (call, answer) in enumerate(zip(calls, answers, strict=True), 1):
                words, expected = player.answer(call).split(" "), answer.split(" ")
                self.assertEqual(len(words), len(expected), f"{query['script']}, line {number}")
                told = [other if word == "?" else word for word, other in zip(words, expected, strict=True)]
                self.assertEqual(told, expected, f"{query['script']}, line {number}: {call}")

    def test_strange_files(self):
        for file in self.kit["loads"]:
            with self.subTest(file["about"]):
                onion.load(self.folder / file["file"])
        self.assertGreater(len(self.kit["refused"]), 200)
        for file in self.kit["refused"]:
            with self.subTest(file["about"]), self.assertRaises(ValueError):
                onion.load(self.folder / file["file"])


def bits(numbers):
    texts = (struct.pack(">d", number).hex() for number in np.ravel(numbers))
    return " ".join("nan" if math.isnan(number) else text for number, text in zip(np.ravel(numbers), texts, strict=True))


class Player:
    """Answers the calls of a script of the kit, whose readme tells what they are."""

    def __init__(self, level):
        self.level = level
        self.distance = onion.DEFAULT_MARGIN

    def answer(self, line):
        call, *words = line.split(" ")
        return getattr(self, call)(*words)

    def hulls(self):
        hulls = ((hull.name, bits(hull.mins), bits(hull.maxs), hull.contents, int(hull.filled)) for hull in self.level.hulls)
        return " ; ".join(" ".join(map(str, hull)) for hull in hulls)

    def models(self):
        entity = lambda model: "-" if model.entity is None else model.entity
        models = ((bits(model.mins), bits(model.maxs), bits(model.origin), entity(model)) for model in self.level.models)
        return " ; ".join(" ".join(map(str, model)) for model in models)

    def entities(self):
        if self.level.entities is None:
            return "-"
        return " ; ".join(" ".join(f'"{key}" "{value}"' for key, value in entity.items()) for entity in self.level.entities)

    def find(self, name, *corners):
        corners = np.array(corners, dtype=float)
        try:
            found = self.level.hull(name).index
        except KeyError:
            found = "-"
        try:
            self.level.require_hull(name, corners[:3], corners[3:])
        except ValueError:
            return f"{found} 0"
        return f"{found} 1"

    def margin(self, distance):
        self.distance = float(distance)
        return "ok"

    def solid(self, model, *point):
        model, point = self.level.models[int(model)], np.array(point, dtype=float)
        each = (str(int(model.is_solid(hull, point))) for hull in self.level.hulls)
        return " ".join([f"{int(model.solidity(point)):x}", *each])

    def trace(self, model, hull, *ends):
        model, ends = self.level.models[int(model)], np.array(ends, dtype=float)
        found = model.trace(hull, ends[:3], ends[3:], self.distance)
        parts = [bits([found.fraction, found.hit_fraction, *found.end_pos])]
        parts += [str(int(found.start_solid)), str(int(found.all_solid))]
        parts.append(f"{bits([*found.normal, found.dist])} {found.plane}" if found.plane >= 0 else "-")
        try:
            hit = model.hits(hull, found)
        except ValueError:
            return " ".join([*parts, "-"])
        if hit.brush < 0:
            return " ".join([*parts, "-"])
        source = "patch" if hit.is_patch else "brush"
        parts += [source, str(hit.brush), str(hit.side), str(int(hit.is_bevel)), "? ? ?", str(hit.surface)]
        return " ".join([*parts, "? ? ? ? ? ?"])


if __name__ == "__main__":
    unittest.main()
