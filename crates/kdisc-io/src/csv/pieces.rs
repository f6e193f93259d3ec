//! Reading a table with all threads.
//!
//! The text is cut into pieces of equal size, and a record belongs to the piece in which it
//! begins. Where the first record of a piece begins cannot be known without reading everything
//! before it: a line end may lie inside quotes. So a worker guesses that the first line end near
//! the border ends a record, and reads on from there. The results are then taken in the order of
//! the file, and each is used only if the piece before it ended exactly where this one began;
//! otherwise the piece is read once more, from the right place. So what comes out is what reading
//! from the start gives, for any text, any size of pieces and any number of threads.
//!
//! A wrong guess may take any text for quoted, so guessed reading ends one piece beyond its own:
//! it costs at most twice what it should. The threads are those of the rayon pool of the caller.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::records::{OpenQuote, Record, Records};
use super::table::Table;
use crate::InputError;

/// Bytes of a piece: many rows, and yet all pieces at hand fit in the caches of the processor.
pub(super) const PIECE: usize = 1 << 20;

/// The records that begin in one part of a table.
#[derive(Debug)]
pub struct Piece<'t> {
    records: Records<'t>,
    end: usize,
}

impl Piece<'_> {
    /// The next record, or `None` at the end of the piece.
    ///
    /// # Errors
    /// When a quote never closes.
    #[inline(always)]
    pub fn advance(&mut self) -> Result<Option<Record<'_>>, OpenQuote> {
        if self.records.position() >= self.end {
            return Ok(None);
        }
        self.records.advance()
    }

    /// Bytes from the next record to the end of the piece.
    pub(super) fn length(&mut self) -> usize {
        self.end.saturating_sub(self.records.position())
    }
}

impl Table {
    /// Reads all rows, in pieces and with all threads of the pool that this runs in. `read` makes
    /// something of a piece; these are passed to `take` in the order of the table, with the
    /// position up to which the table is then done. An error of `take` ends it.
    ///
    /// `read` may be given a piece that begins at a wrong place, and its result be dropped: it
    /// must depend on nothing but the records of the piece. It may leave a piece before its end
    /// only if `take` then returns an error. `take` must not wait for the same pool.
    ///
    /// # Errors
    /// When a quote never closes, or what `take` returns; what comes first in the table.
    pub fn in_pieces<P: Send, E: From<InputError> + Send>(
        &self,
        read: impl Fn(&mut Piece<'_>) -> Result<P, OpenQuote> + Sync,
        take: impl FnMut(P, usize) -> Result<(), E> + Send,
    ) -> Result<(), E> {
        self.in_pieces_of(PIECE, read, take)
    }

    /// The same with pieces of `size` bytes.
    pub(super) fn in_pieces_of<P: Send, E: From<InputError> + Send>(
        &self,
        size: usize,
        read: impl Fn(&mut Piece<'_>) -> Result<P, OpenQuote> + Sync,
        take: impl FnMut(P, usize) -> Result<(), E> + Send,
    ) -> Result<(), E> {
        let cut = Cut { table: self, size };
        let count = (self.bytes().len() - self.body()).div_ceil(size);
        let line = Mutex::new(Line {
            next: 0,
            at: self.records().position(),
            waiting: BTreeMap::new(),
            take,
            outcome: Ok(()),
        });
        let (begun, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
        let work = || {
            while !stop.load(Ordering::Relaxed) {
                // In the order of the table, so that few results have to wait for others.
                let index = begun.fetch_add(1, Ordering::Relaxed);
                if index >= count {
                    break;
                }
                let guess = cut.guess(index, &read);
                let mut line = line.lock().unwrap_or_else(PoisonError::into_inner);
                line.waiting.insert(index, guess);
                if !line.take_ready(&cut, &read) {
                    stop.store(true, Ordering::Relaxed);
                }
            }
        };
        if count <= 1 {
            work();
        } else {
            rayon::scope(|scope| {
                for _ in 0..rayon::current_num_threads().min(count) {
                    scope.spawn(|_| work());
                }
            });
        }
        let line = line.into_inner().unwrap_or_else(PoisonError::into_inner);
        line.outcome
    }
}

/// What came of reading a piece from where it seemed to begin.
struct Guess<P> {
    start: usize,
    /// The result and where the next piece begins; nothing when the piece did not seem to end.
    read: Option<(P, usize)>,
}

/// Results on their way to `take`, in order.
struct Line<P, T, E> {
    /// The piece whose turn it is.
    next: usize,
    /// Where its first record begins, which is certain.
    at: usize,
    waiting: BTreeMap<usize, Guess<P>>,
    take: T,
    outcome: Result<(), E>,
}

impl<P, T, E> Line<P, T, E>
where
    T: FnMut(P, usize) -> Result<(), E>,
    E: From<InputError>,
{
    /// Takes the results whose turn has come; `false` once there is an error.
    fn take_ready<R>(&mut self, cut: &Cut<'_>, read: &R) -> bool
    where
        R: Fn(&mut Piece<'_>) -> Result<P, OpenQuote>,
    {
        while self.outcome.is_ok()
            && let Some(guess) = self.waiting.remove(&self.next)
        {
            self.outcome = self.take_one(guess, cut, read);
            self.next += 1;
        }
        self.outcome.is_ok()
    }

    fn take_one<R>(&mut self, guess: Guess<P>, cut: &Cut<'_>, read: &R) -> Result<(), E>
    where
        R: Fn(&mut Piece<'_>) -> Result<P, OpenQuote>,
    {
        let (part, at) = match guess.read {
            Some(known) if guess.start == self.at => known,
            _ => {
                let table = cut.table;
                let mut piece = Piece {
                    records: table.records_from(self.at),
                    end: cut.border(self.next + 1),
                };
                let part = read(&mut piece).map_err(|quote| table.open_quote(quote))?;
                (part, piece.records.position())
            }
        };
        self.at = at;
        (self.take)(part, at)
    }
}

/// A table and the size of its pieces.
struct Cut<'t> {
    table: &'t Table,
    size: usize,
}

impl Cut<'_> {
    /// Where piece `index` begins, if not for the records.
    fn border(&self, index: usize) -> usize {
        let border = self.size.saturating_mul(index);
        let border = border.saturating_add(self.table.body());
        border.min(self.table.bytes().len())
    }

    fn guess<P>(
        &self,
        index: usize,
        read: &impl Fn(&mut Piece<'_>) -> Result<P, OpenQuote>,
    ) -> Guess<P> {
        let text = self.table.text();
        let limit = text.floor_char_boundary(self.border(index + 2));
        let mut start = self.border(index);
        if index > 0 {
            // A line end just before the border would make a record begin at it.
            let line_end = |&b: &u8| matches!(b, b'\n' | b'\r');
            let rest = &text.as_bytes()[start - 1..limit.max(start)];
            start += rest.iter().position(line_end).unwrap_or(rest.len());
        }
        let start = start.min(limit);
        let mut records = Records::new(&text[..limit], self.table.separator(), start);
        let start = records.position();
        let mut piece = Piece {
            records,
            end: self.border(index + 1),
        };
        let part = read(&mut piece).ok();
        let at = piece.records.position();
        // What runs up to the limit may go on beyond it.
        let ended = at < limit || limit == text.len();
        Guess {
            start,
            read: part.filter(|_| ended).map(|part| (part, at)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use proptest::prelude::*;
    use rayon::{ThreadPool, ThreadPoolBuilder};

    use super::*;

    /// More threads than cores, so that they overtake each other.
    static POOL: LazyLock<ThreadPool> =
        LazyLock::new(|| ThreadPoolBuilder::new().num_threads(5).build().unwrap());

    type Rows = Vec<Vec<String>>;

    fn in_pieces(table: &Table, size: usize) -> Result<Rows, String> {
        let mut rows = Rows::new();
        let mut positions = vec![0];
        let read = POOL.install(|| {
            table.in_pieces_of(
                size,
                |piece| {
                    let mut rows = Rows::new();
                    while let Some(record) = piece.advance()? {
                        let fields = (0..record.fields()).map(|i| record.field(i).into_owned());
                        rows.push(fields.collect());
                    }
                    Ok(rows)
                },
                |mut part, done| {
                    rows.append(&mut part);
                    positions.push(done);
                    Ok::<_, InputError>(())
                },
            )
        });
        assert!(positions.is_sorted());
        match read {
            Ok(()) => {
                assert_eq!(positions.last(), Some(&table.bytes().len()));
                Ok(rows)
            }
            Err(error) => Err(error.to_string()),
        }
    }

    fn one_by_one(table: &Table) -> Result<(), String> {
        let mut records = table.records();
        loop {
            match records.advance() {
                Ok(Some(_)) => {}
                Ok(None) => return Ok(()),
                Err(quote) => return Err(table.open_quote(quote).to_string()),
            }
        }
    }

    fn of_the_csv_crate(text: &str) -> Rows {
        let mut rows = csv::ReaderBuilder::new();
        let mut rows = rows.flexible(true).from_reader(text.as_bytes());
        let rows = rows.records().map(|row| row.unwrap());
        rows.map(|row| row.iter().map(str::to_owned).collect())
            .collect()
    }

    fn compare(text: &str, size: usize) -> Result<(), TestCaseError> {
        let Ok(table) = Table::from_bytes("t.csv", text.as_bytes().to_vec()) else {
            return Ok(());
        };
        let expected = one_by_one(&table).map(|()| of_the_csv_crate(text));
        prop_assert_eq!(in_pieces(&table, size), expected);
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn any_text_is_cut_as_by_the_csv_crate(
            body in "[aé1,\"\r\n]{1,80}",
            size in 1usize..24,
        ) {
            compare(&format!("x,y\n{body}"), size)?;
        }

        #[test]
        fn tables_with_long_quoted_fields_too(
            rows in proptest::collection::vec(
                ("[a-z1-9]{0,8}", "[a,\r\n]{0,30}(\"\")?[b,\r\n]{0,30}", "\n|\r\n|\r|\n\n"),
                1..20,
            ),
            quoted in proptest::collection::vec(any::<bool>(), 20),
            size in 1usize..64,
        ) {
            let mut text = "x,y\r\n".to_owned();
            for ((plain, inner, line_end), quoted) in rows.iter().zip(quoted) {
                text.push_str(plain);
                if quoted {
                    text.push_str(&[",\"", inner, "\""].concat());
                }
                text.push_str(line_end);
            }
            compare(&text, size)?;
        }
    }

    #[test]
    fn the_error_that_comes_first_in_the_table_is_told() {
        let text = format!("x,y\n{}", "1,2\n".repeat(1000));
        let table = Table::from_bytes("t.csv", text.into_bytes()).unwrap();
        let mut taken = 0;
        let read = POOL.install(|| {
            table.in_pieces_of(
                16,
                |piece| {
                    let first = piece.advance()?.map(|record| record.start());
                    while piece.advance()?.is_some() {}
                    Ok(first)
                },
                |first, _| {
                    assert_eq!(first, Some(4 + 16 * taken));
                    taken += 1;
                    if taken < 100 {
                        return Ok(());
                    }
                    Err(InputError::Empty {
                        file: format!("{taken}"),
                    })
                },
            )
        });
        assert_eq!(read.unwrap_err().to_string(), "100 is empty");
    }
}
