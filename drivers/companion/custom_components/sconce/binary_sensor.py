"""Sensors with two states."""

from typing import Any, override

from homeassistant.components.binary_sensor import BinarySensorDeviceClass, BinarySensorEntity
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .catalogue import Item
from .entity import SconceEntity, known, set_up_platform
from .hub import Hub, SconceConfigEntry


async def async_setup_entry(
    _hass: HomeAssistant, entry: SconceConfigEntry, _add: AddConfigEntryEntitiesCallback
) -> None:
    """Set up the sensors with two states."""
    set_up_platform(entry, SconceBinarySensor)


class SconceBinarySensor(SconceEntity, BinarySensorEntity):
    """A sensor with two states."""

    def __init__(self, hub: Hub, item: Item) -> None:
        """Take over the class."""
        self._attr_device_class = known(BinarySensorDeviceClass, item.text("class"))
        super().__init__(hub, item)

    @override
    def show(self, state: Any) -> None:
        """Take over on or off."""
        self._attr_is_on = state
