"""Notices at once when a panel announces itself, while the integration waits for it to come back."""

from collections.abc import Callable

from homeassistant.core import CALLBACK_TYPE, HomeAssistant, callback

from .const import SERVICE_TYPE


async def watch(
    hass: HomeAssistant, is_wanted: Callable[[str], bool], found: Callable[[str, int], None]
) -> CALLBACK_TYPE:
    """Call `found` with an address for each announcement of a panel whose id is wanted; return what ends it.

    Home Assistant's own discovery reports changes only, and a panel that was killed comes back with the same records.
    """
    if "zeroconf" not in hass.config.components:
        return lambda: None
    # Needs a package that is there only with that integration.
    from homeassistant.components.zeroconf import async_get_instance, info_from_service  # noqa: PLC0415
    from zeroconf import RecordUpdate, RecordUpdateListener, Zeroconf  # noqa: PLC0415
    from zeroconf.asyncio import AsyncServiceInfo  # noqa: PLC0415

    zeroconf = await async_get_instance(hass)

    class Listener(RecordUpdateListener):
        """Gathers instances as records arrive, and reads them once the cache has them."""

        def __init__(self) -> None:
            self._names: set[str] = set()

        @callback
        def async_update_records(self, zc: Zeroconf, now: float, records: list[RecordUpdate]) -> None:
            """Note whose records these are."""
            for update in records:
                if update.new.name.lower().endswith(f".{SERVICE_TYPE}") and not update.new.is_expired(now):
                    self._names.add(update.new.name)

        @callback
        def async_update_records_complete(self) -> None:
            """Read the instances; one that is not complete yet comes again with its next record."""
            names, self._names = self._names, set()
            for name in names:
                service = AsyncServiceInfo(SERVICE_TYPE, name)
                info = info_from_service(service) if service.load_from_cache(zeroconf) else None
                if info is not None and info.port is not None and is_wanted(str(info.properties.get("id"))):
                    found(info.host, info.port)

    listener = Listener()
    zeroconf.async_add_listener(listener, None)
    return lambda: zeroconf.async_remove_listener(listener)
