//! A sample map before it becomes a file.
//!
//! In: calls that add brushes, patches, models and entities.
//! Out: a `Map`, which `write` turns into an IBSP 46 file.

use super::brush::{Brush, Vec3};

/// The materials of the sample maps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shader {
    /// Floors.
    Floor,
    /// Walls and most other things.
    Wall,
    /// Ramps, stairs, crates: the objects in a room.
    Trim,
    /// Roofs and arches.
    Roof,
    /// Doors.
    Door,
    /// The sky: solid.
    Sky,
    /// Stops players only; not drawn.
    Clip,
    /// Water: stops nothing.
    Water,
    /// Lava: stops nothing.
    Lava,
}

/// Contents bit: solid.
pub const SOLID: i32 = 1;
/// Contents bit: lava.
pub const LAVA: i32 = 8;
/// Contents bit: water.
pub const WATER: i32 = 32;
/// Contents bit: stops players only.
pub const PLAYERCLIP: i32 = 0x10000;
/// Surface flag: not drawn.
pub const NODRAW: i32 = 0x80;
/// Surface flags of the sky: sky, no impact marks, no lightmap.
pub const SKY: i32 = 0x4 | 0x10 | 0x400;

impl Shader {
    /// Returns the name in the file.
    pub fn name(self) -> &'static str {
        match self {
            Shader::Floor => "textures/samples/floor",
            Shader::Wall => "textures/samples/wall",
            Shader::Trim => "textures/samples/trim",
            Shader::Roof => "textures/samples/roof",
            Shader::Door => "textures/samples/door",
            Shader::Sky => "textures/samples/sky",
            Shader::Clip => "textures/common/clip",
            Shader::Water => "textures/samples/water",
            Shader::Lava => "textures/samples/lava",
        }
    }

    /// Returns the surface flags.
    pub fn flags(self) -> i32 {
        match self {
            Shader::Clip => NODRAW,
            Shader::Sky => SKY,
            _ => 0,
        }
    }

    /// Returns the contents.
    pub fn contents(self) -> i32 {
        match self {
            Shader::Clip => PLAYERCLIP,
            Shader::Water => WATER,
            Shader::Lava => LAVA,
            _ => SOLID,
        }
    }

    /// Returns the color of its vertices.
    pub fn color(self) -> [u8; 3] {
        match self {
            Shader::Floor => [150, 145, 130],
            Shader::Wall => [190, 170, 140],
            Shader::Trim => [140, 110, 90],
            Shader::Roof => [170, 90, 70],
            Shader::Door => [120, 80, 40],
            Shader::Sky => [130, 170, 220],
            Shader::Clip => [255, 0, 255],
            Shader::Water => [60, 110, 170],
            Shader::Lava => [230, 90, 20],
        }
    }
}

/// A biquadratic patch: 3 x 3 control points. Point (i, j) is `points[j][i]`; its visible side is the one that
/// (direction of growing j) x (direction of growing i) points to.
#[derive(Clone, Debug)]
pub struct Patch {
    /// Control points by row.
    pub points: [[Vec3; 3]; 3],
    /// Material.
    pub shader: Shader,
}

/// The world (model 0) or an inline model.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// Brushes with their materials.
    pub brushes: Vec<(Brush, Shader)>,
    /// Patches.
    pub patches: Vec<Patch>,
}

/// A map.
#[derive(Clone, Debug)]
pub struct Map {
    /// File name without extension.
    pub name: &'static str,
    /// Models; the first one is the world.
    pub models: Vec<Model>,
    /// Entities as key and value pairs; the first one is the worldspawn.
    pub entities: Vec<Vec<(&'static str, String)>>,
}

impl Map {
    /// Makes an empty map with its worldspawn.
    pub fn new(name: &'static str, message: &str) -> Map {
        let world = vec![
            ("classname", "worldspawn".to_string()),
            ("message", message.to_string()),
        ];
        Map {
            name,
            models: vec![Model::default()],
            entities: vec![world],
        }
    }

    /// Adds a world brush.
    pub fn add(&mut self, shader: Shader, brush: Brush) {
        self.models[0].brushes.push((brush, shader));
    }

    /// Adds a world box.
    pub fn cuboid(&mut self, shader: Shader, mins: Vec3, maxs: Vec3) {
        self.add(shader, Brush::cuboid(mins, maxs));
    }

    /// Adds the six brushes around a room; floor and ceiling extend over the walls.
    pub fn room(&mut self, mins: Vec3, maxs: Vec3) {
        const T: f64 = 16.0;
        let [x0, y0, z0] = mins;
        let [x1, y1, z1] = maxs;
        let wall = Shader::Wall;
        self.cuboid(
            Shader::Floor,
            [x0 - T, y0 - T, z0 - T],
            [x1 + T, y1 + T, z0],
        );
        self.cuboid(wall, [x0 - T, y0 - T, z1], [x1 + T, y1 + T, z1 + T]);
        self.cuboid(wall, [x0 - T, y0 - T, z0], [x0, y1 + T, z1]);
        self.cuboid(wall, [x1, y0 - T, z0], [x1 + T, y1 + T, z1]);
        self.cuboid(wall, [x0, y0 - T, z0], [x1, y0, z1]);
        self.cuboid(wall, [x0, y1, z0], [x1, y1 + T, z1]);
    }

    /// Adds a half-barrel vault over the x or y axis (`across`: the axis it spans, 0 or 1): two
    /// quarter arcs per stretch, seen from below. `mid` is the middle of the span, `half` its half
    /// width and the rise, `spring` the height it starts at, `along` the ends of the stretches.
    pub fn vault(&mut self, across: usize, mid: f64, half: f64, spring: f64, along: &[f64]) {
        let top = spring + half;
        let place = |c: f64, a: f64, z: f64| {
            if across == 1 {
                [a, mid + c, z]
            } else {
                [mid + c, a, z]
            }
        };
        let arcs = [
            [[half, spring], [half, top], [0.0, top]],
            [[0.0, top], [-half, top], [-half, spring]],
        ];
        for pair in along.windows(2) {
            // Growing j must run along +x for a vault across y, along -y for one across x.
            let (a, b) = if across == 1 {
                (pair[0], pair[1])
            } else {
                (pair[1], pair[0])
            };
            for arc in arcs {
                let row = |s: f64| arc.map(|[c, z]| place(c, s, z));
                let points = [row(a), row((a + b) / 2.0), row(b)];
                self.models[0].patches.push(Patch {
                    points,
                    shader: Shader::Roof,
                });
            }
        }
    }

    /// Adds an entity with an origin key.
    pub fn point_entity(&mut self, class: &str, at: [i32; 3], angle: i32) {
        self.entities.push(vec![
            ("classname", class.to_string()),
            ("origin", format!("{} {} {}", at[0], at[1], at[2])),
            ("angle", angle.to_string()),
        ]);
    }

    /// Adds a start position.
    pub fn spawn(&mut self, at: [i32; 3], angle: i32) {
        self.point_entity("info_player_deathmatch", at, angle);
    }

    /// Adds a brush that takes agents elsewhere as the next inline model, and the entity that it targets.
    pub fn trigger(&mut self, class: &str, brush: Brush, target: &str, at: [i32; 3]) {
        let name = format!("target{}", self.models.len());
        self.entities.push(vec![
            ("classname", class.to_string()),
            ("model", format!("*{}", self.models.len())),
            ("target", name.clone()),
        ]);
        self.point_entity(target, at, 0);
        self.entities.last_mut().unwrap().push(("targetname", name));
        self.models.push(Model {
            brushes: vec![(brush, Shader::Clip)],
            patches: Vec::new(),
        });
    }

    /// Adds a lift as the next inline model, which is up in the map and goes down by `height` units.
    pub fn lift(&mut self, height: i32, brush: Brush) {
        self.entities.push(vec![
            ("classname", "func_plat".to_string()),
            ("model", format!("*{}", self.models.len())),
            ("height", height.to_string()),
        ]);
        self.models.push(Model {
            brushes: vec![(brush, Shader::Door)],
            patches: Vec::new(),
        });
    }

    /// Adds a door as the next inline model. If it has an origin, its brushes are relative to it.
    pub fn door(&mut self, origin: Option<[i32; 3]>, angle: i32, brushes: Vec<Brush>) {
        let mut keys = vec![
            ("classname", "func_door".to_string()),
            ("model", format!("*{}", self.models.len())),
            ("angle", angle.to_string()),
        ];
        if let Some(at) = origin {
            keys.push(("origin", format!("{} {} {}", at[0], at[1], at[2])));
        }
        self.entities.push(keys);
        self.models.push(Model {
            brushes: brushes.into_iter().map(|b| (b, Shader::Door)).collect(),
            patches: Vec::new(),
        });
    }
}
