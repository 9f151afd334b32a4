"""Tells the panel of Home Assistant's own life: starting, running, and why it stops."""

from collections.abc import Awaitable, Callable, Mapping
import time
from typing import Any

from homeassistant.const import ATTR_DOMAIN, ATTR_SERVICE, EVENT_CALL_SERVICE
from homeassistant.core import CALLBACK_TYPE, CoreState, Event, HassJob, HomeAssistant, callback
from homeassistant.helpers.start import async_at_started

from .const import RESTART_SECONDS

type Send = Callable[[Mapping[str, Any]], Awaitable[None]]


class Lifecycle:
    """The phases of this Home Assistant, as messages."""

    def __init__(self, hass: HomeAssistant, send: Send) -> None:
        """Prepare; `send` drops what no connection can take."""
        self._hass = hass
        self._send = send
        self._called: tuple[str, float] | None = None

    @property
    def phase(self) -> dict[str, Any]:
        """The first message of a connection."""
        return {"type": "phase", "phase": "running" if self._hass.state is CoreState.running else "starting"}

    def follow(self) -> list[CALLBACK_TYPE]:
        """Tell each change; return what ends it.

        A shutdown job runs before the stop event, which ends background tasks and with them the connection.
        """
        return [
            async_at_started(self._hass, self._started),
            self._hass.bus.async_listen(EVENT_CALL_SERVICE, self._note_call, event_filter=self._is_stop_call),
            self._hass.async_add_shutdown_job(HassJob(self._stopping)),
        ]

    async def _started(self, _hass: HomeAssistant) -> None:
        await self._send({"type": "phase", "phase": "running"})

    @callback
    def _is_stop_call(self, data: Mapping[str, Any]) -> bool:
        return data.get(ATTR_DOMAIN) == "homeassistant" and data.get(ATTR_SERVICE) in ("restart", "stop")

    @callback
    def _note_call(self, event: Event) -> None:
        self._called = (event.data[ATTR_SERVICE], time.monotonic())

    async def _stopping(self) -> None:
        reason = "stop"
        if self._called is not None and time.monotonic() - self._called[1] < RESTART_SECONDS:
            reason = self._called[0]
        await self._send({"type": "phase", "phase": "stopping", "reason": reason})
