//! Fingerprints of inputs and outputs, so that an auditor can tell whether they are the same.

use std::io::{self, Read, Write};

use sha2::{Digest, Sha256};

/// The SHA-256 of some bytes, in hexadecimal.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    spell(&Sha256::digest(bytes))
}

pub(crate) fn spell(digest: &[u8]) -> String {
    use std::fmt::Write;
    digest.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The SHA-256 of all that is read, in hexadecimal.
///
/// # Errors
/// When it cannot be read.
pub fn of(mut content: impl Read) -> io::Result<String> {
    let mut hashing = Hashing::new(io::sink());
    io::copy(&mut content, &mut hashing)?;
    Ok(hashing.finish().1)
}

/// Hashes what passes through on its way to another writer.
#[derive(Debug)]
pub struct Hashing<W> {
    inner: W,
    hash: Sha256,
}

impl<W> Hashing<W> {
    /// Hashes what is written to `inner`.
    pub fn new(inner: W) -> Self {
        Self {
            inner,
            hash: Sha256::new(),
        }
    }

    /// The writer, and the SHA-256 of what was written to it.
    pub fn finish(self) -> (W, String) {
        (self.inner, spell(&self.hash.finalize()))
    }
}

impl<W: Write> Write for Hashing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.hash.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn the_standard_test_vector() {
        assert_eq!(hex(b"abc"), ABC);
    }

    #[test]
    fn hashing_on_the_way_is_hashing_the_whole() {
        let mut out = Hashing::new(Vec::new());
        out.write_all(b"a").unwrap();
        out.write_all(b"bc").unwrap();
        assert_eq!(out.finish(), (b"abc".to_vec(), ABC.to_owned()));
    }
}
