//! Shapes as WKB.
//!
//! A shape is its type, then (but for points) a box, numbers of parts and corners, where each
//! part begins, the corners, and perhaps heights and measures: all little-endian.

use super::rings;

/// A measure below this is none.
const NO_MEASURE: f64 = -1e38;

const POINT: u32 = 1;
const LINE: u32 = 2;
const POLYGON: u32 = 3;
const MULTI: u32 = 3;

/// The WKB of a shape; `None` if it is null or empty. Else what is wrong with it.
pub(super) fn wkb(content: &[u8]) -> Result<Option<Vec<u8>>, String> {
    let mut bytes = Bytes(content);
    let kind = bytes.whole()?;
    let (plain, z, m) = match kind {
        0 => return Ok(None),
        1 | 3 | 5 | 8 => (kind, false, false),
        11 | 13 | 15 | 18 => (kind - 10, true, true),
        21 | 23 | 25 | 28 => (kind - 20, false, true),
        31 => return Err("it is a multipatch, which kdisc does not read".to_owned()),
        _ => return Err(format!("it is of the unknown type {kind}")),
    };
    let (starts, count) = match plain {
        1 => (Vec::new(), 1),
        8 => {
            bytes.take(32)?;
            (Vec::new(), bytes.whole()? as usize)
        }
        _ => {
            bytes.take(32)?;
            let (parts, count) = (bytes.whole()? as usize, bytes.whole()? as usize);
            let starts = bytes.take(parts.checked_mul(4).ok_or_else(short)?)?;
            let starts = starts.as_chunks::<4>().0.iter();
            let starts: Vec<_> = starts
                .map(|start| u32::from_le_bytes(*start) as usize)
                .collect();
            (starts, count)
        }
    };
    let corners = Corners::read(&mut bytes, plain, count, z, m)?;
    match plain {
        1 => Ok(corners.point()),
        8 => Ok(corners.points()),
        3 => Ok(corners.lines(&parts(&starts, count)?)),
        _ => Ok(corners.polygons(&parts(&starts, count)?)),
    }
}

fn short() -> String {
    "it ends too early".to_owned()
}

/// Where parts begin and end.
fn parts(starts: &[usize], count: usize) -> Result<Vec<(usize, usize)>, String> {
    let ends = starts.iter().skip(1).copied().chain([count]);
    let parts: Vec<_> = starts.iter().copied().zip(ends).collect();
    match parts
        .iter()
        .find(|(start, end)| start > end || *end > count)
    {
        Some((start, end)) => Err(format!(
            "a part of it has corners {start} to {end} of {count}"
        )),
        None => Ok(parts
            .into_iter()
            .filter(|(start, end)| start < end)
            .collect()),
    }
}

struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], String> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or_else(short)?;
        self.0 = rest;
        Ok(taken)
    }

    fn whole(&mut self) -> Result<u32, String> {
        let (taken, rest) = self.0.split_first_chunk().ok_or_else(short)?;
        self.0 = rest;
        Ok(u32::from_le_bytes(*taken))
    }

    fn numbers(&mut self, count: usize) -> Result<Vec<f64>, String> {
        let bytes = self.take(count.checked_mul(8).ok_or_else(short)?)?;
        let numbers = bytes.as_chunks::<8>().0.iter();
        Ok(numbers.map(|number| f64::from_le_bytes(*number)).collect())
    }
}

/// The corners of a shape.
struct Corners {
    /// x and y in turn.
    flat: Vec<f64>,
    z: Option<Vec<f64>>,
    m: Option<Vec<f64>>,
}

impl Corners {
    fn read(bytes: &mut Bytes, plain: u32, count: usize, z: bool, m: bool) -> Result<Self, String> {
        let flat = bytes.numbers(count.checked_mul(2).ok_or_else(short)?)?;
        let mut more = |there: bool| -> Result<Option<Vec<f64>>, String> {
            if !there {
                return Ok(None);
            }
            if plain != 1 {
                // Least and greatest.
                bytes.take(16)?;
            }
            bytes.numbers(count).map(Some)
        };
        let heights = more(z)?;
        // Beside heights, measures may lack, or be none throughout.
        let measures = if z { more(m).unwrap_or(None) } else { more(m)? };
        let is_none = |measure: &f64| measure.is_nan() || *measure < NO_MEASURE;
        let measures = measures.filter(|all| !z || !all.iter().all(is_none));
        let known = |measure: f64| if is_none(&measure) { f64::NAN } else { measure };
        Ok(Self {
            flat,
            z: heights,
            m: measures.map(|all| all.into_iter().map(known).collect()),
        })
    }

    fn len(&self) -> usize {
        self.flat.len() / 2
    }

    fn head(&self, wkb: &mut Vec<u8>, kind: u32) {
        let axes = 1000 * u32::from(self.z.is_some()) + 2000 * u32::from(self.m.is_some());
        wkb.push(1);
        wkb.extend_from_slice(&(kind + axes).to_le_bytes());
    }

    fn corner(&self, wkb: &mut Vec<u8>, at: usize) {
        let axes = [&self.z, &self.m]
            .into_iter()
            .flatten()
            .map(|axis| axis[at]);
        for number in self.flat[2 * at..2 * at + 2].iter().copied().chain(axes) {
            wkb.extend_from_slice(&number.to_le_bytes());
        }
    }

    fn point(&self) -> Option<Vec<u8>> {
        let mut wkb = Vec::new();
        self.head(&mut wkb, POINT);
        self.corner(&mut wkb, 0);
        (!self.flat[0].is_nan() || !self.flat[1].is_nan()).then_some(wkb)
    }

    fn points(&self) -> Option<Vec<u8>> {
        let mut wkb = Vec::new();
        self.head(&mut wkb, POINT + MULTI);
        push(&mut wkb, self.len());
        for at in 0..self.len() {
            self.head(&mut wkb, POINT);
            self.corner(&mut wkb, at);
        }
        (self.len() > 0).then_some(wkb)
    }

    fn lines(&self, parts: &[(usize, usize)]) -> Option<Vec<u8>> {
        let mut wkb = Vec::new();
        if parts.len() > 1 {
            self.head(&mut wkb, LINE + MULTI);
            push(&mut wkb, parts.len());
        }
        for &(start, end) in parts {
            self.head(&mut wkb, LINE);
            push(&mut wkb, end - start);
            (start..end).for_each(|at| self.corner(&mut wkb, at));
        }
        (!parts.is_empty()).then_some(wkb)
    }

    fn polygons(&self, parts: &[(usize, usize)]) -> Option<Vec<u8>> {
        let rings: Vec<Vec<_>> = parts
            .iter()
            .map(|&(start, end)| {
                let corners = self.flat[2 * start..2 * end].as_chunks::<2>().0.iter();
                corners.map(|&[x, y]| (x, y)).collect()
            })
            .collect();
        let groups = rings::polygons(&rings);
        let mut wkb = Vec::new();
        if groups.len() > 1 {
            self.head(&mut wkb, POLYGON + MULTI);
            push(&mut wkb, groups.len());
        }
        for group in &groups {
            self.head(&mut wkb, POLYGON);
            push(&mut wkb, group.len());
            for &ring in group {
                let (start, end) = parts[ring];
                let open = rings[ring].first() != rings[ring].last();
                push(&mut wkb, end - start + usize::from(open));
                (start..end).for_each(|at| self.corner(&mut wkb, at));
                if open {
                    self.corner(&mut wkb, start);
                }
            }
        }
        (!groups.is_empty()).then_some(wkb)
    }
}

fn push(wkb: &mut Vec<u8>, count: usize) {
    wkb.extend_from_slice(&(count as u32).to_le_bytes());
}
