//! The lossless lexer shared by the parser and the highlighter.
