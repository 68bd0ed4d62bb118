"""Renderers for the terminal, HTML, JSON and print: one module for each kind of result."""
