import { offWords } from '../kit/off-words.ts';
import type { JobResult } from '../maintenance/events.ts';
import { labelOf } from '../settings.ts';
import type { ImportOutcome, RestoreRevisionOutcome } from './events.ts';

/** How a job ended: what is kept of it; null for one that did nothing. */
interface Ended {
  readonly message: string;
  readonly result: JobResult;
}

const settingsWords = (count: number): string => (count === 1 ? 'One setting was' : `${count} settings were`);

const ended = (message: string, status: 'succeeded' | 'partial' | 'failed', items: number): Ended => ({
  message,
  result: { status, config: { status, items } },
});

/** Reasons after which the save may still have happened. */
export const unknownReasons: ReadonlySet<string> = new Set(['timeout', 'ended']);

function failureWords(reason: string, off: readonly string[]): string {
  if (unknownReasons.has(reason)) return 'The save took too long: the settings may have been changed or not.';
  const what = off.length === 0 ? 'Nothing was changed' : `${offWords(off.map(labelOf))}. Nothing else was changed`;
  return `${what}: the settings could not be saved (${reason}).`;
}

const failed = (reason: string, off: readonly string[] = []): Ended => ended(failureWords(reason, off), 'failed', 0);

/** How an import ended. */
export function importEnd(outcome: ImportOutcome): Ended | null {
  switch (outcome.status) {
    case 'applied':
      return ended(`${settingsWords(outcome.applied.length)} imported.`, 'succeeded', outcome.applied.length);
    case 'partial': {
      const left = outcome.errors.length;
      const message = `${settingsWords(outcome.applied.length)} imported; ${left === 1 ? 'one' : left} could not be.`;
      return ended(message, 'partial', outcome.applied.length);
    }
    case 'error':
      return failed(outcome.reason);
    default:
      return null;
  }
}

/** How the restore of a revision ended. */
export function revisionEnd(outcome: RestoreRevisionOutcome): Ended | null {
  switch (outcome.status) {
    case 'restored': {
      const status = outcome.skipped.length === 0 ? 'succeeded' : 'partial';
      return ended(`${settingsWords(outcome.applied.length)} restored.`, status, outcome.applied.length);
    }
    case 'error':
      return failed(outcome.reason, outcome.off);
    default:
      return null;
  }
}
