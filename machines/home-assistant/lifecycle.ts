import type { HomeLife } from '../companion/events.ts';
import type { Milliseconds } from '../kit/units.ts';

/** Lifecycle of Home Assistant (contract, "Health line", `ha`). */
export type LifecycleState = 'normal' | 'shutting_down' | 'starting' | 'back_online' | 'connection_lost';

/**
 * The source of the state (contract, `ha_src`): an event from Home Assistant, its will and birth message at the broker,
 * or its own integration. Null if the panel infers it from its own connection, or from an answer to its own question.
 */
export type LifecycleSource = 'socket' | 'mqtt' | 'native' | null;

/** The state and its source. */
export interface Lifecycle {
  readonly state: LifecycleState;
  readonly source: LifecycleSource;
  /**
   * The missing half of an orderly shutdown: Home Assistant closes its connections with a close frame, and some seconds
   * later publishes `offline` (seen with 2026.11). Absent before the first half and after the second.
   */
  readonly awaits?: 'notice' | 'close';
  /** Both halves of an orderly shutdown came; `offline` alone may also be a crash. */
  readonly orderly?: true;
}

/** Observations about the lifecycle. */
export type LifecycleSign =
  /** Events from Home Assistant, sent to administrators only. */
  | { readonly type: 'stopping' }
  | { readonly type: 'starting' }
  | { readonly type: 'started' }
  /** The answer to the question about its state, which every account gets. */
  | { readonly type: 'answered'; readonly running: Running }
  /** A live connection was closed with a close frame: by a stopping Home Assistant, or by a proxy. */
  | { readonly type: 'closed' }
  /** A live connection ended otherwise: reset, or silent. */
  | { readonly type: 'lost' }
  /** The will and the birth message of Home Assistant at the broker. */
  | { readonly type: 'offline' }
  | { readonly type: 'online' }
  /** What its own integration says of it: the only source where the entities go that way. */
  | { readonly type: 'native'; readonly life: HomeLife }
  /** The other half of an orderly shutdown did not come in time. */
  | { readonly type: 'unconfirmed' }
  /** A minute has passed since it came back. */
  | { readonly type: 'settled' };

/** The state that Home Assistant reports, in three classes. */
export type Running = 'starting' | 'running' | 'stopping';

/** How long `back_online` lasts if nothing else happens. */
export const BACK_ONLINE_MS: Milliseconds = 60_000;
/** How long one half of an orderly shutdown waits for the other; they are 3 s apart (seen with 2026.11). */
export const SHUTDOWN_MS: Milliseconds = 10_000;

/** The state at the first answer of a running Home Assistant. */
const normal: Lifecycle = { state: 'normal', source: null };
const goneOffline: Lifecycle = { state: 'shutting_down', source: 'mqtt' };
const goneInOrder: Lifecycle = { ...goneOffline, orderly: true };
/** Lost after an orderly close: a late notice still corrects it. */
const lostInOrder: Lifecycle = { state: 'connection_lost', source: null, awaits: 'notice' };

/** The sign for the end of a live connection, by its code. */
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
 * The broker's `offline`. For an account without events it is the only notice. With events it counts only together with
 * an orderly close: alone it may mean that the broker lost Home Assistant.
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
 * True if a sign counts where its own integration carries the entities, and says what Home Assistant does: there the
 * broker and the panel's own connection prove nothing more.
 */
export const countsOnNative = ({ type }: Pick<LifecycleSign, 'type'>): boolean =>
  type === 'native' || type === 'settled';

/** The state after its own integration said something, or went without a word. */
function afterNative(now: Lifecycle | null, life: HomeLife): Lifecycle | null {
  switch (life) {
    case 'stopping':
      return { state: 'shutting_down', source: 'native' };
    case 'starting':
      return { state: 'starting', source: 'native' };
    case 'running':
      return wasUnavailable(now) ? { state: 'back_online', source: 'native' } : (now ?? normal);
    case 'lost':
      return now?.state === 'shutting_down' ? now : { state: 'connection_lost', source: null };
    // A reload is over in a moment.
    case 'held':
      return now;
    case null:
      return null;
  }
}

/**
 * The state after a sign; null until Home Assistant has answered once. `hearsEvents` is true for an account that gets
 * its events: they prove more than the broker's messages (contract, `ha_src`).
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
      // The second half, after the notice alone had counted already.
      if (now.state === 'shutting_down') return now.source === 'mqtt' ? goneInOrder : now;
      return now.awaits === 'close' ? goneInOrder : { ...now, awaits: 'notice' };
    case 'lost':
      // The end of a connection after the notice was announced by it.
      return now?.state === 'shutting_down' ? now : { state: 'connection_lost', source: null };
    case 'offline':
      return now === null ? null : afterOffline(now, hearsEvents);
    case 'online':
      return now === null ? null : afterOnline(now, hearsEvents);
    case 'native':
      return afterNative(now, sign.life);
    case 'unconfirmed':
      if (now === null || !isAwaiting(now)) return now;
      return now.awaits === 'notice' ? lostInOrder : settledIn(now);
    case 'settled':
      return now?.state === 'back_online' ? { ...now, ...normal } : now;
  }
}
