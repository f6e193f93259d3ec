//! A tree of boxes over edges in the order of their rings.
//!
//! Neighbours along a ring are neighbours in the plane, so boxes over runs of edges are tight
//! without any sorting. Which edges are near an edge, or cross a ray, is then found in O(log n)
//! steps and as many as there are boxes that overlap.

use crate::Point;

/// Boxes in a box.
const FAN: usize = 8;

/// Least and greatest x, then y.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds(pub [f64; 4]);

impl Bounds {
    pub fn of([a, b]: [Point; 2]) -> Self {
        Self([a.x.min(b.x), a.x.max(b.x), a.y.min(b.y), a.y.max(b.y)])
    }

    pub fn meets(&self, other: &Self) -> bool {
        let (a, b) = (&self.0, &other.0);
        a[0] <= b[1] && b[0] <= a[1] && a[2] <= b[3] && b[2] <= a[3]
    }

    pub fn holds(&self, at: Point) -> bool {
        self.meets(&Self::of([at, at]))
    }

    fn union(&self, other: &Self) -> Self {
        let (a, b) = (&self.0, &other.0);
        Self([
            a[0].min(b[0]),
            a[1].max(b[1]),
            a[2].min(b[2]),
            a[3].max(b[3]),
        ])
    }
}

/// The boxes of edges, the boxes of runs of those, and so on up to one.
pub(super) struct BoxTree {
    levels: Vec<Vec<Bounds>>,
}

impl BoxTree {
    pub fn new(edges: Vec<Bounds>) -> Self {
        let mut levels = vec![edges];
        while let Some(last) = levels.last()
            && last.len() > FAN
        {
            let above = last.chunks(FAN).map(|run| {
                let first = run[0];
                run.iter().fold(first, |sum, bounds| sum.union(bounds))
            });
            levels.push(above.collect());
        }
        Self { levels }
    }

    pub fn bounds(&self, edge: usize) -> &Bounds {
        &self.levels[0][edge]
    }

    /// Visits the edges from `from` on whose boxes, and all boxes over them, are `wanted`.
    pub fn visit(
        &self,
        from: usize,
        wanted: &impl Fn(&Bounds) -> bool,
        visit: &mut impl FnMut(usize),
    ) {
        let top = self.levels.len() - 1;
        self.descend(top, 0..self.levels[top].len(), from, wanted, visit);
    }

    fn descend(
        &self,
        level: usize,
        range: std::ops::Range<usize>,
        from: usize,
        wanted: &impl Fn(&Bounds) -> bool,
        visit: &mut impl FnMut(usize),
    ) {
        let size = FAN.pow(level as u32);
        for i in range {
            if (i + 1) * size <= from || !wanted(&self.levels[level][i]) {
                continue;
            }
            if level == 0 {
                visit(i);
            } else {
                let end = ((i + 1) * FAN).min(self.levels[level - 1].len());
                self.descend(level - 1, i * FAN..end, from, wanted, visit);
            }
        }
    }
}
