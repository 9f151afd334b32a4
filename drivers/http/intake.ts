import type { IncomingMessage } from 'node:http';

import { SMALL_BODY_BYTES } from '#machines/kit/small-body.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import { type BudgetBounds, type HeldBody, roomFor } from './body-budget.ts';
import type { ListenerBounds } from './bounds.ts';
import type { Flight, Peer } from './flight.ts';
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
  /** The whole body; what it holds counts until it is released. */
  readonly receive: (flight: Flight) => Promise<Buffer | Unreceived>;
  /** Its request was answered, or nobody waits for an answer any more. */
  readonly release: (flight: Flight) => void;
  readonly stop: () => void;
}

/** Size in bytes of the blocks that larger bodies are copied to. */
const BLOCK_BYTES = 64 * 1024;

interface Body extends HeldBody {
  readonly peer: Peer;
  held: number;
  movedAt: Milliseconds;
  isArriving: boolean;
  readonly end: (outcome: Unreceived) => void;
}

/** The announced length in bytes; infinite for a chunked body. */
const announced = ({ headers }: IncomingMessage): number => Number(headers['content-length'] ?? Infinity);

/**
 * Receives request bodies. They are copied to blocks that are used again: Node hands over every piece in memory of its
 * own, some hundred bytes for a piece of one byte, which a sender can choose to have millions of.
 */
export const createIntake = (
  bounds: BudgetBounds & Pick<ListenerBounds, 'bodyMs' | 'checkMs'>,
  guard: (fn: () => void) => () => void,
  clock: StallClock,
): Intake => {
  const bodies = new Map<Flight, Body>();
  /** Blocks that nobody uses; kept as long as any body is held. */
  const spare: Buffer[] = [];
  let timer: unknown = null;

  const look = guard(() => {
    timer = null;
    const now = clock.now();
    const arriving = [...bodies.values()].filter(({ isArriving }) => isArriving);
    for (const { movedAt, end } of arriving) if (now - movedAt >= bounds.bodyMs) end('too-slow');
    if (arriving.length > 0) arm();
  });
  const arm = (): void => {
    timer ??= clock.setTimeout(look, bounds.checkMs);
  };
  const release = (flight: Flight): void => {
    bodies.delete(flight);
    if (bodies.size === 0) spare.length = 0;
  };
  /** Whether a body may hold a block more; ends others for it. */
  const hasRoom = (body: Body): boolean => {
    for (;;) {
      const room = roomFor([...bodies.values()], body, BLOCK_BYTES, bounds, clock.now());
      if (room === 'granted') body.held += BLOCK_BYTES;
      if (typeof room === 'string') return room === 'granted';
      room.end('full');
    }
  };

  return {
    receive: (flight) =>
      new Promise((resolve) => {
        const { req: incoming, via } = flight;
        if (via === null) return resolve('gone');
        const blocks: Buffer[] = [];
        let size = 0;
        /** Bytes that are free in the newest block. */
        let free = 0;
        const settle = (outcome: Buffer | Unreceived): void => {
          incoming.off('data', take);
          incoming.off('end', finish);
          incoming.off('close', lose);
          body.isArriving = false;
          spare.push(...blocks.slice(1));
          blocks.length = 0;
          if (typeof outcome === 'string') {
            incoming.pause();
            release(flight);
          }
          resolve(outcome);
        };
        const body: Body = { peer: via.peer, held: 0, movedAt: clock.now(), isArriving: true, end: settle };
        /** Whether there is room in the newest block. */
        const extend = (): boolean => {
          if (free > 0) return true;
          if (blocks.length > 0 && !hasRoom(body)) return false;
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
          if (size > flight.limit) return settle('too-large');
          body.movedAt = clock.now();
          for (let from = 0; from < chunk.length;) {
            if (!extend()) return settle('full');
            const block = blocks.at(-1);
            if (block === undefined) return;
            const copied = chunk.copy(block, block.length - free, from);
            from += copied;
            free -= copied;
          }
        };
        const finish = (): void => settle(Buffer.concat(blocks, size));
        const lose = (): void => settle('gone');
        incoming.on('data', take);
        incoming.on('end', finish);
        incoming.on('close', lose);
        // Its `close` follows; without a listener an aborted upload would be an uncaught error.
        incoming.on('error', () => {});
        bodies.set(flight, body);
        arm();
      }),
    release,
    stop: () => {
      if (timer !== null) clock.clearTimeout(timer);
      timer = null;
    },
  };
};
