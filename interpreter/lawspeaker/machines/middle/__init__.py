"""The middle form: a typed, target-independent IR of numbers, variables and memory.

forms       expressions, statements and functions, as data
building    function builder: `x = a + (b << 2)`, `with f.each_bit("piece", mask)`
module      functions, globals, and initial memory: the input of the back ends
folding, forwarding     constant folding; elimination of dead and single-use variables
propagation, pruning    constant propagation; dead-code elimination for one use
inlining    inlines short functions
passes      all passes in their order
"""
