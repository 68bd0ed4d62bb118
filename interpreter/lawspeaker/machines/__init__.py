"""Back ends that run a typed program: a reference interpreter and a compiler to WebAssembly.

Both behave identically. The reference interpreter explains and traces; the compiler is for speed.
"""
