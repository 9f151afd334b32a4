import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Actor, createActor, type EventObject } from 'xstate';

import { cleanupsOf } from '#drivers/kit/cleanups.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import { chromiumBrowser } from '#drivers/renderer/chromium.ts';
import type { ReachabilityCommand } from '#machines/renderer/events.ts';
import type { FollowedFact } from '#machines/renderer/facts.ts';
import { rendererMachine } from '#machines/renderer/machine.ts';
import { shownFacts } from '#test/fakes/renderer.ts';
import type { ChangeCommand } from '#machines/renderer/change-events.ts';
import { until } from '../../scenarios/live-agent.ts';
import { serveHomeAssistant, type HomeAssistantPage } from './home-assistant-page.ts';
import { removeFolder } from './remove-folder.ts';
import { noBrowser, program } from './rig.ts';

/** Time between two probes, a tenth of that on a wall, in milliseconds. */
const PROBE_MS = 500;
/** Longest for three attempts; each takes 8 s at most, and a browser is started in two of them. */
const ROUNDS_MS = 60_000;

/** Hangs once the document is there, and again whenever it is ended. */
const HANGS = 'setInterval(() => { for (;;); }, 50);';
/** Keeps saying, as the frontend does, that it has not drawn anything yet. */
const DRAWS_NOTHING = "document.body.append(Object.assign(document.createElement('p'), { id: 'ha-launch-screen' }));";

describe.skipIf(noBrowser)('a home dashboard that hangs on every load, in a real browser', () => {
  let homeAssistant: HomeAssistantPage;
  let actor: Actor<typeof rendererMachine>;
  let folder: string;
  const own = createServer((_, response) => response.end('<!doctype html><p>calm'));
  const facts = () => shownFacts(actor.getSnapshot());
  const asked = (path: string): number => homeAssistant.asked.filter((one) => one === path).length;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sconce-faulty-'));
    homeAssistant = await serveHomeAssistant();
    homeAssistant.spoil((path) => (path === '/lovelace/hall' ? HANGS : path === '/' ? DRAWS_NOTHING : ''));
    await once(own.listen(0, '127.0.0.1'), 'listening');
    // A server that listens on TCP has an AddressInfo.
    const { port } = own.address() as AddressInfo;
    const desired = {
      mode: 'headless',
      simulated: false,
      program: 'builtin',
      origin: homeAssistant.origin,
      home: '/lovelace/hall',
      ownOrigin: `http://127.0.0.1:${port}`,
      appearance: { zoomPercent: 100, theme: 'follow', kiosk: true, fullscreen: true },
      idleReturnMin: 0,
    } as const;
    actor = createActor(
      rendererMachine.provide({
        actors: {
          followed: fromDriver<EventObject, undefined, FollowedFact>(({ send }) =>
            send({ type: 'page.desired', desired }),
          ),
          reachability: fromDriver<ReachabilityCommand, undefined, never>(() => {}),
          changes: fromDriver<ChangeCommand, undefined, never>(() => {}),
          browser: chromiumBrowser({
            folder,
            accessToken: () =>
              Promise.resolve({ ok: true, token: 'access-1', expiresInSeconds: 1800, origin: homeAssistant.origin }),
            now: Date.now,
            names: [program],
            probeMs: PROBE_MS,
            version: '0.0.0',
          }),
        },
      }),
    ).start();
  });
  afterAll(async () => {
    actor.stop();
    await cleanupsOf(actor.system).settled();
    own.close();
    await homeAssistant.close();
    await removeFolder(folder);
  });

  test(
    'gives way to the start page, and that, which is never drawn, to the offline page',
    async () => {
      await until('the start page stands for it', () => facts().fallback?.page === 'start', ROUNDS_MS);
      expect(asked('/lovelace/hall')).toBe(3);
      expect(facts().fallback).toMatchObject({ reason: 'hung' });
      await until(
        'the offline page stands',
        () => facts().fallback?.page === 'calm' && facts().place === 'own',
        ROUNDS_MS,
      );
      expect([asked('/lovelace/hall'), asked('/')]).toEqual([3, 3]);
      expect(facts()).toMatchObject({ phase: 'waiting', fallback: { reason: 'blank' }, path: '/glass' });
    },
    2 * ROUNDS_MS,
  );

  test(
    'is tried again when somebody asks, and stays once it is well',
    async () => {
      homeAssistant.spoil(() => '');
      actor.send({ type: 'renderer.home', origin: 'http' });
      await until('home is drawn', () => facts().rendered && facts().path === '/lovelace/hall', ROUNDS_MS);
      expect(asked('/lovelace/hall')).toBe(4);
      expect(facts().fallback).toBeNull();
    },
    ROUNDS_MS,
  );
});
