"""Sconce: wall panels, connected without a broker. The panel owns every name; this integration knows kinds only."""

import asyncio
import contextlib
import logging

from homeassistant.const import CONF_HOST, CONF_PORT
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import ConfigEntryNotReady
from homeassistant.helpers.aiohttp_client import async_get_clientsession

from . import choices
from .client import describe
from .const import CONF_KEY, CONF_KEY_ID, DOMAIN, REMOVED_SECONDS
from .hub import Hub, SconceConfigEntry, storage
from .link import LinkError, prove
from .moving import Moving

_LOGGER = logging.getLogger(__name__)


async def async_setup_entry(hass: HomeAssistant, entry: SconceConfigEntry) -> bool:
    """Connect a panel. Its saved entities are there at once; only the first set-up waits for it."""
    hub = Hub(hass, entry, await describe(hass))
    await hub.start()
    try:
        if hub.catalogue is None and not await hub.first_catalogue():
            raise ConfigEntryNotReady(
                translation_domain=DOMAIN,
                translation_key="not_connected",
                translation_placeholders={"panel": entry.title},
            )
        entry.runtime_data = hub
        await hub.rows.set_up()
    except BaseException:
        await hub.stop("reload")
        raise
    return True


async def async_unload_entry(hass: HomeAssistant, entry: SconceConfigEntry) -> bool:
    """Leave a panel, and say whether for long."""
    hub = entry.runtime_data
    if not await hass.config_entries.async_unload_platforms(entry, hub.rows.platforms):
        return False
    await hub.stop("reload" if entry.disabled_by is None else "disabled")
    return True


async def async_remove_entry(hass: HomeAssistant, entry: SconceConfigEntry) -> None:
    """Tell the panel that it is not wanted any more; if it is away, it keeps the key until its owner revokes it."""
    await storage(hass, entry.entry_id).async_remove()
    await choices.storage(hass, str(entry.unique_id)).async_remove()
    moving = Hub(hass, entry, await describe(hass)).moving
    # Its entities are removed once this has returned.
    kept = moving.own_choices()
    hass.async_create_background_task(_leave(hass, entry, moving, kept), f"{DOMAIN} removed {entry.title}")


async def _leave(hass: HomeAssistant, entry: SconceConfigEntry, moving: Moving, kept: choices.Kept) -> None:
    await _say_removed(hass, entry)
    # Where it has a broker, the panel announces the same entities there.
    await moving.give_back(kept)


async def _say_removed(hass: HomeAssistant, entry: SconceConfigEntry) -> None:
    data = entry.data
    with contextlib.suppress(LinkError, TimeoutError):
        async with asyncio.timeout(REMOVED_SECONDS):
            connection = await prove(
                async_get_clientsession(hass),
                data[CONF_HOST],
                data[CONF_PORT],
                await describe(hass),
                data[CONF_KEY_ID],
                bytes.fromhex(data[CONF_KEY]),
            )
            try:
                await connection.send({"type": "phase", "phase": "running"})
                await connection.send({"type": "bye", "reason": "removed"})
            finally:
                await connection.close()
