//! Lanes of vectors, one bit each.
//!
//! A loop over sixteen lanes that asks each whether it is wanted takes longer than the vectors that
//! told it. The widest processors have such bits at hand, most others an instruction that gathers
//! them.

use pulp::Simd;
use pulp::bytemuck::{NoUninit, bytes_of};

/// The lanes of the `v`-th vector of doubles for which a comparison is true.
#[inline(always)]
pub(crate) fn doubles<S: Simd>(simd: S, v: usize, mask: S::m64s) -> u32 {
    gathered(simd, &mask).unwrap_or_else(|| bits(&mask, S::F64_LANES)) << (v * S::F64_LANES)
}

/// The same for single precision.
#[inline(always)]
pub(crate) fn singles<S: Simd>(simd: S, v: usize, mask: S::m32s) -> u32 {
    gathered(simd, &mask).unwrap_or_else(|| bits(&mask, S::F32_LANES)) << (v * S::F32_LANES)
}

/// The bits by one instruction, if there is one. Which it is, is known when this is compiled.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
#[inline(always)]
fn gathered<S: Simd>(simd: S, mask: &dyn std::any::Any) -> Option<u32> {
    use pulp::x86::V3;
    use pulp::{b8, b16, cast, m32x8, m64x4};

    if let Some(mask) = mask.downcast_ref::<b8>() {
        return Some(u32::from(mask.0));
    }
    if let Some(mask) = mask.downcast_ref::<b16>() {
        return Some(u32::from(mask.0));
    }
    let simd = (&simd as &dyn std::any::Any).downcast_ref::<V3>()?;
    let doubles = mask.downcast_ref::<m64x4>();
    let singles = mask.downcast_ref::<m32x8>();
    let doubles = doubles.map(|&mask| simd.avx._mm256_movemask_pd(cast(mask)));
    let singles = singles.map(|&mask| simd.avx._mm256_movemask_ps(cast(mask)));
    doubles.or(singles).map(i32::cast_unsigned)
}

#[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
#[inline(always)]
fn gathered<S: Simd>(_simd: S, _mask: &dyn std::any::Any) -> Option<u32> {
    None
}

/// A mask has as many bytes as the numbers, all ones or zeros.
#[inline(always)]
fn bits(mask: &impl NoUninit, lanes: usize) -> u32 {
    let bytes = bytes_of(mask);
    let each = bytes.len() / lanes;
    (0..lanes).fold(0, |bits, lane| {
        bits | u32::from(bytes[lane * each] & 1) << lane
    })
}

/// The numbers of the bits that are set.
#[inline(always)]
pub(crate) fn ones(bits: impl Into<u64>) -> impl Iterator<Item = usize> {
    let mut bits = bits.into();
    std::iter::from_fn(move || {
        let lane = bits.trailing_zeros() as usize;
        let any = bits != 0;
        bits &= bits.wrapping_sub(1);
        any.then_some(lane)
    })
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "x86_64")]
    use pulp::x86::{V3, V4};
    use pulp::{Scalar, Scalar128b, Scalar256b, Scalar512b, Simd};

    use super::{doubles, ones, singles};

    const LANES: usize = 16;

    /// The bits of all lanes, vector by vector, where `numbers` has a 1.
    fn gathered<S: Simd>(simd: S, numbers: [u8; LANES]) -> [u32; 2] {
        let (d, s) = (numbers.map(f64::from), numbers.map(f32::from));
        let wide = S::as_simd_f64s(&d).0.iter().enumerate();
        let wide = wide.map(|(v, &d)| {
            let is_one = simd.equal_f64s(d, simd.splat_f64s(1.0));
            doubles(simd, v, is_one)
        });
        let narrow = S::as_simd_f32s(&s).0.iter().enumerate();
        let narrow = narrow.map(|(v, &s)| {
            let is_one = simd.equal_f32s(s, simd.splat_f32s(1.0));
            singles(simd, v, is_one)
        });
        [wide.sum(), narrow.sum()]
    }

    #[test]
    fn every_processor_tells_the_same_lanes() {
        for bits in (0..1u32 << LANES).step_by(37).chain([0xffff]) {
            let numbers: [u8; LANES] = std::array::from_fn(|lane| (bits >> lane & 1) as u8);
            assert_eq!(gathered(Scalar, numbers), [bits; 2]);
            assert_eq!(gathered(Scalar128b, numbers), [bits; 2]);
            assert_eq!(gathered(Scalar256b, numbers), [bits; 2]);
            assert_eq!(gathered(Scalar512b, numbers), [bits; 2]);
            #[cfg(target_arch = "x86_64")]
            if let Some(simd) = V3::try_new() {
                assert_eq!(gathered(simd, numbers), [bits; 2]);
            }
            #[cfg(target_arch = "x86_64")]
            if let Some(simd) = V4::try_new() {
                assert_eq!(gathered(simd, numbers), [bits; 2]);
            }
            let lanes: Vec<usize> = (0..LANES).filter(|&lane| numbers[lane] == 1).collect();
            assert_eq!(ones(bits).collect::<Vec<_>>(), lanes);
        }
    }
}
