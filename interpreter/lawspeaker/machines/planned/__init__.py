"""Planning passes: they decide how the compiled machine does what the lowered program says."""
