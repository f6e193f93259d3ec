//! Tables packed by gzip or Zstandard are read as they are, whatever their name.

use std::fs;
use std::io::Write;

use crate::common::{Folder, assert_says};

const TABLE: &[u8] = b"x,y\n0,0\n3,4\n6,8\n";

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    out.write_all(content).unwrap();
    out.finish().unwrap()
}

fn zstandard(content: &[u8]) -> Vec<u8> {
    zstd::encode_all(content, 3).unwrap()
}

#[test]
fn the_output_is_that_of_the_unpacked_file_and_the_hash_that_of_the_packed_one() {
    let folder = Folder::new()
        .with("t.csv", TABLE)
        .with("t.csv.gz", gzip(TABLE))
        .with("t.csv.zst", zstandard(TABLE))
        .with("packed.csv", gzip(TABLE));
    let plain = folder.run("risk t.csv --k 2 --quiet").stdout;
    for file in ["t.csv.gz", "t.csv.zst", "packed.csv"] {
        let args = format!("risk {file} --k 2 --quiet --summary s.json");
        assert_eq!(folder.run(&args).stdout, plain, "{file}");
        let hash = kdisc_io::sha256::hex(&fs::read(folder.path(file)).unwrap());
        assert_eq!(folder.json("s.json")["inputs"][0]["sha256"], hash, "{file}");
        let verified = folder.run("verify s.json");
        assert_eq!(verified.code, Some(0), "{}", verified.stdout);
    }
    let piped = folder.run_with("risk - --k 2 --quiet", zstandard(TABLE));
    assert_eq!(piped.stdout, plain);
}

#[test]
fn a_packed_file_that_is_cut_off_or_damaged_is_refused() {
    let whole = gzip(TABLE);
    let mut damaged = whole.clone();
    let checksum = damaged.len() - 8;
    damaged[checksum] ^= 1;
    let folder = Folder::new()
        .with("cut.gz", &whole[..whole.len() - 3])
        .with("damaged.gz", damaged)
        .with("out.csv", "old");
    for (file, message) in [
        (
            "cut.gz",
            "error: cut.gz is cut off: the gzip data do not end",
        ),
        (
            "damaged.gz",
            "error: damaged.gz is damaged: it begins as gzip data",
        ),
    ] {
        let ran = folder.run(&format!("risk {file} -o out.csv"));
        assert_eq!(ran.code, Some(2), "{file}");
        assert_says(&ran.stderr, message);
        assert_says(&ran.stderr, "help: ");
        assert_eq!(folder.read("out.csv"), "old");
    }
}
