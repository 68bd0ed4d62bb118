"""The middle form: what a machine is to do, in numbers, variables and memory, for no target yet.

forms       expressions and statements, as data
building    a function being written: `x = a + (b << 2)`, `with f.each_bit("piece", mask)`
printing    a function as text
folding, forwarding     what is known beforehand, and variables that need not be
"""
