//! The user's changes of the table of keys.

use super::tolerant;
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;

/// The keys of changed commands, by the commands' names. Commands and keys that this version does not know
/// are kept as written. [`crate::keys`] reads and changes them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct KeyChanges {
    pub(crate) keys: BTreeMap<String, Vec<String>>,
}

impl KeyChanges {
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }
}

/// Entries that are not a list of words are skipped.
impl<'de> Deserialize<'de> for KeyChanges {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(transparent)]
        struct Words(#[serde(deserialize_with = "tolerant")] Option<Vec<String>>);
        let keys = BTreeMap::<String, Words>::deserialize(deserializer)?.into_iter();
        Ok(Self { keys: keys.filter_map(|(command, Words(keys))| Some((command, keys?))).collect() })
    }
}
