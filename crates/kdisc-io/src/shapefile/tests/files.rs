//! Which files there are.

use super::*;

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
