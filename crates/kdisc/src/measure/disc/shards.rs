//! Values of locations, which all threads can change: neighbours share a lock.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locations that share a lock.
pub(crate) const SHARD: usize = 1024;

/// What belongs to each [`SHARD`] locations.
pub(crate) struct Shards<T>(Vec<Mutex<T>>);

impl<T> Shards<T> {
    pub fn new(shards: impl Iterator<Item = T>) -> Self {
        Self(shards.map(Mutex::new).collect())
    }

    /// Changes what belongs to some locations: is called with each, its shard, and its place there.
    pub fn change(
        &self,
        locations: impl IntoIterator<Item = usize>,
        mut change: impl FnMut(usize, &mut T, usize),
    ) {
        let mut held: Option<(usize, MutexGuard<'_, T>)> = None;
        for location in locations {
            let shard = location / SHARD;
            if held.as_ref().is_none_or(|(index, _)| *index != shard) {
                // One lock at a time: two threads cannot wait for each other.
                drop(held.take());
                let guard = self.0[shard].lock();
                held = Some((shard, guard.unwrap_or_else(PoisonError::into_inner)));
            }
            if let Some((_, values)) = &mut held {
                change(location, values, location % SHARD);
            }
        }
    }

    /// The shards, in the order of the locations.
    pub fn into_shards(self) -> impl Iterator<Item = T> {
        let shards = self.0.into_iter();
        shards.map(|shard| shard.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}
