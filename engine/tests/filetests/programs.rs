//! The functions and blocks of real programs: all programs of the samples.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use super::blocks::segments;
use super::texts::assert_prints_and_parses;
use crate::common::files;
use shadestep_core::exec::Executable;
use shadestep_core::exec::lir::text::{parse_blocks, print, print_block};
use shadestep_core::exec::lir::{
    Block, Denorms, Exit, Function, Masks, Module, Needs, OptionalOperation, prepared, verify, verify_block,
};
use shadestep_engine::front::load;

fn executables() -> impl Iterator<Item = Executable> {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples");
    let paths = files::below(&samples, &["arbfp", "arbvp", "fp", "gp", "tcp", "tep", "vp"]);
    let programs = paths.into_iter().filter_map(|(_, path)| load(&fs::read(path).ok()?).program);
    programs.filter_map(|program| Executable::all(&Arc::new(program)).into_iter().next())
}

/// The functions of all programs of the samples.
fn modules() -> Vec<Module> {
    executables().flat_map(|executable| executable.modules()).collect()
}

/// The names of values in a block may have gaps. So the test compares what [`cut`] makes of the blocks.
///
/// [`cut`]: shadestep_core::exec::lir::cut
#[test]
fn blocks_of_programs_are_correct_and_print_and_parse() {
    let blocks: Vec<Block> = executables().flat_map(|executable| executable.blocks()).collect();
    let effects: usize = blocks.iter().map(|block| block.effects().count()).sum();
    let exits = blocks.iter().filter(|block| block.exit != Exit::Next).count();
    assert!(effects > 200 && exits > 100, "{effects} effects, {exits} exits");
    for block in blocks {
        let text = print_block("sample", &block);
        assert_eq!(verify_block(&block, Masks::Own), Vec::<String>::new(), "{text}");
        let parsed = parse_blocks(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let [parsed] = parsed.as_slice() else { panic!("one block\n{text}") };
        assert_eq!(segments(&parsed.code), segments(&block), "{text}");
        assert_eq!(parsed.code.exit, block.exit, "{text}");
    }
}

#[test]
fn functions_of_programs_are_correct() {
    let modules = modules();
    let functions: Vec<&Function> = modules.iter().flat_map(|module| &module.functions).collect();
    assert!(functions.len() > 1000, "{} functions", functions.len());
    for function in functions {
        assert_eq!(verify(function, Masks::Own), Vec::<String>::new(), "{}", print("program", function));
        assert_prints_and_parses(function);
    }
}

/// In tests, [`prepared`] verifies the result of each pass.
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
