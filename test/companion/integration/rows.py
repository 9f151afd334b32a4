"""A row of each kind, as the fake panel has them."""

from typing import Any


def row(k: str, platform: str, name: str, **more: Any) -> dict[str, Any]:
    """One item of a catalogue."""
    return {"k": k, "platform": platform, "name": name, "object_id": k, "enabled": True, **more}


ITEMS = [
    row("lamp", "light", "Lamp", icon="mdi:lamp", modes=["rgb"], effects=["Rainbow", "Fire"]),
    row("level", "number", "Level", min=5, max=50, step=5, mode="slider", unit="%", category="config"),
    row("words", "text", "Words", max_length=20, mode="text"),
    row("relay", "switch", "Relay", **{"class": "outlet"}),
    row("mode", "select", "Mode", options=["low", "high"]),
    row("again", "button", "Again", category="config", **{"class": "restart"}),
    row("heat", "sensor", "Heat", unit="°C", state_class="measurement", precision=1, **{"class": "temperature"}),
    row("since", "sensor", "Since", category="diagnostic", **{"class": "timestamp"}),
    row("bell", "event", "Bell", event_types=["press", "hold"], **{"class": "button"}),
    row("near", "binary_sensor", "Near", **{"class": "occupancy"}),
    row("view", "image", "View"),
    row("spare", "sensor", "Spare", enabled=False),
]

STATES = {
    "lamp": {"on": True, "brightness": 128, "rgb": [255, 0, 10], "effect": None},
    "level": 20,
    "words": "hello",
    "relay": False,
    "mode": "low",
    "again": None,
    "heat": 21.25,
    "since": "2026-11-27T03:00:00+00:00",
    "near": True,
    "view": {"path": "/api/v1/picture?a=1", "n": 3},
}


def all_states() -> dict[str, dict[str, Any]]:
    """Their states, all available."""
    return {k: {"available": True, "v": shown} for k, shown in STATES.items()}
