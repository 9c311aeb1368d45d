"""Models behind any endpoint: what is asked, what comes back, and what can go wrong. All of it is
optional.

model       the nouns: Message, Request, Reply, Usage, Endpoint, Role
roles       Models: which role asks which endpoint, with limits, a cache and accounting
structured  answers that must follow a schema: validated, repaired once
folding     long histories made short without losing anything unfolded
detect      local servers, model lists, connection tests
images      making and describing pictures
"""
