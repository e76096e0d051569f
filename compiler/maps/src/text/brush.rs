//! Converts brushes and patches as written into those of a map: planes are computed exactly from the points of faces,
//! and contents come from the textures.

use glam::Vec3;
use indexmap::IndexMap;

use super::decimal::Decimal;
use super::normals::normals;
use super::plane::halfspace;
use super::syntax::{TextBrush, TextFace, TextPatch, TextPlane};
use crate::contents::{self, Contents};
use crate::game::{Game, Texture};
use crate::parts::{Halfspace, MapBrush, MapSide, MapSurface, Patch};
use crate::solid::ConvexSolid;
use crate::wording::counted;

/// Contents that a face of Quake II may have and whose bits are the same as ours. A window is as solid as a wall.
const QUAKE2_CONTENTS: Contents = contents::SOLID
    | contents::WINDOW
    | contents::LAVA
    | contents::SLIME
    | contents::WATER
    | contents::FOG
    | contents::AREAPORTAL
    | contents::PLAYERCLIP
    | contents::MONSTERCLIP
    | contents::ORIGIN;

/// Quake II's bit of contents that stop nothing and are not solid either.
const QUAKE2_AUX: Contents = 0x4;

/// Quake II's bit of a ladder.
const QUAKE2_LADDER: i64 = 0x2000_0000;

/// Quake II's flags of a face that is a hint or to be skipped.
const QUAKE2_HINT_OR_SKIP: i64 = 0x300;

/// The textures of a map, with their meaning in its game.
pub struct Materials<'a> {
    game: &'a Game,
    /// Names and flags, numbered as surfaces.
    seen: IndexMap<(&'a [u8], u32), Texture>,
}

impl<'a> Materials<'a> {
    pub fn new(game: &'a Game) -> Self {
        let seen = IndexMap::new();
        Self { game, seen }
    }

    pub fn surfaces(self) -> Vec<MapSurface> {
        let surfaces = self.seen.into_iter();
        let surfaces = surfaces.map(|((name, flags), texture)| MapSurface {
            name: [self.game.folder.as_bytes(), name].concat(),
            flags,
            contents: texture.contents,
        });
        surfaces.collect()
    }

    /// Returns the number of a surface, and the meaning of its texture.
    fn surface(&mut self, name: &'a [u8], flags: u32) -> (u32, Texture) {
        let entry = self.seen.entry((name, flags));
        let number = entry.index() as u32;
        let meaning = || self.game.texture(&String::from_utf8_lossy(name));
        (number, *entry.or_insert_with(meaning))
    }

    /// Returns the number of a face's surface, and the meaning of the face.
    fn face(&mut self, face: &TextFace<'a>) -> (u32, Texture) {
        let [_, flags, _] = face.flags.unwrap_or_default();
        let (number, texture) = self.surface(face.texture, flags as u32);
        match face.flags {
            Some([contents, flags, _]) if self.game.face_contents && texture.rank <= 0 => {
                (number, self.game.made_of(quake2_contents(contents, flags)))
            }
            _ => (number, texture),
        }
    }

    /// Returns the numbers of the surfaces of a brush's faces, and the contents of the brush: those of all faces
    /// together, or those of the first face of the highest rank, depending on the game. Boxes pass the brush if
    /// `noclip` is set or any face lets them.
    fn faces(&mut self, brush: &TextBrush<'a>, noclip: bool) -> (Vec<u32>, Contents) {
        let faces = brush.faces.iter().map(|face| self.face(face));
        let (numbers, textures): (Vec<u32>, Vec<Texture>) = faces.unzip();
        // The maximum is the last of equal elements, hence the reverse order.
        let deciding = textures.iter().rev().max_by_key(|texture| texture.rank);
        let contents = if self.game.all_faces {
            textures.iter().fold(0, |all, own| all | own.contents)
        } else {
            deciding.map_or(0, |texture| texture.contents)
        };
        if noclip || textures.iter().any(|texture| texture.noclip) {
            (numbers, without_boxes(contents))
        } else {
            (numbers, contents)
        }
    }

    /// Whether a brush only marks the origin of its entity.
    pub fn is_origin(&mut self, brush: &TextBrush<'a>) -> bool {
        self.faces(brush, false).1 & contents::ORIGIN != 0
    }
}

/// Returns contents that let boxes pass and stop points as before, as Half-Life's brushes without clipping hulls do.
fn without_boxes(contents: Contents) -> Contents {
    match contents {
        contents::SOLID => contents::SHOTCLIP,
        sky if sky & contents::SKY != 0 => contents::SKY,
        _ => contents,
    }
}

/// Returns the contents of a face of Quake II with these contents and flags: empty if the face is a hint or to be
/// skipped, and solid if none of its contents can be seen or can stop an agent.
fn quake2_contents(bits: i64, flags: i64) -> Contents {
    if flags & QUAKE2_HINT_OR_SKIP != 0 {
        return 0;
    }
    let mut contents = bits as Contents & QUAKE2_CONTENTS;
    let is_declared = bits as Contents & (QUAKE2_CONTENTS | QUAKE2_AUX) != 0;
    if !is_declared || contents & contents::WINDOW != 0 {
        contents |= contents::SOLID;
    }
    if bits & QUAKE2_LADDER != 0 {
        contents |= contents::LADDER;
    }
    contents
}

/// The properties that an entity gives to all of its brushes.
#[derive(Clone, Copy, Debug)]
pub struct MadeOf {
    /// Contents of the brushes regardless of their textures; `None` if the textures decide.
    pub contents: Option<Contents>,
    pub noclip: bool,
}

/// Converts a brush into one of a map, around an origin, or returns `None` if it has empty contents.
///
/// # Errors
/// The reason why the brush is left out.
pub fn brush<'a>(
    text: &TextBrush<'a>,
    materials: &mut Materials<'a>,
    made_of: MadeOf,
    origin: [Decimal; 3],
) -> Result<Option<MapBrush>, String> {
    if text.faces.len() < 4 {
        let faces = counted(text.faces.len(), "face", "faces");
        return Err(format!("it has {faces}, which enclose no volume; left out"));
    }
    let (surfaces, own) = materials.faces(text, made_of.noclip);
    let faces = text.faces.iter().zip(surfaces).enumerate();
    let sides = faces.map(|(number, (face, surface))| {
        let halfspace = halfspace(&face.plane, origin).ok_or_else(|| match face.plane {
            TextPlane::Points(_) => {
                format!("the three points of its face {number} lie on a line; left out")
            }
            TextPlane::Equation(_) => {
                format!("the normal of its face {number} is zero; left out")
            }
        });
        Ok(MapSide {
            halfspace: halfspace?,
            surface,
        })
    });
    let sides = sides.collect::<Result<_, String>>()?;
    let contents = made_of.contents.unwrap_or(own);
    let is_something = contents != 0 && own != 0 && own & contents::ORIGIN == 0;
    Ok(is_something.then_some(MapBrush {
        number: text.number,
        contents,
        sides,
    }))
}

/// Returns the middle of a brush, to a sixteenth of a unit, or `None` if it has no volume within the world.
pub fn origin_of(brush: &TextBrush) -> Option<[Decimal; 3]> {
    let mut planes = Vec::new();
    for face in &brush.faces {
        if let Halfspace::Behind(plane) = halfspace(&face.plane, [Decimal::ZERO; 3])? {
            planes.push(plane);
        }
    }
    let bounds = ConvexSolid::new(planes.into_iter())?.bounds;
    let center = (bounds.mins + bounds.maxs) / 2.0;
    let [x, y, z] = center.to_array().map(Decimal::sixteenths);
    Some([x?, y?, z?])
}

/// Converts a patch into one of a map, around an origin, or returns `None` if it has empty contents.
///
/// # Errors
/// The reason why the patch is left out.
pub fn patch<'a>(
    text: &TextPatch<'a>,
    materials: &mut Materials<'a>,
    contents: Option<Contents>,
    origin: [Decimal; 3],
) -> Result<Option<Patch>, String> {
    if let Some(problem) = Patch::grid_problem(text.width, text.height) {
        return Err(problem);
    }
    let (surface, texture) = materials.surface(text.texture, 0);
    let shift = Vec3::from(origin.map(Decimal::to_f32));
    let moved = |&point: &[f32; 3]| (Vec3::from(point) - shift).to_array();
    let points: Vec<[f32; 3]> = text.points.iter().map(moved).collect();
    let contents = match texture.contents {
        0 => 0,
        own => contents.unwrap_or(own),
    };
    Ok((contents != 0).then(|| Patch {
        number: text.number,
        contents,
        surface,
        width: text.width,
        height: text.height,
        normals: normals(text.width, text.height, &points),
        points,
    }))
}
