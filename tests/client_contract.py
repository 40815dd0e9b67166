"""A small contract with everything that a client has to deal with, in words of its own: nothing here is from a real API."""

from __future__ import annotations

from typing import Any

JSON = "application/json"


def content(schema: Any, media: str = JSON) -> dict[str, Any]:
    return {media: {"schema": schema}}


def ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}


def answers(schema: Any, media: str = JSON) -> dict[str, Any]:
    return {
        "200": {"description": "Done.", "content": content(schema, media)},
        "404": {"description": "Gone.", "content": content(ref("Gone"))},
        "4XX": {"description": "Refused.", "content": content(ref("Refusal"))},
    }


def parameter(name: str, place: str, schema: Any, **more: Any) -> dict[str, Any]:
    required = {"required": True} if place == "path" else {}
    return {"name": name, "in": place, "schema": schema, **required, **more}


TEXT = {"type": "string"}
WHOLE = {"type": "integer"}
TEXTS = {"type": "array", "items": TEXT}
POINT = ref("Point")
FEED = {
    "description": "Events.",
    "content": {
        "text/event-stream": {
            "itemSchema": {
                "type": "object",
                "properties": {
                    "data": {
                        "type": "string",
                        "contentMediaType": JSON,
                        "contentSchema": ref("News"),
                    }
                },
                "required": ["data"],
            }
        }
    },
}

CONTRACT: dict[str, Any] = {
    "openapi": "3.2.0",
    "info": {"title": "Things", "version": "2"},
    "servers": [
        {
            "url": "http://127.0.0.1:1/{edition}",
            "variables": {"edition": {"default": "two", "enum": ["one", "two"], "description": "Which edition."}},
        }
    ],
    "security": [{"key": []}],
    "paths": {
        "/things": {
            "get": {
                "operationId": "listThings",
                "summary": "List things",
                "parameters": [
                    parameter("limit", "query", {"type": "integer", "maximum": 100}),
                    parameter("after", "query", TEXT),
                    parameter("tags", "query", TEXTS),
                    parameter("sort", "query", TEXTS, style="pipeDelimited", explode=False),
                    parameter("near", "query", POINT, style="deepObject"),
                    parameter("X-Trace", "header", TEXTS),
                    parameter("seen", "cookie", WHOLE),
                    parameter("from", "query", TEXT, allowReserved=True),
                    parameter("filter", "query", None) | {"content": content(POINT)},
                ],
                "responses": answers(ref("Page")),
                "x-wirebound-page": {"items": "/found/items", "next": "/next", "token": "after", "size": "limit"},
            },
            "post": {
                "operationId": "createThing",
                "requestBody": {"required": True, "content": content(ref("Thing"))},
                "responses": answers(ref("Thing")),
            },
        },
        "/things/{id}": {
            "parameters": [parameter("id", "path", TEXT)],
            "get": {"operationId": "getThing", "responses": answers(ref("Thing"))},
            "put": {
                "operationId": "putThing",
                "requestBody": {"content": content(ref("Thing"))},
                "responses": answers(ref("Thing")),
            },
            "delete": {
                "operationId": "deleteThing",
                "deprecated": True,
                "responses": {"204": {"description": "Gone."}},
            },
        },
        "/things/{id}:poke": {
            "post": {
                "operationId": "pokeThing",
                "parameters": [parameter("id", "path", TEXT)],
                "responses": answers(ref("Nothing")),
            }
        },
        "/styles/{label}/{matrix}/{spread}/{many}": {
            "get": {
                "operationId": "styles",
                "security": [],
                "parameters": [
                    parameter("label", "path", TEXTS, style="label"),
                    parameter("matrix", "path", POINT, style="matrix", explode=True),
                    parameter("spread", "path", POINT, explode=True),
                    parameter("many", "path", {"type": "array", "items": WHOLE}),
                ],
                "responses": answers(ref("Nothing")),
            }
        },
        "/all": {
            "get": {
                "operationId": "allThings",
                "responses": answers({"type": "array", "items": ref("Thing"), "maxItems": 2}),
            }
        },
        "/counts": {
            "put": {
                "operationId": "putCounts",
                "security": [{"person": []}, {"token": []}, {"both": [], "key": []}],
                "requestBody": {"required": True, "content": content({"type": "object", "additionalProperties": WHOLE})},
                "responses": answers({"type": ["integer", "null"]}),
            }
        },
        "/text": {
            "get": {
                "operationId": "getText",
                "security": [{"asked": []}],
                "responses": answers(TEXT, "text/plain; charset=utf-8"),
            },
            "put": {
                "operationId": "putText",
                "security": [{"baked": []}, {}],
                "requestBody": {"required": True, "content": {"text/plain": {}}},
                "responses": {"204": {"description": "Done."}},
            },
        },
        "/bytes": {
            "get": {
                "operationId": "getBytes",
                "responses": {"200": {"description": "Done.", "content": {"application/octet-stream": {}}}},
            },
            "put": {
                "operationId": "putBytes",
                "requestBody": {"required": True, "content": {"application/octet-stream": {}}},
                "responses": {"204": {"description": "Done."}},
            },
        },
        "/form": {
            "post": {
                "operationId": "sendForm",
                "requestBody": {"required": True, "content": content(ref("Form"), "application/x-www-form-urlencoded")},
                "responses": answers(ref("Nothing")),
            }
        },
        "/feed": {
            "get": {
                "operationId": "feed",
                "parameters": [parameter("since", "query", TEXT), parameter("topic", "query", TEXT)],
                "responses": {"200": FEED},
                "x-wirebound-stream": {
                    "resume": {"operation": "feed", "after": "since", "parameters": {"topic": "$request.query.topic"}}
                },
            }
        },
        "/runs": {
            "post": {
                "operationId": "startRun",
                "requestBody": {"required": True, "content": content(ref("Run"))},
                "responses": {"200": {**FEED, "content": {**content(ref("Run")), **FEED["content"]}}},
                "x-wirebound-stream": {
                    "ask": {"in": "body", "name": "live"},
                    "resume": {"operation": "watchRun", "after": "X-Since", "parameters": {"run": "$event#/run"}},
                },
            }
        },
        "/runs/{run}": {
            "get": {
                "operationId": "watchRun",
                "parameters": [
                    parameter("run", "path", TEXT),
                    parameter("X-Since", "header", TEXT),
                    parameter("live", "query", {"type": "boolean"}),
                ],
                "responses": {"200": {**FEED, "content": {**content(ref("Run")), **FEED["content"]}}},
                "x-wirebound-stream": {"ask": {"in": "query", "name": "live"}},
            }
        },
    },
    "components": {
        "securitySchemes": {
            "key": {"type": "apiKey", "in": "header", "name": "X-Key", "description": "The key."},
            "asked": {"type": "apiKey", "in": "query", "name": "key"},
            "baked": {"type": "apiKey", "in": "cookie", "name": "session"},
            "person": {"type": "http", "scheme": "basic"},
            "token": {"type": "http", "scheme": "bearer"},
            "both": {"type": "mutualTLS"},
        },
        "schemas": {
            "Thing": {
                "type": "object",
                "properties": {
                    "id": {"type": "string", "readOnly": True},
                    "name": {"type": "string", "minLength": 1},
                    "parts": {"type": "array", "items": ref("Part")},
                    "twin": ref("Thing"),
                },
                "required": ["id", "name"],
            },
            "Part": {
                "type": "object",
                "properties": {"made": {"type": "string", "readOnly": True}, "size": WHOLE},
                "additionalProperties": ref("Thing"),
            },
            "Nothing": {"type": "object", "properties": {}},
            "Point": {"type": "object", "properties": {"x": {"type": "number"}, "y": {"type": "number"}}},
            "Form": {"type": "object", "properties": {"a": TEXT, "b": TEXTS, "c": {"type": "boolean"}}},
            "Found": {"type": "object", "properties": {"items": {"type": "array", "items": ref("Thing")}}},
            "Page": {
                "type": "object",
                "properties": {"found": ref("Found"), "next": {"type": ["string", "null"]}},
            },
            "Refusal": {
                "type": "object",
                "properties": {"problem": ref("Problem")},
                "required": ["problem"],
            },
            "Problem": {"type": "object", "properties": {"reason": TEXT, "detail": TEXT}},
            "Gone": {"type": "object", "properties": {"code": WHOLE, "message": TEXT}},
            "Run": {"type": "object", "properties": {"what": TEXT, "live": {"type": "boolean"}}, "required": ["what"]},
            "News": {
                "oneOf": [ref("Opened"), ref("Told"), ref("Closed")],
                "x-wirebound-stream": {"terminal": ["closed"]},
            },
            "Opened": {"type": "object", "properties": {"kind": {"const": "opened"}, "run": TEXT}, "required": ["kind"]},
            "Told": {"type": "object", "properties": {"kind": {"const": "told"}, "text": TEXT}, "required": ["kind"]},
            "Closed": {"type": "object", "properties": {"kind": {"const": "closed"}}, "required": ["kind"]},
        },
    },
}  # fmt: skip
CONTRACT["paths"]["/things"]["get"]["parameters"][-1].pop("schema")
