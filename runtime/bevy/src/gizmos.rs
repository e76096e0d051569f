//! Gizmos that draw the boxes of walkers. They form a separate group, which a game switches on and off in Bevy's
//! `GizmoConfigStore`.

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
use onion_runtime::HullId;

use crate::level::OnionLevel;
use crate::space::MapSpace;
use crate::walker::Walker;

/// Draws hulls. Needs [`OnionPlugin`](crate::OnionPlugin) and Bevy's `GizmoPlugin`.
#[derive(Default, Debug)]
pub struct OnionGizmoPlugin;

/// The gizmos of this crate, in Bevy's `GizmoConfigStore`.
#[derive(Default, Reflect, GizmoConfigGroup, Debug)]
pub struct HullGizmos;

/// Draws the box of the current hull of the [`Walker`] on the same entity.
#[derive(Component, Clone, Copy, Debug)]
pub struct DrawHull {
    /// Color of the lines.
    pub color: Color,
}

impl Plugin for OnionGizmoPlugin {
    fn build(&self, app: &mut App) {
        app.init_gizmo_group::<HullGizmos>()
            .add_systems(PostUpdate, draw_boxes);
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
        let hull = |level: &OnionLevel| {
            let stance = walker.stance().unwrap_or(&walker.hull.name);
            box_of(level, level.hull(stance)?, *space)
        };
        if let Some((center, size)) = levels.get(&walker.hull.level).and_then(hull) {
            let place = Transform::from_translation(transform.translation + center);
            gizmos.cube(place.with_scale(size), draw.color);
        }
    }
}

/// Returns the middle of a hull's box relative to its origin, and its size, in meters and Bevy's axes.
fn box_of(level: &OnionLevel, hull: HullId, space: MapSpace) -> Option<(Vec3, Vec3)> {
    let hull = level.map().hull(hull)?;
    let [one, other] = [hull.bounds.mins, hull.bounds.maxs].map(|corner| space.to_bevy(corner));
    Some(((one + other) / 2.0, (other - one).abs()))
}
