import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type AnyActorRef, createActor, type InspectionEvent } from 'xstate';

import { createRegistry } from '#actors/kit/registry.ts';
import { createSupervisor } from '#actors/kit/supervisor.ts';
import { settingsSpec } from '#actors/settings.ts';
import { storeSpec } from '#actors/store.ts';
import { storedSections } from '#drivers/store/stored-sections.ts';
import { fileSections } from '#machines/stored-sections.ts';
import { createApp } from '#routes/app.ts';
import { Saved } from '#routes/config.ts';
import { fakeDeps, settledFacts } from '#test/fakes/route-deps.ts';
import { fakeRegistry } from '#test/fakes/registry.ts';

/** All events that a save takes from its route to the disk and back, answers included: each is paid by every save. */
const WALK = [
  'settings < settings.merge',
  'store < store.read-all',
  'store > reply',
  'store < store.commit-all',
  'store < server.changed',
  'store > reply',
  'settings < server.changed',
  'settings > reply',
];

/** The id of an actor without the number of its start. */
const nameOf = (id: string): string => id.replace(/:\d+$/, '');

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sconce-walk-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Store and settings as the agent supervises them, and every event that any of their actors takes or answers with. */
async function startBase() {
  const events: string[] = [];
  const inspect = (inspection: InspectionEvent): void => {
    if (inspection.type === '@xstate.actor') {
      // XState types the inspected actor as any actor.
      const actor = inspection.actorRef as AnyActorRef;
      actor.on('reply', () => events.push(`${nameOf(actor.id)} > reply`));
    }
    if (inspection.type === '@xstate.event')
      events.push(`${nameOf((inspection.actorRef as AnyActorRef).id)} < ${inspection.event.type}`);
  };
  const registry = createRegistry();
  const base = createSupervisor(
    {
      id: 'base',
      strategy: 'rest_for_one',
      intensity: { restarts: 1, periodMs: 1000 },
      onGiveUp: 'escalate',
      backoff: { firstMs: 1, capMs: 1, jitter: 0 },
      children: [
        storeSpec({ folder, sections: storedSections({ folder, apart: fileSections }) }),
        settingsSpec({ registry, openFiles: [], now: Date.now, mode: () => 'relaxed', recorded: null }),
      ],
    },
    { now: Date.now, random: () => 0, registry },
  );
  const root = createActor(base, { inspect });
  registry.attach(root.system);
  root.start();
  const stopFollowing = await new Promise<() => void>((resolve) => {
    const stop = registry.follow(
      'settings',
      (seen) => seen?.value === 'ready',
      (isReady) => {
        if (isReady) queueMicrotask(() => resolve(stop));
      },
    );
  });
  stopFollowing();
  return { registry, root, events };
}

it(`takes ${WALK.length} events through mailboxes from POST /api/v1/config to the disk and back`, async () => {
  const { registry, root, events } = await startBase();
  const facts = fakeRegistry(settledFacts());
  const read = ((id: 'settings') => (id === 'settings' ? registry.read(id) : facts.read(id))) as typeof facts.read;
  const app = createApp({ ...fakeDeps(), registry: { ...facts, ask: registry.ask, read } });
  events.length = 0;
  const request = new Request('http://panel.invalid/api/v1/config', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ friendly_name: 'Hall', volume_limit_percent: 80 }),
  });
  const response = await app.fetch(request, {});
  expect(Saved().parse(await response.json())).toMatchObject({ status: 'saved', revision: 2 });
  expect(events).toEqual(WALK);
  root.stop();
});
