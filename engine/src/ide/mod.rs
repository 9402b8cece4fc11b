//! What an editor asks of a program text: highlighting, hover, completion, outline. Plain data.
