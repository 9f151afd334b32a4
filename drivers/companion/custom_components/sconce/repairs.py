"""The repair that offers to move from the broker to this integration."""

from typing import TYPE_CHECKING, Any

from homeassistant.components.repairs import RepairsFlow
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResult

from .const import NATIVE

if TYPE_CHECKING:
    from .hub import SconceConfigEntry


class MoveFlow(RepairsFlow):
    """Asks the panel to move; its owner decides there."""

    def __init__(self, entry: SconceConfigEntry | None) -> None:
        """Note which panel it is."""
        self._entry = entry

    async def async_step_init(self, _user_input: dict[str, str] | None = None) -> FlowResult:
        """Begin with the question."""
        return await self.async_step_confirm()

    async def async_step_confirm(self, user_input: dict[str, str] | None = None) -> FlowResult:
        """Say what a move is; then ask the panel."""
        words = {"panel": self._entry.title if self._entry else ""}
        if user_input is None:
            return self.async_show_form(step_id="confirm", description_placeholders=words)
        hub = getattr(self._entry, "runtime_data", None)
        if hub is None or not await hub.want_move(NATIVE):
            return self.async_abort(reason="not_connected", description_placeholders=words)
        # Not done: the repair goes once the panel has moved.
        return self.async_abort(reason="move_asked", description_placeholders=words)


async def async_create_fix_flow(hass: HomeAssistant, _issue_id: str, data: dict[str, Any] | None) -> RepairsFlow:
    """Return the flow of the repair."""
    return MoveFlow(hass.config_entries.async_get_entry(str(data["entry_id"])) if data else None)
