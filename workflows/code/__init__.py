"""Work on code with a model: edit a file, make new ones, or a whole change in a work tree of its
own.

The model proposes; code checks every proposal (tools/host), a person sees each difference before it
is made.
"""
