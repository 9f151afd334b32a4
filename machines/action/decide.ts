import type { Actors } from '#machines/actors.ts';
import type { TellEventOf } from '#machines/kit/actor.ts';
import { ok, refuse, type Result } from '#machines/kit/result.ts';

/** The verbs of `POST /api/v1/action`. */
export const verbs = [
  'screen_on',
  'screen_off',
  'brightness',
  'volume',
  'volup',
  'voldn',
  'home',
  'navigate',
  'reload',
  'reboot',
  'back',
  'recents',
  'launcher',
] as const;

/** One verb of `POST /api/v1/action`. */
export type Verb = (typeof verbs)[number];

/** How far `volup` and `voldn` go, in percent. */
const volumeStep = 5;

/** The actors that a verb is for. */
type Actor = 'adb' | 'power' | 'renderer' | 'screen' | 'volume';

/** An event that one of them understands. */
type Deed = {
  readonly [A in Actor]: { readonly actor: A; readonly event: TellEventOf<Actors[A]> };
}[Actor];

/** What a verb comes down to: one event for one actor. */
export type Action = { readonly verb: Verb } & Deed;

const origin = 'http';

/** A decimal number as a form carries it. */
const decimal = /^[+-]?\d+(\.\d+)?$/;

const numberIn = (value: unknown, low: number, high: number, verb: Verb): Result<number, 'bad-value'> => {
  const number = typeof value === 'string' && decimal.test(value.trim()) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number) || number < low || number > high) {
    return refuse('bad-value', `The field "value" of ${verb} must be a number from ${low} to ${high}.`);
  }
  return ok(Math.round(number));
};

const act = (verb: Verb, deed: Deed): Result<Action, never> => ok({ verb, ...deed });

const isVerb = (value: unknown): value is Verb => verbs.some((verb) => verb === value);

/** Which event a request body means. */
export const decideAction = (
  body: Readonly<Record<string, unknown>>,
): Result<Action, 'bad-action' | 'bad-value' | 'not-here'> => {
  const verb = body['a'];
  const odd = Object.keys(body).find(
    (name) => name !== 'a' && name !== 'value' && !(name === 'path' && verb === 'navigate'),
  );
  if (odd !== undefined)
    return refuse(
      'bad-value',
      `There is no field "${odd.slice(0, 64)}" here. Send "a" and, where the verb takes one, "value" or "path".`,
    );
  if (!isVerb(verb)) return refuse('bad-action', `The field "a" must be one of: ${verbs.join(', ')}.`);
  switch (verb) {
    case 'screen_on':
      return act(verb, { actor: 'screen', event: { type: 'screen.set', on: true, origin } });
    case 'screen_off':
      return act(verb, { actor: 'screen', event: { type: 'screen.set', on: false, origin } });
    case 'brightness': {
      const level = numberIn(body['value'], 0, 255, verb);
      return level.ok
        ? act(verb, { actor: 'screen', event: { type: 'screen.set', brightness: level.value, origin } })
        : level;
    }
    case 'volume': {
      const percent = numberIn(body['value'], 0, 100, verb);
      return percent.ok
        ? act(verb, { actor: 'volume', event: { type: 'volume.set', percent: percent.value, origin } })
        : percent;
    }
    case 'volup':
    case 'voldn':
      return act(verb, {
        actor: 'volume',
        event: { type: 'volume.step', by: verb === 'volup' ? volumeStep : -volumeStep, origin },
      });
    case 'home':
      return act(verb, { actor: 'renderer', event: { type: 'renderer.home', origin } });
    case 'reload':
      return act(verb, { actor: 'renderer', event: { type: 'renderer.reload', origin } });
    case 'navigate':
      return typeof body['path'] === 'string'
        ? act(verb, { actor: 'renderer', event: { type: 'renderer.navigate', path: body['path'], origin } })
        : refuse(
            'bad-value',
            'The field "path" of navigate must name a page of Home Assistant, such as /lovelace/hallway.',
          );
    case 'back':
    case 'recents':
      return act(verb, { actor: 'adb', event: { type: 'adb.press', key: verb } });
    case 'launcher':
      return act(verb, { actor: 'adb', event: { type: 'adb.press', key: 'home' } });
    case 'reboot':
      return act(verb, { actor: 'power', event: { type: 'power.reboot', origin } });
  }
};
