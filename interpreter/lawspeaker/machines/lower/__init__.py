"""Lowering of the typed program to operations, shared by both back ends."""
