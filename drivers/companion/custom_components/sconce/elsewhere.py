"""Dials the addresses at which a panel is announced, beside the one that is kept: any machine may claim its id."""

import asyncio
from collections.abc import Awaitable, Callable

from homeassistant.core import CALLBACK_TYPE, HomeAssistant, callback

from .const import DOMAIN, HEAD_START_SECONDS, STRANGERS
from .link import Connection, LinkError

type Address = tuple[str, int]


class Elsewhere:
    """One search: the first of these addresses at which the key is proved."""

    def __init__(
        self, hass: HomeAssistant, prove: Callable[[Address], Awaitable[Connection]], proved: CALLBACK_TYPE
    ) -> None:
        """Begin without an address; `proved` is called once there is one."""
        self._hass = hass
        self._prove = prove
        self._proved = proved
        self._taken = False
        self._dials: dict[Address, asyncio.Task[None]] = {}
        self.found: asyncio.Future[tuple[Address, Connection]] = hass.loop.create_future()

    @callback
    def look(self, address: Address) -> None:
        """Dial an address, unless that is under way; what does not answer holds up no other."""
        if address not in self._dials and len(self._dials) < STRANGERS:
            self._dials[address] = self._hass.async_create_background_task(
                self._dial(address), f"{DOMAIN} at {address[0]}"
            )

    async def _dial(self, address: Address) -> None:
        try:
            await asyncio.sleep(HEAD_START_SECONDS)
            connection = await self._prove(address)
        except LinkError:
            return
        finally:
            del self._dials[address]
        if self.found.done():
            # Two addresses of one panel.
            await connection.close()
        else:
            self.found.set_result((address, connection))
            self._proved()

    @callback
    def take(self) -> tuple[Address, Connection]:
        """Return what was found; it is the caller's from here on."""
        self._taken = True
        return self.found.result()

    @callback
    def stop(self) -> None:
        """Give up what is under way, and what was found but not taken."""
        for dial in self._dials.values():
            dial.cancel()
        if not self.found.done():
            self.found.cancel()
        elif not self._taken:
            _, connection = self.found.result()
            self._hass.async_create_background_task(connection.close(), f"{DOMAIN} not needed")
