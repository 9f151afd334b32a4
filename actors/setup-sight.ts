import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { Reading } from '#machines/home-assistant/events.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import { deviceIdentifier } from '#machines/publisher/topics.ts';
import type { SeenFact, SightCommand } from '#machines/setup/events.ts';
import { firstEntity } from '#machines/setup/sight.ts';

import type { Registry } from './kit/registry.ts';

/** Name under which the setup watches topics of Home Assistant. */
const WATCHER = 'setup';

/**
 * Home Assistant tells an account that is no administrator of no change: it is asked again after this time, each time
 * twice as long, since its registries may be large.
 */
const AGAIN_MS: Milliseconds = 5000;
/** How often it is asked: for twenty minutes in all. After that only its own word of a change counts. */
const LOOKS = 8;

/** Looks for the first entity of a panel in the registries of Home Assistant, until it is there. */
export const setupSight = (registry: Registry) =>
  fromDriver<SightCommand, undefined, SeenFact>(({ send, onEvent, guard }) => {
    let panelId: string | null = null;
    let devices: Extract<Reading, { readonly kind: 'devices' }> | null = null;
    let entities: Extract<Reading, { readonly kind: 'entities' }> | null = null;
    let again: NodeJS.Timeout | undefined;
    let looks = 0;

    const watch = (): void => {
      clearTimeout(again);
      registry.tell('home-assistant', {
        type: 'home-assistant.watch',
        watcher: WATCHER,
        topics: panelId === null ? [] : [{ kind: 'devices' }, { kind: 'entities' }],
      });
      if (panelId === null || looks >= LOOKS) return;
      again = setTimeout(guard(watch), AGAIN_MS * 2 ** looks);
      looks += 1;
    };
    onEvent((command) => {
      if (command.panelId === panelId) return;
      panelId = command.panelId;
      devices = null;
      entities = null;
      looks = 0;
      watch();
    });
    const ends = [
      registry.follow(
        'home-assistant',
        (snapshot) => snapshot !== undefined,
        // One that was restarted knows of nobody who watches.
        guard((isThere) => {
          if (isThere && panelId !== null) watch();
        }),
      ),
      registry.listen(
        'home-assistant',
        'home-assistant.read-out',
        guard(({ reading }) => {
          if (panelId === null) return;
          if (reading.kind === 'devices') devices = reading;
          else if (reading.kind === 'entities') entities = reading;
          else return;
          if (devices === null || entities === null) return;
          const entityId = firstEntity(deviceIdentifier(panelId), devices.devices, entities.entities);
          if (entityId !== null) send({ type: 'setup.seen', entity: { entityId, panelId } });
        }),
      ),
    ];
    return () => {
      clearTimeout(again);
      for (const end of ends) end();
      // The connection may be held for this watcher alone.
      if (panelId !== null)
        registry.tell('home-assistant', { type: 'home-assistant.watch', watcher: WATCHER, topics: [] });
    };
  });
