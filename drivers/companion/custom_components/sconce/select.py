"""Choices."""

from typing import Any, override

from homeassistant.components.select import SelectEntity
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .catalogue import Item
from .entity import SconceEntity, set_up_platform
from .hub import Hub, SconceConfigEntry


async def async_setup_entry(
    _hass: HomeAssistant, entry: SconceConfigEntry, _add: AddConfigEntryEntitiesCallback
) -> None:
    """Set up the choices."""
    set_up_platform(entry, SconceSelect)


class SconceSelect(SconceEntity, SelectEntity):
    """A choice."""

    def __init__(self, hub: Hub, item: Item) -> None:
        """Take over the options."""
        self._attr_options = item.texts("options") or []
        super().__init__(hub, item)

    @override
    def show(self, state: Any) -> None:
        """Take over the option."""
        self._attr_current_option = state

    @override
    async def async_select_option(self, option: str) -> None:
        """Choose one."""
        await self.command(option)
