//! What is in the files.

use super::*;

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
        let wkb = crate::shapefile::shp::wkb(&shape).unwrap().unwrap();
        assert_eq!(wkb[1..5], kind.to_le_bytes());
        assert_eq!(wkb.len(), length, "{kind}");
        assert!(geometry::bounds(&wkb).unwrap().is_some());
    }
    let both = crate::shapefile::shp::wkb(&parts(5, &[ring, hole]))
        .unwrap()
        .unwrap();
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
