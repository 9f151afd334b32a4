"""Entities: ids, kinds, states, commands and refusals; rows that come, change and go."""

import asyncio
from typing import Any

from homeassistant.components.image import async_get_image
from homeassistant.const import STATE_UNAVAILABLE, EntityCategory
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError, ServiceValidationError
from homeassistant.helpers import device_registry as dr, entity_registry as er
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry, async_capture_events

from .fake_panel import FakePanel
from .rows import ITEMS, all_states, row
from .wait import until


@pytest.fixture
async def loaded(hass: HomeAssistant, panel: FakePanel, entry: MockConfigEntry) -> MockConfigEntry:
    """A panel with a row of each kind."""
    panel.items, panel.states = list(ITEMS), all_states()
    assert await hass.config_entries.async_setup(entry.entry_id)
    return entry


async def call(hass: HomeAssistant, service: str, entity_id: str, **data: Any) -> None:
    """Call an action of an entity and wait for it."""
    domain, name = service.split(".")
    await hass.services.async_call(domain, name, {"entity_id": entity_id, **data}, blocking=True)


def shown(hass: HomeAssistant, entity_id: str) -> str | None:
    """The state of an entity, if there is one."""
    state = hass.states.get(entity_id)
    return state.state if state else None


async def test_each_kind_has_its_id_state_and_description(hass: HomeAssistant, loaded: MockConfigEntry) -> None:
    registry = er.async_get(hass)
    for item in ITEMS:
        entity_id = f"{item['platform']}.hall_{item['k']}"
        registered = registry.async_get(entity_id)
        assert registered is not None, entity_id
        assert registered.unique_id == f"sconce_hall_{item['k']}"
        assert registered.original_name == item["name"]
        assert registered.has_entity_name
        assert registered.entity_category == (EntityCategory(item["category"]) if "category" in item else None)
        assert registered.original_icon == item.get("icon")
        assert registered.original_device_class == item.get("class")
        assert (registered.disabled_by is None) is item["enabled"]
    lamp = hass.states.get("light.hall_lamp")
    assert lamp.state == "on"
    assert lamp.attributes["brightness"] == 128
    assert lamp.attributes["rgb_color"] == (255, 0, 10)
    assert lamp.attributes["supported_color_modes"] == ["rgb"]
    assert lamp.attributes["effect_list"] == ["Rainbow", "Fire"]
    assert lamp.attributes["friendly_name"] == "Hall Lamp"
    level = hass.states.get("number.hall_level")
    assert (float(level.state), level.attributes["min"], level.attributes["max"]) == (20, 5, 50)
    assert (level.attributes["step"], level.attributes["mode"], level.attributes["unit_of_measurement"]) == (
        5,
        "slider",
        "%",
    )
    assert shown(hass, "text.hall_words") == "hello"
    assert hass.states.get("text.hall_words").attributes["max"] == 20
    assert shown(hass, "switch.hall_relay") == "off"
    assert shown(hass, "select.hall_mode") == "low"
    assert hass.states.get("select.hall_mode").attributes["options"] == ["low", "high"]
    heat = hass.states.get("sensor.hall_heat")
    assert (heat.state, heat.attributes["state_class"]) == ("21.25", "measurement")
    assert shown(hass, "sensor.hall_since") == "2026-11-27T03:00:00+00:00"
    assert shown(hass, "binary_sensor.hall_near") == "on"
    assert shown(hass, "event.hall_bell") == "unknown"
    assert shown(hass, "button.hall_again") == "unknown"
    assert shown(hass, "sensor.hall_spare") is None


async def test_the_device_card_is_the_panels(hass: HomeAssistant, loaded: MockConfigEntry) -> None:
    (device,) = dr.async_entries_for_config_entry(dr.async_get(hass), loaded.entry_id)
    assert device.identifiers == {("sconce", "sconce_hall")}
    assert (device.name, device.manufacturer, device.model) == ("Hall", "Sconce", "Simulated panel")
    assert (device.sw_version, device.configuration_url) == ("0.2.0", "http://127.0.0.1:8888/")


async def test_commands_are_what_the_panel_expects(hass: HomeAssistant, panel: FakePanel, loaded: object) -> None:
    await call(hass, "light.turn_on", "light.hall_lamp", brightness=7, rgb_color=[1, 2, 3])
    await call(hass, "light.turn_on", "light.hall_lamp", effect="Fire")
    await call(hass, "light.turn_off", "light.hall_lamp")
    await call(hass, "number.set_value", "number.hall_level", value=25)
    await call(hass, "text.set_value", "text.hall_words", value="bye")
    await call(hass, "switch.turn_on", "switch.hall_relay")
    await call(hass, "switch.turn_off", "switch.hall_relay")
    await call(hass, "select.select_option", "select.hall_mode", option="high")
    await call(hass, "button.press", "button.hall_again")
    assert [(sent["id"], sent["k"], sent["v"], sent["deadline"]) for sent in panel.heard_all("set")] == [
        (1, "lamp", {"on": True, "brightness": 7, "rgb": [1, 2, 3]}, 8000),
        (2, "lamp", {"on": True, "effect": "Fire"}, 8000),
        (3, "lamp", {"on": False}, 8000),
        (4, "level", 25, 8000),
        (5, "words", "bye", 8000),
        (6, "relay", True, 8000),
        (7, "relay", False, 8000),
        (8, "mode", "high", 8000),
        (9, "again", None, 8000),
    ]


async def test_a_command_that_a_newer_one_replaced_is_done(
    hass: HomeAssistant, panel: FakePanel, loaded: object
) -> None:
    panel.outcomes["relay"] = {"ok": False, "code": "superseded", "message": "A newer command came."}
    await call(hass, "switch.turn_on", "switch.hall_relay")
    assert len(panel.heard_all("set")) == 1


async def test_a_refusal_fails_the_call_with_the_panels_words(
    hass: HomeAssistant, panel: FakePanel, loaded: object
) -> None:
    panel.outcomes["relay"] = {"ok": False, "code": "not-approved", "message": "A person said no."}
    with pytest.raises(HomeAssistantError, match="Hall: A person said no") as denied:
        await call(hass, "switch.turn_on", "switch.hall_relay")
    assert not isinstance(denied.value, ServiceValidationError)
    assert denied.value.translation_key == "refused"
    panel.outcomes["words"] = {"ok": False, "code": "too-long", "message": "The text is too long."}
    with pytest.raises(ServiceValidationError, match="Hall: The text is too long"):
        await call(hass, "text.set_value", "text.hall_words", value="xxx")
    assert shown(hass, "switch.hall_relay") == "off"


async def test_a_call_that_waits_for_a_person_ends_at_the_rows_timeout(
    hass: HomeAssistant, panel: FakePanel, entry: MockConfigEntry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("custom_components.sconce.hub.GRACE_SECONDS", 0.05)
    panel.items = [row("relay", "switch", "Relay", timeout=150)]
    panel.states = {"relay": {"available": True, "v": False}}
    panel.outcomes["relay"] = None
    assert await hass.config_entries.async_setup(entry.entry_id)
    with pytest.raises(HomeAssistantError, match="Hall waits for approval at the panel"):
        await call(hass, "switch.turn_on", "switch.hall_relay")
    (sent,) = panel.heard_all("set")
    assert sent["deadline"] == 150
    # The late answer belongs to no call any more; the state follows by itself.
    await panel.send(type="result", id=sent["id"], ok=True)
    await panel.state("relay", True)
    await until(hass, lambda: shown(hass, "switch.hall_relay") == "on")


async def test_states_attributes_and_availability_follow(hass: HomeAssistant, panel: FakePanel, loaded: object) -> None:
    await panel.state("heat", 22.5, reason="measured")
    await until(hass, lambda: shown(hass, "sensor.hall_heat") == "22.5")
    assert hass.states.get("sensor.hall_heat").attributes["reason"] == "measured"
    await panel.state("heat", None)
    await until(hass, lambda: shown(hass, "sensor.hall_heat") == "unknown")
    assert "reason" not in hass.states.get("sensor.hall_heat").attributes
    await panel.state("lamp", None, available=False)
    await until(hass, lambda: shown(hass, "light.hall_lamp") == STATE_UNAVAILABLE)
    assert shown(hass, "switch.hall_relay") == "off"
    await panel.state("lamp", {"on": False, "brightness": None, "rgb": None, "effect": None})
    await until(hass, lambda: shown(hass, "light.hall_lamp") == "off")


async def test_a_state_that_does_not_fit_harms_no_other(
    hass: HomeAssistant, panel: FakePanel, loaded: object, caplog: Any
) -> None:
    await panel.state("words", "x" * 200)
    await panel.state("relay", True)
    await until(hass, lambda: shown(hass, "switch.hall_relay") == "on")
    assert "text.hall_words: the panel's state does not fit" in caplog.text
    assert panel.session is not None


async def test_events_arrive_once(hass: HomeAssistant, panel: FakePanel, loaded: object) -> None:
    changes = async_capture_events(hass, "state_changed")
    await panel.send(type="event", k="bell", n=1, event="press", data={"side": "left"})
    await panel.send(type="event", k="bell", n=1, event="press", data={"side": "left"})
    await panel.send(type="event", k="bell", n=2, event="unheard-of", data={})
    await panel.send(type="event", k="bell", n=3, event="hold", data={})
    await until(hass, lambda: hass.states.get("event.hall_bell").attributes["event_type"] == "hold")
    seen = [e.data["new_state"].attributes for e in changes if e.data["entity_id"] == "event.hall_bell"]
    assert [attributes["event_type"] for attributes in seen] == ["press", "hold"]
    assert seen[0]["side"] == "left"


async def test_a_picture_is_fetched_when_it_is_looked_at(hass: HomeAssistant, panel: FakePanel, loaded: object) -> None:
    first = shown(hass, "image.hall_view")
    assert panel.pictures == 0
    assert (await async_get_image(hass, "image.hall_view")).content == b"\xff\xd8\xff\xe0picture"
    await async_get_image(hass, "image.hall_view")
    assert panel.pictures == 1
    await panel.state("view", {"path": "/api/v1/picture?a=1", "n": 4})
    await until(hass, lambda: shown(hass, "image.hall_view") != first)
    await async_get_image(hass, "image.hall_view")
    assert panel.pictures == 2


async def test_rows_come_and_go_without_a_reload(hass: HomeAssistant, panel: FakePanel, entry: MockConfigEntry) -> None:
    panel.items = [row("relay", "switch", "Relay")]
    panel.states = {"relay": {"available": True, "v": True}}
    assert await hass.config_entries.async_setup(entry.entry_id)
    assert hass.states.async_entity_ids() == ["switch.hall_relay"]
    entry.runtime_data.marked = True
    # A row of a kind that was not there before, and one of a kind that was.
    panel.items = [*panel.items, row("heat", "sensor", "Heat"), row("fan", "switch", "Fan")]
    panel.states |= {"heat": {"available": True, "v": 5}, "fan": {"available": True, "v": False}}
    await panel.catalogue()
    await until(hass, lambda: shown(hass, "switch.hall_fan") == "off")
    assert shown(hass, "sensor.hall_heat") == "5"
    assert shown(hass, "switch.hall_relay") == "on"
    panel.items = [panel.items[1], row("later", "holo_display", "Later"), {"k": "no row"}, 5]
    await panel.catalogue()
    await until(hass, lambda: hass.states.async_entity_ids() == ["sensor.hall_heat"])
    assert [e.entity_id for e in er.async_get(hass).entities.values()] == ["sensor.hall_heat"]
    assert entry.runtime_data.marked
    assert len(panel.sessions) == 1


async def test_a_row_that_changes_keeps_its_entry(hass: HomeAssistant, panel: FakePanel, loaded: object) -> None:
    registry = er.async_get(hass)
    registry.async_update_entity("select.hall_mode", new_entity_id="select.my_choice", name="Mine")
    panel.items = [
        {**item, "options": ["low", "high", "max"], "name": "Way"} if item["k"] == "mode" else item for item in ITEMS
    ]
    await panel.catalogue()
    await until(hass, lambda: hass.states.get("select.my_choice").attributes.get("options") == ["low", "high", "max"])
    assert shown(hass, "select.my_choice") == "low"
    entry = registry.async_get("select.my_choice")
    assert (entry.original_name, entry.name) == ("Way", "Mine")
    # Another kind under the same key is another entity.
    panel.items = [row("mode", "sensor", "Mode") if item["k"] == "mode" else item for item in ITEMS]
    await panel.catalogue()
    await until(hass, lambda: shown(hass, "sensor.hall_mode") == "low")
    assert registry.async_get("select.my_choice") is None


async def test_another_name_and_id_of_the_panel(hass: HomeAssistant, panel: FakePanel, loaded: MockConfigEntry) -> None:
    panel.id = "porch"
    panel.panel |= {"id": "porch", "name": "Porch"}
    await panel.catalogue()
    await until(hass, lambda: shown(hass, "switch.porch_relay") == "off")
    assert shown(hass, "switch.hall_relay") is None
    assert (loaded.unique_id, loaded.title) == ("porch", "Porch")
    (device,) = dr.async_entries_for_config_entry(dr.async_get(hass), loaded.entry_id)
    assert (device.identifiers, device.name) == ({("sconce", "sconce_porch")}, "Porch")


async def test_the_saved_catalogue_is_there_at_once(
    hass: HomeAssistant, panel: FakePanel, loaded: MockConfigEntry
) -> None:
    before = set(hass.states.async_entity_ids())
    assert await hass.config_entries.async_unload(loaded.entry_id)
    await panel.stop()
    async with asyncio.timeout(2):
        assert await hass.config_entries.async_setup(loaded.entry_id)
    assert set(hass.states.async_entity_ids()) == before
    assert {state.state for state in hass.states.async_all()} == {STATE_UNAVAILABLE}
    await panel.start()
    await until(hass, lambda: shown(hass, "switch.hall_relay") == "off")
    assert {s.entity_id for s in hass.states.async_all() if s.state == STATE_UNAVAILABLE} == set()


async def test_the_first_setup_waits_for_the_panel(
    hass: HomeAssistant, panel: FakePanel, entry: MockConfigEntry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("custom_components.sconce.hub.FIRST_CATALOGUE_SECONDS", 0.1)
    await panel.stop()
    assert not await hass.config_entries.async_setup(entry.entry_id)
    assert entry.state.value == "setup_retry"
    assert entry.error_reason_translation_key == "not_connected"


async def test_diagnostics_tell_no_key(hass: HomeAssistant, panel: FakePanel, loaded: MockConfigEntry) -> None:
    from custom_components.sconce.diagnostics import async_get_config_entry_diagnostics

    assert await async_setup_component(hass, "diagnostics", {})
    told = await async_get_config_entry_diagnostics(hass, loaded)
    assert loaded.data["key"] not in str(told)
    assert loaded.data["key_id"] not in str(told)
    assert "hello" not in str(told["available"])
    assert told["connection"] == {"live": True, "sessions": 1, "failure": None}
    assert [item["k"] for item in told["catalogue"]["items"]] == [item["k"] for item in ITEMS]
