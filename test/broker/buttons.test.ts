import { afterEach, describe, expect, it } from 'vitest';

import { type LiveAgent, post, startLive, statusOf, until } from '../scenarios/live-agent.ts';
import { type Broker, brokerMissing, listenTo, type Listener, startBroker } from './mosquitto.ts';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

const TOPIC = 'sconce/hall/button/state';

interface Rig {
  readonly broker: Broker;
  readonly live: LiveAgent;
  readonly heard: Listener;
  /** Does something to the simulated panel. */
  readonly hand: (body: Readonly<Record<string, unknown>>) => Promise<void>;
  /** Every event so far, `button_2 press`. */
  readonly events: () => readonly string[];
}

async function start(): Promise<Rig> {
  const broker = await startBroker();
  ends.push(broker.close);
  const heard = await listenTo(broker.port);
  ends.push(heard.close);
  const live = await startLive();
  ends.push(live.close);
  await until(
    'settings',
    async () =>
      (await post(`${live.url}/api/v1/config`, { mqtt_broker: `mqtt://127.0.0.1:${broker.port}`, panel_id: 'hall' }))
        .ok,
  );
  await until('live', async () => (await statusOf(live.url)).platform?.phase === 'live');
  return {
    broker,
    live,
    heard,
    hand: async (body) => expect((await post(`${live.url}/api/v1/simulator`, body)).status).toBe(202),
    events: () =>
      heard.messages
        .filter(({ topic }) => topic === TOPIC)
        .map(({ payload }) => {
          // What the platform reads: the type, and everything beside it as attributes.
          const { event_type: type, ...attributes } = JSON.parse(payload) as Record<string, string>;
          expect(Object.keys(attributes)).toEqual(['button']);
          return `${attributes['button']} ${type}`;
        }),
  };
}

const says = ({ events }: Rig, ...expected: readonly string[]): Promise<true> =>
  until(`${expected.join(', ')}; said: ${events().join(', ')}`, () => events().join(',') === expected.join(','));

describe.skipIf(brokerMissing !== null)(
  `hardware buttons on a real broker${brokerMissing === null ? '' : ` (${brokerMissing})`}`,
  () => {
    it('are one event entity, and each thing they do is told once and never kept', async () => {
      const rig = await start();
      const { components } = JSON.parse(rig.heard.latest('homeassistant/device/sconce_hall/config') ?? '{}') as {
        components: Record<string, unknown>;
      };
      expect(components['button']).toMatchObject({
        platform: 'event',
        device_class: 'button',
        default_entity_id: 'event.hall_button',
        event_types: ['press', 'release', 'long_press', 'double_press'],
        state_topic: TOPIC,
      });
      expect(components['button']).not.toHaveProperty('command_topic');
      expect(rig.events()).toEqual([]);

      await rig.hand({ press: 2 });
      await says(rig, 'button_2 press', 'button_2 release');
      // A second press counts as a double one only within its time: on a busy machine it may come too late, and the
      // next one is the second then.
      await until('a double press', async () => {
        const before = rig.events().length;
        const newest = (): string => rig.events().slice(before).join(', ');
        await rig.hand({ press: 2 });
        await until('the release', () => newest().endsWith('button_2 release'));
        expect(newest()).toMatch(/^button_2 press, (?:button_2 double_press, )?button_2 release$/);
        return newest().includes('double_press');
      });
      expect(rig.heard.messages.filter(({ topic, retained }) => topic === TOPIC && retained)).toEqual([]);
      const late = await listenTo(rig.broker.port);
      ends.push(late.close);
      await until('the retained messages', () => late.latest('sconce/hall/button/availability') === 'online');
      expect(late.latest(TOPIC)).toBeUndefined();
    });

    it('are held for a long press, let go when they are pulled out, and say whether they are there', async () => {
      const rig = await start();
      await rig.hand({ hold: 1, down: true });
      await says(rig, 'button_1 press', 'button_1 long_press');
      await rig.hand({ hold: 1, down: false });
      await says(rig, 'button_1 press', 'button_1 long_press', 'button_1 release');

      await rig.hand({ hold: 3, down: true });
      await rig.hand({ plug: 'buttons', plugged: false });
      await until('away', () => rig.heard.latest('sconce/hall/button/availability') === 'offline');
      expect((await statusOf(rig.live.url)).input?.buttons).toEqual(
        [1, 2, 3, 4].map((number) => ({ name: `button_${number}`, here: false, refused: null })),
      );
      await rig.hand({ hold: 3, down: false });
      await rig.hand({ press: 4 });
      await rig.hand({ plug: 'buttons', plugged: true });
      await until('back', () => rig.heard.latest('sconce/hall/button/availability') === 'online');
      await rig.hand({ press: 4 });
      await says(
        rig,
        'button_1 press',
        'button_1 long_press',
        'button_1 release',
        'button_3 press',
        'button_3 release',
        'button_4 press',
        'button_4 release',
      );
    });

    it('are not told again, nor told late, when the broker comes back', async () => {
      const rig = await start();
      await rig.hand({ press: 1 });
      await says(rig, 'button_1 press', 'button_1 release');
      await rig.broker.kill();
      await until('the loss', async () => (await statusOf(rig.live.url)).mqtt?.phase !== 'connected');
      await rig.hand({ press: 2 });
      await rig.broker.start();
      await until('live again', async () => (await statusOf(rig.live.url)).platform?.phase === 'live', 20_000);
      await rig.hand({ press: 3 });
      await until('the press after it', () => rig.events().includes('button_3 release'));
      expect(rig.events().slice(2)).toEqual(['button_3 press', 'button_3 release']);
    });
  },
);
