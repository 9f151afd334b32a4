import type { IncomingMessage } from 'node:http';

import { LOOPBACK } from '#machines/kit/peer-name.ts';
import { SMALL_BODY_BYTES } from '#machines/kit/small-body.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import { type BudgetBounds, type HeldBody, capacityFor } from './body-budget.ts';
import type { ListenerBounds } from './bounds.ts';
import type { InFlight, Peer } from './in-flight.ts';
import type { StallClock } from './stalled.ts';

/** Why a body was not received as a whole. */
export type Unreceived =
  /** More than its address accepts. */
  | 'too-large'
  /** More than there is room for now, or it made room for another. */
  | 'full'
  /** Nothing of it came for too long. */
  | 'too-slow'
  /** The sender went away. */
  | 'gone';

/** Receives the bodies of one server within one budget. */
export interface Intake {
  /**
   * The whole body; a large one once those of others before it are answered. What it holds counts until its release.
   */
  readonly receive: (inFlight: InFlight) => Promise<Buffer | Unreceived>;
  /** Its request was answered, or its sender has left. */
  readonly release: (inFlight: InFlight) => void;
  readonly stop: () => void;
}

/** Size in bytes of the blocks that larger bodies are copied to. */
const BLOCK_BYTES = 64 * 1024;

/** Time between two large bodies, in which the event loop turns for whoever else has come. */
const REST_MS: Milliseconds = 20;

interface Body extends HeldBody {
  readonly peer: Peer;
  readonly inFlight: InFlight;
  held: number;
  movedAt: Milliseconds;
  isPending: boolean;
  /** Null until all of it has come. */
  whole: Buffer | null;
  readonly end: (outcome: Buffer | Unreceived) => void;
}

/** The announced length in bytes; infinite for a chunked body. */
const announced = ({ headers }: IncomingMessage): number => Number(headers['content-length'] ?? Infinity);

/** Large bodies whose requests wait: of the machine itself first, then of one peer after the other. */
function createLine() {
  const line = new Map<string, Body[]>();
  let last = '';
  return {
    add: (body: Body): void => {
      const { name } = body.peer;
      line.set(name, [...(line.get(name) ?? []), body]);
    },
    remove: (body: Body): void => {
      const { name } = body.peer;
      const others = (line.get(name) ?? []).filter((one) => one !== body);
      if (others.length > 0) line.set(name, others);
      else line.delete(name);
    },
    next: (): Body | undefined => {
      const names = [...line.keys()];
      const name = line.has(LOOPBACK) ? LOOPBACK : (names.find((one) => one !== last) ?? last);
      const [first, ...others] = line.get(name) ?? [];
      last = name;
      // Behind all others.
      line.delete(name);
      if (others.length > 0) line.set(name, others);
      return first;
    },
  };
}

/**
 * Receives request bodies. They are copied to blocks that are used again: Node hands over every piece in memory of its
 * own, some hundred bytes for a piece of one byte, which a sender can choose to have millions of. What takes a large
 * body apart keeps the one thread for long, so that one is answered at a time, with a rest in between.
 */
export function createIntake(
  bounds: BudgetBounds & Pick<ListenerBounds, 'bodyMs' | 'checkMs'>,
  guard: (fn: () => void) => () => void,
  clock: StallClock,
): Intake {
  const bodies = new Map<InFlight, Body>();
  const line = createLine();
  /** The large one that is being answered. */
  let answered: Body | null = null;
  /** Blocks that nobody uses; kept as long as any body is held. */
  const spare: Buffer[] = [];
  let timer: unknown = null;
  /** Runs after the newest large one was answered. */
  let resting: unknown = null;

  const look = guard(() => {
    timer = null;
    const now = clock.now();
    const arriving = [...bodies.values()].filter(({ whole }) => whole === null);
    for (const { movedAt, end } of arriving) if (now - movedAt >= bounds.bodyMs) end('too-slow');
    if (arriving.length > 0) arm();
  });
  const arm = (): void => {
    timer ??= clock.setTimeout(look, bounds.checkMs);
  };
  const answerNext = guard(() => {
    resting = null;
    answered = line.next() ?? null;
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
    resting ??= clock.setTimeout(answerNext, REST_MS);
  };
  /** Whether a body may hold a block more; ends others for it. */
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
        /** Bytes that are free in the newest block. */
        let free = 0;
        const stopTaking = (): void => {
          incoming.off('data', take);
          incoming.off('end', finish);
          incoming.off('close', lose);
          // The first one is of another size.
          spare.push(...blocks.slice(1));
          blocks.length = 0;
        };
        const end = (outcome: Buffer | Unreceived): void => {
          if (!body.isPending) return;
          body.isPending = false;
          if (typeof outcome === 'string') {
            incoming.pause();
            stopTaking();
            line.remove(body);
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
        /** Whether there is room in the newest block. */
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
          line.add(body);
          if (answered === null && resting === null) answerNext();
        };
        const lose = (): void => end('gone');
        incoming.on('data', take);
        incoming.on('end', finish);
        incoming.on('close', lose);
        // Its `close` follows; without a listener an aborted upload would be an uncaught error.
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
