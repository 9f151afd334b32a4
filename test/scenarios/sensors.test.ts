import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { brokerMissing, listenTo, startBroker, type Broker, type Listener } from '../broker/mosquitto.ts';
import { post, startLive, until, type LiveAgent } from './live-agent.ts';

interface Config {
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

describe.skipIf(brokerMissing !== null)(
  `the sensors of the simulated panel on a real broker${brokerMissing === null ? '' : ` (${brokerMissing})`}`,
  () => {
    let broker: Broker;
    let heard: Listener;
    let live: LiveAgent;
    beforeAll(async () => {
      broker = await startBroker();
      heard = await listenTo(broker.port);
      live = await startLive();
      await post(`${live.url}/api/v1/config`, { panel_id: 'hall', mqtt_broker: `mqtt://127.0.0.1:${broker.port}` });
      await until('the first values', () => heard.latest('sconce/hall/humidity/state') !== undefined);
    });
    afterAll(async () => {
      await live.close();
      await heard.close();
      await broker.close();
    });

    const touch = (form: unknown): Promise<Response> => post(`${live.url}/api/v1/simulator`, form);
    const state = (key: string): string | undefined => heard.latest(`sconce/hall/${key}/state`);
    const sensors = async (): Promise<Readonly<Record<string, Readonly<Record<string, unknown>>>>> =>
      // The route's own schema is checked in the route tests.
      (await (await fetch(`${live.url}/api/v1/sensors`)).json()) as Readonly<
        Record<string, Readonly<Record<string, unknown>>>
      >;

    it('are announced with their classes and say what they measure', async () => {
      // What was just heard is JSON of the agent.
      const { components } = JSON.parse(heard.latest('homeassistant/device/sconce_hall/config') ?? '{}') as Config;
      expect(components['illuminance']).toMatchObject({
        platform: 'sensor',
        device_class: 'illuminance',
        state_class: 'measurement',
        unit_of_measurement: 'lx',
      });
      expect(components['temperature']).toMatchObject({
        device_class: 'temperature',
        unit_of_measurement: '°C',
        suggested_display_precision: 1,
      });
      expect(components['humidity']).toMatchObject({
        device_class: 'humidity',
        unit_of_measurement: '%',
        suggested_display_precision: 0,
      });
      expect([state('illuminance'), state('temperature'), state('humidity')]).toEqual(['120', '21.5', '45']);
      expect(await sensors()).toMatchObject({
        light: { present: true, lux: 120 },
        temperature: { present: true, c: 21.5 },
        humidity: { present: true, pct: 45 },
      });
    });

    it('follow the room', async () => {
      await touch({ lux: 3200 });
      await until('the light', () => state('illuminance') === '3200');
      await touch({ air: { celsius: 24.26, humidity: 61.4 } });
      await until('the air', () => state('temperature') === '24.3' && state('humidity') === '61');
    });

    it('take the owner’s correction at once', async () => {
      await post(`${live.url}/api/v1/config`, { temperature_offset: -2.5 });
      await until('the correction', () => state('temperature') === '21.8');
      expect(await sensors()).toMatchObject({ temperature: { c: 21.8 } });
    });

    it('are unavailable while they are pulled out, and back within five seconds', async () => {
      await touch({ plug: 'climate', plugged: false });
      await until(
        'gone',
        () =>
          heard.latest('sconce/hall/temperature/availability') === 'offline' &&
          heard.latest('sconce/hall/humidity/availability') === 'offline',
      );
      expect(heard.latest('sconce/hall/illuminance/availability')).toBe('online');
      expect(await sensors()).toMatchObject({ temperature: { present: true, c: null } });
      await touch({ plug: 'climate', plugged: true });
      await until(
        'back',
        () => heard.latest('sconce/hall/temperature/availability') === 'online' && state('temperature') === '21.8',
        5000,
      );
    });
  },
);
