#!/usr/bin/env python3
"""Plants the faults that `cargo mutants` names, all in one program, and says which of them the tests find.

One fault at a time takes minutes to build. So a copy of the sources gets all of them as switches, `if mutant(17)
{ faulty } else { as it is }`, and is built once; a variable of the environment says which one is there. What is no
switch, as in constants, and what does not compile is left out and counted. Each fault then meets the groups of tests in
STAGES until a test fails, or takes far more time than without a fault. Results are lines of JSON in a file: a run that
is started again goes on behind them. Needs cargo-mutants, and tree-sitter and tree-sitter-rust from pip.

    python3 tests/mutants.py --sample 300 --seed 1
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import threading
from collections import Counter
from pathlib import Path

import tree_sitter
import tree_sitter_rust

ROOT = Path(__file__).resolve().parent.parent
SCRATCH = ROOT / "target/mutants"
TREE = SCRATCH / "tree"
# Which tests meet the mutants of a folder, group by group: cheap ones that find much come first.
WAYS = "followers:: paths:: floor_queries:: floors:: verify::every_wrong_link detour:: path_bits:: floors_bits::"
STAGES = [
    ("compiler/core/src/floors/", "digests:: floors::"),
    ("compiler/core/src/links/", "digests::"),
    ("compiler/core/src/floors/", WAYS),
    ("compiler/core/src/links/", WAYS),
    ("runtime/src/navigation/", WAYS),
    ("", "audit:: verify:: loader:: planes:: odd_records:: entities:: sample_facts:: margins:: places:: queries::"),
    ("compiler/", "digests:: cells:: related_formats:: fast::every"),
    (
        "runtime/",
        "surfaces:: movement:: any_shape:: fast:: deep:: files::boxes",
    ),
    ("runtime/", "javascript::sample_maps"),
    (
        "compiler/",
        "surfaces:: predicates:: expansion:: reach:: fill::random fill::a_ cracks:: dumps:: oracle::sample "
        "gltf::turned groups::files files::the_same files::boxes groups::hulls groups::groups fill::starts",
    ),
]
MEMORY = 6 << 30  # bytes a test program may take
SWITCH = """
extern crate std;
static PLANTED: core::sync::atomic::AtomicU32 = core::sync::atomic::AtomicU32::new(u32::MAX);
/// Whether the fault of that number is there.
#[inline(always)]
pub fn mutant(number: u32) -> bool {
    match PLANTED.load(core::sync::atomic::Ordering::Relaxed) {
        u32::MAX => read_planted() == number,
        planted => planted == number,
    }
}
#[cold]
fn read_planted() -> u32 {
    let planted = std::env::var("MUTANT").ok().and_then(|text| text.parse().ok()).unwrap_or(0);
    PLANTED.store(planted, core::sync::atomic::Ordering::Relaxed);
    planted
}
"""


class Source:
    """A source file, its syntax, and the switches to be built into it."""

    def __init__(self, path):
        self.path = path
        self.text = (ROOT / path).read_bytes()
        self.tree = tree_sitter.Parser(tree_sitter.Language(tree_sitter_rust.language())).parse(self.text)
        self.lines = self.text.split(b"\n")
        self.sites = {}  # (start, -end, kind) of a place: its switches, (number, faulty text) each

    def offset(self, place):
        """The byte of a line and column as cargo-mutants counts them, from 1 and in characters."""
        line = place["line"] - 1
        column = len(self.lines[line].decode()[: place["column"] - 1].encode())
        return sum(len(before) + 1 for before in self.lines[:line]) + column

    def of(self, node):
        return self.text[node.start_byte : node.end_byte].decode()

    def above(self, start, end, kind):
        """The innermost node of a kind that holds a range."""
        node = self.tree.root_node.descendant_for_byte_range(start, end - 1)
        while node and node.type != kind:
            node = node.parent
        return node

    def plant(self, number, mutant):
        """Makes a mutant a switch; a reason if it cannot be one."""
        start, end = (self.offset(mutant["span"][side]) for side in ("start", "end"))
        if self.is_constant(start):
            return "in constants"
        genre, replacement = mutant["genre"], mutant["replacement"]
        if genre == "FnValue":
            if "impl " in mutant["function"]["return_type"]:
                return "of a type without a name"
            return self.add(start, end, "function", number, replacement)
        if genre == "MatchArmGuard":
            return self.add(start, end, "value", number, replacement)
        if genre == "BinaryOperator":
            types = ("binary_expression", "compound_assignment_expr")
            nodes = [self.above(start, end, kind) for kind in types]
            node = min((node for node in nodes if node), key=lambda node: node.end_byte - node.start_byte, default=None)
            operator = node and node.child_by_field_name("operator")
            if not operator or operator.start_byte != start:
                return "within macros"
            left, right = (self.of(node.child_by_field_name(side)) for side in ("left", "right"))
            left = left if node.type == types[1] else f"({left})"
            return self.add(node.start_byte, node.end_byte, "value", number, f"{left} {replacement} ({right})")
        if genre == "UnaryOperator":
            node = self.above(start, end, "unary_expression")
            if not node or node.start_byte != start:
                return "within macros"
            return self.add(start, node.end_byte, "value", number, self.of(node.child(1)))
        if genre == "MatchArm":
            pattern = self.above(start, end, "match_arm").child_by_field_name("pattern")
            guard = pattern.child_by_field_name("condition")
            if guard:
                return self.add(guard.start_byte, guard.end_byte, "value", number, "false")
            return self.add(pattern.end_byte, pattern.end_byte, "arm", number, "")
        return "fields of structures"

    def is_constant(self, start):
        node = self.tree.root_node.descendant_for_byte_range(start, start)
        while node and node.type not in ("const_item", "static_item", "array_type"):
            if node.type == "function_item":
                return any(c.type == "function_modifiers" and "const" in self.of(c) for c in node.children)
            node = node.parent
        return node is not None

    def add(self, start, end, kind, number, text):
        # A function's switches stand before those of the value that is all of its body.
        self.sites.setdefault((start, -end, kind), []).append((number, text))

    def render(self, without):
        """The text with all switches but some, and where in it each switch stands."""
        sites, pieces, places, length = sorted(self.sites), [], {}, 0

        def emit(piece):
            nonlocal length
            pieces.append(piece)
            length += len(piece)

        def until(position, end):
            while sites and sites[0][0] < end or sites and sites[0][:2] == (end, -end):
                site = sites.pop(0)
                emit(self.text[position : site[0]])
                position = switch(site)
            emit(self.text[position:end])

        def switch(site):
            start, end, kind = site[0], -site[1], site[2]
            switches = [switch for switch in self.sites[site] if switch[0] not in without]
            emit(b"(" if kind == "value" and switches else b"")
            for number, text in switches:
                begin = length
                condition = f"::onion_format::mutant({number})"
                form = {
                    "function": f"if {condition} {{ return {text}; }} ",
                    "arm": f" if !{condition}",
                    "value": f"if {condition} {{ {text} }} else ",
                }
                emit(form[kind].encode())
                places[number] = (begin, length)
            is_value = kind == "value" and switches
            emit(b"{ " if is_value else b"")
            until(start, end)
            emit(b" })" if is_value else b"")
            return end

        until(0, len(self.text))
        return b"".join(pieces), places


def cargo(*arguments, **more):
    environment = {**os.environ, "CARGO_TARGET_DIR": str(SCRATCH / "build")}
    return subprocess.run(["cargo", *arguments], cwd=TREE, env=environment, stdout=subprocess.PIPE, **more)


def write(path, text):
    """Only what is new is written, so that only that is built."""
    if not path.exists() or path.read_bytes() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)


def copy_tree(without):
    """Copies the repository but for the sources that get switches."""
    files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    for name in set(files.decode().split("\0")[:-1]) - set(without):
        text = (ROOT / name).read_bytes()
        write(TREE / name, text + SWITCH.encode() if name == "format-spec/src/lib.rs" else text)


def places_of(message):
    """Files and bytes that a message of the compiler is about, what is in macros where they are used."""
    for span in sorted(message["spans"], key=lambda span: not span["is_primary"]):
        while span:
            yield span["file_name"], span["byte_start"]
            span = (span["expansion"] or {}).get("span")


def errors():
    """What the compiler complains about, and where."""
    output = cargo("check", "--package", "onion-tests", "--lib", "--message-format=json", stderr=subprocess.DEVNULL)
    for line in output.stdout.splitlines():
        message = json.loads(line).get("message", {})
        if message and message["level"] == "error" and message["spans"]:
            yield message["rendered"], list(places_of(message))


def build(mutants):
    """Builds the tests with all mutants that can be switches: the test program and the reasons of the others."""
    sources = {path: Source(path) for path in sorted({mutant["file"] for mutant in mutants.values()})}
    copy_tree(sources)
    left_out = {}
    for number, mutant in mutants.items():
        if reason := sources[mutant["file"]].plant(number, mutant):
            left_out[number] = reason
    known = SCRATCH / "uncompilable.json"
    names = set(json.loads(known.read_text())) if known.exists() else set()
    left_out.update({n: "that do not compile" for n, m in mutants.items() if m["name"] in names and n not in left_out})
    while True:
        places = {}
        for path, source in sources.items():
            text, places[path] = source.render(left_out)
            write(TREE / path, text)
        found = {}
        for rendered, at in errors():
            hits = [n for path, byte in at for n, (start, end) in places.get(path, {}).items() if start <= byte < end]
            if not hits:
                raise SystemExit(f"an error that no mutant explains:\n{rendered}")
            found[hits[0]] = "that do not compile"
        if not found:
            break
        print(f"{len(found)} mutants do not compile", flush=True)
        left_out.update(found)
        known.write_text(json.dumps([mutants[n]["name"] for n, why in left_out.items() if why.startswith("that")]))
    output = cargo("test", "--no-run", "--package", "onion-tests", "--test", "all", "--message-format=json", check=True)
    messages = [json.loads(line) for line in output.stdout.splitlines()]
    named = [message for message in messages if message.get("target", {}).get("name") == "all"]
    return named[-1]["executable"], left_out


def run(program, number, filters, maps, limit):
    """Runs tests until one fails: what failed, or nothing, and the seconds of a processor that it took."""

    def limits():
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    environment = {**os.environ, "MUTANT": str(number), "ONION_MAPS": str(maps), "ONION_BAD_MAPS": str(maps)}
    environment["CARGO_TARGET_DIR"] = str(SCRATCH / "build")
    command = [program, "--test-threads=1", *filters.split()]
    with subprocess.Popen(
        command, cwd=TREE / "tests", env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        preexec_fn=limits, errors="replace",
    ) as process:
        timer = threading.Timer(20 * limit, process.kill)
        timer.start()
        failed = name = None
        for line in process.stdout:
            name = line.split()[1] if line.startswith("test ") else name
            if line.rstrip().endswith("FAILED") and name != "result:":
                failed = name
                process.kill()
                break
        process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        timer.cancel()
    if not failed and process.returncode != 0:
        late = process.returncode in (-signal.SIGXCPU, -signal.SIGKILL)
        failed = "too much time" if late else f"exit code {process.returncode}"
    return failed, usage.ru_utime + usage.ru_stime


def judge(program, mutant, number, maps, limits):
    """Which test finds a mutant, if any does."""
    seconds, failed = 0.0, None
    for (folder, filters), limit in zip(STAGES, limits):
        if not failed and mutant["file"].startswith(folder):
            failed, took = run(program, number, filters, maps, limit)
            seconds += took
    return {"name": mutant["name"], "by": failed, "seconds": round(seconds, 1)}


def at_random(mutants, seed):
    """Numbers of mutants in an order of chance that stays as it is when lines move and other mutants come or go."""
    seen, order = Counter(), {}
    for number, mutant in mutants.items():
        what = (mutant["file"], mutant["name"].split(": ", 1)[1])
        order[number] = hashlib.sha256(f"{seed} {what} {seen[what]}".encode()).digest()
        seen[what] += 1
    return sorted(mutants, key=order.get)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sample", type=int, metavar="N", help="so many mutants, taken at random (all)")
    parser.add_argument("--seed", type=int, default=1, help="another seed takes others (1)")
    parser.add_argument("--only", default="", metavar="PATTERN", help="only mutants whose names match this")
    parser.add_argument("--missed", action="store_true", help="run those again that no test found")
    parser.add_argument("--jobs", type=int, default=2, help="mutants at a time (2)")
    parser.add_argument("--maps", default=SCRATCH / "no-maps", help="a folder of real maps (none)")
    parser.add_argument("--results", type=Path, default=SCRATCH / "results.jsonl")
    args = parser.parse_args()
    SCRATCH.mkdir(parents=True, exist_ok=True)
    listed = subprocess.run(["cargo", "mutants", "--list", "--json"], cwd=ROOT, capture_output=True, check=True)
    mutants = dict(enumerate(json.loads(listed.stdout), 1))
    program, left_out = build(mutants)
    print(f"{len(mutants)} mutants; left out:", dict(Counter(left_out.values())), flush=True)
    viable = [number for number in at_random(mutants, args.seed) if number not in left_out]
    wanted = [n for n in viable if re.search(args.only, mutants[n]["name"])][: args.sample]
    lines = args.results.read_text().splitlines() if args.results.exists() else []
    results = {result["name"]: result for result in map(json.loads, lines)}
    todo = [n for n in wanted if not (result := results.get(mutants[n]["name"])) or args.missed and not result["by"]]
    limits = []
    for _, filters in STAGES if todo else []:
        failed, seconds = run(program, 0, filters, args.maps, 3600)
        if failed:
            raise SystemExit(f"without a fault: {failed}")
        print(f"{seconds:.0f} s without a fault: {filters}", flush=True)
        limits.append(int(3 * seconds + 5))
    with args.results.open("a") as file, concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        jobs = [pool.submit(judge, program, mutants[n], n, args.maps, limits) for n in todo]
        for job in concurrent.futures.as_completed(jobs):
            result = results[job.result()["name"]] = job.result()
            print(json.dumps(result), file=file, flush=True)
    of_wanted = [results[mutants[n]["name"]] for n in wanted]
    missed = sorted(result["name"] for result in of_wanted if not result["by"])
    print(*missed, sep="\n")
    print(f"{len(of_wanted) - len(missed)} of {len(of_wanted)} found")


if __name__ == "__main__":
    main()
