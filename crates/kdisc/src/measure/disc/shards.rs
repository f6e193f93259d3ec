//! A value for each location, which all threads can change: neighbours share a lock.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locations that share a lock.
const SHARD: usize = 1024;

pub(crate) struct Shards<T>(Vec<Mutex<Vec<T>>>);

impl<T: Clone> Shards<T> {
    pub fn new(locations: usize, value: &T) -> Self {
        let shard = |first: usize| Mutex::new(vec![value.clone(); SHARD.min(locations - first)]);
        Self((0..locations).step_by(SHARD).map(shard).collect())
    }

    /// Changes the values of some locations.
    pub fn change(
        &self,
        locations: impl IntoIterator<Item = usize>,
        mut change: impl FnMut(usize, &mut T),
    ) {
        let mut held: Option<(usize, MutexGuard<'_, Vec<T>>)> = None;
        for location in locations {
            let shard = location / SHARD;
            if held.as_ref().is_none_or(|(index, _)| *index != shard) {
                // One lock at a time: two threads cannot wait for each other.
                drop(held.take());
                let guard = self.0[shard].lock();
                held = Some((shard, guard.unwrap_or_else(PoisonError::into_inner)));
            }
            if let Some((_, values)) = &mut held {
                change(location, &mut values[location % SHARD]);
            }
        }
    }

    /// Makes something of each value, in the order of the locations.
    pub fn map<U>(&self, make: impl Fn(&T) -> U) -> Vec<U> {
        let mut all = Vec::new();
        for shard in &self.0 {
            let values = shard.lock().unwrap_or_else(PoisonError::into_inner);
            all.extend(values.iter().map(&make));
        }
        all
    }

    /// The values, in the order of the locations.
    pub fn into_values(self) -> impl Iterator<Item = T> {
        let shards = self.0.into_iter();
        shards.flat_map(|shard| shard.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}
