import type { IncomingMessage } from 'node:http';

import { LOOPBACK } from '#machines/kit/peer-name.ts';
import { SMALL_BODY_BYTES } from '#machines/kit/small-body.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import { type BudgetBounds, type HeldBody, capacityFor } from './body-budget.ts';
import type { ListenerBounds } from './bounds.ts';
import type { InFlight, Peer } from './in-flight.ts';
import type { StallClock } from './stalled.ts';

/** Why a body was not received. */
export type Unreceived =
  /** More than its path accepts. */
  | 'too-large'
  /** No room for it now, or it was ended for another. */
  | 'full'
  /** Nothing of it arrived for too long. */
  | 'too-slow'
  | 'gone';

/** Receives the bodies of one server within one budget. */
export interface Intake {
  /** The whole body; a large one once the large ones before it are answered. Its bytes count until `release`. */
  readonly receive: (inFlight: InFlight) => Promise<Buffer | Unreceived>;
  /** Called when its request was answered or its sender has left. */
  readonly release: (inFlight: InFlight) => void;
  readonly stop: () => void;
}

/** Size of the blocks that larger bodies are copied to. */
const BLOCK_BYTES = 64 * 1024;

/** Shortest and longest pause between two large bodies, in which the event loop serves other senders. */
const REST_MS: Milliseconds = 20;
const LONGEST_REST_MS: Milliseconds = 1000;

/** How much longer the pause is than answering the body before it took: large bodies get a quarter of the time. */
const REST_FACTOR = 3;

interface Body extends HeldBody {
  readonly peer: Peer;
  readonly inFlight: InFlight;
  held: number;
  movedAt: Milliseconds;
  isPending: boolean;
  /** Null until it is complete. */
  whole: Buffer | null;
  readonly end: (outcome: Buffer | Unreceived) => void;
}

/** The announced length in bytes; infinite for a chunked body. */
const announced = ({ headers }: IncomingMessage): number => Number(headers['content-length'] ?? Infinity);

/** Queue of large bodies: those of the machine itself first, then one peer after the other. */
function createQueue() {
  const queue = new Map<string, Body[]>();
  let last = '';
  return {
    add: (body: Body): void => {
      const { name } = body.peer;
      queue.set(name, [...(queue.get(name) ?? []), body]);
    },
    remove: (body: Body): void => {
      const { name } = body.peer;
      const others = (queue.get(name) ?? []).filter((one) => one !== body);
      if (others.length > 0) queue.set(name, others);
      else queue.delete(name);
    },
    next: (): Body | undefined => {
      const names = [...queue.keys()];
      const name = queue.has(LOOPBACK) ? LOOPBACK : (names.find((one) => one !== last) ?? last);
      const [first, ...others] = queue.get(name) ?? [];
      last = name;
      // To the end, behind all other peers.
      queue.delete(name);
      if (others.length > 0) queue.set(name, others);
      return first;
    },
  };
}

/**
 * Receives request bodies. They are copied to blocks that are reused: Node allocates each chunk separately, some
 * hundred bytes for a chunk of one byte, and a sender can choose to send millions of those. Parsing a large body blocks
 * the only thread for long, so large ones are answered one at a time, with a pause in between that grows with the time
 * that they take.
 */
export function createIntake(
  bounds: BudgetBounds & Pick<ListenerBounds, 'bodyMs' | 'checkMs'>,
  guard: (fn: () => void) => () => void,
  clock: StallClock,
): Intake {
  const bodies = new Map<InFlight, Body>();
  const queue = createQueue();
  /** The large body whose request is being answered. */
  let answered: Body | null = null;
  let answeredAt: Milliseconds = 0;
  /** Free blocks, kept while any body is held. */
  const spare: Buffer[] = [];
  let timer: unknown = null;
  /** Timer of the pause after a large body. */
  let resting: unknown = null;

  const check = guard(() => {
    timer = null;
    const now = clock.now();
    const arriving = [...bodies.values()].filter(({ whole }) => whole === null);
    for (const { movedAt, end } of arriving) if (now - movedAt >= bounds.bodyMs) end('too-slow');
    if (arriving.length > 0) arm();
  });
  const arm = (): void => {
    timer ??= clock.setTimeout(check, bounds.checkMs);
  };
  const answerNext = guard(() => {
    resting = null;
    answered = queue.next() ?? null;
    answeredAt = clock.now();
    if (answered?.whole) answered.end(answered.whole);
  });
  const release = (inFlight: InFlight): void => {
    const body = bodies.get(inFlight);
    if (body === undefined) return;
    bodies.delete(inFlight);
    if (bodies.size === 0) spare.length = 0;
    if (body.isPending) body.end('gone');
    if (answered !== body) return;
    answered = null;
    const tookMs = clock.now() - answeredAt;
    const restMs = Math.min(Math.max(REST_MS, REST_FACTOR * tookMs), LONGEST_REST_MS);
    resting ??= clock.setTimeout(answerNext, restMs);
  };
  /** True if a body may hold another block; may end other bodies for it. */
  const hasCapacity = (body: Body): boolean => {
    for (;;) {
      const capacity = capacityFor([...bodies.values()], body, BLOCK_BYTES, bounds, clock.now());
      if (capacity === 'granted') body.held += BLOCK_BYTES;
      if (typeof capacity === 'string') return capacity === 'granted';
      capacity.end('full');
    }
  };

  return {
    receive: (inFlight) =>
      new Promise((resolve) => {
        const { req: incoming, via } = inFlight;
        if (via === null) return resolve('gone');
        const blocks: Buffer[] = [];
        let size = 0;
        /** Free bytes in the newest block. */
        let free = 0;
        const stopTaking = (): void => {
          incoming.off('data', take);
          incoming.off('end', finish);
          incoming.off('close', lose);
          // The first block has another size.
          spare.push(...blocks.slice(1));
          blocks.length = 0;
        };
        const end = (outcome: Buffer | Unreceived): void => {
          if (!body.isPending) return;
          body.isPending = false;
          if (typeof outcome === 'string') {
            incoming.pause();
            stopTaking();
            queue.remove(body);
            body.whole = null;
            release(inFlight);
          }
          resolve(outcome);
        };
        const body: Body = {
          peer: via.peer,
          inFlight,
          held: 0,
          movedAt: clock.now(),
          isPending: true,
          whole: null,
          end,
        };
        /** Makes sure that the newest block has room; false if there is none to be had. */
        const extend = (): boolean => {
          if (free > 0) return true;
          if (blocks.length > 0 && !hasCapacity(body)) return false;
          const block =
            blocks.length === 0
              ? Buffer.allocUnsafeSlow(Math.min(SMALL_BODY_BYTES, announced(incoming)))
              : (spare.pop() ?? Buffer.allocUnsafeSlow(BLOCK_BYTES));
          blocks.push(block);
          free = block.length;
          return true;
        };
        const take = (chunk: Buffer): void => {
          size += chunk.length;
          if (size > inFlight.limit) return end('too-large');
          body.movedAt = clock.now();
          for (let from = 0; from < chunk.length;) {
            if (!extend()) return end('full');
            const block = blocks.at(-1);
            if (block === undefined) return;
            const copied = chunk.copy(block, block.length - free, from);
            from += copied;
            free -= copied;
          }
        };
        const finish = (): void => {
          body.whole = Buffer.concat(blocks, size);
          stopTaking();
          if (size <= SMALL_BODY_BYTES) return end(body.whole);
          body.movedAt = Infinity;
          queue.add(body);
          if (answered === null && resting === null) answerNext();
        };
        const lose = (): void => end('gone');
        incoming.on('data', take);
        incoming.on('end', finish);
        incoming.on('close', lose);
        // `close` follows; without a listener an aborted upload would be an uncaught error.
        incoming.on('error', () => {});
        bodies.set(inFlight, body);
        arm();
      }),
    release,
    stop: () => {
      for (const one of [timer, resting]) if (one !== null) clock.clearTimeout(one);
      timer = null;
      resting = null;
    },
  };
}
