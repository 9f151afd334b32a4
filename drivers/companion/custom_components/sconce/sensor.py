"""Sensors."""

from datetime import date, datetime
from typing import Any, override

from homeassistant.components.sensor import SensorDeviceClass, SensorEntity, SensorStateClass
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from homeassistant.util import dt as dt_util

from .catalogue import Item
from .entity import SconceEntity, known, set_up_platform
from .hub import Hub, SconceConfigEntry


async def async_setup_entry(
    _hass: HomeAssistant, entry: SconceConfigEntry, _add: AddConfigEntryEntitiesCallback
) -> None:
    """Set up the sensors."""
    set_up_platform(entry, SconceSensor)


class SconceSensor(SconceEntity, SensorEntity):
    """A sensor."""

    def __init__(self, hub: Hub, item: Item) -> None:
        """Take over class, unit and precision."""
        self._attr_device_class = known(SensorDeviceClass, item.text("class"))
        self._attr_state_class = known(SensorStateClass, item.text("state_class"))
        self._attr_native_unit_of_measurement = item.text("unit")
        self._attr_options = item.texts("options")
        if (precision := item.number("precision")) is not None:
            self._attr_suggested_display_precision = int(precision)
        super().__init__(hub, item)

    @override
    def show(self, state: Any) -> None:
        """Take over what was measured; times are sent as ISO 8601."""
        self._attr_native_value = self._read(state)

    def _read(self, state: Any) -> str | float | date | datetime | None:
        if isinstance(state, str) and self._attr_device_class is SensorDeviceClass.TIMESTAMP:
            return dt_util.parse_datetime(state)
        if isinstance(state, str) and self._attr_device_class is SensorDeviceClass.DATE:
            return dt_util.parse_date(state)
        return state if isinstance(state, str | int | float) else None
