//! Limits of the ARB languages that the texts leave to an implementation, by the names that the files
//! write in braces. The files need no number but these, so a front end with other limits is tested by
//! changing this table, or by taking it from there.

/// Names and values. Where a text has a minimum it stands behind the value.
pub const LIMITS: &[(&str, u32)] = &[
    // ARB_fragment_program, table X.10.
    ("MAX_INSTRUCTIONS", 1024),     // 72
    ("MAX_ALU_INSTRUCTIONS", 1024), // 48
    ("MAX_TEX_INSTRUCTIONS", 1024), // 24
    ("MAX_TEMPORARIES", 64),        // 16
    ("MAX_PARAMETERS", 256),        // 24
    ("MAX_ATTRIBS", 12),            // 10
    ("MAX_ENV_PARAMETERS", 256),    // 24
    ("MAX_LOCAL_PARAMETERS", 256),  // 24
    ("MAX_PROGRAM_MATRICES", 8),    // 8
    ("MAX_TEXTURE_COORDS", 8),      // 2, ruling 11
    ("MAX_IMAGE_UNITS", 16),        // 2, ruling 11
    ("MAX_TEXTURE_UNITS", 8),       // no more than the smaller of the two before
    ("MAX_LIGHTS", 8),              // 8
    // ARB_draw_buffers.
    ("MAX_DRAW_BUFFERS", 4), // 1
    // NV_fragment_program2, table X.10.
    ("MAX_IF_DEPTH", 48),    // 48
    ("MAX_LOOP_DEPTH", 4),   // 4
    ("MAX_CALL_DEPTH", 4),   // 4
    ("MAX_LOOP_COUNT", 255), // 255
];

/// The value of `NAME`, `NAME-2` or `NAME+1`.
pub fn value(expression: &str) -> Option<u32> {
    let limit = |name: &str| LIMITS.iter().find(|(n, _)| *n == name).map(|&(_, value)| value);
    if let Some((name, less)) = expression.split_once('-') {
        return limit(name)?.checked_sub(less.parse().ok()?);
    }
    if let Some((name, more)) = expression.split_once('+') {
        return limit(name)?.checked_add(more.parse().ok()?);
    }
    limit(expression)
}

/// `line` with every `{MAX_...}` replaced by its value; other braces belong to the language.
pub fn expand(line: &str) -> Result<String, String> {
    let mut expanded = String::new();
    let mut rest = line;
    while let Some(at) = rest.find("{MAX_") {
        let (inner, after) = rest[at + 1..].split_once('}').ok_or("`}` missing")?;
        let value = value(inner).ok_or_else(|| format!("unknown limit `{inner}`"))?;
        expanded.push_str(&rest[..at]);
        expanded.push_str(&value.to_string());
        rest = after;
    }
    expanded.push_str(rest);
    Ok(expanded)
}
