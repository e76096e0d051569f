//! Calls in single and double precision: a macro makes both functions of C, which call the same generic function. The
//! types here are the arguments that depend on the precision.

use crate::pointer::{In, Out};
use crate::trace_result::TraceResult;

/// `const float point[3]` or `const double point[3]`, of one point or of many.
pub type PointIn<T> = In<[T; 3]>;

/// `float place[3]` or `double place[3]`.
pub type PointOut<T> = Out<[T; 3]>;

/// `const onion_trace_result *`, or its twin.
pub type TraceIn<T> = In<TraceResult<T>>;

/// `onion_trace_result *`, or its twin.
pub type TraceOut<T> = Out<TraceResult<T>>;

/// Exports a generic function twice. Of its arguments, those of the second and the fourth group depend on the
/// precision.
macro_rules! export_in_both_precisions {
    ($(
        $(#[$doc:meta])*
        $single:ident, $double:ident = $generic:ident(
            $($a:ident: $A:ty),*; $($b:ident: $B:ident),*; $($c:ident: $C:ty),* $(; $d:ident: $D:ident)?
        );
    )*) => {$(
        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub extern "C" fn $single($($a: $A,)* $($b: $B<f32>,)* $($c: $C,)* $($d: $D<f32>)?) -> Status {
            Status::of(|| self::$generic($($a,)* $($b,)* $($c,)* $($d)?))
        }

        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub extern "C" fn $double($($a: $A,)* $($b: $B<f64>,)* $($c: $C,)* $($d: $D<f64>)?) -> Status {
            Status::of(|| self::$generic($($a,)* $($b,)* $($c,)* $($d)?))
        }
    )*};
}

pub(crate) use export_in_both_precisions;
