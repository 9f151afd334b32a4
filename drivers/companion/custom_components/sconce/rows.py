"""Brings the entities in line with the catalogue: rows come, change and go without a reload."""

import asyncio
from collections.abc import Mapping
import logging
from typing import TYPE_CHECKING, Any

from homeassistant.const import Platform
from homeassistant.core import callback
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import device_registry as dr, entity_registry as er
from homeassistant.helpers.entity_platform import EntityPlatform

from .catalogue import Catalogue, Item, Panel
from .const import DOMAIN

if TYPE_CHECKING:
    from .entity import SconceEntity
    from .hub import Hub

_LOGGER = logging.getLogger(__name__)


def device_identifier(panel_id: str) -> tuple[str, str]:
    """Identify the device: the second half is the one that MQTT discovery uses."""
    return DOMAIN, f"sconce_{panel_id}"


def unique_id(panel_id: str, k: str) -> str:
    """Identify an entity, as MQTT discovery does."""
    return f"sconce_{panel_id}_{k}"


class Rows:
    """The entities of one panel."""

    def __init__(self, hub: Hub) -> None:
        """Begin without any; `set_up` makes them."""
        self._hub = hub
        self._platforms: dict[Platform, tuple[type[SconceEntity], EntityPlatform]] = {}
        self._forwarded: set[Platform] = set()
        self._made: dict[str, tuple[Item, str]] = {}
        self._entities: dict[str, SconceEntity] = {}
        self.ready = asyncio.Event()
        # The catalogue that the entities are in line with.
        self.applied: Catalogue | None = None
        self._working = asyncio.Lock()

    @property
    def platforms(self) -> set[Platform]:
        """The platforms that were set up, and so have to be unloaded."""
        return self._forwarded

    @callback
    def add_platform(self, kind: type[SconceEntity], platform: EntityPlatform) -> None:
        """Note what entities of a platform are made of."""
        self._platforms[Platform(platform.domain)] = (kind, platform)

    @callback
    def attach(self, k: str, entity: SconceEntity) -> None:
        """Show states of `k` on an entity that Home Assistant has added."""
        self._entities[k] = entity

    @callback
    def detach(self, k: str, entity: SconceEntity) -> None:
        """Stop that."""
        if self._entities.get(k) is entity:
            del self._entities[k]

    async def set_up(self) -> None:
        """Make the entities for the first time; the entry is not loaded before."""
        while self.applied is None or self.applied is not self._hub.catalogue:
            # Another one may arrive meanwhile.
            await self._reconcile()
        self.ready.set()

    async def apply(self) -> None:
        """Bring the entities in line with the catalogue."""
        if self.ready.is_set():
            async with self._working:
                await self._reconcile()

    @callback
    def show(self, k: str) -> None:
        """Show the state of one row."""
        if (entity := self._entities.get(k)) is not None:
            try:
                entity.refresh()
            except (HomeAssistantError, TypeError, ValueError) as error:
                _LOGGER.warning("%s: the panel's state does not fit: %s", entity.entity_id, error)

    @callback
    def show_all(self) -> None:
        """Show every state, after a connection came or went."""
        for k in list(self._entities):
            self.show(k)

    @callback
    def fire(self, k: str, event: str, data: Mapping[str, Any]) -> None:
        """Show an occurrence."""
        if (entity := self._entities.get(k)) is not None:
            try:
                entity.occurred(event, data)
            except ValueError as error:
                _LOGGER.warning("%s: the panel's event does not fit: %s", entity.entity_id, error)

    async def _reconcile(self) -> None:
        hub, catalogue = self._hub, self._hub.catalogue
        if catalogue is None:
            return
        if catalogue.items:
            self._describe(catalogue.panel)
        panel_id = catalogue.panel.id
        wanted = {k: (item, panel_id) for k, item in catalogue.items.items()}
        for k in [k for k, made in self._made.items() if made != wanted.get(k)]:
            item, before = self._made.pop(k)
            now = catalogue.items.get(k)
            # One that is gone goes with its entry in the registry, below.
            if now is not None and now.platform is item.platform and before == panel_id and k in self._entities:
                await self._entities[k].async_remove()
        registry = er.async_get(hub.hass)
        known = {(item.platform.value, unique_id(panel_id, k)) for k, item in catalogue.items.items()}
        for entry in er.async_entries_for_config_entry(registry, hub.entry.entry_id):
            if (entry.domain, entry.unique_id) not in known:
                registry.async_remove(entry.entity_id)
        if not catalogue.items:
            # A device without entities says nothing, and is the second one of a panel on the broker.
            self._remove_devices(None)
        await hub.moving.before_adding(catalogue)
        await self._forward({item.platform for item in catalogue.items.values()})
        for platform, (kind, entities) in self._platforms.items():
            new = {k: both for k, both in wanted.items() if both[0].platform is platform and k not in self._made}
            if new:
                self._made.update(new)
                await entities.async_add_entities([kind(hub, item) for item, _ in new.values()])
        self.applied = catalogue
        await hub.moving.after_adding(catalogue)

    async def _forward(self, platforms: set[Platform]) -> None:
        missing = platforms - self._forwarded
        if missing:
            self._forwarded |= missing
            await self._hub.hass.config_entries.async_forward_entry_setups(self._hub.entry, sorted(missing))

    def _describe(self, panel: Panel) -> None:
        registry, entry_id = dr.async_get(self._hub.hass), self._hub.entry.entry_id
        identifier = device_identifier(panel.id)
        registry.async_get_or_create(
            config_entry_id=entry_id,
            identifiers={identifier},
            name=panel.name,
            manufacturer=panel.manufacturer,
            model=panel.model,
            sw_version=panel.version,
            configuration_url=panel.configuration_url,
        )
        self._remove_devices(identifier)

    def _remove_devices(self, kept: tuple[str, str] | None) -> None:
        registry = dr.async_get(self._hub.hass)
        for device in dr.async_entries_for_config_entry(registry, self._hub.entry.entry_id):
            if kept not in device.identifiers:
                registry.async_remove_device(device.id)
