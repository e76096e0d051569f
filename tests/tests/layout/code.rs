//! A reader of Rust for the needs of the other modules: it separates the code in a file from comments and literals,
//! and finds the words and signs of the code with their lines, and the functions. It has no grammar: it counts
//! braces.

/// A word or sign of the code.
#[derive(Clone, Copy, Debug)]
pub struct Token<'a> {
    pub line: usize,
    /// Its offset in the code.
    pub at: usize,
    pub text: &'a str,
}

/// A function with a body.
#[derive(Debug)]
pub struct Function {
    pub name: String,
    pub line: usize,
    /// Number of lines of its signature and body that contain code.
    pub n_lines: usize,
}

/// Returns the text with comments blanked and literals replaced by quotation marks, each byte at its place.
pub fn code_of(text: &str) -> String {
    let mut code = text.as_bytes().to_vec();
    let mut at = 0;
    while at < code.len() {
        let (end, blank) = match opaque(text.as_bytes(), at) {
            Some(found) => found,
            None => {
                at += 1;
                continue;
            }
        };
        for byte in &mut code[at..end] {
            if *byte != b'\n' {
                *byte = blank;
            }
        }
        at = end;
    }
    String::from_utf8(code).expect("whole comments and texts are replaced")
}

/// Returns the end of a comment or literal that begins here, and the byte to replace it with.
fn opaque(text: &[u8], at: usize) -> Option<(usize, u8)> {
    let rest = &text[at..];
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let begins_word = at == 0 || !is_word(&text[at - 1]);
    let length = match rest {
        [b'/', b'/', ..] => return Some((at + line_length(rest), b' ')),
        [b'/', b'*', ..] => return Some((at + comment_length(rest), b' ')),
        [b'"', ..] => text_length(rest, b'"'),
        [b'\'', ..] => character_length(rest)?,
        [b'r', b'"' | b'#', ..] if begins_word => raw_length(rest)?,
        [b'b', b'r', b'"' | b'#', ..] if begins_word => 1 + raw_length(&rest[1..])?,
        _ => return None,
    };
    Some((at + length, b'"'))
}

fn line_length(rest: &[u8]) -> usize {
    let end = rest.iter().position(|&byte| byte == b'\n');
    end.unwrap_or(rest.len())
}

fn comment_length(rest: &[u8]) -> usize {
    let (mut at, mut depth) = (0, 0);
    while at < rest.len() {
        match &rest[at..] {
            [b'/', b'*', ..] => (at, depth) = (at + 2, depth + 1),
            [b'*', b'/', ..] => (at, depth) = (at + 2, depth - 1),
            _ => at += 1,
        }
        if depth == 0 {
            break;
        }
    }
    at
}

/// Returns the length of a literal with both of its marks.
fn text_length(rest: &[u8], mark: u8) -> usize {
    let mut at = 1;
    while at < rest.len() && rest[at] != mark {
        at += if rest[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(rest.len())
}

/// Returns the length of a character literal, or `None` if it is a lifetime.
fn character_length(rest: &[u8]) -> Option<usize> {
    if rest.get(1) == Some(&b'\\') {
        return Some(text_length(rest, b'\''));
    }
    let character = std::str::from_utf8(&rest[1..rest.len().min(5)]);
    let valid = match character {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&rest[1..=error.valid_up_to()]).ok()?,
    };
    let length = 1 + valid.chars().next()?.len_utf8();
    (rest.get(length) == Some(&b'\'')).then_some(length + 1)
}

/// Returns the length of a raw literal, or `None` if it is a raw identifier.
fn raw_length(rest: &[u8]) -> Option<usize> {
    let n_marks = rest[1..].iter().take_while(|&&byte| byte == b'#').count();
    if rest.get(1 + n_marks) != Some(&b'"') {
        return None;
    }
    let end = [&b"\""[..], &b"#".repeat(n_marks)].concat();
    let body = &rest[2 + n_marks..];
    let length = body.windows(end.len()).position(|part| part == end)?;
    Some(2 + n_marks + length + end.len())
}

/// Splits code into words, numbers and signs. `::` is one sign.
pub fn tokens(code: &str) -> Vec<Token<'_>> {
    let bytes = code.as_bytes();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii();
    let (mut tokens, mut line, mut at) = (Vec::new(), 1, 0);
    while at < bytes.len() {
        let length = match bytes[at] {
            b'\n' => {
                line += 1;
                at += 1;
                continue;
            }
            byte if byte.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            b':' if bytes.get(at + 1) == Some(&b':') => 2,
            byte if is_word(byte) => bytes[at..].iter().take_while(|&&b| is_word(b)).count(),
            _ => 1,
        };
        let text = &code[at..at + length];
        tokens.push(Token { line, at, text });
        at += length;
    }
    tokens
}

/// Whether a token is a name.
pub fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

/// Returns all functions that have a body.
pub fn functions(code: &str) -> Vec<Function> {
    let tokens = tokens(code);
    let of_token = |at: usize| {
        let [keyword, name] = [tokens.get(at)?, tokens.get(at + 1)?];
        if keyword.text != "fn" || !is_name(name.text) {
            return None;
        }
        let open = body(&tokens, at)?;
        let close = &tokens[closing(&tokens, open)];
        let lines = code[keyword.at..=close.at].lines();
        Some(Function {
            name: name.text.to_owned(),
            line: keyword.line,
            n_lines: lines.filter(|line| !line.trim().is_empty()).count(),
        })
    };
    (0..tokens.len()).filter_map(of_token).collect()
}

/// Returns the brace that opens a function's body, or `None` if it has no body.
fn body(tokens: &[Token], function: usize) -> Option<usize> {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(function) {
        match token.text {
            "(" | "[" => depth += 1,
            ")" | "]" => depth -= 1,
            "{" if depth == 0 => return Some(at),
            ";" if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

/// Returns the brace that closes an open one.
pub fn closing(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.text {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    tokens.len() - 1
}

#[test]
fn comments_and_texts_are_no_code() {
    let table = [
        ("a // b\nc", "a     \nc"),
        ("/* a /* b */ c */ d", "                  d"),
        (
            r#"f("\"x", 'y', '\'', b'z')"#,
            r#"f(""""", """, """", b""")"#,
        ),
        ("r#\"a\"b\"# c", "\"\"\"\"\"\"\"\" c"),
        ("fn f<'a>(x: &'a str)", "fn f<'a>(x: &'a str)"),
        ("r#type 'é'", "r#type \"\"\"\""),
    ];
    for (text, code) in table {
        assert_eq!(code_of(text), code);
    }
}

#[test]
fn functions_are_found_with_their_lines_of_code() {
    let code = code_of(
        "trait T { fn no(self); }\nfn f(a: [u8; 2]) {\n    // why\n\n    g({ 1 })\n}\nfn g() {}",
    );
    let found = functions(&code);
    let found: Vec<_> = found
        .iter()
        .map(|f| (f.name.as_str(), f.line, f.n_lines))
        .collect();
    assert_eq!(found, [("f", 2, 3), ("g", 7, 1)]);
}
