import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { MqttClient } from 'mqtt';
import { type EntityState, HomeClient } from './home-assistant/client.ts';
import { Agent } from './kit/agent.ts';
import { brokerUrl, marker, observe, type SeenMessage } from './kit/broker.ts';
import { calibrate, proximity, proximityOf } from './kit/calibrate.ts';
import { hardwareOf } from './kit/hardware.ts';
import { agree, join, panelCalled } from './kit/panel.ts';
import { until } from './kit/until.ts';

const wrong = 'Wrong-90c1b7';
const panel = panelCalled('hall', 'Hall panel');
const { id: panelId, entity } = panel;
const parts = hardwareOf(panel);
const all = [...panel.always, ...panel.ofDashboard, ...parts.map(({ id }) => id)];
const pages = [
  '/health',
  '/',
  '/configure',
  '/configure/mqtt',
  '/api',
  '/api/v1/status',
  '/api/v1/diag',
  '/api/v1/config',
  '/api/v1/config/schema',
  '/api/v1/info',
  '/api/v1/openapi.json',
];

const shared = inject('homeAssistant');
let client: HomeClient;
let observer: MqttClient;
let agent: Agent;
let states: ReadonlyMap<string, EntityState>;
let seen: readonly SeenMessage[];
/** The guided calibration, which takes a minute; it goes on beside the tests of other parts. */
let calibrated: Promise<void> | undefined;

beforeAll(async () => {
  client = await HomeClient.open(shared.url, shared.token);
  states = await client.states();
  ({ seen, client: observer } = await observe(shared.brokerPort));
  agent = await Agent.start();
});

afterAll(async () => {
  await agent?.stop();
  await calibrated?.catch(() => undefined);
  await observer?.endAsync(true);
  client?.close();
});

/** Entity id of one part of the panel. */
const idOf = (domain: string, key: string): string => `${domain}.${panelId}_${key}`;

/** This panel's entities as Home Assistant has registered them. */
const entries = async () =>
  (await client.mqttEntities()).filter(({ unique_id: id }) => id.startsWith(`sconce_${panelId}_`));

const settledState = (id: string, check: (state: EntityState) => boolean): Promise<unknown> =>
  until(`${id} shows it, now ${JSON.stringify(states.get(id))}`, () => {
    const state = states.get(id);
    return state !== undefined && check(state);
  });

describe('a panel and its broker', () => {
  it('says that the password is wrong, and goes on saying so', async () => {
    await agent.configure({
      panel_id: panelId,
      friendly_name: 'Hall panel',
      mqtt_broker: brokerUrl(shared.brokerPort),
      mqtt_user: 'panel',
      mqtt_password: wrong,
    });
    await agent.link('auth_failed');
    const first = (await agent.status()).mqtt?.attempt ?? 0;
    await until('it has tried again', async () => ((await agent.status()).mqtt?.attempt ?? 0) > first);
    expect((await agent.status()).mqtt?.phase).toBe('auth_failed');
    expect(await client.devices(`sconce_${panelId}`)).toEqual([]);
    expect((await fetch(`http://127.0.0.1:${agent.port}/health`)).status).toBe(200);
  });

  it('becomes one device with exactly the entities of the contract once the password is right', async () => {
    await join(agent, panel, shared.brokerPort);
    await until('all entities are there', async () => (await entries()).length >= all.length);
    const devices = await client.devices(`sconce_${panelId}`);
    expect(devices).toHaveLength(1);
    expect(devices[0]?.name).toBe('Hall panel');
    const registered = await entries();
    expect(registered.map((entry) => entry.entity_id).toSorted()).toEqual(all.toSorted());
    const ofDevice = (await client.mqttEntities()).filter((entry) => entry.device_id === devices[0]?.id);
    expect(ofDevice).toEqual(registered);
    await agree(states, agent, panel);
  });
});

describe('control', () => {
  it('turns the screen on and off and dims it', async () => {
    await client.act('light.turn_on', entity.screen, { brightness: 77 });
    await until('the screen is at 77', async () => (await agent.sensors()).brightness === 77);
    await settledState(entity.screen, ({ state, attributes }) => state === 'on' && attributes['brightness'] === 77);

    await client.act('light.turn_off', entity.screen);
    await until('the screen is dark', async () => (await agent.sensors()).brightness === 0);
    await settledState(entity.screen, ({ state }) => state === 'off');

    await client.act('light.turn_on', entity.screen);
    await until('the screen is as bright as it was', async () => (await agent.sensors()).brightness === 77);
    await settledState(entity.screen, ({ state, attributes }) => state === 'on' && attributes['brightness'] === 77);
  });

  it('sets the volume', async () => {
    await client.act('number.set_value', entity.volume, { value: 30 });
    await until('the volume is 30', async () => (await agent.hardware()).volume.percent === 30);
    await settledState(entity.volume, ({ state }) => Number(state) === 30);
  });

  it('sets the path of the home dashboard', async () => {
    await client.act('text.set_value', entity.home, { value: '/lovelace/hall' });
    await settledState(entity.home, ({ state }) => state === '/lovelace/hall');
  });

  it('shows what was changed through the API or at the panel itself', async () => {
    await agent.act('brightness', 140);
    await agent.act('volume', 55);
    await settledState(entity.screen, ({ attributes }) => attributes['brightness'] === 140);
    await settledState(entity.volume, ({ state }) => Number(state) === 55);
    await agent.post('/api/v1/simulator', { screen: { on: false } });
    await settledState(entity.screen, ({ state }) => state === 'off');
    await agree(states, agent, panel);
  });

  it('shows and hides an entity on request', async () => {
    await agent.configure({ ha_expose_diag_cpu: true });
    await settledState(entity.cpu, ({ state }) => state !== 'unavailable');
    await agent.configure({ ha_expose_diag_cpu: false });
    await until('it is gone', async () => !(await entries()).some((entry) => entry.entity_id === entity.cpu));
    expect(states.has(entity.cpu)).toBe(false);
  });
});

describe('the hardware', () => {
  const led = idOf('light', 'led');

  it.each(parts)('$id is what the contract says', async ({ id: part, attributes, untilAgreed }) => {
    await settledState(part, ({ state }) => (state === 'unavailable') === (untilAgreed === true));
    expect(states.get(part)?.attributes).toMatchObject(attributes);
  });

  it('leads a person through the calibration of the sensor', async () => {
    calibrated = calibrate(agent);
    // What went wrong is told where it is waited for.
    calibrated.catch(() => undefined);
    await until('it has begun', async () => (await proximityOf(agent)).sessionActive);
  });

  it('lights the LED in a colour, brighter and darker, with an effect, and stops it', async () => {
    await client.act('light.turn_on', led, { rgb_color: [255, 0, 64], brightness: 255 });
    await until('the LED has the colour', async () => {
      const { on, red, green, blue } = (await agent.hardware()).led;
      return on && red === 255 && green === 0 && blue === 64;
    });
    await settledState(
      led,
      ({ state, attributes }) =>
        state === 'on' && attributes['brightness'] === 255 && JSON.stringify(attributes['rgb_color']) === '[255,0,64]',
    );

    await client.act('light.turn_on', led, { brightness: 128 });
    await until('the LED is half as bright', async () => Math.abs((await agent.hardware()).led.red - 128) <= 1);
    await settledState(led, ({ attributes }) => Number(attributes['brightness']) === 128);

    await client.act('light.turn_on', led, { effect: 'blink' });
    await settledState(led, ({ attributes }) => attributes['effect'] === 'blink');
    await until('it is dark in between', async () => !(await agent.hardware()).led.on);
    await until('and lit again', async () => (await agent.hardware()).led.on);

    await client.act('light.turn_off', led);
    await settledState(led, ({ state }) => state === 'off');
    expect((await agent.hardware()).led.on).toBe(false);
  });

  it('lights the buttons and the lamps beside them', async () => {
    await client.act('light.turn_on', idOf('light', 'buttons'), { brightness: 90 });
    await until('the light behind the buttons', async () => (await agent.hardware()).buttonBacklight === 90);
    await settledState(idOf('light', 'buttons'), ({ attributes }) => attributes['brightness'] === 90);
    await client.act('light.turn_on', idOf('light', 'button_led3'));
    await settledState(idOf('light', 'button_led3'), ({ state }) => state === 'on');
    expect((await agent.hardware()).buttonLeds).toEqual([false, false, true, false]);
  });

  it('switches a relay, and shows one that was switched behind its back', async () => {
    await client.act('switch.turn_on', idOf('switch', 'relay2'));
    await settledState(idOf('switch', 'relay2'), ({ state }) => state === 'on');
    expect((await agent.hardware()).relays).toEqual([false, true, false, false]);
    await agent.touch({ relay: 2, closed: false });
    await settledState(idOf('switch', 'relay2'), ({ state }) => state === 'off');
  });

  it('tells of a button that is pressed and let go', async () => {
    const button = idOf('event', 'button');
    const told: unknown[] = [];
    // One finger after the other: Home Assistant shows the last event alone.
    await agent.touch({ hold: 3, down: true });
    await settledState(
      button,
      ({ attributes }) => attributes['event_type'] === 'press' && attributes['button'] === 'button_3',
    );
    told.push(states.get(button)?.state);
    await agent.touch({ hold: 3, down: false });
    await settledState(
      button,
      ({ attributes }) => attributes['event_type'] === 'release' && attributes['button'] === 'button_3',
    );
    told.push(states.get(button)?.state);
    expect(new Set(told).size).toBe(2);
  });

  it('measures the room', async () => {
    await agent.touch({ lux: 3200 });
    await agent.touch({ air: { celsius: 24.26, humidity: 61.4 } });
    await settledState(idOf('sensor', 'illuminance'), ({ state }) => Number(state) === 3200);
    await settledState(idOf('sensor', 'temperature'), ({ state }) => Number(state) === 24.3);
    await settledState(idOf('sensor', 'humidity'), ({ state }) => Number(state) === 61);
  });

  it('says of a sensor that was pulled out that it is unavailable, and has it back within five seconds', async () => {
    await agent.touch({ plug: 'climate', plugged: false });
    await settledState(idOf('sensor', 'temperature'), ({ state }) => state === 'unavailable');
    await agent.touch({ plug: 'climate', plugged: true });
    await until('it is back', () => Number(states.get(idOf('sensor', 'temperature'))?.state) === 24.3, 5000);
  });

  it('watches the Zigbee gateway', async () => {
    const healthy = states.get(idOf('sensor', 'zigbee_gateway_health'))?.state;
    await agent.touch({ zigbee: { running: false } });
    await settledState(
      idOf('sensor', 'zigbee_gateway_health'),
      ({ state }) => state !== healthy && state !== 'unavailable',
    );
  });
});

/** Topics of the status of each machine that announced the device of this panel. */
const statusTopics = (messages: readonly SeenMessage[]): ReadonlySet<string> =>
  new Set(
    messages
      .filter(({ topic }) => topic === `homeassistant/device/sconce_${panelId}/config`)
      .map(({ payload }) => /sconce\/[^"]+\/status\/\w+/.exec(payload)?.[0] ?? payload),
  );

describe('a second machine with the same panel id', () => {
  it('says so and publishes nothing', async () => {
    const second = await Agent.start();
    try {
      const from = seen.length;
      // What the first one says again, when Home Assistant comes back from a test beside this one.
      const first = statusTopics(seen);
      expect(first.size).toBeGreaterThan(0);
      await second.configure({
        panel_id: panelId,
        mqtt_broker: brokerUrl(shared.brokerPort),
        mqtt_user: 'panel',
        mqtt_password: marker,
      });
      await second.publishing('duplicate');
      await second.act('volume', 12);
      await until('its own volume is 12', async () => (await second.hardware()).volume.percent === 12);
      await client.act('number.set_value', entity.volume, { value: 61 });
      await settledState(entity.volume, ({ state }) => Number(state) === 61);
      expect((await second.hardware()).volume.percent).toBe(12);
      expect((await second.status()).platform?.detail).toMatch(/panel id/i);
      const after = seen.slice(from);
      expect([...statusTopics(after)].filter((topic) => !first.has(topic))).toEqual([]);
      expect(
        after.filter((message) => message.topic.endsWith('/volume/state')).map((message) => message.payload),
      ).not.toContain('12');
      expect(await client.devices(`sconce_${panelId}`)).toHaveLength(1);
    } finally {
      await second.stop();
    }
    await agree(states, agent, panel);
  });
});

describe('the sensor at the panel', () => {
  it('knows near from far once a person has calibrated the sensor', async () => {
    const [near, level] = [idOf('binary_sensor', 'proximity'), idOf('sensor', 'proximity_level')];
    await calibrated;
    await settledState(near, ({ state }) => state === 'off');
    await settledState(level, ({ state }) => Number(state) === 0);
    await agent.touch({ proximity: proximity.near });
    await settledState(near, ({ state }) => state === 'on');
    await settledState(level, ({ state }) => Number(state) === 100);
    await agent.touch({ proximity: proximity.clear });
    await settledState(near, ({ state }) => state === 'off');
  }, 180_000);
});

describe('afterwards', () => {
  it('Home Assistant has logged nothing about the discovery', async () => {
    expect(await client.mqttLog()).toEqual([]);
    const [device] = await client.devices(`sconce_${panelId}`);
    expect(JSON.stringify(await client.debug(device?.id ?? ''))).toContain(`sconce_${panelId}_screen`);
  });

  it('neither password is anywhere to be read', async () => {
    const bodies = await Promise.all(pages.map(async (page) => `${page}: ${await agent.text(page)}`));
    const refused = await agent.post('/api/v1/config', { mqtt_password: marker, no_such_key: marker });
    expect(refused.code).toBe(400);
    const everything = [
      ...bodies,
      refused.text,
      agent.output,
      ...seen.map((message) => `${message.topic} ${message.payload}`),
    ];
    for (const secret of [marker, wrong]) expect(everything.filter((text) => text.includes(secret))).toEqual([]);
  });
});
