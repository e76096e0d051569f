//! Part of `verify`: makes the floors of a map again, by the stages of a compile up to floors, and compares the file's.

use onion_geometry::PlaneSet;
use onion_maps::Map;
use onion_runtime::OnionMap;

use crate::error::VerifyError;
use crate::options::CompileOptions;
use crate::{brush, expand, fill, floors, union};

/// Checks that a file has the floors of its map, or none if its options leave them out.
///
/// # Errors
/// The first hull whose floors are others, or a map that cannot be compiled.
pub(super) fn check(
    file: &OnionMap<&[u8]>,
    map: &Map,
    options: &CompileOptions,
) -> Result<(), VerifyError> {
    let wrong = |hull: &str| Err(VerifyError::WrongFloors(hull.to_owned()));
    if options.floors != file.has_floors() {
        return wrong(&options.hulls[0].name);
    }
    if !options.floors {
        return Ok(());
    }
    let mut planes = PlaneSet::default();
    let patch_error = file.inspect().info().patch_error;
    let brushes = brush::build(map, patch_error, &mut planes, &mut Vec::new())?;
    let (world, cells) = expand::expand_model(&brushes[0], &options.hulls, &mut planes);
    let skins = vec![union::skin(&world, cells, &planes)];
    let (skins, filling) = fill::fill(map, options, &brushes[0], &world, skins, &mut planes)?;
    let all = floors::floors(options, &skins[0], filling.spaces(), &planes);
    for (hull, floors) in file.hulls().zip(all.into_iter().flatten()) {
        let expected = floors.iter().map(|floor| {
            let entry = &planes[floor.plane];
            let places = floor
                .corners
                .iter()
                .map(|corner| corner.position.truncate());
            let places: Vec<[f64; 2]> = places.map(|place| place.to_array()).collect();
            (entry.normal.to_array(), entry.dist, places)
        });
        let found = file.floors(hull.id).map(|floor| {
            let places = floor.corners().map(|[x, y, _]| [x, y]).collect();
            (floor.normal, floor.dist, places)
        });
        if !found.eq(expected) {
            return wrong(hull.name);
        }
    }
    Ok(())
}
