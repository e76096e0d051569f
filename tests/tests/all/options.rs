//! Options that a compile refuses: a program that makes its hulls itself, instead of with `resolve`, gets an error that
//! says what is wrong, and never a wrong file.

use onion_compiler::{CompileOptions, Fill, Grouping, compile};
use onion_tests::cases::sample_case;
use onion_tests::subject;

/// Checks the error of a compile whose options are as `change` leaves them.
fn refuses(change: impl FnOnce(&mut CompileOptions), expected: &str) {
    let mut options = CompileOptions::new(subject::hulls(&["stand:16x56", "crouch:16x32"]));
    change(&mut options);
    let error = compile(&sample_case("low_tunnel").map, &options).unwrap_err();
    assert!(error.to_string().contains(expected), "{error}");
}

#[test]
fn options_that_no_stage_can_follow_are_refused() {
    refuses(|all| all.hulls.clear(), "give at least one hull");
    refuses(|all| all.hulls[1].mins[0] -= 0.0001, "hull crouch: a");
    refuses(|all| all.hulls[0].maxs[2] = f32::NAN, "hull stand: the");
    refuses(|all| all.hulls[0].maxs[2] = -99.0, "inside out");
    refuses(|all| all.hulls[1].name = "stand".into(), "used twice");
    refuses(|all| all.hulls.resize(65, all.hulls[0].clone()), "65 hulls");
    let group = vec![vec!["stand".to_owned()]];
    refuses(|all| all.grouping = Grouping::Named(group), "in no group");
    refuses(|all| all.patch_error = 0.0, "patch error");
    refuses(|all| all.fill = Fill::From(Vec::new()), "at least one");
}
