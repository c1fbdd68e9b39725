"""A typed model of LLVM's textual IR: parse, walk, print."""
