//! Shadestep beside the machine's OpenGL driver: the same programs, loaded and run by both. See `README.md`.
//!
//! `cargo test -p shadestep-engine --features peer --test peer` compares;
//! `SHADESTEP_PEER_RECORD=1` before it also writes what the driver answered to `recordings/`.

#[path = "../conformance/format.rs"]
#[expect(dead_code, reason = "tests of its own run with the conformance files")]
mod format;
#[path = "../support/limits.rs"]
mod limits;
#[path = "../conformance/names.rs"]
#[expect(dead_code, reason = "results are looked for in other ways")]
mod names;
#[path = "../conformance/program_text.rs"]
#[expect(dead_code, reason = "resources are not compared")]
mod program_text;
#[path = "../support/mod.rs"]
#[expect(dead_code, reason = "the executors' tests use the rest")]
mod support;
#[path = "../conformance/texture_building.rs"]
mod texture_building;
#[path = "../conformance/texture_notation.rs"]
#[expect(dead_code, reason = "tests of its own run with the conformance files")]
mod texture_notation;
#[path = "../conformance/values.rs"]
#[expect(dead_code, reason = "expected values are not compared")]
mod values;

mod compare;
mod defined;
mod gl;
mod made;
mod ours;
mod question;
mod questions;
mod surgery;
mod theirs;

fn main() {
    let driver = theirs::Driver::new().unwrap();
    eprintln!("{:?}", driver.name());
    let t = std::time::Instant::now();
    let questions = questions::all();
    eprintln!("{} questions {:?}", questions.len(), t.elapsed());
    let mut asked = 0;
    let mut runs = 0;
    for q in &questions {
        if !driver.offers(&q.text) { continue; }
        let theirs = match driver.answer(q) { Ok(Some(a)) => a, Ok(None) => continue, Err(e) => { println!("ERR {} {e}", q.name); continue; } };
        let ours = match ours::answer(q) { Ok(a) => a, Err(e) => { println!("OURS {} {e}", q.name); continue; } };
        asked += 1;
        runs += q.runs.len();
        if let Some(d) = compare::difference(q, &theirs, &ours) { println!("{d}"); }
    }
    eprintln!("asked {asked} runs {runs} {:?}", t.elapsed());
}
