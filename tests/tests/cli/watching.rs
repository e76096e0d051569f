//! `--watch`: files that change are compiled again and others are left alone, new maps and a new hull count as
//! changes, and errors do not end it.
#![cfg(unix)]

use std::fs;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::folder::*;

/// Time limit for any step on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A watch that ends with the test.
struct Watch(Child);

impl Drop for Watch {
    fn drop(&mut self) {
        let id = self.0.id().to_string();
        // Shells let background processes ignore SIGINT.
        let _ = Command::new("kill").args(["-s", "TERM", &id]).status();
        let _ = self.0.wait();
    }
}

fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < PATIENCE, "never: {what}");
        thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn what_changes_is_compiled_again() {
    let folder = Folder::new();
    folder.make_folder("maps");
    folder.write("maps/a.bsp", sample_bytes("room"));
    folder.write("onion.toml", "hull = ['stand:16x56']\noutput = 'build'\n");
    let output = fs::File::create(folder.0.path().join("log")).unwrap();
    let errors = output.try_clone().unwrap();
    let watch = Command::new(binary())
        .args(["maps", "--watch"])
        .current_dir(folder.0.path())
        .stdout(output)
        .stderr(errors)
        .stdin(Stdio::null())
        .spawn();
    let watch = Watch(watch.unwrap());
    let log = || folder.read_text("log");
    let n_watching = || log().matches("onionc: watching; ").count();
    wait_until("the first compile", || n_watching() == 1);
    assert!(log().contains("wrote build/a.onion"), "{}", log());
    folder.write("maps/b.bsp", sample_bytes("wedge"));
    wait_until("a new map", || n_watching() == 2);
    assert!(log().contains("up to date: build/a.onion") && log().contains("wrote build/b.onion"));
    folder.write("maps/a.bsp", "no map");
    wait_until("an error", || n_watching() == 3);
    assert!(log().contains("error: maps/a.bsp: not a map"), "{}", log());
    folder.write("maps/a.bsp", sample_bytes("door"));
    folder.write(
        "onion.toml",
        "hull = ['stand:16x56', 'crouch:16x32']\noutput = 'build'\n",
    );
    let n_hulls = |name: &str| {
        let info = folder.succeed_json(&format!("info build/{name}.onion --json"));
        info["hulls"].as_array().unwrap().len()
    };
    wait_until("another hull", || n_hulls("a") == 2 && n_hulls("b") == 2);
    drop(watch);
    folder.fail(
        "- --hull stand:16x56 --watch",
        USAGE,
        &["--watch", "standard input"],
    );
}
