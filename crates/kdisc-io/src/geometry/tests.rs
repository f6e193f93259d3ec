//! Reading geometries: places, centroids and text, of bytes that are right and wrong.

use kdisc::Point;
use proptest::prelude::*;

use super::{Kind, NoPlace, WkbError, centroid, coordinates, place, point, polygons, text};

const Z: u32 = 0x8000_0000;
const M: u32 = 0x4000_0000;
const SRID: u32 = 0x2000_0000;

/// How a geometry is written.
#[derive(Clone, Copy)]
struct Pen {
    little: bool,
    /// What is added to the type.
    plus: u32,
}

const PLAIN: Pen = Pen {
    little: true,
    plus: 0,
};

impl Pen {
    fn whole(self, number: u32) -> [u8; 4] {
        if self.little {
            number.to_le_bytes()
        } else {
            number.to_be_bytes()
        }
    }

    fn head(self, kind: u32) -> Vec<u8> {
        let mut wkb = vec![u8::from(self.little)];
        wkb.extend_from_slice(&self.whole(kind + self.plus));
        if self.plus & SRID != 0 {
            wkb.extend_from_slice(&self.whole(28992));
        }
        wkb
    }

    fn numbers(self, numbers: &[f64]) -> Vec<u8> {
        let bytes = numbers.iter().map(|number| {
            if self.little {
                number.to_le_bytes()
            } else {
                number.to_be_bytes()
            }
        });
        bytes.flatten().collect()
    }

    fn point(self, numbers: &[f64]) -> Vec<u8> {
        [self.head(1), self.numbers(numbers)].concat()
    }

    /// Positions, and how many.
    fn positions(self, at: &[(f64, f64)]) -> Vec<u8> {
        let numbers: Vec<f64> = at.iter().flat_map(|&(x, y)| [x, y]).collect();
        [self.whole(at.len() as u32).to_vec(), self.numbers(&numbers)].concat()
    }

    fn line(self, at: &[(f64, f64)]) -> Vec<u8> {
        [self.head(2), self.positions(at)].concat()
    }

    fn polygon(self, rings: &[&[(f64, f64)]]) -> Vec<u8> {
        let mut wkb = self.head(3);
        wkb.extend_from_slice(&self.whole(rings.len() as u32));
        for ring in rings {
            wkb.extend_from_slice(&self.positions(ring));
        }
        wkb
    }

    fn several(self, kind: u32, parts: &[Vec<u8>]) -> Vec<u8> {
        let count = self.whole(parts.len() as u32).to_vec();
        [self.head(kind), count, parts.concat()].concat()
    }
}

const SQUARE: [(f64, f64); 5] = [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0), (0.0, 0.0)];
const HOLE: [(f64, f64); 5] = [(2.0, 1.0), (3.0, 1.0), (3.0, 3.0), (2.0, 3.0), (2.0, 1.0)];

fn reversed(ring: &[(f64, f64)]) -> Vec<(f64, f64)> {
    ring.iter().rev().copied().collect()
}

/// One of each kind.
fn every_kind(pen: Pen) -> Vec<Vec<u8>> {
    let line = pen.line(&SQUARE[..2]);
    let area = pen.polygon(&[&SQUARE, &HOLE]);
    vec![
        pen.point(&[1.0, 2.0]),
        line.clone(),
        area.clone(),
        pen.several(4, &[pen.point(&[1.0, 2.0]), pen.point(&[3.0, 4.0])]),
        pen.several(5, &[line.clone(), line]),
        pen.several(6, std::slice::from_ref(&area)),
        pen.several(7, &[pen.point(&[1.0, 2.0]), area]),
    ]
}

#[test]
fn points_in_every_way_of_writing_them() {
    let ways: [(u32, &[f64], f64); 10] = [
        (0, &[1.5, -2.0], f64::NAN),
        (1000, &[1.5, -2.0, 7.0], 7.0),
        (2000, &[1.5, -2.0, 8.0], f64::NAN),
        (3000, &[1.5, -2.0, 7.0, 8.0], 7.0),
        (Z, &[1.5, -2.0, 7.0], 7.0),
        (M, &[1.5, -2.0, 8.0], f64::NAN),
        (Z | M, &[1.5, -2.0, 7.0, 8.0], 7.0),
        (SRID, &[1.5, -2.0], f64::NAN),
        (SRID | Z, &[1.5, -2.0, 7.0], 7.0),
        (SRID | Z | M, &[1.5, -2.0, 7.0, 8.0], 7.0),
    ];
    for little in [true, false] {
        for (plus, numbers, height) in ways {
            let pen = Pen { little, plus };
            let single = pen.point(numbers);
            for wkb in [single.clone(), pen.several(4, &[single])] {
                assert_eq!(place(&wkb), Ok(Some(Point::new(1.5, -2.0))), "{plus:x}");
                let [x, y, z] = coordinates(&wkb).unwrap().unwrap();
                assert_eq!((x, y), (1.5, -2.0));
                assert_eq!(z.to_bits(), height.to_bits(), "{plus:x}");
                assert_eq!(centroid(&wkb), Ok(Some(Point::new(1.5, -2.0))));
                for end in 0..wkb.len() {
                    let short = Err(NoPlace::Wrong(WkbError::Short));
                    assert_eq!(place(&wkb[..end]), short, "{end} of {plus:x}");
                    assert_eq!(coordinates(&wkb[..end]).err(), short.err());
                }
            }
        }
    }
}

#[test]
fn parts_may_be_written_in_another_way_than_the_whole() {
    let part = Pen {
        little: false,
        plus: 1000,
    };
    let wkb = PLAIN.several(4, &[part.point(&[1.0, 2.0, 3.0])]);
    assert_eq!(coordinates(&wkb), Ok(Some([1.0, 2.0, 3.0])));
}

#[test]
fn what_is_empty_has_no_place() {
    let nowhere = PLAIN.point(&[f64::NAN, f64::NAN]);
    let empty = [
        nowhere.clone(),
        PLAIN.several(4, std::slice::from_ref(&nowhere)),
        PLAIN.several(4, &[]),
    ];
    for wkb in empty {
        assert_eq!(place(&wkb), Ok(None));
        assert_eq!(coordinates(&wkb), Ok(None));
        assert_eq!(centroid(&wkb), Ok(None));
    }
    // Half a place is a wrong one, not an empty one.
    let half = place(&PLAIN.point(&[f64::NAN, 2.0])).unwrap().unwrap();
    assert!(half.x.is_nan());
    for kind in 4..=7 {
        assert_eq!(centroid(&PLAIN.several(kind, &[])), Ok(None));
    }
    assert_eq!(centroid(&PLAIN.line(&[])), Ok(None));
    assert_eq!(centroid(&PLAIN.polygon(&[])), Ok(None));
}

#[test]
fn other_kinds_are_told_by_name() {
    let kinds = [
        Kind::Line,
        Kind::Polygon,
        Kind::MultiPoint,
        Kind::MultiLine,
        Kind::MultiPolygon,
        Kind::Collection,
    ];
    for (wkb, kind) in every_kind(PLAIN).iter().skip(1).zip(kinds) {
        assert_eq!(place(wkb), Err(NoPlace::Other(kind)));
        assert_eq!(coordinates(wkb), Err(NoPlace::Other(kind)));
    }
    let mixed = PLAIN.several(4, &[PLAIN.line(&SQUARE)]);
    assert_eq!(place(&mixed), Err(NoPlace::Other(Kind::Line)));
}

#[test]
fn what_is_wrong_is_told() {
    let wrong = |wkb: &[u8], error: WkbError| {
        assert_eq!(place(wkb), Err(NoPlace::Wrong(error)), "{wkb:?}");
        assert_eq!(centroid(wkb), Err(error), "{wkb:?}");
        assert_eq!(text(wkb), Err(error), "{wkb:?}");
    };
    wrong(&[], WkbError::Short);
    wrong(&[2, 1, 0, 0, 0], WkbError::ByteOrder(2));
    for kind in [0_u32, 8, 17, 999, 1000, 1008, 4001, 0x1000_0001, u32::MAX] {
        let mut wkb = PLAIN.point(&[1.0, 2.0]);
        wkb[1..5].copy_from_slice(&kind.to_le_bytes());
        wrong(&wkb, WkbError::Type(kind));
    }
}

#[test]
fn a_geometry_cut_off_anywhere_is_too_short() {
    for little in [true, false] {
        for wkb in every_kind(Pen { little, plus: 0 }) {
            assert!(centroid(&wkb).unwrap().is_some());
            for end in 0..wkb.len() {
                assert_eq!(centroid(&wkb[..end]), Err(WkbError::Short));
                assert_eq!(text(&wkb[..end]), Err(WkbError::Short));
            }
        }
    }
}

#[test]
fn counts_beyond_the_bytes_are_not_believed() {
    for kind in 2..=7_u32 {
        let mut wkb = PLAIN.head(kind);
        wkb.extend_from_slice(&[255; 4]);
        assert_eq!(centroid(&wkb), Err(WkbError::Short));
        assert_eq!(text(&wkb), Err(WkbError::Short));
    }
    let nested = PLAIN.several(7, &[]);
    let deep = [1, 7, 0, 0, 0, 1, 0, 0, 0].repeat(100_000);
    assert_eq!(
        centroid(&[&deep[..], &nested].concat()),
        Err(WkbError::Deep)
    );
    assert_eq!(text(&[&deep[..], &nested].concat()), Err(WkbError::Deep));
    let fair = [1, 7, 0, 0, 0, 1, 0, 0, 0].repeat(16);
    let inner = PLAIN.several(7, &[]);
    assert_eq!(centroid(&[fair, inner].concat()), Ok(None));
}

#[track_caller]
fn near(wkb: &[u8], x: f64, y: f64) {
    let found = centroid(wkb).unwrap().unwrap();
    let off = (found.x - x).abs().max((found.y - y).abs());
    assert!(off < 1e-12, "{found:?}, not {x} {y}");
}

#[test]
fn a_hole_counts_against_the_area_whichever_way_round() {
    // (16 * 2 - 2 * 2.5) / 14
    let x = 27.0 / 14.0;
    for shell in [SQUARE.to_vec(), reversed(&SQUARE)] {
        near(&PLAIN.polygon(&[&shell]), 2.0, 2.0);
        for hole in [HOLE.to_vec(), reversed(&HOLE)] {
            near(&PLAIN.polygon(&[&shell, &hole]), x, 2.0);
        }
    }
}

#[test]
fn parts_count_by_their_size() {
    let other: Vec<_> = SQUARE.map(|(x, y)| (10.0 + x / 2.0, y / 2.0)).to_vec();
    // 16 at (2, 2) and 4 at (11, 1), each in a turn of its own.
    let areas = [
        PLAIN.polygon(&[&SQUARE]),
        PLAIN.polygon(&[&reversed(&other)]),
    ];
    near(&PLAIN.several(6, &areas), 3.8, 1.8);
    let lines = [
        PLAIN.line(&[(0.0, 0.0), (6.0, 0.0)]),
        PLAIN.line(&[(10.0, 0.0), (10.0, 2.0)]),
    ];
    near(&lines[0], 3.0, 0.0);
    // 6 at (3, 0) and 2 at (10, 1).
    near(&PLAIN.several(5, &lines), 4.75, 0.25);
    let points = [[0.0, 0.0], [1.0, 5.0], [5.0, 1.0]].map(|at| PLAIN.point(&at));
    near(&PLAIN.several(4, &points), 2.0, 2.0);
}

#[test]
fn only_the_highest_dimension_counts() {
    let far = PLAIN.point(&[1000.0, 1000.0]);
    let line = PLAIN.line(&[(50.0, 0.0), (50.0, 10.0)]);
    let area = PLAIN.polygon(&[&SQUARE]);
    let inner = PLAIN.several(7, &[area]);
    near(&PLAIN.several(7, &[far.clone(), line.clone()]), 50.0, 5.0);
    near(&PLAIN.several(7, &[far, line, inner]), 2.0, 2.0);
}

#[test]
fn what_has_no_area_is_a_line_and_what_has_no_length_a_point() {
    let flat = PLAIN.polygon(&[&[(0.0, 0.0), (6.0, 0.0), (0.0, 0.0)]]);
    near(&flat, 3.0, 0.0);
    let spot = PLAIN.polygon(&[&[(5.0, 7.0), (5.0, 7.0), (5.0, 7.0), (5.0, 7.0)]]);
    near(&spot, 5.0, 7.0);
    near(&PLAIN.line(&[(5.0, 7.0)]), 5.0, 7.0);
}

#[test]
fn far_coordinates_do_not_swallow_small_shapes() {
    let (x, y) = (1e7, -6e6);
    let small = SQUARE.map(|(dx, dy)| (x + dx / 1024.0, y + dy / 1024.0));
    let hole = HOLE.map(|(dx, dy)| (x + dx / 1024.0, y + dy / 1024.0));
    let found = centroid(&PLAIN.polygon(&[&small, &hole])).unwrap().unwrap();
    let (dx, dy) = ((found.x - x) * 1024.0, (found.y - y) * 1024.0);
    // What is left is the last place of a double: 2e-9 of 10 000 km.
    assert!((dx - 27.0 / 14.0).abs() < 2e-6, "{dx}");
    assert!((dy - 2.0).abs() < 2e-6, "{dy}");
}

#[test]
fn every_kind_in_words() {
    let words = [
        "POINT(1 2)",
        "LINESTRING(0 0,4 0)",
        "POLYGON((0 0,4 0,4 4,0 4,0 0),(2 1,3 1,3 3,2 3,2 1))",
        "MULTIPOINT((1 2),(3 4))",
        "MULTILINESTRING((0 0,4 0),(0 0,4 0))",
        "MULTIPOLYGON(((0 0,4 0,4 4,0 4,0 0),(2 1,3 1,3 3,2 3,2 1)))",
        "GEOMETRYCOLLECTION(POINT(1 2),POLYGON((0 0,4 0,4 4,0 4,0 0),(2 1,3 1,3 3,2 3,2 1)))",
    ];
    for little in [true, false] {
        let all = every_kind(Pen { little, plus: 0 });
        for (wkb, words) in all.iter().zip(words) {
            assert_eq!(text(wkb).unwrap(), words);
        }
    }
    let empty = [
        (PLAIN.point(&[f64::NAN; 2]), "POINT EMPTY"),
        (PLAIN.line(&[]), "LINESTRING EMPTY"),
        (PLAIN.polygon(&[]), "POLYGON EMPTY"),
        (PLAIN.several(6, &[]), "MULTIPOLYGON EMPTY"),
        (
            PLAIN.several(7, &[PLAIN.several(7, &[])]),
            "GEOMETRYCOLLECTION(GEOMETRYCOLLECTION EMPTY)",
        ),
    ];
    for (wkb, words) in empty {
        assert_eq!(text(&wkb).unwrap(), words);
    }
    let numbers = PLAIN.point(&[0.1, -1e-7]);
    assert_eq!(text(&numbers).unwrap(), "POINT(0.1 -0.0000001)");
    let high = Pen {
        little: true,
        plus: 3000,
    };
    let wkb = high.point(&[1.0, 2.0, 3.0, 4.0]);
    assert_eq!(text(&wkb).unwrap(), "POINT(1 2)");
}

#[test]
fn what_is_written_is_read() {
    let at = Point::new(155_000.25, -0.1);
    assert_eq!(place(&point(at)), Ok(Some(at)));
    let corners = [(0.0, 0.0), (3.0, 0.0), (0.0, 3.0)].map(|(x, y)| Point::new(x, y));
    let written = polygons(&[corners.to_vec()]);
    assert_eq!(text(&written).unwrap(), "POLYGON((0 0,3 0,0 3,0 0))");
    near(&written, 1.0, 1.0);
    let two = polygons(&[corners.to_vec(), corners.to_vec()]);
    assert_eq!(
        text(&two).unwrap(),
        "MULTIPOLYGON(((0 0,3 0,0 3,0 0)),((0 0,3 0,0 3,0 0)))"
    );
}

proptest! {
    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..80), kind in 0..8_u8) {
        let mut likely = bytes.clone();
        likely.splice(0..likely.len().min(5), [1, kind, 0, 0, 0]);
        for wkb in [bytes, likely] {
            prop_assert_eq!(centroid(&wkb).err(), text(&wkb).err());
            prop_assert_eq!(place(&wkb).err(), coordinates(&wkb).err());
        }
    }
}
