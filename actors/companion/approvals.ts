import { commandText } from '#machines/entities/command-words.ts';
import type { CommandValue } from '#machines/entities/command.ts';
import type { CommandRefused } from '#machines/kit/entity.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

import type { Admission, Admitted, Wanted } from '../kit/admission.ts';
import type { Registry } from '../kit/registry.ts';

/** Longest wait for the approvals' answer. */
const ANSWER_MS: Milliseconds = 2000;

export const deniedAtPanel: CommandRefused = {
  reason: 'denied',
  message: 'A person at the panel did not approve this.',
};
export const waitsAtPanel: CommandRefused = {
  reason: 'approval-required',
  message: 'This waits for approval at the panel. Approve it there, then try again within ten minutes.',
};

export interface WaitingApprovalsPlan {
  readonly registry: Pick<Registry, 'ask' | 'follow'>;
  readonly admission: Pick<Admission, 'admit'>;
  /** Milliseconds of the monotonic clock. */
  readonly elapsed: () => Milliseconds;
  readonly guard: <A extends unknown[]>(fn: (...args: A) => void | Promise<void>) => (...args: A) => void;
}

/** What a command that waits for a person is about. */
export interface WaitingCommand {
  readonly peer: string;
  readonly key: string;
  readonly value: CommandValue;
}

/** Most approvals whose ids are remembered; a person answers one at a time, and all peers together may have twelve. */
const REMEMBERED = 64;

const textOf = (peer: string, binds: string): string => `${peer}\0${binds}`;

/**
 * Lets a command wait for a person at the panel: it notes the id that an approval got, and tells when that is decided.
 */
export function createWaitingApprovals({ registry, admission, elapsed, guard }: WaitingApprovalsPlan) {
  const ids = new Map<string, string>();
  const note = (wanted: Wanted, admitted: Admitted): Admitted => {
    const text = textOf(wanted.peer, wanted.binds);
    ids.delete(text);
    if (!admitted.ok && admitted.approvalId !== undefined) {
      ids.set(text, admitted.approvalId);
      const oldest = ids.size > REMEMBERED ? ids.keys().next().value : undefined;
      if (oldest !== undefined) ids.delete(oldest);
    }
    return admitted;
  };
  const noting: Pick<Admission, 'admit'> = {
    admit: (wanted) => {
      const admitted = admission.admit(wanted);
      return admitted instanceof Promise ? admitted.then((known) => note(wanted, known)) : note(wanted, admitted);
    },
  };
  return {
    /** For the runner of commands. */
    admission: noting,
    /**
     * Calls back once, when the request is approved, or over without that; returns a function that stops it, null if
     * nothing waits. It is over as well once an approval has carried out by itself what was asked for.
     */
    follow: (
      { peer, key, value }: WaitingCommand,
      decided: (how: 'approved' | 'over') => void,
    ): (() => void) | null => {
      const id = ids.get(textOf(peer, commandText(key, value)));
      if (id === undefined) return null;
      let isDone = false;
      const finish = (how: 'approved' | 'over'): void => {
        if (isDone) return;
        isDone = true;
        decided(how);
      };
      const look = guard(async () => {
        if (isDone) return;
        const asked = await registry.ask('approvals', { type: 'approval.look', id, peer, at: elapsed() }, ANSWER_MS);
        // While they restart, nothing is known; what waited there is gone then.
        if (!asked.ok || asked.value === 'pending') return;
        finish(asked.value === 'approved' ? 'approved' : 'over');
      });
      const end = registry.follow(
        'approvals',
        (snapshot) => [snapshot?.context.happened.at(-1)?.sequence ?? 0, snapshot?.context.standing ?? null] as const,
        look,
      );
      return () => {
        isDone = true;
        end();
      };
    },
  };
}
