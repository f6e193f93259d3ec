//! The answers as columns, for formats with types.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, Int64Array, StringArray};
use arrow_schema::{DataType, Field};
use kdisc::Disc;

use super::answers::Answer;

/// The added columns under these names, in the order of [`super::plan::ADDED`].
pub fn fields(names: &[String; 7]) -> Vec<Field> {
    use DataType::{Float64, Int64, Utf8};
    let types = [Int64, Float64, Int64, Float64, Float64, Float64, Utf8];
    let fields = names.iter().zip(types);
    fields
        .map(|(name, data_type)| Field::new(name, data_type, true))
        .collect()
}

/// The answers of some rows, column by column.
pub fn columns(answers: &[Answer]) -> Vec<ArrayRef> {
    let number = |of: fn(&Disc) -> f64| -> ArrayRef {
        let values = answers.iter().map(|answer| answer.disc().map(of));
        Arc::new(values.collect::<Float64Array>())
    };
    let whole = |of: &dyn Fn(&Answer) -> Option<u64>| -> ArrayRef {
        // Sums of weights are below 2^53.
        let values = answers
            .iter()
            .map(|answer| of(answer).map(u64::cast_signed));
        Arc::new(values.collect::<Int64Array>())
    };
    let status = answers.iter().map(|answer| Some(answer.status()));
    vec![
        whole(&Answer::multiplicity),
        number(|disc| disc.radius),
        whole(&|answer| answer.disc().map(|disc| disc.units)),
        number(Disc::risk),
        number(|disc| disc.center.x),
        number(|disc| disc.center.y),
        Arc::new(status.collect::<StringArray>()),
    ]
}
