//! Shapefiles made here, right and wrong.

use std::fs;
use std::io::Write;
use std::path::Path;

use arrow_array::cast::AsArray;
use arrow_array::types::{Date32Type, Float64Type, Int32Type, Int64Type};
use arrow_array::{Array, RecordBatch};
use arrow_schema::DataType;
use kdisc::Point;
use proptest::prelude::*;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::{layers, open, open_bytes};
use crate::layer::Reader;
use crate::{InputError, geometry};

/// A `.shp` and its `.shx` of these shapes.
fn shp(kind: u32, shapes: &[Vec<u8>]) -> (Vec<u8>, Vec<u8>) {
    let mut body = Vec::new();
    let mut index = Vec::new();
    for (i, shape) in shapes.iter().enumerate() {
        let length = words(shape.len());
        index.extend_from_slice(&words(100 + body.len()));
        index.extend_from_slice(&length);
        body.extend_from_slice(&(i as u32 + 1).to_be_bytes());
        body.extend_from_slice(&length);
        body.extend_from_slice(shape);
    }
    (headed(kind, &body), headed(kind, &index))
}

/// Lengths and places are told in words of two bytes.
fn words(bytes: usize) -> [u8; 4] {
    (bytes as u32 / 2).to_be_bytes()
}

fn headed(kind: u32, body: &[u8]) -> Vec<u8> {
    let mut file = vec![0; 100];
    file[..4].copy_from_slice(&9994_u32.to_be_bytes());
    file[24..28].copy_from_slice(&words(100 + body.len()));
    file[28..32].copy_from_slice(&1000_u32.to_le_bytes());
    file[32..36].copy_from_slice(&kind.to_le_bytes());
    file.extend_from_slice(body);
    file
}

fn numbers(kind: u32, numbers: &[f64]) -> Vec<u8> {
    let mut shape = kind.to_le_bytes().to_vec();
    for number in numbers {
        shape.extend_from_slice(&number.to_le_bytes());
    }
    shape
}

fn point(x: f64, y: f64) -> Vec<u8> {
    numbers(1, &[x, y])
}

/// A shape of parts.
fn parts(kind: u32, parts: &[&[(f64, f64)]]) -> Vec<u8> {
    let mut shape = numbers(kind, &[0.0; 4]);
    let count: usize = parts.iter().map(|part| part.len()).sum();
    shape.extend_from_slice(&(parts.len() as u32).to_le_bytes());
    shape.extend_from_slice(&(count as u32).to_le_bytes());
    let mut start = 0_u32;
    for part in parts {
        shape.extend_from_slice(&start.to_le_bytes());
        start += part.len() as u32;
    }
    for (x, y) in parts.iter().copied().flatten() {
        shape.extend_from_slice(&x.to_le_bytes());
        shape.extend_from_slice(&y.to_le_bytes());
    }
    shape
}

/// A `.dbf` with these columns (name, type, width, decimals) and rows.
fn dbf(columns: &[(&str, u8, u8, u8)], rows: &[&[u8]]) -> Vec<u8> {
    let width: usize = columns.iter().map(|column| usize::from(column.2)).sum();
    let mut file = vec![0; 32];
    file[0] = 3;
    file[4..8].copy_from_slice(&(rows.len() as u32).to_le_bytes());
    file[8..10].copy_from_slice(&(33 + 32 * columns.len() as u16).to_le_bytes());
    file[10..12].copy_from_slice(&(1 + width as u16).to_le_bytes());
    for (name, kind, width, decimals) in columns {
        let mut field = [0; 32];
        field[..name.len()].copy_from_slice(name.as_bytes());
        (field[11], field[16], field[17]) = (*kind, *width, *decimals);
        file.extend_from_slice(&field);
    }
    file.push(b'\r');
    for row in rows {
        assert_eq!(row.len(), width + 1);
        file.extend_from_slice(row);
    }
    file.push(0x1a);
    file
}

fn read(reader: &dyn Reader) -> Result<RecordBatch, InputError> {
    let all: Vec<_> = (0..reader.layer().schema.fields().len()).collect();
    let batches: Result<Vec<_>, _> = reader.batches(&all)?.collect();
    Ok(arrow_select::concat::concat_batches(&reader.layer().schema, &batches?).unwrap())
}

fn read_parts(shp: Vec<u8>, dbf: Vec<u8>, shx: Option<Vec<u8>>) -> Result<RecordBatch, InputError> {
    read(&open_bytes("in", shp, dbf, shx)?)
}

const NAME: &[(&str, u8, u8, u8)] = &[("name", b'C', 4, 0)];

#[test]
fn every_type_of_column() {
    let columns = [
        ("i", b'N', 5, 0),
        ("long", b'N', 18, 0),
        ("huge", b'N', 19, 0),
        ("real", b'F', 8, 3),
        ("text", b'C', 4, 0),
        ("flag", b'L', 1, 0),
        ("day", b'D', 8, 0),
    ];
    let long: &[u8] = b"999999999999999999";
    let rows = [
        [
            b" ",
            &b"   -7"[..],
            long,
            b"9999999999999999999",
            b"   1.125",
            b"caf\xe9",
            b"T",
            b"20240229",
        ],
        [
            b" ",
            b"*****",
            &[b' '; 18],
            &[b' '; 19],
            b"********",
            b"    ",
            b"?",
            b"        ",
        ],
        [
            b" ",
            b"  12.",
            &[b'1'; 18],
            &[b' '; 19],
            b"     1e3",
            b"  a ",
            b"f",
            b"00000000",
        ],
    ];
    let rows: Vec<Vec<u8>> = rows.iter().map(|row| row.concat()).collect();
    let rows: Vec<_> = rows.iter().map(|row| &row[..]).collect();
    let shapes = [point(1.0, 2.0), vec![0; 4], point(3.0, 4.0)];
    let (shp, shx) = shp(1, &shapes);
    let found = read_parts(shp, dbf(&columns, &rows), Some(shx)).unwrap();
    let schema = found.schema();
    let kinds: Vec<_> = schema
        .fields()
        .iter()
        .map(|field| field.data_type().clone())
        .collect();
    let expected = [
        DataType::Int32,
        DataType::Int64,
        DataType::Float64,
        DataType::Float64,
        DataType::Utf8,
        DataType::Boolean,
        DataType::Date32,
        DataType::Binary,
    ];
    assert_eq!(kinds, expected);
    let column = |i: usize| found.column(i);
    assert_eq!(
        column(0)
            .as_primitive::<Int32Type>()
            .iter()
            .collect::<Vec<_>>(),
        [Some(-7), None, Some(12)]
    );
    assert_eq!(
        column(1).as_primitive::<Int64Type>().value(0),
        999_999_999_999_999_999
    );
    assert_eq!(column(2).as_primitive::<Float64Type>().value(0), 1e19);
    let reals = column(3).as_primitive::<Float64Type>();
    assert_eq!(
        reals.iter().collect::<Vec<_>>(),
        [Some(1.125), None, Some(1000.0)]
    );
    let texts = column(4).as_string::<i32>();
    assert_eq!(
        texts.iter().collect::<Vec<_>>(),
        [Some("café"), None, Some("  a")]
    );
    let flags = column(5).as_boolean();
    assert_eq!(
        flags.iter().collect::<Vec<_>>(),
        [Some(true), None, Some(false)]
    );
    let days = column(6).as_primitive::<Date32Type>();
    assert_eq!(days.iter().collect::<Vec<_>>(), [Some(19_782), None, None]);
    assert_eq!(
        column(7).as_binary::<i32>().value(0),
        geometry::point(Point::new(1.0, 2.0))
    );
    assert!(column(7).is_null(1));
}

#[test]
fn deleted_rows_and_shapes_out_of_order() {
    let shapes = [point(1.0, 0.0), point(2.0, 0.0), point(3.0, 0.0)];
    let (shp, mut shx) = shp(1, &shapes);
    let rows: [&[u8]; 3] = [b" a   ", b"*b   ", b" c   "];
    let names = |found: &RecordBatch| {
        let texts = found.column(0).as_string::<i32>().clone();
        texts
            .iter()
            .map(|text| text.unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    let places = |found: &RecordBatch| {
        let places = found.column(1).as_binary::<i32>().clone();
        let places = places
            .iter()
            .map(|wkb| geometry::place(wkb.unwrap()).unwrap().unwrap().x);
        places.collect::<Vec<_>>()
    };
    let found = read_parts(shp.clone(), dbf(NAME, &rows), None).unwrap();
    assert_eq!(
        (names(&found), places(&found)),
        (vec!["a".into(), "c".into()], vec![1.0, 3.0])
    );
    let (first, last) = (shx[100..108].to_vec(), shx[116..124].to_vec());
    shx[100..108].copy_from_slice(&last);
    shx[116..124].copy_from_slice(&first);
    let found = read_parts(shp, dbf(NAME, &rows), Some(shx)).unwrap();
    assert_eq!(
        (names(&found), places(&found)),
        (vec!["a".into(), "c".into()], vec![3.0, 1.0])
    );
}

#[test]
fn shapes_of_every_kind() {
    let ring: &[(f64, f64)] = &[(0.0, 0.0), (0.0, 6.0), (6.0, 6.0), (6.0, 0.0), (0.0, 0.0)];
    let hole: &[(f64, f64)] = &[(1.0, 1.0), (2.0, 1.0), (2.0, 2.0), (1.0, 1.0)];
    let other: &[(f64, f64)] = &[(8.0, 0.0), (8.0, 6.0), (9.0, 6.0), (8.0, 0.0)];
    let mut points = numbers(8, &[0.0; 4]);
    points.extend_from_slice(&[1, 0, 0, 0]);
    points.extend_from_slice(&numbers(0, &[1.0, 2.0])[4..]);
    let mut heights = parts(13, &[&[(0.0, 0.0), (1.0, 1.0)]]);
    heights.extend_from_slice(&numbers(0, &[5.0, 6.0, 5.0, 6.0])[4..]);
    let cases: [(Vec<u8>, u32, usize); 9] = [
        (numbers(11, &[1.0, 2.0, 3.0, 4.0]), 3001, 37),
        (numbers(11, &[1.0, 2.0, 3.0, -1e39]), 1001, 29),
        (numbers(11, &[1.0, 2.0, 3.0]), 1001, 29),
        (numbers(21, &[1.0, 2.0, 4.0]), 2001, 29),
        (points, 4, 30),
        (parts(3, &[&[(0.0, 0.0), (1.0, 1.0)]]), 2, 41),
        (heights, 1002, 57),
        (parts(5, &[ring, hole]), 3, 9 + 4 + 80 + 4 + 64),
        (parts(5, &[ring, other]), 6, 9 + 13 + 80 + 13 + 64),
    ];
    for (shape, kind, length) in cases {
        let wkb = super::shp::wkb(&shape).unwrap().unwrap();
        assert_eq!(wkb[1..5], kind.to_le_bytes());
        assert_eq!(wkb.len(), length, "{kind}");
        assert!(geometry::bounds(&wkb).unwrap().is_some());
    }
    let both = super::shp::wkb(&parts(5, &[ring, hole])).unwrap().unwrap();
    let centre = geometry::centroid(&both).unwrap().unwrap();
    assert!((centre.x - (36.0 * 3.0 - 0.5 * 5.0 / 3.0) / 35.5).abs() < 1e-12);
}

#[test]
fn wrong_files_are_refused() {
    let rows: [&[u8]; 1] = [b" a   "];
    let (good, index) = shp(1, &[point(1.0, 2.0)]);
    let table = dbf(NAME, &rows);
    let refused = |shp: &[u8], dbf: &[u8], shx: Option<&[u8]>| {
        let shx = shx.map(<[u8]>::to_vec);
        read_parts(shp.to_vec(), dbf.to_vec(), shx)
            .unwrap_err()
            .to_string()
    };
    assert!(refused(b"PNG", &table, None).contains("is not a Shapefile"));
    assert!(refused(&good[..50], &table, None).contains("only 50 bytes"));
    assert!(refused(&good[..110], &table, None).contains("should have 128"));
    let two: [&[u8]; 2] = [b" a   ", b" b   "];
    assert!(refused(&good, &dbf(NAME, &two), Some(&index)).contains("1 shapes, and 2 rows"));
    assert!(refused(&good, &dbf(NAME, &two), None).contains("row 2: the .shp ends before it"));
    assert!(refused(&good, &dbf(NAME, &[]), None).contains("more shapes than the 0 rows"));
    assert!(refused(&good, &table[..table.len() - 3], None).contains("rows take 70"));
    let mut long = good.clone();
    long[104..108].copy_from_slice(&u32::MAX.to_be_bytes());
    assert!(refused(&long, &table, None).contains("row 1: it has 8589934590 bytes"));
    let mut many = parts(5, &[&[(0.0, 0.0)]]);
    many[36..40].copy_from_slice(&u32::MAX.to_le_bytes());
    assert!(refused(&shp(5, &[many]).0, &table, None).contains("ends too early"));
    let mut narrow = table.clone();
    narrow[10] = 3;
    assert!(refused(&good, &narrow, None).contains("take 5 bytes, its rows 3"));
    let columns = [("n", b'N', 4, 0)];
    let wrong: [&[u8]; 1] = [b" 1x  "];
    let message = refused(&good, &dbf(&columns, &wrong), None);
    assert!(
        message.contains("row 1, column \"n\": expected a number, found \"1x  \""),
        "{message}"
    );
    for length in 0..good.len() {
        refused(&good[..length], &table, None);
    }
    for length in 0..table.len() - 1 {
        refused(&good, &table[..length], None);
    }
}

fn save(folder: &Path, name: &str, bytes: &[u8]) {
    fs::write(folder.join(name), bytes).unwrap();
}

#[test]
fn parts_in_any_case_and_missing_ones() {
    let folder = tempfile::tempdir().unwrap();
    let (shp, shx) = shp(1, &[point(1.0, 2.0)]);
    let rows: [&[u8]; 1] = [b" \xc3\xa9  "];
    save(folder.path(), "Places.SHP", &shp);
    let path = folder.path().join("Places.SHP");
    let error = open(&path, "in", None).err().unwrap();
    let InputError::MissingPart { part, .. } = error else {
        panic!("{error}");
    };
    assert_eq!(Path::new(&part), path.with_extension("dbf"));
    save(folder.path(), "Places.Dbf", &dbf(NAME, &rows));
    save(folder.path(), "Places.ShX", &shx);
    save(folder.path(), "Places.Cpg", b"UTF-8\n");
    let reader = open(&path, "in", None).unwrap();
    assert_eq!(reader.layer().name, "Places");
    assert!(reader.layer().crs.is_none());
    assert_eq!(
        read(&reader).unwrap().column(0).as_string::<i32>().value(0),
        "é"
    );
    save(folder.path(), "Places.Cpg", b"klingon");
    let error = open(&path, "in", None).err().unwrap().to_string();
    assert!(error.contains("unknown encoding, \"klingon\""), "{error}");
    let error = open(&folder.path().join("no.shp"), "in", None)
        .err()
        .unwrap();
    assert!(matches!(error, InputError::Read { .. }), "{error}");
}

fn zipped(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    for (name, bytes) in entries {
        zip.start_file(*name, options).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

#[test]
fn zip_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("in.zip");
    let (shp, _) = shp(1, &[point(1.0, 2.0)]);
    let rows: [&[u8]; 1] = [b" a   "];
    let dbf = dbf(NAME, &rows);
    let one: [(&str, &[u8]); 3] = [
        ("deep/a.Shp", &shp),
        ("deep/a.DBF", &dbf),
        ("__MACOSX/deep/._a.shp", b"junk"),
    ];
    fs::write(&path, zipped(&one)).unwrap();
    let reader = open(&path, "in", None).unwrap();
    assert_eq!(reader.layer().name, "a");
    assert_eq!(read(&reader).unwrap().num_rows(), 1);

    let two: [(&str, &[u8]); 3] = [("b.shp", &shp), ("b.dbf", &dbf), ("c.shp", &shp)];
    fs::write(&path, zipped(&two)).unwrap();
    assert_eq!(layers(&path).unwrap(), ["b", "c"]);
    let error = open(&path, "in", None).err().unwrap();
    assert!(matches!(error, InputError::SeveralLayers { .. }), "{error}");
    assert!(open(&path, "in", Some("b")).is_ok());
    let error = open(&path, "in", Some("c")).err().unwrap();
    assert!(matches!(&error, InputError::MissingPart { part, .. } if part == "c.dbf"));
    let error = open(&path, "in", Some("d")).err().unwrap();
    assert!(matches!(error, InputError::MissingLayer { .. }), "{error}");

    fs::write(&path, zipped(&[("readme", b"hello")])).unwrap();
    let error = open(&path, "in", None).err().unwrap();
    assert!(matches!(error, InputError::NotThat { .. }), "{error}");
    let whole = zipped(&two);
    fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    let error = open(&path, "in", None).err().unwrap();
    assert!(matches!(error, InputError::Broken { .. }), "{error}");
}

#[test]
fn bombs_are_not_unpacked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("in.zip");
    let (shp, _) = shp(1, &[point(1.0, 2.0)]);
    let zeros = vec![0; 80 << 20];
    let mut bomb = zipped(&[("a.shp", &shp), ("a.dbf", &zeros)]);
    fs::write(&path, &bomb).unwrap();
    let error = open(&path, "in", None).err().unwrap().to_string();
    assert!(
        error.contains("a.dbf in it takes 83886080 bytes unpacked"),
        "{error}"
    );
    // One that lies about its size, in both places where it is told.
    let size = (80_u32 << 20).to_le_bytes();
    let mut lies = 0;
    for (mark, offset) in [(b"PK\x03\x04", 22), (b"PK\x01\x02", 24)] {
        for at in 0..bomb.len() - 28 {
            if bomb[at..].starts_with(mark) && bomb[at + offset..][..4] == size {
                bomb[at + offset..][..4].copy_from_slice(&1000_u32.to_le_bytes());
                lies += 1;
            }
        }
    }
    assert_eq!(lies, 2);
    fs::write(&path, &bomb).unwrap();
    let error = open(&path, "in", None).err().unwrap().to_string();
    assert!(error.contains("a.dbf"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Whatever is written over them, the files are read or refused.
    #[test]
    fn damaged_files_do_no_harm(
        damage in prop::collection::vec((0..3_usize, 0..4000_usize, any::<[u8; 4]>(), 1..5_usize), 1..6),
        indexed in any::<bool>(),
    ) {
        let ring: &[(f64, f64)] = &[(0.0, 0.0), (0.0, 6.0), (6.0, 6.0), (6.0, 0.0), (0.0, 0.0)];
        let shapes = [parts(5, &[ring, ring]), numbers(11, &[1.0, 2.0, 3.0, 4.0]), vec![0; 4]];
        let (shp, shx) = shp(5, &shapes);
        let rows: [&[u8]; 3] = [b" a    1", b"*b   2.", b" \xc3\xa9    "];
        let columns = [("name", b'C', 4, 0), ("n", b'N', 2, 0)];
        let mut files = [shp, dbf(&columns, &rows), shx];
        for (file, at, bytes, length) in damage {
            let file = &mut files[file];
            let at = at % file.len();
            let length = length.min(file.len() - at).min(4);
            file[at..at + length].copy_from_slice(&bytes[..length]);
        }
        let [shp, dbf, shx] = files;
        if let Ok(found) = read_parts(shp, dbf, indexed.then_some(shx)) {
            let last = found.num_columns() - 1;
            for wkb in found.column(last).as_binary::<i32>().iter().flatten() {
                prop_assert!(geometry::bounds(wkb).is_ok());
            }
        }
    }
}
