import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SimulatedPanel } from '#machines/simulator/events.ts';
import { StatusDocument } from '#machines/status.ts';
import { type LiveAgent, post, startLive, until } from './live-agent.ts';

describe('lights and relays of a whole panel over HTTP', () => {
  let live: LiveAgent;
  const statusNow = async (): Promise<StatusDocument> =>
    StatusDocument().parse(await (await fetch(`${live.url}/api/v1/status`)).json());
  const hardwareNow = (): SimulatedPanel | undefined => live.agent.registry.read('simulator')?.context.panel;
  const act = async (body: object): Promise<number> => (await post(`${live.url}/api/v1/action`, body)).status;

  beforeAll(async () => {
    live = await startLive();
    await until('all of them', async () => {
      const { lights, relays, displays } = await statusNow();
      const all = [...Object.values(lights), ...Object.values(relays), ...Object.values(displays)];
      return all.length === 11 && all.every(({ state }) => state === 'working');
    });
  });
  afterAll(() => live.close());

  test('what is switched is so on the hardware and in the status', async () => {
    expect(await act({ a: 'light', id: 'led', on: true, brightness: 255, rgb: [255, 120, 0] })).toBe(202);
    expect(await act({ a: 'light', id: 'button_led2', on: true })).toBe(202);
    expect(await act({ a: 'relay', id: 'relay3', on: true })).toBe(202);
    expect(await act({ a: 'screen_off', display: 1 })).toBe(202);
    await until('the hardware', () => {
      const panel = hardwareNow();
      return panel?.led.on === true && panel.buttonLeds[1] && panel.relays[2] && !panel.screen.powered;
    });
    expect(hardwareNow()?.led).toEqual({ on: true, red: 255, green: 120, blue: 0 });
    expect(hardwareNow()?.relays).toEqual([false, false, true, false]);
    const { lights, relays, displays } = await until('the status', async () => {
      const now = await statusNow();
      return now.lights.led?.on === true && now.relays.relay3?.on === true && now.displays['1']?.lit === false && now;
    });
    expect(lights.led).toMatchObject({ brightness: 255, rgb: [255, 120, 0], effect: 'none' });
    expect(lights.button_led1).toMatchObject({ on: false });
    expect(lights.button_led2).toMatchObject({ on: true, brightness: null, effects: [] });
    expect(Object.values(relays).map(({ on }) => on)).toEqual([false, false, true, false]);
    expect(Object.keys(displays)).toEqual(['1']);
  });

  test('what is refused changes nothing', async () => {
    const before = hardwareNow();
    expect(await act({ a: 'light', id: 'buttons', on: true, rgb: [1, 2, 3] })).toBe(400);
    expect(await act({ a: 'screen_on', display: 2 })).toBe(409);
    expect(hardwareNow()).toEqual(before);
  });

  test('a light that is pulled out is unknown, and says so to whoever asks it', async () => {
    expect((await post(`${live.url}/api/v1/simulator`, { plug: 'led', plugged: false })).status).toBe(202);
    const led = await until('the loss', async () => {
      const { lights } = await statusNow();
      return lights.led?.state === 'not_here' && lights.led;
    });
    expect(led).toMatchObject({ on: null, brightness: null, rgb: null, effect: null });
    expect(await act({ a: 'light', id: 'led', on: false })).toBe(409);
  });
});
