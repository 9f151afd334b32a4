import { afterEach, describe, expect, it, vi } from 'vitest';

import { BURST, PAUSE_MS } from '#machines/entities/limits.ts';

import { startAgent } from './agent.ts';
import { brokerMissing, listenTo, startBroker, until } from './mosquitto.ts';

const CONFIG = 'homeassistant/device/sconce_hall/config';
const SCREEN = 'sconce/hall/screen';

const open: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close();
});

/** A live panel, and a client with an account on its broker. */
async function start() {
  const broker = await startBroker();
  open.push(broker);
  const somebody = await listenTo(broker.port);
  open.push(somebody);
  const panel = startAgent({ port: broker.port });
  open.push({ close: panel.stop });
  await until('live', () => panel.publisher()?.phase === 'live' && somebody.latest(`${SCREEN}/state`) !== undefined);
  return { panel, somebody, count: (topic: string) => somebody.messages.filter((one) => one.topic === topic).length };
}

describe.skipIf(brokerMissing !== null)(
  `a flood on a real broker${brokerMissing === null ? '' : ` (${brokerMissing})`}`,
  () => {
    it.each([
      ['thrown in as they are', 0],
      ['each acknowledged, a window of them at a time', 1],
    ] as const)('switches the screen a few times for 3000 commands that are %s', async (_how, qos) => {
      const { somebody, count } = await start();
      const before = count(`${SCREEN}/state`);
      const began = performance.now();
      // Each differs from the one before it, so that each that is carried out is published.
      const sent = Array.from({ length: 3000 }, (_, at) =>
        somebody.client.publishAsync(`${SCREEN}/set`, JSON.stringify({ state: 'ON', brightness: 1 + (at % 200) }), {
          qos,
        }),
      );
      await Promise.all(sent);
      const last = '{"state":"ON","brightness":222}';
      // Said again until it is heard: mosquitto drops what a subscriber is a thousand messages behind with.
      await vi.waitFor(
        async () => {
          await somebody.publish(`${SCREEN}/set`, last);
          expect(somebody.latest(`${SCREEN}/state`)).toBe(last);
        },
        { timeout: 8000, interval: 100 },
      );
      // A burst, then one in each pause; more for a machine that is slow at it, or a flood that comes with gaps.
      const most = 3 * BURST + (2 * (performance.now() - began)) / PAUSE_MS;
      expect(count(`${SCREEN}/state`) - before).toBeLessThan(Math.min(most, 300));
    });

    it('announces the panel once for 1000 births, and once more for one that comes later', async () => {
      const { panel, somebody, count } = await start();
      const before = count(CONFIG);
      await Promise.all(
        Array.from({ length: 1000 }, () => somebody.client.publishAsync('homeassistant/status', 'online')),
      );
      await until('the answer', () => count(CONFIG) > before && panel.publisher()?.phase === 'live');
      // Home Assistant's reload says `online` again without having left.
      await somebody.publish('homeassistant/status', 'online');
      await until('the next answer', () => count(CONFIG) > before + 1 && panel.publisher()?.phase === 'live');
      // One more if a slow machine gets the last of the thousand only after the first answer.
      expect(count(CONFIG)).toBeLessThanOrEqual(before + 3);
    });
  },
);
