"""Pairing by hand, from discovery and again; another address; what each refusal says."""

import asyncio
from ipaddress import ip_address
from typing import Any

from homeassistant.config_entries import ConfigFlowResult
from homeassistant.core import HomeAssistant
from homeassistant.helpers.service_info.zeroconf import ZeroconfServiceInfo
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from .fake_panel import FakePanel
from .rows import row
from .wait import until


async def begin(hass: HomeAssistant, panel: FakePanel, host: str = "127.0.0.1") -> ConfigFlowResult:
    """Start by hand and give the address."""
    flow = await hass.config_entries.flow.async_init("sconce", context={"source": "user"})
    assert (flow["type"], flow["step_id"]) == ("form", "user")
    return await hass.config_entries.flow.async_configure(flow["flow_id"], {"host": host, "port": panel.port})


async def type_digits(hass: HomeAssistant, flow: ConfigFlowResult, digits: str) -> ConfigFlowResult:
    """Type digits into a flow."""
    return await hass.config_entries.flow.async_configure(flow["flow_id"], {"digits": digits})


async def finish(hass: HomeAssistant, flow: ConfigFlowResult) -> ConfigFlowResult:
    """Follow a flow until the panel has answered.

    Home Assistant itself takes note of the answer; a step that is asked for meanwhile would be carried out twice.
    """
    manager = hass.config_entries.flow
    async with asyncio.timeout(5):
        while flow["type"] in ("progress", "progress_done"):
            handler = manager._progress[flow["flow_id"]]
            while handler.cur_step["type"] == "progress":
                await asyncio.sleep(0.002)
            flow = await manager.async_configure(flow["flow_id"])
    return flow


def discovered(panel: FakePanel, **properties: str) -> ZeroconfServiceInfo:
    """What Home Assistant's discovery says of the panel."""
    return ZeroconfServiceInfo(
        ip_address=ip_address("127.0.0.1"),
        ip_addresses=[ip_address("127.0.0.1")],
        port=panel.port,
        hostname="sconce-hall.local.",
        type="_sconce._tcp.local.",
        name="hall._sconce._tcp.local.",
        properties=properties,
    )


async def discover(hass: HomeAssistant, panel: FakePanel, **properties: str) -> ConfigFlowResult:
    """Start from discovery."""
    info = discovered(panel, **properties)
    return await hass.config_entries.flow.async_init("sconce", context={"source": "zeroconf"}, data=info)


async def forget(hass: HomeAssistant) -> None:
    """Unload what a flow has added."""
    for entry in hass.config_entries.async_entries("sconce"):
        await hass.config_entries.async_unload(entry.entry_id)


async def test_right_digits_and_a_touch_pair(hass: HomeAssistant, panel: FakePanel) -> None:
    panel.items = [row("relay", "switch", "Relay")]
    flow = await begin(hass, panel)
    assert (flow["type"], flow["step_id"]) == ("form", "digits")
    assert flow["description_placeholders"]["name"] == "Hall"
    flow = await type_digits(hass, flow, f" {panel.digits[0][:3]} {panel.digits[0][3:]} ")
    assert (flow["type"], flow["step_id"]) == ("progress", "approve")
    assert panel.keys == {}
    panel.touched.set()
    flow = await finish(hass, flow)
    assert (flow["type"], flow["title"]) == ("create_entry", "Hall")
    ((key_id, key),) = panel.keys.items()
    assert flow["data"] == {"host": "127.0.0.1", "port": panel.port, "key_id": key_id, "key": key.hex()}
    assert flow["result"].unique_id == "hall"
    # The key works at once.
    await until(hass, lambda: hass.states.get("switch.hall_relay"))
    assert "key_id" not in panel.hellos[0]
    assert panel.hellos[0]["client"] == panel.hellos[1]["client"]
    await forget(hass)


async def test_a_touch_before_the_digits_is_enough(hass: HomeAssistant, panel: FakePanel) -> None:
    flow = await begin(hass, panel)
    panel.touched.set()
    flow = await finish(hass, await type_digits(hass, flow, panel.digits[0]))
    assert flow["type"] == "create_entry"
    await forget(hass)


async def test_wrong_digits_start_over_with_new_ones(hass: HomeAssistant, panel: FakePanel) -> None:
    flow = await begin(hass, panel)
    wrong = f"{(int(panel.digits[0]) + 1) % 1_000_000:06}"
    flow = await type_digits(hass, flow, wrong)
    assert (flow["step_id"], flow["errors"]) == ("digits", {"base": "wrong_digits"})
    assert len(panel.digits) == 2
    assert panel.digits[0] != panel.digits[1]
    panel.touched.set()
    # The first question's digits are worth nothing any more.
    assert (await type_digits(hass, flow, panel.digits[0]))["errors"] == {"base": "wrong_digits"}
    flow = await finish(hass, await type_digits(hass, flow, panel.digits[2]))
    assert flow["type"] == "create_entry"
    assert len(panel.keys) == 1
    await forget(hass)


@pytest.mark.parametrize(
    ("answer", "reason"), [("denied", "denied"), ("expired", "expired"), ("something-new", "refused")]
)
async def test_a_refusal_at_the_panel_ends_the_flow(
    hass: HomeAssistant, panel: FakePanel, answer: str, reason: str
) -> None:
    flow = await begin(hass, panel)
    flow = await type_digits(hass, flow, panel.digits[0])
    panel.answer = answer
    panel.touched.set()
    flow = await finish(hass, flow)
    assert (flow["type"], flow["reason"]) == ("abort", reason)
    assert flow["description_placeholders"]["message"] == "No."
    assert panel.keys == {}


async def test_a_refusal_before_the_digits_were_typed(hass: HomeAssistant, panel: FakePanel) -> None:
    flow = await begin(hass, panel)
    panel.answer = "denied"
    panel.touched.set()
    ended = panel.until(lambda: panel.pairings)
    await ended
    pairing = hass.config_entries.flow._progress[flow["flow_id"]]._pairing
    await until(hass, pairing._end.done)
    flow = await type_digits(hass, flow, panel.digits[0])
    assert (flow["type"], flow["reason"]) == ("abort", "denied")


@pytest.mark.parametrize(
    ("code", "error"),
    [("no-place", "no_place"), ("pairing-busy", "pairing_busy"), ("pairing-too-often", "pairing_too_often")],
)
async def test_a_panel_that_cannot_ask_says_so_at_once(
    hass: HomeAssistant, panel: FakePanel, code: str, error: str
) -> None:
    panel.at_once = code
    flow = await begin(hass, panel)
    assert (flow["step_id"], flow["errors"]) == ("user", {"base": error})


async def test_what_an_address_leads_to_is_told_apart(hass: HomeAssistant, panel: FakePanel) -> None:
    async def error() -> str:
        return (await begin(hass, panel))["errors"]["base"]

    panel.status = 403
    assert await error() == "host_refused"
    panel.status = 404
    assert await error() == "no_socket"
    panel.status = 200
    assert await error() == "not_a_panel"
    panel.status = 101
    panel.protocol = 7
    assert await error() == "update_integration"
    panel.protocol = "one"
    assert await error() == "not_a_panel"
    panel.protocol = 1
    panel.refused = {"code": "busy"}
    assert await error() == "busy"
    panel.refused = {"code": "protocol", "protocol": [0, 0]}
    assert await error() == "update_panel"
    await panel.stop()
    assert await error() == "cannot_connect"
    assert (await begin(hass, panel, "no host at all"))["errors"]["base"] == "cannot_connect"


async def test_a_flow_that_is_given_up_withdraws_the_question(hass: HomeAssistant, panel: FakePanel) -> None:
    flow = await begin(hass, panel)
    tasks = {task for task in asyncio.all_tasks() if task.get_name() == "sconce pairing"}
    assert len(tasks) == 1
    hass.config_entries.flow.async_abort(flow["flow_id"])
    await until(hass, lambda: all(task.done() for task in tasks))
    await hass.async_block_till_done(wait_background_tasks=True)
    assert panel.keys == {}


async def test_discovery_offers_a_panel_and_asks_it_only_then(hass: HomeAssistant, panel: FakePanel) -> None:
    flow = await discover(hass, panel, id="hall", name="Hall")
    assert (flow["type"], flow["step_id"]) == ("form", "discovery_confirm")
    assert hass.config_entries.flow.async_progress()[0]["context"]["title_placeholders"] == {"name": "Hall"}
    assert panel.hellos == []
    flow = await hass.config_entries.flow.async_configure(flow["flow_id"], {})
    panel.touched.set()
    flow = await finish(hass, await type_digits(hass, flow, panel.digits[0]))
    assert (flow["type"], flow["title"]) == ("create_entry", "Hall")
    await forget(hass)


async def test_discovery_without_an_id_offers_nothing(hass: HomeAssistant, panel: FakePanel) -> None:
    flow = await discover(hass, panel, name="Hall")
    assert (flow["type"], flow["reason"]) == ("abort", "not_a_panel")


async def test_discovery_of_a_known_panel_changes_no_address(
    hass: HomeAssistant, panel: FakePanel, entry: MockConfigEntry, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await hass.config_entries.async_setup(entry.entry_id)
    before = dict(entry.data)
    elsewhere = FakePanel()
    await elsewhere.start()
    flow = await discover(hass, elsewhere, id="hall")
    assert (flow["type"], flow["reason"]) == ("abort", "already_configured")
    assert dict(entry.data) == before
    assert elsewhere.hellos == []
    # Once it is waited for, the address is tried; what answers there does not have the key.
    await panel.stop()
    await until(hass, lambda: not entry.runtime_data.live)
    await discover(hass, elsewhere, id="hall")
    await elsewhere.until(lambda: elsewhere.hellos)
    assert dict(entry.data) == before
    await elsewhere.stop()


async def test_a_known_panel_is_not_asked_again(hass: HomeAssistant, panel: FakePanel, entry: MockConfigEntry) -> None:
    flow = await begin(hass, panel)
    assert (flow["type"], flow["reason"]) == ("abort", "already_configured")
    assert panel.digits == []


async def test_reauthentication_replaces_the_key(hass: HomeAssistant, panel: FakePanel, entry: MockConfigEntry) -> None:
    assert await hass.config_entries.async_setup(entry.entry_id)
    old = entry.data["key"]
    panel.keys.clear()
    panel.session.cut()
    (flow,) = await until(hass, hass.config_entries.flow.async_progress)
    assert (await hass.config_entries.flow.async_configure(flow["flow_id"], {}))["step_id"] == "digits"
    panel.touched.set()
    result = await finish(hass, await type_digits(hass, flow, panel.digits[0]))
    assert (result["type"], result["reason"]) == ("abort", "reauth_successful")
    assert entry.data["key"] != old
    await until(hass, lambda: getattr(entry, "runtime_data", None) and entry.runtime_data.live)
    assert hass.config_entries.flow.async_progress() == []


async def test_reauthentication_at_another_panel_ends(
    hass: HomeAssistant, panel: FakePanel, entry: MockConfigEntry
) -> None:
    panel.id = "porch"
    flow = await entry.start_reauth_flow(hass)
    flow = await hass.config_entries.flow.async_configure(flow["flow_id"], {})
    assert (flow["type"], flow["reason"]) == ("abort", "wrong_panel")
    assert panel.digits == []


async def test_reconfiguration_keeps_an_address_where_the_key_is(
    hass: HomeAssistant, panel: FakePanel, entry: MockConfigEntry
) -> None:
    assert await hass.config_entries.async_setup(entry.entry_id)
    before = dict(entry.data)
    other = FakePanel()
    other.keys = {key_id: bytes(32) for key_id in panel.keys}
    await other.start()

    async def answer(port: int) -> ConfigFlowResult:
        flow = await entry.start_reconfigure_flow(hass)
        if flow["type"] == "menu":
            flow = await hass.config_entries.flow.async_configure(flow["flow_id"], {"next_step_id": "address"})
        return await hass.config_entries.flow.async_configure(flow["flow_id"], {"host": "127.0.0.1", "port": port})

    flow: Any = await answer(other.port)
    assert flow["errors"] == {"base": "wrong_panel"}
    other.keys.clear()
    assert (await answer(other.port))["errors"] == {"base": "unknown_key"}
    assert dict(entry.data) == before
    assert len(panel.sessions) == 1
    other.keys = panel.keys
    flow = await answer(other.port)
    assert (flow["type"], flow["reason"]) == ("abort", "reconfigure_successful")
    await until(hass, lambda: other.sessions)
    assert dict(entry.data) == before | {"port": other.port}
    await hass.config_entries.async_unload(entry.entry_id)
    await other.stop()
