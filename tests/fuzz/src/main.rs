//! Fuzzes the target of `onion_tests::fuzz` that the environment variable `ONION_FUZZ_TARGET` names, with libFuzzer,
//! which makes half of the changes of inputs, and the target the other half. `tests/fuzz/run` starts it.
#![no_main]

mod seeds;

use std::sync::LazyLock;

use onion_tests::fuzz::{TARGETS, Target};
use onion_tests::random::Random;

static TARGET: LazyLock<&Target> = LazyLock::new(|| {
    let name = std::env::var("ONION_FUZZ_TARGET").expect("ONION_FUZZ_TARGET names a target");
    let mut targets = TARGETS.into_iter();
    let target = targets.find(|target| target.name == name);
    target.expect("there is no target of the name in ONION_FUZZ_TARGET")
});

libfuzzer_sys::fuzz_target!(init: seeds::write(&TARGET), |input: &[u8]| (TARGET.run)(input));
libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max: usize, seed: u32| {
    change(&TARGET, data, size, max, seed)
});

/// Changes the first `size` bytes of `data`, to at most `max` bytes, and returns their new number.
fn change(target: &Target, data: &mut [u8], size: usize, max: usize, seed: u32) -> usize {
    let mut random = Random::new(seed.into());
    let is_own = random.below(2) != 0;
    let size = if is_own {
        size
    } else {
        libfuzzer_sys::fuzzer_mutate(data, size, max)
    };
    let mut input = data[..size].to_vec();
    if is_own {
        (target.mutate)(&mut input, &mut random);
    } else {
        (target.mend)(&mut input);
    }
    input.truncate(max);
    data[..input.len()].copy_from_slice(&input);
    input.len()
}
