//! The entities that a picture marks: starts, with the direction that an agent faces, items, and everything else that
//! agents go to.

use glam::DVec3;
use onion_runtime::OnionMap;

use super::canvas::{Canvas, Color};
use super::palette;
use crate::placed::{self, Placed};

/// What an entity is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Agents start there.
    Start,
    /// Somebody may take it.
    Item,
    /// Something else that agents get to, such as the end of a teleporter.
    Other,
}

impl Kind {
    /// All of them, with what legends call them.
    pub const ALL: [(Self, &'static str); 3] = [
        (Self::Start, "start"),
        (Self::Item, "item"),
        (Self::Other, "target"),
    ];

    fn of(class: &str) -> Self {
        let begins = |beginnings: &[&str]| beginnings.iter().any(|text| class.starts_with(text));
        if begins(&[
            "info_player",
            "info_spectator",
            "team_CTF_redplayer",
            "team_CTF_blueplayer",
        ]) || class.contains("spawn")
        {
            Self::Start
        } else if begins(&["item_", "weapon_", "ammo_", "holdable_", "key_", "team_CTF"]) {
            Self::Item
        } else {
            Self::Other
        }
    }

    fn color(self) -> Color {
        match self {
            Self::Start => palette::START,
            Self::Item => palette::ITEM,
            Self::Other => palette::OTHER,
        }
    }
}

/// An entity with a place.
#[derive(Clone, Debug)]
pub struct Mark {
    /// What it is.
    pub kind: Kind,
    /// Where it stands.
    pub place: DVec3,
    /// Where it looks, in degrees from x to y.
    pub angle: f64,
}

/// The entities of a file that agents start from or get to.
pub fn of_file<D: AsRef<[u8]>>(map: &OnionMap<D>) -> Vec<Mark> {
    placed::reached(map).into_iter().map(mark).collect()
}

fn mark(entity: Placed) -> Mark {
    Mark {
        kind: Kind::of(&entity.class),
        place: entity.place,
        angle: entity.angle,
    }
}

/// Draws a mark, about 12 pixels wide.
pub fn draw(canvas: &mut Canvas, kind: Kind, at: [f64; 2], toward: Option<[f64; 2]>) {
    let color = kind.color();
    let length = |x: f64, y: f64| (x * x + y * y).sqrt();
    let white = [0xFF; 3];
    match kind {
        Kind::Start => {
            if let Some([x, y]) = toward {
                let tip = [at[0] + x * 15.0, at[1] + y * 15.0];
                canvas.line(at, tip, 5.0, white);
                canvas.line(at, tip, 2.4, color);
            }
            canvas.shape(at, 9.0, white, 1.0, |x, y| length(x, y) - 7.5);
            canvas.shape(at, 8.0, color, 1.0, |x, y| length(x, y) - 6.0);
        }
        Kind::Item => {
            canvas.shape(at, 9.0, white, 1.0, |x, y| (x.abs() + y.abs() - 8.5) * 0.71);
            canvas.shape(at, 8.0, color, 1.0, |x, y| (x.abs() + y.abs() - 6.5) * 0.71);
        }
        Kind::Other => {
            canvas.shape(at, 9.0, white, 1.0, |x, y| (length(x, y) - 4.5).abs() - 3.0);
            canvas.shape(at, 8.0, color, 1.0, |x, y| (length(x, y) - 4.5).abs() - 1.5);
        }
    }
}
