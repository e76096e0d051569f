//! The targets for fuzzing without a fuzzer: runs the kept corpora again, all inputs that once caused crashes, and
//! seeds with random changes.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use onion_runtime::OnionMap;
use onion_runtime::navigation::LinkKind;
use onion_tests::effort::Cases;
use onion_tests::fuzz::{TARGETS, Target};
use onion_tests::random::Random;
use rayon::prelude::*;

/// Number of changed seeds of each target.
const CHANGES: Cases = Cases::new(200, 1_000);

/// Returns the inputs that are kept for a target.
fn kept(target: &Target) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz");
    let folders = ["corpus", "crashes"].map(|kind| folder.join(kind).join(target.name));
    let entries = folders
        .iter()
        .flat_map(|folder| fs::read_dir(folder).into_iter().flatten());
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

#[test]
fn kept_inputs_do_no_harm() {
    let n_inputs: usize = TARGETS
        .iter()
        .map(|target| {
            let paths = kept(target);
            paths.par_iter().for_each(|path| {
                println!("{}", path.display());
                (target.run)(&fs::read(path).unwrap());
            });
            paths.len()
        })
        .sum();
    assert!(n_inputs >= TARGETS.len(), "the corpora are not there");
}

#[test]
fn changed_seeds_do_no_harm() {
    TARGETS.into_par_iter().for_each(|target| {
        let seeds = (target.seeds)();
        assert!(!seeds.is_empty(), "{}", target.name);
        seeds.par_iter().for_each(|seed| (target.run)(seed));
        (0..CHANGES.count()).into_par_iter().for_each(|number| {
            let mut random = Random::new(number as u64);
            let mut input = seeds[number % seeds.len()].clone();
            for _ in 0..1 + random.below(4) {
                (target.mutate)(&mut input, &mut random);
            }
            (target.run)(&input);
        });
    });
}

/// Returns the seeds of the target of compiled files.
fn onion_files() -> (&'static Target, Vec<Vec<u8>>) {
    let named = TARGETS.iter().find(|target| target.name == "onion_files");
    let target = named.unwrap();
    (target, (target.seeds)())
}

/// Small enough for a fuzzer, and with links of all kinds.
#[test]
fn seeds_have_links_of_all_kinds() {
    let mut kinds = HashSet::new();
    for seed in onion_files().1 {
        assert!(seed.len() < 16_384, "{}", seed.len());
        let map = OnionMap::from_bytes(seed).unwrap();
        let links = (0..map.n_links()).filter_map(|number| map.link(number as u32));
        kinds.extend(links.map(|link| link.kind));
    }
    assert_eq!(kinds.len(), LinkKind::ALL.len(), "{kinds:?}");
}

/// A mutator that always broke its input would test nothing beyond the first check.
#[test]
fn some_changed_files_load() {
    let (target, mut seeds) = onion_files();
    let seed = seeds.swap_remove(0);
    let loads = |number: u64| {
        let mut input = seed.clone();
        (target.mutate)(&mut input, &mut Random::new(number));
        input != seed && OnionMap::from_bytes(&input).is_ok()
    };
    let n_loaded = (0..400).filter(|&number| loads(number)).count();
    assert!((20..380).contains(&n_loaded), "{n_loaded} of 400");
}
