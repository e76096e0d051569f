//! Parses the entity text of a map into the keys and values of each entity. Parsing is lenient: an oddity is a
//! warning and never an error, because collision needs little of the text.

use std::borrow::Cow;

use super::parts::{Map, MapEntity, PointEntity, Warning};
use crate::wording::shortened;

/// Reads entity text up to its first zero byte.
pub fn parse(text: &[u8], warnings: &mut Vec<Warning>) -> Vec<MapEntity> {
    let end = text
        .iter()
        .position(|&byte| byte == 0)
        .unwrap_or(text.len());
    let (text, rest) = text.split_at(end);
    let mut warn = |message: &str| warnings.push(Warning::new("entities", message));
    if rest.iter().any(|&byte| byte != 0) {
        warn("text after a zero byte; ignored, as engines do");
    }
    let text = decode(text);
    if matches!(text, Cow::Owned(_)) {
        warn("the text is not UTF-8; read as Latin-1");
    }

    let mut entities: Vec<MapEntity> = Vec::new();
    let mut open: Option<MapEntity> = None;
    let mut key: Option<String> = None;
    let mut misplaced = 0;
    for token in Tokens(&text) {
        match (token, &mut open) {
            (Token::Open, None) => open = Some(MapEntity::new()),
            (Token::Close, Some(_)) => {
                if key.take().is_some() {
                    warn("a key without a value; ignored");
                }
                entities.extend(open.take());
            }
            (Token::Text(text), Some(entity)) => match key.take() {
                None => key = Some(text.to_owned()),
                Some(key) => {
                    entity.insert(key, text.to_owned());
                }
            },
            (Token::Unclosed, _) => warn("a quoted string is never closed"),
            (Token::Open | Token::Close | Token::Text(_), _) => misplaced += 1,
        }
    }
    if misplaced > 0 {
        warn(&format!("misplaced braces or words ({misplaced}); ignored"));
    }
    if let Some(entity) = open {
        warn("the last entity is never closed");
        entities.push(entity);
    }
    entities
}

/// Returns the entities that have a class and an origin and do not show an inline model; where an entity shows one,
/// its origin moves the model. An origin that is not three finite numbers is a warning, and its entity is left out.
pub fn points(entities: &[MapEntity], warnings: &mut Vec<Warning>) -> Vec<PointEntity> {
    let is_point = |entity: &MapEntity| {
        let model = entity.get("model");
        !model.is_some_and(|model| model.starts_with('*'))
    };
    let entities = entities.iter().enumerate();
    entities
        .filter(|(_, entity)| is_point(entity))
        .filter_map(|(number, entity)| {
            let (class, origin) = (entity.get("classname")?, entity.get("origin")?);
            let Some(place) = vector(origin) else {
                let message = format!(
                    "its origin {:?} is not three numbers; ignored",
                    shortened(origin)
                );
                warnings.push(Warning::new(format!("entity {number}"), message));
                return None;
            };
            Some(PointEntity {
                number,
                class: class.clone(),
                origin: place,
            })
        })
        .collect()
}

/// Links each inline model to the entity that shows it, by the keys `"model" "*N"` and `"origin" "X Y Z"`.
pub fn place_models(map: &mut Map, entities: &[MapEntity]) {
    if entities
        .first()
        .and_then(|entity| entity.get("classname"))
        .map(String::as_str)
        != Some("worldspawn")
    {
        let message = "the first entity is not worldspawn; compiled all the same";
        map.warnings.push(Warning::new("entities", message));
    }
    for (number, entity) in entities.iter().enumerate() {
        let Some(text) = entity
            .get("model")
            .and_then(|model| model.strip_prefix('*'))
        else {
            continue;
        };
        let place = format!("entity {number}");
        let index = text.parse::<usize>().ok().filter(|&index| index > 0);
        let Some(model) = index.and_then(|index| map.models.get_mut(index)) else {
            let message = format!("it shows inline model *{text}, which does not exist; ignored");
            map.warnings.push(Warning::new(place, message));
            continue;
        };
        if model.entity.is_some() {
            continue;
        }
        model.entity = Some(number as u32);
        let Some(origin) = entity.get("origin") else {
            continue;
        };
        match vector(origin) {
            Some(origin) => model.origin = origin,
            None => {
                let message = format!(
                    "its origin {:?} is not three numbers; 0 0 0 is used",
                    shortened(origin)
                );
                map.warnings.push(Warning::new(place, message));
            }
        }
    }
}

/// Parses three finite numbers separated by white space, or returns `None` if the text is anything else.
pub fn vector(text: &str) -> Option<[f32; 3]> {
    let numbers = text.split_whitespace().map(str::parse::<f32>);
    let numbers: Vec<f32> = numbers.collect::<Result<_, _>>().ok()?;
    let vector: [f32; 3] = numbers.try_into().ok()?;
    vector
        .iter()
        .all(|number| number.is_finite())
        .then_some(vector)
}

/// Decodes bytes as UTF-8 or, if they are not valid UTF-8, as Latin-1, where each byte is the character of its
/// number, so that nothing is lost.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    }
}

enum Token<'a> {
    Open,
    Close,
    Text(&'a str),
    Unclosed,
}

struct Tokens<'a>(&'a str);

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        self.0 = self.0.trim_start();
        let rest = self.0;
        if let Some(quoted) = rest.strip_prefix('"') {
            let Some((text, after)) = quoted.split_once('"') else {
                self.0 = "";
                return Some(Token::Unclosed);
            };
            self.0 = after;
            return Some(Token::Text(text));
        }
        let first = rest.chars().next()?;
        if first == '{' || first == '}' {
            self.0 = &rest[1..];
            return Some(if first == '{' {
                Token::Open
            } else {
                Token::Close
            });
        }
        let end = rest.find(|c: char| c.is_whitespace() || "{}\"".contains(c));
        let (text, after) = rest.split_at(end.unwrap_or(rest.len()));
        self.0 = after;
        Some(Token::Text(text))
    }
}
