import type { DriverScope } from '#drivers/kit/from-driver.ts';
import { isSameSecret } from '#drivers/kit/keyed-digest.ts';
import { type Assignment, openFor, type Recipient } from '#machines/kit/recipient.ts';
import type { EpochMs, Milliseconds } from '#machines/kit/units.ts';
import { SAVE_MS } from '#machines/settings/hold.ts';
import type { ConfirmOutcome, ConfirmProof, DesiredFact, PasswordCommand } from '#machines/mqtt/events.ts';
import { judgeProof, noTries, type Tries } from '#machines/mqtt/proof.ts';

import { type Asking, RECALL_PAUSE_MS } from './kit/stored-section.ts';
import type { Credential } from './settings.ts';

export interface PasswordStoreDeps {
  readonly registry: Asking;
  /** The broker's password and its recipient, null if none is set; it is only compared, never passed on. */
  readonly readPassword: () => Promise<Credential | null>;
  /** A mark that recognises a password on this machine without revealing it (`passwordMark()` in `drivers/mqtt`). */
  readonly markPassword: (password: string, installId: string) => string;
  readonly now: () => EpochMs;
  readonly openings: Openings;
}

/** Says for how long a password may still go to the only broker that is found. */
export interface Openings {
  /** More than 0 once per save, and never for a save of an earlier run: a restart releases no password. */
  readonly openFor: (assignment: Assignment | null) => Milliseconds;
}

/** The openings of one run of the agent, which begins now. */
export function createOpenings(now: () => EpochMs): Openings {
  const startedAt = now();
  let opened: string | null = null;
  return {
    openFor: (assignment) => {
      if (assignment === null || assignment.at < startedAt || assignment.id === opened) return 0;
      opened = assignment.id;
      return openFor(assignment, now());
    },
  };
}

/** What the settings say of the password. */
interface PasswordSetting {
  readonly passwordSet: boolean;
  readonly installId: string;
}

/** The password as last read. */
interface Look {
  readonly value: string | null;
  readonly mark: string | null;
  readonly assignment: Assignment | null;
}

/** Notices a new password, or a new recipient, and stores the recipient that a password is bound to. */
export interface PasswordStore {
  /** Reads the password; rejects if it cannot be read now. */
  readonly look: (setting: PasswordSetting) => Promise<void>;
  /** The mark of the password that was read last; null if none is set or it was not read yet. */
  readonly mark: () => string | null;
  /** How often it changed after the first read. */
  readonly revision: () => number;
  readonly end: () => void;
}

/** The store of the broker's password, for the driver whose scope is given. */
export function passwordStore(
  { registry, readPassword, markPassword, now, openings }: PasswordStoreDeps,
  scope: Pick<DriverScope<PasswordCommand, undefined, DesiredFact>, 'send' | 'onEvent' | 'guard' | 'signal'>,
): PasswordStore {
  let seen: Look | null = null;
  let revision = 0;
  let tries: Tries = noTries;
  let again: NodeJS.Timeout | undefined;

  /** Stores the recipient; `changed` if the password or its recipient has changed since. */
  const assign = async (
    of: number,
    recipient: Recipient,
    how: { readonly code: 'bound' | 'confirmed'; readonly from: ConfirmProof['from'] | null },
  ): Promise<Extract<ConfirmOutcome, { readonly status: 'confirmed' | 'changed' | 'commit-failed' | 'busy' }>> => {
    const id = seen?.assignment?.id;
    if (of !== revision || id === undefined) return { status: 'changed' };
    const event = { type: 'settings.assign' as const, key: 'mqtt_password', id, recipient, ...how };
    const asked = await registry.ask('settings', event, SAVE_MS);
    if (!asked.ok) return { status: 'commit-failed', reason: asked.reason };
    if (asked.value.status !== 'assigned') return asked.value;
    // Noted here, so that it does not count as a new password and cause a reconnection.
    if (seen?.assignment?.id === id) seen = { ...seen, assignment: { ...seen.assignment, recipient } };
    return { status: 'confirmed' };
  };

  /** Retries until the disk holds it: without it the next start would have to ask. */
  const keep = async (of: number, recipient: Recipient): Promise<void> => {
    clearTimeout(again);
    const kept = await assign(of, recipient, { code: 'bound', from: null });
    if ((kept.status === 'commit-failed' || kept.status === 'busy') && !scope.signal.aborted)
      again = setTimeout(
        scope.guard(() => keep(of, recipient)),
        RECALL_PAUSE_MS,
      );
  };

  const prove = (proof: ConfirmProof): ConfirmOutcome | null => {
    const isRight = proof.password !== null && isSameSecret(proof.password, seen?.value ?? null);
    const judged = judgeProof(tries, { ...proof, isRight }, now());
    ({ tries } = judged);
    return judged.refusal === null ? null : { status: 'unproven', why: judged.refusal };
  };

  scope.onEvent(async (command) => {
    const { recipient, revision: of } = command;
    if (command.type === 'binding.keep') return keep(of, recipient);
    const { requestId, from } = command;
    const outcome = prove(command) ?? (await assign(of, recipient, { code: 'confirmed', from }));
    scope.send({ type: 'binding.settled', requestId, revision: of, recipient, from, outcome, at: now() });
  });

  return {
    look: async ({ passwordSet, installId }) => {
      const read = passwordSet ? await readPassword() : null;
      const value = read?.value ?? null;
      const assignment = read?.assignment ?? null;
      const isFirst = seen === null;
      if (!isFirst && seen?.value === value && seen.assignment?.id === assignment?.id) return;
      if (!isFirst) revision += 1;
      seen = { value, mark: value === null ? null : markPassword(value, installId), assignment };
      const recipient = assignment?.recipient ?? null;
      scope.send({ type: 'password.noted', revision, recipient, openMs: openings.openFor(assignment) });
    },
    mark: () => seen?.mark ?? null,
    revision: () => revision,
    end: () => clearTimeout(again),
  };
}
