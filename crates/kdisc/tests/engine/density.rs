//! Density maps against plain loops, and what must hold of every map.

use crate::oracle;

use kdisc::density::{
    Area, Bandwidth, DensityError, Frame, FrameError, Kernel, Map, Rule, Smoothing, Units,
};
use kdisc::region::{Part, Region};
use kdisc::{Point, example};
use oracle::cases::Random;
use oracle::kernels::{Bands, Given, smooth};

const KERNELS: [Kernel; 4] = [
    Kernel::Gaussian,
    Kernel::Uniform,
    Kernel::Quartic,
    Kernel::Epanechnikov,
];

fn close(a: f64, b: f64, scale: f64) -> bool {
    (a.is_nan() && b.is_nan()) || (a - b).abs() <= 1e-11 * b.abs().max(scale)
}

fn compare(map: &Map, bands: &Bands, signed: bool, what: &str) {
    let largest = |band: &[f64]| {
        band.iter()
            .fold(0.0_f64, |l, v| if *v > l { *v } else { l })
    };
    // Only sums of values with signs can lose digits.
    let scale = if signed { largest(&bands.total) } else { 0.0 };
    let total = map.total();
    for cell in 0..bands.density.len() {
        let pairs = [
            ("density", map.density()[cell], bands.density[cell], 0.0),
            (
                "contributors",
                map.contributors()[cell],
                bands.contributors[cell],
                0.0,
            ),
            (
                "share",
                map.largest_share()[cell],
                bands.largest_share[cell],
                0.0,
            ),
            (
                "total",
                total.map_or(0.0, |t| t[cell]),
                if total.is_some() {
                    bands.total[cell]
                } else {
                    0.0
                },
                scale,
            ),
        ];
        for (band, found, expected, scale) in pairs {
            assert!(
                close(found, expected, scale),
                "{what}, {band} of cell {cell}: {found}, not {expected}"
            );
        }
    }
    assert_eq!(map.spread(), bands.spread, "{what}");
}

fn run(frame: &Frame, kernel: Kernel, area: Option<&Area>, given: &Given, threads: usize) -> Map {
    let alike = given.bandwidths.windows(2).all(|pair| pair[0] == pair[1]);
    let bandwidth = if alike {
        Bandwidth::Fixed(given.bandwidths[0])
    } else {
        Bandwidth::Each(&given.bandwidths)
    };
    let mut units = Units::new(&given.points).weighted(&given.weights);
    if let Some(values) = &given.values {
        units = units.valued(values);
    }
    let smoothing = Smoothing::new(frame, kernel, bandwidth)
        .exact(given.exact)
        .within(area)
        .threads(threads);
    smoothing.map(&units).unwrap()
}

fn mass(frame: &Frame, band: &[f64]) -> f64 {
    let shown = band.iter().filter(|number| !number.is_nan());
    shown.sum::<f64>() * frame.cell_area()
}

/// A polygon with a hole, and one that overlaps it.
fn island() -> Vec<Region> {
    let ring = |corners: &[(f64, f64)]| oracle::points(corners);
    let outer = ring(&[
        (3.0, 2.0),
        (36.0, 8.0),
        (30.0, 33.0),
        (17.0, 21.0),
        (5.0, 30.0),
    ]);
    let holes = vec![ring(&[(20.0, 12.0), (26.0, 12.0), (26.0, 19.0)])];
    let other = ring(&[(28.0, 25.0), (39.0, 24.0), (39.0, 39.0), (28.0, 39.0)]);
    [
        Part { outer, holes },
        Part {
            outer: other,
            holes: vec![],
        },
    ]
    .map(|part| Region::new(vec![part]).unwrap())
    .to_vec()
}

fn given(random: &mut Random, count: usize, size: f64) -> Given {
    let points = (0..count).map(|_| {
        let lattice = random.chance(0.3);
        let mut one = || {
            let real = random.real() * size * 1.1 - size * 0.05;
            if lattice { real.round() } else { real }
        };
        Point::new(one(), one())
    });
    let points = points.collect();
    Given {
        points,
        weights: (0..count)
            .map(|_| random.pick(&[1, 1, 1, 2, 5, 0]))
            .collect(),
        values: None,
        bandwidths: vec![],
        exact: false,
    }
}

#[test]
fn every_kernel_against_plain_loops() {
    let frame = Frame::within(1.0, [0.0, 0.0, 40.0, 40.0]).unwrap();
    let area = Area::new(&frame, island()).unwrap();
    let mut random = Random(5);
    for round in 0..48 {
        let mut given = given(&mut random, 60, 40.0);
        given.exact = round % 2 == 0;
        let signed = round % 3 == 2;
        given.values = match round % 3 {
            0 => None,
            1 => Some(given.points.iter().map(|_| random.real() * 1e6).collect()),
            _ => Some(given.points.iter().map(|_| random.bell()).collect()),
        };
        // The closed edge of the uniform kernel passes through centres of cells.
        let fixed = random.pick(&[0.3, 1.0, 2.0, 5.0, 7.25, 13.0, 90.0]);
        let adaptive = round % 4 >= 2;
        given.bandwidths = (0..given.points.len())
            .map(|_| {
                if adaptive {
                    random.pick(&[0.5, 1.0, 3.0, 9.5])
                } else {
                    fixed
                }
            })
            .collect();
        for kernel in KERNELS {
            for area in [None, Some(&area)] {
                let what = format!("round {round}, {kernel}, area {}", area.is_some());
                let map = run(&frame, kernel, area, &given, 2);
                compare(&map, &smooth(&frame, kernel, area, &given), signed, &what);
                let spread = map.spread() as f64;
                let found = mass(&frame, map.density());
                assert!((found - spread).abs() <= 1e-9 * spread, "{what}: {found}");
            }
        }
    }
}

#[test]
fn frames_of_every_shape_and_scale() {
    let mut random = Random(11);
    for (side, extent) in [
        (10.0, [0.0, 0.0, 10.0, 10.0]),
        (10.0, [0.0, 0.0, 10.0, 330.0]),
        (10.0, [-5.0, 7.0, 990.0, 9.0]),
        (1e-6, [1.0, 1.0, 1.000_07, 1.000_04]),
        (1e7, [-3e8, -2e8, 1e8, 1e8]),
        (100.0, [119_985.0, 487_010.0, 123_000.0, 489_999.0]),
    ] {
        let frame = Frame::within(side, extent).unwrap();
        let [min_x, min_y, max_x, max_y] = extent;
        let points = (0..40).map(|_| {
            let x = min_x + (max_x - min_x) * random.real();
            Point::new(x, min_y + (max_y - min_y) * random.real())
        });
        let given = Given {
            points: points.collect(),
            weights: vec![1; 40],
            values: None,
            bandwidths: vec![2.6 * side; 40],
            exact: false,
        };
        for kernel in KERNELS {
            for exact in [false, true] {
                let given = Given {
                    exact,
                    ..given.clone()
                };
                let map = run(&frame, kernel, None, &given, 2);
                assert_eq!((map.spread(), map.outside()), (40, 0));
                assert!((mass(&frame, map.density()) - 40.0).abs() < 1e-9);
                // Centres in doubles are as good as coordinates of this size are.
                if side >= 1.0 {
                    let what = format!("{side} {kernel} {exact}");
                    compare(&map, &smooth(&frame, kernel, None, &given), false, &what);
                }
            }
        }
    }
}

#[test]
fn the_order_of_rows_and_the_threads_make_no_difference() {
    let frame = Frame::within(1.0, [0.0, 0.0, 70.0, 70.0]).unwrap();
    let mut random = Random(3);
    let mut given = given(&mut random, 500, 70.0);
    // Many share a place, and their values do not add up exactly.
    for row in 250..500 {
        given.points[row] = given.points[row % 20];
    }
    given.values = Some((0..500).map(|_| random.bell() * 1e3).collect());
    let mut order: Vec<usize> = (0..500).collect();
    for i in 0..500 {
        order.swap(i, random.below(500));
    }
    for (kernel, adaptive, exact) in [
        (Kernel::Gaussian, false, false),
        (Kernel::Quartic, false, true),
        (Kernel::Uniform, true, false),
        (Kernel::Gaussian, true, true),
    ] {
        given.exact = exact;
        given.bandwidths = (0..500)
            .map(|i| {
                if adaptive {
                    1.0 + f64::from(i % 20)
                } else {
                    3.0
                }
            })
            .collect();
        let mut shuffled = given.clone();
        for (to, &from) in order.iter().enumerate() {
            shuffled.points[to] = given.points[from];
            shuffled.weights[to] = given.weights[from];
            shuffled.bandwidths[to] = given.bandwidths[from];
            if let (Some(to_values), Some(values)) = (&mut shuffled.values, &given.values) {
                to_values[to] = values[from];
            }
        }
        let bits = |map: &Map| -> Vec<u64> {
            let bands = [
                map.density(),
                map.total().unwrap(),
                map.contributors(),
                map.largest_share(),
            ];
            bands
                .into_iter()
                .flatten()
                .map(|number| number.to_bits())
                .collect()
        };
        let one = run(&frame, kernel, None, &given, 1);
        let other = run(&frame, kernel, None, &shuffled, 5);
        assert!(bits(&one) == bits(&other), "{kernel} {adaptive} {exact}");
    }
}

#[test]
fn the_density_alone_is_that_of_the_map() {
    let town = example::town(3000, example::SEED);
    let points: Vec<Point> = town.iter().map(|e| Point::new(e.x, e.y)).collect();
    let values: Vec<f64> = town.iter().map(|e| e.production).collect();
    let frame = Frame::around(50.0, &points, 300.0).unwrap().unwrap();
    for kernel in KERNELS {
        let smoothing = Smoothing::new(&frame, kernel, Bandwidth::Fixed(300.0));
        let units = Units::new(&points).valued(&values);
        let map = smoothing.map(&units).unwrap();
        assert_eq!(smoothing.density(&units).unwrap(), map.density());
        assert!((mass(&frame, map.density()) - 3000.0).abs() < 3e-6);
        let value: f64 = values.iter().sum();
        assert!((mass(&frame, map.total().unwrap()) / value - 1.0).abs() < 1e-9);
    }
}

#[test]
fn only_cells_that_the_area_touches_receive_anything() {
    let frame = Frame::within(1.0, [0.0, 0.0, 40.0, 40.0]).unwrap();
    let regions = island();
    let area = Area::new(&frame, regions.clone()).unwrap();
    let touches = |cell: usize, margin: f64| {
        let center = frame.center(cell);
        let half = 0.5 + margin;
        area.holds(center)
            || regions
                .iter()
                .flat_map(Region::rings)
                .flat_map(kdisc::region::edges)
                .any(|[a, b]| {
                    // The part of the edge that is between the sides of the square, by clipping.
                    let (mut from, mut to) = (0.0_f64, 1.0_f64);
                    for (start, step, middle) in
                        [(a.x, b.x - a.x, center.x), (a.y, b.y - a.y, center.y)]
                    {
                        let low = (middle - half - start) / step;
                        let high = (middle + half - start) / step;
                        if step == 0.0 {
                            if (start - middle).abs() > half {
                                return false;
                            }
                            continue;
                        }
                        from = from.max(low.min(high));
                        to = to.min(low.max(high));
                    }
                    from <= to
                })
    };
    for cell in 0..frame.cells() {
        let open = area.cells()[cell];
        assert!(open || !touches(cell, 0.0), "{:?}", frame.center(cell));
        assert!(
            !open || touches(cell, 1.0 / 200.0),
            "{:?}",
            frame.center(cell)
        );
    }
    // Beyond the frame, nothing.
    let aside = Frame::within(1.0, [50.0, 0.0, 60.0, 40.0]).unwrap();
    let area = Area::new(&aside, regions).unwrap();
    assert!(area.cells().iter().all(|open| !open));
}

#[test]
fn cells_are_at_multiples_of_their_side_and_rows_go_south() {
    let frame = Frame::within(10.0, [-13.0, 5.0, 20.0, 31.0]).unwrap();
    assert_eq!((frame.columns(), frame.rows()), (4, 4));
    assert_eq!(frame.corner(), Point::new(-20.0, 40.0));
    assert_eq!(frame.center(0), Point::new(-15.0, 35.0));
    assert_eq!(frame.center(15), Point::new(15.0, 5.0));
    // A cell owns its west and south edges.
    assert_eq!(frame.index(Point::new(0.0, 10.0)), Some(10));
    assert_eq!(frame.index(Point::new(20.0, 10.0)), None);
    assert_eq!(frame.index(Point::new(f64::NAN, 10.0)), None);
    let points = [Point::new(20.0, 40.0), Point::new(-13.0, 5.0)];
    let frame = Frame::around(10.0, &points, 0.0).unwrap().unwrap();
    assert_eq!((frame.columns(), frame.rows()), (5, 5));
    assert_eq!(Frame::around(10.0, &[], 0.0), Ok(None));
}

#[test]
fn what_cannot_be_a_raster_or_a_map_is_refused() {
    assert!(matches!(
        Frame::within(0.0, [0.0, 0.0, 1.0, 1.0]),
        Err(FrameError::Grid(_))
    ));
    assert!(matches!(
        Frame::within(f64::NAN, [0.0, 0.0, 1.0, 1.0]),
        Err(FrameError::Grid(_))
    ));
    let flat = Frame::within(1.0, [0.0, 3.0, 1.0, 3.0]);
    assert_eq!(flat, Err(FrameError::Extent { from: 3.0, to: 3.0 }));
    assert!(Frame::within(1.0, [0.0, 0.0, f64::NAN, 1.0]).is_err());
    let vast = Frame::within(1.0, [0.0, 0.0, 1e6, 1e6]);
    assert!(matches!(
        vast,
        Err(FrameError::TooMany {
            columns: 1_000_000,
            rows: 1_000_000
        })
    ));
    assert!(matches!(
        Frame::within(1e-9, [0.0, 0.0, 1e6, 1.0]),
        Err(FrameError::Grid(_))
    ));

    let frame = Frame::within(1.0, [0.0, 0.0, 9.0, 9.0]).unwrap();
    let points = [Point::new(1.0, 1.0)];
    let map = |frame: &Frame, bandwidth: Bandwidth, units: &Units| {
        Smoothing::new(frame, Kernel::Quartic, bandwidth).map(units)
    };
    let units = Units::new(&points);
    for h in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(
            map(&frame, Bandwidth::Fixed(h), &units),
            Err(DensityError::Bandwidth(_))
        ));
        assert!(matches!(
            map(&frame, Bandwidth::Each(&[h]), &units),
            Err(DensityError::Bandwidth(_))
        ));
    }
    assert!(matches!(
        map(&frame, Bandwidth::Each(&[]), &units),
        Err(DensityError::Lengths { .. })
    ));
    let fixed = Bandwidth::Fixed(1.0);
    assert!(matches!(
        map(&frame, fixed, &units.valued(&[])),
        Err(DensityError::Lengths { .. })
    ));
    assert!(matches!(
        map(&frame, fixed, &units.valued(&[f64::NAN])),
        Err(DensityError::Value { row: 0, .. })
    ));
    assert!(matches!(
        map(&frame, fixed, &units.weighted(&[0])),
        Err(DensityError::Units(_))
    ));
    let stop = std::sync::atomic::AtomicBool::new(true);
    let stopped = Smoothing::new(&frame, Kernel::Quartic, fixed)
        .cancel(&stop)
        .map(&units);
    assert!(matches!(stopped, Err(DensityError::Run(_))));
}

#[test]
fn cells_with_few_contributors_are_masked() {
    let frame = Frame::within(10.0, [0.0, 0.0, 300.0, 20.0]).unwrap();
    let crowd = (0..10).map(|i| Point::new(50.0 + f64::from(i), 5.0));
    let points: Vec<_> = crowd.chain([Point::new(250.0, 5.0)]).collect();
    let smoothing = Smoothing::new(&frame, Kernel::Uniform, Bandwidth::Fixed(20.0));
    let mut map = smoothing.map(&Units::new(&points)).unwrap();
    let rule = Rule {
        min_contributors: 10.0,
        max_share: 0.1,
    };
    let lonely = frame.index(points[10]).unwrap();
    let among = frame.index(points[0]).unwrap();
    // Ten alike are ten, and a tenth is a tenth.
    assert!(map.is_safe(among, rule) && !map.is_safe(lonely, rule));
    let before = map
        .density()
        .iter()
        .filter(|density| **density > 0.0)
        .count();
    let masked = map.mask(rule);
    assert!(map.density()[lonely].is_nan() && map.contributors()[lonely].is_nan());
    let after = map
        .density()
        .iter()
        .filter(|density| **density > 0.0)
        .count();
    assert_eq!(before, after + masked);
    assert_eq!(
        map.density()[frame.index(Point::new(150.0, 5.0)).unwrap()],
        0.0
    );
}
