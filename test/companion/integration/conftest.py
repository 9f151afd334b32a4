"""Fixtures: a panel that listens, quick retries, and a report for the runner."""

from collections.abc import AsyncGenerator
import json
import os
from pathlib import Path
from typing import Any

from homeassistant.core import HomeAssistant
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.sconce import choices, config_flow, hub as hub_module, moving
from custom_components.sconce.const import DOMAIN

from .fake_panel import FakePanel


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch, socket_enabled: None, enable_custom_integrations: None) -> None:
    """Real sockets on loopback, and no pauses made for a house."""
    monkeypatch.setattr(hub_module, "RETRY_SECONDS", (0.02, 0.05))
    monkeypatch.setattr(hub_module, "KEY_SAVED_SECONDS", 0.05)
    monkeypatch.setattr(choices, "SETTLED_SECONDS", 0.1)
    monkeypatch.setattr(moving, "LOOK_SECONDS", 0.01)
    monkeypatch.setattr(config_flow, "REFUSAL_SECONDS", 0.05)


@pytest.fixture
def expected_lingering_timers() -> bool:
    """Aiohttp sets its timer for pings once more when the answer to a close arrives, and leaves it."""
    return True


@pytest.fixture
async def panel(socket_enabled: None) -> AsyncGenerator[FakePanel]:
    """A panel that listens."""
    fake = FakePanel()
    await fake.start()
    yield fake
    await fake.stop()


@pytest.fixture
async def entry(hass: HomeAssistant, panel: FakePanel) -> AsyncGenerator[MockConfigEntry]:
    """The config entry of a panel that knows this Home Assistant; a test sets it up."""
    made = MockConfigEntry(domain=DOMAIN, title="Hall", unique_id=panel.id, data=panel.with_key())
    made.add_to_hass(hass)
    yield made
    if made.state.recoverable and hass.config_entries.async_get_entry(made.entry_id) is not None:
        await hass.config_entries.async_unload(made.entry_id)


class Report:
    """Counts for the runner, in the file that it names."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._tests: dict[str, dict[str, Any]] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note how each phase of a test ended; the worst counts."""
        test = self._tests.setdefault(report.nodeid, {"outcome": "passed", "detail": ""})
        if report.skipped:
            reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
            test |= {"outcome": "skipped", "detail": reason.removeprefix("Skipped: ")}
        elif report.failed:
            test |= {"outcome": "failed", "detail": report.longreprtext}

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """A file that cannot be read is a failure too."""
        if report.failed:
            self._tests[report.nodeid] = {"outcome": "failed", "detail": report.longreprtext}

    def pytest_sessionfinish(self) -> None:
        """Write the report."""
        self._file.write_text(json.dumps(self._tests), encoding="utf-8")


def pytest_configure(config: pytest.Config) -> None:
    """Report to the runner, if there is one."""
    if file := os.environ.get("SCONCE_REPORT"):
        config.pluginmanager.register(Report(Path(file)))
