"""What any module may need: its memory, its luck, and functions that know no rule."""
