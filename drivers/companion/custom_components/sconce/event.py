"""Events."""

from collections.abc import Mapping
from typing import Any, override

from homeassistant.components.event import EventDeviceClass, EventEntity
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .catalogue import Item
from .entity import SconceEntity, known, set_up_platform
from .hub import Hub, SconceConfigEntry


async def async_setup_entry(
    _hass: HomeAssistant, entry: SconceConfigEntry, _add: AddConfigEntryEntitiesCallback
) -> None:
    """Set up the events."""
    set_up_platform(entry, SconceEvent)


class SconceEvent(SconceEntity, EventEntity):
    """Something that happens at the panel."""

    def __init__(self, hub: Hub, item: Item) -> None:
        """Take over the types."""
        self._attr_device_class = known(EventDeviceClass, item.text("class"))
        self._attr_event_types = item.texts("event_types") or []
        super().__init__(hub, item)

    @callback
    @override
    def occurred(self, event: str, data: Mapping[str, Any]) -> None:
        """Show an occurrence."""
        self._trigger_event(event, dict(data))
        self.async_write_ha_state()
