//! Words in HTML.
//!
//! Text of our own is *marked*: `[[term]]` links to the glossary, `[[term|words]]` does so from
//! other words, `[[#id|words]]` links to a section, backquotes are for what is typed, and asterisks for what matters. Whatever comes
//! from outside (names of files and columns) must be [`quoted`], which also takes the meaning from
//! these marks.

use std::fmt::Write;

/// Text from outside, as it stands.
#[must_use]
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' | '[' | ']' | '`' | '*' | '|' => {
                let _ = write!(out, "&#{};", letter as u32);
            }
            // Marks that turn the direction of text could make it read as something else.
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => out.push('\u{fffd}'),
            letter if letter.is_control() && letter != '\n' => out.push('\u{fffd}'),
            letter => out.push(letter),
        }
    }
    out
}

/// Marked text as HTML.
#[must_use]
pub fn marked(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['[', '`', '*']) {
        let (before, found) = rest.split_at(at);
        out.push_str(before);
        let (mark, end) = match found.as_bytes() {
            [b'[', b'[', ..] => ("[[", "]]"),
            [b'`', ..] => ("`", "`"),
            [b'*', ..] => ("*", "*"),
            _ => ("[", ""),
        };
        let inner = &found[mark.len()..];
        let closed = inner.find(end).filter(|_| !end.is_empty());
        let Some(close) = closed else {
            out.push_str(mark);
            rest = inner;
            continue;
        };
        let words = &inner[..close];
        let _ = match mark {
            "[[" => {
                let (term, shown) = words.split_once('|').unwrap_or((words, words));
                write!(
                    out,
                    "<a class=\"term\" href=\"#{}\">{shown}</a>",
                    term.strip_prefix('#')
                        .map_or_else(|| anchor(term), str::to_owned)
                )
            }
            "`" => write!(out, "<code>{words}</code>"),
            _ => write!(out, "<strong>{words}</strong>"),
        };
        rest = &inner[close + end.len()..];
    }
    out.push_str(rest);
    out
}

/// Where a term stands in the glossary.
pub(super) fn anchor(term: &str) -> String {
    let letters = term.chars().map(|letter| {
        if letter.is_ascii_alphanumeric() {
            letter.to_ascii_lowercase()
        } else {
            '-'
        }
    });
    format!("term-{}", letters.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_become_links_code_and_stress() {
        assert_eq!(
            marked("the [[risk]] of [[MAUP|borders]]: `--k 10`, *not* [a]"),
            "the <a class=\"term\" href=\"#term-risk\">risk</a> of <a class=\"term\" href=\"#term-maup\">borders</a>: \
             <code>--k 10</code>, <strong>not</strong> [a]"
        );
        assert_eq!(
            marked("[[#maps|the maps]]"),
            "<a class=\"term\" href=\"#maps\">the maps</a>"
        );
        assert_eq!(marked("2 * 3, `open, [[open"), "2 * 3, `open, [[open");
    }

    #[test]
    fn text_from_outside_means_nothing() {
        let hostile = "<script>alert('1')</script>[[x]]`y`*z*\u{202e}\u{7}&\"";
        let safe = marked(&quoted(hostile));
        assert!(
            !safe.contains(['<', '>', '"', '\'', '`', '*', '[', '\u{202e}', '\u{7}']),
            "{safe}"
        );
        assert!(safe.starts_with("&lt;script&gt;alert(&#39;1&#39;)"));
    }
}
