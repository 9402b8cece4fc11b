//! The functions of real programs: all programs of the samples.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use super::texts::assert_prints_and_parses;
use crate::common::files;
use shadestep_core::exec::Executable;
use shadestep_core::exec::lir::text::print;
use shadestep_core::exec::lir::{
    Denorms, Function, Masks, Module, Needs, OptionalOperation, prepared, verify,
};
use shadestep_engine::front::load;

/// The functions of all programs of the samples.
fn modules() -> Vec<Module> {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples");
    let paths = files::below(&samples, &["arbfp", "arbvp", "fp", "gp", "tcp", "tep", "vp"]);
    let programs = paths.into_iter().filter_map(|(_, path)| load(&fs::read(path).ok()?).program);
    let modules = programs.flat_map(|program| {
        Executable::all(&Arc::new(program)).first().map(Executable::modules).into_iter().flatten()
    });
    modules.collect()
}

#[test]
fn functions_of_programs_are_correct() {
    let modules = modules();
    let functions: Vec<&Function> = modules.iter().flat_map(|module| &module.functions).collect();
    assert!(functions.len() > 1000, "{} functions", functions.len());
    for function in functions {
        assert_eq!(verify(function, Masks::Own), [], "{}", print("program", function));
        assert_prints_and_parses(function);
    }
}

/// In debug builds, [`prepared`] verifies the result of each pass.
#[test]
fn passes_keep_functions_of_programs_correct() {
    const ALL: &[OptionalOperation] = &OptionalOperation::ALL;
    let forms = [
        Needs { denorms: None, masks: Masks::Own, legal: &[] },
        Needs { denorms: Some(Denorms::Kept), masks: Masks::Vectors, legal: ALL },
        Needs { denorms: Some(Denorms::AreZeros), masks: Masks::Own, legal: ALL },
        Needs { denorms: Some(Denorms::AreZeros), masks: Masks::Vectors, legal: &[] },
    ];
    for module in modules() {
        for needs in &forms {
            assert_eq!(prepared(&module, needs).len(), module.functions.len());
        }
    }
}
