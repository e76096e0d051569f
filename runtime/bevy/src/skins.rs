//! Gizmos that draw a whole hull of a level: the outline of the space that its origin cannot enter, which Bevy keeps
//! until the level changes.

use bevy_asset::{AssetEvent, Assets};
use bevy_color::Color;
use bevy_ecs::change_detection::{DetectChanges, Ref};
use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::message::MessageReader;
use bevy_ecs::system::{Commands, Query, Res, ResMut};
use bevy_gizmos::GizmoAsset;
use bevy_gizmos::retained::Gizmo;
use onion_views::skin::skin;

use crate::hull::HullHandle;
use crate::level::OnionLevel;
use crate::outline::outline;
use crate::space::MapSpace;

/// Draws the outline of a hull, that is, of the space that the origin of its box cannot enter, in all models of the
/// level, at rest where the map puts them. The plugin inserts a [`Gizmo`] on the same entity when the level is
/// loaded, and again when it is reloaded.
#[derive(Component, Clone, Debug)]
pub struct DrawSkin {
    /// The hull.
    pub hull: HullHandle,
    /// Color of the lines.
    pub color: Color,
}

pub(crate) fn draw_skins(
    mut commands: Commands<'_, '_>,
    mut changes: MessageReader<'_, '_, AssetEvent<OnionLevel>>,
    space: Res<'_, MapSpace>,
    levels: Res<'_, Assets<OnionLevel>>,
    mut gizmos: ResMut<'_, Assets<GizmoAsset>>,
    skins: Query<'_, '_, (Entity, Ref<'_, DrawSkin>)>,
) {
    let changed: Vec<_> = changes
        .read()
        .filter_map(|event| match event {
            AssetEvent::Added { id } | AssetEvent::Modified { id } => Some(*id),
            _ => None,
        })
        .collect();
    for (entity, draw) in &skins {
        if draw.is_changed() || changed.contains(&draw.hull.level.id()) {
            let handle = gizmos.add(lines(&draw, &levels, *space));
            commands.entity(entity).insert(Gizmo {
                handle,
                ..Default::default()
            });
        }
    }
}

/// Returns the lines of a hull; empty while its level is not loaded.
fn lines(draw: &DrawSkin, levels: &Assets<OnionLevel>, space: MapSpace) -> GizmoAsset {
    let mut lines = GizmoAsset::new();
    let Some((level, hull)) = draw.hull.get(levels) else {
        return lines;
    };
    for model in 0..level.map().n_models() {
        for segment in outline(&skin(level.map(), model, hull)) {
            let [from, to] = segment.map(|point| space.to_bevy(point.as_vec3().to_array()));
            lines.line(from, to, draw.color);
        }
    }
    lines
}
