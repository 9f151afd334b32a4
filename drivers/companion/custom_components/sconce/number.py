"""Numbers."""

from typing import Any, override

from homeassistant.components.number import NumberDeviceClass, NumberEntity, NumberMode
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .catalogue import Item
from .entity import SconceEntity, known, set_up_platform
from .hub import Hub, SconceConfigEntry


async def async_setup_entry(
    _hass: HomeAssistant, entry: SconceConfigEntry, _add: AddConfigEntryEntitiesCallback
) -> None:
    """Set up the numbers."""
    set_up_platform(entry, SconceNumber)


class SconceNumber(SconceEntity, NumberEntity):
    """A number."""

    _attr_native_value: float | None = None

    def __init__(self, hub: Hub, item: Item) -> None:
        """Take over range, step and unit."""
        self._attr_device_class = known(NumberDeviceClass, item.text("class"))
        self._attr_native_unit_of_measurement = item.text("unit")
        self._attr_mode = known(NumberMode, item.text("mode")) or NumberMode.AUTO
        for name, attribute in (("min", "native_min_value"), ("max", "native_max_value"), ("step", "native_step")):
            if (bound := item.number(name)) is not None:
                setattr(self, f"_attr_{attribute}", bound)
        super().__init__(hub, item)

    @override
    def show(self, state: Any) -> None:
        """Take over the number."""
        self._attr_native_value = state

    @override
    async def async_set_native_value(self, value: float) -> None:
        """Set it."""
        await self.command(int(value) if value.is_integer() else value)
