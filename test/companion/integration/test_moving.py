"""Moving between the broker and the integration: what an owner chose stays, through restarts at each step."""

import json
from pathlib import Path
from typing import Any

from homeassistant.components.mqtt import DOMAIN as MQTT
from homeassistant.config_entries import ConfigEntryState
from homeassistant.const import EntityCategory
from homeassistant.core import HomeAssistant
from homeassistant.helpers import (
    area_registry as ar,
    device_registry as dr,
    entity_registry as er,
    issue_registry as ir,
    label_registry as lr,
)
from homeassistant.helpers.storage import Store
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry, async_fire_mqtt_message
from pytest_homeassistant_custom_component.typing import MqttMockHAClientGenerator

from custom_components.sconce import choices, moving

from .fake_panel import FakePanel
from .rows import row
from .wait import until

ITEMS = [
    row("relay", "switch", "Relay"),
    row("heat", "sensor", "Heat", unit="°C", **{"class": "temperature"}),
    row("level", "number", "Level", min=0, max=50, step=1, mode="slider"),
    row("spare", "sensor", "Spare", enabled=False, category="diagnostic"),
]
RELAY, LEVEL, SPARE = "sconce_hall_relay", "sconce_hall_level", "sconce_hall_spare"


def topic(item: dict[str, Any]) -> str:
    """Where the broker has its announcement."""
    return f"homeassistant/{item['platform']}/sconce_hall/{item['k']}/config"


async def announce(hass: HomeAssistant, *items: dict[str, Any]) -> None:
    """Have rows come over the broker, as the panel's publisher does it."""
    for item in items:
        k, platform = item["k"], item["platform"]
        said = {
            "unique_id": f"sconce_hall_{k}",
            "default_entity_id": f"{platform}.hall_{k}",
            "name": item["name"],
            "state_topic": f"sconce/hall/{k}",
            "enabled_by_default": item["enabled"],
            "device": {"identifiers": ["sconce_hall"], "name": "Hall"},
            **({"command_topic": f"sconce/hall/{k}/set"} if platform != "sensor" else {}),
        }
        async_fire_mqtt_message(hass, topic(item), json.dumps(said))
    await hass.async_block_till_done()


async def withdraw(hass: HomeAssistant) -> None:
    """Take them back."""
    for item in ITEMS:
        async_fire_mqtt_message(hass, topic(item), "")
    await hass.async_block_till_done()


@pytest.fixture
async def broker(hass: HomeAssistant, mock_hass_config: None, mqtt_mock_entry: MqttMockHAClientGenerator) -> None:
    """Home Assistant has a broker."""
    await mqtt_mock_entry()


@pytest.fixture
async def on_broker(hass: HomeAssistant, broker: None, panel: FakePanel, entry: MockConfigEntry) -> MockConfigEntry:
    """A paired panel that is still on the broker."""
    panel.surface = "mqtt"
    await announce(hass, *ITEMS)
    assert await hass.config_entries.async_setup(entry.entry_id)
    return entry


@pytest.fixture
async def native(hass: HomeAssistant, broker: None, panel: FakePanel, entry: MockConfigEntry) -> MockConfigEntry:
    """A panel that has moved."""
    panel.surface, panel.items = "native", ITEMS
    assert await hass.config_entries.async_setup(entry.entry_id)
    return entry


def found(hass: HomeAssistant, platform: str) -> dict[str, er.RegistryEntry]:
    """The entities of one way, by unique id."""
    return {e.unique_id: e for e in er.async_get(hass).entities.values() if e.platform == platform}


def devices(hass: HomeAssistant, domain: str) -> list[dr.DeviceEntry]:
    """The devices of one way."""
    registry = dr.async_get(hass)
    owners = hass.config_entries.async_entries(domain)
    all_of_them = [d for owner in owners for d in dr.async_entries_for_config_entry(registry, owner.entry_id)]
    return [d for d in all_of_them if (domain, "sconce_hall") in d.identifiers]


def choose(hass: HomeAssistant, platform: str) -> None:
    """Choose what an owner can choose."""
    areas, labels, registry = ar.async_get(hass), lr.async_get(hass), er.async_get(hass)
    kitchen, hall = areas.async_get_or_create("Kitchen").id, areas.async_get_or_create("Hall").id
    label = next(iter(labels.labels), None) or labels.async_create("Guests").label_id
    (device,) = devices(hass, platform)
    dr.async_get(hass).async_update_device(device.id, area_id=hall, name_by_user="Hallway", labels={label})
    entries = found(hass, platform)
    relay = registry.async_update_entity(
        entries[RELAY].entity_id,
        name="Coffee",
        icon="mdi:coffee",
        area_id=kitchen,
        labels={label},
        aliases=[er.COMPUTED_NAME, "espresso"],
        categories={"helpers": "one"},
        hidden_by=er.RegistryEntryHider.USER,
        device_class="outlet",
        new_entity_id="switch.coffee",
    )
    registry.async_update_entity_options(relay.entity_id, "conversation", {"should_expose": True})
    heat = entries["sconce_hall_heat"].entity_id
    registry.async_update_entity_options(heat, "sensor", {"display_precision": 3})
    registry.async_update_entity(entries[LEVEL].entity_id, disabled_by=er.RegistryEntryDisabler.USER)
    registry.async_update_entity(entries[SPARE].entity_id, disabled_by=None, new_entity_id="sensor.spare")


def check(hass: HomeAssistant, platform: str) -> None:
    """See all of that at the entities of the other way, and nothing left of the first."""
    other = "sconce" if platform == MQTT else MQTT
    assert found(hass, other) == {}
    assert devices(hass, other) == []
    entries = found(hass, platform)
    relay, heat = entries[RELAY], entries["sconce_hall_heat"]
    (device,) = devices(hass, platform)
    (label,) = lr.async_get(hass).labels
    assert (device.name_by_user, device.area_id, device.labels) == ("Hallway", "hall", {label})
    assert (relay.entity_id, relay.name, relay.icon) == ("switch.coffee", "Coffee", "mdi:coffee")
    assert (relay.area_id, relay.labels, relay.categories) == ("kitchen", {label}, {"helpers": "one"})
    assert relay.aliases == [er.COMPUTED_NAME, "espresso"]
    assert (relay.hidden_by, relay.device_class) == (er.RegistryEntryHider.USER, "outlet")
    assert relay.options["conversation"] == {"should_expose": True}
    assert heat.entity_id == "sensor.hall_heat"
    assert heat.options["sensor"]["display_precision"] == 3
    assert entries[LEVEL].disabled_by is er.RegistryEntryDisabler.USER
    assert (entries[SPARE].entity_id, entries[SPARE].disabled_by) == ("sensor.spare", None)
    assert hass.states.get("switch.coffee") is not None
    assert hass.states.get("switch.hall_relay") is None
    assert hass.states.get("number.hall_level") is None
    assert {e.entity_id for e in entries.values()} == {
        "switch.coffee",
        "sensor.hall_heat",
        "number.hall_level",
        "sensor.spare",
    }


class Steps:
    """Takes each step, and restarts the integration before and after the one that a test names."""

    def __init__(self, hass: HomeAssistant, panel: FakePanel, entry: MockConfigEntry, restart_at: str) -> None:
        self._hass, self._panel, self._entry, self._restart_at = hass, panel, entry, restart_at

    async def restart(self, step: str) -> None:
        """Begin a new session with what is on the disk."""
        if step == self._restart_at:
            sessions = len(self._panel.sessions)
            assert await self._hass.config_entries.async_reload(self._entry.entry_id)
            await until(self._hass, lambda: len(self._panel.sessions) > sessions and self._entry.runtime_data.live)

    async def take(self, to: str, step: str, answer: str) -> dict[str, Any]:
        """Take a step; a panel that is not sure of the answer asks again."""
        said = await self._panel.move(to, step, answer)
        if step == self._restart_at:
            await self.restart(step)
            again = await self._panel.move(to, step, answer)
            assert again["automations"] == said["automations"]
        return said

    async def show(self, surface: str) -> None:
        """Say which way it is from now on, with the rows."""
        self._panel.surface, self._panel.items = surface, ITEMS if surface == "native" else []
        await self._panel.catalogue()

    async def to_native(self) -> dict[str, Any]:
        """Leave the broker."""
        prepared = await self.take("native", "prepare", "prepared")
        await withdraw(self._hass)
        await self.restart("withdrawn")
        await self.show("native")
        await self.restart("shown")
        await self.take("native", "apply", "applied")
        await self._hass.async_block_till_done()
        return prepared

    async def to_mqtt(self) -> dict[str, Any]:
        """Go back to it."""
        prepared = await self.take("mqtt", "prepare", "prepared")
        await self.take("mqtt", "release", "released")
        await self.show("mqtt")
        await self.restart("shown")
        await announce(self._hass, *ITEMS)
        await self.restart("announced")
        await self.take("mqtt", "apply", "applied")
        await self._hass.async_block_till_done()
        return prepared


@pytest.mark.parametrize("restart_at", ["never", "prepare", "withdrawn", "shown", "apply"])
async def test_choices_come_along_to_the_integration(
    hass: HomeAssistant, panel: FakePanel, on_broker: MockConfigEntry, restart_at: str
) -> None:
    choose(hass, MQTT)
    await Steps(hass, panel, on_broker, restart_at).to_native()
    check(hass, "sconce")
    # They are the owner's from now on: no later session writes them again.
    er.async_get(hass).async_update_entity("switch.coffee", name="Tea")
    await Steps(hass, panel, on_broker, "now").restart("now")
    assert found(hass, "sconce")[RELAY].name == "Tea"


@pytest.mark.parametrize("restart_at", ["never", "prepare", "release", "shown", "announced", "apply"])
async def test_choices_come_along_to_the_broker(
    hass: HomeAssistant, panel: FakePanel, native: MockConfigEntry, restart_at: str
) -> None:
    choose(hass, "sconce")
    await Steps(hass, panel, native, restart_at).to_mqtt()
    check(hass, MQTT)


async def test_there_and_back_and_there(hass: HomeAssistant, panel: FakePanel, on_broker: MockConfigEntry) -> None:
    choose(hass, MQTT)
    steps = Steps(hass, panel, on_broker, "never")
    # Home Assistant remembers removed entities of each; what it has from last time must not win.
    await steps.to_native()
    er.async_get(hass).async_update_entity("switch.coffee", icon="mdi:tea")
    await steps.to_mqtt()
    assert found(hass, MQTT)[RELAY].icon == "mdi:tea"
    er.async_get(hass).async_update_entity("switch.coffee", icon="mdi:coffee")
    # Home Assistant itself does not remove a disabled entity that was announced once more.
    began = hass.loop.time()
    await steps.to_native()
    assert hass.loop.time() - began < moving.FREE_SECONDS
    check(hass, "sconce")


async def test_automations_and_scripts_that_name_the_device_are_listed(
    hass: HomeAssistant, panel: FakePanel, on_broker: MockConfigEntry
) -> None:
    (device,) = devices(hass, MQTT)
    action = {"action": "switch.turn_on", "target": {"device_id": device.id}}
    morning = {"alias": "Morning", "triggers": {"trigger": "event", "event_type": "morning"}, "actions": action}
    other = {**morning, "alias": "Other", "actions": []}
    assert await async_setup_component(hass, "automation", {"automation": [morning, other]})
    assert await async_setup_component(hass, "script", {"script": {"all_on": {"alias": "All on", "sequence": action}}})
    prepared = await Steps(hass, panel, on_broker, "prepare").to_native()
    assert prepared == {
        "type": "moved",
        "to": "native",
        "step": "prepared",
        "entities": 4,
        "automations": ["Morning"],
        "scripts": ["All on"],
    }


async def test_the_ids_are_taken_once_the_broker_has_let_go(
    hass: HomeAssistant, panel: FakePanel, on_broker: MockConfigEntry
) -> None:
    await panel.move("native", "prepare", "prepared")
    await Steps(hass, panel, on_broker, "never").show("native")
    # Home Assistant learns of it over another connection, and so perhaps later.
    await panel.send(type="move", to="native", step="apply")
    assert found(hass, "sconce") == {}
    await withdraw(hass)
    await panel.heard(type="moved", step="applied", entities=4)
    assert found(hass, "sconce")[RELAY].entity_id == "switch.hall_relay"


async def test_what_the_broker_does_not_let_go_is_removed(
    hass: HomeAssistant, panel: FakePanel, on_broker: MockConfigEntry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moving, "FREE_SECONDS", 0.05)
    choose(hass, MQTT)
    await panel.move("native", "prepare", "prepared")
    await Steps(hass, panel, on_broker, "never").show("native")
    await panel.move("native", "apply", "applied")
    await hass.async_block_till_done()
    check(hass, "sconce")


async def test_a_move_to_the_integration_that_is_given_up(
    hass: HomeAssistant, panel: FakePanel, on_broker: MockConfigEntry, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose(hass, MQTT)
    await panel.move("native", "prepare", "prepared")
    await withdraw(hass)
    # A panel that was killed says it twice.
    await panel.send(type="move", to="native", step="abandon")
    await panel.send(type="move", to="native", step="abandon")
    await panel.send(type="issue", id="last", severity="warning", title="Last", text="Last")
    await until(hass, lambda: any(issue.endswith("_last") for _, issue in ir.async_get(hass).issues))
    await announce(hass, *ITEMS)
    await until(hass, lambda: found(hass, MQTT)[RELAY].entity_id == "switch.coffee")
    await until(hass, lambda: found(hass, MQTT)[SPARE].entity_id == "sensor.spare")
    check(hass, MQTT)


async def test_a_withdrawal_that_begins_again(
    hass: HomeAssistant, panel: FakePanel, on_broker: MockConfigEntry
) -> None:
    choose(hass, MQTT)
    await panel.move("native", "prepare", "prepared")
    await withdraw(hass)
    # The panel was killed, and announces once more before it goes on; Home Assistant gives back other ids.
    await announce(hass, *ITEMS)
    assert found(hass, MQTT)[RELAY].entity_id == "switch.hall_relay"
    await panel.move("native", "prepare", "prepared")
    await withdraw(hass)
    await Steps(hass, panel, on_broker, "never").show("native")
    await panel.move("native", "apply", "applied")
    await hass.async_block_till_done()
    check(hass, "sconce")


async def test_entities_that_are_announced_again_have_their_ids_back(
    hass: HomeAssistant, panel: FakePanel, on_broker: MockConfigEntry
) -> None:
    choose(hass, MQTT)
    await panel.move("native", "prepare", "prepared")
    await withdraw(hass)
    await announce(hass, *ITEMS)
    # The history of an entity follows its id, also while the move takes a second try.
    await until(hass, lambda: found(hass, MQTT)[RELAY].entity_id == "switch.coffee")
    await until(hass, lambda: found(hass, MQTT)[SPARE].entity_id == "sensor.spare")
    check(hass, MQTT)
    # What is chosen from now on counts.
    er.async_get(hass).async_update_entity("switch.coffee", icon="mdi:tea")
    await Steps(hass, panel, on_broker, "never").to_native()
    assert found(hass, "sconce")[RELAY].icon == "mdi:tea"


async def test_a_move_soon_after_one_that_was_given_up(
    hass: HomeAssistant, panel: FakePanel, on_broker: MockConfigEntry
) -> None:
    choose(hass, MQTT)
    await panel.move("native", "prepare", "prepared")
    await withdraw(hass)
    await announce(hass, *ITEMS)
    await panel.send(type="move", to="native", step="abandon")
    await Steps(hass, panel, on_broker, "never").to_native()
    check(hass, "sconce")


async def test_a_release_that_is_taken_back(hass: HomeAssistant, panel: FakePanel, native: MockConfigEntry) -> None:
    choose(hass, "sconce")
    steps = Steps(hass, panel, native, "never")
    await panel.move("mqtt", "prepare", "prepared")
    await panel.move("mqtt", "release", "released")
    # The panel died before it had changed its setting, and begins a session as before.
    await steps.show("native")
    await until(hass, lambda: RELAY in found(hass, "sconce"))
    check(hass, "sconce")
    await panel.move("mqtt", "release", "released")
    await panel.send(type="move", to="mqtt", step="abandon")
    await steps.show("native")
    await until(hass, lambda: RELAY in found(hass, "sconce"))
    check(hass, "sconce")


async def test_entities_that_come_late_get_their_choices(
    hass: HomeAssistant, panel: FakePanel, native: MockConfigEntry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moving, "APPLY_SECONDS", 0.2)
    choose(hass, "sconce")
    steps = Steps(hass, panel, native, "now")
    await panel.move("mqtt", "prepare", "prepared")
    await panel.move("mqtt", "release", "released")
    await steps.show("mqtt")
    await announce(hass, *ITEMS[1:])
    assert (await panel.move("mqtt", "apply", "applied"))["entities"] == 3
    await announce(hass, ITEMS[0])
    await steps.restart("now")
    await until(hass, lambda: found(hass, MQTT)[RELAY].entity_id == "switch.coffee")
    check(hass, MQTT)


@pytest.mark.parametrize("says_bye", [False, True])
async def test_a_panel_that_moves_without_a_word(
    hass: HomeAssistant, panel: FakePanel, native: MockConfigEntry, says_bye: bool
) -> None:
    choose(hass, "sconce")
    session = panel.session
    if says_bye:
        panel.surface, panel.items = "mqtt", []
        await panel.send(type="bye", reason="moved")
        await session.socket.close()
    else:
        await Steps(hass, panel, native, "never").show("mqtt")
    await until(hass, lambda: not found(hass, "sconce"))
    await announce(hass, *ITEMS)
    await until(hass, lambda: found(hass, MQTT)[SPARE].entity_id == "sensor.spare")
    await until(hass, lambda: found(hass, MQTT)[RELAY].entity_id == "switch.coffee")
    check(hass, MQTT)


async def test_a_panel_whose_integration_is_removed(
    hass: HomeAssistant, panel: FakePanel, native: MockConfigEntry
) -> None:
    choose(hass, "sconce")
    assert await hass.config_entries.async_remove(native.entry_id)
    await panel.heard(type="bye", reason="removed")
    assert found(hass, "sconce") == {}
    await announce(hass, *ITEMS)
    await until(hass, lambda: found(hass, MQTT)[SPARE].entity_id == "sensor.spare")
    await until(hass, lambda: found(hass, MQTT)[RELAY].entity_id == "switch.coffee")
    check(hass, MQTT)


@pytest.mark.no_fail_on_log_exception
@pytest.mark.parametrize("to", ["native", "mqtt"])
async def test_a_choice_that_home_assistant_refuses_costs_no_other(
    hass: HomeAssistant, panel: FakePanel, on_broker: MockConfigEntry, monkeypatch: pytest.MonkeyPatch, to: str
) -> None:
    steps = Steps(hass, panel, on_broker, "never")
    if to == "mqtt":
        await steps.to_native()
    source, target = (MQTT, "sconce") if to == "native" else ("sconce", MQTT)
    for entry in list(found(hass, source).values()):
        er.async_get(hass).async_update_entity(entry.entity_id, icon="mdi:tea")
    update = er.EntityRegistry.async_update_entity

    def refuse(registry: er.EntityRegistry, entity_id: str, **changes: Any) -> er.RegistryEntry:
        if entity_id == "switch.hall_relay" and "icon" in changes:
            raise ValueError("no such icon")
        return update(registry, entity_id, **changes)

    monkeypatch.setattr(er.EntityRegistry, "async_update_entity", refuse)
    await (steps.to_native() if to == "native" else steps.to_mqtt())
    icons = {entry.entity_id: entry.icon for entry in found(hass, target).values()}
    assert icons.pop("switch.hall_relay") is None
    assert set(icons.values()) == {"mdi:tea"}
    assert len(icons) == 3


async def test_a_panel_that_moved_with_another_home_assistant(
    hass: HomeAssistant, panel: FakePanel, on_broker: MockConfigEntry
) -> None:
    choose(hass, MQTT)
    await Steps(hass, panel, on_broker, "never").show("native")
    await until(hass, lambda: on_broker.runtime_data.moving.summary)
    assert on_broker.runtime_data.moving.summary == {"onto": "native", "due": False, "entities": 4}
    await withdraw(hass)
    await until(hass, lambda: found(hass, "sconce"))
    await until(hass, lambda: hass.states.get("switch.coffee"))
    await until(hass, lambda: on_broker.runtime_data.moving.summary is None)
    check(hass, "sconce")


async def test_what_is_left_over_at_the_broker_changes_nothing(
    hass: HomeAssistant, panel: FakePanel, native: MockConfigEntry
) -> None:
    choose(hass, "sconce")
    await announce(hass, *ITEMS)
    panel.items = [*ITEMS, row("mode", "select", "Mode", options=["low"])]
    await panel.catalogue()
    await until(hass, lambda: hass.states.get("select.hall_mode"))
    relay = found(hass, "sconce")[RELAY]
    assert (relay.entity_id, relay.name) == ("switch.coffee", "Coffee")
    assert len(found(hass, MQTT)) == 4


@pytest.mark.parametrize("to", ["native", "mqtt"])
async def test_a_home_assistant_that_is_killed_before_its_registry_is_on_the_disk(
    hass: HomeAssistant, panel: FakePanel, on_broker: MockConfigEntry, to: str
) -> None:
    steps, registry = Steps(hass, panel, on_broker, "now"), er.async_get(hass)
    choose(hass, MQTT)
    await steps.to_native()
    if to == "mqtt":
        await steps.to_mqtt()
        await withdraw(hass)
    await hass.config_entries.async_unload(on_broker.entry_id)
    # What Home Assistant has read after that: nothing of what was written in the last seconds.
    for entry in list(found(hass, "sconce").values()):
        registry.async_remove(entry.entity_id)
    registry.deleted_entities.clear()
    assert await hass.config_entries.async_setup(on_broker.entry_id)
    if to == "mqtt":
        await announce(hass, *ITEMS)
        await until(hass, lambda: found(hass, MQTT)[RELAY].entity_id == "switch.coffee")
        await until(hass, lambda: found(hass, MQTT)[LEVEL].disabled_by)
    await until(hass, lambda: hass.states.get("switch.coffee"))
    check(hass, "sconce" if to == "native" else MQTT)


@pytest.mark.parametrize(("is_released", "begins_again"), [(False, True), (True, False)])
async def test_a_home_assistant_that_is_killed_while_it_moves_again(
    hass: HomeAssistant, panel: FakePanel, on_broker: MockConfigEntry, is_released: bool, begins_again: bool
) -> None:
    steps, registry = Steps(hass, panel, on_broker, "now"), er.async_get(hass)
    choose(hass, MQTT)
    await steps.to_native()
    await panel.move("mqtt", "prepare", "prepared")
    if is_released:
        await panel.move("mqtt", "release", "released")
        await steps.show("native")
        await until(hass, lambda: hass.states.get("switch.coffee"))
    await panel.send(type="move", to="mqtt", step="abandon")
    if begins_again:
        await panel.move("mqtt", "prepare", "prepared")
    else:
        await until(hass, lambda: on_broker.runtime_data.moving.summary is None)
    await hass.config_entries.async_unload(on_broker.entry_id)
    # What Home Assistant has read after that: its registry of before all that.
    for entry in list(found(hass, "sconce").values()):
        registry.async_remove(entry.entity_id)
    registry.deleted_entities.clear()
    await announce(hass, *ITEMS)
    assert len(found(hass, MQTT)) == 4
    assert await hass.config_entries.async_setup(on_broker.entry_id)
    await until(hass, lambda: hass.states.get("switch.coffee"))
    check(hass, "sconce")


async def test_written_choices_are_forgotten_once_they_are_on_the_disk(
    hass: HomeAssistant, panel: FakePanel, on_broker: MockConfigEntry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moving, "SAVED_SECONDS", 0.01)
    await Steps(hass, panel, on_broker, "never").to_native()
    file = Path(choices.storage(hass, "hall").path)
    await until(hass, lambda: not file.exists())


async def test_a_storage_that_cannot_be_written_keeps_the_entities(
    hass: HomeAssistant, panel: FakePanel, native: MockConfigEntry, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def lost(*_: Any) -> None:
        """As a full disk, which Home Assistant only logs."""

    monkeypatch.setattr(Store, "async_save", lost)
    assert "could not write" in (await panel.move("mqtt", "prepare", "failed"))["message"]
    await panel.move("mqtt", "release", "failed")
    assert found(hass, "sconce")[RELAY].entity_id == "switch.hall_relay"


@pytest.mark.no_fail_on_log_exception
async def test_a_step_with_a_defect_is_answered(
    hass: HomeAssistant, panel: FakePanel, native: MockConfigEntry, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any) -> None:
        raise LookupError("a defect")

    monkeypatch.setattr("custom_components.sconce.choices.read", broken)
    assert "(prepare)" in (await panel.move("mqtt", "prepare", "failed"))["message"]
    await panel.move("native", "release", "failed")
    await panel.send(type="move", to="moon", step="prepare")
    await panel.send(type="move", to="mqtt", step=["prepare"])
    monkeypatch.undo()
    assert len(panel.sessions) == 1


async def test_another_panel_whose_id_begins_alike_is_left_alone(
    hass: HomeAssistant, panel: FakePanel, on_broker: MockConfigEntry
) -> None:
    other = {
        "unique_id": "sconce_hall_2_relay",
        "name": "Relay",
        "command_topic": "sconce/hall_2/relay/set",
        "device": {"identifiers": ["sconce_hall_2"], "name": "Hall 2"},
    }
    async_fire_mqtt_message(hass, "homeassistant/switch/sconce_hall_2/relay/config", json.dumps(other))
    await hass.async_block_till_done()
    assert (await Steps(hass, panel, on_broker, "never").to_native())["entities"] == 4
    assert set(found(hass, MQTT)) == {"sconce_hall_2_relay"}


async def test_on_the_broker_there_is_no_second_device_but_an_offer(
    hass: HomeAssistant, panel: FakePanel, on_broker: MockConfigEntry
) -> None:
    assert on_broker.state is ConfigEntryState.LOADED
    assert found(hass, "sconce") == {}
    assert devices(hass, "sconce") == []
    issue_id = f"{on_broker.entry_id}_on_broker"
    registry = ir.async_get(hass)
    assert registry.issues["sconce", issue_id].is_fixable
    # One that sends rows all the same shows none of them.
    panel.items = ITEMS
    await panel.catalogue()
    await Steps(hass, panel, on_broker, "never").to_native()
    assert ("sconce", issue_id) not in registry.issues
    await Steps(hass, panel, on_broker, "never").to_mqtt()
    assert ("sconce", issue_id) in registry.issues
    assert await hass.config_entries.async_unload(on_broker.entry_id)
    assert ("sconce", issue_id) not in registry.issues


async def test_the_repair_asks_the_panel_to_move(
    hass: HomeAssistant, panel: FakePanel, on_broker: MockConfigEntry
) -> None:
    assert await async_setup_component(hass, "repairs", {})
    manager = hass.data["repairs"]["flow_manager"]
    issue_id = f"{on_broker.entry_id}_on_broker"

    async def confirm() -> dict[str, Any]:
        flow = await manager.async_init("sconce", data={"issue_id": issue_id})
        assert (flow["type"], flow["step_id"]) == ("form", "confirm")
        return await manager.async_configure(flow["flow_id"], {})

    flow = await confirm()
    assert (flow["type"], flow["reason"]) == ("abort", "move_asked")
    await panel.heard(type="move-wanted", to="native")
    await panel.stop()
    await until(hass, lambda: not on_broker.runtime_data.live)
    flow = await confirm()
    assert (flow["type"], flow["reason"]) == ("abort", "not_connected")


@pytest.mark.parametrize(("surface", "to"), [("mqtt", "native"), ("native", "mqtt")])
async def test_the_menu_offers_the_other_way(
    hass: HomeAssistant, panel: FakePanel, entry: MockConfigEntry, surface: str, to: str
) -> None:
    panel.surface = surface
    assert await hass.config_entries.async_setup(entry.entry_id)
    flow = await entry.start_reconfigure_flow(hass)
    assert (flow["type"], flow["menu_options"]) == ("menu", ["address", f"to_{to}"])
    flow = await hass.config_entries.flow.async_configure(flow["flow_id"], {"next_step_id": f"to_{to}"})
    assert (flow["type"], flow["reason"]) == ("abort", "move_asked")
    await panel.heard(type="move-wanted", to=to)
    flow = await entry.start_reconfigure_flow(hass)
    await panel.stop()
    await until(hass, lambda: not entry.runtime_data.live)
    flow = await hass.config_entries.flow.async_configure(flow["flow_id"], {"next_step_id": f"to_{to}"})
    assert (flow["type"], flow["reason"]) == ("abort", "not_connected")


async def test_the_device_card_has_what_the_panel_says(
    hass: HomeAssistant, panel: FakePanel, native: MockConfigEntry
) -> None:
    (device,) = devices(hass, "sconce")
    assert (device.name, device.model) == ("Hall", "Simulated panel")
    assert found(hass, "sconce")[SPARE].entity_category is EntityCategory.DIAGNOSTIC
    # Without a row there is no device.
    panel.items = []
    await panel.catalogue()
    await until(hass, lambda: not devices(hass, "sconce"))
