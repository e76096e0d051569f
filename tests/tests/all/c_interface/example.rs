//! The example prints exactly the bytes of `onionc trace --batch`, for everything that a CSV can contain, and fails
//! in the same cases; and the program in the README works as described.

use std::fs;
use std::process::{Command, Output};

use onion_runtime::{Aabb, OnionMap};
use onion_tests::cases::sample_cases;
use onion_tests::effort::Cases;
use onion_tests::fixtures::{loaded, onionc};
use onion_tests::random::Random;
use onion_tests::strange::golden;
use onion_tests::subject;
use tempfile::TempDir;

use super::{example, interface, program};

/// Number of segments for each hull of each model.
const SEGMENTS: usize = 2_000;

/// Number of rows of odd numbers.
const NUMBERS: Cases = Cases::new(30_000, 200_000);

const HEADER: &str = "sx,sy,sz,ex,ey,ez\n";

/// A folder with `map.onion` and `rows.csv`.
struct Folder(TempDir);

impl Folder {
    fn new(map: &[u8]) -> Self {
        let folder = Self(TempDir::new().unwrap());
        folder.write("map.onion", map);
        folder
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.0.path().join(name), bytes).unwrap();
    }

    /// Runs the example and `onionc trace` with the same arguments.
    fn both(&self, arguments: &str) -> [Output; 2] {
        [Command::new(example()), Command::new(onionc())].map(|mut command| {
            if command.get_program() == onionc() {
                command.arg("trace");
            }
            let words = arguments.split_whitespace();
            let command = command.args(words).current_dir(self.0.path());
            command.output().unwrap()
        })
    }

    /// Checks that both print the same, and returns the output.
    fn same(&self, arguments: &str) -> String {
        let [ours, theirs] = self.both(arguments);
        for output in [&ours, &theirs] {
            let stderr = String::from_utf8_lossy(&output.stderr);
            let is_good = output.status.success() && stderr.is_empty();
            assert!(is_good, "{arguments}: {stderr}");
        }
        let [ours, theirs] = [ours, theirs].map(|run| String::from_utf8(run.stdout).unwrap());
        for (number, (ours, theirs)) in ours.lines().zip(theirs.lines()).enumerate() {
            assert_eq!(ours, theirs, "{arguments}: row {number}");
        }
        assert_eq!(ours, theirs, "{arguments}");
        ours
    }

    /// Checks that both fail with this exit code and print nothing, and returns the example's message.
    fn fails_alike(&self, arguments: &str, code: i32) -> String {
        let [ours, theirs] = self.both(arguments);
        for output in [&ours, &theirs] {
            assert_eq!(output.status.code(), Some(code), "{arguments}: {output:?}");
            assert!(output.stdout.is_empty(), "{arguments}: {output:?}");
        }
        let stderr = String::from_utf8(ours.stderr).unwrap();
        let is_ours = stderr.starts_with("example: error: ");
        assert!(is_ours, "{arguments}: {stderr}");
        stderr
    }
}

/// Makes numbers whose shortest text is hard to find: any bits, powers of two and their neighbors, multiples of
/// 1/2048 and other short binary fractions (halfway between two decimals), the smallest numbers.
fn odd_number(random: &mut Random) -> f64 {
    let sign = [1.0, -1.0][random.below(2)];
    let scale = |random: &mut Random, bits: usize| (-(random.below(bits) as f64)).exp2();
    sign * match random.below(8) {
        0 => f64::from_bits(random.bits()),
        1 => f64::from_bits((1 + random.bits() % 0x7fe) << 52),
        2 => f64::from_bits(((1 + random.bits() % 0x7fe) << 52) - random.bits() % 2),
        3 => (random.bits() >> random.below(64)) as f64 * scale(random, 64),
        4 => (random.below(1 << 22) as f64) + (random.below(2048) as f64) / 2048.0,
        5 => f64::from_bits(random.bits() >> 12 >> random.below(52)),
        6 => {
            let odd = [0.0, f64::INFINITY, f64::NAN, 1e300, f64::MAX];
            let least = f64::MIN_POSITIVE;
            *odd.get(random.below(6)).unwrap_or(&least)
        }
        _ => (random.below(10_000_000) as f64) * 10f64.powi(random.below(40) as i32 - 20),
    }
}

/// Writes segments in and around a box: anywhere, on whole numbers, and now and then an odd number. Each is written
/// in another way.
fn rows(mins: [f32; 3], maxs: [f32; 3], random: &mut Random) -> String {
    let mins = mins.map(|x| f64::from(x) - 64.0);
    let maxs = maxs.map(|x| f64::from(x) + 64.0);
    let mut text = HEADER.to_owned();
    for number in 0..SEGMENTS {
        let mut segment = [random.point(mins, maxs), random.point(mins, maxs)];
        match number % 5 {
            0 => segment = segment.map(|end| end.map(f64::round)),
            1 => segment[1][random.below(3)] = odd_number(random),
            2 => segment[0][random.below(3)] = segment[1][random.below(3)].round(),
            _ => {}
        }
        let numbers = segment.as_flattened().iter().map(|x| match number % 3 {
            0 => format!("{x}"),
            1 => format!("{x:e}"),
            _ => format!(" {x:?}\t"),
        });
        text += &numbers.collect::<Vec<_>>().join(",");
        text += ["\n", "\r\n", "\n\n"][number % 7 % 3];
    }
    text
}

#[test]
fn every_hull_and_model_of_the_sample_maps_has_the_same_rows() {
    let mut random = Random::new(1);
    let mut n_rows = 0;
    let mut kinds = [0; 3];
    for case in sample_cases() {
        let file = loaded(&case.map, &subject::HULLS).into_bytes();
        let folder = Folder::new(&file);
        let map = OnionMap::from_bytes(file).unwrap();
        for model in 0..map.n_models() {
            let Aabb { mins, maxs } = map.model(model).unwrap().bounds();
            for (hull, margin) in map.hulls().zip(["", " --margin 0", " --margin 1.5"]) {
                folder.write("rows.csv", rows(mins, maxs, &mut random));
                let hull = hull.name;
                let arguments = format!("map.onion --batch rows.csv --hull {hull} --model {model}");
                for row in folder.same(&(arguments + margin)).lines().skip(1) {
                    n_rows += 1;
                    let [is_hit, starts_solid] = [!row.starts_with("1,"), row.ends_with("1,0")];
                    kinds[usize::from(is_hit) + usize::from(starts_solid)] += 1;
                }
            }
        }
    }
    assert!(n_rows >= 10 * 3 * SEGMENTS, "{n_rows}");
    assert!(kinds.iter().all(|&kind| kind > 100), "{kinds:?}");
}

/// The trace of a segment that is not finite or too long ends at its start, so any number can be printed.
#[test]
fn any_number_is_printed_alike() {
    let mut random = Random::new(2);
    let mut text = HEADER.to_owned();
    for _ in 0..NUMBERS.count() {
        let numbers = [(); 3].map(|()| odd_number(&mut random));
        let [x, y, z] = numbers.map(|x| format!("{x:e}"));
        text += &format!("{x},{y},{z},nan,0,0\n");
    }
    let folder = Folder::new(&golden("low_tunnel-bare"));
    folder.write("rows.csv", text);
    let printed = folder.same("map.onion --hull stand --batch rows.csv");
    assert_eq!(printed.lines().count(), 1 + NUMBERS.count());
}

#[test]
fn numbers_are_read_alike() {
    let folder = Folder::new(&golden("low_tunnel-bare"));
    let arguments = "map.onion --hull stand --batch rows.csv";
    let numbers = "1 +1 -1 .5 5. -.5 1e2 1E+2 1e-2 1.5e0 0 -0 007 inf -INF +Infinity NaN -nan 1e400 \
                   -1e400 1e-400 9007199254740993 1e99999999999999999999 0e99999999999999999999 \
                   2.2250738585072011e-308 0.1000000000000000055511151231257827 4.9e-324 2e-324";
    for number in numbers.split_whitespace() {
        let rows = format!("{HEADER}0,0,24,{number},0,nan\n{number},1,2,3,4,5");
        folder.write("rows.csv", rows);
        folder.same(arguments);
    }
    let no_numbers = "x 1x 0x10 1e 1e+ e5 . + - -. --1 +-1 1_0 1.2.3 1e5.0 nan(1) nan1 infinit in \
                      1.5f 1;2 １ 1,2 ,";
    for number in no_numbers.split_whitespace().chain(["", " ", "1 2", "1\0"]) {
        let text = format!("{HEADER}0,0,24,0,0,24\n\n0,0,24,{number},0,24\n");
        folder.write("rows.csv", text);
        let said = folder.fails_alike(arguments, 4);
        let is_told = said.contains("rows.csv: line 4 is not 6 numbers");
        assert!(is_told, "{number}: {said}");
    }
    let header = HEADER.trim_end();
    for rest in [
        "",
        "\n",
        "\r\n",
        "\n\n \t\n\r\n",
        "\n0,0,24,9,9,9",
        " \n0,0,24,9,9,9\r\n \n",
    ] {
        folder.write("rows.csv", format!("{header}{rest}"));
        folder.same(arguments);
    }
    for no_header in [
        "",
        "\n",
        "0,0,24,9,9,9",
        "sx,sy,sz,ex,ey",
        "sx,sy,sz,ex,ey,ez,w",
    ] {
        folder.write("rows.csv", format!("{no_header}\n0,0,24,9,9,9\n"));
        let said = folder.fails_alike(arguments, 4);
        assert!(said.contains("rows.csv: line 1 is not "), "{said}");
    }
}

#[test]
fn what_is_wrong_is_told() {
    let map = golden("low_tunnel-bare");
    let folder = Folder::new(&map);
    folder.write("rows.csv", HEADER);
    folder.write("cut.onion", &map[..map.len() / 2]);
    folder.write("text.onion", "text");
    // An R stands for the rows.
    let table = "
        2 usage: ;
        2 usage: ; map.onion --hull stand
        2 usage: ; map.onion R
        2 --batch needs a value; map.onion --hull stand --batch
        2 one file; map.onion map.onion --hull stand R
        2 no option --speed; map.onion --hull stand R --speed 1
        2 --hull nobody: the file has stand, crouch, point; map.onion --hull nobody R
        2 --model 1: the file has models 0 to 0; map.onion --hull stand R --model 1
        2 --model x; map.onion --hull stand R --model x
        2 --model -1; map.onion --hull stand R --model -1
        2 --margin x; map.onion --hull stand R --margin x
        3 none.csv: ; map.onion --hull stand --batch none.csv
        3 none.onion: ; none.onion --hull stand R
        4 text.onion: not an onion map; text.onion --hull stand R
        4 cut.onion: the file has another length; cut.onion --hull stand R";
    for row in table.lines().skip(1) {
        let (code, rest) = row.trim_start().split_once(' ').unwrap();
        let (words, arguments) = rest.split_once(';').unwrap();
        let arguments = arguments.replace(" R", " --batch rows.csv");
        let said = folder.fails_alike(&arguments, code.parse().unwrap());
        assert!(said.contains(words), "{arguments}: {said}");
    }
}

#[test]
fn the_program_of_the_readme_traces() {
    let readme = fs::read_to_string(interface().join("README.md")).unwrap();
    let (_, after) = readme.split_once("```c\n").unwrap();
    let (code, _) = after.split_once("```").unwrap();
    let bytes = golden("low_tunnel-bare");
    let folder = Folder::new(&bytes);
    folder.write("move.c", code);
    let program = program(&folder.0.path().join("move.c"), &[], &folder.0);
    let run = |folder: &Folder| {
        let output = Command::new(&program).current_dir(folder.0.path()).output();
        let output = output.unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        (said, output.status.success())
    };
    let map = OnionMap::from_bytes(&bytes).unwrap();
    let stand = map.find_hull("stand").unwrap();
    let trace = map
        .world()
        .trace(stand, [0.0f32, 0.0, 24.0], [512.0, 0.0, 24.0]);
    // A trace that goes all the way would tell less.
    assert!(trace.plane.is_some());
    let (said, is_done) = run(&folder);
    let words: Vec<&str> = said.split_whitespace().collect();
    let [fraction, "of", "the", "way,", "to", x, y, z] = words[..] else {
        panic!("{said}");
    };
    // The program prints six digits.
    let [a, b, c] = trace.end_pos.map(f64::from);
    let exact = [trace.fraction, a, b, c];
    for (printed, exact) in [fraction, x, y, z].iter().zip(exact) {
        let off = printed.parse::<f64>().unwrap() - exact;
        assert!(off.abs() <= 1e-5 * exact.abs(), "{said}: {exact}");
    }
    assert!(is_done);
    folder.write("map.onion", "nothing");
    assert_eq!(run(&folder), (String::new(), false));
}
