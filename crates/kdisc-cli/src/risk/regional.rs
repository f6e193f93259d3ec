//! Units that count only among those of their own region, and discs that may have to lie in it.
//!
//! The answers are those of the groups' locations, in their order, then of the places in no region,
//! which have none.

use kdisc::region::Region;
use kdisc::within::{Groups, Within};
use kdisc::{Anonymity, Disc, MeasureError, Population, PopulationError};
use kdisc_io::units::{RowState, Units};

use super::answers::NoDisc;
use super::subjects::Subjects;

pub struct Regional {
    groups: Groups,
    /// The polygons that discs must lie in.
    enclosing: Option<Vec<Region>>,
    asked: Asked,
    k: u64,
    /// How many units each answer stands for; places are no units.
    weights: Option<Vec<u64>>,
    /// The answer of the plain measure that goes with each answer.
    plain: Vec<u32>,
    /// Of the units, or of the places that are measured instead.
    pub outside: Outside,
}

/// Units (or places) in no region.
#[derive(Debug, Clone, Copy, Default)]
pub struct Outside {
    pub count: u64,
    /// The first row among the usable ones.
    pub first: Option<usize>,
}

/// Whose discs are asked for.
enum Asked {
    /// The units of these rows, by their location among all.
    Units {
        of_row: Vec<u32>,
        /// Those to be measured, in rising order; all when absent.
        some: Option<Vec<u32>>,
    },
    /// Places of their own, by their regions.
    Places(Vec<Option<u32>>),
}

/// In which regions the rows are.
pub struct Assignment {
    pub of_unit: Vec<Option<u32>>,
    pub of_place: Option<Vec<Option<u32>>>,
    pub enclosing: Option<Vec<Region>>,
}

impl Regional {
    pub fn new(
        units: &Units,
        population: &Population,
        subjects: &Subjects,
        assignment: Assignment,
        k: u64,
    ) -> Result<Self, PopulationError> {
        let Assignment {
            of_unit,
            of_place,
            enclosing,
        } = assignment;
        let weights = units.weights.as_deref();
        let groups = Groups::new(&units.points, weights, &of_unit)?;
        let mut regional = Self {
            groups,
            enclosing,
            asked: Asked::Places(Vec::new()),
            k,
            weights: None,
            plain: Vec::new(),
            outside: Outside::default(),
        };
        if let Some(of_place) = of_place {
            for (place, _) in of_place.iter().enumerate().filter(|(_, at)| at.is_none()) {
                regional.outside.count += 1;
                regional.outside.first.get_or_insert(place);
            }
            regional.plain = (0..of_place.len() as u32).collect();
            regional.asked = Asked::Places(of_place);
        } else {
            regional.ask_units(units, population, subjects);
        }
        Ok(regional)
    }

    fn ask_units(&mut self, units: &Units, population: &Population, subjects: &Subjects) {
        let plain = population.location_of_row();
        let known = self.groups.len();
        let mut outside: Vec<u32> = (0..plain.len())
            .filter(|&row| self.groups.location_of_row(row).is_none())
            .map(|row| plain[row])
            .collect();
        outside.sort_unstable();
        outside.dedup();
        let of_row: Vec<u32> = (0..plain.len())
            .map(|row| match self.groups.location_of_row(row) {
                Some(location) => location as u32,
                None => (known + outside.partition_point(|&l| l < plain[row])) as u32,
            })
            .collect();

        let usable = units.rows.iter().filter(|row| **row != RowState::Invalid);
        let measured = usable.map(|row| *row == RowState::Measured);
        let some = match subjects {
            Subjects::Some { locations, .. } => {
                let meant = measured.clone().zip(&of_row).filter(|(meant, _)| *meant);
                let mut some: Vec<u32> = meant.map(|(_, &location)| location).collect();
                some.sort_unstable();
                some.dedup();
                Some((some, locations))
            }
            _ => None,
        };
        let answers = some
            .as_ref()
            .map_or(known + outside.len(), |(some, _)| some.len());
        let mut weights = vec![0; answers];
        self.plain = vec![0; answers];
        for (row, meant) in measured.enumerate() {
            if !meant {
                continue;
            }
            let weight = units.weights.as_ref().map_or(1, |weights| weights[row]);
            let (answer, plain) = match &some {
                None => (of_row[row] as usize, plain[row]),
                Some((some, locations)) => (
                    some.partition_point(|&l| l < of_row[row]),
                    locations.partition_point(|&l| l < plain[row]) as u32,
                ),
            };
            weights[answer] += weight;
            self.plain[answer] = plain;
            if of_row[row] as usize >= known {
                self.outside.count += weight;
                self.outside.first.get_or_insert(row);
            }
        }
        self.weights = Some(weights);
        self.asked = Asked::Units {
            of_row,
            some: some.map(|(some, _)| some),
        };
    }

    /// How many groups have units, and how many of those fewer than k.
    pub fn sizes(&self) -> (usize, usize) {
        let small = self.groups.units().filter(|(_, units)| *units < self.k);
        (self.groups.units().count(), small.count())
    }

    pub fn weights(&self) -> Option<&[u64]> {
        self.weights.as_deref()
    }

    /// Which answer is that of a usable row that is measured.
    pub fn answer(&self, usable: usize) -> usize {
        match &self.asked {
            Asked::Places(_) => usable,
            Asked::Units { of_row, some } => {
                let location = of_row[usable];
                some.as_ref().map_or(location as usize, |some| {
                    some.partition_point(|&l| l < location)
                })
            }
        }
    }

    /// The units of its region at the place of a usable row; `None` where those of all regions
    /// count.
    pub fn multiplicity(&self, usable: usize) -> Option<u64> {
        match &self.asked {
            Asked::Places(_) => None,
            Asked::Units { .. } => {
                let location = self.groups.location_of_row(usable)?;
                Some(self.groups.location(location).1)
            }
        }
    }

    pub fn why_none(&self, usable: usize) -> NoDisc {
        let group = match &self.asked {
            Asked::Places(of_place) => of_place[usable],
            Asked::Units { .. } => {
                let location = self.groups.location_of_row(usable);
                location.map(|location| self.groups.location(location).2)
            }
        };
        match group {
            None => NoDisc::Outside,
            Some(group) if self.enclosing.is_some() && self.groups.units_of(group) >= self.k => {
                NoDisc::NotEnclosed
            }
            Some(_) => NoDisc::TooFew,
        }
    }

    /// The disc of the plain measure that goes with each answer.
    pub fn plain<'a>(
        &'a self,
        plain: &'a [Option<Disc>],
    ) -> impl Iterator<Item = Option<Disc>> + 'a {
        self.plain.iter().map(|&answer| plain[answer as usize])
    }

    /// One answer per subject; `set` says how to run.
    pub fn measure<'a>(
        &'a self,
        anonymity: Anonymity,
        subjects: &Subjects,
        set: impl FnOnce(Within<'a>) -> Within<'a>,
    ) -> Result<Vec<Option<Disc>>, MeasureError> {
        let mut within = set(Within::new(&self.groups, anonymity));
        if let Some(regions) = &self.enclosing {
            within = within.enclosed(regions)?;
        }
        let mut discs = self.discs(within, subjects)?;
        discs.resize(self.plain.len(), None);
        Ok(discs)
    }

    /// The answers but for those of the units in no region, which come last.
    fn discs(
        &self,
        within: Within<'_>,
        subjects: &Subjects,
    ) -> Result<Vec<Option<Disc>>, MeasureError> {
        match (&self.asked, subjects) {
            (Asked::Places(of_place), Subjects::Places { points, .. }) => {
                within.places(points, of_place)
            }
            (
                Asked::Units {
                    some: Some(some), ..
                },
                _,
            ) => {
                let known = some.partition_point(|&l| (l as usize) < self.groups.len());
                within.locations(&some[..known])
            }
            _ => within.all(),
        }
    }
}
