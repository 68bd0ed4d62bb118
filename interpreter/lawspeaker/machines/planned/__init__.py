"""Planning passes: from the lowered program to what the compiled machine writes, without code."""
