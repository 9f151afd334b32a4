import { checking, needsYou, type Verdict, verdictOf, working } from '../kit/verdict.ts';
import type { CompanionContext } from './events.ts';

const ADD = 'Add the Sconce integration in Home Assistant, and enter the digits that this panel shows.';

/** The verdict on the native connection. Without a key, and while the broker is in use, it is merely off. */
export function judgeCompanion({
  surface,
  clients,
  sessions,
  life,
}: Pick<CompanionContext, 'surface' | 'clients' | 'sessions' | 'life'>): Verdict {
  if (surface === null || clients === null) return checking;
  if (clients.length === 0)
    return surface === 'mqtt'
      ? verdictOf('off', 'not-paired', 'The Sconce integration is not used: the broker is.')
      : needsYou('no-pairing', 'No Home Assistant is paired with this panel.', ADD);
  if (sessions.length > 0)
    return surface === 'native'
      ? working('connected', 'Home Assistant is connected, and shows the entities of this panel.')
      : working('connected-beside', 'Home Assistant is connected; the entities go through the broker.');
  if (life === 'stopping' || life === 'starting' || life === 'held')
    return verdictOf('checking', 'restarting', 'Home Assistant is restarting.', 'Home Assistant');
  return surface === 'mqtt'
    ? verdictOf(
        'off',
        'not-connected',
        'The paired Home Assistant is not connected; the entities go through the broker.',
      )
    : needsYou(
        'no-session',
        'The paired Home Assistant is not connected.',
        'Check that Home Assistant runs, that its Sconce integration is on, and that it has the address of this panel.',
      );
}
