"""Names and bounds of the connection to a panel; `machines/companion/wire.ts` of the panel has the same."""

from typing import Final

DOMAIN: Final = "sconce"
SERVICE_TYPE: Final = "_sconce._tcp.local."
DEFAULT_PORT: Final = 8888

# The two ways in which a panel reaches Home Assistant; the second is this integration.
MQTT: Final = "mqtt"
NATIVE: Final = "native"
SURFACES: Final = (MQTT, NATIVE)

# Data of a config entry, beside Home Assistant's own CONF_HOST and CONF_PORT.
CONF_KEY: Final = "key"
CONF_KEY_ID: Final = "key_id"

SOCKET_PATH: Final = "/api/v1/companion/socket"
PROLOGUE: Final = b"sconce-companion-1"
# Oldest and newest protocol that this integration speaks.
PROTOCOL: Final = (1, 1)

# Most bytes of one message of a proven connection.
MESSAGE_BYTES: Final = 1_048_576
# Most issues of a panel at a time.
ISSUES: Final = 20
# Messages that may wait for the socket before the connection counts as stuck.
WAITING_MESSAGES: Final = 256

# Seconds from the first packet to the proof.
PROOF_SECONDS: Final = 10.0
# Seconds for each step of pairing up to the digits.
STEP_SECONDS: Final = 10.0
# Seconds without a packet before a ping; half of it later the connection counts as lost: 22.5 s, of the 25 s allowed.
PING_SECONDS: Final = 15.0
# Seconds until a refusal of the question at the panel is known, if the panel knows it at once.
REFUSAL_SECONDS: Final = 0.5
# Attempts at a panel that does not answer which are soon: most absences are restarts, over within half a minute.
SOON_ATTEMPTS: Final = 31
# Seconds between two attempts; the last one repeats.
RETRY_SECONDS: Final = (0.5, *(1.0,) * (SOON_ATTEMPTS - 1), 2.0, 4.0, 8.0, 15.0)
# Addresses at which a panel is announced that are dialled at a time; each may be a machine that never answers.
STRANGERS: Final = 4
# Seconds by which the address that is kept is dialled before them: a panel may have several.
HEAD_START_SECONDS: Final = 0.25
# Seconds that the first set-up waits for the panel's entities.
FIRST_CATALOGUE_SECONDS: Final = 15.0
# Seconds for a new key to reach the disk (Home Assistant writes its entries 1 s after a change).
KEY_SAVED_SECONDS: Final = 3.0
# Seconds that a removed entry may take to tell the panel.
REMOVED_SECONDS: Final = 10.0
# Seconds in which a call of homeassistant.restart explains a stop; it checks the configuration first.
RESTART_SECONDS: Final = 120.0

# Most automations, and most scripts, that are named before a move.
USERS: Final = 20
# Most characters of one of their names.
NAME_LENGTH: Final = 255
# Seconds that the broker's entities may take to go, to appear, and between two looks at them.
FREE_SECONDS: Final = 5.0
APPLY_SECONDS: Final = 30.0
LOOK_SECONDS: Final = 0.1
# Seconds without a change after which an entity without a state counts as added.
SETTLED_SECONDS: Final = 1.0
# Seconds that a set-up may still take when its entities are to be released; the panel waits 10 s for all of it.
READY_SECONDS: Final = 8.0

# Seconds until Home Assistant has its entity registry on the disk: it waits 10 s for further changes, and 180 s while
# it starts.
SAVED_SECONDS: Final = 30.0
SAVED_STARTING_SECONDS: Final = 300.0

# Milliseconds for the outcome of a command, and the bounds that the panel accepts.
DEADLINE_MS: Final = 8000
SHORTEST_DEADLINE_MS: Final = 100
LONGEST_DEADLINE_MS: Final = 60_000
# Seconds on top of a deadline that the panel keeps itself.
GRACE_SECONDS: Final = 2.0
