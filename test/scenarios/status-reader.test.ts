import { describe, expect, test } from 'vitest';
import type { Registry } from '#actors/kit/registry.ts';
import { createStatusReader } from '#routes/status/status-reader.ts';
import { amount } from '#test/fakes/amount.ts';
import { pick, type Random, sequence } from '#test/fakes/sequence.ts';
import { type LiveAgent, post, startLive } from './live-agent.ts';

const origin = 'http';
const lights = ['led', 'buttons', 'button_led1'] as const;
const relays = ['relay1', 'relay3'] as const;
const parts = ['led', 'relays', 'buttons', 'proximity', 'illuminance'] as const;
const killed = ['volume', 'screen', 'relay3', 'history', 'home-assistant', 'path-probe', 'profile'] as const;

/** What is done to the panel, each as likely as the others. */
const deeds: readonly ((random: Random, registry: Registry, live: LiveAgent) => unknown)[] = [
  (random, { tell }) => tell('volume', { type: 'volume.set', percent: random(101), origin }),
  (random, { tell }) =>
    tell('screen', { type: 'screen.set', on: random(2) === 1, brightness: 1 + random(255), origin }),
  (random, { tell }) => tell(pick(random, lights), { type: 'light.set', on: random(2) === 1, origin }),
  (random, { tell }) => tell(pick(random, relays), { type: 'relay.set', closed: random(2) === 1, origin }),
  (random, { tell }) =>
    tell('simulator', { type: 'simulator.plug', part: pick(random, parts), plugged: random(2) === 1 }),
  (random, { tell }) => tell('simulator', { type: 'simulator.press', button: 1 + random(4) }),
  (random, { tell }) => tell('simulator', { type: 'simulator.screen', powered: random(2) === 1 }),
  (random, _, { url }) =>
    post(`${url}/api/v1/config`, {
      volume_limit_percent: 20 + random(80),
      friendly_name: pick(random, ['Hall', 'Kitchen']),
      mqtt_broker: pick(random, ['', 'mqtt://127.0.0.1:9']),
      ha_url: pick(random, ['', 'http://127.0.0.1:9']),
      // On a busy machine an idle connection may be closed as it is used again; then nothing was done.
    }).catch(() => undefined),
  (random, _, { agent }) => agent.kill(pick(random, killed)),
];

describe('the status document of a simulated panel', () => {
  test('is the same however it was made, whatever is done to the panel and however time passes', async () => {
    const live = await startLive();
    try {
      const random = sequence(7);
      const { registry, tree } = live.agent;
      let passed = 0;
      const sources = {
        registry,
        now: () => 1_795_352_177_000 + passed,
        elapsed: () => 60_000 + passed,
        startedAt: 1_795_352_117_000,
        version: '0.1.0',
        build: 'abcdef01',
        tree,
        rootShell: false,
        inspection: null,
      };
      const kept = createStatusReader(sources);
      const told = new Set<string>();
      let before = kept.document();
      for (let step = 0; step < amount(100, 2_000); step += 1) {
        // oxlint-disable-next-line no-await-in-loop -- one deed after another
        await pick(random, deeds)(random, registry, live);
        passed += random(pick(random, [2, 900, 8_000, 400_000]));
        if (random(2) === 1) kept.look(10_000);
        const document = kept.document();
        const moment = document.taken_at;
        const whole = createStatusReader({ ...sources, now: () => moment, elapsed: () => moment - 1_795_352_117_000 });
        expect(document).toEqual(whole.document());
        for (const [name, value] of Object.entries(document))
          if (!Object.is(Reflect.get(before, name), value)) told.add(name);
        before = document;
      }
      expect([...told]).toEqual(
        expect.arrayContaining([
          'volume',
          'screen',
          'lights',
          'relays',
          'mqtt',
          'configuration',
          'supervision',
          'capabilities',
        ]),
      );
    } finally {
      await live.close();
    }
  });
});
