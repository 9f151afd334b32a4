"""Buttons."""

from typing import override

from homeassistant.components.button import ButtonDeviceClass, ButtonEntity
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .catalogue import Item
from .entity import SconceEntity, known, set_up_platform
from .hub import Hub, SconceConfigEntry


async def async_setup_entry(
    _hass: HomeAssistant, entry: SconceConfigEntry, _add: AddConfigEntryEntitiesCallback
) -> None:
    """Set up the buttons."""
    set_up_platform(entry, SconceButton)


class SconceButton(SconceEntity, ButtonEntity):
    """A button."""

    def __init__(self, hub: Hub, item: Item) -> None:
        """Take over the class."""
        self._attr_device_class = known(ButtonDeviceClass, item.text("class"))
        super().__init__(hub, item)

    @override
    async def async_press(self) -> None:
        """Press it."""
        await self.command(None)
