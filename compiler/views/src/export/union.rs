//! Makes surfaces of the unions of a map's expanded brushes, before unreachable space is filled: the result of stage
//! 3 for the map that a file was compiled from. Unlike skins of filled maps, they include the outsides of walls.

use glam::DVec3;
use onion_compiler::error::CompileError;
use onion_compiler::hull::HullSpec;
use onion_compiler::union::{self, Face};
use onion_compiler::{brush, expand};
use onion_geometry::PlaneSet;
use onion_maps::Map;
use onion_runtime::OnionMap;

use super::object::{COLORS, Object};
use crate::boxes;

/// Returns an object for each model and hull of a file to which a map was compiled.
///
/// # Errors
/// The map's patches need too many pieces.
pub fn union<D: AsRef<[u8]>>(file: &OnionMap<D>, map: &Map) -> Result<Vec<Object>, CompileError> {
    let hulls: Vec<HullSpec> = file.hulls().map(HullSpec::from).collect();
    let patch_error = file.inspect().info().patch_error;
    let mut planes = PlaneSet::default();
    let brushes = brush::build(map, patch_error, &mut planes, &mut Vec::new())?;
    let (solids, cells) = expand::expand(&brushes, &hulls, &mut planes);
    let unions = union::unite(&solids, cells, &planes);
    let objects = unions.iter().enumerate().flat_map(|(model, faces)| {
        let origin = boxes::vector(map.models[model].origin);
        let of_hulls = faces.chunk_by(|one, next| one.owner.hull == next.owner.hull);
        let (planes, hulls) = (&planes, &hulls);
        of_hulls.map(move |faces| {
            let hull = faces[0].owner.hull.index();
            let polygons = faces.iter().map(|face| polygon(face, planes, origin));
            Object {
                name: format!("union.{}.model{model}", hulls[hull].name),
                color: COLORS[hull % (COLORS.len() - 1)],
                polygons: polygons.collect(),
                ..Object::default()
            }
        })
    });
    Ok(objects.collect())
}

/// Returns a face as its normal and its corners in the world, given the origin of its model.
fn polygon(face: &Face, planes: &PlaneSet, origin: DVec3) -> (DVec3, Vec<DVec3>) {
    let corners = face.winding.corners.iter();
    let corners = corners.map(|corner| corner.position + origin);
    (planes[face.winding.plane].normal, corners.collect())
}
