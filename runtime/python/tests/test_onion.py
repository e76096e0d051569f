"""The module against facts of the sample maps, and against ``onionc trace`` to the last bit.

Run with ``python -m unittest discover runtime/python/tests``; ONIONC names the compiler's command, and the comparison
is skipped without it.
"""

import csv
import os
import subprocess
import tempfile
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
        self.assertEqual(self.level.trace("crouch", (0, 0, 24), (0, 0, 64), skin=0).fraction, 0.2)
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


@unittest.skipUnless("ONIONC" in os.environ, "ONIONC does not name the compiler's command")
class SameBits(unittest.TestCase):
    def test_traces_and_hits_are_those_of_the_command(self):
        random = np.random.default_rng(7)
        lows, highs = (-336, -336, -48), (336, 336, 208)
        starts, ends = (random.uniform(lows, highs, (N_SEGMENTS, 3)) for _ in range(2))
        starts[::3] = np.round(starts[::3] / 8) * 8
        file = GOLDEN / "low_tunnel.onion"
        level = onion.load(file)
        for hull in level.hulls:
            with self.subTest(hull.name):
                rows = self.command(file, hull.name, starts, ends)
                traces = level.trace(hull, starts, ends)
                hits = level.hits(hull, traces)
                for row, i in zip(rows, range(N_SEGMENTS), strict=True):
                    numbers = [traces.fraction, traces.hit_fraction, *traces.end_pos.T, *traces.normal.T, traces.dist]
                    self.assertEqual([float(cell) for cell in row[:9]], [part[i] for part in numbers])
                    self.assertEqual(row[9:11], [str(int(flag[i])) for flag in (traces.start_solid, traces.all_solid)])
                    self.assertEqual(row[11:16], self.hit_row(level, hits, i))

    @staticmethod
    def hit_row(level, hits, i):
        if hits.brush[i] < 0:
            return [""] * 5
        source = "patch" if hits.is_patch[i] else "brush"
        numbers = [str(hits.brush[i]), str(hits.side[i]), str(int(hits.is_bevel[i]))]
        return [source, *numbers, level.surfaces[hits.surface[i]]]

    @staticmethod
    def command(file, hull, starts, ends):
        with tempfile.TemporaryDirectory() as folder:
            batch = Path(folder) / "batch.csv"
            rows = np.concatenate([starts, ends], axis=1).tolist()
            lines = (",".join(map(repr, row)) for row in rows)
            batch.write_text("sx,sy,sz,ex,ey,ez\n" + "\n".join(lines) + "\n")
            arguments = ["trace", file, "--hull", hull, "--batch", batch, "--hits"]
            output = subprocess.run([os.environ["ONIONC"], *arguments], check=True, capture_output=True, text=True)
        return list(csv.reader(output.stdout.splitlines()))[1:]


if __name__ == "__main__":
    unittest.main()
