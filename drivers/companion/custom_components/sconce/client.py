"""How this Home Assistant describes itself to a panel."""

import hashlib

from homeassistant.const import __version__
from homeassistant.core import HomeAssistant
from homeassistant.helpers import instance_id
from homeassistant.loader import async_get_integration

from .const import DOMAIN

# Most characters of each, as the panel's schema has them.
_NAME, _VERSION = 80, 40


async def describe(hass: HomeAssistant) -> dict[str, str]:
    """Return id, name and versions; the id is a hash, since the instance id itself is Home Assistant's own."""
    instance = await instance_id.async_get(hass)
    integration = await async_get_integration(hass, DOMAIN)
    return {
        "id": hashlib.sha256(f"{DOMAIN} {instance}".encode()).hexdigest()[:32],
        "name": hass.config.location_name[:_NAME],
        "version": __version__[:_VERSION],
        "integration": str(integration.version or "")[:_VERSION],
    }
