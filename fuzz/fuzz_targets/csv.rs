//! The CSV reader never panics, and what it accepts it can write again to the byte: between the
//! header and its records nothing lies but empty lines.

#![no_main]

use arrow_array::Array;
use kdisc_io::columns;
use kdisc_io::csv::{Columns, Kind, Table, Typed, read_units, values};
use kdisc_io::layer::Reader;
use kdisc_io::units::OnInvalid;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(table) = Table::from_bytes("fuzz", bytes.to_vec()) else {
        return;
    };
    // A packed table is as good as any, and holds other bytes.
    let bytes = if table.sha256() == kdisc_io::sha256::hex(table.bytes()) {
        assert_eq!(table.bytes(), bytes);
        bytes
    } else {
        table.bytes()
    };
    assert!(bytes.starts_with(table.header().as_bytes()));

    let mut at = table.header().len();
    let mut rows = 0;
    let mut records = table.records();
    let closed = loop {
        match records.advance() {
            Ok(Some(record)) => {
                let gap = &bytes[at..record.start()];
                assert!(gap.iter().all(|b| matches!(b, b'\r' | b'\n')));
                let copy = [record.raw(), record.line_end()].concat();
                assert_eq!(&bytes[record.start()..][..copy.len()], copy.as_bytes());
                at = record.start() + copy.len();
                rows += 1;
            }
            Ok(None) => break true,
            Err(_) => break false,
        }
    };
    if closed {
        assert!(bytes[at..].iter().all(|b| matches!(b, b'\r' | b'\n')));
    }

    let last = table.columns().len() - 1;
    let found = columns::coordinates("fuzz", table.columns());
    let (x, y) = found.map_or((0, last), |found| (found.x, found.y));
    let columns = Columns {
        x,
        y,
        weight: Some(last),
    };
    if let Ok(units) = read_units(&table, columns, None, OnInvalid::Skip, &|_, _| {}) {
        assert!(closed);
        assert_eq!(units.rows.len(), rows);
        assert_eq!(units.points.len() + units.bad_rows, rows);
    }

    // What a column is said to hold can be read from each of its fields.
    let found = table.kinds(table.decimal());
    if let (Ok((kinds, counted)), Ok(typed)) = (found, Typed::new(&table, "fuzz")) {
        assert!(closed);
        assert_eq!(counted, rows);
        let all: Vec<usize> = (0..kinds.len()).collect();
        let mut records = table.records();
        for batch in typed.batches(&all).expect("columns that are there") {
            let batch = batch.expect("a table that was read before");
            for row in 0..batch.num_rows() {
                let record = records.advance().ok().flatten().expect("a row for a row");
                for (index, kind) in kinds.iter().enumerate() {
                    let is_there = index < record.fields();
                    let field = if is_there {
                        record.field(index)
                    } else {
                        "".into()
                    };
                    let is_missing = match kind {
                        Kind::Text => field.is_empty(),
                        _ => values::is_null(&field),
                    };
                    assert_eq!(batch.column(index).is_null(row), is_missing);
                }
            }
        }
    }
});
