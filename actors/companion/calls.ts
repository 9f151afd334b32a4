import { type After, byTimer } from '#drivers/kit/rounds.ts';
import type { PanelMessage } from '#machines/companion/messages.ts';
import type { CommandRefused } from '#machines/kit/entity.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

type Result = Extract<PanelMessage, { readonly type: 'result' }>;

/** One command of a session, until its sender was told how it ended. */
export interface Call {
  readonly session: number;
  readonly id: number;
  /** Its deadline, on the monotonic clock. */
  readonly until: Milliseconds;
  /** Why it has not ended yet, in the words of its end at the deadline. */
  waits: CommandRefused;
  /** True once its sender was told. */
  isOver: boolean;
}

export interface CallsPlan {
  /** Sends to one session. */
  readonly send: (session: number, message: Result) => void;
  /** Called with the end of each command; null if it was carried out. */
  readonly ended: (refusal: CommandRefused | null) => void;
  /** Milliseconds of the monotonic clock. */
  readonly elapsed: () => Milliseconds;
  /** Wraps the callbacks of timers. */
  readonly guard: (fn: () => void) => () => void;
  readonly after?: After;
}

/** Sees to it that each command gets exactly one result, at its deadline at the latest. */
export interface Calls {
  /** Null for an id that was used: ids count up in a session, so it would be a command that is replayed. */
  readonly open: (session: number, id: number, deadline: Milliseconds) => Call | null;
  readonly end: (call: Call, refusal: CommandRefused | null) => void;
  /** The session is over: nothing of it is answered any more. */
  readonly forget: (session: number) => void;
  /** Every command ends with this refusal. */
  readonly stop: (refusal: CommandRefused) => void;
}

/** The end of a command whose outcome is not known at its deadline. */
const expired: CommandRefused = {
  reason: 'expired',
  message: 'The panel did not see the end of this command in time.',
};

/** Longest sentence of a result, in characters (`machines/companion/messages.ts`). */
const SENTENCE_LENGTH = 255;

const resultOf = (id: number, refusal: CommandRefused | null): Result =>
  refusal === null
    ? { type: 'result', id, ok: true }
    : {
        type: 'result',
        id,
        ok: false,
        code: refusal.reason,
        message: Array.from(refusal.message).slice(0, SENTENCE_LENGTH).join(''),
      };

export function createCalls({ send, ended, elapsed, guard, after = byTimer }: CallsPlan): Calls {
  const open = new Map<Call, () => void>();
  const lastIds = new Map<number, number>();

  const close = (call: Call): boolean => {
    const cancel = open.get(call);
    if (cancel === undefined) return false;
    open.delete(call);
    cancel();
    call.isOver = true;
    return true;
  };
  const end = (call: Call, refusal: CommandRefused | null): void => {
    if (!close(call)) return;
    send(call.session, resultOf(call.id, refusal));
    ended(refusal);
  };
  return {
    open: (session, id, deadline) => {
      if (id <= (lastIds.get(session) ?? 0)) return null;
      lastIds.set(session, id);
      const call: Call = { session, id, until: elapsed() + deadline, waits: expired, isOver: false };
      open.set(
        call,
        after(
          deadline,
          guard(() => end(call, call.waits)),
        ),
      );
      return call;
    },
    end,
    forget: (session) => {
      lastIds.delete(session);
      for (const call of open.keys()) if (call.session === session) close(call);
    },
    stop: (refusal) => {
      for (const call of open.keys()) end(call, refusal);
    },
  };
}
