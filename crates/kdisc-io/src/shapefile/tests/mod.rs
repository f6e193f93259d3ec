//! Shapefiles made here, right and wrong.

use std::fs;
use std::io::Write;
use std::path::Path;

use arrow_array::cast::AsArray;
use arrow_array::types::{Date32Type, Float64Type, Int32Type, Int64Type};
use arrow_array::{Array, RecordBatch};
use arrow_schema::DataType;
use kdisc::Point;
use proptest::prelude::*;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::{layers, open, open_bytes};
use crate::layer::Reader;
use crate::{InputError, geometry};

mod files;
mod rows;

/// A `.shp` and its `.shx` of these shapes.
fn shp(kind: u32, shapes: &[Vec<u8>]) -> (Vec<u8>, Vec<u8>) {
    let mut body = Vec::new();
    let mut index = Vec::new();
    for (i, shape) in shapes.iter().enumerate() {
        let length = words(shape.len());
        index.extend_from_slice(&words(100 + body.len()));
        index.extend_from_slice(&length);
        body.extend_from_slice(&(i as u32 + 1).to_be_bytes());
        body.extend_from_slice(&length);
        body.extend_from_slice(shape);
    }
    (headed(kind, &body), headed(kind, &index))
}

/// Lengths and places are told in words of two bytes.
fn words(bytes: usize) -> [u8; 4] {
    (bytes as u32 / 2).to_be_bytes()
}

fn headed(kind: u32, body: &[u8]) -> Vec<u8> {
    let mut file = vec![0; 100];
    file[..4].copy_from_slice(&9994_u32.to_be_bytes());
    file[24..28].copy_from_slice(&words(100 + body.len()));
    file[28..32].copy_from_slice(&1000_u32.to_le_bytes());
    file[32..36].copy_from_slice(&kind.to_le_bytes());
    file.extend_from_slice(body);
    file
}

fn numbers(kind: u32, numbers: &[f64]) -> Vec<u8> {
    let mut shape = kind.to_le_bytes().to_vec();
    for number in numbers {
        shape.extend_from_slice(&number.to_le_bytes());
    }
    shape
}

fn point(x: f64, y: f64) -> Vec<u8> {
    numbers(1, &[x, y])
}

/// A shape of parts.
fn parts(kind: u32, parts: &[&[(f64, f64)]]) -> Vec<u8> {
    let mut shape = numbers(kind, &[0.0; 4]);
    let count: usize = parts.iter().map(|part| part.len()).sum();
    shape.extend_from_slice(&(parts.len() as u32).to_le_bytes());
    shape.extend_from_slice(&(count as u32).to_le_bytes());
    let mut start = 0_u32;
    for part in parts {
        shape.extend_from_slice(&start.to_le_bytes());
        start += part.len() as u32;
    }
    for (x, y) in parts.iter().copied().flatten() {
        shape.extend_from_slice(&x.to_le_bytes());
        shape.extend_from_slice(&y.to_le_bytes());
    }
    shape
}

/// A `.dbf` with these columns (name, type, width, decimals) and rows.
fn dbf(columns: &[(&str, u8, u8, u8)], rows: &[&[u8]]) -> Vec<u8> {
    let width: usize = columns.iter().map(|column| usize::from(column.2)).sum();
    let mut file = vec![0; 32];
    file[0] = 3;
    file[4..8].copy_from_slice(&(rows.len() as u32).to_le_bytes());
    file[8..10].copy_from_slice(&(33 + 32 * columns.len() as u16).to_le_bytes());
    file[10..12].copy_from_slice(&(1 + width as u16).to_le_bytes());
    for (name, kind, width, decimals) in columns {
        let mut field = [0; 32];
        field[..name.len()].copy_from_slice(name.as_bytes());
        (field[11], field[16], field[17]) = (*kind, *width, *decimals);
        file.extend_from_slice(&field);
    }
    file.push(b'\r');
    for row in rows {
        assert_eq!(row.len(), width + 1);
        file.extend_from_slice(row);
    }
    file.push(0x1a);
    file
}

fn read(reader: &dyn Reader) -> Result<RecordBatch, InputError> {
    let all: Vec<_> = (0..reader.layer().schema.fields().len()).collect();
    let batches: Result<Vec<_>, _> = reader.batches(&all)?.collect();
    Ok(arrow_select::concat::concat_batches(&reader.layer().schema, &batches?).unwrap())
}

fn read_parts(shp: Vec<u8>, dbf: Vec<u8>, shx: Option<Vec<u8>>) -> Result<RecordBatch, InputError> {
    read(&open_bytes("in", shp, dbf, shx)?)
}

const NAME: &[(&str, u8, u8, u8)] = &[("name", b'C', 4, 0)];
