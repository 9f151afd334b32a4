"""Pictures: fetched from the panel only while a person looks."""

from typing import Any, override

from homeassistant.components.image import ImageEntity
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from homeassistant.util import dt as dt_util
from yarl import URL

from .catalogue import Item
from .entity import SconceEntity, set_up_platform
from .hub import Hub, SconceConfigEntry


async def async_setup_entry(
    _hass: HomeAssistant, entry: SconceConfigEntry, _add: AddConfigEntryEntitiesCallback
) -> None:
    """Set up the pictures."""
    set_up_platform(entry, SconceImage)


class SconceImage(SconceEntity, ImageEntity):
    """A picture."""

    def __init__(self, hub: Hub, item: Item) -> None:
        """Begin without one."""
        ImageEntity.__init__(self, hub.hass)
        self._attr_image_url = None
        self._shown: tuple[str, Any] | None = None
        super().__init__(hub, item)

    @override
    def show(self, state: Any) -> None:
        """Take over the address; the host is the one that was dialled, never one that the panel names."""
        path = state.get("path") if isinstance(state, dict) else None
        if not isinstance(path, str) or not path.startswith("/"):
            self._attr_image_url, self._shown = None, None
            return
        host, port = self.hub.address
        url = f"{URL.build(scheme='http', host=host, port=port).origin()}{path}"
        if (url, state.get("n")) != self._shown:
            self._shown = (url, state.get("n"))
            self._attr_image_url = url
            self._cached_image = None
            self._attr_image_last_updated = dt_util.utcnow()
