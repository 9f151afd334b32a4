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

/** Most events that a save may take from its route to the disk and back, answers included. */
const MOST_EVENTS = 8;

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
      // XState types whoever is inspected as any actor.
      const actor = inspection.actorRef as AnyActorRef;
      actor.on('reply', () => events.push(`${actor.id} > reply`));
    }
    if (inspection.type === '@xstate.event')
      events.push(`${(inspection.actorRef as AnyActorRef).id} < ${inspection.event.type}`);
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
        settingsSpec({ registry, openFiles: [], now: Date.now, recorded: null }),
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

it(`takes at most ${MOST_EVENTS} events through mailboxes from POST /api/v1/config to the disk and back`, async () => {
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
  // oxlint-disable-next-line no-console -- the figure of the walk
  console.log(`POST /api/v1/config: ${events.length} events\n  ${events.join('\n  ')}`);
  expect(events.length).toBeLessThanOrEqual(MOST_EVENTS);
  root.stop();
});
