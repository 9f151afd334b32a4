"""Keeps the connection to one panel, and what the panel said last."""

import asyncio
from collections.abc import Callable, Mapping
import contextlib
from dataclasses import replace
import ipaddress
import logging
from typing import Any

from homeassistant.config_entries import ConfigEntry
from homeassistant.const import CONF_HOST, CONF_PORT
from homeassistant.core import CALLBACK_TYPE, HomeAssistant, callback
from homeassistant.exceptions import HomeAssistantError, ServiceValidationError
from homeassistant.helpers.aiohttp_client import async_get_clientsession
from homeassistant.helpers.event import async_call_later
from homeassistant.helpers.storage import Store

from . import issues, mdns
from .catalogue import Catalogue, Item, State, read_state
from .const import (
    CONF_KEY,
    CONF_KEY_ID,
    DEADLINE_MS,
    DOMAIN,
    FIRST_CATALOGUE_SECONDS,
    GRACE_SECONDS,
    ISSUES,
    KEY_SAVED_SECONDS,
    LONGEST_DEADLINE_MS,
    MQTT,
    NATIVE,
    RETRY_SECONDS,
    SHORTEST_DEADLINE_MS,
    SOON_ATTEMPTS,
)
from .elsewhere import Address, Elsewhere
from .lifecycle import Lifecycle
from .link import Connection, LinkError, Lost, NotProved, Refused, prove
from .moving import MoveError, Moving
from .rows import Rows

_LOGGER = logging.getLogger(__name__)

# Refusals that are about the value that was sent, not about the panel.
_ABOUT_THE_VALUE = {
    "bad-path",
    "bad-value",
    "characters",
    "malformed",
    "not-an-option",
    "not-commandable",
    "not-local",
    "out-of-range",
    "too-long",
}
# Ends of a connection after which the key does not count any more.
_KEY_GONE = {"revoked", "reset"}
# Ends after which there is no hurry to come back.
_NOT_SOON = {"replaced", "moved"}
# Failures of a panel that is away, or starts or stops.
_ABSENT = {"busy", "cannot_connect", "lost", "stopping"}
# Attempts at an address whose answer does not prove the key, before a person is asked; a single one may be a stranger.
_UNPROVED_ATTEMPTS = 3

type SconceConfigEntry = ConfigEntry[Hub]


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host.split("%", maxsplit=1)[0])
    except ValueError:
        return False
    return True


def storage(hass: HomeAssistant, entry_id: str) -> Store[dict[str, Any]]:
    """Where the last catalogue is kept, so that all entities are there at once after a start."""
    return Store(hass, 1, f"{DOMAIN}.{entry_id}")


class Hub:
    """One panel."""

    def __init__(self, hass: HomeAssistant, entry: SconceConfigEntry, client: Mapping[str, str]) -> None:
        """Begin without a connection."""
        self.hass = hass
        self.entry = entry
        self.catalogue: Catalogue | None = None
        self.states: dict[str, State] = {}
        self.live = False
        self.rows = Rows(self)
        self.moving = Moving(self)
        self.sessions = 0
        self.failure: str | None = None
        self._client = client
        self._lifecycle = Lifecycle(hass, self.tell)
        self._store = storage(hass, entry.entry_id)
        self._connection: Connection | None = None
        self._task: asyncio.Task[None] | None = None
        self._cancels: list[CALLBACK_TYPE] = []
        self._synced = asyncio.Event()
        self._awake = asyncio.Event()
        self._announced: Address | None = None
        self._unproved = 0
        self._bye: str | None = None
        self._unacknowledged_key: str | None = None
        self._issues: set[str] = set()
        self._told_issues: set[str] = set()
        self._last_command = 0
        self._commands: dict[int, asyncio.Future[Mapping[str, Any]]] = {}
        self._occurrences: dict[str, int] = {}
        self._messages: Mapping[str, Callable[[Mapping[str, Any]], None]] = {
            "state": self._on_state,
            "synced": self._on_synced,
            "event": self._on_event,
            "result": self._on_result,
            "issue": self._on_issue,
            "rekey": self._on_rekey,
            "bye": self._on_bye,
        }

    @property
    def panel_id(self) -> str:
        """The id of the panel, as its catalogue or the config entry has it."""
        return self.catalogue.panel.id if self.catalogue else str(self.entry.unique_id)

    @property
    def address(self) -> Address:
        """Where the key was proved last."""
        return self.entry.data[CONF_HOST], self.entry.data[CONF_PORT]

    async def start(self) -> None:
        """Read the saved catalogue and begin to dial."""
        self.catalogue = Catalogue.read(await self._store.async_load())
        await self.moving.start()
        self._cancels = self._lifecycle.follow()
        self._task = self.hass.async_create_background_task(self._run(), f"{DOMAIN} {self.panel_id}")

    async def first_catalogue(self) -> bool:
        """Wait until the panel has said what it has; False if that takes too long."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(FIRST_CATALOGUE_SECONDS):
                await self._synced.wait()
        return self.catalogue is not None

    async def stop(self, reason: str) -> None:
        """Say goodbye, and end everything."""
        while self._cancels:
            self._cancels.pop()()
        await self.tell({"type": "bye", "reason": reason})
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        await self.moving.stop()
        issues.withdraw_all(self.hass, self.entry, self._issues)

    @callback
    def announced(self, host: str, port: int) -> None:
        """Dial without delay: the panel was seen at an address. It is kept only once the key was proved there."""
        if self._connection is None:
            self._announced = (host, port)
            self._awake.set()

    async def tell(self, message: Mapping[str, Any]) -> None:
        """Send a message if there is a connection."""
        if self._connection is not None:
            with contextlib.suppress(Lost):
                await self._connection.send(message)

    @property
    def surface(self) -> str:
        """The way in which the panel reaches Home Assistant."""
        return self.catalogue.surface if self.catalogue else NATIVE

    async def want_move(self, to: str) -> bool:
        """Tell the panel that a person wants it to move; False without a connection."""
        if not self.live:
            return False
        await self.tell({"type": "move-wanted", "to": to})
        return True

    async def let_go(self) -> None:
        """Remove all entities and the device, so that their ids are free."""
        if self.catalogue is not None:
            await self._take(replace(self.catalogue, items={}, surface=MQTT))

    async def command(self, item: Item, value: Any) -> None:
        """Have the panel carry out a command; raises with the panel's own words if it does not."""
        connection, timeout = self._connection, item.number("timeout")
        if connection is None or not self.live:
            raise self._error("not_connected")
        deadline = round(min(max(timeout or DEADLINE_MS, SHORTEST_DEADLINE_MS), LONGEST_DEADLINE_MS))
        self._last_command += 1
        number = self._last_command
        outcome = self._commands[number] = self.hass.loop.create_future()
        try:
            await connection.send({"type": "set", "id": number, "k": item.k, "v": value, "deadline": deadline})
            # The panel answers at the deadline at the latest, in words of its own.
            async with asyncio.timeout(deadline / 1000 + GRACE_SECONDS):
                result = await outcome
        except TimeoutError:
            # What a person decides may come later than the call can wait: the state then follows by itself.
            raise self._error("awaits_approval" if timeout else "no_answer") from None
        except Lost:
            raise self._error("not_connected") from None
        finally:
            self._commands.pop(number, None)
        # A newer command for the same row took its place: for the caller it is done.
        if result.get("ok") is not True and result.get("code") != "superseded":
            words = result.get("message") or result.get("code") or "?"
            kind = ServiceValidationError if result.get("code") in _ABOUT_THE_VALUE else HomeAssistantError
            raise self._error("refused", kind, reason=words)

    def _error(
        self, key: str, kind: type[HomeAssistantError] = HomeAssistantError, **placeholders: str
    ) -> HomeAssistantError:
        return kind(
            translation_domain=DOMAIN,
            translation_key=key,
            translation_placeholders={"panel": self.entry.title, **placeholders},
        )

    async def _run(self) -> None:
        wait = -1
        while True:
            stop_watching = await mdns.watch(self.hass, lambda panel_id: panel_id == self.panel_id, self.announced)
            try:
                connection = await self._reach(wait)
            finally:
                stop_watching()
            try:
                await self._serve(connection)
            except Lost:
                pass
            except LinkError as error:
                _LOGGER.warning("%s: the panel sent what no panel sends: %s", self.entry.title, error)
            except Exception:
                # Not known how; a new session is the best there is, and better than none for good.
                _LOGGER.exception("%s: the connection is begun again", self.entry.title)
            finally:
                self._lose()
                await connection.close()
            if self._bye == "moved" and self.catalogue is not None:
                # The same entities are about to arrive by another way, and need their ids.
                await self._keep_choices()
                await self.let_go()
            # What took this connection over must not be thrown out at once in turn.
            wait = len(RETRY_SECONDS) - 1 if self._bye in _NOT_SOON else 0

    async def _reach(self, wait: int) -> Connection:
        """Dial until the key is proved, first after the wait of that number; -1 is none."""
        elsewhere = Elsewhere(self.hass, self._prove, self._awake.set)
        try:
            while True:
                if wait >= 0 and await self._is_announced_within(RETRY_SECONDS[min(wait, len(RETRY_SECONDS) - 1)]):
                    wait = -1
                wait += 1
                if (connection := await self._attempt(elsewhere)) is not None:
                    return connection
                # What refuses will not change its mind within a second.
                if self.failure not in _ABSENT:
                    wait = max(wait, SOON_ATTEMPTS)
        finally:
            elsewhere.stop()

    async def _is_announced_within(self, seconds: float) -> bool:
        try:
            async with asyncio.timeout(seconds):
                await self._awake.wait()
        except TimeoutError:
            return False
        self._awake.clear()
        return True

    async def _attempt(self, elsewhere: Elsewhere) -> Connection | None:
        stored = self.address
        announced = None if self._announced == stored else self._announced
        self._announced = None
        # A name that an owner typed is tried first; an address may belong to another machine by now.
        is_name = not _is_address(stored[0])
        if announced is not None and not is_name:
            elsewhere.look(announced)
        dial = self.hass.async_create_background_task(self._prove(stored), f"{DOMAIN} {self.panel_id} dials")
        try:
            either: set[asyncio.Future[Any]] = {dial, elsewhere.found}
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if dial.done():
                return dial.result()
            address, connection = elsewhere.take()
        except LinkError as error:
            self._note(error)
        else:
            self._update_entry(**{CONF_HOST: address[0], CONF_PORT: address[1]})
            return connection
        finally:
            dial.cancel()
        if announced is not None and is_name:
            elsewhere.look(announced)
        return None

    async def _prove(self, address: Address) -> Connection:
        data = self.entry.data
        return await prove(
            async_get_clientsession(self.hass), *address, self._client, data[CONF_KEY_ID], bytes.fromhex(data[CONF_KEY])
        )

    def _update_entry(self, **data: Any) -> None:
        self.hass.config_entries.async_update_entry(self.entry, data={**self.entry.data, **data})

    def _note(self, error: LinkError) -> None:
        if error.code != self.failure:
            _LOGGER.info("%s: not connected: %s", self.entry.title, error)
        self.failure = error.code
        self._unproved = self._unproved + 1 if isinstance(error, NotProved) else 0
        if self._unproved == _UNPROVED_ATTEMPTS or (isinstance(error, Refused) and error.code == "unknown-key"):
            self.entry.async_start_reauth(self.hass)
        issues.report_link(self.hass, self.entry, error.code)

    async def _serve(self, connection: Connection) -> None:
        self._connection, self._bye, self.failure, self._unproved = connection, None, None, 0
        self.sessions += 1
        self._last_command = 0
        self._occurrences.clear()
        self._told_issues.clear()
        fresh = True
        await connection.send(self._lifecycle.phase)
        # To open a session with a new key acknowledges it.
        self._unacknowledged_key = None
        while True:
            message = await connection.receive()
            if message.get("type") == "catalogue":
                if fresh:
                    self.states.clear()
                fresh = False
                await self._on_catalogue(message)
            elif message.get("type") == "move":
                await self.moving.on_move(message)
            elif (handle := self._messages.get(str(message.get("type")))) is not None:
                handle(message)

    def _lose(self) -> None:
        self._connection = None
        self.live = False
        for outcome in self._commands.values():
            if not outcome.done():
                outcome.set_exception(Lost())
        self.rows.show_all()

    async def _on_catalogue(self, message: Mapping[str, Any]) -> None:
        catalogue = Catalogue.read(message)
        if catalogue is not None:
            if catalogue.surface == MQTT:
                await self._keep_choices()
            await self._take(catalogue)

    async def _keep_choices(self) -> None:
        try:
            await self.moving.before_losing()
        except MoveError as error:
            _LOGGER.warning("%s: what its owner chose for its entities is lost: %s", self.entry.title, error)

    async def _take(self, catalogue: Catalogue) -> None:
        for k in self.states.keys() - catalogue.items.keys():
            del self.states[k]
        before = self.catalogue
        if catalogue == before:
            return
        self.catalogue = catalogue
        panel = catalogue.panel
        # An owner may give the entry another title, and the panel another name or id.
        title = panel.name if before and self.entry.title == before.panel.name else self.entry.title
        self.hass.config_entries.async_update_entry(self.entry, unique_id=panel.id, title=title)
        await self._store.async_save(catalogue.save())
        await self.rows.apply()

    @callback
    def _on_state(self, message: Mapping[str, Any]) -> None:
        k = message.get("k")
        if isinstance(k, str) and self.catalogue is not None and k in self.catalogue.items:
            self.states[k] = read_state(message)
            if self.live:
                self.rows.show(k)

    @callback
    def _on_synced(self, message: Mapping[str, Any]) -> None:
        # A panel that has just started does not know yet what is wrong with it.
        if message.get("checking") is not True:
            for issue in self._issues - self._told_issues:
                issues.withdraw(self.hass, self.entry, issue)
            self._issues &= self._told_issues
        if not self.live:
            issues.report_link(self.hass, self.entry, None)
        issues.report_surface(self.hass, self.entry, self.surface)
        self.live = True
        self._synced.set()
        self.rows.show_all()

    @callback
    def _on_event(self, message: Mapping[str, Any]) -> None:
        k, number, event, data = (message.get(name) for name in ("k", "n", "event", "data"))
        if isinstance(k, str) and isinstance(number, int) and isinstance(event, str):
            if number <= self._occurrences.get(k, 0):
                return
            self._occurrences[k] = number
            self.rows.fire(k, event, data if isinstance(data, Mapping) else {})

    @callback
    def _on_result(self, message: Mapping[str, Any]) -> None:
        number = message.get("id")
        outcome = self._commands.get(number) if isinstance(number, int) else None
        if outcome is not None and not outcome.done():
            outcome.set_result(message)

    @callback
    def _on_issue(self, message: Mapping[str, Any]) -> None:
        issue = message.get("id")
        if not isinstance(issue, str) or not issues.is_of_panel(issue):
            return
        if message.get("gone") is True:
            self._issues.discard(issue)
            self._told_issues.discard(issue)
            issues.withdraw(self.hass, self.entry, issue)
        elif issue in self._told_issues or len(self._told_issues) < ISSUES:
            self._issues.add(issue)
            self._told_issues.add(issue)
            page = self.catalogue.panel.configuration_url if self.catalogue else None
            issues.report(self.hass, self.entry, issue, message, page)

    @callback
    def _on_rekey(self, message: Mapping[str, Any]) -> None:
        key_id, key = message.get("key_id"), message.get("key")
        if isinstance(key_id, str) and isinstance(key, str) and len(key) == 64:
            self._update_entry(**{CONF_KEY_ID: key_id, CONF_KEY: key})
            self._unacknowledged_key = key_id
            # The panel drops the old key once it is told, so the new one must be on the disk before.
            self._cancels.append(async_call_later(self.hass, KEY_SAVED_SECONDS, self._acknowledge_key))

    async def _acknowledge_key(self, *_: Any) -> None:
        if self._unacknowledged_key is not None and self._connection is not None:
            await self.tell({"type": "rekeyed", "key_id": self._unacknowledged_key})
            self._unacknowledged_key = None

    @callback
    def _on_bye(self, message: Mapping[str, Any]) -> None:
        reason = message.get("reason")
        self._bye = reason if isinstance(reason, str) else None
        if self._bye in _KEY_GONE:
            self.entry.async_start_reauth(self.hass)
