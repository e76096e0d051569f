//! Where commands write, and where they do not: every option that names an output, against every input of its command
//! by every name, and against pipes, devices, folders, links, files of other programs, and places that accept no
//! files. Nothing is lost, nothing hangs, and a permitted output is whole on the disk before it has its name.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use onion_tests::skips::skip;
use rayon::prelude::*;

use crate::archives::pak;
use crate::folder::*;

/// Far above the time that any command here takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// A command line with OUT in place of the output, and the extension of the output's name.
const OPTIONS: &str = "\
    map.bsp --hull s:1x1 --force -o OUT => onion
    map.bsp --hull s:1x1 --dump tree -o OUT => obj
    map.bsp --hull s:1x1 --dump brush -o OUT => map
    map.bsp --hull s:1x1 --force -o new.onion --json=OUT => json
    map.bsp --hull s:1x1 --force -o new.onion --report OUT => json
    map.bsp --hull s:1x1 --force -o new.onion --depfile OUT => d
    maps.pak:maps/room.bsp --hull s:1x1 --force -o OUT => onion
    scene.gltf --hull s:1x1 --force -o OUT => onion
    map.bsp --game game.toml --config options.toml --force -o OUT => onion
    render map.onion map.bsp -o OUT => png
    view map.onion map.bsp -o OUT => html
    export map.onion map.bsp --parts walls -o OUT => map
    export map.onion scene.gltf --parts skins -o OUT => glb
    info map.onion --json=OUT => json
    reach map.onion map.bsp --pts OUT => pts
    reach map.onion map.bsp --json=OUT => json
    diff map.onion other.onion map.bsp -o OUT => png
    diff map.onion other.onion map.bsp --json=OUT => json
    constants --rust --config options.toml -o OUT => rs";

/// Returns the rows of a table, each in two parts.
fn rows(table: &str) -> Vec<(&str, &str)> {
    let rows = table.lines().map(|row| row.trim().split_once(" => "));
    rows.collect::<Option<_>>().unwrap()
}

/// All files that the commands read.
const INPUTS: [&str; 8] = [
    "map.bsp",
    "map.onion",
    "other.onion",
    "maps.pak",
    "scene.gltf",
    "scene.bin",
    "game.toml",
    "options.toml",
];

/// A scene without meshes, whose buffer is beside it.
const SCENE: &str = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[]}],"buffers":[{"uri":"scene.bin","byteLength":4}]}"#;

/// Makes a folder with all inputs.
fn folder_of_inputs() -> Folder {
    let folder = Folder::with_map("low_tunnel");
    folder.succeed("map.bsp --hull stand:16x56 --hull crouch:16x32 --brushes");
    folder.succeed("map.bsp --hull stand:16x48 -o other.onion");
    folder.write("maps.pak", pak(&[("maps/room.bsp", &sample_bytes("room"))]));
    folder.write("scene.gltf", SCENE);
    folder.write("scene.bin", [0; 4]);
    folder.write("game.toml", "base = \"quake3\"\n");
    folder.write("options.toml", "hull = ['s:1x1']\n");
    folder
}

/// Runs a line of the shell in a folder, where `$onionc` is the command, and returns the exit code and the output.
/// Memory is limited, so that a command that reads a device does not use up the memory of the machine.
fn run(folder: &Folder, line: &str) -> (i32, String) {
    let mut printed = tempfile::tempfile().unwrap();
    let mut child = Command::new("sh")
        .args(["-c", &format!("ulimit -v 8000000; {line}")])
        .env("onionc", binary())
        .current_dir(folder.0.path())
        .stdin(Stdio::null())
        .stdout(printed.try_clone().unwrap())
        .stderr(printed.try_clone().unwrap())
        .spawn()
        .unwrap();
    let begun = Instant::now();
    let status = loop {
        match child.try_wait().unwrap() {
            Some(status) => break status,
            None if begun.elapsed() > PATIENCE => {
                let _ = child.kill();
                panic!("{line}: hangs");
            }
            None => thread::sleep(Duration::from_millis(2)),
        }
    };
    let mut text = Vec::new();
    std::io::Seek::rewind(&mut printed).unwrap();
    std::io::Read::read_to_end(&mut printed, &mut text).unwrap();
    let code = status.code().unwrap_or_else(|| panic!("{line}: {status}"));
    (code, String::from_utf8_lossy(&text).into_owned())
}

/// Returns the contents of a folder: the kind of each name, and the bytes of files.
fn seen(folder: &Folder) -> BTreeMap<String, (String, Vec<u8>)> {
    let entries = fs::read_dir(folder.0.path()).unwrap();
    let entries = entries.map(|entry| {
        let (name, kind) = entry
            .map(|entry| (entry.file_name(), entry.file_type().unwrap()))
            .unwrap();
        let path = folder.0.path().join(&name);
        let link = fs::read_link(&path).unwrap_or_default();
        let bytes = if kind.is_file() {
            fs::read(&path).unwrap()
        } else {
            Vec::new()
        };
        (
            name.into_string().unwrap(),
            (format!("{kind:?} {link:?}"), bytes),
        )
    });
    entries.collect()
}

fn shell(folder: &Folder, line: &str) {
    assert_eq!(run(folder, line), (0, String::new()), "{line}");
}

/// A line of the shell that makes something at `target` in a folder, and a word of the error, unless the error is
/// that the target is an input.
const PLACES: [(&str, &str); 15] = [
    ("mkfifo TARGET", "a device or a pipe"),
    ("mkfifo pipe; ln -s pipe TARGET", "a device or a pipe"),
    ("ln -s /dev/zero TARGET", "a device or a pipe"),
    ("ln -s /dev/full TARGET", "a device or a pipe"),
    ("ln -s /dev/null TARGET", "a device or a pipe"),
    ("mkdir TARGET", "folder"),
    ("mkdir inner; ln -s inner TARGET", "folder"),
    ("ln -s nothing TARGET", "a link that leads nowhere"),
    ("ln -s TARGET TARGET", "a link that leads nowhere"),
    ("echo by a person > TARGET", "it is there, and is not "),
    (
        "echo by a person > own; ln -s own TARGET",
        "it is there, and is not ",
    ),
    (
        "echo '{\"asset\": {\"version\": \"2.0\"}}' > TARGET",
        "it is there, and is not ",
    ),
    ("echo '// Game: Quake' > TARGET", "it is there, and is not "),
    ("echo 'title: a' > TARGET", "it is there, and is not "),
    ("echo 'all: map.onion' > TARGET", "it is there, and is not "),
];

/// Asserts that a command does not write to a target: it ends, gives the reason, and leaves everything as it is.
fn assert_refused(folder: &Folder, command: &str, target: &str, word: &str) {
    let mut before = seen(folder);
    let line = format!("$onionc {}", command.replace("OUT", target));
    let (code, text) = run(folder, &line);
    let is_refused = [CANNOT_WRITE, USAGE].contains(&code) && text.contains("onionc: error: ");
    assert!(is_refused && text.contains(word), "{line}: {code} {text}");
    let mut after = seen(folder);
    // A map is compiled before its report is written.
    before.remove("new.onion");
    after.remove("new.onion");
    assert!(before.keys().eq(after.keys()), "{line}: {:?}", after.keys());
    assert!(before == after, "{line}: something was changed");
}

/// No command overwrites its inputs, by any name.
#[test]
fn an_input_is_never_an_output() {
    rows(OPTIONS).par_iter().for_each(|(command, ending)| {
        let folder = folder_of_inputs();
        let is_read = |input: &&str| {
            let is_buffer = *input == "scene.bin" && command.contains("scene.gltf");
            is_buffer || command.contains(input)
        };
        for input in INPUTS.into_iter().filter(is_read) {
            let target = format!("target.{ending}");
            for (make, name) in [
                ("true", input),
                ("true", &*format!("./{input}")),
                ("mkdir inner", &*format!("inner/../{input}")),
                ("true", &*format!("{}/{input}", folder.0.path().display())),
                ("ln -s INPUT TARGET", &*target),
                ("ln -s INPUT soft; ln -s soft TARGET", &*target),
                ("ln INPUT TARGET", &*target),
            ] {
                // An export has to end with the extension of its format.
                let is_named_so = make != "true" || name.contains(&format!(".{ending}"));
                if is_named_so || !command.starts_with("export") {
                    let make = make.replace("INPUT", input).replace("TARGET", &target);
                    shell(&folder, &make);
                    assert_refused(&folder, command, name, "");
                    shell(&folder, &format!("rm -rf inner soft {target}"));
                }
            }
        }
    });
}

#[test]
fn what_a_shell_reads_from_is_no_output() {
    let folder = folder_of_inputs();
    folder.succeed("map.bsp --hull p:point -o x.onion");
    folder.succeed("export x.onion map.bsp --parts walls -o in.map");
    for command in [
        "- --hull p:point --dump expand -o OUT < in.map",
        "export x.onion - --parts walls -o OUT < in.map",
    ] {
        assert_refused(&folder, command, "in.map", "it is an input");
    }
}

#[test]
fn an_output_is_a_file_that_is_not_anothers() {
    rows(OPTIONS).par_iter().for_each(|(command, ending)| {
        let folder = folder_of_inputs();
        let target = format!("target.{ending}");
        // A compile can write into folders.
        let is_into_folder = command.ends_with("-o OUT") && command.contains("--force");
        let is_into_folder = is_into_folder || command.contains("--dump");
        for (make, word) in PLACES {
            if is_into_folder && word == "folder" {
                continue;
            }
            shell(&folder, &make.replace("TARGET", &target));
            assert_refused(&folder, command, &target, word);
            shell(&folder, &format!("rm -rf {target} pipe inner own"));
        }
        for (place, word) in [
            ("none", "create the folder none"),
            ("/proc", "the folder /proc"),
        ] {
            assert_refused(&folder, command, &format!("{place}/{target}"), word);
        }
        let to_stdout = format!("$onionc {} > a.txt", command.replace("OUT", "/dev/stdout"));
        let (code, text) = run(&folder, &to_stdout);
        let is_refused = [CANNOT_WRITE, USAGE].contains(&code);
        assert!(is_refused, "{to_stdout}: {code} {text}");
    });
}

/// A new file, an empty one and an earlier one of its kind are written, the last also through a link; a read-only
/// file is not written, and a full disk gives an error.
#[test]
fn an_output_takes_the_place_of_its_like() {
    rows(OPTIONS).par_iter().for_each(|(command, ending)| {
        let folder = folder_of_inputs();
        let target = format!("target.{ending}");
        let line = format!("$onionc {}", command.replace("OUT", &target));
        let limited = format!("(ulimit -f 0; {line} >/dev/null; echo $?) 2>&1 | cat");
        let (_, text) = run(&folder, &limited);
        let is_told = text.contains("ulimit -f") && text.ends_with("\n5\n");
        assert!(is_told, "{line}: {text}");
        assert!(!folder.0.path().join(&target).exists());
        let is_written = |make: &str| {
            shell(&folder, make);
            let (code, text) = run(&folder, &line);
            assert_eq!(code, 0, "{make}; {line}: {text}");
            fs::read(folder.0.path().join(&target)).unwrap()
        };
        let first = is_written("true");
        assert!(!first.is_empty(), "{line}");
        is_written("true");
        is_written(&format!(": > {target}"));
        is_written(&format!(
            "mkdir inner; mv {target} inner/real; ln -s inner/real {target}"
        ));
        let link = fs::read_link(folder.0.path().join(&target)).unwrap();
        assert_eq!(link, Path::new("inner/real"));
        shell(&folder, &format!("echo >> {target}; chmod a-w inner/real"));
        assert_refused(&folder, command, &target, "it is read-only");
    });
}

/// A disk of a few kilobytes, which a user may mount on some systems.
#[test]
fn a_disk_that_is_full_is_told_and_left() {
    let folder = folder_of_inputs();
    folder.make_folder("disk");
    let mount = "unshare -rm sh -c 'mount -t tmpfs -o size=4k none disk";
    if run(&folder, &format!("{mount}'")).0 != 0 {
        skip("full disks: users cannot mount a tmpfs");
        return;
    }
    for (command, ending) in rows(OPTIONS) {
        let target = format!("disk/target.{ending}");
        let line = command.replace("OUT", &target);
        let fill = "head -c 4096 /dev/zero > disk/full";
        let line = format!("{mount}; {fill}; $onionc {line} >/dev/null; echo $?; ls -A disk'");
        let (code, text) = run(&folder, &line);
        assert_eq!(code, 0, "{line}: {text}");
        assert!(text.contains("make room on the disk"), "{line}: {text}");
        assert!(text.ends_with("\n5\nfull\n"), "{line}: {text}");
    }
}

/// Otherwise a power cut may leave an empty file in the place of a good one.
#[test]
fn an_output_is_on_the_disk_before_it_has_its_name() {
    let folder = folder_of_inputs();
    let trace = "strace -f -o log.txt -e trace=fsync,fdatasync,rename,renameat,renameat2";
    if run(&folder, &format!("{trace} true")).0 != 0 {
        skip("the order of writes: there is no strace, or it may not trace");
        return;
    }
    for (command, ending) in rows(OPTIONS) {
        let target = format!("target.{ending}");
        let line = format!("{trace} $onionc {}", command.replace("OUT", &target));
        let (code, text) = run(&folder, &line);
        assert_eq!(code, 0, "{command}: {text}");
        let log = folder.read_text("log.txt");
        let is_wanted = |line: &&str| line.contains("sync(") || line.contains("rename");
        let calls: Vec<&str> = log.lines().filter(is_wanted).collect();
        let renames = |call: &&str| call.contains(&format!("{target}\""));
        let at = calls.iter().position(renames);
        let at = at.unwrap_or_else(|| panic!("{command}: no rename in\n{log}"));
        shell(&folder, &format!("rm {target}"));
        let is_synced = at > 0 && calls[at - 1].contains("sync(");
        assert!(is_synced, "{command}:\n{log}");
    }
}

/// An input may come through a pipe, which is read once. A device is not an input.
/// Long: a table of commands.
#[test]
fn an_input_is_a_file_or_a_pipe() {
    let folder = folder_of_inputs();
    folder.write("points.csv", "x,y,z\n0,0,24\n");
    folder.write("segments.csv", "sx,sy,sz,ex,ey,ez\n0,0,24,400,0,24\n");
    let commands = "map.bsp => IN --hull s:1x1 -o - --force 2>/dev/null
        options.toml => map.bsp --config IN -o - --force 2>/dev/null
        map.onion => info IN
        map.onion => point IN --at 0,0,24
        points.csv => point map.onion --batch IN
        segments.csv => trace map.onion --hull stand --batch IN
        map.onion => verify IN map.bsp
        map.bsp => verify map.onion IN
        map.bsp => render map.onion IN -o -
        map.bsp => view map.onion IN -o -
        map.bsp => export map.onion IN --parts union,walls -o a.obj; cat a.obj
        map.onion => reach IN map.bsp
        map.bsp => reach map.onion IN
        map.onion => diff IN other.onion
        other.onion => diff map.onion IN map.bsp
        options.toml => constants --rust --config IN";
    for (input, command) in rows(commands) {
        let line = |name: &str| format!("$onionc {}", command.replace("IN", name));
        let extension = Path::new(input).extension().unwrap().to_str().unwrap();
        let pipe = format!("pipe.{extension}");
        let (code, wanted) = run(&folder, &line(input));
        assert_eq!(code, 0, "{command}: {wanted}");
        let piping = format!("mkfifo {pipe}; cat {input} > {pipe} & {}", line(&pipe));
        let (code, piped) = run(&folder, &piping);
        assert_eq!(code, 0, "{command}: {piped}");
        assert_eq!(piped.replace(&pipe, input), wanted, "{command}");
        let zero = format!("zero.{extension}");
        symlink("/dev/zero", folder.0.path().join(&zero)).unwrap();
        let (code, text) = run(&folder, &line(&zero).replace(" 2>/dev/null", ""));
        let is_refused = [CANNOT_READ, USAGE].contains(&code) || command.contains("; ");
        let is_told = text.contains("it is a device, not a file");
        assert!(is_refused && is_told, "{command}: {code} {text}");
        shell(&folder, &format!("rm -f {pipe} {zero} a.obj"));
    }
    shell(&folder, "mkfifo pipe");
    let twice = "cat map.onion > pipe & $onionc diff pipe pipe";
    let (code, text) = run(&folder, twice);
    assert_eq!(code, CANNOT_READ, "{text}");
    assert!(text.contains("which can be read only once"), "{text}");
    let (code, text) = run(&folder, "$onionc pipe --hull s:1x1 --watch");
    assert_eq!(code, USAGE, "{text}");
}

#[test]
fn a_buffer_beside_a_scene_is_a_file() {
    let folder = folder_of_inputs();
    for make in [
        "mkfifo scene.bin",
        "ln -s /dev/zero scene.bin",
        "mkdir scene.bin",
    ] {
        shell(&folder, &format!("rm -rf scene.bin; {make}"));
        let (code, text) = run(&folder, "$onionc scene.gltf --hull s:1x1");
        assert_eq!(code, BAD_INPUT, "{make}: {text}");
        assert_says(&text, &["\"scene.bin\" beside the scene: it is not a file"]);
    }
    let scene = folder.read("scene.gltf");
    let scene = String::from_utf8(scene).unwrap();
    let at = scene.find("\"byteLength\"").unwrap();
    let huge = scene[at..].replacen(|digit: char| digit.is_ascii_digit(), "99999999999", 1);
    folder.write("huge.gltf", format!("{}{huge}", &scene[..at]));
    let (code, text) = run(&folder, "$onionc huge.gltf --hull s:1x1");
    assert_eq!(code, BAD_INPUT, "{text}");
    assert!(text.contains("bytes, the most that is read"), "{text}");
}

/// Without a limit, each would be read until the memory is used up.
#[test]
fn inputs_have_a_limit() {
    let folder = Folder::with_onion("room");
    let file = fs::File::create(folder.0.path().join("long.bsp")).unwrap();
    file.set_len(1 << 40).unwrap();
    for command in [
        "long.bsp --hull s:1x1",
        "info long.bsp",
        "point map.onion --batch long.bsp",
    ] {
        let (code, text) = run(&folder, &format!("$onionc {command}"));
        assert_eq!(code, BAD_INPUT, "{command}: {text}");
        assert_says(&text, &["1073741824 bytes, the most that is read"]);
    }
    let (code, text) = run(&folder, "cat /dev/zero | $onionc info -");
    assert_eq!(code, BAD_INPUT, "{text}");
    folder.write("onion.toml", "a".repeat(10_000_000));
    let begun = Instant::now();
    let (code, text) = run(&folder, "$onionc map.bsp");
    assert_eq!(code, BAD_INPUT);
    assert!(text.len() < 1000 && begun.elapsed() < PATIENCE / 10);
    folder.write("onion.toml", format!("{} = 1\n", "a".repeat(1_000_000)));
    let (code, text) = run(&folder, "$onionc map.bsp");
    assert_eq!(code, BAD_INPUT);
    assert!(text.len() < 1000 && begun.elapsed() < PATIENCE / 10);
}

#[cfg(unix)]
#[test]
fn a_file_that_is_replaced_keeps_its_mode() {
    use std::fs::{Permissions, metadata, set_permissions};
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::with_onion("room");
    let file = folder.0.path().join("map.onion");
    for mode in [0o640, 0o604] {
        set_permissions(&file, Permissions::from_mode(mode)).unwrap();
        folder.succeed("map.bsp --hull stand:16x56 --force");
        assert_eq!(metadata(&file).unwrap().permissions().mode() & 0o777, mode);
    }
}
