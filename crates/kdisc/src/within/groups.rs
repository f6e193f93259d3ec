//! A population in groups, such as the regions of a map: units that count only among their own.
//!
//! A location here is a place in a group: the same place in two groups is two locations, as its
//! units count apart. Each group has a tree of its own, and its locations stand together, in an
//! order that depends on the set of its places alone.
//!
//! Cost: that of a [`Population`](crate::Population) for each group.

use rayon::prelude::*;

use crate::index::Tree;
use crate::population::check;
use crate::{Point, PopulationError};

/// Stands for the location of a row in no group.
const NOWHERE: u32 = u32::MAX;

/// Units that count only among those of their own group.
#[derive(Debug, Clone)]
pub struct Groups {
    members: Vec<Group>,
    locations: usize,
    location_of_row: Vec<u32>,
}

/// The units of one group.
#[derive(Debug, Clone)]
pub(crate) struct Group {
    pub number: u32,
    /// The first of its locations among those of all groups.
    pub first: usize,
    pub tree: Tree,
}

impl Groups {
    /// `weights[i]` units (1 without weights) at `points[i]`, in the group `group_of_row[i]`. A
    /// row in no group is neither counted nor measured. A group may have no units at all.
    ///
    /// # Errors
    /// See [`PopulationError`].
    pub fn new(
        points: &[Point],
        weights: Option<&[u64]>,
        group_of_row: &[Option<u32>],
    ) -> Result<Self, PopulationError> {
        let given = weights.map_or(points.len(), <[u64]>::len);
        if given != points.len() {
            return Err(PopulationError::Lengths {
                points: points.len(),
                weights: given,
            });
        }
        if group_of_row.len() != points.len() {
            return Err(PopulationError::Groups {
                points: points.len(),
                groups: group_of_row.len(),
            });
        }
        let weight = |row: usize| weights.map_or(1, |weights| weights[row]);
        check(points, weight)?;

        let mut rows: Vec<(u32, u32)> = group_of_row
            .iter()
            .enumerate()
            .filter_map(|(row, group)| Some(((*group)?, row as u32)))
            .collect();
        rows.par_sort_unstable();
        let runs: Vec<&[(u32, u32)]> = rows.chunk_by(|a, b| a.0 == b.0).collect();
        let trees: Vec<(Tree, Vec<u32>)> = runs
            .par_iter()
            .map(|run| {
                let row = |i: usize| run[i].1 as usize;
                let points: Vec<Point> = (0..run.len()).map(|i| points[row(i)]).collect();
                Tree::coalesced(&points, |i| weight(row(i)))
            })
            .collect();

        let mut location_of_row = vec![NOWHERE; points.len()];
        let mut groups = Vec::with_capacity(runs.len());
        let mut first = 0;
        for (run, (tree, of_row)) in runs.iter().zip(trees) {
            for ((_, row), location) in run.iter().zip(of_row) {
                location_of_row[*row as usize] = first as u32 + location;
            }
            let number = run[0].0;
            let locations = tree.points().len();
            groups.push(Group {
                number,
                first,
                tree,
            });
            first += locations;
        }
        Ok(Self {
            members: groups,
            locations: first,
            location_of_row,
        })
    }

    /// The number of locations in all groups.
    #[must_use]
    pub fn len(&self) -> usize {
        self.locations
    }

    /// Whether no row is in a group.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.locations == 0
    }

    /// Which location a row became; `None` where it is in no group.
    ///
    /// # Panics
    /// When there is no such row.
    #[must_use]
    pub fn location_of_row(&self, row: usize) -> Option<usize> {
        let location = self.location_of_row[row];
        (location != NOWHERE).then_some(location as usize)
    }

    /// Where a location is, the number of units there, and the group.
    ///
    /// # Panics
    /// When there is no such location.
    #[must_use]
    pub fn location(&self, location: usize) -> (Point, u64, u32) {
        let after = self.members.partition_point(|g| g.first <= location);
        let group = &self.members[after - 1];
        let inside = location - group.first;
        let (points, weights) = (group.tree.points(), group.tree.weights());
        (points[inside], weights[inside], group.number)
    }

    /// All locations in their order, as [`Groups::location`] has them.
    pub fn locations(&self) -> impl Iterator<Item = (Point, u64, u32)> {
        self.members.iter().flat_map(|group| {
            let places = group.tree.points().iter().zip(group.tree.weights());
            places.map(|(&point, &units)| (point, units, group.number))
        })
    }

    /// The units of each group that has rows, in the order of their numbers.
    pub fn units(&self) -> impl Iterator<Item = (u32, u64)> {
        let groups = self.members.iter();
        groups.map(|group| (group.number, group.tree.units()))
    }

    /// The units of one group.
    #[must_use]
    pub fn units_of(&self, group: u32) -> u64 {
        let found = self.members.binary_search_by_key(&group, |g| g.number);
        found.map_or(0, |i| self.members[i].tree.units())
    }

    pub(crate) fn groups(&self) -> &[Group] {
        &self.members
    }
}
