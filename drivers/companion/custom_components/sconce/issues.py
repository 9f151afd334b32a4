"""Repairs: what the panel reports of itself, and what keeps the connection from working."""

from collections.abc import Iterable, Mapping
import re
from typing import Any

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir

from .const import DOMAIN, MQTT

# Failures that do not pass by themselves: a person has to do something.
_LASTING = ("host_refused", "update_panel", "update_integration")
_OF_PANEL = re.compile(r"[a-z0-9-]{1,48}")
# Characters; `machines/companion/messages.ts` of the panel has the same.
_TITLE_LENGTH, _TEXT_LENGTH = 120, 1000


def _id(entry: ConfigEntry, issue: str) -> str:
    return f"{entry.entry_id}_{issue}"


def is_of_panel(issue: str) -> bool:
    """Whether a panel may call an issue so; the names of the integration's own have underscores."""
    return _OF_PANEL.fullmatch(issue) is not None


def report(hass: HomeAssistant, entry: ConfigEntry, issue: str, message: Mapping[str, Any], page: str | None) -> None:
    """Show an issue of the panel, in its own words, with a link to its pages."""
    ir.async_create_issue(
        hass,
        DOMAIN,
        _id(entry, issue),
        is_fixable=False,
        learn_more_url=page,
        severity=ir.IssueSeverity.ERROR if message.get("severity") == "error" else ir.IssueSeverity.WARNING,
        translation_key="panel_issue",
        translation_placeholders={
            "panel": entry.title,
            "title": str(message.get("title") or issue)[:_TITLE_LENGTH],
            "text": str(message.get("text") or "")[:_TEXT_LENGTH],
        },
    )


def withdraw(hass: HomeAssistant, entry: ConfigEntry, issue: str) -> None:
    """Take an issue back."""
    ir.async_delete_issue(hass, DOMAIN, _id(entry, issue))


def report_link(hass: HomeAssistant, entry: ConfigEntry, failure: str | None) -> None:
    """Show why the panel cannot be reached, if a person can change that; None takes it back."""
    for lasting in _LASTING:
        if lasting != failure:
            withdraw(hass, entry, lasting)
    if failure in _LASTING:
        ir.async_create_issue(
            hass,
            DOMAIN,
            _id(entry, failure),
            is_fixable=False,
            severity=ir.IssueSeverity.ERROR,
            translation_key=failure,
            translation_placeholders={"panel": entry.title, "host": str(entry.data.get("host"))},
        )


def report_surface(hass: HomeAssistant, entry: ConfigEntry, surface: str) -> None:
    """Offer to move while the panel is on the broker."""
    if surface != MQTT:
        withdraw(hass, entry, "on_broker")
        return
    ir.async_create_issue(
        hass,
        DOMAIN,
        _id(entry, "on_broker"),
        data={"entry_id": entry.entry_id},
        is_fixable=True,
        severity=ir.IssueSeverity.WARNING,
        translation_key="on_broker",
        translation_placeholders={"panel": entry.title},
    )


def withdraw_all(hass: HomeAssistant, entry: ConfigEntry, panel_issues: Iterable[str]) -> None:
    """Take everything back, as the entry is unloaded."""
    for issue in (*panel_issues, *_LASTING, "on_broker"):
        withdraw(hass, entry, issue)
