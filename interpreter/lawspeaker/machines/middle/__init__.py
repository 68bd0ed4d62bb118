"""The middle form: what a machine is to do, in numbers, variables and memory, for no target yet.

forms       expressions, statements and functions, as data
building    a function being written: `x = a + (b << 2)`, `with f.each_bit("piece", mask)`
module      functions, what they share, and what lies in memory: what is written for a target
printing, parsing       a function as text, and from its text
folding, forwarding     what is known beforehand, and variables that need not be
propagation, pruning    constants in place of variables that hold one; what one use does not need
inlining    short functions where they are called
passes      all of these in their order
"""
