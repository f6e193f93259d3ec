//! Where the bytes stand that mean something to a table: separators, line ends and quotes.
//!
//! Most bytes of a table are inside fields, and looking at each in turn is what makes a reader
//! slow: a field's length is hard to guess for a processor. So 64 bytes at a time become 64 bits,
//! by arithmetic on eight bytes at once and without a branch, and the bits are taken one by one.
//! Plain arithmetic was measured to be fast enough; vectors would need code for each processor.

/// Bytes of a block: as many as there are bits in a word.
const BLOCK: usize = 64;
const LOW: u64 = u64::from_ne_bytes([0x01; 8]);
const SEVEN: u64 = u64::from_ne_bytes([0x7f; 8]);

/// The marks of a text, from a position on. The text is passed again to each call.
#[derive(Debug, Clone, Copy)]
pub(super) struct Marks {
    separator: u8,
    /// Where the block begins to which the bits belong.
    block: usize,
    /// The marks that are left in the block.
    bits: u64,
}

impl Marks {
    /// The marks of `bytes` from `at` on.
    pub fn new(bytes: &[u8], separator: u8, at: usize) -> Self {
        let mut marks = Self {
            separator,
            block: at,
            bits: 0,
        };
        marks.find(bytes);
        marks
    }

    /// The next mark, which is thereby taken.
    #[inline(always)]
    pub fn next(&mut self, bytes: &[u8]) -> Option<usize> {
        while self.bits == 0 {
            if bytes.len().saturating_sub(self.block) <= BLOCK {
                return None;
            }
            self.block += BLOCK;
            self.find(bytes);
        }
        let at = self.block + self.bits.trailing_zeros() as usize;
        self.bits &= self.bits - 1;
        Some(at)
    }

    /// Takes all marks before `at`, which lies no further back than the last mark taken.
    #[inline(always)]
    pub fn skip_to(&mut self, bytes: &[u8], at: usize) {
        if at - self.block < BLOCK {
            self.bits &= !0 << (at - self.block);
        } else {
            self.block = at;
            self.find(bytes);
        }
    }

    #[inline(always)]
    fn find(&mut self, bytes: &[u8]) {
        let rest = bytes.get(self.block..).unwrap_or_default();
        self.bits = if let Some(block) = rest.first_chunk() {
            marks_of(block, self.separator)
        } else {
            // No mark is a zero byte.
            let mut block = [0; BLOCK];
            block[..rest.len()].copy_from_slice(rest);
            marks_of(&block, self.separator)
        };
    }
}

#[inline(always)]
fn marks_of(block: &[u8; BLOCK], separator: u8) -> u64 {
    let (words, _) = block.as_chunks::<8>();
    let mut bits = 0;
    for (i, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let mut others = !0;
        for mark in [separator, b'\n', b'\r', b'"'] {
            let difference = word ^ (LOW * u64::from(mark));
            // The high bit of a byte is clear only if the byte is 0; no carry leaves a byte.
            others &= ((difference & SEVEN) + SEVEN) | difference;
        }
        let marks = !others & !SEVEN;
        // Gathers the high bits of the eight bytes, the first byte lowest.
        bits |= ((marks >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * i);
    }
    bits
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_mark_is_found_and_nothing_else(
            text in proptest::collection::vec(
                prop_oneof![any::<u8>(), Just(b';'), Just(b'\n'), Just(b'\r'), Just(b'"')],
                0..300,
            ),
            from in 0usize..300,
        ) {
            let from = from.min(text.len());
            let is_mark = |&at: &usize| matches!(text[at], b';' | b'\n' | b'\r' | b'"');
            let expected: Vec<usize> = (from..text.len()).filter(is_mark).collect();
            let mut marks = Marks::new(&text, b';', from);
            let found: Vec<usize> = std::iter::from_fn(|| marks.next(&text)).collect();
            prop_assert_eq!(&found, &expected);

            // Skipping is the same as beginning there.
            let mut skipping = Marks::new(&text, b';', 0);
            skipping.skip_to(&text, from);
            let found: Vec<usize> = std::iter::from_fn(|| skipping.next(&text)).collect();
            prop_assert_eq!(&found, &expected);
        }
    }
}
