//! The encodings of text in a `.dbf`.
//!
//! Told by the `.cpg` beside it, else by a byte in its header; else Windows-1252 is assumed, of
//! which Latin 1 is a part. The old code pages of DOS are not among those of the web that
//! `encoding_rs` has, and still occur.

use encoding_rs::{Encoding, WINDOWS_1252};

/// The upper half of a code page.
const DOS_437: &str = "\
    ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒ\
    áíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐\
    └┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀\
    αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}";
const DOS_850: &str = "\
    ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒ\
    áíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐\
    └┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀\
    ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{ad}±‗¾¶§÷¸°¨·¹³²■\u{a0}";
const DOS_852: &str = "\
    ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×č\
    áíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐\
    └┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀\
    ÓßÔŃńňŠšŔÚŕŰýÝţ´\u{ad}˝˛ˇ˘§÷¸°¨˙űŘř■\u{a0}";

/// How text is encoded.
#[derive(Clone, Copy)]
pub(super) enum Text {
    Known(&'static Encoding),
    Dos(&'static str),
}

impl Text {
    /// By the content of a `.cpg`; `None` if it names no known encoding.
    pub fn named(name: &str) -> Option<Self> {
        let name = name.trim().trim_matches('\0').to_ascii_lowercase();
        let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
        let number = plain.trim_start_matches(|c: char| !c.is_ascii_digit());
        let known = |label: &str| Encoding::for_label(label.as_bytes()).map(Self::Known);
        match number {
            "437" => Some(Self::Dos(DOS_437)),
            "850" => Some(Self::Dos(DOS_850)),
            "852" => Some(Self::Dos(DOS_852)),
            "65001" => known("utf-8"),
            "932" => known("shift_jis"),
            "936" => known("gbk"),
            "949" => known("euc-kr"),
            "950" => known("big5"),
            "874" => known("windows-874"),
            "866" => known("ibm866"),
            _ if number.len() == 4 && number.starts_with("125") => {
                known(&format!("windows-{number}"))
            }
            _ => match number.strip_prefix("8859") {
                Some(part) if !part.is_empty() => known(&format!("iso-8859-{part}")),
                _ => known(&name).or_else(|| known(&plain)),
            },
        }
    }

    /// By the byte in the header of a `.dbf`.
    pub fn of_driver(byte: u8) -> Self {
        let name = match byte {
            0x01 => "437",
            0x02 => "850",
            0x64 => "852",
            0x26 | 0x65 => "866",
            0x13 | 0x7b => "932",
            0x4d | 0x7a => "936",
            0x4e | 0x79 => "949",
            0x4f | 0x78 => "950",
            0x50 | 0x7c => "874",
            0x7d => "1255",
            0x7e => "1256",
            0xc8 => "1250",
            0xc9 => "1251",
            0xca => "1254",
            0xcb => "1253",
            0xcc => "1257",
            _ => "1252",
        };
        Self::named(name).unwrap_or(Self::Known(WINDOWS_1252))
    }

    /// The text of bytes; `None` if they are none in this encoding.
    pub fn decode(self, bytes: &[u8]) -> Option<String> {
        match self {
            Self::Known(encoding) => {
                let text = encoding.decode_without_bom_handling_and_without_replacement(bytes)?;
                Some(text.into_owned())
            }
            Self::Dos(upper) => {
                let upper: Vec<char> = upper.chars().collect();
                let characters = bytes.iter().map(|&byte| match byte {
                    0..128 => char::from(byte),
                    _ => upper[usize::from(byte) - 128],
                });
                Some(characters.collect())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_as_they_occur() {
        for (name, bytes, text) in [
            ("UTF-8\r\n", "é€".as_bytes(), "é€"),
            ("utf8", "é".as_bytes(), "é"),
            ("65001", "é".as_bytes(), "é"),
            ("1252", b"\xe9\x80", "é€"),
            ("ANSI 1252", b"\xe9\x80", "é€"),
            ("CP1250", b"\xb3", "ł"),
            ("ISO-8859-1", b"\xe9", "é"),
            ("88592", b"\xb3", "ł"),
            ("ISO8859-15", b"\xa4", "€"),
            ("OEM 850", b"\x82", "é"),
            ("437", b"\x82\xe1\xff", "éß\u{a0}"),
            ("852", b"\x88", "ł"),
        ] {
            let found = Text::named(name).unwrap().decode(bytes);
            assert_eq!(found.as_deref(), Some(text), "{name}");
        }
        for unknown in ["", "klingon", "9999"] {
            assert!(Text::named(unknown).is_none(), "{unknown}");
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_refused() {
        assert!(Text::named("UTF-8").unwrap().decode(b"\xe9").is_none());
        assert_eq!(Text::of_driver(0x57).decode(b"\xe9").as_deref(), Some("é"));
        for byte in 0..=255 {
            assert!(Text::of_driver(byte).decode(b"plain").is_some());
        }
    }
}
