//! What an Arrow file or stream claims of its sizes, checked before its reader believes it.
//!
//! The library allocates what a message says of its body, and what a packed buffer says of its
//! content, without a look at how many bytes there are; a wrong byte can claim more memory than
//! any machine has. So every message is looked at first: its body must be in the file, its buffers
//! in its body, and all of them together must not unpack to more than is likely.

use std::io::{self, Read, Seek, SeekFrom};

use arrow_ipc::{Block, Buffer, root_as_footer, root_as_message};

use super::MAGIC;

/// What one message may unpack to: this, or so many times the size of the file.
const UNPACKED: u64 = 1 << 30;
const RATIO: u64 = 100;

/// The first four bytes of a message, since the format has any.
const CONTINUED: [u8; 4] = [0xff; 4];

/// Checks all messages of a file.
pub(super) fn check_file(content: &mut (impl Read + Seek), size: u64) -> Result<(), String> {
    let tail = (MAGIC.len() + 4) as u64;
    let start = size.checked_sub(tail).ok_or("it is too short")?;
    let end = take(content, start, tail)?;
    if &end[4..] != MAGIC {
        return Err("it does not end as one (ARROW1)".to_owned());
    }
    let length = u32::from_le_bytes([end[0], end[1], end[2], end[3]]);
    let at = start.checked_sub(length.into());
    let at = at.ok_or("its footer is larger than itself")?;
    let bytes = take(content, at, length.into())?;
    let footer = root_as_footer(&bytes).map_err(|error| format!("its footer: {error}"))?;
    let blocks = [footer.dictionaries(), footer.recordBatches()];
    for block in blocks.into_iter().flatten().flatten() {
        let (at, head, body) = sizes(block).ok_or("a batch has a negative size")?;
        let metadata = take(content, at, within(at, head, size)?)?;
        let skip = if metadata.starts_with(&CONTINUED) {
            8
        } else {
            4
        };
        let body_at = at + head;
        within(body_at, body, size)?;
        message(
            content,
            metadata.get(skip..).unwrap_or_default(),
            body_at,
            body,
            size,
        )?;
    }
    Ok(())
}

/// Checks all messages of a stream.
pub(super) fn check_stream(content: &mut (impl Read + Seek), size: u64) -> Result<(), String> {
    let mut at = 0;
    while at + 4 <= size {
        let mut length = take(content, at, 4)?;
        at += 4;
        if length == CONTINUED {
            length = take(content, at, within(at, 4, size)?)?;
            at += 4;
        }
        let length = u32::from_le_bytes([length[0], length[1], length[2], length[3]]);
        if length == 0 {
            break;
        }
        let metadata = take(content, at, within(at, length.into(), size)?)?;
        at += u64::from(length);
        let body = root_as_message(&metadata).map_err(|error| format!("a message: {error}"))?;
        let body = u64::try_from(body.bodyLength()).map_err(|_| "a batch has a negative size")?;
        within(at, body, size)?;
        message(content, &metadata, at, body, size)?;
        at += body;
    }
    Ok(())
}

fn sizes(block: &Block) -> Option<(u64, u64, u64)> {
    Some((
        u64::try_from(block.offset()).ok()?,
        u64::try_from(block.metaDataLength()).ok()?,
        u64::try_from(block.bodyLength()).ok()?,
    ))
}

/// The length, if so many bytes are there.
fn within(at: u64, length: u64, size: u64) -> Result<u64, String> {
    match at.checked_add(length) {
        Some(end) if end <= size => Ok(length),
        _ => Err(format!(
            "it has {size} bytes, and a batch claims {length} at {at}"
        )),
    }
}

/// Checks what the buffers of a message say that they unpack to.
fn message(
    content: &mut (impl Read + Seek),
    metadata: &[u8],
    body_at: u64,
    body: u64,
    size: u64,
) -> Result<(), String> {
    let message = root_as_message(metadata).map_err(|error| format!("a message: {error}"))?;
    let dictionary = message.header_as_dictionary_batch();
    let batch = match dictionary {
        Some(dictionary) => dictionary.data(),
        None => message.header_as_record_batch(),
    };
    let Some(batch) = batch.filter(|batch| batch.compression().is_some()) else {
        return Ok(());
    };
    let limit = UNPACKED.max(size.saturating_mul(RATIO));
    let mut total = 0_u64;
    for buffer in batch.buffers().into_iter().flatten() {
        let (offset, length) = place(buffer).ok_or("a buffer has a negative size")?;
        within(offset, length, body)?;
        if length < 8 {
            continue;
        }
        let claim = take(content, body_at + offset, 8)?;
        let claim = i64::from_le_bytes(claim.try_into().unwrap_or_default());
        // −1: as it is.
        if let Ok(claim) = u64::try_from(claim) {
            total = total.saturating_add(claim);
        } else if claim != -1 {
            return Err("a buffer unpacks to a negative size".to_owned());
        }
        if total > limit {
            return Err(format!("a batch claims to unpack to {total} bytes or more"));
        }
    }
    Ok(())
}

fn place(buffer: &Buffer) -> Option<(u64, u64)> {
    let offset = u64::try_from(buffer.offset()).ok()?;
    Some((offset, u64::try_from(buffer.length()).ok()?))
}

fn take(content: &mut (impl Read + Seek), at: u64, length: u64) -> Result<Vec<u8>, String> {
    let mut read = || -> io::Result<Vec<u8>> {
        content.seek(SeekFrom::Start(at))?;
        let mut bytes = Vec::new();
        content.by_ref().take(length).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    match read() {
        Ok(bytes) if bytes.len() as u64 == length => Ok(bytes),
        Ok(_) => Err("it ends too early".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}
