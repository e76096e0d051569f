//! The tiles of a world as one IBSP 46 file: brushes and patches moved to their places, planes shared where they
//! coincide, one minimal tree over all. Patches are the only draw surfaces written, because they alone are solid.

use onion_maps::MapEntity;
use onion_maps::entities::vector;

use super::place::{Grid, Placement, Tile};
use super::source::{Patch, World};
use crate::samples::records::{
    Bounds, LUMPS, PlanePairs, SURFACE, empty, entity_text, grow, int, join, put_i32, put_model,
    put_shader, put_surface, put_tree, put_vertex,
};

const COLOR: [u8; 3] = [170, 160, 150];

#[derive(Default)]
struct Output {
    planes: PlanePairs,
    lumps: [Vec<u8>; LUMPS],
    brush_boxes: Vec<Bounds>,
    patch_boxes: Vec<Bounds>,
    entities: Vec<Vec<(String, String)>>,
}

/// Writes a world in all its tiles.
pub fn write(world: &World, grid: Grid, tiles: &[Tile]) -> Vec<u8> {
    let mut out = Output::default();
    for (name, flags, contents) in &world.shaders {
        put_shader(&mut out.lumps[1], name, *flags, *contents);
    }
    let mut worldspawn = world.worldspawn.clone();
    let message = format!("{} by {} tiles", grid.columns, grid.rows);
    worldspawn.insert("message".to_owned(), message);
    out.entities.push(worldspawn.into_iter().collect());
    for tile in tiles {
        for &number in &tile.brushes {
            out.brush(world, number, &tile.placement);
        }
        for patch in &world.patches[..tile.n_patches] {
            out.patch(patch, &tile.placement);
        }
        for thing in &world.things {
            out.thing(thing, &tile.placement);
        }
    }
    out.finish()
}

impl Output {
    fn brush(&mut self, world: &World, number: usize, placement: &Placement) {
        let brush = &world.brushes[number];
        let mut sides = brush.sides.clone();
        for (plane, _) in &mut sides {
            *plane = placement.plane(*plane);
        }
        // The axial sides come first, in the order -x +x -y +y -z +z, as engines expect.
        sides.sort_by_key(|((normal, _), _)| {
            let axis = (0..3).find(|&axis| normal[axis].abs() == 1.0);
            axis.map_or(6, |axis| 2 * axis + usize::from(normal[axis] > 0.0))
        });
        let first = self.lumps[9].len() / 8;
        for &((normal, dist), shader) in &sides {
            let plane = int(self.planes.plane(normal, dist));
            put_i32(&mut self.lumps[9], &[plane, shader]);
        }
        let record = [int(first), int(sides.len()), brush.shader];
        put_i32(&mut self.lumps[8], &record);
        let corners = [brush.bounds.0, brush.bounds.1];
        self.brush_boxes.push(around(
            corners.map(|corner| placement.point(corner.map(|x| x as f32))),
        ));
    }

    fn patch(&mut self, patch: &Patch, placement: &Placement) {
        let first = self.lumps[10].len() / 44;
        let [width, height] = patch.size;
        let mut places = Vec::new();
        for row in patch.vertices.chunks_exact(width.max(1)) {
            let mut row = row.to_vec();
            if placement.mirrored {
                // A mirrored grid would be seen from its other side.
                row.reverse();
            }
            for (at, normal) in row {
                let (at, normal) = (placement.point(at), placement.vector(normal));
                put_vertex(&mut self.lumps[10], at, normal, COLOR);
                places.push(at);
            }
        }
        let bounds = around(places);
        let head = [patch.shader as usize, 2, first, width * height, 0, 0];
        let vecs = [bounds.0, bounds.1, [0.0; 3]];
        put_surface(&mut self.lumps[13], head, [int(width), int(height)], vecs);
        self.patch_boxes.push(bounds);
    }

    /// Writes a point entity, moved and turned.
    fn thing(&mut self, entity: &MapEntity, placement: &Placement) {
        let mut entity = entity.clone();
        if let Some(origin) = entity.get_mut("origin")
            && let Some(at) = vector(origin)
        {
            *origin = placement.point(at).map(|x| x.to_string()).join(" ");
        }
        // Negative angles are not directions: they stand for up and down.
        if let Some(angle) = entity.get_mut("angle")
            && let Ok(degrees @ 0.0..) = angle.parse::<f32>()
        {
            *angle = placement.angle(degrees).to_string();
        }
        self.entities.push(entity.into_iter().collect());
    }

    fn finish(mut self) -> Vec<u8> {
        let mut world = empty();
        for bounds in self.brush_boxes.iter().chain(&self.patch_boxes) {
            grow(&mut world, bounds.0);
            grow(&mut world, bounds.1);
        }
        put_tree(
            &mut self.lumps,
            &mut self.planes,
            &world,
            &self.patch_boxes,
            &self.brush_boxes,
        );
        let n_surfaces = self.lumps[13].len() / SURFACE;
        let ranges = [0, n_surfaces, 0, self.brush_boxes.len()];
        put_model(&mut self.lumps[7], &world, ranges);
        self.lumps[2] = self.planes.lump();
        self.lumps[0] = entity_text(&self.entities);
        join(&self.lumps)
    }
}

fn around(points: impl IntoIterator<Item = [f32; 3]>) -> Bounds {
    let mut bounds = empty();
    for point in points {
        grow(&mut bounds, point.map(f64::from));
    }
    bounds
}
