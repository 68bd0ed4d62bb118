"""The middle form: what a machine is to do, in numbers, variables and memory, for no target yet.

forms       expressions, statements and functions, as data
building    a function being written: `x = a + (b << 2)`, `with f.each_bit("piece", mask)`
module      functions, what they share, and what lies in memory: what is written for a target
printing    a function as text
folding, forwarding     what is known beforehand, and variables that need not be (`simplifying`)
propagation     constants in place of variables that hold one
"""
