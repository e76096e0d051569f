//! Part of `verify`: makes the floors of a map again, by the stages of a compile up to floors, and compares them with
//! those of the file. The planes are those of a compile, in the same order, so that the same pieces are joined.

use onion_geometry::{PlaneSet, Winding};
use onion_maps::Map;
use onion_runtime::navigation::Floor;
use onion_runtime::{HullId, OnionMap};

use crate::error::{CompileError, VerifyError};
use crate::floors::triggers::{self, Volumes};
use crate::floors::{Floors, tree};
use crate::options::CompileOptions;
use crate::{brush, expand, fill, floors, union};

/// Checks that a file that has floors has those of its map. Returns the volumes of the map, which links lead through.
///
/// # Errors
/// The first hull whose floors are others, or a map that cannot be compiled.
pub(super) fn check(
    file: &OnionMap<&[u8]>,
    map: &Map,
    options: &CompileOptions,
) -> Result<Volumes, VerifyError> {
    if !options.floors {
        return Ok(Volumes::default());
    }
    let mut planes = PlaneSet::default();
    let patch_error = file.inspect().info().patch_error;
    let (expected, volumes) = floors_of(map, options, patch_error, &mut planes)?;
    for hull in file.hulls() {
        let expected = expected.get(hull.id.index()).map_or(&[][..], Vec::as_slice);
        if !are_right(file, hull.id, expected, &planes) {
            return Err(VerifyError::WrongFloors(hull.name.to_owned()));
        }
    }
    Ok(volumes)
}

/// Whether the file has the expected floors of a hull, with the expected boxes.
fn are_right(
    file: &OnionMap<&[u8]>,
    hull: HullId,
    expected: &[Winding],
    planes: &PlaneSet,
) -> bool {
    let is_right = |floor: (Floor<'_>, &Winding)| is_same(&floor.0, floor.1, planes);
    let records = file.inspect().floors();
    let own = records.filter(|floor| floor.hull() as usize == hull.index());
    let boxes = own.map(|floor| [floor.mins, floor.maxs]);
    file.floors(hull).count() == expected.len()
        && file.floors(hull).zip(expected).all(is_right)
        && boxes.eq(tree::boxes(planes, expected))
}

/// Returns the floors and the volumes of a map.
fn floors_of(
    map: &Map,
    options: &CompileOptions,
    patch_error: f32,
    planes: &mut PlaneSet,
) -> Result<(Floors, Volumes), CompileError> {
    let brushes = brush::build(map, patch_error, planes, &mut Vec::new())?;
    let (world, cells) = expand::expand_model(&brushes[0], &options.hulls, planes);
    let skins = vec![union::skin(&world, cells, planes)];
    let (skins, filling) = fill::fill(map, options, &brushes[0], &world, skins, planes)?;
    let volumes = triggers::find(map, options, &brushes, planes, &mut Vec::new());
    let floors = floors::find(options, &skins, &filling, &volumes, planes);
    Ok((floors.unwrap_or_default(), volumes))
}

fn is_same(floor: &Floor<'_>, expected: &Winding, planes: &PlaneSet) -> bool {
    let plane = &planes[expected.plane];
    let places = floor.corners().map(|[x, y, _]| [x, y]);
    let corners = expected.corners.iter();
    (floor.normal, floor.dist) == (plane.normal.to_array(), plane.dist)
        && places.eq(corners.map(|corner| corner.position.truncate().to_array()))
}
