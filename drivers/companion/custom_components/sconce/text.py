"""Texts."""

from typing import Any, override

from homeassistant.components.text import TextEntity, TextMode
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .catalogue import Item
from .entity import SconceEntity, known, set_up_platform
from .hub import Hub, SconceConfigEntry


async def async_setup_entry(
    _hass: HomeAssistant, entry: SconceConfigEntry, _add: AddConfigEntryEntitiesCallback
) -> None:
    """Set up the texts."""
    set_up_platform(entry, SconceText)


class SconceText(SconceEntity, TextEntity):
    """A text."""

    _attr_native_value: str | None = None

    def __init__(self, hub: Hub, item: Item) -> None:
        """Take over the bound."""
        self._attr_mode = known(TextMode, item.text("mode")) or TextMode.TEXT
        if (longest := item.number("max_length")) is not None:
            self._attr_native_max = int(longest)
        super().__init__(hub, item)

    @override
    def show(self, state: Any) -> None:
        """Take over the text."""
        self._attr_native_value = state

    @override
    async def async_set_value(self, value: str) -> None:
        """Set it."""
        await self.command(value)
