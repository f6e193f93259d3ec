//! Directions in which a disc through the pivot may lie, in 16 sectors.
//!
//! The disc of radius r through the origin in direction u holds x when x·u ≥ |x|²/(2r). For each
//! of 16 directions that is one bit; a sector lies between two neighbouring directions.
//!
//! - x is in *every* disc of radius r of a sector when it is in both at its ends;
//! - x is in *some* disc of radius r of a sector only if it is in one of those at its ends of
//!   radius r/cos(π/16), the angle from any direction in it to the nearer end being at most π/16.

/// A set of sectors, or of directions, as bits.
pub(crate) type Sectors = u16;

const DIRECTIONS: usize = 16;
/// 1/cos(π/16), rounded up.
pub(crate) const WIDER: f64 = 1.019_592;

/// cos and sin of 0, π/8, … 7π/8; the other eight are their negatives.
const HALF: [(f64, f64); 8] = [
    (1.0, 0.0),
    (0.923_879_532_511_286_7, 0.382_683_432_365_089_8),
    (std::f64::consts::FRAC_1_SQRT_2, std::f64::consts::FRAC_1_SQRT_2),
    (0.382_683_432_365_089_8, 0.923_879_532_511_286_7),
    (0.0, 1.0),
    (-0.382_683_432_365_089_8, 0.923_879_532_511_286_7),
    (-std::f64::consts::FRAC_1_SQRT_2, std::f64::consts::FRAC_1_SQRT_2),
    (-0.923_879_532_511_286_7, 0.382_683_432_365_089_8),
];

/// The directions whose disc of radius `radius` holds each place.
#[inline(always)]
pub(crate) fn directions(x: &[f64], y: &[f64], squared: &[f64], radius: f64, out: &mut Vec<Sectors>) {
    let inverse = 0.5 / radius;
    out.clear();
    out.resize(x.len(), 0);
    let (x, y, squared) = (&x[..out.len()], &y[..out.len()], &squared[..out.len()]);
    for i in 0..out.len() {
        let need = squared[i] * inverse;
        let mut bits = 0u64;
        for (d, (c, s)) in HALF.iter().enumerate() {
            let along = x[i] * c + y[i] * s;
            bits |= u64::from(along >= need) << d;
            bits |= u64::from(-along >= need) << (d + 8);
        }
        out[i] = bits as Sectors;
    }
}

/// Sectors both of whose ends are among these directions.
#[inline(always)]
pub(crate) fn both_ends(directions: Sectors) -> Sectors {
    directions & directions.rotate_right(1)
}

/// Sectors one of whose ends is among these directions.
#[inline(always)]
pub(crate) fn either_end(directions: Sectors) -> Sectors {
    directions | directions.rotate_right(1)
}

/// The sectors in which the weights add up to at least `k`.
#[inline(always)]
pub(crate) fn reaching(
    sectors: impl Iterator<Item = (Sectors, f64)>,
    k: f64,
) -> Sectors {
    let mut sums = [0.0; DIRECTIONS];
    for (bits, weight) in sectors {
        for (i, sum) in sums.iter_mut().enumerate() {
            *sum += if u64::from(bits) & (1 << i) != 0 { weight } else { 0.0 };
        }
    }
    let mut reaching = 0;
    for (i, sum) in sums.iter().enumerate() {
        reaching |= Sectors::from(*sum >= k) << i;
    }
    reaching
}
