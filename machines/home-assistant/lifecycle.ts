/** Where Home Assistant itself stands (contract, "Health line", `ha`). */
export type LifecycleState = 'normal' | 'shutting_down' | 'starting' | 'back_online' | 'connection_lost';

/** Who said so (contract, `ha_src`); null where the panel inferred it itself. */
export type LifecycleSource = 'socket' | 'mqtt' | null;

/** The state and who observed it. */
export interface Lifecycle {
  readonly state: LifecycleState;
  readonly source: LifecycleSource;
}

/** What may be observed of it. */
export type LifecycleSign =
  /** An event of Home Assistant itself, told to administrators alone. */
  | { readonly type: 'stopping' }
  | { readonly type: 'started' }
  /** The connection was made, or its state was asked for: what Home Assistant answers to everybody. */
  | { readonly type: 'answered'; readonly running: Running }
  /** A connection that was live ended, however it was closed: a proxy and a network change close in order, too. */
  | { readonly type: 'lost' }
  /** The will and the birth message of Home Assistant at the broker. */
  | { readonly type: 'offline' }
  | { readonly type: 'online' }
  /** A minute has passed since it came back. */
  | { readonly type: 'settled' };

/** Home Assistant's own word on itself, in three classes. */
export type Running = 'starting' | 'running' | 'stopping';

/** How long `back_online` lasts, in milliseconds, where nothing else happens. */
export const BACK_ONLINE_MS = 60_000;

/** What is taken for true before anything was observed. */
export const normal: Lifecycle = { state: 'normal', source: null };

/** Whether Home Assistant was away or not ready before: only then does it come back. */
export const wasAway = (now: Lifecycle | null): boolean =>
  now?.state === 'shutting_down' || now?.state === 'starting' || now?.state === 'connection_lost';

const answered = (now: Lifecycle | null, running: Running, source: LifecycleSource): Lifecycle => {
  if (running === 'stopping') return now?.state === 'shutting_down' ? now : { state: 'shutting_down', source };
  if (running === 'starting') return now?.state === 'starting' ? now : { state: 'starting', source };
  if (wasAway(now)) return { state: 'back_online', source };
  return now ?? normal;
};

/**
 * The state after a sign; null while nothing is known yet. `hearsEvents` is whether Home Assistant tells this account
 * of its events: then the broker's word is not needed, and the socket's own proves more (contract, `ha_src`).
 */
export const lifecycleAfter = (now: Lifecycle | null, sign: LifecycleSign, hearsEvents: boolean): Lifecycle | null => {
  switch (sign.type) {
    case 'stopping':
      return { state: 'shutting_down', source: 'socket' };
    case 'started':
      return wasAway(now) ? { state: 'back_online', source: 'socket' } : (now ?? normal);
    case 'answered':
      return answered(now, sign.running, hearsEvents ? 'socket' : null);
    case 'lost':
      // A connection that ends after the notice is what was announced.
      return now?.state === 'shutting_down' ? now : { state: 'connection_lost', source: null };
    case 'offline':
      // Said by somebody already, who may have proved more.
      if (now?.state === 'shutting_down' && now.source !== null) return now;
      return hearsEvents ? now : { state: 'shutting_down', source: 'mqtt' };
    case 'online':
      if (hearsEvents) return now;
      return wasAway(now) ? { state: 'back_online', source: 'mqtt' } : (now ?? normal);
    case 'settled':
      return now?.state === 'back_online' ? normal : now;
  }
};
