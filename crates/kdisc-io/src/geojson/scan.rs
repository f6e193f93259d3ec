//! Cutting a stream of JSON into the texts of its features.
//!
//! A file may be larger than memory, and `serde_json` reads a value whole. So this walks over the
//! outermost object by itself, far enough to find the array of features, and hands out one feature
//! at a time. It only matches brackets and quotes; whether a feature is JSON is decided when it is
//! parsed. Nothing here recurses, so deep nesting costs nothing before it is refused.

use std::io::{self, Read};

/// Brackets within brackets, at most.
const DEEPEST: usize = 128;
/// Bytes of one feature, at most: a column holds no more in one batch.
const LONGEST: usize = 1 << 30;
const BUFFER: usize = 1 << 16;

/// A place in the file, both from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct At {
    pub line: usize,
    pub column: usize,
}

/// Why the stream cannot be cut.
#[derive(Debug)]
pub(super) enum Trouble {
    Io(io::Error),
    /// Not JSON: where, and what was expected or found.
    Broken(At, String),
}

/// What the outermost object says besides its features, as JSON.
#[derive(Debug, Default)]
pub(super) struct Head {
    pub kind: Option<Vec<u8>>,
    pub name: Option<Vec<u8>>,
    pub description: Option<Vec<u8>>,
    pub crs: Option<Vec<u8>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Before, between and after the outermost values.
    Between,
    /// Among the features; whether one went before.
    Features(bool),
}

/// The features of a stream, one after another.
pub(super) struct Scanner {
    reader: Box<dyn Read + Send>,
    buffer: Vec<u8>,
    next: usize,
    at: At,
    state: State,
    head: Head,
    /// The text of the current feature, and where it begins.
    text: Vec<u8>,
    begin: At,
}

impl Scanner {
    pub fn new(reader: Box<dyn Read + Send>) -> Self {
        let at = At { line: 1, column: 1 };
        Self {
            reader,
            buffer: Vec::with_capacity(BUFFER),
            next: 0,
            at,
            state: State::Between,
            head: Head::default(),
            text: Vec::new(),
            begin: at,
        }
    }

    /// What is known by now of the outermost object.
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// The text of the feature that was found last.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Where that feature begins.
    pub fn begin(&self) -> At {
        self.begin
    }

    /// Finds the next feature, or whatever stands in its place; false at the end.
    pub fn advance(&mut self) -> Result<bool, Trouble> {
        loop {
            match self.state {
                State::Between => {
                    // A mark of the byte order, and the separators of RFC 8142.
                    while let Some(byte) = self.peek()? {
                        if !(byte.is_ascii_whitespace() || b"\x1e\xef\xbb\xbf".contains(&byte)) {
                            break;
                        }
                        self.step();
                    }
                    if self.peek()?.is_none() {
                        return Ok(false);
                    }
                    if self.object()? {
                        return Ok(true);
                    }
                }
                State::Features(any) => {
                    self.text.clear();
                    let byte = self.solid()?;
                    if byte == Some(b']') {
                        self.step();
                        self.close()?;
                        self.state = State::Between;
                        continue;
                    }
                    if any {
                        self.expect(b',', "`,` or `]` after a feature")?;
                    }
                    self.solid()?;
                    self.begin = self.at;
                    self.text.clear();
                    self.value()?;
                    self.state = State::Features(true);
                    return Ok(true);
                }
            }
        }
    }

    /// Reads an outermost object up to its features, or to its end. True if it has no features:
    /// then it is a row itself.
    fn object(&mut self) -> Result<bool, Trouble> {
        self.begin = self.at;
        self.text.clear();
        self.head = Head::default();
        self.expect(b'{', "`{`")?;
        let mut first = true;
        loop {
            if self.solid()? == Some(b'}') {
                self.take();
                return Ok(true);
            }
            if !first {
                self.expect(b',', "`,` or `}`")?;
            }
            first = false;
            let key = self.key()?;
            let other = self.head.kind.as_deref();
            let other = other.is_some_and(|kind| kind != b"\"FeatureCollection\"");
            if key == "features" && !other && self.solid()? == Some(b'[') {
                self.step();
                self.state = State::Features(false);
                return Ok(false);
            }
            self.member(&key)?;
        }
    }

    /// Reads an outermost object from the end of its features.
    fn close(&mut self) -> Result<(), Trouble> {
        loop {
            self.text.clear();
            if self.solid()? == Some(b'}') {
                self.step();
                break;
            }
            self.expect(b',', "`,` or `}` after the features")?;
            let key = self.key()?;
            self.member(&key)?;
        }
        let kind = self.head.kind.as_deref();
        if kind == Some(b"\"FeatureCollection\"") {
            return Ok(());
        }
        let found = kind.map_or("none".into(), String::from_utf8_lossy);
        Err(self.broken(format!(
            "expected the type \"FeatureCollection\" of an object with features, found {found}"
        )))
    }

    fn key(&mut self) -> Result<String, Trouble> {
        if self.solid()? != Some(b'"') {
            return Err(self.unexpected("the name of a member in quotes"));
        }
        let start = self.text.len();
        self.value()?;
        let key = serde_json::from_slice(&self.text[start..]);
        let key = key.map_err(|error| self.broken(error.to_string()))?;
        self.expect(b':', "`:` after the name of a member")?;
        Ok(key)
    }

    fn member(&mut self, key: &str) -> Result<(), Trouble> {
        self.solid()?;
        let start = self.text.len();
        self.value()?;
        let slot = match key {
            "type" => &mut self.head.kind,
            "name" => &mut self.head.name,
            "description" => &mut self.head.description,
            "crs" => &mut self.head.crs,
            _ => return Ok(()),
        };
        *slot = Some(self.text[start..].to_vec());
        Ok(())
    }

    /// Appends one value to the text.
    fn value(&mut self) -> Result<(), Trouble> {
        let mut depth = 0_usize;
        loop {
            let Some(byte) = self.peek()? else {
                return Err(self.unexpected("a value"));
            };
            match byte {
                b'"' => self.string()?,
                b'{' | b'[' => {
                    depth += 1;
                    if depth > DEEPEST {
                        return Err(self.broken(format!("nested more than {DEEPEST} deep")));
                    }
                    self.take();
                }
                b'}' | b']' => {
                    let Some(less) = depth.checked_sub(1) else {
                        return Err(self.unexpected("a value"));
                    };
                    depth = less;
                    self.take();
                }
                _ if depth == 0 => return self.word(),
                _ => self.take(),
            }
            if depth == 0 {
                return Ok(());
            }
            if self.text.len() > LONGEST {
                return Err(self.broken("a feature of more than 1 GiB".to_owned()));
            }
        }
    }

    /// A number, or a word without quotes.
    fn word(&mut self) -> Result<(), Trouble> {
        let start = self.text.len();
        while let Some(byte) = self.peek()? {
            if byte.is_ascii_whitespace() || b",:]}[{\"\x1e".contains(&byte) {
                break;
            }
            self.take();
            // Longer than any number that is meant.
            if self.text.len() - start > 4096 {
                return Err(self.broken("a number of more than 4096 digits".to_owned()));
            }
        }
        if self.text.len() == start {
            return Err(self.unexpected("a value"));
        }
        Ok(())
    }

    fn string(&mut self) -> Result<(), Trouble> {
        self.take();
        loop {
            let Some(byte) = self.peek()? else {
                return Err(self.broken("a text that never ends".to_owned()));
            };
            self.take();
            match byte {
                b'"' => return Ok(()),
                b'\\' if self.peek()?.is_some() => self.take(),
                _ => {}
            }
            if self.text.len() > LONGEST {
                return Err(self.broken("a feature of more than 1 GiB".to_owned()));
            }
        }
    }

    fn expect(&mut self, byte: u8, what: &str) -> Result<(), Trouble> {
        if self.solid()? != Some(byte) {
            return Err(self.unexpected(what));
        }
        self.take();
        Ok(())
    }

    /// The next byte that is no space.
    fn solid(&mut self) -> Result<Option<u8>, Trouble> {
        loop {
            match self.peek()? {
                Some(byte) if byte.is_ascii_whitespace() => self.take(),
                other => return Ok(other),
            }
        }
    }

    fn peek(&mut self) -> Result<Option<u8>, Trouble> {
        if let Some(&byte) = self.buffer.get(self.next) {
            return Ok(Some(byte));
        }
        self.next = 0;
        self.buffer.clear();
        let mut part = (&mut self.reader).take(BUFFER as u64);
        part.read_to_end(&mut self.buffer).map_err(Trouble::Io)?;
        Ok(self.buffer.first().copied())
    }

    /// Goes on by a byte that was peeked at, and keeps it.
    fn take(&mut self) {
        if let Some(&byte) = self.buffer.get(self.next) {
            self.text.push(byte);
        }
        self.step();
    }

    fn step(&mut self) {
        if self.buffer.get(self.next) == Some(&b'\n') {
            self.at.line += 1;
            self.at.column = 0;
        }
        self.at.column += 1;
        self.next += 1;
    }

    fn broken(&self, problem: String) -> Trouble {
        Trouble::Broken(self.at, problem)
    }

    fn unexpected(&self, expected: &str) -> Trouble {
        let found = match self.buffer.get(self.next) {
            None => "the end".to_owned(),
            Some(byte @ 0x20..0x7f) => format!("`{}`", char::from(*byte)),
            Some(byte) => format!("the byte {byte:#04x}"),
        };
        self.broken(format!("expected {expected}, found {found}"))
    }
}
