"""Holds JSON against the part of JSON Schema that docs/ uses; any other keyword in a schema is an error."""
TYPES = {"object": dict, "array": list, "string": str, "integer": int, "number": (int, float),
         "boolean": bool}
KNOWN = {"$schema", "$defs", "$ref", "title", "description", "type", "enum", "oneOf", "required", "properties",
         "additionalProperties", "items",
         "minItems", "maxItems", "minimum", "maximum"}


def faults(value, schema, root=None, at="$"):
    """What is wrong, as a list of texts."""
    root = root or schema
    if set(schema) - KNOWN:
        return [f"the schema has unknown words {sorted(set(schema) - KNOWN)}"]
    if "$ref" in schema:
        return faults(value, root["$defs"][schema["$ref"].rpartition("/")[2]], root, at)
    found = []
    if "oneOf" in schema and sum(not faults(value, s, root, at) for s in schema["oneOf"]) != 1:
        found.append(f"{at}: is not one of the {len(schema['oneOf'])} kinds: {[faults(value, s, root, at)[:1] for s in schema['oneOf']]}")
    kind = TYPES.get(schema.get("type"))
    if kind and (not isinstance(value, kind) or (kind is not bool and isinstance(value, bool))):
        return found + [f"{at}: {value!r:.60} is no {schema['type']}"]
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{at}: {value!r:.60} is none of {schema['enum']}")
    if isinstance(value, (int, float)) and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        found.append(f"{at}: {value} is out of range")
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            found.append(f"{at}: {len(value)} items")
        for i, item in enumerate(value):
            found += faults(item, schema.get("items", {}), root, f"{at}[{i}]")
    if isinstance(value, dict):
        properties, others = schema.get("properties", {}), schema.get("additionalProperties", True)
        found += [f"{at}: '{key}' is missing" for key in schema.get("required", []) if key not in value]
        for key, item in value.items():
            if key in properties:
                found += faults(item, properties[key], root, f"{at}.{key}")
            elif others is False:
                found.append(f"{at}: '{key}' is not in the schema")
            elif isinstance(others, dict):
                found += faults(item, others, root, f"{at}.{key}")
    return found
