//! Types of values in `scene.toml`: how each is read, written and described.

use super::{Cell, Schema, Shape};
use crate::scene::read::Entry;
use crate::scene::write::values::{component, components, list, number, numbers};
use crate::scene::{AutoSource, Component, SceneError};
use crate::suggest;
use std::marker::PhantomData;
use toml::de::DeValue;
use toml_edit::Value;

/// A type of values.
pub(in crate::scene) trait Kind: Sync {
    /// The value in Rust.
    type Value: Clone + PartialEq;

    /// Reads the value of an entry.
    ///
    /// # Errors
    /// A value of another type or out of range, at its place.
    fn read(&self, entry: &Entry<'_>) -> Result<Self::Value, SceneError>;

    /// Returns the value as TOML, or nothing if scenes are never changed at such keys.
    fn write(&self, _: &Self::Value) -> Option<Value> {
        None
    }

    /// Describes the values.
    fn shape(&self) -> Shape;
}

/// A value of a type and its place in a `T`.
pub(in crate::scene) struct At<T: 'static, K: Kind> {
    pub kind: K,
    /// Returns nothing if the text needs no key.
    pub get: fn(&T) -> Option<K::Value>,
    pub set: fn(&mut T, K::Value),
}

impl<T, K: Kind> Cell<T> for At<T, K> {
    fn read(&self, into: &mut T, entry: &Entry<'_>) -> Result<(), SceneError> {
        (self.set)(into, self.kind.read(entry)?);
        Ok(())
    }

    fn write(&self, from: &T) -> Option<Value> {
        self.kind.write(&(self.get)(from)?)
    }

    fn same(&self, a: &T, b: &T) -> bool {
        (self.get)(a) == (self.get)(b)
    }

    fn shape(&self) -> Shape {
        self.kind.shape()
    }
}

/// A value that the caller reads, as it depends on more than its own entry.
pub(in crate::scene) struct Raw(pub fn() -> Shape);

impl Kind for Raw {
    type Value = ();

    fn read(&self, _: &Entry<'_>) -> Result<(), SceneError> {
        Ok(())
    }

    fn shape(&self) -> Shape {
        (self.0)()
    }
}

/// Text. The word describes the text in the book: `text` or `file`.
pub(in crate::scene) struct Text(pub &'static str);

impl Kind for Text {
    type Value = String;

    fn read(&self, entry: &Entry<'_>) -> Result<String, SceneError> {
        entry.string().map(str::to_owned)
    }

    fn write(&self, value: &String) -> Option<Value> {
        Some(value.into())
    }

    fn shape(&self) -> Shape {
        Shape::Text(self.0)
    }
}

/// True or false.
pub(in crate::scene) struct Flag;

impl Kind for Flag {
    type Value = bool;

    fn read(&self, entry: &Entry<'_>) -> Result<bool, SceneError> {
        entry.boolean()
    }

    fn write(&self, value: &bool) -> Option<Value> {
        Some((*value).into())
    }

    fn shape(&self) -> Shape {
        Shape::Flag
    }
}

/// A finite fp32.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::scene) enum Number {
    Any,
    /// 0 to 1.
    Unit,
    /// Above 0.
    Positive,
}

impl Number {
    /// Checks that all values of `entry` are in the range.
    fn check(self, entry: &Entry<'_>, values: &[f32]) -> Result<(), SceneError> {
        let (is_in_range, words): (fn(&f32) -> bool, _) = match self {
            Self::Any => return Ok(()),
            Self::Unit => (|value| (0.0..=1.0).contains(value), "must be from 0 to 1"),
            Self::Positive => (|value| *value > 0.0, "must be greater than 0"),
        };
        match values.iter().all(is_in_range) {
            true => Ok(()),
            false => Err(entry.error(format!("\"{}\" {words}", entry.name))),
        }
    }
}

impl Kind for Number {
    type Value = f32;

    fn read(&self, entry: &Entry<'_>) -> Result<f32, SceneError> {
        let value = entry.finite()?;
        self.check(entry, &[value])?;
        Ok(value)
    }

    fn write(&self, value: &f32) -> Option<Value> {
        Some(number(*value))
    }

    fn shape(&self) -> Shape {
        match self {
            Self::Any => Shape::Number(None, None),
            Self::Unit => Shape::Number(Some(0.0), Some(1.0)),
            Self::Positive => Shape::Positive,
        }
    }
}

/// A whole number from the first to the second, which an `N` holds.
pub(in crate::scene) struct Whole<N>(u32, u32, PhantomData<N>);

impl<N> Whole<N> {
    pub const fn new(least: u32, most: u32) -> Self {
        Self(least, most, PhantomData)
    }
}

impl<N: TryFrom<u32> + Into<u32> + Copy + PartialEq + Sync> Kind for Whole<N> {
    type Value = N;

    fn read(&self, entry: &Entry<'_>) -> Result<N, SceneError> {
        let value = entry.integer(self.0..=self.1)?;
        // The range is within that of `N`.
        N::try_from(value).map_err(|_| entry.error(format!("\"{}\" is out of range", entry.name)))
    }

    fn write(&self, value: &N) -> Option<Value> {
        Some(i64::from((*value).into()).into())
    }

    fn shape(&self) -> Shape {
        Shape::Whole(self.0.into(), self.1.into())
    }
}

/// One of these values, by name.
pub(in crate::scene) struct OneOf<V: 'static>(pub &'static [(V, &'static str)]);

impl<V: Copy + PartialEq + Sync> Kind for OneOf<V> {
    type Value = V;

    fn read(&self, entry: &Entry<'_>) -> Result<V, SceneError> {
        entry.choice(self.0)
    }

    fn write(&self, value: &V) -> Option<Value> {
        self.0.iter().find(|(choice, _)| choice == value).map(|(_, name)| (*name).into())
    }

    fn shape(&self) -> Shape {
        Shape::Words(self.0.iter().map(|(_, name)| *name).collect())
    }
}

/// One of these values, with a function that returns a value's name.
pub(in crate::scene) struct Named<V: 'static>(pub &'static [V], pub fn(V) -> &'static str);

impl<V: Copy + PartialEq + Sync> Kind for Named<V> {
    type Value = V;

    fn read(&self, entry: &Entry<'_>) -> Result<V, SceneError> {
        let choices: Vec<(V, &str)> = self.0.iter().map(|&value| (value, (self.1)(value))).collect();
        entry.choice(&choices)
    }

    fn write(&self, value: &V) -> Option<Value> {
        Some((self.1)(*value).into())
    }

    fn shape(&self) -> Shape {
        Shape::Words(self.0.iter().map(|&value| (self.1)(value)).collect())
    }
}

/// One of these values. Several spellings of a name are accepted.
pub(in crate::scene) struct Listed<V: 'static> {
    pub all: &'static [V],
    pub name: fn(V) -> &'static str,
    pub find: fn(&str) -> Option<V>,
    /// A noun for the values in messages, such as `texture format`.
    pub what: &'static str,
}

impl<V: Copy + PartialEq + Sync> Kind for Listed<V> {
    type Value = V;

    fn read(&self, entry: &Entry<'_>) -> Result<V, SceneError> {
        let name = entry.string()?;
        (self.find)(name).ok_or_else(|| {
            let hint = suggest::known(name, self.all.iter().map(|&value| (self.name)(value)), "formats");
            entry.error(format!("there is no {} \"{name}\"{hint}", self.what))
        })
    }

    fn write(&self, value: &V) -> Option<Value> {
        Some((self.name)(*value).into())
    }

    fn shape(&self) -> Shape {
        Shape::Spelled(self.all.iter().map(|&value| (self.name)(value)).collect())
    }
}

/// `N` finite numbers in brackets.
pub(in crate::scene) struct Floats<const N: usize>(pub Number);

impl<const N: usize> Kind for Floats<N> {
    type Value = [f32; N];

    fn read(&self, entry: &Entry<'_>) -> Result<[f32; N], SceneError> {
        let values = entry.vector()?;
        self.0.check(entry, &values)?;
        Ok(values)
    }

    fn write(&self, value: &[f32; N]) -> Option<Value> {
        Some(numbers(value))
    }

    fn shape(&self) -> Shape {
        self.0.shape().array(N, N)
    }
}

/// `N` whole numbers in brackets, from the first to the second.
pub(in crate::scene) struct Wholes<const N: usize>(pub u32, pub u32);

impl<const N: usize> Kind for Wholes<N> {
    type Value = [u32; N];

    fn read(&self, entry: &Entry<'_>) -> Result<[u32; N], SceneError> {
        entry.wholes(self.0..=self.1)
    }

    fn shape(&self) -> Shape {
        Shape::Whole(self.0.into(), self.1.into()).array(N, N)
    }
}

/// A set of whole numbers from 0 to 7, as bits. The string describes the numbers in messages.
pub(in crate::scene) struct Bits(pub &'static str);

impl Kind for Bits {
    type Value = u8;

    fn read(&self, entry: &Entry<'_>) -> Result<u8, SceneError> {
        let mut set = 0_u8;
        for value in entry.array(0..=8, &format!("{}, 0 to 7, in brackets", self.0))? {
            set |= 1 << entry.integer_of(value, &(0..=7))?;
        }
        Ok(set)
    }

    fn write(&self, value: &u8) -> Option<Value> {
        Some(list((0..8_i64).filter(|bit| value >> bit & 1 != 0).map(Value::from)))
    }

    fn shape(&self) -> Shape {
        Shape::Whole(0, 7).array(0, 8)
    }
}

/// A number, or a source that each frame fills in. The string describes the expected value in errors.
pub(in crate::scene) struct Source(pub &'static str);

impl Source {
    /// The description for values without a better one.
    pub const PLAIN: Self = Self("a number or a source such as \"time\"");

    /// Reads a number or a source in `value` of `entry`.
    ///
    /// # Errors
    /// Another value.
    pub fn read_value(&self, entry: &Entry<'_>, value: &DeValue<'_>) -> Result<Component, SceneError> {
        match value.as_str() {
            Some(word) => entry.choice_of(word, &AutoSource::NAMED).map(Component::Auto),
            None => entry.float_of(value, self.0).map(Component::Constant),
        }
    }
}

impl Kind for Source {
    type Value = Component;

    fn read(&self, entry: &Entry<'_>) -> Result<Component, SceneError> {
        self.read_value(entry, entry.value)
    }

    fn write(&self, value: &Component) -> Option<Value> {
        Some(component(*value))
    }

    fn shape(&self) -> Shape {
        Shape::Source
    }
}

/// `least` to `most` numbers or sources in brackets, or one alone if `most` is 1.
#[derive(Clone, Copy)]
pub(in crate::scene) struct Sources {
    pub least: usize,
    pub most: usize,
    /// The value of missing components.
    pub last: f32,
    pub wanted: &'static str,
}

impl Sources {
    /// Three components.
    pub const THREE: Self =
        Self { least: 3, most: 3, last: 0.0, wanted: "3 numbers or sources such as \"time\" in brackets" };
}

impl Kind for Sources {
    type Value = [Component; 4];

    fn read(&self, entry: &Entry<'_>) -> Result<[Component; 4], SceneError> {
        let values = match self.most {
            1 => vec![entry.value],
            most => entry.array(self.least..=most, self.wanted)?,
        };
        let mut all = [Component::Constant(self.last); 4];
        for (out, value) in all.iter_mut().zip(values) {
            *out = Source(self.wanted).read_value(entry, value)?;
        }
        Ok(all)
    }

    fn write(&self, value: &[Component; 4]) -> Option<Value> {
        Some(if self.most == 1 { component(value[0]) } else { components(&value[..self.most]) })
    }

    fn shape(&self) -> Shape {
        match self.most {
            1 => Shape::Source,
            most => Shape::Source.array(self.least, most),
        }
    }
}

/// A table. The function makes the value before the keys are read.
pub(in crate::scene) struct Sub<U: 'static>(pub &'static Schema<U>, pub fn() -> U);

impl<U: Clone + PartialEq> Kind for Sub<U> {
    type Value = U;

    fn read(&self, entry: &Entry<'_>) -> Result<U, SceneError> {
        let mut value = (self.1)();
        self.0.read(&entry.table(self.0.place)?, &mut value)?;
        Ok(value)
    }

    fn write(&self, value: &U) -> Option<Value> {
        Some(self.0.inline(value))
    }

    fn shape(&self) -> Shape {
        Shape::Table(self.0.shape())
    }
}
