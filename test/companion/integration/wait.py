"""Waiting for a condition, never for a time."""

import asyncio
from collections.abc import Callable
from typing import Any

from homeassistant.core import HomeAssistant


async def until(hass: HomeAssistant, condition: Callable[[], Any], seconds: float = 5) -> Any:
    """Return what the condition answers once that is true; it is asked after each turn of the loop."""
    async with asyncio.timeout(seconds):
        while not (answer := condition()):
            await asyncio.sleep(0.002)
    return answer
