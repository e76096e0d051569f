//! The stages of a compile have one order and one set of numbers: in the list of stages, in the headers of
//! their modules, in `ARCHITECTURE.md`, in `compile()`, and in the report of every compile.

use onion_compiler::stage::Stage;
use onion_tests::{samples, subject};

use crate::sources;

/// Limit on the lines of `compile()`, from its signature to its closing brace.
const LINES_OF_COMPILE: usize = 28;

fn source(path: &str) -> Option<String> {
    let all = sources::of_crate("compiler/core").into_iter();
    let mut found = all.filter(|source| source.path == path);
    found.next().map(|source| source.text)
}

#[test]
fn modules_and_architecture_number_the_stages_alike() {
    let architecture = include_str!("../../../compiler/ARCHITECTURE.md");
    let headings = architecture
        .lines()
        .filter_map(|line| line.strip_prefix("### "));
    let expected = Stage::ALL.map(|stage| format!("{}. {stage}", stage.number()));
    assert_eq!(headings.collect::<Vec<_>>(), expected);
    for stage in Stage::ALL {
        let files = [
            format!("compiler/core/src/{stage}.rs"),
            format!("compiler/core/src/{stage}/mod.rs"),
        ];
        let text = files.iter().find_map(|path| source(path)).unwrap();
        let header = format!("//! Stage {}, {stage}, ", stage.number());
        assert!(text.starts_with(&header), "{stage}: {header}");
    }
}

#[test]
fn every_compile_reports_every_stage_in_order() {
    let (_, bytes) = &samples::all()[0];
    let compiled = subject::compile_map(&subject::parse(bytes), subject::hulls(&subject::HULLS));
    let stages = compiled.report.stages.iter().map(|&(stage, _)| stage);
    assert_eq!(stages.collect::<Vec<_>>(), Stage::ALL);
    let numbers = Stage::ALL.map(Stage::number);
    assert!(numbers.into_iter().eq(1..=Stage::ALL.len()));
}

#[test]
fn compile_is_one_screen() {
    let text = source("compiler/core/src/lib.rs").unwrap();
    let from = text.find("pub fn compile(").unwrap();
    let body = text[from..].split_inclusive("\n}\n").next().unwrap();
    let n_lines = body.lines().count();
    assert!(n_lines <= LINES_OF_COMPILE, "{n_lines} lines");
    let calls = Stage::ALL.map(|stage| body.find(&format!("{stage}::")).unwrap());
    assert!(calls.is_sorted(), "{calls:?}");
    assert_eq!(body.matches("report.lap(").count(), Stage::ALL.len());
}
