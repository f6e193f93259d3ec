//! Files packed by gzip or Zstandard, known by their first bytes and not by their name.
//!
//! They are unpacked as they are read, so that the packed bytes are never all in memory; their
//! SHA-256 is taken on the way, as it is the file on the disk that an auditor will have.
//!
//! A small file can unpack to more than any machine holds. So unpacking stops as soon as the
//! content is both larger than [`Limit::floor`] and more than [`Limit::ratio`] times what was read
//! of the file. Tables of points pack to between a half and a thirtieth of their size.

use std::cell::{Cell, RefCell};
use std::io::{self, BufReader, Read};

use flate2::bufread::MultiGzDecoder;
use sha2::{Digest, Sha256};

use crate::InputError;
use crate::sha256::spell;

/// How much is unpacked between two looks at the limit.
const CHUNK: u64 = 1 << 20;
/// How much of the packed file is read at once.
const BUFFER: usize = 1 << 17;

/// How a file is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Packing {
    Gzip,
    Zstandard,
}

/// How much a packed file may grow.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limit {
    /// Content of up to so many bytes is never too much.
    pub floor: u64,
    /// Nor is content of up to so many times the packed size.
    pub ratio: u64,
}

impl Default for Limit {
    fn default() -> Self {
        Self {
            floor: 1 << 30,
            ratio: 100,
        }
    }
}

/// The content of a packed file, and the SHA-256 of the file itself.
#[derive(Debug)]
pub(crate) struct Unpacked {
    pub bytes: Vec<u8>,
    pub sha256: String,
}

impl Packing {
    /// What these first bytes of a file tell of its packing.
    pub fn of(head: &[u8]) -> Option<Self> {
        match head {
            [0x1f, 0x8b, ..] => Some(Self::Gzip),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Self::Zstandard),
            _ => None,
        }
    }

    /// Unpacks all of `packed`, the file called `name`; `progress` is told how much of it is read.
    pub fn unpack(
        self,
        name: &str,
        packed: impl Read,
        limit: Limit,
        progress: &dyn Fn(usize),
    ) -> Result<Unpacked, InputError> {
        let read = Cell::new(0);
        let hash = RefCell::new(Sha256::new());
        let mut tally = Tally {
            inner: packed,
            read: &read,
            hash: &hash,
        };
        let mut bytes = Vec::new();
        let unpacked = {
            let buffered = BufReader::with_capacity(BUFFER, &mut tally);
            let mut decoder: Box<dyn Read> = match self {
                Self::Gzip => Box::new(MultiGzDecoder::new(buffered)),
                Self::Zstandard => Box::new(
                    zstd::Decoder::with_buffer(buffered)
                        .map_err(|source| self.failed(name, 0, 0, source))?,
                ),
            };
            loop {
                match decoder.by_ref().take(CHUNK).read_to_end(&mut bytes) {
                    Ok(0) => break Ok(()),
                    Ok(_) => {}
                    Err(source) => break Err(source),
                }
                progress(read.get() as usize);
                let largest = limit.floor.max(read.get().saturating_mul(limit.ratio));
                if bytes.len() as u64 > largest {
                    return Err(InputError::Bomb {
                        file: name.to_owned(),
                        packing: self.name(),
                        packed: read.get(),
                        unpacked: bytes.len() as u64,
                        floor: limit.floor,
                        ratio: limit.ratio,
                    });
                }
            }
        };
        // Whatever the decoder left is part of the file too.
        let rest = unpacked.and_then(|()| io::copy(&mut tally, &mut io::sink()));
        rest.map_err(|source| self.failed(name, read.get(), bytes.len(), source))?;
        Ok(Unpacked {
            bytes,
            sha256: spell(&hash.into_inner().finalize()),
        })
    }

    fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zstandard => "Zstandard",
        }
    }

    fn failed(self, name: &str, read: u64, unpacked: usize, source: io::Error) -> InputError {
        let file = name.to_owned();
        let packing = self.name();
        // Only the system's own errors have such a code; the others are about the content.
        if source.raw_os_error().is_some() || source.kind() == io::ErrorKind::OutOfMemory {
            InputError::Read { file, source }
        } else if source.kind() == io::ErrorKind::UnexpectedEof {
            InputError::PackedTruncated {
                file,
                packing,
                size: read,
                unpacked,
            }
        } else {
            InputError::PackedCorrupt {
                file,
                packing,
                unpacked,
                source,
            }
        }
    }
}

/// Counts and hashes what is read.
struct Tally<'a, R> {
    inner: R,
    read: &'a Cell<u64>,
    hash: &'a RefCell<Sha256>,
}

impl<R: Read> Read for Tally<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.inner.read(buffer)?;
        self.read.set(self.read.get() + length as u64);
        self.hash.borrow_mut().update(&buffer[..length]);
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::sha256;

    const TEXT: &[u8] = b"x,y\n1,2\n3,4\n";

    fn gzip(content: &[u8]) -> Vec<u8> {
        let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        out.write_all(content).unwrap();
        out.finish().unwrap()
    }

    fn zstandard(content: &[u8]) -> Vec<u8> {
        zstd::encode_all(content, 3).unwrap()
    }

    fn unpack(packed: &[u8], limit: Limit) -> Result<Unpacked, InputError> {
        let packing = Packing::of(packed).expect("known by its first bytes");
        packing.unpack("t.csv.gz", packed, limit, &|_| {})
    }

    #[test]
    fn the_content_and_the_hash_of_the_file() {
        for pack in [gzip, zstandard] {
            // Parts that were packed one by one, as by `cat a.gz b.gz`.
            let packed = [pack(TEXT), pack(b""), pack(b"5,6\n")].concat();
            let unpacked = unpack(&packed, Limit::default()).unwrap();
            assert_eq!(unpacked.bytes, [TEXT, b"5,6\n"].concat());
            assert_eq!(unpacked.sha256, sha256::hex(&packed));
        }
        assert_eq!(Packing::of(TEXT), None);
        assert_eq!(Packing::of(b""), None);
    }

    #[test]
    fn every_way_of_cutting_it_off_is_told() {
        for (pack, magic) in [(gzip as fn(&[u8]) -> Vec<u8>, 2), (zstandard, 4)] {
            let packed = pack(TEXT);
            for length in magic..packed.len() {
                let error = unpack(&packed[..length], Limit::default()).unwrap_err();
                assert!(
                    matches!(error, InputError::PackedTruncated { size, .. } if size == length as u64),
                    "{length} of {}: {error}",
                    packed.len()
                );
            }
        }
    }

    #[test]
    fn damage_is_told() {
        let mut packed = gzip(TEXT);
        let checksum = packed.len() - 8;
        packed[checksum] ^= 1;
        let error = unpack(&packed, Limit::default()).unwrap_err();
        assert!(matches!(error, InputError::PackedCorrupt { .. }), "{error}");

        let behind = [zstandard(TEXT), b"not packed".to_vec()].concat();
        let error = unpack(&behind, Limit::default()).unwrap_err();
        assert!(matches!(error, InputError::PackedCorrupt { .. }), "{error}");
    }

    #[test]
    fn a_bomb_is_refused_long_before_it_is_unpacked() {
        let limit = Limit {
            floor: 1 << 20,
            ratio: 100,
        };
        let content = vec![b'1'; 64 << 20];
        for pack in [gzip, zstandard] {
            match unpack(&pack(&content), limit).unwrap_err() {
                // Read in large parts, the packed size tells late; but never beyond the ratio.
                InputError::Bomb {
                    packed, unpacked, ..
                } => assert!(unpacked <= CHUNK + (1 << 20).max(100 * packed)),
                error => panic!("{error}"),
            }
        }
    }

    #[test]
    fn up_to_the_floor_any_ratio_will_do() {
        let limit = Limit {
            floor: 8 << 20,
            ratio: 2,
        };
        let content = vec![b'1'; 8 << 20];
        assert_eq!(unpack(&gzip(&content), limit).unwrap().bytes, content);
    }
}
