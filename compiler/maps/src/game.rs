//! What a game knows and its maps do not say: the contents of textures in text maps, and which entities belong to the
//! world, collide as something else, or do not collide at all. The tables of known games are in `games/` as TOML. A
//! user's table has the same form and takes precedence over the game that it names as its `base`.

use std::sync::OnceLock;

use serde::Deserialize;
use toml::Spanned;

use crate::contents::{self, Contents};
use crate::wording::line_of;

/// The games that are built in.
static BUILT_IN: [BuiltIn; 5] = [
    BuiltIn::new("quake", include_str!("games/quake.toml")),
    BuiltIn::new("quake2", include_str!("games/quake2.toml")),
    BuiltIn::new("quake3", include_str!("games/quake3.toml")),
    BuiltIn::new("halflife", include_str!("games/halflife.toml")),
    BuiltIn::new("doom3", include_str!("games/doom3.toml")),
];

/// A game whose table is read when it is first asked for.
struct BuiltIn {
    name: &'static str,
    table: &'static str,
    game: OnceLock<Game>,
}

/// What a game says of textures and entities.
#[derive(Clone, Debug)]
pub struct Game {
    /// Its name, for reports.
    pub name: String,
    /// The table of a user's own as it was written; none for games that are built in.
    pub table: Option<String>,
    /// What the names of textures in compiled maps begin with, and in the text do not.
    pub folder: String,
    /// Whether the numbers that a face gives, which have Quake II's bits, go before its texture, unless that has a
    /// rank above 0.
    pub face_contents: bool,
    /// Whether faces of nothing decide like others. Otherwise they are passed over.
    pub first_face: bool,
    /// Whether a brush is made of what all of its faces say together.
    pub all_faces: bool,
    textures: Vec<Rule<Texture>>,
    entities: Vec<Rule<EntityClass>>,
}

/// What a texture says of its brush.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Texture {
    /// What it is made of.
    pub contents: Contents,
    /// Of a brush's faces, one of the highest rank decides, the first if there are several.
    pub rank: i8,
    /// Whether one face with it lets boxes through the brush, whichever face decides.
    pub noclip: bool,
}

/// What an entity's class says of its brushes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EntityClass {
    /// What they are made of, whatever their textures say.
    pub contents: Option<Contents>,
    /// Whether they belong to the world.
    pub world: bool,
}

/// What a name that fits a pattern means.
#[derive(Clone, Debug)]
struct Rule<T> {
    pattern: Pattern,
    meaning: T,
}

/// Names without regard to case.
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

/// A line of a table as written.
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
    /// A game by its name; none if it is not known.
    pub fn named(name: &str) -> Option<&'static Self> {
        let built_in = BUILT_IN.iter().find(|known| known.name == name)?;
        Some(built_in.game.get_or_init(|| built_in.read()))
    }

    /// The names of all known games, for messages.
    pub fn all_names() -> String {
        BUILT_IN.each_ref().map(|game| game.name).join(", ")
    }

    /// A game of the user's own.
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

    /// What a texture is made of. One that no rule fits is solid.
    pub fn texture(&self, name: &str) -> Texture {
        let solid = Texture {
            contents: contents::SOLID,
            ..Texture::default()
        };
        let name = name.to_ascii_lowercase();
        let name = name.strip_prefix(&self.folder).unwrap_or(&name);
        meaning(&self.textures, name).unwrap_or(solid)
    }

    /// What a face without a rank of its own says that is made of some contents.
    pub fn made_of(&self, contents: Contents) -> Texture {
        Texture {
            contents,
            rank: default_rank(contents, self.first_face),
            noclip: false,
        }
    }

    /// What an entity's class says.
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
    /// Whether a name fits. A pattern without a folder is compared with the last part of a path.
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

/// The rank of a face unless its rule has one: faces of nothing are passed over if there are others.
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

/// What the first rule says that a name fits.
fn meaning<T: Copy>(rules: &[Rule<T>], name: &str) -> Option<T> {
    let rule = rules.iter().find(|rule| rule.pattern.fits(name))?;
    Some(rule.meaning)
}
