//! Whole maps: what is drawn may not change without somebody seeing it.

use kdisc::{Metric, Point};
use kdisc_report::Kind;
use kdisc_report::classes::Classes;
use kdisc_report::colour::Ramp;
use kdisc_report::frame::Extent;
use kdisc_report::map::{Entry, Layer, Legend, Map, MapError, Mark, Panel, Ring, Sheet, Surface};
use kdisc_report::shapes::Shapes;
use kdisc_report::svg::Lettering;
use kdisc_report::theme::Theme;

const SHEET: Sheet = Sheet {
    width: 640.0,
    height: None,
    in_mm: false,
    ratio: 1.0,
};

/// Places on a spiral, and values that grow outwards.
fn spiral(count: u32) -> (Vec<Point>, Vec<f64>) {
    let place = |i: u32| {
        let (turn, r) = (f64::from(i) * 0.5, f64::from(i) * 3.0);
        Point::new(1000.0 + r * turn.cos(), 2000.0 + r * turn.sin())
    };
    let values = (0..count).map(|i| f64::from(i * i) / 20.0).collect();
    ((0..count).map(place).collect(), values)
}

fn map<'a>(places: &'a [Point], values: &[f64], theme: Theme) -> Map<'a> {
    let classes = Classes::fit(values.iter().copied());
    let colours = Ramp::Magma.colours(classes.len(), theme.is_dark);
    let entries = classes.labels().into_iter().zip(colours);
    let entries = entries.map(|(label, colour)| Entry {
        label,
        colour,
        units: Some(12_345),
    });
    Map {
        title: "Risk & radius <of> each".to_owned(),
        notice: Some("CONFIDENTIAL: exact locations".to_owned()),
        panels: vec![Panel {
            title: "δ = ∞".to_owned(),
            layers: vec![Layer::Dots {
                places,
                classes: values.iter().map(|value| classes.of(*value)).collect(),
            }],
        }],
        extent: Extent::of(places.iter().copied()).unwrap().widened(20.0),
        is_cut: false,
        legend: Legend {
            title: "Risk, metres per unit".to_owned(),
            entries: entries.collect(),
            dots: true,
            marks: None,
            blank: None,
        },
        notes: vec!["Source: a spiral.".to_owned(), "Made by a test.".to_owned()],
        description: "A spiral.".to_owned(),
        axes: false,
        theme,
    }
}

fn layered(map: &mut Map<'_>, under: &'static Shapes) {
    let center = Point::new(1050.0, 2030.0);
    map.panels[0].layers.insert(0, Layer::Under(under));
    map.panels[0].layers.push(Layer::Marks(vec![Mark {
        place: Point::new(1060.0, 2040.0),
        ring: Some(Ring {
            center,
            radius: 40.0,
            metric: Metric::L2,
        }),
        label: "40 m".to_owned(),
    }]));
    map.legend.marks = Some("marked".to_owned());
    map.axes = true;
}

fn shapes() -> &'static Shapes {
    let line = [(900.0, 1900.0), (1100.0, 2100.0)].map(|(x, y)| Point::new(x, y));
    let ring = [(950.0, 1950.0), (1050.0, 1950.0), (1000.0, 2050.0)];
    Box::leak(Box::new(Shapes {
        points: vec![Point::new(1000.0, 2000.0)],
        lines: vec![line.to_vec()],
        polygons: vec![vec![ring.map(|(x, y)| Point::new(x, y)).to_vec()]],
    }))
}

#[test]
fn the_drawing() {
    let (places, values) = spiral(30);
    let mut map = map(&places, &values, Theme::light());
    layered(&mut map, shapes());
    let drawing = map.draw(&SHEET, Lettering::Text, "metadata").unwrap();
    insta::assert_snapshot!(drawing.svg);
}

#[test]
fn a_dark_drawing_for_a_phone() {
    let (places, values) = spiral(30);
    let map = map(&places, &values, Theme::dark());
    let sheet = Sheet {
        width: 360.0,
        ..SHEET
    };
    let drawing = map.draw(&sheet, Lettering::Text, "metadata").unwrap();
    insta::assert_snapshot!(drawing.svg);
}

/// A short fingerprint (FNV-1a) of what is in a file.
fn fingerprint(bytes: &[u8]) -> String {
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}

fn pixels(png: &[u8]) -> (u32, u32, Vec<u8>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(png))
        .read_info()
        .unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut bytes).unwrap();
    let info = reader.info();
    (info.width, info.height, bytes)
}

#[test]
fn pixels_of_every_theme() {
    let (places, values) = spiral(30);
    let mut told = Vec::new();
    for theme in [Theme::light(), Theme::dark()] {
        let map = map(&places, &values, theme);
        let png = map.picture(&SHEET, Kind::Png, "test", "metadata").unwrap();
        let (width, height, pixels) = pixels(&png);
        told.push(format!("{width} x {height}: {}", fingerprint(&pixels)));
    }
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn the_same_map_is_the_same_file() {
    let (places, values) = spiral(30);
    let map = map(&places, &values, Theme::light());
    for kind in [Kind::Png, Kind::Svg, Kind::Pdf] {
        let make = || {
            map.picture(&SHEET, kind, "kdisc test", "KEEP SAFE")
                .unwrap()
        };
        let bytes = make();
        assert_eq!(make(), bytes);
        let start: &[u8] = match kind {
            Kind::Png => b"\x89PNG",
            Kind::Svg => b"<svg",
            Kind::Pdf => b"%PDF",
        };
        assert!(bytes.starts_with(start));
        let found = |text: &[u8]| bytes.windows(text.len()).any(|part| part == text);
        assert!(found(b"KEEP SAFE"), "{kind:?}");
        assert!(!found(b"CreationDate"), "{kind:?}");
    }
}

#[test]
fn many_dots_are_an_image_and_the_file_stays_small() {
    let place = |i: u32| Point::new(f64::from(i % 997), f64::from(i % 1009));
    let places: Vec<Point> = (0..200_000).map(place).collect();
    let values: Vec<f64> = (0..200_000).map(|i| f64::from(i % 100)).collect();
    let map = map(&places, &values, Theme::light());
    let svg = map.picture(&SHEET, Kind::Svg, "test", "").unwrap();
    assert!(svg.len() < 1_500_000, "{}", svg.len());
    let text = String::from_utf8(svg).unwrap();
    assert_eq!(text.matches("<image ").count(), 1);
    assert!(!text.contains("h.01"));
}

#[test]
fn surfaces_and_squares() {
    let (places, values) = spiral(4);
    let mut map = map(&places, &values, Theme::light());
    let extent = map.extent;
    map.panels[0].layers = vec![
        Layer::Surface(Surface {
            extent,
            columns: 2,
            classes: vec![0, 1, 1, 0],
        }),
        Layer::Cells {
            outlines: vec![
                [(990.0, 1990.0), (1000.0, 1990.0), (1000.0, 2000.0)]
                    .map(|(x, y)| Point::new(x, y))
                    .to_vec(),
            ],
            classes: vec![1],
        },
    ];
    let svg = map.draw(&SHEET, Lettering::Text, "").unwrap().svg;
    assert_eq!(svg.matches("<image ").count(), 1);
    map.picture(&SHEET, Kind::Png, "test", "").unwrap();
    map.picture(&SHEET, Kind::Pdf, "test", "").unwrap();
}

/// The sides of the first panel, which is a picture within the picture.
fn frame(map: &Map, height: Option<f64>) -> (f64, f64) {
    let sheet = Sheet { height, ..SHEET };
    let svg = map.draw(&sheet, Lettering::Text, "").unwrap().svg;
    let inner = svg.split("viewBox=\"").nth(2).unwrap();
    let mut sides = inner
        .split(['"', ' '])
        .skip(2)
        .map(|side| side.parse().unwrap());
    (sides.next().unwrap(), sides.next().unwrap())
}

#[test]
fn a_part_that_was_asked_for_is_all_that_is_seen() {
    let (places, values) = spiral(30);
    let mut map = map(&places, &values, Theme::light());
    for (width, height) in [(100.0, 100.0), (300.0, 100.0), (100.0, 200.0)] {
        map.extent.max = Point::new(map.extent.min.x + width, map.extent.min.y + height);
        for page in [None, Some(400.0), Some(900.0)] {
            map.is_cut = true;
            let cut = frame(&map, page);
            assert!((cut.1 / cut.0 - height / width).abs() < 0.02, "{cut:?}");
            map.is_cut = false;
            let filled = frame(&map, page);
            assert!(cut.0 <= filled.0 && cut.1 <= filled.1, "{cut:?} {filled:?}");
        }
    }
    // A thin line could not be seen, so it is not all.
    map.is_cut = true;
    map.extent.max = Point::new(map.extent.min.x + 1000.0, map.extent.min.y + 1.0);
    assert_eq!(frame(&map, None).1, 60.0);
}

#[test]
fn pages_without_room_are_refused() {
    let (places, values) = spiral(30);
    let map = map(&places, &values, Theme::light());
    let draw = |width, height| {
        let sheet = Sheet {
            width,
            height,
            ..SHEET
        };
        map.draw(&sheet, Lettering::Text, "")
            .map(|drawing| drawing.page.height)
    };
    assert_eq!(draw(640.0, Some(480.0)), Ok(480.0));
    for (width, height) in [(30.0, None), (640.0, Some(100.0)), (1.0, Some(1.0))] {
        assert!(matches!(draw(width, height), Err(MapError::NoRoom { .. })));
    }
    for (width, height) in [
        (1e300, None),
        (50_000.0, Some(50_000.0)),
        (800.0, Some(1e9)),
    ] {
        assert!(matches!(
            draw(width, height),
            Err(MapError::TooLarge { .. })
        ));
    }
}

#[test]
fn cells_that_are_too_small_to_be_seen_are_dots() {
    for count in [30, 20_100] {
        let (places, values) = spiral(count);
        let mut map = map(&places, &values, Theme::light());
        let Some(Layer::Dots { classes, .. }) = map.panels[0].layers.pop() else {
            panic!("dots are what the map had");
        };
        let nothing = map.picture(&SHEET, Kind::Png, "test", "").unwrap();
        let tiny = map.extent.width() / 1e5;
        let outlines = places.iter().map(|at| {
            [(0.0, 0.0), (tiny, 0.0), (tiny, tiny), (0.0, tiny)]
                .map(|(x, y)| Point::new(at.x + x, at.y + y))
                .to_vec()
        });
        map.panels[0].layers.push(Layer::Cells {
            outlines: outlines.collect(),
            classes,
        });
        let cells = map.picture(&SHEET, Kind::Png, "test", "").unwrap();
        let (before, after) = (pixels(&nothing).2, pixels(&cells).2);
        let changed = before.chunks(4).zip(after.chunks(4));
        let changed = changed.filter(|(before, after)| before != after).count();
        assert!(changed >= 30, "{count} cells change {changed} pixels");
    }
}
