//! The figures that may be told to everybody, and how.

/// How a figure is told.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum How {
    /// As it is.
    Whole,
    /// A number of units.
    Units,
    /// A share of the units, which goes with the number beside it.
    Share,
    /// What this share of them do not exceed.
    Percentile(Of, f64),
}

/// Whose percentile.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Of {
    Units,
    Sample,
    Cells,
}

use How::{Percentile, Share, Units, Whole};

/// What is told; a star is any name or number.
const TOLD: &[(&str, How)] = &[
    ("/version", Whole),
    ("/command/*", Whole),
    ("/public", Whole),
    ("/threads", Whole),
    ("/units", Whole),
    ("/locations", Whole),
    ("/warnings/*", Whole),
    ("/inputs/*/path", Whole),
    ("/inputs/*/rows", Whole),
    ("/inputs/*/layer", Whole),
    ("/inputs/*/crs", Whole),
    ("/inputs/*/crs_known", Whole),
    ("/inputs/*/compute_crs", Whole),
    ("/multiplicities/*/*", Whole),
    ("/limits/*", Whole),
    ("/verdict", Whole),
    ("/verdict/safe", Whole),
    ("/verdict/allow", Whole),
    ("/verdict/units_exceeding", Units),
    ("/verdict/share_exceeding", Share),
    ("/verdict/limits/*/limit", Whole),
    ("/verdict/limits/*/value", Whole),
    ("/verdict/limits/*/cell_size", Whole),
    ("/verdict/limits/*/cell_size_chosen", Whole),
    ("/verdict/limits/*/units_exceeding", Units),
    ("/map/command/*", Whole),
    ("/map/panels/*/title", Whole),
    ("/map/classes/*", Whole),
    ("/map/left_out/cell_size", Whole),
    ("/map/left_out/cells", Whole),
    ("/map/left_out/units", Units),
    ("/spread/*/*", Whole),
    ("/risk/command/*", Whole),
    ("/risk/k", Whole),
    ("/risk/delta", Whole),
    ("/risk/metric", Whole),
    ("/risk/per_unit/no_disc", Units),
    ("/risk/per_unit/zero_radius", Units),
    ("/risk/per_unit/*/p25", Percentile(Of::Units, 0.25)),
    ("/risk/per_unit/*/median", Percentile(Of::Units, 0.5)),
    ("/risk/per_unit/*/p75", Percentile(Of::Units, 0.75)),
    ("/risk/per_unit/*/p90", Percentile(Of::Units, 0.9)),
    ("/risk/per_unit/*/p99", Percentile(Of::Units, 0.99)),
    ("/risk/delta_zero/per_unit/no_disc", Units),
    ("/risk/delta_zero/per_unit/zero_radius", Units),
    (
        "/risk/delta_zero/per_unit/*/p25",
        Percentile(Of::Units, 0.25),
    ),
    (
        "/risk/delta_zero/per_unit/*/median",
        Percentile(Of::Units, 0.5),
    ),
    (
        "/risk/delta_zero/per_unit/*/p75",
        Percentile(Of::Units, 0.75),
    ),
    (
        "/risk/delta_zero/per_unit/*/p90",
        Percentile(Of::Units, 0.9),
    ),
    (
        "/risk/delta_zero/per_unit/*/p99",
        Percentile(Of::Units, 0.99),
    ),
    ("/curves/units", Whole),
    ("/curves/is_sample", Whole),
    ("/curves/seed", Whole),
    ("/curves/by_k/*/k", Whole),
    ("/curves/by_delta/*/delta", Whole),
    ("/curves/*/*/*/median", Percentile(Of::Sample, 0.5)),
    ("/curves/*/*/*/p90", Percentile(Of::Sample, 0.9)),
    ("/curves/*/*/*/p99", Percentile(Of::Sample, 0.99)),
    ("/zoom/left_out", Whole),
    ("/zoom/command/*", Whole),
    ("/zoom/delta", Whole),
    ("/zoom/verdict", Whole),
    ("/zoom/verdict/most_detailed_safe", Whole),
    ("/zoom/levels/*/level", Whole),
    ("/zoom/levels/*/locations", Whole),
    ("/zoom/levels/*/units_above", Units),
    (
        "/zoom/levels/*/perceived/radius_median",
        Percentile(Of::Units, 0.5),
    ),
    (
        "/zoom/levels/*/perceived/radius_p99",
        Percentile(Of::Units, 0.99),
    ),
    ("/areal/left_out", Whole),
    ("/areal/command/*", Whole),
    ("/areal/division/shape", Whole),
    ("/areal/division/size", Whole),
    ("/areal/regions_with_units", Whole),
    ("/areal/count_per_region/median", Percentile(Of::Cells, 0.5)),
    ("/areal/count_per_region/p99", Percentile(Of::Cells, 0.99)),
    (
        "/areal/areal_risk_per_unit/median",
        Percentile(Of::Units, 0.5),
    ),
    (
        "/areal/areal_risk_per_unit/p99",
        Percentile(Of::Units, 0.99),
    ),
    ("/areal/verdict/min_count", Whole),
    ("/areal/verdict/safe", Whole),
    ("/areal/verdict/regions_below", Whole),
    ("/areal/verdict/units_below", Units),
    ("/areal/maup/shifts", Whole),
    ("/areal/maup/flips/*/units", Units),
    ("/areal/maup/flips/*/share", Share),
    (
        "/areal/maup/risk_max_by_min/median",
        Percentile(Of::Units, 0.5),
    ),
    (
        "/areal/maup/risk_max_by_min/p99",
        Percentile(Of::Units, 0.99),
    ),
    ("/rules", Whole),
    ("/rules/command/*", Whole),
    ("/rules/rules/*/rule", Whole),
    ("/rules/rules/*/limit/*", Whole),
    ("/rules/discs/unsafe", Units),
    ("/rules/discs/share_unsafe", Share),
    ("/rules/discs/by_rule/*", Units),
    ("/rules/by_k/*/k", Whole),
    ("/rules/by_k/*/units_unsafe", Units),
];

/// How the figure at this path is told, if it is.
pub fn how(path: &str) -> Option<How> {
    let fits = |pattern: &str| {
        let (mut names, mut wanted) = (path.split('/'), pattern.split('/'));
        loop {
            match (names.next(), wanted.next()) {
                (None, None) => return true,
                (Some(name), Some(wanted)) if wanted == "*" || wanted == name => {}
                _ => return false,
            }
        }
    };
    let mut all = TOLD.iter();
    all.find(|(pattern, _)| fits(pattern)).map(|(_, how)| *how)
}
