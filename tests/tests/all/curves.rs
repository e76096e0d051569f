//! Generated maps of many curved patches: nodes, faces and pieces grow with the number of patches within limits, and
//! no patch has more nodes than the faces of its pieces allow.

use onion_compiler::DEFAULT_PATCH_ERROR;
use onion_compiler::brush::{self, BrushSource};
use onion_compiler::report::Report;
use onion_compiler::{CompileOptions, compile};
use onion_geometry::PlaneSet;
use onion_maps::Map;
use onion_tests::curved::Curves;
use onion_tests::effort::is_long;
use onion_tests::fixtures::made;
use onion_tests::subject;
use rayon::prelude::*;

/// Returns the numbers of patches; the `scale` benchmark continues to 1,000.
fn counts() -> &'static [usize] {
    if is_long() { &[15, 45, 135] } else { &[15, 45] }
}

/// Limit on the nodes for each face of the pieces of a patch.
const MAX_NODES: usize = 12;

fn compiled(kind: Curves, n_patches: usize) -> (Map, Report) {
    let map = made(&kind.map(n_patches));
    let hulls = subject::hulls(&["stand:16x56", "crouch:16x32"]);
    let report = compile(&map, &CompileOptions::new(hulls)).unwrap().report;
    (map, report)
}

/// Nodes, faces of margins and pieces grow at most like n log n, where n is the number of patches.
#[test]
fn costs_grow_with_the_number_of_patches() {
    Curves::ALL.into_par_iter().for_each(|kind| {
        let compiled: Vec<_> = counts().par_iter().map(|&n| compiled(kind, n)).collect();
        for (number, pair) in compiled.windows(2).enumerate() {
            let [few, many] = [0, 1].map(|at| counts()[number + at] as f64);
            let growth = many * many.ln() / (few * few.ln());
            let of_report = |of: &Report| [of.n_nodes, of.n_faces, of.n_patch_pieces];
            let [before, after] = [0, 1].map(|at| of_report(&pair[at].1));
            for (before, after) in before.into_iter().zip(after) {
                let is_less = after as f64 <= before as f64 * growth;
                let what = format!("{before} to {after}, {few} patches to {many}");
                assert!(is_less, "{}: {what}", kind.name());
            }
        }
        for (map, report) in &compiled {
            assert_eq!(report.n_patches, map.models[0].patches.len());
            assert!(report.filling.iter().all(|hull| hull.n_seeds == 1));
            no_patch_is_too_dear(kind, map, report);
        }
    });
}

/// Checks that each patch is charged at most [`MAX_NODES`] nodes for each face of its pieces.
fn no_patch_is_too_dear(kind: Curves, map: &Map, report: &Report) {
    let mut planes = PlaneSet::default();
    let models = brush::build(map, DEFAULT_PATCH_ERROR, &mut planes, &mut Vec::new()).unwrap();
    let mut n_charged = 0;
    for cost in &report.costs.brushes {
        let BrushSource::Patch(number) = cost.source else {
            continue;
        };
        let pieces = models[0].iter().filter(|piece| piece.source == cost.source);
        let n_faces: usize = pieces.map(|piece| piece.faces.len()).sum();
        let nodes = cost.n_nodes;
        let what = format!("patch {number} has {n_faces} faces and {nodes} nodes");
        assert!(nodes <= MAX_NODES * n_faces, "{}: {what}", kind.name());
        n_charged += 1;
    }
    assert!(n_charged > 0, "{}: no patch is charged", kind.name());
}
