"""Everything the tests need of Triton: compile the corpus, run it in Triton's interpreter, rewrite its IR."""
