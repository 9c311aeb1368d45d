"""A small checker of JSON values against the schemas that our OpenAPI document uses."""

from typing import Any

TYPES: dict[str, Any] = {
    "object": dict, "array": list, "string": str, "boolean": bool, "null": type(None),
    "integer": int,
    "number": (int, float),
}  # fmt: skip


def problems(value: Any, schema: Any, document: Any, at: str = "$") -> list[str]:
    """Where a value is not what its schema says; empty when it is."""
    if "$ref" in schema:
        return problems(
            value,
            document["components"]["schemas"][schema["$ref"].rpartition("/")[2]],
            document,
            at,
        )
    if "anyOf" in schema:
        tried = [problems(value, option, document, at) for option in schema["anyOf"]]
        return [] if [] in tried else tried[0]
    errors = []
    kinds = schema.get("type")
    if kinds is not None:
        names = kinds if isinstance(kinds, list) else [kinds]
        fits = any(
            isinstance(value, TYPES[name]) and not (name != "boolean" and isinstance(value, bool))
            for name in names
        )
        if not fits:
            return [f"{at}: {value!r} is no {kinds}"]
    if "const" in schema and value != schema["const"]:
        errors.append(f"{at}: {value!r} is not {schema['const']!r}")
    if "enum" in schema and value not in schema["enum"]:
        errors.append(f"{at}: {value!r} is none of {schema['enum']}")
    if isinstance(value, dict):
        errors += in_object(value, schema, document, at)
    if isinstance(value, list):
        for number, item in enumerate(value):
            parts = schema.get("prefixItems", [])
            inner = parts[number] if number < len(parts) else schema.get("items", {})
            errors += problems(item, inner, document, f"{at}[{number}]")
    return errors


def in_object(value: dict[str, Any], schema: Any, document: Any, at: str) -> list[str]:
    errors = [
        f"{at}: {name} is missing" for name in schema.get("required", []) if name not in value
    ]
    properties, more = schema.get("properties", {}), schema.get("additionalProperties", True)
    for name, item in value.items():
        if name in properties:
            errors += problems(item, properties[name], document, f"{at}.{name}")
        elif more is False:
            errors.append(f"{at}: {name} is unknown")
        elif isinstance(more, dict):
            errors += problems(item, more, document, f"{at}.{name}")
    return errors
