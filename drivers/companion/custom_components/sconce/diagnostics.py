"""Diagnostics: what a report needs, without keys and without what the entities show."""

from typing import Any

from homeassistant.components.diagnostics import async_redact_data
from homeassistant.core import HomeAssistant

from .const import CONF_KEY, CONF_KEY_ID
from .hub import SconceConfigEntry

_REDACTED = {CONF_KEY, CONF_KEY_ID}


async def async_get_config_entry_diagnostics(_hass: HomeAssistant, entry: SconceConfigEntry) -> dict[str, Any]:
    """Return the diagnostics of a panel."""
    hub = entry.runtime_data
    return {
        "entry": async_redact_data(dict(entry.data), _REDACTED),
        "connection": {"live": hub.live, "sessions": hub.sessions, "failure": hub.failure},
        "moving": hub.moving.summary,
        "catalogue": hub.catalogue.save() if hub.catalogue else None,
        "available": {k: state.available for k, state in sorted(hub.states.items())},
    }
