"""Pairing with a panel: by hand, from discovery, again after its key was lost, or at another address."""

import asyncio
from collections.abc import Mapping
import logging
from typing import Any, override

from homeassistant.config_entries import SOURCE_REAUTH, ConfigFlow, ConfigFlowResult
from homeassistant.const import CONF_HOST, CONF_PORT
from homeassistant.core import callback
from homeassistant.data_entry_flow import AbortFlow
from homeassistant.helpers.aiohttp_client import async_get_clientsession
from homeassistant.helpers.selector import NumberSelector, NumberSelectorConfig, NumberSelectorMode, TextSelector
from homeassistant.helpers.service_info.zeroconf import ZeroconfServiceInfo
import voluptuous as vol

from .client import describe
from .const import CONF_KEY, CONF_KEY_ID, DEFAULT_PORT, DOMAIN, MQTT, NATIVE, REFUSAL_SECONDS
from .crypto import Paired
from .hub import SconceConfigEntry
from .link import Greeted, LinkError, Lost, NotProved, Pairing, Refused, greet, prove

_LOGGER = logging.getLogger(__name__)

CONF_DIGITS = "digits"

# What the panel may refuse, in the keys of the translations.
_REFUSALS = {
    "busy": "busy",
    "denied": "denied",
    "digits": "expired",
    "expired": "expired",
    "no-place": "no_place",
    "pairing-busy": "pairing_busy",
    "pairing-too-often": "pairing_too_often",
    "stopping": "busy",
    "too-many": "busy",
    "too-slow": "expired",
    "unknown-key": "unknown_key",
}


def _reason(error: LinkError) -> str:
    if isinstance(error, Refused):
        return _REFUSALS.get(error.code, "refused")
    if isinstance(error, Lost):
        return "cannot_connect"
    return error.code


def _address_form(host: str | None = None, port: int = DEFAULT_PORT) -> vol.Schema:
    ports = NumberSelector(NumberSelectorConfig(min=1, max=65535, mode=NumberSelectorMode.BOX))
    return vol.Schema(
        {
            vol.Required(CONF_HOST, default=host or vol.UNDEFINED): TextSelector(),
            vol.Required(CONF_PORT, default=port): ports,
        }
    )


class SconceConfigFlow(ConfigFlow, domain=DOMAIN):
    """Pairs with one panel."""

    VERSION = 1

    def __init__(self) -> None:
        """Begin without an address."""
        self._host = ""
        self._port = DEFAULT_PORT
        self._name = ""
        self._pairing: Pairing | None = None
        self._approval: asyncio.Task[Paired] | None = None

    @override
    async def async_step_user(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Ask for the address."""
        errors: dict[str, str] = {}
        words: dict[str, str] = {}
        if user_input is not None:
            self._take_address(user_input)
            try:
                return await self._pair()
            except LinkError as error:
                errors["base"] = _reason(error)
                words["message"] = error.message
        return self.async_show_form(
            step_id="user",
            data_schema=_address_form(self._host, self._port),
            errors=errors,
            description_placeholders={"host": self._host, "message": "", **words},
        )

    @override
    async def async_step_zeroconf(self, discovery_info: ZeroconfServiceInfo) -> ConfigFlowResult:
        """Offer a panel that was discovered; a known one is dialled at once, should it be waited for."""
        panel_id = discovery_info.properties.get("id")
        if not panel_id or discovery_info.port is None:
            return self.async_abort(reason="not_a_panel")
        self._host, self._port = discovery_info.host, discovery_info.port
        entry = await self.async_set_unique_id(panel_id)
        if entry is not None and (hub := getattr(entry, "runtime_data", None)) is not None:
            hub.announced(self._host, self._port)
        # Not with the new address: it is kept only once the key was proved there.
        self._abort_if_unique_id_configured()
        self._name = discovery_info.properties.get("name") or panel_id
        self.context["title_placeholders"] = {"name": self._name}
        return await self.async_step_discovery_confirm()

    async def async_step_discovery_confirm(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Begin to pair only when a person wants it: the panel asks in front of everyone."""
        if user_input is not None:
            return await self._pair_or_abort()
        return self._confirm_form("discovery_confirm")

    async def async_step_reauth(self, entry_data: Mapping[str, Any]) -> ConfigFlowResult:
        """Pair again: the panel does not know the key any more."""
        self._host, self._port = entry_data[CONF_HOST], entry_data[CONF_PORT]
        self._name = self._get_reauth_entry().title
        return await self.async_step_reauth_confirm()

    async def async_step_reauth_confirm(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Begin to pair again when a person wants it."""
        if user_input is not None:
            return await self._pair_or_abort()
        return self._confirm_form("reauth_confirm")

    async def async_step_reconfigure(self, _user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Offer another address, and the other way to reach Home Assistant while the panel can be asked for that."""
        entry: SconceConfigEntry = self._get_reconfigure_entry()
        hub = getattr(entry, "runtime_data", None)
        if hub is None or not hub.live:
            return await self.async_step_address()
        return self.async_show_menu(
            step_id="reconfigure",
            menu_options=["address", "to_native" if hub.surface == MQTT else "to_mqtt"],
            description_placeholders={"name": entry.title},
        )

    async def async_step_to_native(self, _user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Have the panel leave the broker."""
        return await self._want_move(NATIVE)

    async def async_step_to_mqtt(self, _user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Have the panel go back to the broker."""
        return await self._want_move(MQTT)

    async def _want_move(self, to: str) -> ConfigFlowResult:
        entry: SconceConfigEntry = self._get_reconfigure_entry()
        hub = getattr(entry, "runtime_data", None)
        words = {"name": entry.title}
        if hub is None or not await hub.want_move(to):
            return self.async_abort(reason="not_connected", description_placeholders=words)
        return self.async_abort(reason="move_asked", description_placeholders=words)

    async def async_step_address(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Ask for another address; it is kept if the key is proved there."""
        entry: SconceConfigEntry = self._get_reconfigure_entry()
        self._host, self._port = entry.data[CONF_HOST], entry.data[CONF_PORT]
        errors: dict[str, str] = {}
        words: dict[str, str] = {}
        if user_input is not None:
            self._take_address(user_input)
            try:
                await self._prove(entry)
            except LinkError as error:
                errors["base"] = _reason(error)
                words["message"] = error.message
            else:
                address = {CONF_HOST: self._host, CONF_PORT: self._port}
                return self.async_update_reload_and_abort(entry, data_updates=address, reason="reconfigure_successful")
        return self.async_show_form(
            step_id="address",
            data_schema=_address_form(self._host, self._port),
            errors=errors,
            description_placeholders={"name": entry.title, "host": self._host, "message": "", **words},
        )

    async def async_step_digits(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Ask for the digits that the panel shows. Wrong ones end this pairing: the next has other keys and digits."""
        errors: dict[str, str] = {}
        if user_input is not None and self._pairing is not None:
            try:
                await self._pairing.raise_if_refused(0)
                digits = "".join(letter for letter in str(user_input[CONF_DIGITS]) if letter.isdigit())
                if self._pairing.is_right(digits):
                    return await self.async_step_approve()
                errors["base"] = "wrong_digits"
                await self._begin()
            except LinkError as error:
                return self._give_up(error)
        return self.async_show_form(
            step_id="digits",
            data_schema=vol.Schema({vol.Required(CONF_DIGITS): TextSelector()}),
            errors=errors,
            description_placeholders={"name": self._name},
        )

    async def async_step_approve(self, _user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Wait for the touch at the panel."""
        if self._approval is None:
            assert self._pairing is not None
            self._approval = self.hass.async_create_task(self._pairing.confirm(), f"{DOMAIN} approval")
        if not self._approval.done():
            return self.async_show_progress(
                step_id="approve",
                progress_action="approve",
                description_placeholders={"name": self._name},
                progress_task=self._approval,
            )
        return self.async_show_progress_done(next_step_id="finish")

    async def async_step_finish(self, _user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Keep the key."""
        assert self._approval is not None
        try:
            paired = self._approval.result()
        except LinkError as error:
            return self._give_up(error)
        data = {
            CONF_HOST: self._host,
            CONF_PORT: self._port,
            CONF_KEY_ID: paired.key_id,
            CONF_KEY: paired.key.hex(),
        }
        if self.source == SOURCE_REAUTH:
            return self.async_update_reload_and_abort(
                self._get_reauth_entry(), data_updates=data, reason="reauth_successful"
            )
        self._abort_if_unique_id_configured()
        return self.async_create_entry(title=self._name, data=data)

    @callback
    @override
    def async_remove(self) -> None:
        """Leave the panel too when the flow is given up: its question is withdrawn."""
        if self._approval is not None:
            self._approval.cancel()
        if self._pairing is not None:
            self.hass.async_create_background_task(self._pairing.close(), f"{DOMAIN} pairing given up")

    def _take_address(self, user_input: Mapping[str, Any]) -> None:
        self._host, self._port = str(user_input[CONF_HOST]).strip(), int(user_input[CONF_PORT])

    def _confirm_form(self, step: str) -> ConfigFlowResult:
        return self.async_show_form(step_id=step, description_placeholders={"name": self._name, "host": self._host})

    def _give_up(self, error: LinkError) -> ConfigFlowResult:
        words = {"name": self._name, "host": self._host, "message": error.message}
        return self.async_abort(reason=_reason(error), description_placeholders=words)

    async def _pair_or_abort(self) -> ConfigFlowResult:
        try:
            return await self._pair()
        except LinkError as error:
            return self._give_up(error)

    async def _pair(self) -> ConfigFlowResult:
        await self._begin()
        return await self.async_step_digits()

    async def _begin(self) -> None:
        if self._pairing is not None:
            await self._pairing.close()
            self._pairing = None
        greeted = await greet(async_get_clientsession(self.hass), self._host, self._port, await describe(self.hass))
        try:
            await self._check_identity(greeted)
        except AbortFlow:
            await greeted.close()
            raise
        self._name = greeted.name
        self._pairing = await Pairing.begin(greeted)
        # A panel without a place to ask says so at once: then there are no digits to type.
        await self._pairing.raise_if_refused(REFUSAL_SECONDS)

    async def _check_identity(self, greeted: Greeted) -> None:
        await self.async_set_unique_id(greeted.panel_id, raise_on_progress=False)
        if self.source == SOURCE_REAUTH:
            self._abort_if_unique_id_mismatch(reason="wrong_panel")
        else:
            self._abort_if_unique_id_configured()

    async def _prove(self, entry: SconceConfigEntry) -> None:
        session, client = async_get_clientsession(self.hass), await describe(self.hass)
        key_id, key = entry.data[CONF_KEY_ID], bytes.fromhex(entry.data[CONF_KEY])
        try:
            # Without a first message the panel does not count it, and the connection in use goes on.
            connection = await prove(session, self._host, self._port, client, key_id, key)
        except NotProved:
            raise LinkError("wrong_panel") from None
        await connection.close()
