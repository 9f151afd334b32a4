"""Moving between the broker and this integration: the panel leads, step by step, and each step may come again."""

import asyncio
from collections.abc import Iterator, Mapping
import contextlib
from datetime import datetime
import logging
from typing import TYPE_CHECKING, Any

from homeassistant.core import CALLBACK_TYPE, CoreState, Event, callback
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import device_registry as dr, entity_registry as er
from homeassistant.helpers.event import async_call_later

from . import choices
from .catalogue import Catalogue
from .choices import Kept, Key
from .const import (
    APPLY_SECONDS,
    DOMAIN,
    FREE_SECONDS,
    LOOK_SECONDS,
    MQTT,
    NATIVE,
    READY_SECONDS,
    SAVED_SECONDS,
    SAVED_STARTING_SECONDS,
    SURFACES,
)
from .rows import unique_id

if TYPE_CHECKING:
    from .hub import Hub

_LOGGER = logging.getLogger(__name__)


class MoveError(Exception):
    """A step cannot be taken; the text is for a person at the panel."""


class Moving:
    """The moves of one panel."""

    def __init__(self, hub: Hub) -> None:
        """Begin without choices."""
        self._hub = hub
        self._store = choices.storage(hub.hass, hub.panel_id)
        self._kept: Kept | None = None
        self._watching: asyncio.Task[None] | None = None
        # The broker's entities that have the choices again, with their devices.
        self._done: dict[Key, str | None] = {}
        # Those that were withdrawn and announced again before the panel had moved, and have not got them back yet.
        self._lost: set[Key] = set()
        self._forgetting: CALLBACK_TYPE | None = None
        self._stop_listening: CALLBACK_TYPE | None = None
        self._is_answer_due = False

    async def start(self) -> None:
        """Read what a move left behind, and go on with it."""
        registry_updated = er.EVENT_ENTITY_REGISTRY_UPDATED
        self._stop_listening = self._hub.hass.bus.async_listen(registry_updated, self._on_registered)
        self._kept = Kept.load(await self._store.async_load())
        if self._kept is not None and self._kept.written:
            await self._check_written(self._kept)
        if self._kept is not None and self._kept.onto == MQTT and self._kept.due:
            self._watch(is_asked=False)

    async def stop(self) -> None:
        """End; the next start goes on."""
        self._keep_for_longer()
        if self._stop_listening is not None:
            self._stop_listening()
            self._stop_listening = None
        if self._watching is not None:
            self._watching.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._watching

    @property
    def summary(self) -> dict[str, Any] | None:
        """What waits to be written, for diagnostics."""
        kept = self._kept
        return {"onto": kept.onto, "due": kept.due, "entities": len(kept.entities)} if kept else None

    async def on_move(self, message: Mapping[str, Any]) -> None:
        """Take a step that the panel asks for, and answer."""
        to, step = message.get("to"), message.get("step")
        steps = {"prepare": self._prepare, "release": self._release, "apply": self._apply, "abandon": self._abandon}
        if to not in SURFACES or not isinstance(step, str) or step not in steps:
            return
        try:
            await steps[step](to)
        except MoveError as error:
            await self._answer(to, "failed", message=str(error))
        except Exception:
            _LOGGER.exception("%s: the move failed at %s", self._hub.entry.title, step)
            await self._answer(to, "failed", message=f"Home Assistant failed at this step ({step}); its log says why.")

    async def before_losing(self) -> None:
        """Keep the choices before this integration's entities go, if the panel moved without a word."""
        found, kept = self._read(MQTT), self._kept
        if found.entities and not (kept is not None and kept.onto == MQTT and kept.due):
            if kept is not None and kept.onto == NATIVE:
                # Those of the broker are newer: this Home Assistant was killed before it had them on the disk.
                found.entities = {**found.entities, **kept.entities}
            elif kept is not None:
                found.entities = {**kept.entities, **found.entities}
            found.due = True
            await self._keep(found)
            self._watch(is_asked=False)

    def own_choices(self) -> Kept:
        """Return what is chosen for this integration's entities."""
        return self._read(MQTT)

    async def give_back(self, kept: Kept) -> None:
        """Write the choices to the broker's entities after this integration's have gone, and forget them."""
        if kept.entities:
            self._kept, self._done = kept, {}
            await self._write_as_added(is_asked=True)
            await self._forget()

    async def before_adding(self, catalogue: Catalogue) -> None:
        """Register what is about to be added with the choices that its owner had made."""
        hub = self._hub
        if not _is_native(catalogue):
            return
        if not self._count(NATIVE):
            self._take_over()
        kept = self._kept
        if kept is None or not (kept.onto == NATIVE or kept.due):
            return
        self._stop_watching()
        if kept.onto == NATIVE:
            await self._free_ids(kept)
        panel_id = catalogue.panel.id
        for k, item in catalogue.items.items():
            choice = kept.entities.get((item.platform.value, unique_id(panel_id, k)))
            if choice is not None:
                with self._one_by_one(k):
                    choices.create(hub.hass, hub.entry, choice, item.enabled)
        device = choices.device_of(hub.hass, DOMAIN, panel_id)
        if kept.device is not None and device is not None:
            with self._one_by_one("its device"):
                choices.write_device(hub.hass, device.id, kept.device)

    def _take_over(self) -> None:
        """Keep what the broker's entities have, where there are none of this integration.

        It moved with another Home Assistant, or while this one was off, or this one was killed before it had its own
        entities on the disk; then they are newer that were kept to move again. Later ones are left over at the broker.
        """
        kept = self._kept
        if kept is not None and (kept.onto == NATIVE or kept.due):
            return
        found = self._read(NATIVE)
        if kept is not None:
            found.entities = {**found.entities, **kept.entities}
            found.device = kept.device or found.device
        if found.entities:
            self._kept = found

    @contextlib.contextmanager
    def _one_by_one(self, what: str) -> Iterator[None]:
        """Let what Home Assistant refuses not keep the others from theirs."""
        try:
            yield
        except HomeAssistantError, ValueError:
            _LOGGER.exception("%s: what its owner chose for %s is lost", self._hub.entry.title, what)

    async def after_adding(self, catalogue: Catalogue) -> None:
        """Forget what was written, and answer if the panel waits for that."""
        kept = self._kept
        if not _is_native(catalogue):
            return
        if kept is not None and kept.onto == NATIVE:
            await self._finish_or_warn(kept)
        elif kept is not None and kept.due:
            # The panel took a release back; it may still go on with the move.
            kept.due = False
            await self._keep(kept)
        if self._is_answer_due:
            self._is_answer_due = False
            await self._answer(NATIVE, "applied", self._count(NATIVE))

    async def _prepare(self, to: str) -> None:
        self._stop_watching()
        self._is_answer_due = False
        found, before = self._read(to), self._kept
        if before is not None:
            if before.onto == to and not found.entities:
                # The step came again, and the entities are gone already.
                found.due, found.automations, found.scripts = before.due, before.automations, before.scripts
            waiting = self._waiting(before) if to == NATIVE else set()
            newest = {key: choice for key, choice in found.entities.items() if key not in waiting}
            found.entities = {**before.entities, **newest}
            if found.device is None or (waiting and before.device is not None):
                found.device = before.device
        await self._keep(found)
        await self._answer(to, "prepared", len(found.entities), found)

    def _waiting(self, kept: Kept) -> set[Key]:
        """Return the broker's entities that have not got the choices back yet, and so have none to be read."""
        return kept.entities.keys() - self._done.keys() if kept.onto == MQTT and kept.due else self._lost

    @callback
    def _on_registered(self, event: Event[er.EventEntityRegistryUpdatedData]) -> None:
        """Give the broker's entities that are added once more what they had.

        Home Assistant restores such an entity, but not an id that its owner chose.
        """
        kept, registry = self._kept, er.async_get(self._hub.hass)
        if event.data["action"] != "create" or kept is None or kept.written:
            return
        entry = registry.async_get(event.data["entity_id"])
        if entry is None or entry.platform != MQTT or (key := (entry.domain, entry.unique_id)) not in kept.entities:
            return
        self._done.pop(key, None)
        catalogue = self._hub.catalogue
        if kept.onto == NATIVE and not (catalogue is not None and _is_native(catalogue)):
            self._lost.add(key)
            if self._watching is None or self._watching.done():
                self._watch(is_asked=False)

    async def _release(self, to: str) -> None:
        if to != MQTT:
            raise MoveError("Only entities of the integration can be released.")
        kept, hub = self._kept, self._hub
        if kept is None or kept.onto != MQTT:
            kept = self._read(MQTT)
        kept.due = True
        await self._keep(kept)
        count = self._count(NATIVE)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(READY_SECONDS):
                await hub.rows.ready.wait()
        await hub.let_go()
        if self._count(NATIVE):
            raise MoveError("Home Assistant still has entities of the integration.")
        await self._answer(to, "released", count, kept)

    async def _apply(self, to: str) -> None:
        catalogue = self._hub.catalogue
        if to == MQTT:
            if self._kept is not None and self._kept.onto == MQTT:
                self._kept.due = True
                self._watch(is_asked=True)
            else:
                await self._answer(to, "applied", self._count(MQTT))
        elif catalogue is not None and _is_native(catalogue) and self._hub.rows.applied is catalogue:
            await self._answer(to, "applied", self._count(NATIVE))
        else:
            self._is_answer_due = True

    async def _abandon(self, to: str) -> None:
        self._is_answer_due = False
        kept = self._kept
        if kept is None or kept.onto != to:
            # It was taken back already, or there is another one since.
            return
        self._stop_watching()
        if kept.onto == NATIVE:
            # They may have been withdrawn from the broker and announced again.
            self._lost.clear()
            kept.onto, kept.due = MQTT, True
            await self._keep(kept)
            self._watch(is_asked=False)
        elif kept.due:
            # They were released; the next catalogue has them again.
            kept.onto, kept.due = NATIVE, False
            await self._keep(kept)
        else:
            # They may have been released and added again, which is not on the disk yet.
            kept.onto = NATIVE
            await self._finish_or_warn(kept)

    def _read(self, to: str) -> Kept:
        hub = self._hub
        source = MQTT if to == NATIVE else NATIVE
        return choices.read(hub.hass, choices.entries_of(hub.hass, source, hub.panel_id, hub.entry), to)

    def _count(self, surface: str) -> int:
        hub = self._hub
        return len(choices.entries_of(hub.hass, surface, hub.panel_id, hub.entry))

    async def _keep(self, kept: Kept) -> None:
        self._keep_for_longer()
        self._kept = kept
        await self._store.async_save(kept.save())
        # A failure to write is only logged there; the entities are given up once this is on the disk.
        written = Kept.load(await choices.storage(self._hub.hass, self._hub.panel_id).async_load())
        if written is None or written.entities.keys() != kept.entities.keys() or written.due != kept.due:
            raise MoveError("Home Assistant could not write to its storage.")

    async def _check_written(self, kept: Kept) -> None:
        """Go on with what was written and is lost: Home Assistant was killed before it had that on the disk."""
        registry, platform = er.async_get(self._hub.hass), MQTT if kept.onto == MQTT else DOMAIN
        for key in list(kept.entities):
            # One that is there has them, and perhaps newer ones.
            if registry.async_get_entity_id(key[0], platform, key[1]) is not None:
                del kept.entities[key]
        kept.written = False
        if not kept.entities:
            await self._forget()

    async def _forget(self) -> None:
        self._keep_for_longer()
        self._lost.clear()
        self._kept = None
        await self._store.async_remove()

    async def _finish(self, kept: Kept) -> None:
        """Forget what was written once it is on the disk."""
        kept.written = True
        self._lost.clear()
        await self._keep(kept)
        self._kept = None

        async def forget(_now: datetime) -> None:
            self._forgetting = None
            await self._forget()

        seconds = SAVED_SECONDS if self._hub.hass.state is CoreState.running else SAVED_STARTING_SECONDS
        self._forgetting = async_call_later(self._hub.hass, seconds, forget)

    @callback
    def _keep_for_longer(self) -> None:
        if self._forgetting is not None:
            self._forgetting()
            self._forgetting = None

    async def _free_ids(self, kept: Kept) -> None:
        """Wait until the broker's entities are gone, since Home Assistant learns of that over another connection.

        What stays (its broker is away, and a person wanted to go on) is removed: it holds the ids. Disabled entities
        that were announced once more stay too, which is not worth a wait.
        """
        hass, registry = self._hub.hass, er.async_get(self._hub.hass)

        def left() -> list[str]:
            found = (registry.async_get_entity_id(domain, MQTT, unique) for domain, unique in kept.entities)
            return [entity_id for entity_id in found if entity_id is not None]

        def is_taken() -> bool:
            if any(entry is not None and not entry.disabled for entry in map(registry.async_get, left())):
                return True
            # An entity goes a moment after its entry.
            ids = [choice["entity_id"] for choice in kept.entities.values()]
            return any(hass.states.get(i) and registry.async_get(i) is None for i in ids)

        async def wait() -> None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(FREE_SECONDS):
                    while is_taken():  # noqa: ASYNC110 - conditions of Home Assistant's, without an event for all
                        await asyncio.sleep(LOOK_SECONDS)

        await wait()
        if not (entity_ids := left()):
            return
        for entity_id in entity_ids:
            registry.async_remove(entity_id)
        device = choices.device_of(hass, MQTT, self._hub.panel_id)
        if device and not er.async_entries_for_device(registry, device.id, include_disabled_entities=True):
            dr.async_get(hass).async_remove_device(device.id)
        await wait()

    def _stop_watching(self) -> None:
        if self._watching is not None:
            self._watching.cancel()
            self._watching = None

    def _watch(self, *, is_asked: bool) -> None:
        self._stop_watching()
        self._done = {}
        name = f"{DOMAIN} choices of {self._hub.panel_id}"
        self._watching = self._hub.hass.async_create_background_task(self._write_as_added(is_asked), name)

    async def _write_as_added(self, is_asked: bool) -> None:
        """Write the choices to the broker's entities as they are added; if the panel waits, until all have them."""
        kept, done = self._kept, self._done
        assert kept is not None
        # Those that have the choices but for an id that is taken.
        given: dict[Key, str | None] = {}
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(APPLY_SECONDS):
                while self._lost if kept.onto == NATIVE else not is_asked or len(done) < len(kept.entities):
                    for key in (self._lost if kept.onto == NATIVE else kept.entities.keys()) - done.keys():
                        self._write_if_settled(key, kept, given)
                    self._lost -= done.keys()
                    await asyncio.sleep(LOOK_SECONDS)
        if kept.onto == NATIVE:
            # They are kept until the panel has moved, or gives it up.
            return
        done |= given
        if len(done) < len(kept.entities):
            # The others may come later: an entity that is there only sometimes, a broker that is away.
            for key in done:
                del kept.entities[key]
            with self._warned():
                await self._keep(kept)
        else:
            await self._finish_or_warn(kept)
        if is_asked:
            await self._answer(MQTT, "applied", len(done))

    @contextlib.contextmanager
    def _warned(self) -> Iterator[None]:
        try:
            yield
        except MoveError as error:
            _LOGGER.warning("%s: %s", self._hub.entry.title, error)

    async def _finish_or_warn(self, kept: Kept) -> None:
        with self._warned():
            await self._finish(kept)
        self._kept = None

    def _write_if_settled(self, key: Key, kept: Kept, given: dict[Key, str | None]) -> None:
        hass, registry = self._hub.hass, er.async_get(self._hub.hass)
        entity_id = registry.async_get_entity_id(key[0], MQTT, key[1])
        entry = registry.async_get(entity_id) if entity_id else None
        if entry is None or not choices.is_settled(hass, entry):
            return
        has_all = True
        with self._one_by_one(entry.entity_id):
            has_all = choices.write(hass, entry, kept.entities[key])
        if kept.device is not None and entry.device_id is not None and entry.device_id not in given.values():
            with self._one_by_one("its device"):
                choices.write_device(hass, entry.device_id, kept.device)
        given[key] = entry.device_id
        # An id that this integration's entity still has is about to be free.
        if has_all:
            self._done[key] = entry.device_id

    async def _answer(
        self, to: str, step: str, entities: int = 0, kept: Kept | None = None, message: str | None = None
    ) -> None:
        await self._hub.tell(
            {
                "type": "moved",
                "to": to,
                "step": step,
                "entities": entities,
                "automations": kept.automations if kept else [],
                "scripts": kept.scripts if kept else [],
                **({"message": message} if message else {}),
            }
        )


def _is_native(catalogue: Catalogue) -> bool:
    return catalogue.surface == NATIVE and bool(catalogue.items)
