//! Parses the text of a map into entities with their keys, brushes and patches, without interpreting them. The faces of
//! a brush may be written in any common form: three points with the texture's alignment as numbers (Quake) or as two
//! axes (Valve 220), `brushDef` (brush primitives) or `brushDef3` (Doom 3's equations).

use onion_format::WORLD_LIMIT;
use smallvec::SmallVec;

use super::decimal::{self, Decimal};
use super::lexer::{Lexer, Problem, Token};
use crate::entities::decode;
use crate::parts::{MapEntity, is_in_world};
use crate::wording::shortened;

/// Maximum number of numbers after a texture; Daikatana has 11.
const MAX_NUMBERS: usize = 16;

/// Limit of the control points of a patch in each direction, which stay below it.
const MAX_POINTS: usize = 1 << 16;

/// Minimum number of numbers after a texture whose alignment is given by numbers: shift, rotation, scale.
const MIN_NUMBERS: usize = 5;

#[derive(Debug, Default)]
pub struct TextEntity<'a> {
    /// The position at which it begins, as a byte of the text.
    pub at: usize,
    pub keys: MapEntity,
    pub brushes: Vec<TextBrush<'a>>,
    pub patches: Vec<TextPatch<'a>>,
}

#[derive(Debug)]
pub struct TextBrush<'a> {
    /// Its number among all brushes of the text.
    pub number: usize,
    /// Its position in the text, in bytes.
    pub at: usize,
    pub faces: Vec<TextFace<'a>>,
}

#[derive(Debug)]
pub struct TextFace<'a> {
    pub plane: TextPlane,
    /// Name of its texture or shader.
    pub texture: &'a [u8],
    /// Contents, flags and value, if it has them.
    pub flags: Option<[i64; 3]>,
}

/// The plane of a face, as written.
#[derive(Clone, Copy, Debug)]
pub enum TextPlane {
    /// Three points, clockwise seen from outside.
    Points([[Decimal; 3]; 3]),
    /// An outward normal, and a number whose sum with the dot product of the normal and a point of the plane is zero.
    Equation([Decimal; 4]),
}

#[derive(Debug)]
pub struct TextPatch<'a> {
    /// Its number among all patches of the text.
    pub number: usize,
    /// Its position in the text, in bytes.
    pub at: usize,
    /// Name of its texture or shader.
    pub texture: &'a [u8],
    /// Control points in a row.
    pub width: usize,
    /// Rows of control points.
    pub height: usize,
    /// `width * height` control points, row by row, in units.
    pub points: Vec<[f32; 3]>,
}

/// The parts of a text.
#[derive(Debug, Default)]
pub struct MapText<'a> {
    pub entities: Vec<TextEntity<'a>>,
    /// The position and kind of each part of an entity that is of an unknown kind, and is skipped.
    pub unknown: Vec<(usize, String)>,
    /// Whether the text has a version, or a brush or patch in Doom 3's form.
    pub is_doom3: bool,
    /// Whether a brush or a patch has a form that only Quake III's editors write.
    pub is_quake3: bool,
    /// Number of brushes so far, over all entities.
    n_brushes: usize,
    /// Number of patches so far, likewise.
    n_patches: usize,
}

pub fn read(text: &[u8]) -> Result<MapText<'_>, Problem> {
    let mut reader = Reader {
        lexer: Lexer::new(text),
        map: MapText::default(),
    };
    loop {
        let at = reader.lexer.position();
        match reader.lexer.next()? {
            Token::Mark(b'{') => {
                let entity = reader.entity(at)?;
                reader.map.entities.push(entity);
            }
            Token::End => return Ok(reader.map),
            // Doom 3 begins with its version.
            Token::Word(b"Version") => {
                reader.map.is_doom3 = true;
                reader.number()?;
            }
            found => return Err(unexpected(at, "the { of an entity", found)),
        }
    }
}

struct Reader<'a> {
    lexer: Lexer<'a>,
    map: MapText<'a>,
}

impl<'a> Reader<'a> {
    fn entity(&mut self, start: usize) -> Result<TextEntity<'a>, Problem> {
        let mut entity = TextEntity {
            at: start,
            ..TextEntity::default()
        };
        loop {
            let at = self.lexer.position();
            match self.lexer.next()? {
                Token::Mark(b'{') => self.part(&mut entity, at)?,
                Token::Mark(b'}') => return Ok(entity),
                Token::Quoted(key) => {
                    entity.keys.insert(lossy(key), self.value(key)?);
                }
                Token::End => {
                    let what = "this entity is never closed; add the } that is missing";
                    return Err(Problem::new(start, what));
                }
                found => {
                    let wanted = "a key, a brush or the end of the entity";
                    return Err(unexpected(at, wanted, found));
                }
            }
        }
    }

    fn value(&mut self, key: &[u8]) -> Result<String, Problem> {
        let at = self.lexer.position();
        let Token::Quoted(value) = self.lexer.next()? else {
            let key = shortened(&lossy(key));
            let what = format!("the key {key:?} has no value in quotes");
            return Err(Problem::new(at, what));
        };
        Ok(lossy(value))
    }

    /// Reads a brush or a patch, after its brace.
    fn part(&mut self, entity: &mut TextEntity<'a>, at: usize) -> Result<(), Problem> {
        let Token::Word(kind) = self.lexer.peek()? else {
            let faces = self.faces(Self::face)?;
            entity.brushes.push(self.brush(at, faces));
            return Ok(());
        };
        self.lexer.next()?;
        self.map.is_doom3 |= kind.ends_with(b"3");
        self.map.is_quake3 |= matches!(kind, b"brushDef" | b"patchDef2");
        match kind {
            b"brushDef" | b"brushDef3" => {
                self.expect(b'{')?;
                let faces = self.faces(|reader| {
                    let plane = match kind {
                        b"brushDef" => reader.points()?,
                        _ => TextPlane::Equation(reader.decimals()?),
                    };
                    reader.primitive_face(plane)
                })?;
                entity.brushes.push(self.brush(at, faces));
                self.expect(b'}')
            }
            b"patchDef2" => self.patch(entity, at, 5),
            b"patchDef3" => self.patch(entity, at, 7),
            _ => {
                self.map.unknown.push((at, lossy(kind)));
                self.skip(at)
            }
        }
    }

    fn brush(&mut self, at: usize, faces: Vec<TextFace<'a>>) -> TextBrush<'a> {
        self.map.n_brushes += 1;
        TextBrush {
            number: self.map.n_brushes - 1,
            at,
            faces,
        }
    }

    /// Reads faces up to the closing brace. Doom 3 lets a brush have keys, which say nothing about its shape.
    fn faces(
        &mut self,
        face: impl Fn(&mut Self) -> Result<TextFace<'a>, Problem>,
    ) -> Result<Vec<TextFace<'a>>, Problem> {
        let mut faces = Vec::new();
        loop {
            let at = self.lexer.position();
            match self.lexer.peek()? {
                Token::Mark(b'(') => faces.push(face(self)?),
                Token::Mark(b'}') => {
                    self.lexer.next()?;
                    return Ok(faces);
                }
                Token::Quoted(_) => {
                    self.lexer.next()?;
                }
                found => return Err(unexpected(at, "a face or the end of the brush", found)),
            }
        }
    }

    fn face(&mut self) -> Result<TextFace<'a>, Problem> {
        let at = self.lexer.position();
        let plane = self.points()?;
        let texture = self.texture()?;
        // Valve's two axes in brackets replace the shift; rotation and scale follow them.
        let mut least = MIN_NUMBERS;
        while self.lexer.pass(b'[') {
            for _ in 0..4 {
                self.number()?;
            }
            self.expect(b']')?;
            least = 3;
        }
        let numbers = self.numbers()?;
        let count = numbers.len();
        if count < least {
            let what = format!(
                "this face has {count} numbers after its texture {:?}, but needs at least {least}",
                lossy(texture)
            );
            return Err(Problem::new(at, what));
        }
        Ok(TextFace {
            plane,
            texture,
            flags: numbers[least..].first_chunk().copied(),
        })
    }

    fn points(&mut self) -> Result<TextPlane, Problem> {
        let points = [self.decimals()?, self.decimals()?, self.decimals()?];
        Ok(TextPlane::Points(points))
    }

    /// Reads a face after its plane: the matrix of its texture, which is two rows of three numbers, and the texture.
    fn primitive_face(&mut self, plane: TextPlane) -> Result<TextFace<'a>, Problem> {
        self.expect(b'(')?;
        for _ in 0..2 {
            self.decimals::<3>()?;
        }
        self.expect(b')')?;
        Ok(TextFace {
            plane,
            texture: self.texture()?,
            flags: self.numbers()?.first_chunk().copied(),
        })
    }

    fn texture(&mut self) -> Result<&'a [u8], Problem> {
        let at = self.lexer.position();
        let texture = self.lexer.name()?;
        if texture.is_empty() || matches!(texture, b"(" | b"}") {
            return Err(Problem::new(at, "this face has no texture"));
        }
        Ok(texture)
    }

    /// Reads a patch after its kind: `{ texture ( width height … ) ( columns of points ) }`.
    fn patch(
        &mut self,
        entity: &mut TextEntity<'a>,
        at: usize,
        n_header: usize,
    ) -> Result<(), Problem> {
        self.expect(b'{')?;
        let texture = self.texture()?;
        let (width, height) = self.patch_size(n_header)?;
        // The text has them column by column, a patch has them row by row.
        let columns = self.control_points(width, height)?;
        let rows = (0..height).flat_map(|row| (0..width).map(move |column| [column, row]));
        let points = rows.map(|[column, row]| columns[column * height + row]);
        entity.patches.push(TextPatch {
            number: self.map.n_patches,
            at,
            texture,
            width,
            height,
            points: points.collect(),
        });
        self.map.n_patches += 1;
        // One brace closes the patch, and one the part that contains it.
        self.expect(b'}')?;
        self.expect(b'}')
    }

    /// Reads width and height, and skips other numbers, which say nothing about the shape.
    fn patch_size(&mut self, n_header: usize) -> Result<(usize, usize), Problem> {
        self.expect(b'(')?;
        let at = self.lexer.position();
        let header = (0..n_header).map(|_| self.number());
        let header: Vec<i64> = header.collect::<Result<_, _>>()?;
        self.expect(b')')?;
        let size = |number: i64| {
            let size = usize::try_from(number).ok();
            size.filter(|&size| size < MAX_POINTS)
        };
        let sizes = size(header[0]).zip(size(header[1]));
        sizes.ok_or_else(|| {
            let [width, height] = [header[0], header[1]];
            let what = format!(
                "a patch of {width} by {height} control points; each number must be from 0 to {}",
                MAX_POINTS - 1
            );
            Problem::new(at, what)
        })
    }

    fn control_points(&mut self, width: usize, height: usize) -> Result<Vec<[f32; 3]>, Problem> {
        // Not reserved: the width and height that a text declares may be more than it has.
        let mut columns = Vec::new();
        self.expect(b'(')?;
        for _ in 0..width {
            self.expect(b'(')?;
            for _ in 0..height {
                columns.push(self.control_point()?);
            }
            self.expect(b')')?;
        }
        self.expect(b')')?;
        Ok(columns)
    }

    /// Reads the position of a control point, and skips its texture coordinates.
    fn control_point(&mut self) -> Result<[f32; 3], Problem> {
        self.expect(b'(')?;
        let at = self.lexer.position();
        let mut point = [0.0; 5];
        for number in &mut point {
            *number = self.parsed(float)?;
        }
        self.expect(b')')?;
        let [x, y, z, ..] = point;
        if is_in_world(&[x, y, z]) {
            return Ok([x, y, z]);
        }
        let what = format!(
            "this control point lies outside the world, which reaches to {WORLD_LIMIT} units"
        );
        Err(Problem::new(at, what))
    }

    fn decimals<const N: usize>(&mut self) -> Result<[Decimal; N], Problem> {
        self.expect(b'(')?;
        let mut numbers = [Decimal::ZERO; N];
        for number in &mut numbers {
            *number = self.parsed(Decimal::parse)?;
        }
        self.expect(b')')?;
        Ok(numbers)
    }

    /// Reads a number and drops its fraction.
    fn number(&mut self) -> Result<i64, Problem> {
        self.parsed(truncated)
    }

    /// Reads a number that a function parses.
    fn parsed<T>(&mut self, parse: fn(&[u8]) -> Option<T>) -> Result<T, Problem> {
        if let Some((at, word)) = self.lexer.word()? {
            return parse(word).ok_or_else(|| not_a_number(at, word));
        }
        let at = self.lexer.position();
        Err(unexpected(at, "a number", self.lexer.next()?))
    }

    fn numbers(&mut self) -> Result<SmallVec<[i64; MAX_NUMBERS]>, Problem> {
        let mut numbers = SmallVec::new();
        while let Some((at, word)) = self.lexer.word()? {
            if numbers.len() == MAX_NUMBERS {
                return Err(Problem::new(at, "too many numbers after a texture"));
            }
            numbers.push(truncated(word).ok_or_else(|| not_a_number(at, word))?);
        }
        Ok(numbers)
    }

    fn expect(&mut self, mark: u8) -> Result<(), Problem> {
        if self.lexer.pass(mark) {
            return Ok(());
        }
        let at = self.lexer.position();
        let wanted = char::from(mark).to_string();
        Err(unexpected(at, &wanted, self.lexer.next()?))
    }

    /// Skips a part up to its closing brace, with everything that it nests.
    fn skip(&mut self, start: usize) -> Result<(), Problem> {
        let mut depth = 1;
        while depth > 0 {
            match self.lexer.next()? {
                Token::Mark(b'{') => depth += 1,
                Token::Mark(b'}') => depth -= 1,
                Token::End => return Err(Problem::new(start, "this is never closed")),
                _ => {}
            }
        }
        Ok(())
    }
}

/// Parses a finite number and drops its fraction. Flags are whole numbers that a float may not represent exactly.
fn truncated(word: &[u8]) -> Option<i64> {
    decimal::whole(word).or_else(|| float(word).map(|number| number as i64))
}

fn float(word: &[u8]) -> Option<f32> {
    let number: f32 = std::str::from_utf8(word).ok()?.parse().ok()?;
    number.is_finite().then_some(number)
}

fn not_a_number(at: usize, word: &[u8]) -> Problem {
    let word = shortened(&lossy(word));
    Problem::new(at, format!("{word:?} is not a number that fits here"))
}

fn unexpected(at: usize, wanted: &str, found: Token) -> Problem {
    let found = match found {
        Token::Mark(mark) => char::from(mark).to_string(),
        Token::Quoted(text) | Token::Word(text) => format!("{:?}", shortened(&lossy(text))),
        Token::End => "the end of the file".to_owned(),
    };
    Problem::new(at, format!("expected {wanted}, found {found}"))
}

fn lossy(text: &[u8]) -> String {
    decode(text).into_owned()
}
