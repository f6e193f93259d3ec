//! Work of libraries that panic where they should refuse.
//!
//! The readers of Parquet and Arrow check most of what a file says of itself, and assert the rest.
//! A damaged file is the owner's problem and not a fault of the program, so it is told as any other
//! damage.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

use crate::InputError;

/// Panics that are contained are told as errors, and not twice.
static HOOK: Once = Once::new();

thread_local! {
    static IS_CONTAINED: Cell<bool> = const { Cell::new(false) };
}

/// What `work` gives; an error if it panics. Whatever it worked on must not be used again then.
pub(crate) fn contained<T>(
    file: &str,
    format: &'static str,
    work: impl FnOnce() -> Result<T, InputError>,
) -> Result<T, InputError> {
    HOOK.call_once(|| {
        let told = take_hook();
        set_hook(Box::new(move |panic| {
            if !IS_CONTAINED.get() {
                told(panic);
            }
        }));
    });
    let before = IS_CONTAINED.replace(true);
    let done = catch_unwind(AssertUnwindSafe(work));
    IS_CONTAINED.set(before);
    done.unwrap_or_else(|_| {
        Err(InputError::Broken {
            file: file.to_owned(),
            format,
            problem: "what it says of its content is not what is there".to_owned(),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error_and_all_else_passes() {
        let panics = contained("in", "Parquet", || -> Result<(), _> {
            panic!("an assertion")
        });
        assert_eq!(
            panics.unwrap_err().to_string(),
            "in is Parquet, but broken: what it says of its content is not what is there"
        );
        assert_eq!(contained("in", "Parquet", || Ok(7)).unwrap(), 7);
        let empty = || InputError::Empty {
            file: "in".to_owned(),
        };
        let refused = contained("in", "Parquet", || -> Result<(), _> { Err(empty()) });
        assert!(matches!(refused, Err(InputError::Empty { .. })));
    }
}
