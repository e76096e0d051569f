//! The modules of a crate as a graph: each file is a node, and an edge is a path in its code that names an item of
//! another file. A module that only passes names on (`pub use`) does not use them.
//!
//! Paths are resolved as by the compiler, through the definitions, submodules and imports of modules; a name that no
//! file of the crate defines belongs to another crate. Methods are resolved by types, so this graph does not contain
//! them.

use std::collections::{BTreeMap, BTreeSet};

use crate::code::{Token, closing, is_name, tokens};
use crate::sources::Source;

/// A crate's modules, the root first.
pub struct Modules<'a> {
    modules: Vec<Module<'a>>,
}

/// A file.
pub struct Module<'a> {
    pub path: &'a str,
    parent: Option<usize>,
    children: BTreeMap<&'a str, usize>,
    /// Names that are defined here.
    items: BTreeSet<&'a str>,
    imports: Vec<Import<'a>>,
    /// All words of the code, other than those of imports.
    words: BTreeSet<&'a str>,
    /// Paths in the code, other than imports.
    paths: Vec<Path<'a>>,
}

/// A path with the line it is on.
#[derive(Clone, Debug)]
struct Path<'a> {
    line: usize,
    names: Vec<&'a str>,
}

/// A name that a `use` declares.
#[derive(Debug)]
struct Import<'a> {
    path: Path<'a>,
    /// The name here; `None` for all names (`*`).
    name: Option<&'a str>,
    is_public: bool,
}

/// An edge: the line of a use, and the file that it uses.
#[derive(Clone, Copy, Debug)]
pub struct Use {
    pub line: usize,
    pub of: usize,
}

/// The target of a path.
enum End {
    /// A module itself.
    Module(usize),
    /// An item that this module defines.
    Item(usize),
}

/// Longer chains of imports count as circles of names.
const LONGEST_CHAIN: usize = 16;

impl<'a> Modules<'a> {
    /// Reads the modules that a root file (`lib.rs`, `main.rs`, another program's file) declares, and those that they
    /// declare.
    pub fn of_root(root: &'a Source, sources: &'a [Source]) -> Self {
        let mut all = Self {
            modules: Vec::new(),
        };
        all.add(root, None, sources);
        all
    }

    pub fn iter(&self) -> impl Iterator<Item = &Module<'a>> {
        self.modules.iter()
    }

    fn add(&mut self, source: &'a Source, parent: Option<usize>, sources: &'a [Source]) -> usize {
        let mut reader = Reader::new(source, parent);
        reader.read();
        let number = self.modules.len();
        self.modules.push(reader.module);
        for child in reader.declared {
            let Some(file) = file_of(&source.path, parent.is_none(), child, sources) else {
                // It is elsewhere, in another crate's folder or among the examples.
                assert!(
                    source.text.contains("#[path = "),
                    "{}: {child}",
                    source.path
                );
                continue;
            };
            let child_number = self.add(file, Some(number), sources);
            self.modules[number].children.insert(child, child_number);
        }
        number
    }

    /// Returns a module's uses of others.
    pub fn uses(&self, number: usize) -> Vec<Use> {
        let module = &self.modules[number];
        let imports = module.imports.iter().filter_map(|import| {
            let end = self.follow(number, &import.path.names, 0)?;
            let of = match end {
                // Further paths reveal the items that are used of the module.
                End::Module(_) if import.name.is_some() => return None,
                End::Module(of) | End::Item(of) => of,
            };
            let is_used = import.name.is_some_and(|name| module.words.contains(name));
            let passes_on = import.is_public && !is_used && self.is_below(of, number);
            (!passes_on).then_some((import.path.line, of))
        });
        let paths =
            module
                .paths
                .iter()
                .filter_map(|path| match self.follow(number, &path.names, 0)? {
                    End::Module(_) => None,
                    End::Item(of) => Some((path.line, of)),
                });
        let all = imports.chain(paths).filter(|&(_, of)| of != number);
        all.map(|(line, of)| Use { line, of }).collect()
    }

    fn is_below(&self, mut module: usize, above: usize) -> bool {
        while let Some(parent) = self.modules[module].parent {
            if parent == above {
                return true;
            }
            module = parent;
        }
        false
    }

    /// Resolves a path in a module. Returns `None` if it leads to another crate.
    fn follow(&self, from: usize, path: &[&str], length: usize) -> Option<End> {
        let Some((&first, rest)) = path.split_first() else {
            return Some(End::Module(from));
        };
        let at_root = |module: &usize| self.modules[*module].parent.is_none();
        let next = match first {
            "crate" => Some(
                std::iter::successors(Some(from), |&at| self.modules[at].parent).find(at_root)?,
            ),
            "self" => Some(from),
            "super" => self.modules[from].parent,
            name => self.modules[from].children.get(name).copied(),
        };
        match next {
            Some(next) => self.follow(next, rest, length),
            None if self.modules[from].items.contains(first) => Some(End::Item(from)),
            None => self.follow_import(from, path, length),
        }
    }

    /// Resolves a path whose first name a module imports.
    fn follow_import(&self, from: usize, path: &[&str], length: usize) -> Option<End> {
        if length > LONGEST_CHAIN {
            return None;
        }
        let imports = &self.modules[from].imports;
        let named = imports.iter().find(|import| import.name == Some(path[0]));
        if let Some(import) = named {
            // An import of a name of another crate may look as if it imported itself.
            let whole = [&import.path.names[..], &path[1..]].concat();
            return (whole[..] != *path).then(|| self.follow(from, &whole, length + 1))?;
        }
        // A path that begins with no name of this module is that of another crate.
        let is_own = |first: &str| {
            ["crate", "self", "super"].contains(&first)
                || self.modules[from].children.contains_key(first)
                || imports.iter().any(|import| import.name == Some(first))
        };
        let all = imports.iter().filter(|import| import.name.is_none());
        let all = all.filter(|import| import.path.names.first().is_some_and(|first| is_own(first)));
        all.filter_map(
            |import| match self.follow(from, &import.path.names, length + 1)? {
                End::Module(module) if module != from => self.follow(module, path, length + 1),
                End::Module(_) | End::Item(_) => None,
            },
        )
        .next()
    }
}

/// Returns the file of a module that another file declares, or `None` if it is not where it is by default.
fn file_of<'a>(
    parent: &str,
    is_root: bool,
    name: &str,
    sources: &'a [Source],
) -> Option<&'a Source> {
    let (folder, file) = parent.rsplit_once('/').expect("files are in folders");
    let folder = if is_root || file == "mod.rs" {
        folder.to_owned()
    } else {
        format!("{folder}/{}", file.trim_end_matches(".rs"))
    };
    let paths = [
        format!("{folder}/{name}.rs"),
        format!("{folder}/{name}/mod.rs"),
    ];
    let mut sources = sources.iter();
    sources.find(|source| paths.contains(&source.path))
}

/// A reader of a file's code.
struct Reader<'a> {
    tokens: Vec<Token<'a>>,
    at: usize,
    /// For each open brace, whether it opens a module in the file.
    braces: Vec<bool>,
    declared: Vec<&'a str>,
    module: Module<'a>,
}

impl<'a> Reader<'a> {
    fn new(source: &'a Source, parent: Option<usize>) -> Self {
        Self {
            tokens: tokens(&source.text),
            at: 0,
            braces: Vec::new(),
            declared: Vec::new(),
            module: Module {
                path: &source.path,
                parent,
                children: BTreeMap::new(),
                items: BTreeSet::new(),
                imports: Vec::new(),
                words: BTreeSet::new(),
                paths: Vec::new(),
            },
        }
    }

    fn peek(&self, ahead: usize) -> &'a str {
        self.tokens
            .get(self.at + ahead)
            .map_or("", |token| token.text)
    }

    fn read(&mut self) {
        while self.at < self.tokens.len() {
            if self.peek(0) != "use" {
                self.module.words.insert(self.peek(0));
            }
            match self.peek(0) {
                "{" => self.braces.push(false),
                "}" => drop(self.braces.pop()),
                "use" => {
                    self.read_use();
                    continue;
                }
                "mod" if self.peek(2) == ";" => self.declared.push(self.peek(1)),
                "mod" if self.peek(2) == "{" && self.is_for_tests() => {
                    self.at = closing(&self.tokens, self.at + 2);
                }
                "mod" if self.peek(2) == "{" => {
                    self.braces.push(true);
                    self.at += 2;
                }
                "macro_rules" => drop(self.module.items.insert(self.peek(2))),
                "fn" | "struct" | "enum" | "trait" | "const" | "static" | "type" | "union"
                    if self.braces.is_empty() && is_name(self.peek(1)) =>
                {
                    self.module.items.insert(self.peek(1));
                }
                name if is_name(name) && self.peek(1) == "::" => {
                    self.read_path();
                    continue;
                }
                _ => {}
            }
            self.at += 1;
        }
    }

    /// Whether the item that begins here is compiled only for the crate's own tests, which are above the module in
    /// the graph.
    fn is_for_tests(&self) -> bool {
        let before = self.tokens[..self.at].iter().rev().map(|token| token.text);
        let mut before = before.skip_while(|&text| text == "pub");
        let mark = ["]", ")", "test", "(", "cfg", "[", "#"];
        mark.into_iter().all(|text| before.next() == Some(text))
    }

    /// Reads a path in the code.
    fn read_path(&mut self) {
        let line = self.tokens[self.at].line;
        // `<T>::f` and `::f` begin with another crate or a type.
        let is_continued = self.at > 0 && self.tokens[self.at - 1].text == "::";
        let mut names = vec![self.peek(0)];
        while self.peek(1) == "::" && is_name(self.peek(2)) {
            names.push(self.peek(2));
            self.at += 2;
        }
        self.at += 1;
        if !is_continued {
            let names = self.seen_from_file(names);
            self.module.paths.push(Path { line, names });
        }
    }

    fn read_use(&mut self) {
        let before = self
            .at
            .checked_sub(1)
            .map_or("", |before| self.tokens[before].text);
        let is_public = before == "pub" || before == ")";
        self.at += 1;
        if self.peek(0) == "<" {
            // `use<'a>` of a type.
            return;
        }
        self.read_branch(&[], is_public);
    }

    /// Reads a tree of imports below a path, and stops after it.
    fn read_branch(&mut self, above: &[&'a str], is_public: bool) {
        let line = self.tokens[self.at].line;
        let mut names = above.to_vec();
        loop {
            match self.peek(0) {
                "{" => {
                    self.at += 1;
                    while self.peek(0) != "}" {
                        self.read_branch(&names, is_public);
                        self.at += usize::from(self.peek(0) == ",");
                    }
                    self.at += 1;
                    return;
                }
                "*" => {
                    self.at += 1;
                    self.import(line, names, None, is_public);
                    return;
                }
                name => names.push(name),
            }
            self.at += 1;
            if self.peek(0) != "::" {
                break;
            }
            self.at += 1;
        }
        let is_self = names.len() > 1 && names.last() == Some(&"self");
        names.truncate(names.len() - usize::from(is_self));
        let mut name = names.last().copied();
        if self.peek(0) == "as" {
            name = Some(self.peek(1));
            self.at += 2;
        }
        self.import(line, names, name, is_public);
    }

    fn import(&mut self, line: usize, names: Vec<&'a str>, name: Option<&'a str>, is_public: bool) {
        let names = self.seen_from_file(names);
        let path = Path { line, names };
        self.module.imports.push(Import {
            path,
            name,
            is_public,
        });
    }

    /// Returns a path relative to the file: modules within the file are not distinguished from it.
    fn seen_from_file(&self, mut names: Vec<&'a str>) -> Vec<&'a str> {
        let n_within = self.braces.iter().filter(|&&is_module| is_module).count();
        let n_supers = names.iter().take_while(|&&name| name == "super").count();
        names.drain(..n_within.min(n_supers));
        if names.is_empty() {
            names.push("self");
        }
        names
    }
}
