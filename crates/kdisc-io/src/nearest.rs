//! What was perhaps meant by a name that is not there.

/// Up to three of `names` that differ from `name` by at most half of it, the nearest first; `key`
/// is the part of a name that counts.
pub(crate) fn nearest(name: &str, names: &[String], key: impl Fn(&str) -> String) -> Vec<String> {
    let wanted = key(name);
    let mut near: Vec<_> = names
        .iter()
        .map(|other| (strsim::damerau_levenshtein(&wanted, &key(other)), other))
        .filter(|(distance, _)| 2 * distance <= wanted.chars().count())
        .collect();
    near.sort();
    near.into_iter()
        .take(3)
        .map(|(_, other)| other.clone())
        .collect()
}

/// A name without regard to case, spaces and punctuation.
pub(crate) fn plain(name: &str) -> String {
    let letters = name.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}
