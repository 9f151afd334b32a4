import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { Actors } from '#machines/actors.ts';
import type { TellEventOf } from '#machines/kit/actor.ts';
import type { RouteDeps } from './deps.ts';
import { noStore } from './no-store.ts';
import { type Refusal, restarting } from './problem.ts';
import { refuse } from '#machines/kit/result.ts';

/** How often a quiet stream sends a ping, in milliseconds (as panel-assistant). */
const pingMs = 15_000;

/** The actors that count viewers and raise their `revision` when there is something new. */
type Viewed = 'live-log' | 'stream';

/** One of them, with the events that it gets about its viewers. */
type Viewing = {
  readonly [A in Viewed]: {
    readonly actor: A;
    readonly joined: TellEventOf<Actors[A]>;
    readonly left: TellEventOf<Actors[A]>;
  };
}[Viewed];

/** What a live stream follows and writes. */
export type LiveStream = Viewing & {
  /** Most viewers at a time; one more is refused with 429. */
  readonly maxViewers: number;
  /** The next piece to write, as frames of an event stream; null if everything was written. Called at pings too. */
  readonly next: () => string | null;
};

/** One server-sent event: its JSON, which has no line breaks, and its position or number, if any. */
export const frame = (event: string, json: string, id?: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${json}\n\n`;

/**
 * Answers a request with a stream of events, or says why not. It waits for a slow viewer, so nothing is queued for it.
 * It ends with the actor that counts its viewer: the viewer reconnects, and the next actor counts it.
 */
export function liveStream(
  c: Context,
  deps: RouteDeps,
  stream: LiveStream,
): Response | Refusal<'restarting' | 'stopping' | 'too-many-viewers'> {
  if (deps.stopping()) return refuse('stopping', 'The agent is stopping.');
  const viewed = deps.registry.read(stream.actor);
  if (viewed === undefined) return restarting(stream.actor);
  if (viewed.context.viewers >= stream.maxViewers) {
    return refuse('too-many-viewers', `At most ${stream.maxViewers} live viewers at a time. Close one and try again.`);
  }
  // A HEAD has no body to stream: its viewer leaving would go unnoticed.
  if (c.req.method === 'HEAD') return c.body(null, 200, { 'Content-Type': 'text/event-stream', ...noStore });
  const response = streamSSE(c, async (sse) => {
    deps.registry.tell(stream.actor, stream.joined);
    let fresh = true;
    let gone = false;
    let silent = false;
    let wake: (() => void) | null = null;
    const wakeUp = (): void => {
      const resolve = wake;
      wake = null;
      resolve?.();
    };
    const stopFollowing = deps.registry.follow(
      stream.actor,
      (snapshot) => snapshot?.context.revision ?? null,
      (revision) => {
        gone ||= revision === null;
        fresh = true;
        wakeUp();
      },
    );
    sse.onAbort(wakeUp);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const awaitPing = (): void => {
      silent = false;
      clearTimeout(timer);
      timer = setTimeout(() => {
        silent = true;
        wakeUp();
      }, pingMs);
    };
    const isOver = (): boolean => sse.aborted || sse.closed || gone || deps.stopping();
    try {
      awaitPing();
      while (!isOver()) {
        const piece: string | null = fresh || silent ? stream.next() : null;
        fresh = piece !== null;
        if (piece !== null || silent) {
          // oxlint-disable-next-line no-await-in-loop -- one piece after another: a slow viewer gets what is newest
          // then, not a queue
          await sse.write(piece ?? ': ping\n\n');
          awaitPing();
          continue;
        }
        // oxlint-disable-next-line no-await-in-loop -- waits for a change, an abort or the next ping
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    } finally {
      clearTimeout(timer);
      stopFollowing();
      if (!gone) deps.registry.tell(stream.actor, stream.left);
    }
  });
  // The library sets no-cache.
  response.headers.set('Cache-Control', noStore['Cache-Control']);
  return response;
}
