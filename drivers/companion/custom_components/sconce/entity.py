"""What entities of all kinds share. The panel owns every name: nothing here is about a certain row."""

from collections.abc import Mapping
import contextlib
from enum import StrEnum
from typing import Any, override

from homeassistant.const import EntityCategory
from homeassistant.core import callback
from homeassistant.helpers.device_registry import DeviceInfo
from homeassistant.helpers.entity import Entity
from homeassistant.helpers.entity_platform import async_get_current_platform

from .catalogue import Item
from .hub import Hub, SconceConfigEntry
from .rows import device_identifier, unique_id


def set_up_platform(entry: SconceConfigEntry, kind: type[SconceEntity]) -> None:
    """Have the rows of the platform that is being set up made as entities of this kind."""
    entry.runtime_data.rows.add_platform(kind, async_get_current_platform())


def known[Word: StrEnum](words: type[Word], word: str | None) -> Word | None:
    """Return a word that this Home Assistant knows; a newer one is left out."""
    with contextlib.suppress(ValueError):
        return words(word) if word is not None else None
    return None


class SconceEntity(Entity):
    """One row of the catalogue."""

    _attr_has_entity_name = True
    _attr_should_poll = False

    def __init__(self, hub: Hub, item: Item) -> None:
        """Take over what the panel says of the row."""
        assert hub.catalogue is not None
        panel_id = hub.catalogue.panel.id
        self.hub = hub
        self.item = item
        # Becomes the suggested object id, in place of one made of area, device and name.
        self.entity_id = f"{item.platform}.{panel_id}_{item.object_id}"
        self._attr_unique_id = unique_id(panel_id, item.k)
        self._attr_name = item.text("name")
        self._attr_icon = item.text("icon")
        self._attr_entity_category = known(EntityCategory, item.text("category"))
        self._attr_entity_registry_enabled_default = item.enabled
        self._attr_extra_state_attributes = {}
        self._attr_device_info = DeviceInfo(identifiers={device_identifier(panel_id)})
        self._show_newest()

    @property
    @override
    def available(self) -> bool:
        """Whether there is a connection, and the row works."""
        state = self.hub.states.get(self.item.k)
        return self.hub.live and state is not None and state.available

    @override
    async def async_added_to_hass(self) -> None:
        """Show states from now on."""
        await super().async_added_to_hass()
        # It may have changed since this entity was made.
        self._show_newest()
        self.hub.rows.attach(self.item.k, self)

    @override
    async def async_will_remove_from_hass(self) -> None:
        """Show none any more."""
        self.hub.rows.detach(self.item.k, self)
        await super().async_will_remove_from_hass()

    @callback
    def refresh(self) -> None:
        """Show the newest state."""
        self._show_newest()
        self.async_write_ha_state()

    def show(self, state: Any) -> None:
        """Take over a state; None is unknown."""

    def occurred(self, event: str, data: Mapping[str, Any]) -> None:
        """Take over an occurrence; only events have any."""

    async def command(self, wanted: Any) -> None:
        """Have the panel carry out a command; raises what keeps it from that."""
        await self.hub.command(self.item, wanted)

    def _show_newest(self) -> None:
        state = self.hub.states.get(self.item.k)
        if state is not None:
            self._attr_extra_state_attributes = dict(state.attributes)
            self.show(state.shown)
