"""What both directions share: the version, and the limits of single fields, as the decoder enforces them."""

from typing import Annotated, Final

from msgspec import Meta

from acerace_rules.shuffle import PLAYER_SEED_BYTES_MAX

VERSION: Final = 1
SUBPROTOCOL_MSGPACK: Final = "acerace.1.msgpack"
SUBPROTOCOL_JSON: Final = "acerace.1.json"

PASSWORD_MIN_CHARACTERS: Final = 8
DELAY_MAX_S: Final = 600
_INT_MAX: Final = 2**53 - 1  # beyond it a JavaScript number loses its last digits
# One line of text: no control characters, and none that turn the direction of what follows (names are shown to others).
# Both patterns end in ``$(?!\n)``: Python's ``$`` alone also matches before a line feed at the end.
_ONE_LINE: Final = r"[^\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]*$(?!\n)"

Nonce = Annotated[int, Meta(ge=0, le=_INT_MAX)]
Sequence = Annotated[int, Meta(ge=0, le=_INT_MAX)]
TableId = Annotated[str, Meta(min_length=1, max_length=32)]
MoveText = Annotated[str, Meta(min_length=1, max_length=16)]
CardText = Annotated[str, Meta(min_length=2, max_length=2)]
PileText = Annotated[str, Meta(min_length=1, max_length=8)]
Name = Annotated[str, Meta(min_length=1, max_length=24, pattern=r"^(?=.*\S)" + _ONE_LINE)]
Agent = Annotated[str, Meta(max_length=80, pattern="^" + _ONE_LINE)]
Key = Annotated[str, Meta(min_length=1, max_length=40)]
Code = Annotated[str, Meta(min_length=1, max_length=40)]
Token = Annotated[str, Meta(min_length=16, max_length=64)]
Password = Annotated[str, Meta(min_length=PASSWORD_MIN_CHARACTERS, max_length=128, pattern="^" + _ONE_LINE)]
PlayerSeed = Annotated[str, Meta(max_length=2 * PLAYER_SEED_BYTES_MAX, pattern=r"^([0-9a-f]{2})*$(?!\n)")]
OptionText = Annotated[str, Meta(max_length=40)]
OptionNumber = Annotated[int, Meta(ge=-_INT_MAX, le=_INT_MAX)]
Options = Annotated[dict[Key, OptionText | OptionNumber | bool], Meta(max_length=32)]
Delay = Annotated[int, Meta(ge=0, le=DELAY_MAX_S)]
Milliseconds = int
Microseconds = int
