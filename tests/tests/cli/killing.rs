//! The files that a compile leaves under any circumstances: a target is the old file or the new one, never a third
//! state. Compiles are killed at random moments, run at the same time, and lose their target while they work.
#![cfg(unix)]

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use onion_tests::effort::Cases;
use onion_tests::random::Random;

use crate::folder::*;

/// Number of compiles that are killed. `ONION_EFFORT=10` makes 1,000 of the long run's.
const KILLS: Cases = Cases::new(40, 100);
/// Number of pairs of compiles at the same time, and of targets that are replaced.
const RACES: usize = 12;

/// Hulls of the old and of the new file.
const OLD: &str = "--hull stand:16x56";
const NEW: &str = "--hull stand:16x56 --hull crouch:16x32 --brushes";

/// Makes a folder with a map, and returns the outputs of its two compiles.
fn with_both() -> (Folder, [Vec<u8>; 2]) {
    let folder = Folder::with_map("wedge");
    let both = [OLD, NEW].map(|hulls| {
        folder.succeed(&format!("map.bsp {hulls} -o both.onion --force"));
        folder.read("both.onion")
    });
    fs::remove_file(folder.0.path().join("both.onion")).unwrap();
    assert!(both[0] != both[1]);
    (folder, both)
}

/// Starts a compile of the target.
fn begin(folder: &Folder, hulls: &str) -> Child {
    Command::new(binary())
        .args(format!("map.bsp {hulls} -o target.onion --force").split(' '))
        .current_dir(folder.0.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Measures the duration of a compile, from its start to its end.
fn duration(folder: &Folder) -> Duration {
    let begun = Instant::now();
    assert!(begin(folder, NEW).wait().unwrap().success());
    begun.elapsed()
}

/// Removes the temporary files of killed compiles, and returns their number. No other files may be there.
fn clear(folder: &Path) -> usize {
    let names = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let left = names.filter(|name| !["map.bsp", "target.onion"].contains(&name.as_str()));
    left.map(|name| {
        assert!(name.starts_with(".onionc-"), "{name}");
        fs::remove_file(folder.join(name)).unwrap();
    })
    .count()
}

#[test]
fn a_killed_compile_leaves_the_old_file_or_the_new_one() {
    let (folder, [old, new]) = with_both();
    let whole = duration(&folder);
    let mut random = Random::new(9);
    let mut counts = [0; 2];
    let mut n_killed = 0;
    let mut n_left = 0;
    for _ in 0..KILLS.count() {
        folder.write("target.onion", &old);
        let mut child = begin(&folder, NEW);
        thread::sleep(whole.mul_f64(random.between(0.0, 1.1)));
        // Fails only if the compile has ended already.
        let _ = child.kill();
        n_killed += usize::from(child.wait().unwrap().signal() == Some(9));
        let found = folder.read("target.onion");
        let which = [&old, &new].iter().position(|file| **file == found);
        counts[which.expect("the target is neither the old file nor the new one")] += 1;
        n_left += clear(folder.0.path());
    }
    println!(
        "{} compiles, {n_killed} killed: {counts:?} old and new, {n_left} temporary files",
        KILLS.count()
    );
    assert!(n_killed >= KILLS.count() / 4, "only {n_killed} were killed");
    assert!(counts[0] > 0);
    assert!(duration(&folder) > Duration::ZERO);
    assert!(
        folder.read("target.onion") == new,
        "what is left does not hinder the next compile"
    );
}

#[test]
fn of_two_compiles_of_one_target_one_wins() {
    let (folder, both) = with_both();
    for _ in 0..RACES {
        folder.write("target.onion", &both[0]);
        let mut children = [OLD, NEW, NEW].map(|hulls| begin(&folder, hulls));
        while children
            .iter_mut()
            .any(|child| child.try_wait().unwrap().is_none())
        {
            let found = folder.read("target.onion");
            assert!(both.contains(&found), "a reader saw a third thing");
        }
        for mut child in children {
            assert!(child.wait().unwrap().success());
        }
        assert_eq!(clear(folder.0.path()), 0);
    }
}

/// While a compile works, another process puts a file or a folder in the place of its target, or removes it.
#[test]
fn a_target_that_changes_meanwhile_is_replaced_whole_or_left() {
    let (folder, [old, new]) = with_both();
    let whole = duration(&folder);
    let target = folder.0.path().join("target.onion");
    let mut random = Random::new(11);
    for trial in 0..RACES {
        folder.write("target.onion", &old);
        let mut child = begin(&folder, NEW);
        thread::sleep(whole.mul_f64(random.between(0.0, 1.0)));
        fs::remove_file(&target).unwrap();
        let is_folder = trial % 3 == 0 && fs::create_dir(&target).is_ok();
        if trial % 3 == 1 {
            folder.write("other.onion", b"another program's");
            fs::rename(folder.0.path().join("other.onion"), &target).unwrap();
        }
        let succeeded = child.wait().unwrap().success();
        if is_folder {
            // Moved into place before, refused, or taken for the folder to write into.
            let inside = fs::read(target.join("map.onion"));
            assert!(inside.is_err() || inside.unwrap() == new, "{trial}");
            let names = fs::read_dir(&target)
                .unwrap()
                .map(|entry| entry.unwrap().file_name());
            assert!(names.into_iter().all(|name| name == "map.onion"), "{trial}");
            fs::remove_dir_all(&target).unwrap();
        } else {
            let found = fs::read(&target).ok();
            let gone = trial % 3 == 2 && found.is_none();
            let others = found.as_deref() == Some(b"another program's");
            assert!(
                others || succeeded && (gone || found.as_ref() == Some(&new)),
                "{trial}"
            );
        }
        assert_eq!(clear(folder.0.path()), 0, "{trial}");
    }
}
