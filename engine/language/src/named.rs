//! [`named_enum!`](crate::named_enum): enums as tables, with one row for each variant.

/// Declares enums whose variants have names: `ALL` lists the values in the order of the rows, `NAMED` lists
/// them with their names, `name` and `from_name` convert to and from names. The enums are `Copy`, `Debug`,
/// `Hash` and `Ord`.
///
/// ```
/// shadestep_language::named_enum! {
///     /// A wrap mode.
///     #[derive(Default)]
///     pub enum Wrap {
///         #[default]
///         Repeat = "REPEAT",
///         /// Clamps coordinates to the texture.
///         Clamp = "CLAMP",
///     }
/// }
///
/// assert_eq!(Wrap::ALL.map(Wrap::name), ["REPEAT", "CLAMP"]);
/// assert_eq!(Wrap::from_name("CLAMP"), Some(Wrap::Clamp));
/// ```
///
/// Further columns become functions too:
///
/// ```
/// shadestep_language::named_enum! {
///     /// A number format.
///     pub enum Format(
///         /// Size in bits.
///         pub bits: u32,
///         pub is_signed: bool,
///     ) {
///         S16 = "S16" => (16, true),
///         U32 = "U32" => (32, false),
///     }
/// }
///
/// assert_eq!(Format::U32.bits(), 32);
/// ```
///
/// The documentation of a variant begins with the name.
#[macro_export]
macro_rules! named_enum {
    (@columns $type:ident [] $($rest:tt)*) => {};
    (@columns $type:ident [$(#[$doc:meta])* $vis:vis $column:ident: $cell:ty, $($columns:tt)*]
        $($variant:ident [$first:expr, $($cells:expr,)*])*
    ) => {
        impl $type {
            $(#[$doc])*
            #[inline]
            $vis const fn $column(self) -> $cell {
                match self {
                    $(Self::$variant => $first,)*
                }
            }
        }

        $crate::named_enum!(@columns $type [$($columns)*] $($variant [$($cells,)*])*);
    };
    ($(
        $(#[$attribute:meta])*
        $vis:vis enum $type:ident $((
            $($(#[$column_doc:meta])* $column_vis:vis $column:ident: $cell_type:ty),* $(,)?
        ))? {
            $($(#[$doc:meta])* $variant:ident = $name:expr $(=> ($($cell:expr),* $(,)?))?),* $(,)?
        }
    )*) => {$(
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        $vis enum $type {
            $(
                #[doc = concat!("`", $name, "`")]
                #[doc = ""]
                $(#[$doc])*
                $variant,
            )*
        }

        impl $type {
            /// All values, in the order of the declaration.
            $vis const ALL: [Self; [$($name),*].len()] = [$(Self::$variant),*];

            /// All values with their names.
            $vis const NAMED: [(Self, &'static str); Self::ALL.len()] = [$((Self::$variant, $name)),*];

            #[inline]
            $vis const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// The value with this name.
            $vis fn from_name(name: &str) -> Option<Self> {
                Self::NAMED.into_iter().find(|named| named.1 == name).map(|named| named.0)
            }
        }

        $crate::named_enum!(@columns $type
            [$($($(#[$column_doc])* $column_vis $column: $cell_type,)*)?] $($variant [$($($cell,)*)?])*
        );
    )*};
}
