//! The locations within reach of a cell, in short lists that fill the registers of a processor.
//!
//! Everything is relative to the origin and scale of one block, where coordinates are small
//! numbers, so single precision suffices: distances are off by less than [`MARGIN`], and every
//! test has that margin on the careful side. Nothing is decided here but what may be left out.

/// Places in a chunk.
pub(crate) const LANES: usize = 16;
/// Room for single precision, in units of the scale.
pub(crate) const MARGIN: f32 = 2e-6;
/// Weights count up to this; enough for the lists, and their sums fit.
pub(crate) const ENOUGH: u64 = 1 << 20;

#[derive(Clone, Copy)]
pub(crate) struct Chunk {
    pub x: [f32; LANES],
    pub y: [f32; LANES],
    /// No disc larger than this is of use to the location; 0 where nothing is asked.
    pub bound: [f32; LANES],
    pub weight: [u32; LANES],
    pub location: [u32; LANES],
}

/// Lanes without a location are infinitely far away.
const VACANT: Chunk = Chunk {
    x: [f32::INFINITY; LANES],
    y: [f32::INFINITY; LANES],
    bound: [0.0; LANES],
    weight: [0; LANES],
    location: [0; LANES],
};

/// A square, by its middle and half its side.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cell {
    pub x: f32,
    pub y: f32,
    pub half: f32,
    /// At least the distance of the k-th unit from the middle.
    pub most: f32,
}

impl Cell {
    /// From the middle to a corner.
    pub fn radius(&self) -> f32 {
        self.half * std::f32::consts::SQRT_2 + MARGIN
    }

    /// At least the distance of the k-th unit from any place in the cell.
    pub fn limit(&self) -> f32 {
        self.most + self.radius()
    }

    pub fn quarters(&self) -> [Self; 4] {
        let half = self.half / 2.0;
        [(-half, -half), (half, -half), (-half, half), (half, half)].map(|(dx, dy)| {
            let quarter = Self {
                x: self.x + dx,
                y: self.y + dy,
                half,
                most: self.most,
            };
            Self {
                most: self.most + quarter.radius(),
                ..quarter
            }
        })
    }
}

#[derive(Default, Clone)]
pub(crate) struct List {
    chunks: Vec<Chunk>,
    len: usize,
}

impl List {
    pub fn clear(&mut self) {
        self.len = 0;
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn chunks(&self) -> &[Chunk] {
        &self.chunks[..self.len.div_ceil(LANES)]
    }

    pub fn chunks_mut(&mut self) -> &mut [Chunk] {
        &mut self.chunks[..self.len.div_ceil(LANES)]
    }

    /// The locations of `other` within `reach` of the cell.
    #[inline(always)]
    pub fn take_near(&mut self, other: &Self, cell: &Cell, reach: f32) {
        let reach = (reach + MARGIN) * (reach + MARGIN);
        self.clear();
        for chunk in other.chunks() {
            let mut near = [false; LANES];
            for l in 0..LANES {
                near[l] = chunk.squared_gap(l, cell) <= reach;
            }
            for l in 0..LANES {
                if near[l] {
                    self.push(
                        chunk.x[l],
                        chunk.y[l],
                        chunk.bound[l],
                        chunk.weight[l],
                        chunk.location[l],
                    );
                }
            }
        }
    }

    #[inline(always)]
    pub fn push(&mut self, x: f32, y: f32, bound: f32, weight: u32, location: u32) {
        let (chunk, lane) = (self.len / LANES, self.len % LANES);
        if lane == 0 {
            if chunk == self.chunks.len() {
                self.chunks.push(VACANT);
            } else {
                self.chunks[chunk] = VACANT;
            }
        }
        let chunk = &mut self.chunks[chunk];
        chunk.x[lane] = x;
        chunk.y[lane] = y;
        chunk.bound[lane] = bound;
        chunk.weight[lane] = weight;
        chunk.location[lane] = location;
        self.len += 1;
    }

    /// The largest bound among locations that a disc centred in the cell can hold and serve:
    /// those within their own bound, and within `near`, of the cell.
    #[inline(always)]
    pub fn cap(&self, cell: &Cell, near: f32) -> f32 {
        let mut caps = [0.0f32; LANES];
        for chunk in self.chunks() {
            for l in 0..LANES {
                let gap = chunk.squared_gap(l, cell);
                let bound = chunk.bound[l];
                let reach = if bound < near { bound } else { near };
                let reach = reach + MARGIN;
                let cap = if gap <= reach * reach {
                    bound
                } else {
                    0.0
                };
                caps[l] = if cap > caps[l] { cap } else { caps[l] };
            }
        }
        caps.iter().fold(0.0, |a, &b| if b > a { b } else { a })
    }

    /// Units within `reach` of the cell.
    #[inline(always)]
    pub fn units(&self, cell: &Cell, reach: f32) -> u32 {
        let reach = (reach + MARGIN) * (reach + MARGIN);
        let mut sums = [0u32; LANES];
        for chunk in self.chunks() {
            for l in 0..LANES {
                let gap = chunk.squared_gap(l, cell);
                sums[l] += if gap <= reach { chunk.weight[l] } else { 0 };
            }
        }
        sums.iter().sum()
    }
}

impl Chunk {
    /// Squared distance from a place to the cell.
    #[inline(always)]
    pub fn squared_gap(&self, lane: usize, cell: &Cell) -> f32 {
        let dx = (self.x[lane] - cell.x).abs() - cell.half;
        let dy = (self.y[lane] - cell.y).abs() - cell.half;
        let dx = if dx > 0.0 { dx } else { 0.0 };
        let dy = if dy > 0.0 { dy } else { 0.0 };
        dx * dx + dy * dy
    }

    /// Squared distance from a place to the middle of the cell.
    #[inline(always)]
    pub fn squared_distance(&self, lane: usize, cell: &Cell) -> f32 {
        let (dx, dy) = (self.x[lane] - cell.x, self.y[lane] - cell.y);
        dx * dx + dy * dy
    }

    /// Squared distance from a place to the farthest corner of the cell.
    #[inline(always)]
    pub fn squared_span(&self, lane: usize, cell: &Cell) -> f32 {
        let dx = (self.x[lane] - cell.x).abs() + cell.half;
        let dy = (self.y[lane] - cell.y).abs() + cell.half;
        dx * dx + dy * dy
    }
}
