"""The protocol as an AsyncAPI 3.0 document, made from the structs: ``python -m acerace_protocol`` prints it."""

from typing import Any, Final, get_args

import msgspec
from msgspec import Struct

from acerace_protocol.fields import SUBPROTOCOL_JSON, SUBPROTOCOL_MSGPACK, VERSION
from acerace_protocol.messages import ClientMessage, ServerMessage

PATH: Final = "/ws"
_CHANNEL: Final = "socket"
_DESCRIPTION: Final = (
    "Maps with a type field, as MessagePack in binary frames or as JSON in text frames. "
    "PROTOCOL.md says what they mean; this document says what they look like."
)

Json = dict[str, Any]


def document() -> Json:
    """The whole document, as plain values that JSON can carry."""
    from_client: tuple[type[Struct], ...] = get_args(ClientMessage)
    from_server: tuple[type[Struct], ...] = get_args(ServerMessage)
    both = (*from_client, *from_server)
    payloads, schemas = msgspec.json.schema_components(both, ref_template="#/components/schemas/{name}")
    channel = f"#/channels/{_CHANNEL}"
    made: Json = {
        "asyncapi": "3.0.0",
        "info": {"title": "Ace Race", "version": f"{VERSION}.0.0", "description": _DESCRIPTION},
        "defaultContentType": "application/json",
        "channels": {
            _CHANNEL: {
                "address": PATH,
                "title": "The WebSocket",
                "description": f"Subprotocols: {SUBPROTOCOL_MSGPACK}, {SUBPROTOCOL_JSON}.",
                "messages": {_tag(kind): {"$ref": f"#/components/messages/{_tag(kind)}"} for kind in both},
                "bindings": {"ws": {"method": "GET"}},
            }
        },
        # seen from the server, as AsyncAPI wants it
        "operations": {
            "fromClient": _operation("receive", channel, from_client),
            "fromServer": _operation("send", channel, from_server),
        },
        "components": {
            "messages": {_tag(kind): _message(kind, payload) for kind, payload in zip(both, payloads, strict=True)},
            "schemas": schemas,
        },
    }
    return msgspec.json.decode(msgspec.json.encode(made), type=Json)  # msgspec gives defaults that are tuples


def _tag(kind: type[Struct]) -> str:
    return str(kind.__struct_config__.tag)


def _operation(action: str, channel: str, kinds: tuple[type[Struct], ...]) -> Json:
    return {
        "action": action,
        "channel": {"$ref": channel},
        "messages": [{"$ref": f"{channel}/messages/{_tag(kind)}"} for kind in kinds],
    }


def _message(kind: type[Struct], payload: Json) -> Json:
    summary = " ".join((kind.__doc__ or "").split())
    return {"name": _tag(kind), "title": kind.__name__, "summary": summary, "payload": payload}
