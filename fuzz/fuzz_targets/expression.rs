#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| shadestep_checks::targets::expression(data));
