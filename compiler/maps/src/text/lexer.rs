//! Splits the text of a map into braces, parentheses, brackets, quoted strings and words. All characters up to the
//! space are white space, so any line ending is accepted; comments extend from `//` to the end of a line.

/// A token of a map's text. Quoted strings are without their quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token<'a> {
    /// One of `{ } ( ) [ ]`.
    Mark(u8),
    Quoted(&'a [u8]),
    /// Anything else up to white space or a mark.
    Word(&'a [u8]),
    End,
}

/// A problem in a text, and its position.
#[derive(Clone, Debug)]
pub struct Problem {
    /// Its position in the text, in bytes.
    pub at: usize,
    /// The problem and its remedy.
    pub what: String,
}

impl Problem {
    pub fn new(at: usize, what: impl Into<String>) -> Self {
        Self {
            at,
            what: what.into(),
        }
    }
}

/// A lexer, which reads tokens one by one.
#[derive(Clone, Debug)]
pub struct Lexer<'a> {
    /// All bytes of the text.
    text: &'a [u8],
    /// Offset of the next byte.
    at: usize,
}

impl<'a> Lexer<'a> {
    pub fn new(text: &'a [u8]) -> Self {
        Self { text, at: 0 }
    }

    pub fn position(&mut self) -> usize {
        self.skip_space();
        self.at
    }

    /// Returns the next token without consuming it.
    pub fn peek(&mut self) -> Result<Token<'a>, Problem> {
        let at = self.position();
        let token = self.next();
        self.at = at;
        token
    }

    pub fn next(&mut self) -> Result<Token<'a>, Problem> {
        let start = self.position();
        match self.text.get(start) {
            None => Ok(Token::End),
            Some(b'"') => self.quoted().map(Token::Quoted),
            Some(&mark) if is_mark(mark) => {
                self.at += 1;
                Ok(Token::Mark(mark))
            }
            Some(_) => self.until(ends_word).map(Token::Word),
        }
    }

    /// Consumes the next token if it is this mark, and returns whether it is.
    pub fn pass(&mut self, mark: u8) -> bool {
        let is_there = self.text.get(self.position()) == Some(&mark);
        self.at += usize::from(is_there);
        is_there
    }

    /// Consumes the next token if it is a word, and returns it with its position, or returns `None` if it is not a
    /// word.
    pub fn word(&mut self) -> Result<Option<(usize, &'a [u8])>, Problem> {
        let start = self.position();
        match self.text.get(start) {
            None | Some(b'"') => Ok(None),
            Some(&mark) if is_mark(mark) => Ok(None),
            Some(_) => Ok(Some((start, self.until(ends_word)?))),
        }
    }

    /// Reads the next token as the name of a texture, which may contain any mark: it ends at white space, or is
    /// quoted.
    pub fn name(&mut self) -> Result<&'a [u8], Problem> {
        let start = self.position();
        match self.text.get(start) {
            Some(b'"') => self.quoted(),
            _ => self.until(|byte| byte <= b' '),
        }
    }

    fn skip_space(&mut self) {
        while let Some(&byte) = self.text.get(self.at) {
            match byte {
                1..=b' ' => self.at += 1,
                b'/' if self.text.get(self.at + 1) == Some(&b'/') => {
                    let is_end = |byte: &u8| b"\r\n".contains(byte);
                    let rest = &self.text[self.at..];
                    self.at += rest.iter().position(is_end).unwrap_or(rest.len());
                }
                _ => return,
            }
        }
    }

    fn until(&mut self, is_end: impl Fn(u8) -> bool) -> Result<&'a [u8], Problem> {
        let rest = &self.text[self.at..];
        let length = rest.iter().position(|&byte| is_end(byte));
        let (word, after) = rest.split_at(length.unwrap_or(rest.len()));
        if after.first() == Some(&0) {
            let what = "a zero byte; this is not the text of a map, or it is damaged: get it again";
            return Err(Problem::new(self.at + word.len(), what));
        }
        self.at += word.len();
        Ok(word)
    }

    /// Reads a string in quotes, which ends on its line. An escaped quote does not end it, unless the line ends
    /// there: then the backslash is the last character of a path.
    fn quoted(&mut self) -> Result<&'a [u8], Problem> {
        let start = self.at + 1;
        let rest = &self.text[start..];
        for (length, &byte) in rest.iter().enumerate() {
            let ends_line = |at: usize| rest.get(at).is_none_or(|byte| b"\r\n".contains(byte));
            let is_escaped = length > 0 && rest[length - 1] == b'\\' && !ends_line(length + 1);
            if byte == b'"' && !is_escaped {
                self.at = start + length + 1;
                return Ok(&rest[..length]);
            }
            if byte == b'\n' || byte == b'\r' || byte == 0 {
                break;
            }
        }
        let what = "this quoted string does not end on its line; close it with a quote";
        Err(Problem::new(self.at, what))
    }
}

/// Whether a word ends before each byte: before white space, a mark or a quote.
const ENDS_WORD: [bool; 256] = {
    let mut ends = [false; 256];
    let mut byte = 0;
    while byte < ends.len() {
        ends[byte] = byte <= b' ' as usize || byte == b'"' as usize || is_mark(byte as u8);
        byte += 1;
    }
    ends
};

fn ends_word(byte: u8) -> bool {
    ENDS_WORD[usize::from(byte)]
}

const fn is_mark(byte: u8) -> bool {
    matches!(byte, b'{' | b'}' | b'(' | b')' | b'[' | b']')
}
