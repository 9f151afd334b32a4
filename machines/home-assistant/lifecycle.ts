import type { Milliseconds } from '../kit/units.ts';

/** Lifecycle of Home Assistant (contract, "Health line", `ha`). */
export type LifecycleState = 'normal' | 'shutting_down' | 'starting' | 'back_online' | 'connection_lost';

/**
 * What observed the state (contract, `ha_src`): an event of Home Assistant's own, or its will and birth message at the
 * broker. Null where the panel infers it: from its own connection, or from an answer to a question of its own.
 */
export type LifecycleSource = 'socket' | 'mqtt' | null;

/** The state and its source. */
export interface Lifecycle {
  readonly state: LifecycleState;
  readonly source: LifecycleSource;
  /**
   * The half of an orderly shutdown that is missing: Home Assistant closes its connections with a close frame, and some
   * seconds later says `offline` at the broker (seen with 2026.11). Absent before the first half and after the second.
   */
  readonly awaits?: 'notice' | 'close';
  /** Both halves of an orderly shutdown came: the broker's notice alone may also come of a crash. */
  readonly orderly?: true;
}

/** What may be observed of it. */
export type LifecycleSign =
  /** Events of Home Assistant's own, sent to administrators alone. */
  | { readonly type: 'stopping' }
  | { readonly type: 'starting' }
  | { readonly type: 'started' }
  /** The answer to the question for its state, which every account gets. */
  | { readonly type: 'answered'; readonly running: Running }
  /** A live connection was closed in order, with a close frame: by Home Assistant that stops, or by a proxy. */
  | { readonly type: 'closed' }
  /** A live connection ended in another way: reset, or silent. */
  | { readonly type: 'lost' }
  /** The will and the birth message of Home Assistant at the broker. */
  | { readonly type: 'offline' }
  | { readonly type: 'online' }
  /** The other half of an orderly shutdown did not come in time. */
  | { readonly type: 'unconfirmed' }
  /** A minute has passed since it came back. */
  | { readonly type: 'settled' };

/** Home Assistant's own word on itself, in three classes. */
export type Running = 'starting' | 'running' | 'stopping';

/** How long `back_online` lasts where nothing else happens. */
export const BACK_ONLINE_MS: Milliseconds = 60_000;
/** How long one half of an orderly shutdown waits for the other; they come 3 s apart (seen with 2026.11). */
export const SHUTDOWN_MS: Milliseconds = 10_000;

/** The state at the first answer of a Home Assistant that runs. */
const normal: Lifecycle = { state: 'normal', source: null };
const goneOffline: Lifecycle = { state: 'shutting_down', source: 'mqtt' };
const goneInOrder: Lifecycle = { ...goneOffline, orderly: true };
/** Lost after an orderly close: a notice that comes late still corrects it. */
const lostInOrder: Lifecycle = { state: 'connection_lost', source: null, awaits: 'notice' };

/** The sign that the end of a live connection is, by its code. */
export const signOfEnd = (code: string): LifecycleSign => ({ type: code === 'closed-in-order' ? 'closed' : 'lost' });

/** True while Home Assistant is unreachable or not ready: only then can it come back. */
export const wasUnavailable = (now: Lifecycle | null): boolean =>
  now?.state === 'shutting_down' || now?.state === 'starting' || now?.state === 'connection_lost';

/** True while one half of an orderly shutdown waits for the other. */
export const isAwaiting = (now: Lifecycle | null): boolean =>
  now?.awaits !== undefined && now.state !== 'connection_lost';

/** The same state, awaiting nothing. */
const settledIn = ({ state, source }: Lifecycle): Lifecycle => ({ state, source });

function answered(now: Lifecycle | null, running: Running): Lifecycle {
  if (running === 'stopping') return now?.state === 'shutting_down' ? now : { state: 'shutting_down', source: null };
  if (running === 'starting') return now?.state === 'starting' ? settledIn(now) : { state: 'starting', source: null };
  if (wasUnavailable(now)) return { state: 'back_online', source: null };
  return now === null ? normal : settledIn(now);
}

/**
 * The broker's `offline`. To an account without events it is the only notice there is. To one with events it counts
 * together with an orderly close: by itself it also comes of a broker that lost Home Assistant.
 */
function afterOffline(now: Lifecycle, hearsEvents: boolean): Lifecycle {
  if (now.awaits === 'notice') return goneInOrder;
  if (!hearsEvents) return now.state === 'shutting_down' && now.source !== null ? now : goneOffline;
  return wasUnavailable(now) ? now : { ...now, awaits: 'close' };
}

function afterOnline(now: Lifecycle, hearsEvents: boolean): Lifecycle {
  if (hearsEvents) return now.awaits === 'close' ? settledIn(now) : now;
  return wasUnavailable(now) ? { state: 'back_online', source: 'mqtt' } : now;
}

/**
 * The state after a sign; null until Home Assistant has answered once. `hearsEvents` is true for an account to which it
 * sends its events: its own word proves more than the broker's (contract, `ha_src`).
 */
export function lifecycleAfter(now: Lifecycle | null, sign: LifecycleSign, hearsEvents: boolean): Lifecycle | null {
  switch (sign.type) {
    case 'stopping':
      return { state: 'shutting_down', source: 'socket' };
    case 'starting':
      return { state: 'starting', source: 'socket' };
    case 'started':
      return wasUnavailable(now) ? { state: 'back_online', source: 'socket' } : now;
    case 'answered':
      return answered(now, sign.running);
    case 'closed':
      if (now === null) return lostInOrder;
      // The second half, where the notice alone counted already.
      if (now.state === 'shutting_down') return now.source === 'mqtt' ? goneInOrder : now;
      return now.awaits === 'close' ? goneInOrder : { ...now, awaits: 'notice' };
    case 'lost':
      // A connection that ends after the notice is what was announced.
      return now?.state === 'shutting_down' ? now : { state: 'connection_lost', source: null };
    case 'offline':
      return now === null ? null : afterOffline(now, hearsEvents);
    case 'online':
      return now === null ? null : afterOnline(now, hearsEvents);
    case 'unconfirmed':
      if (now === null || !isAwaiting(now)) return now;
      return now.awaits === 'notice' ? lostInOrder : settledIn(now);
    case 'settled':
      return now?.state === 'back_online' ? { ...now, ...normal } : now;
  }
}
