//! Gizmos that draw the boxes of walkers and movers. They form a separate group, which a game switches on and off in
//! Bevy's `GizmoConfigStore`.

use bevy_app::{App, Plugin, PostUpdate};
use bevy_asset::Assets;
use bevy_color::Color;
use bevy_ecs::component::Component;
use bevy_ecs::system::{Query, Res};
use bevy_gizmos::AppGizmoBuilder;
use bevy_gizmos::config::GizmoConfigGroup;
use bevy_gizmos::gizmos::Gizmos;
use bevy_math::Vec3;
use bevy_reflect::Reflect;
use bevy_transform::components::Transform;
use onion_runtime::Aabb;

use crate::level::OnionLevel;
use crate::mover::LevelMover;
use crate::space::MapSpace;
use crate::walker::Walker;

/// Draws hulls. Needs [`OnionPlugin`](crate::OnionPlugin) and Bevy's `GizmoPlugin`.
#[derive(Default, Debug)]
pub struct OnionGizmoPlugin;

/// The gizmos of this crate, in Bevy's `GizmoConfigStore`.
#[derive(Default, Reflect, GizmoConfigGroup, Debug)]
pub struct HullGizmos;

/// Draws the box of the current hull of the [`Walker`] on the same entity, or the box around the model of the
/// [`LevelMover`].
#[derive(Component, Clone, Copy, Debug)]
pub struct DrawHull {
    /// Color of the lines.
    pub color: Color,
}

impl Plugin for OnionGizmoPlugin {
    fn build(&self, app: &mut App) {
        app.init_gizmo_group::<HullGizmos>()
            .add_systems(PostUpdate, (draw_boxes, draw_models));
        #[cfg(feature = "skins")]
        app.add_systems(PostUpdate, crate::skins::draw_skins);
    }
}

fn draw_boxes(
    space: Res<'_, MapSpace>,
    levels: Res<'_, Assets<OnionLevel>>,
    walkers: Query<'_, '_, (&Walker, &Transform, &DrawHull)>,
    mut gizmos: Gizmos<'_, '_, HullGizmos>,
) {
    for (walker, transform, draw) in &walkers {
        let bounds = |level: &OnionLevel| {
            let stance = walker.stance().unwrap_or(&walker.hull.name);
            Some(level.map().hull(level.hull(stance)?)?.bounds)
        };
        if let Some(bounds) = levels.get(&walker.hull.level).and_then(bounds) {
            let place = Transform::from_translation(transform.translation);
            gizmos.cube(place * cube(bounds, *space), draw.color);
        }
    }
}

fn draw_models(
    space: Res<'_, MapSpace>,
    levels: Res<'_, Assets<OnionLevel>>,
    movers: Query<'_, '_, (&LevelMover, &Transform, &DrawHull)>,
    mut gizmos: Gizmos<'_, '_, HullGizmos>,
) {
    for (mover, transform, draw) in &movers {
        let model = |level: &OnionLevel| Some(level.map().model(mover.model)?.bounds());
        if let Some(bounds) = levels.get(&mover.level).and_then(model) {
            let place = transform.with_scale(Vec3::ONE);
            gizmos.cube(place * cube(bounds, *space), draw.color);
        }
    }
}

/// Returns what makes a cube of size 1 a box of the map, in meters and Bevy's axes.
fn cube(bounds: Aabb<f32>, space: MapSpace) -> Transform {
    let [one, other] = [bounds.mins, bounds.maxs].map(|corner| space.to_bevy(corner));
    let size = (other - one).abs();
    Transform::from_translation((one + other) / 2.0).with_scale(size)
}
