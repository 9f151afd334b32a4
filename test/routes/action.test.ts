import { describe, expect, test } from 'vitest';
import { working, type Verdict } from '#machines/kit/verdict.ts';
import type { LightAbility, LightContext } from '#machines/lights/events.ts';
import type { RelayContext } from '#machines/relays/events.ts';
import type { ScreenContext } from '#machines/screen/events.ts';
import { createApp } from '#routes/app.ts';
import { Problem } from '#routes/kit/problem.ts';
import { fakeDeps, settledFacts } from '#test/fakes/route-deps.ts';

const gone: Verdict = { state: 'not_here', reason: 'x', detail: 'It is unplugged.', missing: null, fix: null };
const looking: Verdict = { state: 'checking', reason: 'x', detail: 'Looking.', missing: null, fix: null };

const light = (ability: LightAbility | null, verdict = working('found', 'Found.')): LightContext => ({
  verdict,
  ability,
  on: false,
  level: null,
  lastLevel: 255,
  rgb: { red: 255, green: 255, blue: 255 },
  effect: 'none',
  fault: null,
  heldBy: null,
  holdShown: false,
});
const relay: RelayContext = {
  verdict: working('found', 'Found.'),
  closed: false,
  wanted: null,
  restore: 'keep',
  fault: null,
};
const screen = (seen: boolean, verdict = working('found', 'Found.')): ScreenContext => ({
  verdict,
  display: null,
  lit: null,
  wanted: null,
  brightness: null,
  lastBrightness: 255,
  minimumPercent: 1,
  seen,
  changed: null,
  fault: null,
});

const panel = () =>
  fakeDeps(
    {},
    {
      ...settledFacts(),
      led: light({ colour: 'rgb', effects: true }),
      buttons: light({ colour: 'level', effects: true }),
      button_led1: light({ colour: 'switch', effects: true }),
      button_led2: light(null, gone),
      button_led3: light(null, looking),
      relay1: relay,
      screen_2: screen(true),
      screen_3: screen(false, gone),
      screen_4: screen(false, looking),
    },
  );

async function send(deps: ReturnType<typeof panel>, body: object, form = false) {
  const response = await createApp(deps).fetch(
    new Request('http://panel.invalid/api/v1/action', {
      method: 'POST',
      ...(form
        ? { body: new URLSearchParams(Object.entries(body)) }
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    }),
    {},
  );
  return { status: response.status, body: (await response.json()) as object };
}

describe('an action is handed to', () => {
  test.each<[object, string, object]>([
    [{ a: 'light', id: 'led', brightness: 40, rgb: '#ff7800' }, 'led', { level: 40, rgb: { red: 255 } }],
    [{ a: 'light', id: 'buttons', brightness: 9 }, 'buttons', { level: 9 }],
    [{ a: 'light', id: 'button_led1', on: true }, 'button_led1', { on: true }],
    [{ a: 'relay', id: 'relay1', on: true }, 'relay1', { type: 'relay.set', closed: true }],
    [{ a: 'screen_off', display: 2 }, 'screen_2', { type: 'screen.set', on: false }],
    [{ a: 'brightness', value: 7 }, 'screen', { type: 'screen.set', brightness: 7 }],
  ])('%j as JSON and as a form', async (body, id, event) => {
    for (const form of [false, true]) {
      const deps = panel();
      expect((await send(deps, body, form)).status).toBe(202);
      expect(deps.registry.told).toEqual([{ id, event: expect.objectContaining({ origin: 'http' }) }]);
      expect(deps.registry.told[0]?.event).toMatchObject(event);
    }
  });
});

describe('an action is refused, and nothing of it is done', () => {
  test.each<[object, number, string, string]>([
    [{ a: 'light', id: 'button_led4', on: true }, 409, 'not-here', 'It has: led, buttons, button_led1'],
    [{ a: 'light', id: 'lamp', on: true }, 400, 'bad-value', 'led, buttons, button_led1'],
    [{ a: 'light', id: 'button_led2', on: true }, 409, 'not-here', 'It is unplugged.'],
    [{ a: 'light', id: 'button_led3', on: true }, 503, 'restarting', 'button_led3'],
    [{ a: 'relay', id: 'relay2', on: true }, 409, 'not-here', 'It has: relay1.'],
    [{ a: 'relay', id: 'relay1' }, 400, 'bad-value', '"on"'],
    [{ a: 'screen_on', display: 3 }, 409, 'not-here', 'It has: 1, 2'],
    [{ a: 'screen_on', display: 4 }, 503, 'restarting', 'screen_4'],
    [{ a: 'screen_on', display: 5 }, 400, 'bad-value', '"display"'],
    [{ a: 'explode' }, 400, 'bad-action', 'light, relay'],
  ])('%j: %i %s', async (asked, status, code, words) => {
    const deps = panel();
    const { status: got, body } = await send(deps, asked);
    const problem = Problem().parse(body);
    expect([got, problem.error]).toEqual([status, code]);
    expect(problem.message).toContain(words);
    expect(deps.registry.told).toEqual([]);
  });

  test.each<[object, string]>([
    [{ id: 'button_led1', on: true, brightness: 9 }, 'brightness'],
    [{ id: 'button_led1', on: true, effect: 'blink' }, 'effect'],
    [{ id: 'buttons', on: true, rgb: [1, 2, 3] }, 'rgb'],
    [{ id: 'buttons', brightness: 9, effect: 'blink' }, 'effect'],
  ])('what the light of %j cannot do is named', async (asked, field) => {
    const deps = panel();
    const { status, body } = await send(deps, { a: 'light', ...asked });
    expect(status).toBe(400);
    expect(Problem().parse(body)).toMatchObject({
      error: 'bad-value',
      reasons: { [field]: expect.stringContaining(`Leave "${field}" out.`) },
    });
    expect(deps.registry.told).toEqual([]);
  });

  test('a panel without any screen says so', async () => {
    const { screen: _, ...facts } = settledFacts();
    const { status, body } = await send(fakeDeps({}, facts), { a: 'screen_on' });
    expect([status, Problem().parse(body).message]).toEqual([409, 'This panel has no displays that can be switched.']);
  });
});
