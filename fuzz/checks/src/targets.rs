//! The fuzz targets. Each one interprets its bytes as an input for `front`, `files`, `gl` or the executors,
//! and panics if a check fails.

use crate::support::effects;
use crate::support::patches;
use crate::support::random::Random;
use crate::support::reordered;
use crate::support::replay;
use crate::support::slices;
use crate::support::trials::{self, Trial};
use crate::{front, gl as calls};

pub type Target = fn(&[u8]);

/// The targets that need only the engine, by the names of their binaries and corpora.
pub const ENGINE: [(&str, Target); 10] = [
    ("fp1", fp1),
    ("vp", vp),
    ("arbfp", arbfp),
    ("arbvp", arbvp),
    ("gpu", gpu),
    ("text", text),
    ("ide", ide),
    ("expression", expression),
    ("execution", execution),
    ("gl", gl),
];

/// The targets that need the app's library.
#[cfg(feature = "app")]
pub const APP: [(&str, Target); 3] =
    [("scene", crate::files::scene), ("obj", crate::files::obj), ("image", crate::files::image)];

/// Checks `!!FP1.0` followed by the bytes.
pub fn fp1(data: &[u8]) {
    front::check(&[b"!!FP1.0\n", data].concat());
}

/// Checks a program of one of NVIDIA's vertex languages. The first byte chooses the header.
pub fn vp(data: &[u8]) {
    front::check(&front::with_start(&["!!VP1.0", "!!VP1.1", "!!VP2.0", "!!VSP1.0"], data));
}

/// Checks an `!!ARBfp1.0` program. The first byte chooses its options.
pub fn arbfp(data: &[u8]) {
    front::check(&front::with_start(&front::ARBFP_STARTS, data));
}

/// Checks an `!!ARBvp1.0` program. The first byte chooses its options.
pub fn arbvp(data: &[u8]) {
    front::check(&front::with_start(&front::ARBVP_STARTS, data));
}

/// Checks a program of NV_gpu_program4 or 5. The first byte chooses the header and options.
pub fn gpu(data: &[u8]) {
    front::check(&front::with_start(&front::GPU_STARTS, data));
}

/// Checks the bytes as a whole program text.
pub fn text(data: &[u8]) {
    front::check(data);
}

/// Checks an editor's features. The first two bytes choose places in the text, which is the remaining bytes.
pub fn ide(data: &[u8]) {
    let [low, high, text @ ..] = data else { return };
    front::check_ide(text, usize::from(u16::from_le_bytes([*low, *high])));
}

/// Checks the bytes, with invalid UTF-8 replaced, as an expression over registers.
pub fn expression(data: &[u8]) {
    front::check_expression(&String::from_utf8_lossy(data));
}

/// Checks the executors against each other, or a trace against a run, on a random program. The first byte
/// chooses the trial, and the others are the random source.
pub fn execution(data: &[u8]) {
    const TRIALS: [Trial; 19] = [
        trials::steps_of_fragments,
        trials::steps_of_vertices,
        trials::steps_of_arb,
        trials::blocks_of_fragments,
        trials::blocks_of_vertices,
        |seed, random| drop(trials::branching(seed, random)),
        |seed, random| drop(trials::structured(seed, random)),
        |seed, random| drop(trials::indirect(seed, random)),
        trials::blocks_of_structured,
        replay::trial,
        trials::steps_of_types,
        trials::blocks_of_types,
        trials::groups_of_types,
        trials::blocks_of_groups,
        |seed, random| {
            effects::vertices(seed, random);
        },
        |seed, random| {
            effects::fragments(seed, random);
        },
        |seed, random| {
            patches::trial(seed, random);
        },
        |seed, random| {
            let kind = random.below(slices::KINDS);
            slices::trial(seed, kind, random, &mut slices::Counts::default());
        },
        |seed, random| reordered::trial(seed, random, &mut reordered::Counts::default()),
    ];
    let Some((&which, data)) = data.split_first() else { return };
    TRIALS[usize::from(which) % TRIALS.len()](0, &mut Random::from(data));
}

/// Checks calls on a context and their draws.
pub fn gl(data: &[u8]) {
    calls::run(data);
}

/// Returns `data` with bytes changed, removed, doubled, or replaced by a part of `other`.
pub fn changed(seed: u64, data: &[u8], other: &[u8]) -> Vec<u8> {
    let random = &mut Random::new(seed);
    let mut data = data.to_vec();
    for _ in 0..=random.below(4) {
        let at = random.below(data.len() + 1);
        let end = (at + random.below(20)).min(data.len());
        match random.below(5) {
            0 => data.truncate(at),
            1 => drop(data.drain(at..end)),
            2 => data.extend_from_within(at..end),
            3 => {
                let from = random.below(other.len() + 1);
                let to = (from + random.below(40)).min(other.len());
                data.splice(at..end, other[from..to].iter().copied());
            }
            _ if at < data.len() => data[at] = random.next() as u8,
            _ => {}
        }
    }
    data
}
