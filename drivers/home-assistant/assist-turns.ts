import type { Connection } from 'home-assistant-js-websocket';

import type { TurnChannel } from '#drivers/voice/turn-channel.ts';
import type { AssistTurn } from '#machines/home-assistant/events.ts';
import { chunk } from '#machines/kit/chunk.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { AssistFact } from '#machines/voice/events.ts';

/** What a turn needs of its connection. */
export interface TurnDeps {
  readonly guard: <A extends unknown[]>(fn: (...args: A) => void | Promise<void>) => (...args: A) => void;
  readonly channel: TurnChannel;
  /** Origin of Home Assistant, on which an answer has to be. */
  readonly origin: string;
  readonly sendBinary: (frame: Buffer) => void;
  /** While it is true, messages are read at once, also in a flood. */
  readonly hurry: (isHurried: boolean) => void;
  /** Milliseconds on a monotonic clock. */
  readonly elapsed: () => Milliseconds;
  readonly report: (fact: AssistFact) => void;
}

/** The turns of one connection, one at a time. */
export interface AssistTurns {
  /** Begins a turn, and cancels another one. */
  readonly begin: (turn: AssistTurn) => void;
  /** Cancels this turn; nothing more is reported of it. */
  readonly cancel: (turn: number) => void;
  /** Cancels whichever turn there is. */
  readonly stop: () => void;
}

/** Loaded with the first turn: most panels have none. */
const late = chunk(() => import('./assist-turn.ts'));

export function assistTurns(
  connection: Connection,
  { channel, ...deps }: Omit<TurnDeps, 'channel'> & { readonly channel: TurnChannel | undefined },
): AssistTurns {
  let running: { readonly turn: number; end: () => void } | null = null;
  const stop = (): void => {
    running?.end();
    running = null;
  };
  return {
    begin: (turn) => {
      stop();
      if (channel === undefined) {
        deps.report({ type: 'assist.failed', turn: turn.turn, code: 'unavailable', at: deps.elapsed() });
        return;
      }
      const mine = { turn: turn.turn, end: (): void => {} };
      running = mine;
      const begin = deps.guard(async () => {
        const { runTurn } = await late();
        if (running === mine) mine.end = runTurn(connection, turn, { ...deps, channel });
      });
      begin();
    },
    cancel: (turn) => {
      if (running?.turn === turn) stop();
    },
    stop,
  };
}
