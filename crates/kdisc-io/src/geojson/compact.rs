//! JSON without the spaces between its words: a feature must stay on its line.

/// Appends the text without spaces outside of quotes. The text is known to be JSON.
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
