//! Well-known text as a tree.
//!
//! All dialects of WKT share one grammar: a keyword, and in brackets a list of quoted texts,
//! numbers, bare words and further such items. So one reader serves WKT1 of OGC and ESRI and WKT2
//! alike; what the keywords mean is decided elsewhere. Depth is limited, as the text is a stranger's.

use super::CrsError;

const MAX_DEPTH: usize = 32;

/// A keyword and what is in its brackets.
#[derive(Debug)]
pub(super) struct Node {
    /// In upper case.
    pub keyword: String,
    pub items: Vec<Item>,
}

#[derive(Debug)]
pub(super) enum Item {
    Text(String),
    Number(f64),
    Word(String),
    Node(Node),
}

impl Node {
    pub fn parse(text: &str) -> Result<Self, CrsError> {
        let mut reader = Reader { text, at: 0 };
        let Item::Node(node) = reader.item(0)? else {
            return Err(reader.expected("a keyword and a bracket"));
        };
        reader.skip_space();
        if reader.at < text.len() {
            return Err(reader.expected("the end of the text"));
        }
        Ok(node)
    }

    /// The nodes directly below with one of these keywords.
    pub fn all<'a>(&'a self, keywords: &'a [&str]) -> impl Iterator<Item = &'a Node> {
        self.items.iter().filter_map(move |item| match item {
            Item::Node(node) if keywords.contains(&node.keyword.as_str()) => Some(node),
            _ => None,
        })
    }

    /// The first node directly below with one of these keywords.
    pub fn child(&self, keywords: &[&str]) -> Option<&Node> {
        self.items.iter().find_map(|item| match item {
            Item::Node(node) if keywords.contains(&node.keyword.as_str()) => Some(node),
            _ => None,
        })
    }

    /// The first item, if it is a text: the name of nearly everything.
    pub fn name(&self) -> Option<&str> {
        self.text(0)
    }

    pub fn text(&self, index: usize) -> Option<&str> {
        match self.items.get(index)? {
            Item::Text(text) | Item::Word(text) => Some(text),
            _ => None,
        }
    }

    pub fn number(&self, index: usize) -> Option<f64> {
        match self.items.get(index)? {
            Item::Number(number) => Some(*number),
            // Some writers quote numbers, as AUTHORITY does with codes.
            Item::Text(text) => text.trim().parse().ok().filter(|n: &f64| n.is_finite()),
            _ => None,
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn item(&mut self, depth: usize) -> Result<Item, CrsError> {
        self.skip_space();
        if self.peek() == Some(b'"') {
            return self.quoted().map(Item::Text);
        }
        let rest = &self.text[self.at..];
        let end = rest
            .find(['[', '(', ']', ')', ',', '"'])
            .unwrap_or(rest.len());
        let word = rest[..end].trim();
        self.at += end;
        if let Some(open @ (b'[' | b'(')) = self.peek() {
            if word.is_empty() || depth >= MAX_DEPTH {
                return Err(self.expected("a keyword before the bracket, and fewer brackets"));
            }
            self.at += 1;
            let items = self.items(if open == b'[' { b']' } else { b')' }, depth + 1)?;
            return Ok(Item::Node(Node {
                keyword: word.to_ascii_uppercase(),
                items,
            }));
        }
        match word.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Item::Number(number)),
            _ if word.is_empty() => Err(self.expected("a value")),
            _ => Ok(Item::Word(word.to_owned())),
        }
    }

    fn items(&mut self, close: u8, depth: usize) -> Result<Vec<Item>, CrsError> {
        let mut items = Vec::new();
        loop {
            items.push(self.item(depth)?);
            self.skip_space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(byte) if byte == close => {
                    self.at += 1;
                    return Ok(items);
                }
                _ => return Err(self.expected("a comma or a closing bracket")),
            }
        }
    }

    /// A quote inside a text is doubled.
    fn quoted(&mut self) -> Result<String, CrsError> {
        let mut text = String::new();
        loop {
            let rest = &self.text[self.at + 1..];
            let Some(end) = rest.find('"') else {
                return Err(self.expected("a closing quote"));
            };
            text.push_str(&rest[..end]);
            self.at += end + 2;
            if self.peek() != Some(b'"') {
                return Ok(text);
            }
            text.push('"');
        }
    }

    fn skip_space(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn expected(&self, what: &str) -> CrsError {
        CrsError::Malformed {
            language: "WKT",
            problem: format!("expected {what} at byte {}", self.at + 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_with_all_kinds_of_items() {
        let node = Node::parse(" CS ( \"a \"\"b\"\"\" , 1.5e3,north, ID[\"EPSG\",7] ) \n").unwrap();
        assert_eq!(node.keyword, "CS");
        assert_eq!(node.name(), Some("a \"b\""));
        assert_eq!(node.number(1), Some(1500.0));
        assert_eq!(node.text(2), Some("north"));
        assert_eq!(node.child(&["ID"]).unwrap().number(1), Some(7.0));
    }

    #[test]
    fn broken_text_is_refused() {
        for text in [
            "", "A", "A[", "A[]", "A[1", "A[1)", "A[\"x]", "A[1]]", "[1]", "A[1,]", "\"A\"",
            "é[\"é", "A[NaN", "A[1]B",
        ] {
            assert!(Node::parse(text).is_err(), "{text}");
        }
        assert!(Node::parse(&"A[".repeat(100_000)).is_err());
    }
}
