"""What a language model does in a research: bounded pieces of work, each asked for, checked, and
replaceable.

`work` is the one way a step asks: within the calls of the run, with a schema, one repair, and a
line in the trajectory. Every function here returns None (or its input unchanged) when no model
answered usefully; the caller then goes the way without a model. Prompts are the files in prompts/.
"""
