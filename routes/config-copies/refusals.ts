import { unknownReasons } from '#machines/config-copies/ends.ts';
import type { ImportOutcome, RestoreRevisionOutcome } from '#machines/config-copies/events.ts';
import { offWords } from '#machines/kit/off-words.ts';
import { refuse } from '#machines/kit/result.ts';
import { labelOf } from '#machines/settings.ts';
import { summaryOf } from '#routes/kit/issues.ts';
import { besideOperation } from '#routes/kit/operation-busy.ts';
import type { Refusal } from '#routes/kit/problem.ts';

/** Refusals of what changes the configuration as a whole. */
export const changeProblems = [
  'operation-busy',
  'rejected',
  'commit-failed',
  'save-unknown',
  'restarting',
  'stopping',
] as const;

type ChangeProblem = (typeof changeProblems)[number];

const rejected = (reasons: Readonly<Record<string, string>>): Refusal<ChangeProblem> => ({
  ok: false,
  reason: 'rejected',
  message: `Nothing was changed. ${summaryOf(reasons)}`,
  reasons,
});

/** The refusal after a save whose end is not known. */
export const unknownSave: Refusal<'save-unknown'> = refuse(
  'save-unknown',
  'The save is taking long, or its part was restarted: it may still have happened. Read the settings to find out.',
);

function failed(reason: string, off: readonly string[] = []): Refusal<ChangeProblem> {
  if (unknownReasons.has(reason)) return unknownSave;
  const what = off.length === 0 ? 'Nothing was changed' : `${offWords(off.map(labelOf))}. Nothing else was changed`;
  return refuse(
    'commit-failed',
    `${what}: the settings could not be saved (${reason}). Free or repair the disk and try again.`,
  );
}

type Refused<O extends { readonly status: string }, S extends string> = Exclude<O, { readonly status: S }>;
export type RefusedImport = Refused<ImportOutcome, 'applied' | 'partial' | 'no-op' | 'preview'>;
export type RefusedRestore = Refused<RestoreRevisionOutcome, 'restored' | 'no-op'>;

/** An import that was refused, in words. */
export function refusedImport(
  outcome: RefusedImport,
): Refusal<ChangeProblem | 'bad-bundle' | 'wrong-kind-or-schema' | 'stale-preview'> {
  switch (outcome.status) {
    case 'bad-bundle':
    case 'wrong-kind-or-schema':
      return refuse(outcome.status, outcome.message);
    case 'stale-preview':
      return refuse(
        'stale-preview',
        `Nothing was changed: the configuration is ${outcome.actualCfg} by now, no longer ${outcome.expectedCfg}. Look at a new preview first.`,
      );
    case 'rejected':
      return rejected(outcome.reasons);
    case 'busy':
      return besideOperation(outcome.running);
    case 'error':
      return failed(outcome.reason);
  }
}

/** The same for the restore of a revision. */
export function refusedRestore(outcome: RefusedRestore): Refusal<ChangeProblem | 'not-found'> {
  switch (outcome.status) {
    case 'not-found':
      return refuse('not-found', 'There is no such revision. Reload the list of revisions.');
    case 'rejected':
      return rejected(outcome.reasons);
    case 'busy':
      return besideOperation(outcome.running);
    case 'error':
      return failed(outcome.reason, outcome.off);
  }
}
