import type { Actors } from '#machines/actors.ts';
import type { TellEventOf } from '#machines/kit/actor.ts';
import type { EpochMs } from '#machines/kit/units.ts';
import type { LightId } from '#machines/lights/events.ts';
import type { RelayId } from '#machines/relays/events.ts';
import type { ScreenId } from '#machines/screen/events.ts';
import { type ActionBody, colourOf, type Verb } from './body.ts';

/** Step of `volup` and `voldn`, in percent. */
const volumeStep = 5;

/** The screens by the number of their display. */
const screens = ['screen', 'screen_2', 'screen_3', 'screen_4'] as const satisfies readonly ScreenId[];

/** The actors that a verb can address. */
type Actor = 'adb' | 'announcer' | 'power' | 'renderer' | 'volume' | LightId | RelayId | ScreenId;

/** An event for one of these actors. */
type Deed = {
  readonly [A in Actor]: { readonly actor: A; readonly event: TellEventOf<Actors[A]> };
}[Actor];

/** The result of a verb: one event for one actor. */
export type Action = { readonly verb: Verb } & Deed;

const origin = 'http';

const screenOf = (display = 1): ScreenId => screens[display - 1] ?? 'screen';

/** The event that a body means, and its actor; `at` is the current time. */
export function decideAction(body: ActionBody, at: EpochMs): Action {
  const verb = body.a;
  switch (verb) {
    case 'screen_on':
    case 'screen_off':
      return {
        verb,
        actor: screenOf(body.display),
        event: { type: 'screen.set', on: verb === 'screen_on', origin },
      };
    case 'brightness':
      return {
        verb,
        actor: screenOf(body.display),
        event: { type: 'screen.set', brightness: Math.round(body.value), origin },
      };
    case 'light': {
      const { id, on, brightness, rgb, effect } = body;
      return {
        verb,
        actor: id,
        event: {
          type: 'light.set',
          origin,
          ...(on !== undefined && { on }),
          ...(brightness !== undefined && { level: brightness }),
          ...(rgb !== undefined && { rgb: colourOf(rgb) }),
          ...(effect !== undefined && { effect }),
        },
      };
    }
    case 'relay':
      return { verb, actor: body.id, event: { type: 'relay.set', closed: body.on, origin } };
    case 'volume':
      return { verb, actor: 'volume', event: { type: 'volume.set', percent: Math.round(body.value), origin } };
    case 'volup':
    case 'voldn':
      return {
        verb,
        actor: 'volume',
        event: { type: 'volume.step', by: verb === 'volup' ? volumeStep : -volumeStep, origin },
      };
    case 'test_sound':
      return { verb, actor: 'announcer', event: { type: 'announcement.test', at } };
    case 'home':
      return { verb, actor: 'renderer', event: { type: 'renderer.home', origin } };
    case 'own_pages':
      return { verb, actor: 'renderer', event: { type: 'renderer.own-pages' } };
    case 'reload':
      return { verb, actor: 'renderer', event: { type: 'renderer.reload', origin } };
    case 'navigate':
      return { verb, actor: 'renderer', event: { type: 'renderer.navigate', path: body.path, origin } };
    case 'back':
    case 'recents':
      return { verb, actor: 'adb', event: { type: 'adb.press', key: verb } };
    case 'launcher':
      return { verb, actor: 'adb', event: { type: 'adb.press', key: 'home' } };
    case 'reboot':
      return { verb, actor: 'power', event: { type: 'power.reboot', origin } };
  }
}
