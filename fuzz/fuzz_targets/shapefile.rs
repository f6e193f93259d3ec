//! The Shapefile reader never panics, and gives as many rows of every column as of any.
//!
//! The first two bytes say how the rest is shared out among `.shp` and `.dbf`, whether there is a
//! `.shx`, and whether the headers are put right: a random file would hardly have any.

#![no_main]

use kdisc_io::layer::Reader;
use kdisc_io::shapefile;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let [choices, share, rest @ ..] = bytes else {
        return;
    };
    let (mut shp, rest) = split(rest, usize::from(*share));
    let mut shx = (choices & 1 != 0).then(Vec::new);
    let mut dbf = if let Some(shx) = &mut shx {
        let (index, rest) = split(rest, usize::from(choices >> 4) * 4);
        *shx = index;
        rest.to_vec()
    } else {
        rest.to_vec()
    };
    if choices & 2 != 0 {
        shp = with_head(&shp);
        shx = shx.map(|shx| with_head(&shx));
    }
    if choices & 4 != 0 {
        dbf = with_columns(&dbf);
    }
    let Ok(reader) = shapefile::open_bytes("fuzz", shp, dbf, shx) else {
        return;
    };
    let columns: Vec<usize> = (0..reader.layer().schema.fields().len()).collect();
    let all = rows(&reader, &columns);
    for column in columns {
        // A column that is not read cannot be wrong.
        if let (Some(all), Some(one)) = (all, rows(&reader, &[column])) {
            assert_eq!(all, one);
        }
    }
});

fn rows(reader: &dyn Reader, columns: &[usize]) -> Option<usize> {
    let batches: Result<Vec<_>, _> = reader.batches(columns).ok()?.collect();
    Some(batches.ok()?.iter().map(|batch| batch.num_rows()).sum())
}

fn split(bytes: &[u8], at: usize) -> (Vec<u8>, &[u8]) {
    let (first, rest) = bytes.split_at(at.min(bytes.len()));
    (first.to_vec(), rest)
}

/// The header of a `.shp` or `.shx`, whose first byte is the kind of its shapes.
fn with_head(body: &[u8]) -> Vec<u8> {
    let (kind, body) = body.split_first().unwrap_or((&1, &[]));
    let mut file = vec![0; 100];
    file[..4].copy_from_slice(&9994_u32.to_be_bytes());
    file[24..28].copy_from_slice(&((100 + body.len()) as u32 / 2).to_be_bytes());
    file[28..32].copy_from_slice(&1000_u32.to_le_bytes());
    file[32] = *kind;
    file.extend_from_slice(body);
    file
}

/// The header of a `.dbf` with columns whose types and widths are the first bytes, and as many
/// rows as there is room for.
fn with_columns(body: &[u8]) -> Vec<u8> {
    let (count, body) = body.split_first().unwrap_or((&1, &[]));
    let count = usize::from(count % 4) + 1;
    let (about, body) = split(body, 3 * count);
    let mut fields = Vec::new();
    let mut width = 1;
    for (i, about) in about.chunks_exact(3).enumerate() {
        let mut field = [0; 32];
        field[0] = b'a' + i as u8;
        field[11] = b"CNFDLI@OMB"[usize::from(about[0]) % 10];
        (field[16], field[17]) = (about[1], about[2]);
        width += usize::from(about[1]);
        fields.extend_from_slice(&field);
    }
    let mut file = vec![0; 32];
    file[0] = 3;
    file[4..8].copy_from_slice(&((body.len() / width) as u32).to_le_bytes());
    file[8..10].copy_from_slice(&(33 + fields.len() as u16).to_le_bytes());
    file[10..12].copy_from_slice(&(width as u16).to_le_bytes());
    file.extend_from_slice(&fields);
    file.push(b'\r');
    file.extend_from_slice(body);
    file
}
