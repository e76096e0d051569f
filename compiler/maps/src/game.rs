//! The facts about a game that its maps do not state: the contents of textures in text maps, and which entities
//! belong to the world, collide as something else, or do not collide at all. The tables of known games are in
//! `games/` as TOML. A user's table has the same form and takes precedence over the game that it names as its `base`.

use std::sync::OnceLock;

use serde::Deserialize;
use toml::Spanned;

use crate::contents::{self, Contents};
use crate::wording::line_of;

/// The built-in games.
static BUILT_IN: [BuiltIn; 5] = [
    BuiltIn::new("quake", include_str!("games/quake.toml")),
    BuiltIn::new("quake2", include_str!("games/quake2.toml")),
    BuiltIn::new("quake3", include_str!("games/quake3.toml")),
    BuiltIn::new("halflife", include_str!("games/halflife.toml")),
    BuiltIn::new("doom3", include_str!("games/doom3.toml")),
];

/// A built-in game, whose table is parsed on first use.
struct BuiltIn {
    name: &'static str,
    table: &'static str,
    game: OnceLock<Game>,
}

/// The rules of a game for textures and entities.
#[derive(Clone, Debug)]
pub struct Game {
    /// Its name, for reports.
    pub name: String,
    /// The text of a user's own table; `None` if the game is built in.
    pub table: Option<String>,
    /// The prefix that the names of textures have in compiled maps, but not in text maps.
    pub folder: String,
    /// Whether the contents that a face states, in Quake II's bits, take precedence over its texture, unless the
    /// texture has a rank above 0.
    pub face_contents: bool,
    /// Whether faces with empty contents count like all others. Otherwise they are skipped if there are others.
    pub first_face: bool,
    /// Whether the contents of a brush are those of all of its faces together.
    pub all_faces: bool,
    textures: Vec<Rule<Texture>>,
    entities: Vec<Rule<EntityClass>>,
}

/// The meaning of a texture for its brush.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Texture {
    /// Contents of the brush.
    pub contents: Contents,
    /// Rank of a face with this texture: among a brush's faces, the first one of the highest rank decides.
    pub rank: i8,
    /// Whether a single face with this texture lets boxes through the brush, whichever face decides.
    pub noclip: bool,
}

/// The meaning of an entity's class for its brushes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EntityClass {
    /// Contents of the brushes regardless of their textures; `None` if the textures decide.
    pub contents: Option<Contents>,
    /// Whether the brushes belong to the world.
    pub world: bool,
}

/// A pattern, and the meaning of the names that match it.
#[derive(Clone, Debug)]
struct Rule<T> {
    pattern: Pattern,
    meaning: T,
}

/// A pattern for names, compared without regard to case.
#[derive(Clone, Debug)]
enum Pattern {
    Is(String),
    Starts(String),
    Ends(String),
    Has(String),
}

/// A table as written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TableText {
    base: Option<Spanned<String>>,
    folder: Option<String>,
    face_contents: Option<bool>,
    first_face: Option<bool>,
    all_faces: Option<bool>,
    #[serde(default)]
    textures: Vec<Spanned<RuleText>>,
    #[serde(default)]
    entities: Vec<Spanned<RuleText>>,
}

/// A rule of a table as written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleText {
    is: Option<String>,
    starts: Option<String>,
    ends: Option<String>,
    has: Option<String>,
    contents: Option<String>,
    rank: Option<i8>,
    #[serde(default)]
    noclip: bool,
    #[serde(default)]
    world: bool,
}

impl Game {
    /// Returns the built-in game of a name, or `None` if the name is not known.
    pub fn named(name: &str) -> Option<&'static Self> {
        let built_in = BUILT_IN.iter().find(|known| known.name == name)?;
        Some(built_in.game.get_or_init(|| built_in.read()))
    }

    /// Returns the names of all built-in games, for messages.
    pub fn all_names() -> String {
        BUILT_IN.each_ref().map(|game| game.name).join(", ")
    }

    /// Parses the table of a game, such as a user's own.
    ///
    /// # Errors
    /// What is wrong with the table, and where.
    pub fn from_table(name: &str, table: &str) -> Result<Self, String> {
        let text: TableText = toml::from_str(table).map_err(|error| error.to_string())?;
        let at = |start, error| format!("{name}, line {}: {error}", line_of(table, start));
        let named = |base: &Spanned<String>| {
            let (names, start) = (Self::all_names(), base.span().start);
            let base = base.get_ref();
            let error =
                format!("base = {base:?} is no game that onionc knows; write one of {names}");
            Self::named(base).ok_or_else(|| at(start, error))
        };
        let base = text.base.as_ref().map(named).transpose()?;
        let first_face = text.first_face.or(base.map(|base| base.first_face));
        let first_face = first_face.unwrap_or(false);
        let all_faces = text.all_faces.or(base.map(|base| base.all_faces));
        let folder = text.folder.or(base.map(|base| base.folder.clone()));
        let face_contents = text.face_contents.or(base.map(|base| base.face_contents));
        let mut game = Self {
            name: name.to_owned(),
            table: Some(table.to_owned()),
            folder: folder.unwrap_or_default(),
            face_contents: face_contents.unwrap_or(false),
            first_face,
            all_faces: all_faces.unwrap_or(false),
            textures: rules(&text.textures, |rule| rule.texture(first_face), at)?,
            entities: rules(&text.entities, RuleText::entity, at)?,
        };
        if let Some(base) = base {
            game.textures.extend_from_slice(&base.textures);
            game.entities.extend_from_slice(&base.entities);
        }
        Ok(game)
    }

    /// Returns the meaning of a texture. A texture that no rule matches is solid.
    pub fn texture(&self, name: &str) -> Texture {
        let solid = Texture {
            contents: contents::SOLID,
            ..Texture::default()
        };
        let name = name.to_ascii_lowercase();
        let name = name.strip_prefix(&self.folder).unwrap_or(&name);
        meaning(&self.textures, name).unwrap_or(solid)
    }

    /// Returns the meaning of a face that has these contents and no rank of its own.
    pub fn made_of(&self, contents: Contents) -> Texture {
        Texture {
            contents,
            rank: default_rank(contents, self.first_face),
            noclip: false,
        }
    }

    /// Returns the meaning of an entity's class.
    pub fn entity(&self, class: &str) -> EntityClass {
        let class = class.to_ascii_lowercase();
        meaning(&self.entities, &class).unwrap_or_default()
    }
}

impl BuiltIn {
    const fn new(name: &'static str, table: &'static str) -> Self {
        Self {
            name,
            table,
            game: OnceLock::new(),
        }
    }

    fn read(&self) -> Game {
        match Game::from_table(self.name, self.table) {
            Ok(game) => Game {
                table: None,
                ..game
            },
            Err(error) => unreachable!("the table of {} is wrong: {error}", self.name),
        }
    }
}

impl RuleText {
    fn texture(&self, first_face: bool) -> Result<Texture, String> {
        let contents = self.contents()?.ok_or("a texture needs contents")?;
        let default = default_rank(contents, first_face);
        Ok(Texture {
            contents,
            rank: self.rank.unwrap_or(default),
            noclip: self.noclip,
        })
    }

    fn entity(&self) -> Result<EntityClass, String> {
        Ok(EntityClass {
            contents: self.contents()?,
            world: self.world,
        })
    }

    fn contents(&self) -> Result<Option<Contents>, String> {
        let named = contents::from_names_or_none;
        self.contents.as_deref().map(named).transpose()
    }

    fn pattern(&self) -> Result<Pattern, String> {
        let lower = |text: &String| text.to_ascii_lowercase();
        match (&self.is, &self.starts, &self.ends, &self.has) {
            (Some(text), None, None, None) => Ok(Pattern::Is(lower(text))),
            (None, Some(text), None, None) => Ok(Pattern::Starts(lower(text))),
            (None, None, Some(text), None) => Ok(Pattern::Ends(lower(text))),
            (None, None, None, Some(text)) => Ok(Pattern::Has(lower(text))),
            _ => Err("a rule needs exactly one of is, starts, ends and has".to_owned()),
        }
    }
}

impl Pattern {
    /// Returns whether a name matches. A pattern without a folder is compared with the last part of a path.
    fn fits(&self, name: &str) -> bool {
        let part = |pattern: &str| match name.rsplit_once('/') {
            Some((_, last)) if !pattern.contains('/') => last,
            _ => name,
        };
        match self {
            Self::Is(text) => part(text) == text,
            Self::Starts(text) => part(text).starts_with(text),
            Self::Ends(text) => part(text).ends_with(text),
            Self::Has(text) => part(text).contains(text),
        }
    }
}

/// Returns the rank of a face whose rule gives none: faces with empty contents are skipped if there are others.
fn default_rank(contents: Contents, first_face: bool) -> i8 {
    match contents {
        0 if !first_face => i8::MIN,
        _ => 0,
    }
}

fn rules<T>(
    texts: &[Spanned<RuleText>],
    meaning: impl Fn(&RuleText) -> Result<T, String>,
    at: impl Fn(usize, String) -> String,
) -> Result<Vec<Rule<T>>, String> {
    let rule = |text: &RuleText| {
        Ok(Rule {
            pattern: text.pattern()?,
            meaning: meaning(text)?,
        })
    };
    let rule = |text: &Spanned<RuleText>| {
        rule(text.get_ref()).map_err(|error| at(text.span().start, error))
    };
    texts.iter().map(rule).collect()
}

/// Returns the meaning of the first rule that matches a name, or `None` if no rule does.
fn meaning<T: Copy>(rules: &[Rule<T>], name: &str) -> Option<T> {
    let rule = rules.iter().find(|rule| rule.pattern.fits(name))?;
    Some(rule.meaning)
}
