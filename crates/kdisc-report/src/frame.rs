//! From the ground to the page: the same scale both ways, north up.

use kdisc::Point;

/// A rectangle on the ground.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Extent {
    /// South-west.
    pub min: Point,
    /// North-east.
    pub max: Point,
}

impl Extent {
    /// The smallest that holds all points; none for none.
    #[must_use]
    pub fn of(points: impl Iterator<Item = Point>) -> Option<Self> {
        points.fold(None, |found: Option<Self>, at| {
            Some(found.map_or(Self { min: at, max: at }, |extent| extent.with(at)))
        })
    }

    /// The same, with a point in it.
    #[must_use]
    pub fn with(self, at: Point) -> Self {
        Self {
            min: Point::new(self.min.x.min(at.x), self.min.y.min(at.y)),
            max: Point::new(self.max.x.max(at.x), self.max.y.max(at.y)),
        }
    }

    /// East to west.
    #[must_use]
    pub fn width(&self) -> f64 {
        self.max.x - self.min.x
    }

    /// North to south.
    #[must_use]
    pub fn height(&self) -> f64 {
        self.max.y - self.min.y
    }

    /// As much wider on each side.
    #[must_use]
    pub fn widened(self, by: f64) -> Self {
        Self {
            min: Point::new(self.min.x - by, self.min.y - by),
            max: Point::new(self.max.x + by, self.max.y + by),
        }
    }

    /// Widened to whole multiples of a step.
    #[must_use]
    pub fn snapped(self, step: f64) -> Self {
        let down = |value: f64| (value / step).floor() * step;
        let up = |value: f64| (value / step).ceil() * step;
        Self {
            min: Point::new(down(self.min.x), down(self.min.y)),
            max: Point::new(up(self.max.x), up(self.max.y)),
        }
    }

    /// Whether two have more than a border in common.
    #[must_use]
    pub fn meets(&self, other: &Self) -> bool {
        self.min.x < other.max.x
            && other.min.x < self.max.x
            && self.min.y < other.max.y
            && other.min.y < self.max.y
    }

    /// Whether a point is in it.
    #[must_use]
    pub fn holds(&self, at: Point) -> bool {
        (self.min.x..=self.max.x).contains(&at.x) && (self.min.y..=self.max.y).contains(&at.y)
    }
}

/// A rectangle on the page, from its top left.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Area {
    /// From the left.
    pub x: f64,
    /// From the top.
    pub y: f64,
    /// To the right.
    pub width: f64,
    /// Down.
    pub height: f64,
}

impl Area {
    /// As much wider on both sides, and as much higher.
    #[must_use]
    pub fn widened(&self, by: (f64, f64)) -> Self {
        Self {
            x: self.x - by.0,
            y: self.y - by.1,
            width: self.width + 2.0 * by.0,
            height: self.height + 2.0 * by.1,
        }
    }

    /// Whether two have more than a border in common.
    #[must_use]
    pub fn meets(&self, other: &Self) -> bool {
        self.x < other.x + other.width
            && other.x < self.x + self.width
            && self.y < other.y + other.height
            && other.y < self.y + self.height
    }

    /// Whether another lies in it.
    #[must_use]
    pub fn encloses(&self, other: &Self) -> bool {
        self.x <= other.x
            && self.y <= other.y
            && other.x + other.width <= self.x + self.width
            && other.y + other.height <= self.y + self.height
    }
}

/// An area of the page that shows a part of the ground.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame {
    /// Where it is on the page.
    pub area: Area,
    /// What it shows: what was asked for, and more on two of its sides to fill the area.
    pub extent: Extent,
    /// Lengths of the page per metre.
    pub scale: f64,
}

impl Frame {
    /// Shows an extent of some width or height in an area of some size, in its middle.
    #[must_use]
    pub fn new(area: Area, extent: Extent) -> Self {
        let scale = (area.width / extent.width()).min(area.height / extent.height());
        let (width, height) = (area.width / scale, area.height / scale);
        let x = extent.min.x - (width - extent.width()) / 2.0;
        let y = extent.min.y - (height - extent.height()) / 2.0;
        Self {
            area,
            extent: Extent {
                min: Point::new(x, y),
                max: Point::new(x + width, y + height),
            },
            scale,
        }
    }

    /// Where a place is on the page.
    #[must_use]
    pub fn place(&self, at: Point) -> (f64, f64) {
        (
            self.area.x + (at.x - self.extent.min.x) * self.scale,
            self.area.y + (self.extent.max.y - at.y) * self.scale,
        )
    }

    /// The length of a scale bar that is no longer than this on the page, in metres.
    #[must_use]
    pub fn scale_bar(&self, at_most: f64) -> f64 {
        crate::round::at_most(at_most / self.scale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AREA: Area = Area {
        x: 10.0,
        y: 20.0,
        width: 200.0,
        height: 100.0,
    };

    fn extent(x: f64, y: f64, width: f64, height: f64) -> Extent {
        Extent {
            min: Point::new(x, y),
            max: Point::new(x + width, y + height),
        }
    }

    #[test]
    fn both_axes_have_one_scale_and_north_is_up() {
        let frame = Frame::new(AREA, extent(1000.0, 5000.0, 50.0, 50.0));
        assert_eq!(frame.scale, 2.0);
        assert_eq!(frame.place(Point::new(1025.0, 5025.0)), (110.0, 70.0));
        assert_eq!(frame.place(Point::new(1026.0, 5026.0)), (112.0, 68.0));
        assert_eq!(frame.extent, extent(975.0, 5000.0, 100.0, 50.0));
    }

    #[test]
    fn a_line_is_shown_as_one() {
        let frame = Frame::new(AREA, extent(0.0, 7.0, 100.0, 0.0));
        assert_eq!(frame.scale, 2.0);
        assert_eq!(frame.place(Point::new(0.0, 7.0)), (10.0, 70.0));
        assert_eq!(frame.place(Point::new(100.0, 7.0)), (210.0, 70.0));
    }

    #[test]
    fn a_scale_bar_is_round_and_fits() {
        let frame = Frame::new(AREA, extent(0.0, 0.0, 3000.0, 1000.0));
        let bar = frame.scale_bar(60.0);
        assert_eq!(bar, 500.0);
        assert!(bar * frame.scale <= 60.0);
    }

    #[test]
    fn extents_grow_to_round_ones() {
        let all = [(3.0, -7.0), (18.0, 4.0)].map(|(x, y)| Point::new(x, y));
        let found = Extent::of(all.into_iter()).unwrap();
        assert_eq!(found, extent(3.0, -7.0, 15.0, 11.0));
        assert_eq!(found.snapped(5.0), extent(0.0, -10.0, 20.0, 15.0));
        assert!(Extent::of(std::iter::empty()).is_none());
        assert!(found.meets(&extent(17.0, 3.0, 9.0, 9.0)));
        assert!(!found.meets(&extent(18.0, -7.0, 9.0, 9.0)));
    }
}
