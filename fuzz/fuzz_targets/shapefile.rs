//! The Shapefile reader never panics; what it accepts are geometries, and a column read alone is
//! the column read with the others.

#![no_main]

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use kdisc_io::layer::Reader;
use kdisc_io::{geometry, shapefile};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let [flags, kind, split, rest @ ..] = bytes else {
        return;
    };
    let (shapes, rest) = rest.split_at(usize::from(*split).min(rest.len()));
    let shp = headed(*kind, shapes);
    let dbf = if flags & 1 == 0 {
        table(rest)
    } else {
        rest.to_vec()
    };
    // As many places as there are rows, wherever they are.
    let shx = (flags & 2 != 0).then(|| headed(*kind, rest));
    let Ok(reader) = shapefile::open_bytes("fuzz", shp, dbf, shx) else {
        return;
    };
    let last = reader.layer().schema.fields().len() - 1;
    let all: Vec<_> = (0..=last).collect();
    let Ok(whole) = read(&reader, &all) else {
        return;
    };
    for batch in &whole {
        for wkb in batch.column(last).as_binary::<i32>().iter().flatten() {
            assert!(geometry::bounds(wkb).is_ok());
        }
    }
    for column in all {
        let alone = read(&reader, &[column]).expect("it was read with the others");
        let with_others = whole.iter().map(|batch| batch.column(column));
        assert!(alone.iter().map(|batch| batch.column(0)).eq(with_others));
    }
});

fn read(reader: &impl Reader, columns: &[usize]) -> Result<Vec<RecordBatch>, kdisc_io::InputError> {
    reader.batches(columns)?.collect()
}

/// With the header of a `.shp` or `.shx`.
fn headed(kind: u8, body: &[u8]) -> Vec<u8> {
    let mut file = vec![0; 100];
    file[2..4].copy_from_slice(&[0x27, 0x0a]);
    file[24..28].copy_from_slice(&((100 + body.len() as u32) / 2).to_be_bytes());
    file[32] = kind;
    file.extend_from_slice(body);
    file
}

/// A `.dbf` with a column of each type, and rows of these bytes.
fn table(rows: &[u8]) -> Vec<u8> {
    const COLUMNS: &[(u8, u8)] = &[(b'C', 3), (b'N', 3), (b'F', 4), (b'L', 1), (b'D', 8)];
    let size = 1 + COLUMNS
        .iter()
        .map(|column| usize::from(column.1))
        .sum::<usize>();
    let mut file = vec![0; 32];
    file[4..8].copy_from_slice(&((rows.len() / size) as u32).to_le_bytes());
    file[8..10].copy_from_slice(&(33 + 32 * COLUMNS.len() as u16).to_le_bytes());
    file[10..12].copy_from_slice(&(size as u16).to_le_bytes());
    for (kind, width) in COLUMNS {
        let mut field = [0; 32];
        (field[0], field[11], field[16]) = (*kind, *kind, *width);
        file.extend_from_slice(&field);
    }
    file.push(b'\r');
    file.extend_from_slice(rows);
    file
}
