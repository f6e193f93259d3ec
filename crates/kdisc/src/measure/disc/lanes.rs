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
#[cfg(target_arch = "x86_64")]
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

#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
fn gathered<S: Simd>(_simd: S, _mask: &dyn std::any::Any) -> Option<u32> {
    None
}

/// A mask has either a bit for each lane or as many bytes as the numbers, all ones or zeros.
#[inline(always)]
fn bits(mask: &impl NoUninit, lanes: usize) -> u32 {
    let bytes = bytes_of(mask);
    let each = bytes.len() / lanes;
    if each == 0 {
        let bytes = bytes.iter().rev();
        return bytes.fold(0, |bits, &byte| bits << 8 | u32::from(byte));
    }
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
