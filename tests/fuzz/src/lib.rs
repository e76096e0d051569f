//! Programs that fuzz the targets of `onion_tests::fuzz` with libFuzzer, one for each target, in `bin`. libFuzzer
//! makes half of the changes of inputs, and the target the other half.

pub mod seeds;

use onion_tests::fuzz::Target;
use onion_tests::random::Random;

/// Defines the `main` of a target's program.
#[macro_export]
macro_rules! program {
    ($target:ident) => {
        libfuzzer_sys::fuzz_target!(init: $crate::seeds::write(&onion_tests::fuzz::$target), |input: &[u8]| {
            (onion_tests::fuzz::$target.run)(input)
        });
        libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max: usize, seed: u32| {
            $crate::change(&onion_tests::fuzz::$target, data, size, max, seed)
        });
    };
}

/// Changes the first `size` bytes of `data`, to at most `max` bytes, and returns their new number.
pub fn change(target: &Target, data: &mut [u8], size: usize, max: usize, seed: u32) -> usize {
    let mut random = Random::new(seed.into());
    let mut input = if random.below(2) == 0 {
        let size = libfuzzer_sys::fuzzer_mutate(data, size, max);
        let mut input = data[..size].to_vec();
        (target.mend)(&mut input);
        input
    } else {
        let mut input = data[..size].to_vec();
        (target.mutate)(&mut input, &mut random);
        input
    };
    input.truncate(max);
    data[..input.len()].copy_from_slice(&input);
    input.len()
}
