"""What an owner chose for a panel's entities and its device: read from one surface, written to another.

Home Assistant keeps these choices with the entity of one integration only: a move between the broker and this
integration would lose them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Self

from homeassistant.config_entries import ConfigEntry
from homeassistant.const import ATTR_RESTORED
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import area_registry as ar, device_registry as dr, entity_registry as er
from homeassistant.helpers.storage import Store
from homeassistant.util import slugify
from homeassistant.util.dt import utcnow

from .const import DOMAIN, MQTT, NAME_LENGTH, NATIVE, SETTLED_SECONDS, USERS
from .rows import unique_id

# Options with this ending belong to the integration, not to the owner.
_PRIVATE = ".private"

type Key = tuple[str, str]


@dataclass
class Kept:
    """The choices of one panel, while they wait to be written to a surface."""

    # The surface that they are to be written to.
    onto: str
    # Whether the entities that had them are gone (or going), so that they have to be written.
    due: bool = False
    # Whether they were written, and are kept only until Home Assistant has that on the disk.
    written: bool = False
    entities: dict[Key, dict[str, Any]] = field(default_factory=dict)
    device: dict[str, Any] | None = None
    automations: list[str] = field(default_factory=list)
    scripts: list[str] = field(default_factory=list)

    @classmethod
    def load(cls, saved: Mapping[str, Any] | None) -> Self | None:
        """Read what `save` made."""
        if saved is None:
            return None
        entities = {(choice["domain"], choice["unique_id"]): choice for choice in saved["entities"]}
        return cls(**{**saved, "entities": entities})

    def save(self) -> dict[str, Any]:
        """Return what can be stored."""
        return {**asdict(self), "entities": list(self.entities.values())}


def storage(hass: HomeAssistant, panel_id: str) -> Store[dict[str, Any]]:
    """Where they are kept, until they have been written."""
    return Store(hass, 1, f"{DOMAIN}.choices.{slugify(panel_id)}")


@callback
def device_of(hass: HomeAssistant, domain: str, panel_id: str) -> dr.DeviceEntry | None:
    """Return the device of a panel; both surfaces identify it by the same text."""
    registry, identifier = dr.async_get(hass), (domain, f"{DOMAIN}_{panel_id}")
    for owner in hass.config_entries.async_entries(domain):
        for device in dr.async_entries_for_config_entry(registry, owner.entry_id):
            if identifier in device.identifiers:
                return device
    return None


@callback
def entries_of(hass: HomeAssistant, surface: str, panel_id: str, entry: ConfigEntry) -> list[er.RegistryEntry]:
    """Return the entities that a panel has on a surface."""
    registry = er.async_get(hass)
    if surface == NATIVE:
        return er.async_entries_for_config_entry(registry, entry.entry_id)
    # By its device: the unique ids of panel `hall_2` begin with those of panel `hall`.
    device = device_of(hass, MQTT, panel_id)
    if device is None:
        return []
    found = er.async_entries_for_device(registry, device.id, include_disabled_entities=True)
    return [each for each in found if each.platform == MQTT and each.unique_id.startswith(unique_id(panel_id, ""))]


@callback
def read(hass: HomeAssistant, entries: Iterable[er.RegistryEntry], onto: str) -> Kept:
    """Return what their owner chose, and which automations and scripts name their device."""
    kept = Kept(onto)
    for entry in entries:
        kept.entities[entry.domain, entry.unique_id] = _choice(entry)
        if kept.device is None and entry.device_id is not None:
            device = dr.async_get(hass).async_get(entry.device_id)
            if device is not None:
                kept.device = _device_choice(device)
                kept.automations, kept.scripts = _users(hass, device.id)
    return kept


def _choice(entry: er.RegistryEntry) -> dict[str, Any]:
    return {
        "domain": entry.domain,
        "unique_id": entry.unique_id,
        "entity_id": entry.entity_id,
        "name": entry.name,
        "icon": entry.icon,
        "area_id": entry.area_id,
        "device_class": entry.device_class,
        "labels": sorted(entry.labels),
        # Anything else than a text is the place of the entity's own name.
        "aliases": [alias if isinstance(alias, str) else None for alias in entry.aliases],
        "categories": dict(entry.categories),
        "hidden_by": entry.hidden_by,
        "disabled_by": entry.disabled_by,
        "options": {domain: dict(options) for domain, options in entry.options.items()},
    }


def _device_choice(device: dr.DeviceEntry) -> dict[str, Any]:
    return {
        "name_by_user": device.name_by_user,
        "area_id": device.area_id,
        "labels": sorted(device.labels),
        "disabled": device.disabled_by is dr.DeviceEntryDisabler.USER,
    }


def _users(hass: HomeAssistant, device_id: str) -> tuple[list[str], list[str]]:
    def named(entity_ids: list[str]) -> list[str]:
        states = (hass.states.get(entity_id) for entity_id in sorted(entity_ids))
        # On one line, and as long as the panel takes.
        return [" ".join(state.name.split())[:NAME_LENGTH] for state in states if state is not None][:USERS]

    automations: list[str] = []
    scripts: list[str] = []
    # Imported only where they are in use, and so there already.
    if "automation" in hass.config.components:
        from homeassistant.components.automation import automations_with_device  # noqa: PLC0415

        automations = named(automations_with_device(hass, device_id))
    if "script" in hass.config.components:
        from homeassistant.components.script import scripts_with_device  # noqa: PLC0415

        scripts = named(scripts_with_device(hass, device_id))
    return automations, scripts


@callback
def is_settled(hass: HomeAssistant, entry: er.RegistryEntry) -> bool:
    """Whether Home Assistant has finished adding an entity: MQTT sets an entity id of its own while that lasts."""
    if entry.disabled:
        return True
    state = hass.states.get(entry.entity_id)
    if state is not None:
        return not state.attributes.get(ATTR_RESTORED)
    # One that was enabled a moment ago is added only when Home Assistant reloads MQTT, half a minute later.
    return (utcnow() - entry.modified_at).total_seconds() > SETTLED_SECONDS


@callback
def create(hass: HomeAssistant, entry: ConfigEntry, choice: Mapping[str, Any], enabled: bool) -> None:
    """Register an entity of this integration with its choices, before it is added: it never has another id."""
    registry = er.async_get(hass)
    disabled_by = er.RegistryEntryDisabler(choice["disabled_by"]) if choice["disabled_by"] else None
    if disabled_by is not er.RegistryEntryDisabler.USER:
        # What an integration starts disabled, an owner may have enabled; other reasons were the broker's.
        starts = None if enabled or disabled_by is None else er.RegistryEntryDisabler.INTEGRATION
    else:
        starts = disabled_by
    made = registry.async_get_or_create(
        choice["domain"],
        DOMAIN,
        choice["unique_id"],
        config_entry=entry,
        suggested_object_id=choice["entity_id"].partition(".")[2],
        disabled_by=starts,
    )
    write(hass, made, choice)


@callback
def write(hass: HomeAssistant, entry: er.RegistryEntry, choice: Mapping[str, Any]) -> bool:
    """Give an entity the choices; False if its id is taken."""
    registry = er.async_get(hass)
    changes: dict[str, Any] = {
        "name": choice["name"],
        "icon": choice["icon"],
        "area_id": _known_area(hass, choice["area_id"]),
        "device_class": choice["device_class"],
        "labels": set(choice["labels"]),
        "aliases": [er.COMPUTED_NAME if alias is None else alias for alias in choice["aliases"]],
        "categories": choice["categories"],
    }
    hidden = choice["hidden_by"] == er.RegistryEntryHider.USER
    if hidden or entry.hidden_by is er.RegistryEntryHider.USER:
        changes["hidden_by"] = er.RegistryEntryHider.USER if hidden else None
    if choice["disabled_by"] == er.RegistryEntryDisabler.USER:
        changes["disabled_by"] = er.RegistryEntryDisabler.USER
    elif entry.disabled_by is er.RegistryEntryDisabler.USER or (
        entry.disabled_by is er.RegistryEntryDisabler.INTEGRATION and choice["disabled_by"] is None
    ):
        changes["disabled_by"] = None
    registry.async_update_entity(entry.entity_id, **changes)
    own = {domain for domain in entry.options if not domain.endswith(_PRIVATE)}
    for domain in own | choice["options"].keys():
        registry.async_update_entity_options(entry.entity_id, domain, choice["options"].get(domain))
    wanted = choice["entity_id"]
    if wanted == entry.entity_id:
        return True
    if registry.async_get(wanted) is not None or not hass.states.async_available(wanted):
        return False
    registry.async_update_entity(entry.entity_id, new_entity_id=wanted)
    return True


@callback
def write_device(hass: HomeAssistant, device_id: str, choice: Mapping[str, Any]) -> None:
    """Give a device the choices."""
    registry = dr.async_get(hass)
    if registry.async_get(device_id) is None:
        return
    registry.async_update_device(
        device_id,
        name_by_user=choice["name_by_user"],
        area_id=_known_area(hass, choice["area_id"]),
        labels=set(choice["labels"]),
    )
    if choice["disabled"]:
        registry.async_update_device(device_id, disabled_by=dr.DeviceEntryDisabler.USER)


def _known_area(hass: HomeAssistant, area_id: str | None) -> str | None:
    """Return the area, unless it was removed meanwhile."""
    return area_id if area_id is not None and ar.async_get(hass).async_get_area(area_id) else None
