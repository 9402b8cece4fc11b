//! What the words of all languages have in common.

/// The number in `word` after `prefix`, written without leading zeros.
pub(crate) fn numbered(word: &str, prefix: &str) -> Option<u32> {
    let digits = word.strip_prefix(prefix)?;
    let plain = !digits.is_empty()
        && digits.bytes().all(|b| b.is_ascii_digit())
        && (digits == "0" || !digits.starts_with('0'));
    // A number too long for u32 is out of every range there is.
    plain.then(|| digits.parse().unwrap_or(u32::MAX))
}

/// The same, if it is below `limit`.
pub(crate) fn numbered_below(word: &str, prefix: &str, limit: u8) -> Option<u8> {
    numbered(word, prefix).and_then(|n| u8::try_from(n).ok()).filter(|&n| n < limit)
}
