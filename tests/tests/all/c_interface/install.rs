//! `make install` for C: programs find the installed files by `pkg-config` and by CMake, and the shared library has
//! the version of its interface in its name. Parts for which a tool is missing are skipped.

use std::fs;
use std::path::Path;
use std::process::Command;

use onion_tests::command;
use onion_tests::fixtures::has_or_skips;
use tempfile::TempDir;

use super::{c_compiler, interface, succeed};

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A program that needs no file: it prints the version of the library.
const PROGRAM: &str = "#include <onion.h>\n#include <stdio.h>\n\
    int main(void) { printf(\"%06x %06x\\n\", (unsigned)onion_version(), ONION_VERSION); return 0; }\n";

const PROJECT: &str = "cmake_minimum_required(VERSION 3.16)\nproject(game C)\n\
    find_package(onion 0.1 REQUIRED)\n\
    add_executable(shared game.c)\ntarget_link_libraries(shared PRIVATE onion::onion)\n\
    add_executable(static game.c)\ntarget_link_libraries(static PRIVATE onion::static)\n";

/// Whether a part can run.
fn has_tool(tool: &str, part: &str) -> bool {
    has_or_skips(tool, &format!("the installed library for C by {part}"))
}

/// Returns the output of an installed program.
fn run(program: &Path, libraries: &Path) -> String {
    let output = succeed(Command::new(program).env("LD_LIBRARY_PATH", libraries));
    String::from_utf8(output.stdout).unwrap()
}

/// Returns `make install`, which builds in a folder. The library compiles fast, because what is installed does not
/// depend on its speed.
fn make_install(folder: &TempDir) -> Command {
    let fast =
        ["lto=false", "opt-level=0"].map(|entry| format!("--config profile.library.{entry}"));
    let mut make = Command::new("make");
    make.arg("-C").arg(interface().canonicalize().unwrap());
    make.args(["install", &format!("CARGO=cargo {}", fast.join(" "))]);
    let target = command::target_folder().unwrap().join("c-library");
    make.arg(format!("CARGO_TARGET_DIR={}", target.display()));
    make.arg(format!("BUILD={}", folder.path().join("build").display()));
    make
}

#[test]
fn programs_find_what_was_installed() {
    if cfg!(not(target_os = "linux")) || !has_tool("make", "make") {
        return;
    }
    let folder = TempDir::new().unwrap();
    let prefix = folder.path().join("prefix");
    succeed(make_install(&folder).arg(format!("PREFIX={}", prefix.display())));
    let libraries = prefix.join("lib");
    let interface_version = &VERSION[..VERSION.rfind('.').unwrap()];
    let versioned = format!("libonion.so.{interface_version}");
    assert!(libraries.join(&versioned).is_file());
    assert_eq!(
        fs::read_link(libraries.join("libonion.so")).unwrap(),
        Path::new(&versioned)
    );
    fs::write(folder.path().join("game.c"), PROGRAM).unwrap();
    if has_tool("pkg-config", "pkg-config") {
        by_pkg_config(folder.path(), &libraries, &versioned);
    }
    if has_tool("cmake", "CMake") {
        by_cmake(folder.path(), &prefix);
    }
}

/// The shared library is compiled once, with all else.
#[test]
fn a_prefix_becomes_absolute_and_nothing_is_compiled_twice() {
    if cfg!(not(target_os = "linux")) || !has_tool("make", "make") {
        return;
    }
    let folder = TempDir::new().unwrap();
    let interface = interface().canonicalize().unwrap();
    let make = |options: &[&str]| {
        let mut make = make_install(&folder);
        make.arg("PREFIX=opt");
        make.arg(format!("DESTDIR={}", folder.path().display()));
        String::from_utf8(succeed(make.args(options)).stdout).unwrap()
    };
    assert_eq!(make(&["--dry-run"]).matches(" rustc ").count(), 1);
    make(&[]);
    let prefix = interface.join("opt");
    let installed = folder.path().join(prefix.strip_prefix("/").unwrap());
    let told = fs::read_to_string(installed.join("lib/pkgconfig/onion.pc")).unwrap();
    let paths = [
        ("prefix", ""),
        ("libdir", "/lib"),
        ("includedir", "/include"),
    ];
    for (name, below) in paths {
        let line = format!("{name}={}{below}\n", prefix.display());
        assert!(told.contains(&line), "{told}");
    }
    let cmake = fs::read_to_string(installed.join("lib/cmake/onion/onion-config.cmake")).unwrap();
    let library = format!("\"{}/lib/libonion.a\"", prefix.display());
    assert!(cmake.contains(&library), "{cmake}");
}

fn by_pkg_config(folder: &Path, libraries: &Path, versioned: &str) {
    let mut pkg_config = Command::new("pkg-config");
    pkg_config.env("PKG_CONFIG_PATH", libraries.join("pkgconfig"));
    let flags = succeed(pkg_config.args(["--cflags", "--libs", &format!("onion = {VERSION}")]));
    let flags = String::from_utf8(flags.stdout).unwrap();
    let program = folder.join("game");
    let mut compiler = Command::new(c_compiler());
    compiler.arg("-o").arg(&program).arg(folder.join("game.c"));
    succeed(compiler.args(flags.split_whitespace()));
    assert_eq!(run(&program, libraries), "000100 000100\n");
    // The program is linked to the versioned name, so it does not find another version.
    let bytes = fs::read(&program).unwrap();
    let asked = [versioned.as_bytes(), b"\0"].concat();
    assert!(bytes.windows(asked.len()).any(|window| window == asked));
}

fn by_cmake(folder: &Path, prefix: &Path) {
    fs::write(folder.join("CMakeLists.txt"), PROJECT).unwrap();
    let build = folder.join("build");
    let mut configure = Command::new("cmake");
    configure.arg("-S").arg(folder).arg("-B").arg(&build);
    succeed(configure.arg(format!("-DCMAKE_PREFIX_PATH={}", prefix.display())));
    succeed(Command::new("cmake").arg("--build").arg(&build));
    for program in ["shared", "static"] {
        let output = run(&build.join(program), &prefix.join("lib"));
        assert_eq!(output, "000100 000100\n");
    }
}
