import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { SimulatedDevice } from '#drivers/simulator/device.ts';
import { simulatedZigbee } from '#drivers/zigbee/simulated.ts';
import { simulatedProfile } from '#test/fakes/simulated-profile.ts';

import { brokerMissing, listenTo, startBroker, type Broker, type Listener } from '../broker/mosquitto.ts';
import { withSlots } from '../fakes/with-slots.ts';
import { post, startLive, statusOf, until, type LiveAgent } from './live-agent.ts';

const MINUTE = 60_000;
const KEY = 'zigbee_gateway_health';

describe.skipIf(brokerMissing !== null)(
  `the Zigbee gateway of the simulated panel on a real broker${brokerMissing === null ? '' : ` (${brokerMissing})`}`,
  () => {
    let broker: Broker;
    let heard: Listener;
    let live: LiveAgent;
    /** The gateway's clocks, in milliseconds, which only this test moves. */
    let time = Date.UTC(2026, 2, 14);
    beforeAll(async () => {
      broker = await startBroker();
      heard = await listenTo(broker.port);
      const device = new SimulatedDevice();
      live = await startLive({
        profile: withSlots(simulatedProfile(device), {
          zigbee: { id: 'zigbee', driver: simulatedZigbee(device, { now: () => time, elapsed: () => time }) },
        }),
      });
      await post(`${live.url}/api/v1/config`, { panel_id: 'hall', mqtt_broker: `mqtt://127.0.0.1:${broker.port}` });
      await until('the first state', () => state() !== undefined);
    });
    afterAll(async () => {
      await live.close();
      await heard.close();
      await broker.close();
    });

    const state = (): string | undefined => heard.latest(`sconce/hall/${KEY}/state`);
    const attributes = (): Record<string, unknown> =>
      // What the agent publishes here is an object, by its own contract.
      JSON.parse(heard.latest(`sconce/hall/${KEY}/attributes`) ?? '{}') as Record<string, unknown>;
    const gateway = async (form: unknown): Promise<void> =>
      expect((await post(`${live.url}/api/v1/simulator`, form)).status).toBe(202);
    /** What `/api/v1/radio` and the status document say of the gateway. */
    const told = async () => (await statusOf(live.url)).zigbee_gateway;
    /** A minute passes, and the gateway takes this much of a core. */
    const minuteAt = async (cpuPercent: number): Promise<void> => {
      time += MINUTE;
      await gateway({ zigbee: { cpuPercent } });
      await until(`${cpuPercent} percent`, () => attributes()['cpu_percent'] === cpuPercent);
    };

    it('is announced as a diagnostic sensor and healthy', async () => {
      // What was just heard is JSON of the agent.
      const { components } = JSON.parse(heard.latest('homeassistant/device/sconce_hall/config') ?? '{}') as {
        components: Record<string, Record<string, unknown>>;
      };
      expect(components[KEY]).toMatchObject({
        platform: 'sensor',
        entity_category: 'diagnostic',
        default_entity_id: `sensor.hall_${KEY}`,
      });
      expect(state()).toBe('healthy');
      expect(await told()).toMatchObject({ state: 'healthy' });
    });

    it('is starting while it is not joined in its first minutes, however busy', async () => {
      await gateway({ zigbee: { joined: false } });
      await until('starting', () => state() === 'starting');
      for (const percent of [91, 92, 93, 94, 95, 96]) await minuteAt(percent);
      expect(state()).toBe('starting');
      expect(attributes()).toMatchObject({ joined: 'no', busy: true });
    });

    it('is no problem yet after its grace with four busy minutes, and one with five', async () => {
      time += 10 * MINUTE;
      await minuteAt(20);
      await until('not joined', () => state() === 'warning');
      for (const percent of [91, 92, 93, 94]) await minuteAt(percent);
      expect(state()).toBe('warning');
      expect(attributes()).toMatchObject({ busy: false, reason: 'gateway-not-joined' });
      await minuteAt(95);
      await until('a problem', () => state() === 'problem');
      expect(attributes()).toMatchObject({
        gateway: 'simulated',
        running: true,
        joined: 'no',
        cpu_percent: 95,
        busy: true,
        running_minutes: 20,
        restarts_10m: 0,
        reason: 'gateway-spinning',
      });
      expect(await told()).toMatchObject({ state: 'problem' });
    });

    it('tells nothing of the radio, its network or its process', () => {
      expect(Object.keys(attributes()).toSorted()).toEqual([
        'busy',
        'cpu_percent',
        'gateway',
        'joined',
        'reason',
        'restarts_10m',
        'running',
        'running_minutes',
        'summary',
      ]);
      const texts = Object.entries(attributes()).filter(
        ([key, value]) => typeof value === 'string' && !['summary', 'reason', 'gateway', 'joined'].includes(key),
      );
      expect(texts).toEqual([]);
      expect(JSON.stringify(attributes())).not.toMatch(/[/\\]|0x|pid|ieee|channel|([0-9a-f]{2}:){2}/i);
    });

    it('is healthy once it is joined and idle again', async () => {
      await gateway({ zigbee: { joined: true } });
      await until('joined', () => state() === 'warning');
      await minuteAt(3);
      await until('healthy', () => state() === 'healthy');
    });

    it('does not run when it was stopped, and is counted as started anew afterwards', async () => {
      await gateway({ zigbee: { running: false } });
      await until('stopped', () => state() === 'not_running');
      await gateway({ zigbee: { running: true } });
      await until('started', () => state() === 'healthy');
      await until('counted', () => attributes()['restarts_10m'] === 1);
    });

    it('is unavailable while it is pulled out, and back within five seconds', async () => {
      const availability = (): string | undefined => heard.latest(`sconce/hall/${KEY}/availability`);
      expect(availability()).toBe('online');
      await gateway({ plug: 'zigbee', plugged: false });
      await until('gone', () => availability() === 'offline');
      expect((await statusOf(live.url)).capabilities.find((row) => row.id === 'zigbee')).toMatchObject({
        state: 'not_here',
      });
      await gateway({ plug: 'zigbee', plugged: true });
      await until('back', () => availability() === 'online' && state() === 'healthy', 5000);
    });
  },
);
