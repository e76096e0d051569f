//! Parses the entity text of a map into the keys and values of each entity. Parsing is lenient: an oddity is a warning
//! and never an error, because collision needs little of the text.

use std::borrow::Cow;

use super::parts::{Map, MapEntity, PointEntity, Warning};
use crate::wording::shortened;

/// Reads entity text up to its first zero byte.
pub fn parse(text: &[u8], warnings: &mut Vec<Warning>) -> Vec<MapEntity> {
    let mut parts = text.splitn(2, |&byte| byte == 0);
    let [text, rest] = [(); 2].map(|()| parts.next().unwrap_or_default());
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
            // Counted, for one warning: a damaged file would give thousands.
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

/// Adds entities to a map that already has its models: links each inline model to the first entity that shows it, by
/// the keys `"model" "*N"` and `"origin" "X Y Z"`, and lists the entities that stand at a point.
pub fn place(map: &mut Map, entities: Vec<MapEntity>) {
    let first = entities.first().and_then(|entity| entity.get("classname"));
    if first.is_none_or(|class| class != "worldspawn") {
        let message = "the first entity is not worldspawn; compiled all the same";
        map.warnings.push(Warning::new("entities", message));
    }
    for (number, entity) in entities.iter().enumerate() {
        let Some(text) = shown(entity) else {
            continue;
        };
        let index = text.parse::<usize>().ok().filter(|&index| index > 0);
        match index.and_then(|index| map.models.get_mut(index)) {
            Some(model) if model.entity.is_some() => {}
            Some(model) => {
                model.entity = Some(number as u32);
                let origin = origin(number, entity, "0 0 0 is used", &mut map.warnings);
                model.origin = origin.unwrap_or_default();
            }
            None => {
                let message =
                    format!("it shows inline model *{text}, which does not exist; ignored");
                let place = format!("entity {number}");
                map.warnings.push(Warning::new(place, message));
            }
        }
    }
    // An entity that shows an inline model has the model's position as its origin, and is not at a point.
    let others = entities.iter().enumerate();
    let others = others.filter(|(_, entity)| shown(entity).is_none());
    let points = others.filter_map(|(number, entity)| {
        Some(PointEntity {
            number,
            class: entity.get("classname")?.clone(),
            origin: origin(number, entity, "ignored", &mut map.warnings)?,
        })
    });
    map.points = points.collect();
    map.entities = entities;
}

/// Returns the number of the inline model that an entity shows, as text, or `None` if it shows none.
fn shown(entity: &MapEntity) -> Option<&str> {
    entity.get("model")?.strip_prefix('*')
}

/// Returns the origin of an entity, or `None` if it has none or its text is not three finite numbers. The latter gives
/// a warning; `instead` tells its reader how the entity is handled.
fn origin(
    number: usize,
    entity: &MapEntity,
    instead: &str,
    warnings: &mut Vec<Warning>,
) -> Option<[f32; 3]> {
    let text = entity.get("origin")?;
    let origin = vector(text);
    if origin.is_none() {
        let text = shortened(text);
        let message = format!("its origin {text:?} is not three numbers; {instead}");
        warnings.push(Warning::new(format!("entity {number}"), message));
    }
    origin
}

/// Parses three finite numbers separated by white space, or returns `None` if the text is anything else.
pub fn vector(text: &str) -> Option<[f32; 3]> {
    let numbers = text.split_whitespace().map(str::parse::<f32>);
    let numbers: Vec<f32> = numbers.collect::<Result<_, _>>().ok()?;
    let vector = <[f32; 3]>::try_from(numbers).ok()?;
    vector.iter().all(|at| at.is_finite()).then_some(vector)
}

/// Decodes bytes as UTF-8 or, if they are not valid UTF-8, as Latin-1, where each byte is the character of its number,
/// so that nothing is lost.
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
        let rest = self.0.trim_start();
        let (token, after) = match rest.chars().next()? {
            '{' => (Token::Open, &rest[1..]),
            '}' => (Token::Close, &rest[1..]),
            '"' => match rest[1..].split_once('"') {
                Some((text, after)) => (Token::Text(text), after),
                None => (Token::Unclosed, ""),
            },
            _ => {
                let end = rest.find(|c: char| c.is_whitespace() || "{}\"".contains(c));
                let (text, after) = rest.split_at(end.unwrap_or(rest.len()));
                (Token::Text(text), after)
            }
        };
        self.0 = after;
        Some(token)
    }
}
