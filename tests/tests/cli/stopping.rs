//! Failures outside of the command: it is stopped while it works, disks are full, folders are read-only. It leaves no
//! partial files, and suggests a remedy. Also the progress that it shows on a terminal while it works.
#![cfg(unix)]

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use onion_tests::skips::skip;

use crate::folder::*;

/// Runs a line of the shell in a folder, where `$onionc` is the command.
fn shell(folder: &Folder, line: &str) -> Output {
    Command::new("sh")
        .args(["-c", line])
        .env("onionc", binary())
        .env_remove("NO_COLOR")
        .env("TERM", "xterm")
        .current_dir(folder.0.path())
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Makes a folder with copies of a map that takes a few milliseconds.
fn folder_of_copies(n_copies: usize) -> Folder {
    let folder = Folder::new();
    folder.make_folder("maps");
    for number in 0..n_copies {
        folder.write(&format!("maps/{number}.bsp"), sample_bytes("room"));
    }
    folder
}

/// The signals that stop a command: sent by a key, by `kill`, or by a terminal that closes.
const SIGNALS: [(&str, i32); 4] = [("HUP", 1), ("INT", 2), ("QUIT", 3), ("TERM", 15)];

/// After a signal at any moment, some of the targets exist and are whole, and no other files are left.
#[test]
fn a_signal_leaves_nothing_half_done() {
    let folder = folder_of_copies(40);
    let hulls = "--hull stand:16x56 --brushes";
    folder.succeed(&format!("maps/0.bsp {hulls} -o whole.onion"));
    let whole = folder.read("whole.onion");
    let build = folder.0.path().join("build");
    let mut n_stopped = 0;
    let mut n_files = 0;
    for (trial, (signal, number)) in SIGNALS.into_iter().cycle().take(24).enumerate() {
        let _ = fs::remove_dir_all(&build);
        let mut child = Command::new(binary())
            .args(format!("maps {hulls} -o build/").split(' '))
            .current_dir(folder.0.path())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // Waits until it writes, which is later on a busy machine; then slightly longer each time.
        let has_begun = || fs::read_dir(&build).is_ok_and(|mut files| files.next().is_some());
        while !has_begun() && child.try_wait().unwrap().is_none() {
            thread::yield_now();
        }
        thread::sleep(Duration::from_micros(700 * trial as u64));
        let kill = ["-s", signal, &child.id().to_string()].map(str::to_owned);
        Command::new("kill").args(kill).status().unwrap();
        let output = child.wait_with_output().unwrap();
        if output.status.signal() == Some(number) {
            n_stopped += 1;
            let message = text(&output.stderr);
            assert_says(&message, &["error: interrupted; ", "run it again"]);
        } else {
            assert!(output.status.success(), "{:?}", output.status);
        }
        for entry in fs::read_dir(&build).into_iter().flatten() {
            let path = entry.unwrap().path();
            assert_eq!(path.extension().unwrap_or_default(), "onion", "{path:?}");
            assert!(fs::read(&path).unwrap() == whole, "{path:?}");
            n_files += 1;
        }
    }
    assert!(n_stopped >= 4, "only {n_stopped} trials were stopped");
    assert!(n_files > 0, "no trial had begun to write");
}

/// A command that `nohup` starts outlives its terminal.
#[test]
fn a_signal_that_is_ignored_stops_nothing() {
    let folder = folder_of_copies(400);
    for (signal, _) in SIGNALS {
        let start = "$onionc maps --hull stand:16x56 --force >/dev/null & child=$!; sleep 0.02";
        let line = format!("trap '' {signal}; {start}; kill -{signal} $child; wait $child");
        let output = shell(&folder, &line);
        let message = text(&output.stderr);
        assert!(output.status.success(), "{signal}: {message}");
        assert_eq!(message, "", "{signal}");
    }
}

/// The message is lost; the exit code remains.
#[test]
fn an_error_that_cannot_be_told_is_no_panic() {
    let folder = Folder::with_map("room");
    let lines = [
        ("info none.onion", CANNOT_READ),
        ("map.bsp --what", USAGE),
        (
            "map.bsp --hull stand:16x56 --fill-from info_* --fill-from none",
            0,
        ),
    ];
    for (line, code) in lines {
        for way in ["2>/dev/full", "2>&-"] {
            let output = shell(&folder, &format!("$onionc {line} {way}"));
            assert_eq!(output.status.code(), Some(code), "{line} {way}");
        }
    }
}

#[test]
fn a_full_disk_is_named_as_one() {
    let folder = Folder::with_onion("room");
    if fs::metadata("/dev/full").is_err() {
        skip("full disks: there is no /dev/full");
        return;
    }
    let lines = [
        "$onionc info map.onion >/dev/full",
        "$onionc point map.onion --at 0,0,24 >/dev/full",
        "$onionc map.bsp --hull stand:16x56 -o - >/dev/full",
        "$onionc map.bsp --hull stand:16x56 --force >/dev/full",
    ];
    for line in lines {
        let output = shell(&folder, line);
        let message = text(&output.stderr);
        assert_eq!(
            output.status.code(),
            Some(CANNOT_WRITE),
            "{line}: {message}"
        );
        let said = "cannot write to standard output: No space left on device (os error 28); make room on the disk";
        assert!(message.contains(said), "{line}: {message}");
    }
}

/// Without further measures, the system kills a process that writes too much, and its temporary file stays.
#[test]
fn a_file_that_may_not_grow_is_an_error() {
    let folder = Folder::with_map("courtyard");
    let before = folder.names();
    for command in [
        "map.bsp --hull stand:16x56",
        "map.bsp --hull stand:16x56 --dump tree -o x.obj",
    ] {
        let output = shell(&folder, &format!("ulimit -f 8; $onionc {command}"));
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(CANNOT_WRITE), "{message}");
        assert_says(&message, &["cannot write ", "ulimit -f"]);
        assert_eq!(folder.names(), before, "nothing is left");
    }
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let folder = Folder::with_map("room");
    let hull = "--hull stand:16x56";
    let words = ["cannot write none/a.onion", "create the folder none"];
    folder.fail(
        &format!("map.bsp {hull} -o none/a.onion"),
        CANNOT_WRITE,
        &words,
    );
    // A place where even root may not write.
    if fs::metadata("/proc/sys/kernel").is_err() || fs::write("/proc/sys/kernel/onion", "").is_ok()
    {
        skip("folders that cannot be written: there is no /proc/sys/kernel");
        return;
    }
    let words = [
        "cannot write /proc/sys/kernel/a.onion",
        "the folder /proc/sys/kernel",
        "-o",
    ];
    folder.fail(
        &format!("map.bsp {hull} -o /proc/sys/kernel/a.onion"),
        CANNOT_WRITE,
        &words,
    );
}

/// Returns the output of a command on a terminal, which `script` makes, or `None` if `script` is not installed.
fn on_terminal(folder: &Folder, command: &str) -> Option<String> {
    let line = format!("script -qec \"{command}\" /dev/null </dev/null");
    let output = shell(folder, &line);
    output.status.success().then(|| text(&output.stdout))
}

/// A number of maps that take far longer than the delay before the bar appears.
const MANY: usize = 30;

#[test]
fn long_work_shows_its_stages_on_a_terminal_only() {
    let folder = Folder::new();
    folder.make_folder("maps");
    for number in 0..MANY {
        folder.write(&format!("maps/{number}.bsp"), sample_bytes("courtyard"));
    }
    let command = "maps --hull stand:16x56 --hull crouch:16x32 --hull bullet:point --group auto --brushes --force --threads 1";
    let Some(shown) = on_terminal(&folder, &format!("$onionc {command}")) else {
        skip("the bar of progress: there is no script (util-linux)");
        return;
    };
    let of_all = format!(" of {MANY} maps, ");
    let all = format!("{MANY} maps: {MANY} compiled");
    // The maps in work, and their stages.
    assert_says(&shown, &[&of_all, " a second", ".bsp: ", " of 14)", &all]);
    let piped = folder.run(command);
    assert_eq!(piped.stderr, "");
    assert!(!piped.stdout.contains(&of_all), "{}", piped.stdout);
    let quiet = on_terminal(&folder, &format!("$onionc {command} --quiet")).unwrap();
    assert_eq!(quiet, "");
}

#[test]
fn messages_have_colors_where_they_are_wanted() {
    const RED: &str = "\x1b[31m";
    let folder = Folder::new();
    let colored = |options: &str| {
        let run = folder.run(&format!("info none.onion {options}"));
        assert_eq!(run.code, CANNOT_READ);
        let plain = run
            .stderr
            .replace("\x1b[1m", "")
            .replace(RED, "")
            .replace("\x1b[0m", "");
        assert!(
            plain.starts_with("onionc: error: cannot read none.onion"),
            "{plain:?}"
        );
        run.stderr.contains(RED)
    };
    assert!(!colored(""));
    assert!(!colored("--color auto"));
    assert!(!colored("--color=never"));
    assert!(colored("--color always"));
    let usage = folder.run("info --color=always --what");
    // Clap's own.
    assert_says(&usage.stderr, &["\x1b["]);
    folder.fail(
        "info none.onion --color sometimes",
        USAGE,
        &["--color", "auto"],
    );
    let on_terminal =
        |line: &str| on_terminal(&folder, &format!("{line} $onionc info none.onion || true"));
    let Some(shown) = on_terminal("") else {
        skip("colors on a terminal: there is no script (util-linux)");
        return;
    };
    assert!(shown.contains(RED), "{shown:?}");
    assert!(!on_terminal("NO_COLOR=1").unwrap().contains(RED));
}
