//! Decides whether a target is up to date: it loads, and this version of the compiler made it from these bytes of the
//! map, for these hulls, with these options. Then a compile would write the same bytes again.

use onion_compiler::CompileOptions;
use onion_compiler::hull::HullSpec;
use onion_compiler::options::arguments;
use onion_maps::ReadOptions;
use onion_runtime::OnionMap;

use crate::commands::output::files;
use crate::commands::output::outputs::Output;

/// Whether a compile of the map with this digest would write the bytes that are already there.
pub fn is_fresh(
    output: &Output,
    digest: [u8; 32],
    options: &CompileOptions,
    reading: &ReadOptions,
) -> bool {
    // If the output must not be written, the compile reports the reason.
    let Some(bytes) = files::found(output.path).filter(|_| output.check().is_ok()) else {
        return false;
    };
    let Ok(file) = OnionMap::from_bytes(&*bytes) else {
        return false;
    };
    let inspect = file.inspect();
    let recorded = [inspect.compiler()].into_iter().chain(inspect.options());
    let wanted = arguments::to_text(options, reading);
    let is_over = |size: usize, limit: Option<usize>| limit.is_some_and(|limit| size > limit);
    inspect.info().map_digest == digest
        && recorded.eq(wanted.lines())
        && file
            .hulls()
            .map(HullSpec::from)
            .eq(options.hulls.iter().cloned())
        && !is_over(bytes.len(), options.limits.max_bytes)
        && !is_over(inspect.n_nodes(), options.limits.max_nodes)
}
