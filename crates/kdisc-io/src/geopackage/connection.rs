//! Opening a database without leaving a trace.
//!
//! `SQLite` keeps what was last written in a log (`-wal`) if the file says so, and then wants
//! shared memory (`-shm`) beside the file even to read it. So:
//! - A file without such a log is read under `SQLite`'s usual locks, which leave nothing behind.
//! - One that says it has a log, but has none, is all there is: it is opened as unchanging.
//! - With log and shared memory it is open elsewhere (QGIS does so): both are used as they are.
//! - With a log but no shared memory nobody has it open (a copy, or after a crash): the log is
//!   read into memory, without locks.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::FORMAT;
use crate::InputError;

const MAGIC: &[u8] = b"SQLite format 3\0";
/// Where the header says which kind of log readers must know.
const READ_VERSION: usize = 19;

/// No value is larger than this.
const LARGEST: i32 = 1 << 28;
/// No more memory than this is taken by `SQLite`, in all.
const MEMORY: i64 = 1 << 31;

/// Opens a file for reading; `name` is for messages.
pub(super) fn open(path: &Path, name: &str) -> Result<Connection, InputError> {
    let header = header(path).map_err(InputError::read(name))?;
    if !header.starts_with(MAGIC) {
        return Err(InputError::NotThat {
            file: name.to_owned(),
            expected: FORMAT,
            found: "it is no SQLite database".to_owned(),
        });
    }
    let log = header.get(READ_VERSION) == Some(&2);
    let logged = fs::metadata(beside(path, "-wal")).is_ok_and(|log| log.len() > 0);
    let opened = match (log, logged, beside(path, "-shm").exists()) {
        (true, false, _) => connect(&uri(path, "&immutable=1")),
        (true, true, false) => connect(&uri(path, ALONE)).and_then(|connection| {
            // Without shared memory, which would be a file.
            connection.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
            Ok(connection)
        }),
        _ => connect(&uri(path, "")),
    };
    opened.map_err(|error| failure(name, &error))
}

#[cfg(unix)]
const ALONE: &str = "&vfs=unix-none";
#[cfg(not(unix))]
const ALONE: &str = "&vfs=win32-none";

fn connect(uri: &str) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_URI
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(uri, flags)?;
    for (setting, on) in [
        (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
        (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
        (DbConfig::SQLITE_DBCONFIG_DQS_DML, false),
        (DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true),
    ] {
        connection.set_db_config(setting, on)?;
    }
    // A view of a few bytes can make values and tables of any size.
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, LARGEST)?;
    connection.pragma_update(None, "hard_heap_limit", MEMORY)?;
    // What is sorted stays in memory: the content is confidential, and temporary files are files.
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    connection.pragma_update(None, "cell_size_check", true)?;
    Ok(connection)
}

/// What `SQLite` says, as an error of the file.
pub(super) fn failure(name: &str, error: &rusqlite::Error) -> InputError {
    let file = name.to_owned();
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => InputError::Unsupported {
            file,
            what: "another program is writing to it".to_owned(),
        },
        Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen) => InputError::Unsupported {
            file,
            what: "it is half written: a program is at it, or was interrupted there".to_owned(),
        },
        Some(ErrorCode::SystemIoFailure | ErrorCode::OutOfMemory) => InputError::Read {
            file,
            source: io::Error::other(error.to_string()),
        },
        _ => InputError::Broken {
            file,
            format: FORMAT,
            problem: error.to_string(),
        },
    }
}

fn header(path: &Path) -> io::Result<Vec<u8>> {
    let mut header = Vec::new();
    File::open(path)?.take(100).read_to_end(&mut header)?;
    Ok(header)
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// `SQLite` would take some names of files for addresses: so each is given as an address.
fn uri(path: &Path, more: &str) -> String {
    use std::fmt::Write;
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut uri = "file://".to_owned();
    if cfg!(windows) {
        uri.push('/');
    }
    for &byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'\\' if cfg!(windows) => uri.push('/'),
            b'/' | b'.' | b'-' | b'_' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => {
                uri.push(char::from(byte));
            }
            _ => write!(uri, "%{byte:02x}").expect("writing to a string does not fail"),
        }
    }
    uri + "?mode=ro" + more
}
