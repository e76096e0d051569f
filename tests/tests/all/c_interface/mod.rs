//! The C interface from outside: the layouts that C sees, the answers and refusals of the library, and the example
//! against `onionc trace`.

mod bytes;
mod calls;
mod example;
mod install;
mod layouts;
mod paths;
mod shapes;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use onion_tests::command;
use tempfile::TempDir;

/// The flags that C users compile the header with.
const C_FLAGS: [&str; 5] = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic"];

/// The system libraries that Rust's standard library needs.
const SYSTEM_LIBRARIES: [&str; 3] = ["-lpthread", "-ldl", "-lm"];

/// Returns the folder of the header and the example.
pub(crate) fn interface() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime/c")
}

/// Returns the folder of the library.
fn library() -> PathBuf {
    command::library_folder().unwrap()
}

fn c_compiler() -> String {
    command::compiler("CC", &["cc", "gcc", "clang"]).expect("a C compiler; set CC")
}

/// Returns the path of a C program beside this file.
pub(crate) fn source(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/all/c_interface");
    folder.join(name)
}

/// Runs a command that must succeed.
pub(crate) fn succeed(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}\n{stderr}");
    output
}

/// Returns the example, which is compiled once.
pub(crate) fn example() -> &'static Path {
    static EXAMPLE: OnceLock<(PathBuf, TempDir)> = OnceLock::new();
    let build = || {
        let folder = TempDir::new().unwrap();
        (
            program(&interface().join("example.c"), &[], &folder),
            folder,
        )
    };
    &EXAMPLE.get_or_init(build).0
}

/// Compiles a C program and links the static library, with more options.
pub(crate) fn program(source: &Path, options: &[&str], folder: &TempDir) -> PathBuf {
    let program = folder.path().join(source.file_stem().unwrap());
    let mut compiler = Command::new(c_compiler());
    compiler.args(C_FLAGS).args(["-O1", "-I"]).arg(interface());
    compiler.arg("-o").arg(&program).args(options).arg(source);
    compiler.arg(library().join("libonion.a"));
    succeed(compiler.args(SYSTEM_LIBRARIES));
    program
}
