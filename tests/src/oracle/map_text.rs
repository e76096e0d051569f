//! Reads the brushes of a map's text, as editors write it, independently of the compiler's reader.
//!
//! In: the text and the name of its game. Out: one [`OracleModel`] for the world and for each other entity with
//! brushes, as [`super::read_ibsp`] gives them. Patches are skipped. Method: tokens, then faces as planes through
//! three points in f64, or as equations. The meanings of textures and classes in real maps are written out here.
//! Contents are one of two kinds: those that stop everything (1), and those that stop agents alone (0x10000).

use std::collections::BTreeMap;

use super::convex::{Plane, vertices};
use super::ibsp::{OracleBrush, OracleModel};
use super::vec3::{V3, cross, dot, length, scale, sub};

/// Contents that stop everything, and contents that stop agents alone.
const SOLID: u32 = 0x1;
const CLIP: u32 = 0x1_0000;

/// Contents of Quake II's faces that the oracle knows: solid or window, and player clips.
const QUAKE2_SOLID: i64 = 0x3;
const QUAKE2_CLIP: i64 = 0x1_0000;

/// Other properties of a face in Quake II: other contents, and the flags for a hint and for a face to skip.
const QUAKE2_OTHER: i64 = 0x0102_807c;
const QUAKE2_NOTHING: i64 = 0x300;

/// A face: its plane, texture, and the numbers after its alignment.
struct Face {
    plane: Plane,
    texture: String,
    flags: Vec<i64>,
}

/// The effect of a texture on its brush.
#[derive(Clone, Copy, PartialEq)]
enum Says {
    /// The brush has these contents.
    Contents(u32),
    /// The brush is left out, whatever the other faces say.
    LeftOut,
    /// The brush marks the origin of its entity.
    Origin,
}

/// Parses the models of a text.
pub fn read_text(bytes: &[u8], game: &str) -> Result<Vec<OracleModel>, String> {
    let text: String = match std::str::from_utf8(bytes) {
        Ok(text) => text.trim_start_matches('\u{feff}').to_owned(),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    };
    let mut reader = Reader { rest: &text, game };
    let mut models = vec![OracleModel::default()];
    // Without the class, the first entity is the world.
    let mut is_world = !text.contains("\"worldspawn\"");
    let mut entities = Vec::new();
    while let Some(token) = reader.token() {
        if token == "Version" {
            reader.token();
            continue;
        }
        if token != "{" {
            return Err(format!("{token:?} where an entity should begin"));
        }
        let (mut keys, brushes, has_patches) = reader.entity()?;
        if std::mem::take(&mut is_world) {
            keys.insert("classname".into(), "worldspawn".into());
        }
        entities.push((keys, brushes, has_patches));
    }
    let all: Vec<Keys> = entities.iter().map(|(keys, ..)| keys.clone()).collect();
    let mut number = 0;
    for (keys, brushes, has_patches) in entities {
        let first = number;
        number += brushes.len();
        if !is_omitted(&keys, &all, all.len()) {
            reader.take(&keys, brushes, has_patches, first, &mut models);
        }
    }
    Ok(models)
}

/// Whether TrenchBroom omits an entity from an export: its layer, or the layer of its group, is omitted. Groups may
/// be nested as deep as there are entities.
fn is_omitted(keys: &Keys, all: &[Keys], depth: usize) -> bool {
    let key = |name: &str| keys.get(name).map_or("", String::as_str);
    let named = |kind: &str, id: &str| {
        let is_it = |other: &&Keys| {
            other.get("_tb_type").is_some_and(|own| own == kind)
                && other.get("_tb_id").is_some_and(|own| own == id)
        };
        all.iter().find(is_it)
    };
    if !matches!(key("_tb_layer_omit_from_export"), "" | "0") {
        return true;
    }
    [
        ("_tb_layer", key("_tb_layer")),
        ("_tb_group", key("_tb_group")),
    ]
    .into_iter()
    .filter_map(|(kind, id)| named(kind, id))
    .any(|outer| depth > 0 && is_omitted(outer, all, depth - 1))
}

struct Reader<'a> {
    rest: &'a str,
    game: &'a str,
}

type Keys = BTreeMap<String, String>;

impl<'a> Reader<'a> {
    fn skip_blanks(&mut self) {
        loop {
            self.rest = self.rest.trim_start();
            if !self.rest.starts_with("//") {
                return;
            }
            let end = self.rest.find(['\n', '\r']).unwrap_or(self.rest.len());
            self.rest = &self.rest[end..];
        }
    }

    /// Returns the next quoted text without its quotes, punctuation mark, or word.
    fn token(&mut self) -> Option<&'a str> {
        self.skip_blanks();
        if let Some(quoted) = self.rest.strip_prefix('"') {
            let end = quoted.find('"')?;
            self.rest = &quoted[end + 1..];
            return Some(&quoted[..end]);
        }
        let is_mark = |c: char| "{}()[]".contains(c);
        let end = match self.rest.chars().next()? {
            first if is_mark(first) => 1,
            _ => {
                let end = self.rest.find(|c: char| c.is_whitespace() || is_mark(c));
                end.unwrap_or(self.rest.len())
            }
        };
        let (token, rest) = self.rest.split_at(end);
        self.rest = rest;
        Some(token)
    }

    fn peek(&mut self) -> Option<&'a str> {
        let rest = self.rest;
        let token = self.token();
        self.rest = rest;
        token
    }

    /// Returns the next word, which may contain punctuation: a texture.
    fn name(&mut self) -> Option<&'a str> {
        self.skip_blanks();
        if self.rest.starts_with('"') {
            return self.token();
        }
        let end = self.rest.find(char::is_whitespace)?;
        let (name, rest) = self.rest.split_at(end);
        self.rest = rest;
        Some(name)
    }

    fn expect(&mut self, mark: &str) -> Result<(), String> {
        match self.token() {
            Some(token) if token == mark => Ok(()),
            other => Err(format!("{other:?} instead of {mark}")),
        }
    }

    fn number(&mut self) -> Result<f64, String> {
        let token = self.token().unwrap_or_default();
        token.parse().map_err(|_| format!("{token:?} is no number"))
    }

    /// Reads numbers in parentheses.
    fn numbers<const N: usize>(&mut self) -> Result<[f64; N], String> {
        let mut numbers = [0.0; N];
        self.expect("(")?;
        for number in &mut numbers {
            *number = self.number()?;
        }
        self.expect(")")?;
        Ok(numbers)
    }

    /// Reads the keys and brushes of an entity, and returns whether it has patches.
    fn entity(&mut self) -> Result<(Keys, Vec<Vec<Face>>, bool), String> {
        let (mut keys, mut brushes, mut has_patches) = (Keys::new(), Vec::new(), false);
        loop {
            match self.token().ok_or("an entity without an end")? {
                "}" => return Ok((keys, brushes, has_patches)),
                "{" => match self.peek().unwrap_or_default() {
                    "brushDef" | "brushDef3" => {
                        self.token();
                        self.expect("{")?;
                        brushes.push(self.brush()?);
                        self.expect("}")?;
                    }
                    "patchDef2" | "patchDef3" => {
                        has_patches = true;
                        self.pass_over()?;
                    }
                    _ => brushes.push(self.brush()?),
                },
                key => {
                    let value = self.token().ok_or("a key without a value")?;
                    keys.insert(key.to_owned(), value.to_owned());
                }
            }
        }
    }

    /// Skips to the end of an open brace.
    fn pass_over(&mut self) -> Result<(), String> {
        let mut depth = 1;
        while depth > 0 {
            match self.token().ok_or("a brace that is not closed")? {
                "{" => depth += 1,
                "}" => depth -= 1,
                _ => {}
            }
        }
        Ok(())
    }

    /// Reads the faces up to the closing brace.
    fn brush(&mut self) -> Result<Vec<Face>, String> {
        let mut faces = Vec::new();
        while self.peek() != Some("}") {
            faces.push(self.face()?);
        }
        self.expect("}")?;
        Ok(faces)
    }

    fn face(&mut self) -> Result<Face, String> {
        let before = self.rest;
        let plane = match self.numbers::<4>() {
            Ok([x, y, z, plus]) => unit([x, y, z], -plus),
            Err(_) => {
                self.rest = before;
                let [a, b, c]: [V3; 3] = [self.numbers()?, self.numbers()?, self.numbers()?];
                let normal = cross(sub(c, a), sub(b, a));
                let (normal, _) = unit(normal, 0.0);
                (normal, dot(normal, a))
            }
        };
        if self.peek() == Some("(") {
            self.expect("(")?;
            self.numbers::<3>()?;
            self.numbers::<3>()?;
            self.expect(")")?;
            let texture = self.name().ok_or("a face without a texture")?.to_owned();
            let flags = self.flags()?;
            return Ok(Face {
                plane,
                texture,
                flags,
            });
        }
        let texture = self.name().ok_or("a face without a texture")?.to_owned();
        let mut n_alignment = 5;
        while self.peek() == Some("[") {
            while self.token() != Some("]") {}
            n_alignment = 3;
        }
        let numbers = self.flags()?;
        Ok(Face {
            plane,
            texture,
            flags: numbers.into_iter().skip(n_alignment).collect(),
        })
    }

    /// Reads the numbers up to the next face.
    fn flags(&mut self) -> Result<Vec<i64>, String> {
        let mut flags = Vec::new();
        while !matches!(self.peek(), Some("(" | "}") | None) {
            flags.push(self.number()? as i64);
        }
        Ok(flags)
    }

    /// Adds the brushes of an entity to the world or to a model of their own.
    fn take(
        &self,
        keys: &Keys,
        brushes: Vec<Vec<Face>>,
        has_patches: bool,
        first: usize,
        models: &mut Vec<OracleModel>,
    ) {
        let key = |name: &str| keys.get(name).map_or("", String::as_str);
        let is_on = |name: &str| !matches!(key(name), "" | "0");
        if is_on("_omitbrushes") {
            return;
        }
        let class = key("classname").to_ascii_lowercase();
        let is_world = class == "worldspawn"
            || class == "func_group"
            || class == "func_illusionary_visblocker"
            || self.game != "quake3" && class.starts_with("func_detail")
            || self.game == "quake3" && class == "_decal";
        if !is_world && brushes.is_empty() && !has_patches {
            return;
        }
        let mut origin = [0.0; 3];
        if !is_world {
            let numbers = key("origin").split_whitespace().map(str::parse);
            let numbers: Vec<f64> = numbers.filter_map(Result::ok).collect();
            origin = numbers.try_into().unwrap_or_default();
            let mut origins = brushes.iter();
            if let Some(brush) = origins.find(|faces| self.says(faces) == Says::Origin) {
                origin = middle(brush);
            }
            models.push(OracleModel::default());
        }
        let is_passable = class.starts_with("trigger_")
            || class.starts_with("func_illusionary")
            || class == "func_detail_illusionary"
            || class == "_decal";
        let model = if is_world { 0 } else { models.len() - 1 };
        for (number, faces) in (first..).zip(brushes) {
            let contents = match self.says(&faces) {
                Says::Contents(contents) if contents != 0 && !is_passable => contents,
                _ => continue,
            };
            let moved = |(normal, dist): Plane| (normal, dist - dot(normal, origin));
            let planes = faces.iter().map(|face| moved(face.plane)).collect();
            let brush = OracleBrush::plain(number, contents, planes);
            models[model].brushes.push(brush);
        }
    }

    /// Returns the combined effect of the faces of a brush: a decisive effect if one has it; otherwise the first that
    /// has contents, or for Quake III the first of all.
    fn says(&self, faces: &[Face]) -> Says {
        let all = || faces.iter().map(|face| self.face_says(face));
        if let Some(decides) = all().find(|says| !matches!(says, Says::Contents(_))) {
            return decides;
        }
        let mut contents = all();
        let found = match self.game {
            "quake3" => contents.next(),
            _ => contents.find(|says| *says != Says::Contents(0)),
        };
        found.unwrap_or(Says::Contents(0))
    }

    fn face_says(&self, face: &Face) -> Says {
        let texture = face.texture.to_ascii_lowercase();
        match (&*texture, self.game) {
            (_, "quake3") => quake3(texture.trim_start_matches("textures/")),
            (_, "quake2") => quake2(texture.rsplit('/').next().unwrap(), &face.flags),
            (_, _) => quake(texture.rsplit('/').next().unwrap()),
        }
    }
}

/// Returns the effect of Quake's textures.
fn quake(name: &str) -> Says {
    Says::Contents(match name {
        "origin" => return Says::Origin,
        "hint" => return Says::LeftOut,
        "hintskip" => 0,
        "clip" => CLIP,
        _ if name.starts_with('*') => 0,
        _ if name.starts_with("sky") => CLIP,
        _ => SOLID,
    })
}

/// Returns the effect of Quake II's textures and faces; the numbers of a face take precedence over its texture.
fn quake2(name: &str, flags: &[i64]) -> Says {
    let [contents, surface] = [0, 1].map(|at| flags.get(at).copied().unwrap_or(0));
    Says::Contents(match name {
        "origin" => return Says::Origin,
        "hint" => return Says::LeftOut,
        _ if surface & QUAKE2_NOTHING != 0 => 0,
        _ if contents & QUAKE2_SOLID != 0 => SOLID,
        _ if contents & QUAKE2_CLIP != 0 => CLIP,
        _ if contents & QUAKE2_OTHER != 0 => 0,
        "skip" | "areaportal" | "clip_mon" => 0,
        "clip" => CLIP,
        _ => SOLID,
    })
}

/// Returns the effect of Quake III's textures without its shader scripts.
fn quake3(name: &str) -> Says {
    let (folder, last) = name.split_once('/').unwrap_or(("", name));
    Says::Contents(match (folder, last) {
        ("common", "origin") => return Says::Origin,
        ("common", "areaportal" | "clusterportal" | "donotenter") => return Says::LeftOut,
        ("common", _) if last.starts_with("hint") => return Says::LeftOut,
        ("common", "clip" | "full_clip" | "metalclip" | "missileclip") => CLIP,
        ("common", "skip" | "lightgrid" | "nodrop") | ("sfx", "beam") => 0,
        ("common", "watercaulk" | "slimecaulk" | "lavacaulk") => 0,
        ("common", _)
            if ["alpha_", "antiportal", "botclip", "monsterclip", "nodraw"]
                .iter()
                .any(|start| last.starts_with(start)) =>
        {
            0
        }
        ("fogs" | "liquids", _) => 0,
        _ => SOLID,
    })
}

/// Returns a plane with a unit normal; a zero normal stays.
fn unit(normal: V3, dist: f64) -> Plane {
    match length(normal) {
        0.0 => (normal, dist),
        length => (scale(normal, 1.0 / length), dist / length),
    }
}

/// Returns the middle of a brush's bounding box, to a sixteenth of a unit.
fn middle(faces: &[Face]) -> V3 {
    let planes: Vec<Plane> = faces.iter().map(|face| face.plane).collect();
    let corners = vertices(&planes).unwrap_or_default();
    [0, 1, 2].map(|axis| {
        let along = corners.iter().map(|corner| corner[axis]);
        let low = along.clone().fold(f64::INFINITY, f64::min);
        let high = along.fold(f64::NEG_INFINITY, f64::max);
        ((low + high) * 8.0).round() / 16.0
    })
}
