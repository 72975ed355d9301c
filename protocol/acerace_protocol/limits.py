"""Every limit, with its unit last in its name, and the faults a client can be told of. Sent in ``welcome``."""

from enum import IntEnum, StrEnum, unique
from typing import Final

FRAME_MAX_BYTES: Final = 4096
COMMANDS_PER_SECOND: Final = 40
COMMANDS_BURST: Final = 80
FLOOD_MESSAGES: Final = 200
HISTORY_EVENTS: Final = 512
NONCES_REMEMBERED: Final = 512
OUTBOX_MAX_BYTES: Final = 1024 * 1024
HELLO_TIMEOUT_MS: Final = 10_000
IDLE_TIMEOUT_MS: Final = 60_000
READY_TIMEOUT_MS: Final = 10_000
HOUSE_WAIT_MS: Final = 4_000
PAIRING_POINTS: Final = 100
PAIRING_POINTS_PER_SECOND: Final = 20
REMATCH_MS: Final = 60_000
EMOTES_PER_MINUTE: Final = 12
RESULTS_PER_PAGE: Final = 50
QUESTIONS_WAITING_MAX: Final = 32
REPLAY_PART_MAX_CHARS: Final = 65_536
TOKENS_PER_PLAYER: Final = 16
PASSWORDS_PER_MINUTE: Final = 10
PASSWORDS_FROM_ADDRESS_PER_MINUTE: Final = 30
PASSWORDS_FOR_NAME_PER_MINUTE: Final = 120
PASSWORDS_WAITING_MAX: Final = 16
TABLES_PER_PLAYER: Final = 8
TABLES_MAX: Final = 10_000
SEEKS_PER_PLAYER: Final = 1
SEEKS_MAX: Final = 1_000
WISHES_REMEMBERED: Final = 32
WATCHED_PER_CONNECTION: Final = 16
CONNECTIONS_PER_PLAYER: Final = 8
CONNECTIONS_MAX: Final = 10_000
CONNECTIONS_PER_ADDRESS: Final = 200
ARRIVALS_PER_MINUTE: Final = 240
GUESTS_PER_HOUR: Final = 300
MALFORMED_PER_CONNECTION: Final = 20
RESUMED_EVENTS_PER_MESSAGE: Final = 50
LISTED_MAX: Final = 100
OVER_TABLE_KEPT_MS: Final = 300_000
LEFT_SOLO_KEPT_MS: Final = 3_600_000
LEFT_PLAYER_KEPT_MS: Final = 86_400_000
PLAYERS_MAX: Final = 100_000
JOBS_MAX: Final = 64
COMMANDS_PER_TABLE: Final = 50_000
REFUSALS_COUNTED_PER_SEAT: Final = 1_000

LIMITS: Final[dict[str, int]] = {
    name.lower(): value for name, value in sorted(globals().items()) if name.isupper() and isinstance(value, int)
}
"""All of the above by lower-case name: what ``welcome`` carries."""


@unique
class Fault(StrEnum):
    """Why a message that is no table command was not carried out; the ``code`` of a ``problem``."""

    MALFORMED = "malformed"
    UNKNOWN_TYPE = "unknown_type"
    FRAME_TOO_LARGE = "frame_too_large"
    TOO_DEEP = "too_deep"
    WRONG_FRAME_KIND = "wrong_frame_kind"
    HELLO_FIRST = "hello_first"
    HELLO_TWICE = "hello_twice"
    UNKNOWN_TOKEN = "unknown_token"  # noqa: S105  # a fault's name, not a token
    TOO_FAST = "too_fast"
    TOO_MANY = "too_many"
    NO_SUCH_TABLE = "no_such_table"
    NO_SUCH_SEEK = "no_such_seek"
    NO_SUCH_LEVEL = "no_such_level"
    NO_SUCH_PLAYER = "no_such_player"
    NO_SUCH_DAY = "no_such_day"
    NAME_TAKEN = "name_taken"
    NAME_NEEDED = "name_needed"
    WRONG_PASSWORD = "wrong_password"  # noqa: S105  # a fault's name
    TOKEN_REVOKED = "token_revoked"  # noqa: S105  # a fault's name
    NO_SUCH_TOKEN = "no_such_token"  # noqa: S105  # a fault's name
    NOT_OVER = "not_over"
    NOT_ALLOWED = "not_allowed"
    STORE_FAILED = "store_failed"
    NO_SUCH_GAME = "no_such_game"
    BAD_OPTIONS = "bad_options"
    BAD_CODE = "bad_code"
    NOT_SEATED = "not_seated"
    NOT_WATCHING = "not_watching"
    ALREADY_SEEKING = "already_seeking"
    OWN_SEEK = "own_seek"
    SERVER_CLOSING = "server_closing"


@unique
class CloseCode(IntEnum):
    """Why the server closed a WebSocket; 1002, 1007, 1009 and 1011 come from the WebSocket layer."""

    NORMAL = 1000
    GOING_AWAY = 1001
    HELLO_TIMEOUT = 4001
    TOO_MANY_MALFORMED = 4002
    TOKEN_REVOKED = 4005
    FLOOD = 4006
