//! Kernels: how much of a unit goes where.

use std::fmt;
use std::str::FromStr;

use super::DensityError;

/// The shape into which a unit is spread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Kernel {
    /// The bell curve exp(−d²/2h²), cut at [`Kernel::CUT`] bandwidths along either axis. The
    /// bandwidth h is its standard deviation.
    #[default]
    Gaussian,
    /// The same height up to the bandwidth.
    Uniform,
    /// (1 − d²/h²)², up to the bandwidth h.
    Quartic,
    /// 1 − d²/h², up to the bandwidth h.
    Epanechnikov,
}

impl Kernel {
    /// Standard deviations at which the Gaussian is cut, east and west, north and south. What is
    /// cut off is 0.013% of it, and it is spread over the rest.
    pub const CUT: f64 = 4.0;

    /// How far a kernel of this bandwidth goes along an axis.
    #[must_use]
    pub fn support(self, bandwidth: f64) -> f64 {
        match self {
            Self::Gaussian => Self::CUT * bandwidth,
            _ => bandwidth,
        }
    }

    /// The bandwidth at which the kernel is as wide as a Gaussian with this standard deviation: it
    /// has the same variance along each axis.
    #[must_use]
    pub fn equivalent(self, deviation: f64) -> f64 {
        let squared: f64 = match self {
            Self::Gaussian => 1.0,
            Self::Uniform => 4.0,
            Self::Epanechnikov => 6.0,
            Self::Quartic => 8.0,
        };
        deviation * squared.sqrt()
    }

    /// The height at this distance east and north of the unit; 1 at the unit itself.
    #[must_use]
    pub fn height(self, dx: f64, dy: f64, bandwidth: f64) -> f64 {
        if self == Self::Gaussian {
            return bell(dx, bandwidth) * bell(dy, bandwidth);
        }
        let (squared, limit) = (dx * dx + dy * dy, bandwidth * bandwidth);
        if squared > limit {
            return 0.0;
        }
        let left = 1.0 - squared / limit;
        match self {
            Self::Quartic => left * left,
            Self::Epanechnikov => left,
            _ => 1.0,
        }
    }
}

/// The Gaussian along one axis.
pub(super) fn bell(distance: f64, deviation: f64) -> f64 {
    if distance.abs() > Kernel::CUT * deviation {
        return 0.0;
    }
    let deviations = distance / deviation;
    (-0.5 * deviations * deviations).exp()
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Gaussian => "gaussian",
            Self::Uniform => "uniform",
            Self::Quartic => "quartic",
            Self::Epanechnikov => "epanechnikov",
        })
    }
}

impl FromStr for Kernel {
    type Err = DensityError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let all = [
            Self::Gaussian,
            Self::Uniform,
            Self::Quartic,
            Self::Epanechnikov,
        ];
        let found = all.into_iter().find(|kernel| kernel.to_string() == text);
        found.ok_or_else(|| DensityError::Kernel(text.to_owned()))
    }
}
