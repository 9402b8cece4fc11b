fn main() { let _ = eframe::NativeOptions::default(); }
