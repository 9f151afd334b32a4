"""Switches."""

from typing import Any, override

from homeassistant.components.switch import SwitchDeviceClass, SwitchEntity
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .catalogue import Item
from .entity import SconceEntity, known, set_up_platform
from .hub import Hub, SconceConfigEntry


async def async_setup_entry(
    _hass: HomeAssistant, entry: SconceConfigEntry, _add: AddConfigEntryEntitiesCallback
) -> None:
    """Set up the switches."""
    set_up_platform(entry, SconceSwitch)


class SconceSwitch(SconceEntity, SwitchEntity):
    """A switch."""

    def __init__(self, hub: Hub, item: Item) -> None:
        """Take over the class."""
        self._attr_device_class = known(SwitchDeviceClass, item.text("class"))
        super().__init__(hub, item)

    @override
    def show(self, state: Any) -> None:
        """Take over on or off."""
        self._attr_is_on = state

    @override
    async def async_turn_on(self, **_kwargs: Any) -> None:
        """Turn it on."""
        await self.command(True)

    @override
    async def async_turn_off(self, **_kwargs: Any) -> None:
        """Turn it off."""
        await self.command(False)
