//! The marks of JSON round the values.

/// Appends a number, or null if there is no such in JSON.
pub(super) fn number<T: zmij::Float + Copy>(
    value: T,
    finite: impl Fn(T) -> bool,
    out: &mut Vec<u8>,
    buffer: &mut zmij::Buffer,
) {
    if finite(value) {
        out.extend_from_slice(buffer.format_finite(value).as_bytes());
    } else {
        out.extend_from_slice(b"null");
    }
}

/// Appends a text in quotes.
pub(crate) fn string(text: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    let mut rest = text;
    while let Some(at) = rest.find(|found: char| found < ' ' || found == '"' || found == '\\') {
        let (before, after) = rest.split_at(at);
        out.extend_from_slice(before.as_bytes());
        let byte = after.as_bytes()[0];
        let short: &[u8] = match byte {
            b'"' => b"\\\"",
            b'\\' => b"\\\\",
            b'\n' => b"\\n",
            b'\r' => b"\\r",
            b'\t' => b"\\t",
            _ => &[],
        };
        out.extend_from_slice(short);
        if short.is_empty() {
            out.extend_from_slice(format!("\\u{byte:04x}").as_bytes());
        }
        rest = &after[1..];
    }
    out.extend_from_slice(rest.as_bytes());
    out.push(b'"');
}

/// Appends an array.
pub(crate) fn list<I: IntoIterator>(
    items: I,
    out: &mut Vec<u8>,
    each: impl FnMut(I::Item, &mut Vec<u8>),
) {
    between(*b"[]", items, out, each);
}

/// Appends items between such brackets, with commas.
pub(super) fn between<I: IntoIterator>(
    [open, close]: [u8; 2],
    items: I,
    out: &mut Vec<u8>,
    mut each: impl FnMut(I::Item, &mut Vec<u8>),
) {
    out.push(open);
    for (i, item) in items.into_iter().enumerate() {
        if i > 0 {
            out.push(b',');
        }
        each(item, out);
    }
    out.push(close);
}

/// Appends the text without spaces outside of quotes: a feature must stay on its line. The text is
/// known to be JSON.
pub(super) fn compact(text: &str, out: &mut Vec<u8>) {
    let mut quoted = false;
    let mut escaped = false;
    for &byte in text.as_bytes() {
        if quoted {
            quoted = escaped || byte != b'"';
            escaped = !escaped && byte == b'\\';
        } else if byte.is_ascii_whitespace() {
            continue;
        } else {
            quoted = byte == b'"';
        }
        out.push(byte);
    }
}

#[cfg(test)]
mod tests {
    use super::compact;

    #[test]
    fn spaces_in_quotes_stay() {
        let mut out = Vec::new();
        compact("{ \"a b\\\" c\" :\n[1, \"\\\\\" , 2 ] }", &mut out);
        assert_eq!(out, b"{\"a b\\\" c\":[1,\"\\\\\",2]}");
    }
}
