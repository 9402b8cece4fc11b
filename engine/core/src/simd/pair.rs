//! A vector of two vectors. A lookup is a long chain of dependent steps. With short vectors (AVX2), two
//! interleaved chains keep the processor busy.

use std::marker::PhantomData;
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Not, Sub};

use super::{Elements, Lanewise, Simd, Task};

/// A vector with twice the lanes of `V`.
#[derive(Clone, Copy, Debug)]
pub struct Pair<V>(PhantomData<V>);

/// The lower and the upper lanes.
#[derive(Clone, Copy, Debug)]
pub struct Both<T>(T, T);

macro_rules! operators {
    ($($trait:ident $name:ident;)+) => {
        $(impl<T: $trait<Output = T>> $trait for Both<T> {
            type Output = Self;
            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                Self(self.0.$name(other.0), self.1.$name(other.1))
            }
        })+
    };
}
operators! { Add add; Sub sub; Mul mul; Div div; BitAnd bitand; BitOr bitor; }

impl<T: Not<Output = T>> Not for Both<T> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0, !self.1)
    }
}

/// Implements functions that apply to each half separately.
macro_rules! halves {
    ($(fn $name:ident($($argument:ident: $type:ident),+) -> $result:ident;)+) => {
        $(#[inline(always)]
        fn $name($($argument: Both<V::$type>),+) -> Both<V::$result> {
            Both(V::$name($($argument.0),+), V::$name($($argument.1),+))
        })+
    };
}

impl<V: Simd> Simd for Pair<V> {
    const LANES: usize = 2 * V::LANES;
    type F = Both<V::F>;
    type I = Both<V::I>;
    type M = Both<V::M>;

    #[inline]
    fn compiled_as<S: Simd>(task: impl Task) {
        V::compiled_as::<S>(task);
    }

    halves! {
        fn maximum(a: F, b: F) -> F;
        fn minimum(a: F, b: F) -> F;
        fn floor(x: F) -> F;
        fn ceil(x: F) -> F;
        fn sqrt(x: F) -> F;
        fn div_255(x: F) -> F;
        fn bytes_div_255(x: F) -> F;
        fn flush(x: F) -> F;
        fn lt(a: F, b: F) -> M;
        fn le(a: F, b: F) -> M;
        fn eq(a: F, b: F) -> M;
        fn select(m: M, a: F, b: F) -> F;
        fn select_ints(m: M, a: I, b: I) -> I;
        fn below(a: I, b: I) -> M;
        fn whole(x: F) -> I;
        fn number(i: I) -> F;
        fn bits(x: F) -> I;
        fn from_bits(i: I) -> F;
        fn shift_right_by(i: I, by: I) -> I;
        fn largest(a: I, b: I) -> I;
        fn min_int(a: I, b: I) -> I;
        fn lowest(a: I, b: I) -> I;
        fn small_product(a: I, b: I) -> I;
    }

    #[inline(always)]
    fn floats(x: f32) -> Both<V::F> {
        Both(V::floats(x), V::floats(x))
    }
    #[inline(always)]
    fn ints(i: i32) -> Both<V::I> {
        Both(V::ints(i), V::ints(i))
    }
    #[inline(always)]
    fn load<const N: usize>(register: &[f32; N], at: usize) -> Both<V::F> {
        Both(V::load(register, at), V::load(register, at + V::LANES))
    }
    #[inline(always)]
    fn store<const N: usize>(values: Both<V::F>, register: &mut [f32; N], at: usize) {
        V::store(values.0, register, at);
        V::store(values.1, register, at + V::LANES);
    }
    #[inline(always)]
    fn reduce_max(x: Both<V::F>) -> f32 {
        V::reduce_max(V::maximum(x.0, x.1))
    }
    #[inline(always)]
    fn quads<const TO: i32>(x: Both<V::F>) -> Both<V::F> {
        Both(V::quads::<TO>(x.0), V::quads::<TO>(x.1))
    }
    #[inline(always)]
    fn never() -> Both<V::M> {
        Both(V::never(), V::never())
    }
    #[inline(always)]
    fn any(m: Both<V::M>) -> bool {
        V::any(m.0 | m.1)
    }
    #[inline(always)]
    fn shift_left<const BY: u32>(i: Both<V::I>) -> Both<V::I> {
        Both(V::shift_left::<BY>(i.0), V::shift_left::<BY>(i.1))
    }
    #[inline(always)]
    fn shift_right<const BY: u32>(i: Both<V::I>) -> Both<V::I> {
        Both(V::shift_right::<BY>(i.0), V::shift_right::<BY>(i.1))
    }
    #[inline(always)]
    fn byte<const C: u32>(words: Both<V::I>) -> Both<V::F> {
        Both(V::byte::<C>(words.0), V::byte::<C>(words.1))
    }
    #[inline(always)]
    fn words(from: Elements<'_, u32>, index: Both<V::I>) -> Both<V::I> {
        Both(V::words(from, index.0), V::words(from, index.1))
    }
    #[inline(always)]
    fn values(from: Elements<'_, f32>, index: Both<V::I>) -> Both<V::F> {
        Both(V::values(from, index.0), V::values(from, index.1))
    }
    #[inline(always)]
    fn pairs(from: Elements<'_, u32>, index: Both<V::I>) -> [Both<V::I>; 2] {
        let ([first, second], [third, fourth]) = (V::pairs(from, index.0), V::pairs(from, index.1));
        [Both(first, third), Both(second, fourth)]
    }
    /// One half after the other, so that the values of a half stay in registers.
    #[inline(always)]
    fn lanewise<const N: usize>(
        function: impl Lanewise<N>,
        ints: [Both<V::I>; N],
        masks: [Both<V::M>; N],
        floats: [Both<V::F>; 3],
    ) -> [Both<V::F>; 4] {
        let (lower_ints, upper_ints) = (ints.map(|both| both.0), ints.map(|both| both.1));
        let (lower_masks, upper_masks) = (masks.map(|both| both.0), masks.map(|both| both.1));
        let (lower_floats, upper_floats) = (floats.map(|both| both.0), floats.map(|both| both.1));
        let lower = function.compute::<V>(lower_ints, lower_masks, lower_floats);
        let [x, y, z, w] = function.compute::<V>(upper_ints, upper_masks, upper_floats);
        [Both(lower[0], x), Both(lower[1], y), Both(lower[2], z), Both(lower[3], w)]
    }

    #[inline(always)]
    fn movemask<const N: usize>(values: [i32; N]) -> u16 {
        V::movemask(values)
    }

    #[inline(always)]
    fn choose<const N: usize>(bits: u16, new: &[f32; N], old: &[f32; N]) -> [f32; N] {
        V::choose(bits, new, old)
    }
}
