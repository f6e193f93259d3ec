//! Ctrl-C, and a polite kill.
//!
//! While there is nothing to tidy up, a signal ends the process at once, even if it waits for
//! standard input. While temporary files may exist or threads are at work, it only raises a flag;
//! the work looks at it often, unwinds, and so removes its files.

use std::fmt;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// The signals received, and whether they end the process at once.
#[derive(Debug)]
pub struct Interrupt {
    at_once: Arc<AtomicBool>,
    stop: Arc<AtomicBool>,
    exit_code: Arc<AtomicUsize>,
}

/// The user wants it to stop.
#[derive(Debug)]
pub struct Interrupted {
    pub exit_code: u8,
}

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("interrupted")
    }
}

impl std::error::Error for Interrupted {}

impl Interrupt {
    /// Listens from now on.
    pub fn listen() -> io::Result<Self> {
        let interrupt = Self {
            at_once: Arc::new(AtomicBool::new(true)),
            stop: Arc::default(),
            exit_code: Arc::default(),
        };
        for signal in [SIGINT, SIGTERM] {
            let code = 128 + signal;
            flag::register_conditional_shutdown(signal, code, Arc::clone(&interrupt.at_once))?;
            flag::register_usize(signal, Arc::clone(&interrupt.exit_code), code as usize)?;
            flag::register(signal, Arc::clone(&interrupt.stop))?;
        }
        Ok(interrupt)
    }

    /// Runs `work`, which promises to look at [`Interrupt::flag`] often.
    pub fn cooperate<T>(&self, work: impl FnOnce() -> T) -> T {
        let before = self.at_once.swap(false, Ordering::SeqCst);
        let done = work();
        self.at_once.store(before, Ordering::SeqCst);
        done
    }

    /// True once the user wants it to stop.
    pub fn flag(&self) -> &AtomicBool {
        &self.stop
    }

    /// An error once the user wants it to stop.
    pub fn check(&self) -> Result<(), Interrupted> {
        if self.stop.load(Ordering::Relaxed) {
            Err(self.error())
        } else {
            Ok(())
        }
    }

    /// What to end with when a part of the work was cancelled.
    pub fn error(&self) -> Interrupted {
        Interrupted {
            exit_code: self.exit_code.load(Ordering::Relaxed) as u8,
        }
    }
}
