"""Two books side by side: which sentences of one say what sentences of the other say."""
