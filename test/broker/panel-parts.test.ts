import { afterEach, describe, expect, it } from 'vitest';

import { lightSpec } from '#actors/lights.ts';
import { relaySpec } from '#actors/relays.ts';
import { SimulatedDevice } from '#drivers/simulator/device.ts';
import { rows as lightRows } from '#machines/lights/entities.ts';
import { lightIds } from '#machines/lights/events.ts';
import { rows as relayRows } from '#machines/relays/entities.ts';
import { relayIds } from '#machines/relays/events.ts';
import { simulatedProfile } from '#test/fakes/simulated-profile.ts';

import { startAgent, type TestAgent } from './agent.ts';
import { brokerMissing, listenTo, startBroker, until, type Listener } from './mosquitto.ts';

const open: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close();
});

/** The lights and relays of the simulated panel behind a real broker. */
async function panel(
  device = new SimulatedDevice(),
  disk: Record<string, unknown> = {},
): Promise<{ device: SimulatedDevice; heard: Listener; agent: TestAgent }> {
  const broker = await startBroker();
  open.push(broker);
  const heard = await listenTo(broker.port);
  open.push(heard);
  const { slots } = simulatedProfile(device);
  const agent = startAgent({
    port: broker.port,
    rows: [...lightRows, ...relayRows],
    disk,
    workers: (registry) => [
      ...[slots.led, slots.button_backlight, ...slots.button_leds].flatMap((light) =>
        light === null ? [] : [lightSpec({ registry, ...light })],
      ),
      ...slots.relays.map((relay) => relaySpec({ registry, ...relay })),
    ],
  });
  open.push({ close: agent.stop });
  await until('live', () => agent.publisher()?.phase === 'live');
  return { device, heard, agent };
}
const topic = (key: string, leaf: string): string => `sconce/hall/${key}/${leaf}`;
const says = (heard: Listener, key: string, state: string): Promise<unknown> =>
  until(`${key} says ${state}`, () => heard.latest(topic(key, 'state')) === state);
const tell = (heard: Listener, key: string, command: unknown): Promise<void> =>
  heard.publish(topic(key, 'set'), typeof command === 'string' ? command : JSON.stringify(command));

describe.skipIf(brokerMissing !== null)(
  `lights and relays on a real broker${brokerMissing === null ? '' : ` (${brokerMissing})`}`,
  () => {
    it('announces each with what its hardware does', async () => {
      const { heard } = await panel();
      const text = await until('announced', () => heard.latest('homeassistant/device/sconce_hall/config'));
      const { components } = JSON.parse(text) as { components: Record<string, Record<string, unknown>> };
      expect(Object.keys(components)).toEqual([...lightIds, ...relayIds]);
      expect(components['led']).toMatchObject({
        default_entity_id: 'light.hall_led',
        supported_color_modes: ['rgb'],
        brightness: true,
        effect_list: ['none', 'blink', 'pulse', 'strobe'],
      });
      expect(components['buttons']).toMatchObject({ supported_color_modes: ['brightness'] });
      expect(components['buttons']).not.toHaveProperty('effect_list');
      expect(components['button_led3']).toMatchObject({
        default_entity_id: 'light.hall_button_led3',
        supported_color_modes: ['onoff'],
      });
      expect(components['relay2']).toMatchObject({ platform: 'switch', default_entity_id: 'switch.hall_relay2' });
    });

    it('carries out a command to each and says what was read back', async () => {
      const { device, heard } = await panel();
      await says(heard, 'led', '{"state":"OFF"}');
      await tell(heard, 'led', { state: 'ON', brightness: 128, color: { r: 255, g: 128, b: 0 } });
      await says(
        heard,
        'led',
        '{"state":"ON","brightness":128,"color_mode":"rgb","color":{"r":255,"g":128,"b":0},"effect":"none"}',
      );
      expect(device.panel.led).toEqual({ on: true, red: 128, green: 64, blue: 0 });
      await tell(heard, 'led', { state: 'OFF' });
      await says(heard, 'led', '{"state":"OFF"}');
      await tell(heard, 'led', { state: 'ON' });
      await says(
        heard,
        'led',
        '{"state":"ON","brightness":128,"color_mode":"rgb","color":{"r":255,"g":128,"b":0},"effect":"none"}',
      );

      await tell(heard, 'buttons', { state: 'ON', brightness: 90 });
      await says(heard, 'buttons', '{"state":"ON","brightness":90}');
      await tell(heard, 'buttons', { state: 'ON' });
      await says(heard, 'buttons', '{"state":"ON","brightness":255}');
      expect(device.panel.buttonBacklight).toBe(255);

      for (const button of [1, 2, 3, 4]) {
        await tell(heard, `button_led${button}`, { state: 'ON' });
        await says(heard, `button_led${button}`, '{"state":"ON"}');
        await tell(heard, `relay${button}`, 'ON');
        await says(heard, `relay${button}`, 'ON');
      }
      expect(device.panel).toMatchObject({ buttonLeds: [true, true, true, true], relays: [true, true, true, true] });
      await tell(heard, 'relay3', 'OFF');
      await says(heard, 'relay3', 'OFF');
      await tell(heard, 'button_led2', { state: 'OFF' });
      await says(heard, 'button_led2', '{"state":"OFF"}');
      expect(device.panel).toMatchObject({ buttonLeds: [true, false, true, true], relays: [true, true, false, true] });
    });

    it('runs an effect until something else is asked for', async () => {
      const { device, heard } = await panel();
      const lit: boolean[] = [];
      const end = device.observe(({ led }) => void lit.push(led.on));
      await tell(heard, 'led', { state: 'ON', effect: 'strobe' });
      await until('three flashes', () => lit.filter((on) => !on).length >= 3);
      expect(heard.latest(topic('led', 'state'))).toContain('"effect":"strobe"');
      const states = heard.messages.filter((message) => message.topic === topic('led', 'state')).length;
      await tell(heard, 'led', { state: 'ON', effect: 'none' });
      await until(
        'steady',
        () => heard.latest(topic('led', 'state'))?.includes('"effect":"none"') === true && device.panel.led.on,
      );
      // The flashes themselves are not published.
      expect(heard.messages.filter((message) => message.topic === topic('led', 'state')).length).toBe(states + 1);
      await tell(heard, 'led', { state: 'ON', effect: 'rainbow' });
      await tell(heard, 'led', { state: 'OFF' });
      await says(heard, 'led', '{"state":"OFF"}');
      end();
    });

    it('shows what somebody did behind its back', async () => {
      const { device, heard } = await panel();
      device.setRelay(2, true);
      await says(heard, 'relay2', 'ON');
      device.setLed({ on: true, red: 0, green: 255, blue: 0 });
      await says(
        heard,
        'led',
        '{"state":"ON","brightness":255,"color_mode":"rgb","color":{"r":0,"g":255,"b":0},"effect":"none"}',
      );
    });

    it('is unavailable while a part is pulled out, and as it was wanted within five seconds of its return', async () => {
      const { device, heard } = await panel();
      await tell(heard, 'led', { state: 'ON', brightness: 200, color: { r: 0, g: 0, b: 255 } });
      await says(
        heard,
        'led',
        '{"state":"ON","brightness":200,"color_mode":"rgb","color":{"r":0,"g":0,"b":255},"effect":"none"}',
      );
      await tell(heard, 'relay1', 'ON');
      await says(heard, 'relay1', 'ON');
      for (const part of ['led', 'relays'] as const) device.plug(part, false);
      await until('led away', () => heard.latest(topic('led', 'availability')) === 'offline');
      await until('relay away', () => heard.latest(topic('relay4', 'availability')) === 'offline');
      expect(heard.latest(topic('buttons', 'availability'))).toBe('online');
      await until('unknown', () => heard.latest(topic('relay1', 'state')) === 'None');
      // Power was away: the parts come back dark and open.
      device.setLed({ on: false, red: 0, green: 0, blue: 0 });
      device.setRelay(1, false);
      await tell(heard, 'relay2', 'ON');
      for (const part of ['led', 'relays'] as const) device.plug(part, true);
      await until(
        'led back',
        () => heard.latest(topic('led', 'availability')) === 'online' && device.panel.led.blue === 200,
        5000,
      );
      await until(
        'relays back',
        () => heard.latest(topic('relay4', 'availability')) === 'online' && device.panel.relays[0] === true,
        5000,
      );
      await says(heard, 'relay1', 'ON');
      // What was asked of a lost relay is not done later without a word.
      await says(heard, 'relay2', 'OFF');
    });

    it('brings a relay back over a restart as it was', async () => {
      const disk: Record<string, unknown> = {};
      const first = await panel(new SimulatedDevice(), disk);
      await tell(first.heard, 'relay2', 'ON');
      await says(first.heard, 'relay2', 'ON');
      await until('kept', () => JSON.stringify(disk['relay2']) === '{"version":1,"closed":true}');
      await first.agent.stop();
      const second = await panel(new SimulatedDevice(), disk);
      await says(second.heard, 'relay2', 'ON');
      expect(second.device.panel.relays).toEqual([false, true, false, false]);
    });
  },
);
