//! Parses numbers without rounding: a decimal is a whole number and a power of ten, so planes can be computed exactly
//! from the points of a face.

use dashu_int::IBig;

/// Maximum number of decimal places; a double printed with 17 significant digits has fewer.
const MAX_PLACES: i64 = 400;

/// Maximum number of digits in front of the decimal point.
const MAX_WHOLE: i64 = 18;

/// The smallest number with more digits than that.
const TEN_TO_18: u128 = 10u128.pow(MAX_WHOLE as u32);

/// Maximum number of bits of a small number: the plane through three points with small coordinates is computed within
/// 127 bits.
const SMALL_BITS: u32 = 40;

/// A number: `digits / 10^places`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decimal {
    /// All digits as a whole number, with the sign.
    digits: i128,
    /// Number of the digits behind the decimal point.
    places: u32,
}

impl Decimal {
    pub const ZERO: Self = Self {
        digits: 0,
        places: 0,
    };

    /// Parses a number such as `-64`, `0.5` or `1.5e-7`, or returns `None` if the text is not a number, or if the
    /// number is 10^18 or more or has more significant digits than fit in 127 bits (38 always fit).
    pub fn parse(text: &[u8]) -> Option<Self> {
        if let Some(whole) = whole(text) {
            let digits = i128::from(whole);
            return Some(Self { digits, places: 0 });
        }
        let (number, exponent) = match text.iter().position(|byte| b"eE".contains(byte)) {
            Some(at) => (&text[..at], exponent(&text[at + 1..])?),
            None => (text, 0),
        };
        let (sign, number) = signed(number);
        let mut parts = number.splitn(2, |&byte| byte == b'.');
        let [whole, fraction] = [(); 2].map(|()| parts.next().unwrap_or_default());
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        let zeros = fraction.iter().rev().take_while(|&&byte| byte == b'0');
        let fraction = &fraction[..fraction.len() - zeros.count()];
        let mut digits = 0i128;
        for byte in whole.iter().chain(fraction) {
            let digit = byte.is_ascii_digit().then(|| byte - b'0')?;
            digits = digits.checked_mul(10)?.checked_add(digit.into())?;
        }
        Self::of(sign * digits, fraction.len() as i64 - exponent)
    }

    /// Returns the number `digits / 10^places` with as few places as it needs, or `None` if it is out of range.
    fn of(mut digits: i128, mut places: i64) -> Option<Self> {
        if digits == 0 {
            return Some(Self { digits, places: 0 });
        }
        while places < 0 {
            digits = digits.checked_mul(10)?;
            places += 1;
        }
        // The digits of a short number are not counted, because counting takes longer than reading them.
        let is_short = digits.unsigned_abs() < TEN_TO_18;
        let n_whole = || i64::from(digits.unsigned_abs().ilog10()) + 1 - places;
        let in_range = places <= MAX_PLACES && (is_short || n_whole() <= MAX_WHOLE);
        in_range.then_some(Self {
            digits,
            places: places as u32,
        })
    }

    /// Returns the multiple of 1/16 that is nearest to a number, exactly, or `None` if it is 10^15 sixteenths or
    /// more, or NaN.
    pub fn sixteenths(number: f64) -> Option<Self> {
        let sixteenths = (number * 16.0).round();
        (sixteenths.abs() < 1e15).then(|| Self {
            digits: sixteenths as i128 * 625,
            places: 4,
        })
    }

    pub fn to_f32(self) -> f32 {
        self.to_string().parse().unwrap_or_default()
    }

    /// Returns the maximum number of decimal places that the number needs.
    pub fn places(self) -> u32 {
        self.places
    }

    /// Returns the number in units of `10^-places`, as [`scaled`](Self::scaled) does, or `None` if it has more than
    /// [`SMALL_BITS`] bits.
    pub fn scaled_small(self, places: u32) -> Option<i128> {
        let number = match places - self.places {
            0 => self.digits,
            more => self.digits.checked_mul(10i128.checked_pow(more)?)?,
        };
        (number.unsigned_abs() >> SMALL_BITS == 0).then_some(number)
    }

    /// Returns the number in units of `10^-places`, which is a whole number if `places` is at least its own.
    pub fn scaled(self, places: u32) -> IBig {
        match places - self.places {
            0 => IBig::from(self.digits),
            more => IBig::from(self.digits) * power_of_ten(more),
        }
    }
}

impl std::fmt::Display for Decimal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sign = if self.digits < 0 { "-" } else { "" };
        let places = self.places as usize;
        let digits = format!("{:0>1$}", self.digits.unsigned_abs(), places + 1);
        let (whole, fraction) = digits.split_at(digits.len() - places);
        let point = if places > 0 { "." } else { "" };
        write!(f, "{sign}{whole}{point}{fraction}")
    }
}

pub fn power_of_ten(places: u32) -> IBig {
    match 10u128.checked_pow(places) {
        Some(power) => IBig::from(power),
        None => IBig::from(10).pow(places as usize),
    }
}

/// Returns the factor that the sign of a number stands for, and the rest of the number.
fn signed(number: &[u8]) -> (i128, &[u8]) {
    match number {
        [b'-', rest @ ..] => (-1, rest),
        [b'+', rest @ ..] => (1, rest),
        _ => (1, number),
    }
}

/// Parses a whole number below 10^18 with nothing but a sign in front of it, the form of most numbers.
pub fn whole(text: &[u8]) -> Option<i64> {
    let number: i64 = std::str::from_utf8(text).ok()?.parse().ok()?;
    (u128::from(number.unsigned_abs()) < TEN_TO_18).then_some(number)
}

/// Parses the power of ten after `e`, or returns `None` if it is not a number or so large that no map means it.
fn exponent(text: &[u8]) -> Option<i64> {
    let text = std::str::from_utf8(text).ok()?;
    let exponent: i64 = text.parse().ok()?;
    (exponent.unsigned_abs() <= MAX_PLACES.unsigned_abs()).then_some(exponent)
}
