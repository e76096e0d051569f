//! A reader of Rust for the needs of the other modules: it finds the words and signs of the code with their lines, and
//! the functions. It has no grammar: it counts braces.

use std::collections::BTreeSet;

use proc_macro2::{Span, TokenStream, TokenTree};

/// A word, a sign or a literal of the code.
#[derive(Clone, Copy, Debug)]
pub struct Token<'a> {
    pub line: usize,
    pub last_line: usize,
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

/// Splits code into words, signs and literals, without comments. `::` is one sign.
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let stream: TokenStream = text.parse().expect("the sources are Rust");
    add_tokens(stream, text, &mut tokens);
    tokens
}

fn add_tokens<'a>(stream: TokenStream, text: &'a str, tokens: &mut Vec<Token<'a>>) {
    let token = |span: Span, length: usize| Token {
        line: span.start().line,
        last_line: span.end().line,
        text: &text[span.byte_range().start..][..length],
    };
    let mut trees = stream.into_iter();
    while let Some(tree) = trees.next() {
        let bytes = tree.span().byte_range();
        let rest = &text[bytes.start..];
        match tree {
            // A documentation comment, which stands for an attribute.
            _ if rest.starts_with("//") || rest.starts_with("/*") => {}
            TokenTree::Group(group) => {
                tokens.push(token(group.span_open(), 1));
                add_tokens(group.stream(), text, tokens);
                tokens.push(token(group.span_close(), 1));
            }
            TokenTree::Punct(sign) if rest.starts_with("::") => {
                tokens.push(token(sign.span(), 2));
                trees.next();
            }
            other => tokens.push(token(other.span(), bytes.len())),
        }
    }
}

/// Returns the places where some words and signs follow each other.
pub fn places(tokens: &[Token<'_>], wanted: &[&str]) -> Vec<usize> {
    let parts = tokens.windows(wanted.len()).enumerate();
    let is_there = |(at, part): (usize, &[Token<'_>])| {
        let texts = part.iter().map(|token| token.text);
        texts.eq(wanted.iter().copied()).then_some(at)
    };
    parts.filter_map(is_there).collect()
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
        let all = tokens[at..=closing(&tokens, open)].iter();
        let lines: BTreeSet<_> = all.flat_map(|token| token.line..=token.last_line).collect();
        Some(Function {
            name: name.text.to_owned(),
            line: keyword.line,
            n_lines: lines.len(),
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
fn functions_are_found_with_their_lines_of_code() {
    let code = "trait T { fn no(self); }\n/// fn no() {}\nfn f(a: [u8; 2]) {\n    // why\n\n    g({ 1 }, \"fn\n{\")\n}\nfn g() {}";
    let found = functions(code);
    let found: Vec<_> = found
        .iter()
        .map(|f| (f.name.as_str(), f.line, f.n_lines))
        .collect();
    assert_eq!(found, [("f", 3, 4), ("g", 9, 1)]);
    let names = tokens("//! a\n/* b */ 'c' b'd' \"e\" r#\"f\"# 'g g::h").into_iter();
    let names = names.map(|token| token.text);
    let expected = ["'c'", "b'd'", "\"e\"", "r#\"f\"#", "'", "g", "g", "::", "h"];
    assert!(names.eq(expected));
}
