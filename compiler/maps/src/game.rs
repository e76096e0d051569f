//! The facts about a game that its maps do not state: the contents of textures in text maps, and which entities belong
//! to the world, collide as something else, or do not collide at all. The tables of known games are in `games/` as
//! TOML. A user's table has the same form and takes precedence over the game that it names as its `base`.

use std::sync::LazyLock;

use serde::Deserialize;
use toml::Spanned;

use crate::contents::{self, Contents};
use crate::wording::line_of;

/// The built-in games.
static BUILT_IN: LazyLock<[Game; 5]> = LazyLock::new(|| {
    [
        ("quake", include_str!("games/quake.toml")),
        ("quake2", include_str!("games/quake2.toml")),
        ("quake3", include_str!("games/quake3.toml")),
        ("halflife", include_str!("games/halflife.toml")),
        ("doom3", include_str!("games/doom3.toml")),
    ]
    .map(|(name, table)| match Game::from_table(name, table) {
        Ok(game) => Game {
            table: None,
            ..game
        },
        Err(error) => unreachable!("the table of {name} is wrong: {error}"),
    })
});

/// The rules of a game for textures and entities.
#[derive(Clone, Debug, Default)]
pub struct Game {
    /// Its name, for reports.
    pub name: String,
    /// The text of a user's own table; `None` if the game is built in.
    pub table: Option<String>,
    /// The prefix that the names of textures have in compiled maps, but not in text maps.
    pub folder: String,
    /// Whether the contents that a face states, in Quake II's bits, are used instead of those of its texture, unless
    /// the texture has a rank above 0.
    pub face_contents: bool,
    /// Whether the first face of a brush decides even if its contents are empty. Otherwise faces with empty contents
    /// decide only if no other face can.
    pub first_face: bool,
    /// Whether a brush has the contents of all of its faces together, rather than those of the deciding face.
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

/// A function that returns whether a name matches a pattern.
type Fits = fn(&str, &str) -> bool;

/// A pattern for names in lower case, and the meaning of the names that match it.
#[derive(Clone, Debug)]
struct Rule<T> {
    fits: Fits,
    pattern: String,
    meaning: T,
}

/// The table of a game as written in TOML.
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

/// A rule of a game's table as written in TOML.
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
        BUILT_IN.iter().find(|known| known.name == name)
    }

    /// Returns a built-in game by a name that is known to exist.
    pub(crate) fn built_in(name: &str) -> &'static Self {
        Self::named(name).unwrap_or_else(|| unreachable!("{name} is built in"))
    }

    /// Returns the names of all built-in games, for messages.
    pub fn all_names() -> String {
        BUILT_IN.each_ref().map(|game| &*game.name).join(", ")
    }

    /// Parses the table of a game, such as a user's own.
    ///
    /// # Errors
    /// The table is wrong; the message says where and why.
    pub fn from_table(name: &str, table: &str) -> Result<Self, String> {
        let text: TableText = toml::from_str(table).map_err(|error| error.to_string())?;
        let at = |start, error| format!("{name}, line {}: {error}", line_of(table, start));
        let named = |base: &Spanned<String>| {
            let (name, names) = (base.get_ref(), Self::all_names());
            let error =
                format!("base = {name:?} is not a game that onionc knows; write one of {names}");
            Self::named(name).ok_or_else(|| at(base.span().start, error))
        };
        let base = text.base.as_ref().map(named).transpose()?;
        let base = base.cloned().unwrap_or_default();
        let first_face = text.first_face.unwrap_or(base.first_face);
        let textures = rules(&text.textures, |rule| rule.texture(first_face), at)?;
        let entities = rules(&text.entities, RuleText::entity, at)?;
        Ok(Self {
            name: name.to_owned(),
            table: Some(table.to_owned()),
            folder: text.folder.unwrap_or(base.folder),
            face_contents: text.face_contents.unwrap_or(base.face_contents),
            first_face,
            all_faces: text.all_faces.unwrap_or(base.all_faces),
            textures: [textures, base.textures].concat(),
            entities: [entities, base.entities].concat(),
        })
    }

    /// Returns the meaning of a texture. A texture that no rule matches is solid.
    pub fn texture(&self, name: &str) -> Texture {
        let solid = Texture {
            contents: contents::SOLID,
            ..Texture::default()
        };
        let path = name.to_ascii_lowercase();
        let name = path.strip_prefix(&self.folder).unwrap_or(&path);
        meaning(&self.textures, name).unwrap_or(solid)
    }

    /// Returns the meaning of a face with these contents and without a rank of its own.
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

impl RuleText {
    fn texture(&self, first_face: bool) -> Result<Texture, String> {
        let contents = self.contents()?.ok_or("a texture needs contents")?;
        Ok(Texture {
            contents,
            rank: self.rank.unwrap_or(default_rank(contents, first_face)),
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

    fn rule<T>(&self, meaning: impl Fn(&Self) -> Result<T, String>) -> Result<Rule<T>, String> {
        let patterns: [(_, Fits); 4] = [
            (&self.is, |name, text| name == text),
            (&self.starts, |name, text| name.starts_with(text)),
            (&self.ends, |name, text| name.ends_with(text)),
            (&self.has, |name, text| name.contains(text)),
        ];
        let mut given = patterns
            .iter()
            .filter_map(|(text, fits)| Some((text.as_ref()?, fits)));
        match (given.next(), given.next()) {
            (Some((text, &fits)), None) => Ok(Rule {
                fits,
                pattern: text.to_ascii_lowercase(),
                meaning: meaning(self)?,
            }),
            _ => Err("a rule needs exactly one of is, starts, ends and has".to_owned()),
        }
    }
}

/// Returns the rank of a face whose rule gives none. Faces with empty contents decide only if there are no others,
/// unless the first face of a brush always decides.
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
    let rule = |text: &Spanned<RuleText>| {
        let rule = text.get_ref().rule(&meaning);
        rule.map_err(|error| at(text.span().start, error))
    };
    texts.iter().map(rule).collect()
}

/// Returns the meaning of the first rule that matches a name, or `None` if no rule does. A pattern without a folder is
/// compared with the last part of a path.
fn meaning<T: Copy>(rules: &[Rule<T>], name: &str) -> Option<T> {
    let last = name.rsplit_once('/').map_or(name, |(_, last)| last);
    let rule = rules.iter().find(|rule| {
        let has_folder = rule.pattern.contains('/');
        (rule.fits)(if has_folder { name } else { last }, &rule.pattern)
    })?;
    Some(rule.meaning)
}
