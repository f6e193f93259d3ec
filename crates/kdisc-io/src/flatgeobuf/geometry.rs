//! Geometries: tables to parts, and parts to tables.
//!
//! Positions are kept by axis: x and y in turn, heights and measures by themselves. Lines and
//! rings end at certain positions; polygons of several, and what a collection holds, are tables
//! within the table.

use super::build::{Build, Slot};
use super::table::{Table, Vector, Wrong};
use crate::geometry::{DEEPEST, Kind, Parts};

const ENDS: usize = 0;
const XY: usize = 1;
const Z: usize = 2;
const M: usize = 3;
const TYPE: usize = 6;
const PARTS: usize = 7;

/// What stops the reading of a geometry.
pub(super) enum NoGeometry {
    Wrong(Wrong),
    /// A curve, or something yet unknown.
    Kind(u8),
}

impl From<Wrong> for NoGeometry {
    fn from(wrong: Wrong) -> Self {
        Self::Wrong(wrong)
    }
}

/// Takes a geometry apart. `kind` is that of the header, or 0; `size` the bytes of the feature.
pub(super) fn read(
    table: Table,
    kind: u8,
    size: usize,
    parts: &mut Parts,
) -> Result<(), NoGeometry> {
    // Tables may share their bytes, so that a short feature could stand for an endless geometry.
    let mut reading = Reading { budget: size };
    reading.geometry(table, kind, parts, 0)
}

struct Reading {
    budget: usize,
}

impl Reading {
    fn spend(&mut self, bytes: usize) -> Result<(), Wrong> {
        let left = self.budget.checked_sub(bytes);
        self.budget = left.ok_or("the parts of the geometry overlap")?;
        Ok(())
    }

    fn geometry(
        &mut self,
        table: Table,
        kind: u8,
        parts: &mut Parts,
        depth: usize,
    ) -> Result<(), NoGeometry> {
        if depth > DEEPEST {
            return Err("the geometry is nested too deeply".into());
        }
        let code = if kind == 0 { table.byte(TYPE)? } else { kind };
        let Some(kind) = Kind::of(u32::from(code)) else {
            return Err(NoGeometry::Kind(code));
        };
        parts.clear(kind);
        match kind {
            Kind::Point | Kind::Line | Kind::MultiPoint => self.positions(table, parts)?,
            Kind::Polygon | Kind::MultiLine => self.lines(table, parts)?,
            Kind::MultiPolygon => {
                for part in table.tables(PARTS)? {
                    self.spend(4)?;
                    self.lines(part?, parts)?;
                    parts.end_polygon();
                }
            }
            Kind::Collection => {
                for part in table.tables(PARTS)? {
                    self.spend(4)?;
                    let mut member = Parts::default();
                    self.geometry(part?, 0, &mut member, depth + 1)?;
                    parts.z |= member.z;
                    parts.m |= member.m;
                    parts.members.push(member);
                }
            }
        }
        if kind == Kind::Point && parts.positions.len() > 1 {
            return Err("a point has several positions".into());
        }
        Ok(())
    }

    fn positions(&mut self, table: Table, parts: &mut Parts) -> Result<(), Wrong> {
        let Some(xy) = table.vector(XY, 8)? else {
            return Ok(());
        };
        self.spend(xy.bytes.len())?;
        let count = xy.bytes.len() / 16;
        if xy.bytes.len() % 16 != 0 {
            return Err("a position has an x but no y");
        }
        let axis = |found: Option<Vector<'_>>| match found.map(Vector::doubles) {
            Some(numbers) if numbers.len() == 0 && count > 0 => Ok(None),
            Some(numbers) if numbers.len() != count => Err("not every position has a height"),
            other => Ok(other.map(Iterator::collect::<Vec<_>>)),
        };
        let z = axis(table.vector(Z, 8)?)?;
        let m = axis(table.vector(M, 8)?)?;
        parts.z |= z.is_some();
        parts.m |= m.is_some();
        let mut numbers = xy.doubles();
        let mut row = 0;
        while let (Some(x), Some(y)) = (numbers.next(), numbers.next()) {
            let of = |axis: &Option<Vec<f64>>| axis.as_ref().map_or(0.0, |axis| axis[row]);
            // An empty point is one that is not a number.
            if parts.kind != Kind::Point || !(x.is_nan() && y.is_nan()) {
                parts.positions.push([x, y, of(&z), of(&m)]);
            }
            row += 1;
        }
        Ok(())
    }

    /// Positions, and where the lines among them end; without ends there is one line.
    fn lines(&mut self, table: Table, parts: &mut Parts) -> Result<(), Wrong> {
        let before = parts.positions.len();
        self.positions(table, parts)?;
        let found = parts.positions.len();
        let ends = table.vector(ENDS, 4)?.map(Vector::wholes);
        let Some(ends) = ends.filter(|ends| ends.len() > 0) else {
            if found > before {
                parts.end_line();
            }
            return Ok(());
        };
        self.spend(ends.len() * 4)?;
        let mut last = before;
        for end in ends {
            let end = before + end as usize;
            if end < last || end > found {
                return Err("a line ends where it has no positions");
            }
            parts.lines.push(end);
            last = end;
        }
        if last == found {
            Ok(())
        } else {
            Err("some positions belong to no line")
        }
    }
}

/// The axes that all geometries of a file have.
#[derive(Debug, Clone, Copy)]
pub(super) struct Axes {
    pub z: bool,
    pub m: bool,
}

/// Writes a geometry, and gives its place.
pub(super) fn write(parts: &Parts, axes: Axes, build: &mut Build) -> usize {
    let positions = 0..parts.positions.len();
    match parts.kind {
        Kind::MultiPolygon => {
            let polygons: Vec<_> = Parts::ranges(&parts.polygons).collect();
            nest(parts.kind, build, polygons.len(), |i, build| {
                let rings = polygons[i].clone();
                let start = rings
                    .start
                    .checked_sub(1)
                    .map_or(0, |ring| parts.lines[ring]);
                let end = rings.end.checked_sub(1).map_or(0, |ring| parts.lines[ring]);
                let ends = &parts.lines[rings];
                flat(
                    parts,
                    Kind::Polygon,
                    start..end.max(start),
                    ends,
                    axes,
                    build,
                )
            })
        }
        Kind::Collection => nest(parts.kind, build, parts.members.len(), |i, build| {
            write(&parts.members[i], axes, build)
        }),
        kind => flat(parts, kind, positions, &parts.lines, axes, build),
    }
}

fn nest(
    kind: Kind,
    build: &mut Build,
    count: usize,
    mut each: impl FnMut(usize, &mut Build) -> usize,
) -> usize {
    let mut slots = [Slot::None; 8];
    slots[TYPE] = Slot::Byte(kind.code() as u8);
    slots[PARTS] = Slot::Elsewhere;
    let (table, places) = build.table(&slots);
    let offsets = build.offsets(places[PARTS], count);
    for i in 0..count {
        let place = each(i, build);
        build.link(offsets + 4 * i, place);
    }
    table
}

fn flat(
    parts: &Parts,
    kind: Kind,
    range: std::ops::Range<usize>,
    ends: &[usize],
    axes: Axes,
    build: &mut Build,
) -> usize {
    let mut slots = [Slot::None; 8];
    // One line needs no ends.
    if ends.len() > 1 {
        slots[ENDS] = Slot::Elsewhere;
    }
    slots[XY] = Slot::Elsewhere;
    if axes.z {
        slots[Z] = Slot::Elsewhere;
    }
    if axes.m {
        slots[M] = Slot::Elsewhere;
    }
    slots[TYPE] = Slot::Byte(kind.code() as u8);
    let (table, places) = build.table(&slots);
    let empty = [[f64::NAN; 4]];
    let positions = match (kind, &parts.positions[range.clone()]) {
        (Kind::Point, []) => &empty,
        (_, found) => found,
    };
    if ends.len() > 1 {
        build.wholes(
            places[ENDS],
            ends.iter().map(|end| (end - range.start) as u32),
        );
    }
    let xy = positions.iter().flat_map(|at| [at[0], at[1]]);
    build.doubles(places[XY], xy);
    for (there, has, slot, axis) in [(axes.z, parts.z, Z, 2), (axes.m, parts.m, M, 3)] {
        if there {
            let number = |at: &[f64; 4]| if has { at[axis] } else { f64::NAN };
            build.doubles(places[slot], positions.iter().map(number));
        }
    }
    table
}
