"""The connection: losses, phases, goodbyes, keys that change or are gone, and addresses that move."""

import asyncio
import json
from typing import Any

from homeassistant.config_entries import ConfigEntryDisabler, ConfigEntryState
from homeassistant.const import STATE_UNAVAILABLE
from homeassistant.core import CoreState, HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import issue_registry as ir
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry, async_capture_events
from zeroconf import DNSIncoming, DNSOutgoing, ServiceInfo
from zeroconf.asyncio import AsyncZeroconf

from custom_components.sconce.const import ISSUES

from .fake_panel import FakePanel
from .rows import row
from .wait import until


@pytest.fixture
async def loaded(hass: HomeAssistant, panel: FakePanel, entry: MockConfigEntry) -> MockConfigEntry:
    """A panel with one row."""
    panel.items = [row("relay", "switch", "Relay")]
    panel.states = {"relay": {"available": True, "v": True}}
    assert await hass.config_entries.async_setup(entry.entry_id)
    return entry


def relay(hass: HomeAssistant) -> str | None:
    """The state of its entity."""
    state = hass.states.get("switch.hall_relay")
    return state.state if state else None


def reauths(hass: HomeAssistant) -> list[Any]:
    """Flows that ask a person to pair again."""
    return [flow for flow in hass.config_entries.flow.async_progress() if flow["context"]["source"] == "reauth"]


async def press(hass: HomeAssistant) -> None:
    """Turn the row off and wait for the outcome."""
    await hass.services.async_call("switch", "turn_off", {"entity_id": "switch.hall_relay"}, blocking=True)


async def test_the_greeting_names_this_home_assistant(
    hass: HomeAssistant, panel: FakePanel, loaded: MockConfigEntry
) -> None:
    (hello,) = panel.hellos
    assert hello["type"] == "hello"
    assert hello["protocol"] == [1, 1]
    assert hello["key_id"] == loaded.data["key_id"]
    assert set(hello["client"]) == {"id", "name", "version", "integration"}
    assert len(bytes.fromhex(hello["client"]["id"])) == 16
    # A browser sends these, and the panel refuses them.
    names = {name.lower() for name in panel.headers[0]}
    assert not {name for name in names if name in ("origin", "referer") or name.startswith("sec-fetch")}
    assert "sec-websocket-extensions" not in names
    assert panel.sessions[0].received[0] == {"type": "phase", "phase": "running"}


async def test_a_lost_connection_comes_back_without_repeating_a_command(
    hass: HomeAssistant, panel: FakePanel, loaded: MockConfigEntry
) -> None:
    panel.outcomes["relay"] = None
    waiting = hass.async_create_task(press(hass))
    await panel.heard(type="set")
    await panel.stop()
    with pytest.raises(HomeAssistantError, match="Hall is not connected"):
        await waiting
    assert relay(hass) == STATE_UNAVAILABLE
    panel.states["relay"]["v"] = False
    await panel.start()
    await until(hass, lambda: relay(hass) == "off")
    assert len(panel.heard_all("set")) == 1
    # Numbers belong to one session.
    panel.outcomes.clear()
    await press(hass)
    assert [sent["id"] for sent in panel.heard_all("set")] == [1, 1]


async def test_a_panel_that_falls_silent_is_noticed(
    hass: HomeAssistant, panel: FakePanel, entry: MockConfigEntry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("custom_components.sconce.link.PING_SECONDS", 0.1)
    panel.items = [row("relay", "switch", "Relay")]
    panel.states = {"relay": {"available": True, "v": True}}
    assert await hass.config_entries.async_setup(entry.entry_id)
    assert relay(hass) == "on"
    panel.silent = True
    await until(hass, lambda: relay(hass) == STATE_UNAVAILABLE)


async def test_nothing_is_available_before_all_states_are_there(
    hass: HomeAssistant, panel: FakePanel, loaded: MockConfigEntry
) -> None:
    old = panel.session
    changes = async_capture_events(hass, "state_changed")
    panel.states["relay"]["v"] = False
    old.cut()
    await until(hass, lambda: relay(hass) == "off")
    assert [e.data["new_state"].state for e in changes] == [STATE_UNAVAILABLE, "off"]


async def test_a_frame_with_another_key_ends_the_connection(
    hass: HomeAssistant, panel: FakePanel, loaded: MockConfigEntry
) -> None:
    old = panel.session
    await old.socket.send_bytes(b"\1" * 40)
    await until(hass, lambda: len(panel.sessions) == 2)
    await until(hass, lambda: relay(hass) == "on")


async def test_what_is_not_known_yet_is_passed_over(
    hass: HomeAssistant, panel: FakePanel, loaded: MockConfigEntry
) -> None:
    await panel.session.socket.send_bytes(panel.session.noise.encrypt(b"\2speech"))
    await panel.send(type="hologram", k=5)
    await panel.send(type="state", k={"no": "key"})
    await panel.send(type="result", id=99, ok=True)
    for name, wrong in (("result", "id"), ("event", "k"), ("issue", "id"), ("bye", "reason"), ("rekey", "key")):
        await panel.send(type=name, **{wrong: ["no", {"such": "thing"}]})
    await panel.send(type="catalogue", panel=5, items="none")
    await panel.send(type=["state"])
    await panel.state("relay", False)
    await until(hass, lambda: relay(hass) == "off")
    assert len(panel.sessions) == 1


@pytest.mark.no_fail_on_log_exception
async def test_an_unexpected_error_does_not_end_the_connection_for_good(
    hass: HomeAssistant, panel: FakePanel, loaded: MockConfigEntry, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any) -> None:
        raise LookupError("a defect")

    monkeypatch.setattr(loaded.runtime_data.rows, "fire", broken)
    await panel.send(type="event", k="relay", n=1, event="press", data={})
    await until(hass, lambda: len(panel.sessions) == 2)
    await until(hass, lambda: relay(hass) == "on")


async def test_the_phases_of_a_start(hass: HomeAssistant, panel: FakePanel, entry: MockConfigEntry) -> None:
    hass.set_state(CoreState.starting)
    assert await hass.config_entries.async_setup(entry.entry_id)
    assert panel.sessions[0].received == [{"type": "phase", "phase": "starting"}]
    hass.set_state(CoreState.running)
    hass.bus.async_fire("homeassistant_started")
    await panel.heard(phase="running")


@pytest.mark.parametrize("reason", ["restart", "stop"])
async def test_a_stop_is_told_with_its_reason(
    hass: HomeAssistant, panel: FakePanel, loaded: MockConfigEntry, reason: str
) -> None:
    # As the action of that name does, which would end the test with Home Assistant.
    hass.bus.async_fire("call_service", {"domain": "homeassistant", "service": reason})
    await hass.async_stop(force=True)
    assert panel.heard_all("phase")[-1] == {"type": "phase", "phase": "stopping", "reason": reason}


async def test_a_signal_is_a_stop(hass: HomeAssistant, panel: FakePanel, loaded: MockConfigEntry) -> None:
    await hass.async_stop(force=True)
    assert panel.heard_all("phase")[-1] == {"type": "phase", "phase": "stopping", "reason": "stop"}
    assert panel.heard_all("bye") == []


async def test_goodbyes(hass: HomeAssistant, panel: FakePanel, loaded: MockConfigEntry) -> None:
    await hass.config_entries.async_reload(loaded.entry_id)
    await panel.heard(type="bye", reason="reload")
    await until(hass, lambda: relay(hass) == "on")
    await hass.config_entries.async_set_disabled_by(loaded.entry_id, ConfigEntryDisabler.USER)
    await panel.heard(type="bye", reason="disabled")
    assert loaded.state is ConfigEntryState.NOT_LOADED
    await hass.config_entries.async_remove(loaded.entry_id)
    await panel.heard(type="bye", reason="removed")
    assert [session.received[0]["phase"] for session in panel.sessions] == ["running"] * 3


async def test_a_lost_key_asks_a_person_once(hass: HomeAssistant, panel: FakePanel, loaded: MockConfigEntry) -> None:
    panel.keys.clear()
    panel.session.cut()
    await panel.until(lambda: len(panel.hellos) > 4)
    (flow,) = reauths(hass)
    assert flow["step_id"] == "reauth_confirm"


@pytest.mark.parametrize("reason", ["revoked", "reset"])
async def test_a_key_that_was_taken_back_asks_a_person(
    hass: HomeAssistant, panel: FakePanel, loaded: MockConfigEntry, reason: str
) -> None:
    await panel.send(type="bye", reason=reason)
    await until(hass, lambda: reauths(hass))


async def test_one_answer_without_the_key_asks_no_person_yet(
    hass: HomeAssistant, panel: FakePanel, loaded: MockConfigEntry
) -> None:
    right = dict(panel.keys)
    panel.keys = {key_id: bytes(32) for key_id in right}
    panel.session.cut()
    await panel.until(lambda: len(panel.hellos) == 2)
    panel.keys = right
    await until(hass, lambda: relay(hass) == "on")
    assert reauths(hass) == []
    panel.keys = {key_id: bytes(32) for key_id in right}
    panel.session.cut()
    await until(hass, lambda: reauths(hass))


async def test_a_new_key_is_kept_before_it_is_confirmed(
    hass: HomeAssistant, panel: FakePanel, loaded: MockConfigEntry
) -> None:
    data = panel.with_key("ffeeddccbbaa0099")
    await panel.send(type="rekey", key_id=data["key_id"], key=data["key"])
    await panel.heard(type="rekeyed", key_id=data["key_id"])
    assert dict(loaded.data) == data
    panel.session.cut()
    await panel.until(lambda: panel.hellos[-1]["key_id"] == data["key_id"])
    await until(hass, lambda: relay(hass) == "on")


async def test_after_moving_away_the_ids_are_free(
    hass: HomeAssistant, panel: FakePanel, loaded: MockConfigEntry
) -> None:
    session = panel.session
    panel.items = []
    await panel.send(type="bye", reason="moved")
    await session.socket.close()
    await until(hass, lambda: relay(hass) is None)
    assert hass.states.async_available("switch.hall_relay")


async def test_the_panels_issues_are_repairs(hass: HomeAssistant, panel: FakePanel, loaded: MockConfigEntry) -> None:
    registry = ir.async_get(hass)
    issue_id = ("sconce", f"{loaded.entry_id}_storage")
    told = {"id": "storage", "severity": "warning", "title": "Storage is nearly full", "text": "8 MB are left."}
    await panel.send(type="issue", **told)
    issue = await until(hass, lambda: registry.issues.get(issue_id))
    assert issue.severity == ir.IssueSeverity.WARNING
    assert issue.translation_placeholders == {"panel": "Hall", "title": told["title"], "text": told["text"]}
    await panel.send(type="issue", id="storage", gone=True)
    await until(hass, lambda: issue_id not in registry.issues)
    # One that is not told again by the next session is over, too.
    await panel.send(type="issue", **told)
    await until(hass, lambda: issue_id in registry.issues)
    panel.session.cut()
    await until(hass, lambda: issue_id not in registry.issues)


async def test_an_ignored_issue_stays_so_while_the_panel_looks(
    hass: HomeAssistant, panel: FakePanel, loaded: MockConfigEntry
) -> None:
    registry = ir.async_get(hass)
    keys = [("sconce", f"{loaded.entry_id}_{name}") for name in ("led", "storage")]
    for name in ("led", "storage"):
        await panel.send(type="issue", id=name, severity="warning", title=name, text=name)
    await until(hass, lambda: keys[1] in registry.issues)
    ir.async_ignore_issue(hass, *keys[0], True)
    panel.checking = True
    panel.session.cut()
    await until(hass, lambda: relay(hass) == STATE_UNAVAILABLE)
    await until(hass, lambda: relay(hass) == "on")
    assert all(key in registry.issues for key in keys)
    await panel.send(type="issue", id="led", severity="warning", title="led", text="Still.")
    await panel.send(type="synced")
    await until(hass, lambda: keys[1] not in registry.issues)
    assert registry.issues[keys[0]].dismissed_version is not None


async def test_the_panels_issues_are_bounded(hass: HomeAssistant, panel: FakePanel, loaded: MockConfigEntry) -> None:
    registry = ir.async_get(hass)
    # The integration has issues of its own, which no panel reports or takes back.
    for wrong in ("on_broker", "host_refused", "", "x" * 49, "a b"):
        await panel.send(type="issue", id=wrong, severity="error", title="Forged", text="Forged.")
    for number in range(ISSUES + 5):
        await panel.send(type="issue", id=f"part-{number}", severity="error", title="t" * 500, text="x" * 5000)
    await panel.send(type="issue", id="part-0", gone=True)
    await panel.send(type="issue", id="last", severity="error", title="Last", text="Last.")
    last = await until(hass, lambda: registry.issues.get(("sconce", f"{loaded.entry_id}_last")))
    assert last.severity == ir.IssueSeverity.ERROR
    assert last.learn_more_url == "http://127.0.0.1:8888/"
    kept = {issue.removeprefix(f"{loaded.entry_id}_"): of for (_, issue), of in registry.issues.items()}
    assert kept.keys() == {"last", *(f"part-{number}" for number in range(1, ISSUES))}
    words = kept["part-1"].translation_placeholders
    assert words is not None
    assert (len(words["title"]), len(words["text"])) == (120, 1000)


@pytest.mark.parametrize(
    ("protocol", "issue"), [(2, "update_integration"), (0, "update_panel"), ([2, 3], "update_integration")]
)
async def test_a_protocol_out_of_range_names_the_side_to_update(
    hass: HomeAssistant, panel: FakePanel, loaded: MockConfigEntry, protocol: Any, issue: str
) -> None:
    registry = ir.async_get(hass)
    if isinstance(protocol, list):
        panel.refused = {"code": "protocol", "protocol": protocol}
    else:
        panel.protocol = protocol
    panel.session.cut()
    await until(hass, lambda: ("sconce", f"{loaded.entry_id}_{issue}") in registry.issues)
    panel.protocol, panel.refused = 1, None
    await until(hass, lambda: relay(hass) == "on")
    assert not registry.issues


async def test_a_refused_host_is_explained(hass: HomeAssistant, panel: FakePanel, loaded: MockConfigEntry) -> None:
    registry = ir.async_get(hass)
    panel.status = 403
    panel.session.cut()
    issue = await until(hass, lambda: registry.issues.get(("sconce", f"{loaded.entry_id}_host_refused")))
    assert issue.translation_placeholders == {"panel": "Hall", "host": "127.0.0.1"}


async def announce(zeroconf: AsyncZeroconf, panel: FakePanel, panel_id: str = "hall") -> None:
    """Let Home Assistant receive what a panel's responder sends."""
    info = ServiceInfo(
        "_sconce._tcp.local.",
        f"{panel_id}._sconce._tcp.local.",
        port=panel.port,
        properties={"id": panel_id, "name": "Hall"},
        server=f"sconce-{panel_id}.local.",
        parsed_addresses=["127.0.0.1"],
    )
    packet = DNSOutgoing(0x8400)
    for record in (info.dns_pointer(), info.dns_service(), info.dns_text(), *info.dns_addresses()):
        packet.add_answer_at_time(record, 0)
    for data in packet.packets():
        zeroconf.zeroconf.record_manager.async_updates_from_response(DNSIncoming(data))


@pytest.fixture
async def zeroconf(hass: HomeAssistant, socket_enabled: None, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Home Assistant's own instance, as far as it is used here; retries are far apart."""
    instance = AsyncZeroconf(interfaces=["127.0.0.1"])

    async def shared(_hass: HomeAssistant) -> Any:
        return instance.zeroconf

    monkeypatch.setattr("homeassistant.components.zeroconf.async_get_instance", shared)
    monkeypatch.setattr("custom_components.sconce.hub.RETRY_SECONDS", (60.0,))
    hass.config.components.add("zeroconf")
    yield instance
    await instance.async_close()


@pytest.mark.parametrize(
    ("refused", "waits"),
    [
        (None, [0.01, 0.01, 0.01]),
        ({"code": "busy"}, [0.01, 0.01, 0.01]),
        ({"code": "too-many"}, [0.01, 0.03, 0.05]),
    ],
)
async def test_only_a_panel_that_is_away_is_dialled_often(
    hass: HomeAssistant,
    panel: FakePanel,
    loaded: MockConfigEntry,
    monkeypatch: pytest.MonkeyPatch,
    refused: dict[str, Any] | None,
    waits: list[float],
) -> None:
    hub, waited = loaded.runtime_data, []
    wait = hub._is_announced_within

    async def note(seconds: float) -> bool:
        waited.append(seconds)
        return await wait(seconds)

    monkeypatch.setattr("custom_components.sconce.hub.SOON_ATTEMPTS", 3)
    monkeypatch.setattr("custom_components.sconce.hub.RETRY_SECONDS", (0.01, 0.01, 0.01, 0.03, 0.05))
    monkeypatch.setattr(hub, "_is_announced_within", note)
    if refused is None:
        await panel.stop()
    else:
        # It listens all the time: one that is away for a moment may be dialled within it.
        panel.refused = refused
        panel.session.cut()
    await until(hass, lambda: len(waited) >= 3)
    assert waited[:3] == waits
    panel.refused = None


async def test_an_announcement_cuts_the_wait(
    hass: HomeAssistant, panel: FakePanel, zeroconf: AsyncZeroconf, loaded: MockConfigEntry
) -> None:
    # The second time brings the very same records.
    for sessions in (2, 3):
        await panel.stop()
        await until(hass, lambda: relay(hass) == STATE_UNAVAILABLE)
        await panel.start()
        await announce(zeroconf, panel, "other")
        await announce(zeroconf, panel)
        await until(hass, lambda: relay(hass) == "on")
        assert len(panel.sessions) == sessions


async def test_an_announced_address_is_kept_once_the_key_was_proved_there(
    hass: HomeAssistant, panel: FakePanel, zeroconf: AsyncZeroconf, loaded: MockConfigEntry
) -> None:
    stranger = FakePanel()
    stranger.keys = {key_id: bytes(32) for key_id in panel.keys}
    await stranger.start()
    before = dict(loaded.data)
    await panel.stop()
    await until(hass, lambda: relay(hass) == STATE_UNAVAILABLE)
    await announce(zeroconf, stranger)
    await stranger.until(lambda: stranger.hellos)
    # The panel itself, somewhere else.
    panel.port = 0
    await panel.start()
    assert loaded.data == before
    await announce(zeroconf, panel)
    await until(hass, lambda: relay(hass) == "on")
    assert loaded.data == before | {"port": panel.port}
    assert reauths(hass) == []
    assert stranger.sessions == []
    await stranger.stop()


async def test_a_machine_that_claims_the_id_and_says_nothing_holds_nothing_up(
    hass: HomeAssistant, panel: FakePanel, zeroconf: AsyncZeroconf, loaded: MockConfigEntry
) -> None:
    accepted = 0

    async def swallow(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal accepted
        accepted += 1
        try:
            await reader.read()
        finally:
            writer.close()

    before = dict(loaded.data)
    server = await asyncio.start_server(swallow, "127.0.0.1", 0)
    claims = FakePanel()
    claims.port = server.sockets[0].getsockname()[1]
    await panel.stop()
    await until(hass, lambda: relay(hass) == STATE_UNAVAILABLE)
    for _ in range(3):
        await announce(zeroconf, claims)
    await until(hass, lambda: accepted)
    await panel.start()
    await announce(zeroconf, panel)
    await until(hass, lambda: relay(hass) == "on")
    assert loaded.data == before
    # It was dialled once, and is not waited for any more.
    assert accepted == 1
    server.close()
    server.close_clients()


async def test_a_live_session_does_not_follow_announcements(
    hass: HomeAssistant, panel: FakePanel, zeroconf: AsyncZeroconf, loaded: MockConfigEntry
) -> None:
    stranger = FakePanel()
    await stranger.start()
    await announce(zeroconf, stranger)
    loaded.runtime_data.announced("127.0.0.1", stranger.port)
    await panel.state("relay", False)
    await until(hass, lambda: relay(hass) == "off")
    assert stranger.hellos == []
    await stranger.stop()


async def test_a_peer_that_never_answers_is_given_up(
    hass: HomeAssistant, panel: FakePanel, loaded: MockConfigEntry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("custom_components.sconce.link.PROOF_SECONDS", 0.1)
    accepted = 0

    async def swallow(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal accepted
        accepted += 1
        try:
            await _reader.read()
        finally:
            writer.close()

    await panel.stop()
    server = await asyncio.start_server(swallow, "127.0.0.1", panel.port)
    await until(hass, lambda: accepted >= 2)
    server.close()
    server.close_clients()
    await panel.start()
    await until(hass, lambda: relay(hass) == "on")


async def test_messages_are_plain_json(hass: HomeAssistant, panel: FakePanel, loaded: MockConfigEntry) -> None:
    await press(hass)
    (sent,) = panel.heard_all("set")
    assert json.loads(json.dumps(sent)) == {"type": "set", "id": 1, "k": "relay", "v": False, "deadline": 8000}
