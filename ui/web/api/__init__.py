"""The JSON interface, version 1. One table of routes makes the addresses and the OpenAPI
document."""
