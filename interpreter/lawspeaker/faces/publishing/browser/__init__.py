"""What runs in the browser besides the interpreter itself, under Pyodide."""
