//! Reading a geometry never panics, its readers agree about it, and a point that was written is
//! read as it was.

#![no_main]

use kdisc::Point;
use kdisc_io::geometry::{self, NoPlace};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let centroid = geometry::centroid(bytes);
    let text = geometry::text(bytes);
    assert_eq!(centroid.as_ref().err(), text.as_ref().err());
    let _ = geometry::bounds(bytes);
    match (geometry::place(bytes), geometry::coordinates(bytes)) {
        (Ok(None), Ok(None)) => {}
        (Ok(Some(place)), Ok(Some(at))) => {
            assert_eq!(bits(place), bits(Point::new(at[0], at[1])));
            if let Ok(Some(middle)) = centroid
                && place.x.is_finite()
                && place.y.is_finite()
            {
                assert_eq!((middle.x, middle.y), (place.x, place.y));
            }
        }
        (Err(NoPlace::Other(_)), Err(NoPlace::Other(_))) => {}
        (Err(NoPlace::Wrong(one)), Err(NoPlace::Wrong(other))) => assert_eq!(one, other),
        (one, other) => panic!("{one:?}, but {other:?}"),
    }
    if let Some((x, rest)) = bytes.split_first_chunk()
        && let Some((y, _)) = rest.split_first_chunk()
    {
        let point = Point::new(f64::from_le_bytes(*x), f64::from_le_bytes(*y));
        let read = geometry::place(&geometry::point(point)).expect("a point has a place");
        match read {
            Some(read) => assert_eq!(bits(read), bits(point)),
            None => assert!(point.x.is_nan() && point.y.is_nan()),
        }
    }
});

fn bits(point: Point) -> [u64; 2] {
    [point.x.to_bits(), point.y.to_bits()]
}
