import { afterEach, describe, expect, it } from 'vitest';

import { simulatedProximity } from '#drivers/proximity/simulated.ts';
import { SimulatedDevice } from '#drivers/simulator/device.ts';
import { ProximityDocument } from '#machines/proximity/document.ts';
import { proximityDecisions } from '#profiles/drivers/proximity.ts';
import { simulatedProfile } from '#test/fakes/simulated-profile.ts';

import { type SteppedClock, steppedClock } from '../fakes/sample-clock.ts';
import { withSlots } from '../fakes/with-slots.ts';
import { type LiveAgent, post, startLive, statusOf, until } from '../scenarios/live-agent.ts';
import { brokerMissing, listenTo, type Listener, startBroker } from './mosquitto.ts';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

interface Rig {
  readonly live: LiveAgent;
  readonly clock: SteppedClock;
  readonly heard: Listener;
  readonly state: (key: string) => string | undefined;
  readonly availability: (key: string) => string | undefined;
}

async function start(): Promise<Rig> {
  const broker = await startBroker();
  ends.push(broker.close);
  const heard = await listenTo(broker.port);
  ends.push(heard.close);
  const device = new SimulatedDevice();
  const clock = steppedClock(Date.now());
  const live = await startLive({
    profile: withSlots(simulatedProfile(device), {
      proximity: { id: 'proximity', driver: simulatedProximity(device, proximityDecisions, clock) },
    }),
  });
  ends.push(live.close);
  await until(
    'settings',
    async () =>
      (await post(`${live.url}/api/v1/config`, { mqtt_broker: `mqtt://127.0.0.1:${broker.port}`, panel_id: 'hall' }))
        .ok,
  );
  await until('live', async () => (await statusOf(live.url)).platform?.phase === 'live');
  const topic = (key: string, part: string): string | undefined => heard.latest(`sconce/hall/${key}/${part}`);
  return { live, clock, heard, state: (key) => topic(key, 'state'), availability: (key) => topic(key, 'availability') };
}

async function step({ live }: Rig, body: Readonly<Record<string, string>>): Promise<ProximityDocument> {
  const response = await fetch(`${live.url}/api/v1/proximity/calibration`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-proximity-ui': '1', origin: live.url },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(202);
  return ProximityDocument().parse(await response.json());
}

const look = async ({ live }: Rig): Promise<ProximityDocument> =>
  ProximityDocument().parse(await (await fetch(`${live.url}/api/v1/proximity`)).json());

async function move({ live }: Rig, proximity: number): Promise<void> {
  expect((await post(`${live.url}/api/v1/simulator`, { proximity })).status).toBe(202);
}

/** Moves on while the page says that it is still there. */
async function pass(rig: Rig, sessionId: string, ms: number): Promise<void> {
  await step(rig, { action: 'heartbeat', sessionId });
  rig.clock.pass(ms);
}

async function wave(rig: Rig): Promise<void> {
  rig.clock.pass(1200);
  await move(rig, 900);
  rig.clock.pass(500);
  await move(rig, 40);
  rig.clock.pass(1200);
}

async function calibrate(rig: Rig): Promise<void> {
  const { sessionId } = await step(rig, { action: 'start' });
  if (sessionId === null) throw new Error('no session');
  const begun = await step(rig, { action: 'begin', sessionId });
  expect([begun.stage, begun.cue, begun.totalMs]).toEqual(['clear', 'prepare', 8000]);
  await pass(rig, sessionId, 13_200);
  expect((await look(rig)).stage).toBe('near');
  await move(rig, 900);
  await pass(rig, sessionId, 13_200);
  expect((await look(rig)).stage).toBe('return');
  await move(rig, 40);
  await pass(rig, sessionId, 13_200);
  expect(await look(rig)).toMatchObject({ stage: 'wave_baseline', statuses: { presence: 'validated' } });
  await pass(rig, sessionId, 13_200);
  expect((await look(rig)).stage).toBe('wave_capture');
  await wave(rig);
  expect((await look(rig)).stage).toBe('waves');
  for (let count = 0; count < 3; count += 1) await wave(rig);
  expect(await look(rig)).toMatchObject({
    stage: 'review',
    canSave: true,
    statuses: { presence: 'validated', wave: 'validated' },
  });
  await step(rig, { action: 'save', sessionId });
  await until('saved', async () => (await look(rig)).stage === 'saved');
}

describe.skipIf(brokerMissing !== null)(
  `proximity on a real broker${brokerMissing === null ? '' : ` (${brokerMissing})`}`,
  () => {
    it('is trusted only once it was calibrated, follows a hand, and survives being pulled out', async () => {
      const rig = await start();
      await until(
        'unavailable',
        () => rig.availability('proximity') === 'offline' && rig.availability('proximity_level') === 'offline',
      );
      expect(rig.state('proximity') ?? '').toBe('');

      rig.clock.pass(1000);
      await calibrate(rig);
      rig.clock.pass(1000);
      await until(
        'far',
        () =>
          rig.state('proximity') === 'OFF' &&
          rig.state('proximity_level') === '0' &&
          rig.availability('proximity') === 'online',
      );
      await move(rig, 900);
      rig.clock.pass(1000);
      await until('near', () => rig.state('proximity') === 'ON' && rig.state('proximity_level') === '100');
      await move(rig, 470);
      rig.clock.pass(1000);
      await until('half way', () => rig.state('proximity') === 'ON' && rig.state('proximity_level') === '50');

      await post(`${rig.live.url}/api/v1/simulator`, { plug: 'proximity', plugged: false });
      rig.clock.pass(100);
      await until(
        'gone',
        () =>
          rig.availability('proximity') === 'offline' &&
          rig.state('proximity') === '' &&
          rig.state('proximity_level') === '',
      );
      expect(await look(rig)).toMatchObject({ present: false, phase: 'unavailable', near: null });
      await post(`${rig.live.url}/api/v1/simulator`, { plug: 'proximity', plugged: true });
      // Looked for each two seconds; the look itself takes a turn of the loop.
      rig.clock.pass(2000);
      await until('found again', async () => {
        rig.clock.pass(250);
        return (await look(rig)).level === 50;
      });
      await until('back', () => rig.availability('proximity') === 'online' && rig.state('proximity_level') === '50');
    });

    it('lights the dark screen on a wave, where the owner wants that', async () => {
      const rig = await start();
      rig.clock.pass(1000);
      await calibrate(rig);
      const isLit = async (): Promise<boolean | undefined> => (await statusOf(rig.live.url)).screen?.lit ?? undefined;
      await post(`${rig.live.url}/api/v1/action`, { a: 'screen_off' });
      await until('dark', async () => (await isLit()) === false);
      await wave(rig);
      expect(await isLit()).toBe(false);
      await post(`${rig.live.url}/api/v1/config`, { wake_on_wave: true });
      // Something that comes and stays is no wave before it has gone again; this one is.
      await wave(rig);
      await until(
        'lit by the wave',
        async () => (await statusOf(rig.live.url)).screen?.changed?.by === 'wave' && (await isLit()) === true,
      );
    });
  },
);
