"""Lights: the screen, and lamps of the panel."""

from typing import Any, override

from homeassistant.components.light import (
    ATTR_BRIGHTNESS,
    ATTR_EFFECT,
    ATTR_RGB_COLOR,
    ColorMode,
    LightEntity,
    LightEntityFeature,
)
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .catalogue import Item
from .entity import SconceEntity, set_up_platform
from .hub import Hub, SconceConfigEntry

# The first one that the panel names is the light's; Home Assistant allows only one of these.
_MODES = {"rgb": ColorMode.RGB, "brightness": ColorMode.BRIGHTNESS, "onoff": ColorMode.ONOFF}


async def async_setup_entry(
    _hass: HomeAssistant, entry: SconceConfigEntry, _add: AddConfigEntryEntitiesCallback
) -> None:
    """Set up the lights."""
    set_up_platform(entry, SconceLight)


class SconceLight(SconceEntity, LightEntity):
    """A light."""

    def __init__(self, hub: Hub, item: Item) -> None:
        """Take over modes and effects."""
        modes = item.texts("modes") or []
        self._attr_color_mode = next((mode for word, mode in _MODES.items() if word in modes), ColorMode.ONOFF)
        self._attr_supported_color_modes = {self._attr_color_mode}
        if effects := item.texts("effects"):
            self._attr_effect_list = effects
            self._attr_supported_features = LightEntityFeature.EFFECT
        super().__init__(hub, item)

    @override
    def show(self, state: Any) -> None:
        """Take over on, level, colour and effect."""
        parts = state if isinstance(state, dict) else {}
        self._attr_is_on = parts.get("on")
        self._attr_brightness = parts.get("brightness")
        rgb = parts.get("rgb")
        self._attr_rgb_color = tuple(rgb) if isinstance(rgb, list) and len(rgb) == 3 else None
        self._attr_effect = parts.get("effect")

    @override
    async def async_turn_on(self, **kwargs: Any) -> None:
        """Turn it on, with what was asked for."""
        wanted: dict[str, Any] = {"on": True}
        if ATTR_BRIGHTNESS in kwargs:
            wanted["brightness"] = kwargs[ATTR_BRIGHTNESS]
        if ATTR_RGB_COLOR in kwargs:
            wanted["rgb"] = list(kwargs[ATTR_RGB_COLOR])
        if ATTR_EFFECT in kwargs:
            wanted["effect"] = kwargs[ATTR_EFFECT]
        await self.command(wanted)

    @override
    async def async_turn_off(self, **_kwargs: Any) -> None:
        """Turn it off."""
        await self.command({"on": False})
