"""Repairs: what the panel reports of itself, and what keeps the connection from working."""

from collections.abc import Iterable, Mapping
from typing import Any

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir

from .const import DOMAIN, MQTT

# Failures that do not pass by themselves: a person has to do something.
_LASTING = ("host_refused", "update_panel", "update_integration")


def _id(entry: ConfigEntry, issue: str) -> str:
    return f"{entry.entry_id}_{issue}"


def report(hass: HomeAssistant, entry: ConfigEntry, issue: str, message: Mapping[str, Any]) -> None:
    """Show an issue of the panel, in its own words."""
    ir.async_create_issue(
        hass,
        DOMAIN,
        _id(entry, issue),
        is_fixable=False,
        severity=ir.IssueSeverity.ERROR if message.get("severity") == "error" else ir.IssueSeverity.WARNING,
        translation_key="panel_issue",
        translation_placeholders={
            "panel": entry.title,
            "title": str(message.get("title") or issue),
            "text": str(message.get("text") or ""),
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
