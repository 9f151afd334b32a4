import { fromPromise } from 'xstate';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { EpochMs, Milliseconds } from '#machines/kit/units.ts';
import type { BeginOutcome } from '#machines/maintenance/events.ts';
import type { ResetRecord, SurroundingsCommand, TrialFact, Withdrawal } from '#machines/reset/events.ts';
import { reset } from '#machines/reset/index.ts';
import { type Ordering, resetMachine } from '#machines/reset/machine.ts';
import { readRecord, recordSection } from '#machines/reset/record.ts';

import { beginJob, reportEnd } from './kit/one-at-a-time.ts';
import { part, type Part } from './kit/part.ts';
import type { Registry } from './kit/registry.ts';
import { commitSections, readSection, StoreSilent } from './kit/stored-section.ts';

export interface ResetDeps {
  readonly registry: Pick<Registry, 'ask' | 'follow' | 'read' | 'tell'>;
  readonly now: () => EpochMs;
  /** How long an answer has to get out before the restart that follows it. */
  readonly answerMs: Milliseconds;
  /** Settings that the options of the start save again. */
  readonly comesBack: readonly string[];
  /** Code of why the disk refused the ordered reset at this start; null if it did not. */
  readonly failure: string | null;
}

/** Longest wait for the entities to be withdrawn: the publisher's own bound of 5 s and a margin. */
const WITHDRAW_MS: Milliseconds = 6000;
/** Longest wait for Home Assistant to revoke the sign-in; the restart forgets it here in any case. */
const SIGN_OUT_MS: Milliseconds = 3000;

/** Longest wait for a new document in place of one of a newer version. */
const START_OVER_MS: Milliseconds = 6000;

/** Longest wait for the keys of the native connection to be forgotten. */
const FORGET_MS: Milliseconds = 3000;

class StepFailed extends Error {
  override readonly name = 'StepFailed';
  readonly code: string;
  constructor(code: string) {
    super('a step of the reset failed');
    this.code = code;
  }
}

const nothingWithdrawn: Withdrawal = { status: 'left', reason: 'absent', entities: 0, topics: [] };

/**
 * Follows whether a profile is on trial: a trial and a reset must not both restart the agent. Passes on what the reset
 * reports.
 */
const surroundings = ({ registry, now }: ResetDeps) =>
  fromDriver<SurroundingsCommand, undefined, TrialFact>(({ send, onEvent }) => {
    onEvent(async (command) => {
      if (command.type === 'lane.report') reportEnd(registry, command.token, command.end, now());
      else if (command.type === 'entities.release') registry.tell('publisher', { type: 'publisher.release' });
      // Whatever comes of it, the next start forgets them.
      else await registry.ask('companion', { type: 'companion.forget' }, FORGET_MS);
    });
    return registry.follow(
      'profile-catalog',
      (snapshot) =>
        snapshot !== undefined &&
        (snapshot.context.trial ||
          snapshot.context.restartDue ||
          snapshot.context.catalog?.activation.state === 'trial'),
      (trial) => send({ type: 'trial.changed', trial }),
    );
  });

/** Begins without the document of a newer version, of which no copy can be reset; true if there is such a one. */
async function startOver(registry: ResetDeps['registry']): Promise<boolean> {
  if (registry.read('store')?.context.newer?.copyFrom !== null) return false;
  const asked = await registry.ask('store', { type: 'store.start-over' }, START_OVER_MS);
  const failure = asked.ok ? (asked.value.ok ? null : asked.value.reason) : asked.reason;
  if (failure !== null) throw new StepFailed(failure);
  return true;
}

const keepOrder = ({ registry }: ResetDeps) =>
  fromPromise<void, Ordering>(async ({ input: { record, before } }) => {
    if (record?.scope === 'everything' && (await startOver(registry))) return;
    const failure = await commitSections(registry, { reset: recordSection(record) });
    if (failure === null) return;
    // A late write may still be made; a second one then restores the section.
    await commitSections(registry, { reset: recordSection(before) });
    throw new StepFailed(failure);
  });

/** The reset of the panel; the next start carries it out (`bin/reset-at-start.ts`). */
export function resetSpec(deps: ResetDeps): Part {
  const { registry, now, answerMs, comesBack, failure } = deps;
  return part(
    reset,
    resetMachine.provide({
      actors: {
        surroundings: surroundings(deps),
        readRecord: fromPromise<ResetRecord | null>(async () => {
          const stored = await readSection(registry, 'reset');
          if (stored === undefined) throw new StoreSilent();
          return readRecord(stored);
        }),
        withdraw: fromPromise<Withdrawal>(async () => {
          const asked = await registry.ask('publisher', { type: 'publisher.withdraw' }, WITHDRAW_MS);
          return asked.ok ? asked.value : nothingWithdrawn;
        }),
        keepOrder: keepOrder(deps),
        enterLane: fromPromise<BeginOutcome>(() => beginJob(registry, { kind: 'reset', holder: 'reset', now })),
        signOut: fromPromise<void, { readonly token: string }>(async ({ input: { token } }) => {
          const asked = await registry.ask('sign-in', { type: 'sign-in.sign-out', token }, SIGN_OUT_MS);
          if (!asked.ok) throw new StepFailed(asked.reason);
          if (asked.value.status !== 'signed-out') throw new StepFailed(asked.value.status);
        }),
      },
    }),
    { input: () => ({ answerMs, comesBack, failure }) },
  );
}
