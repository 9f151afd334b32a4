"""What a panel says of its entities: read without trust, since a newer panel may say more."""

from collections.abc import Mapping
from dataclasses import dataclass, field
import re
from typing import Any

from homeassistant.const import Platform

from .const import MQTT, NATIVE

# Kinds of entities that this integration knows; rows of any other kind are passed over.
PLATFORMS = {
    platform.value: platform
    for platform in (
        Platform.BINARY_SENSOR,
        Platform.BUTTON,
        Platform.EVENT,
        Platform.IMAGE,
        Platform.LIGHT,
        Platform.NUMBER,
        Platform.SELECT,
        Platform.SENSOR,
        Platform.SWITCH,
        Platform.TEXT,
    )
}
_KEY = re.compile(r"[a-z0-9_]{1,64}")


@dataclass(frozen=True)
class State:
    """The newest state of a row."""

    available: bool
    # Not `value`: that is a property of NumberEntity, and this is handed to entities.
    shown: Any
    attributes: Mapping[str, Any]


@dataclass(frozen=True)
class Item:
    """A row of the catalogue; `raw` as it was sent."""

    k: str
    platform: Platform
    object_id: str
    raw: Mapping[str, Any] = field(hash=False)

    def text(self, name: str) -> str | None:
        """Return a text of the row."""
        value = self.raw.get(name)
        return value if isinstance(value, str) else None

    def number(self, name: str) -> float | None:
        """Return a number of the row."""
        value = self.raw.get(name)
        return value if isinstance(value, int | float) and not isinstance(value, bool) else None

    def texts(self, name: str) -> list[str] | None:
        """Return a list of texts of the row."""
        value = self.raw.get(name)
        return [entry for entry in value if isinstance(entry, str)] if isinstance(value, list) else None

    @property
    def enabled(self) -> bool:
        """Whether it starts enabled in Home Assistant."""
        return self.raw.get("enabled") is not False


def _item(raw: Any) -> Item | None:
    if not isinstance(raw, Mapping):
        return None
    k, object_id, platform = raw.get("k"), raw.get("object_id"), raw.get("platform")
    if not isinstance(k, str) or not _KEY.fullmatch(k) or not isinstance(platform, str) or platform not in PLATFORMS:
        return None
    if not isinstance(object_id, str) or not _KEY.fullmatch(object_id):
        object_id = k
    return Item(k, PLATFORMS[platform], object_id, raw)


@dataclass(frozen=True)
class Panel:
    """The device card."""

    id: str
    name: str
    manufacturer: str | None
    model: str | None
    version: str | None
    configuration_url: str | None


@dataclass(frozen=True)
class Catalogue:
    """All rows of a panel, and its device card."""

    panel: Panel
    items: Mapping[str, Item]
    # The way in which the panel reaches Home Assistant; over the broker, it has no rows here.
    surface: str = NATIVE

    @classmethod
    def read(cls, message: Mapping[str, Any] | None) -> Catalogue | None:
        """Read a message, or what was saved of one; None if it names no panel."""
        panel = message.get("panel") if message else None
        if not isinstance(message, Mapping) or not isinstance(panel, Mapping):
            return None

        def text(name: str) -> str | None:
            value = panel.get(name)
            return value if isinstance(value, str) and value else None

        panel_id = text("id")
        rows = message.get("items")
        if panel_id is None or not isinstance(rows, list):
            return None
        url = text("configuration_url")
        card = Panel(
            id=panel_id,
            name=text("name") or panel_id,
            manufacturer=text("manufacturer"),
            model=text("model"),
            version=text("version"),
            # Home Assistant refuses a device with any other.
            configuration_url=url if url and url.startswith(("http://", "https://")) else None,
        )
        surface = MQTT if message.get("surface") == MQTT else NATIVE
        # Never both: the same entities would be there twice.
        items = [item for item in map(_item, rows if surface == NATIVE else []) if item is not None]
        return cls(card, {item.k: item for item in items}, surface)

    def save(self) -> dict[str, Any]:
        """Return what `read` makes the same catalogue of."""
        card = self.panel
        return {
            "panel": {
                "id": card.id,
                "name": card.name,
                "manufacturer": card.manufacturer,
                "model": card.model,
                "version": card.version,
                "configuration_url": card.configuration_url,
            },
            "surface": self.surface,
            "items": [dict(item.raw) for item in self.items.values()],
        }


def read_state(message: Mapping[str, Any]) -> State:
    """Read a `state` message."""
    attributes = message.get("attributes")
    return State(
        available=message.get("available") is True,
        shown=message.get("v"),
        attributes=attributes if isinstance(attributes, Mapping) else {},
    )
