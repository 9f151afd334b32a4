import type { CrashFacts } from '#actors/kit/crash-facts.ts';
import { endOf } from '#actors/kit/crash-reason.ts';
import type { FaultFact } from '#actors/kit/faults.ts';
import type { SupervisionFact } from '#actors/kit/supervision-fact.ts';
import type { Logger } from '#drivers/log/logger.ts';
import type { WorkerOutcome } from '#machines/kit/outcome.ts';
import { partWords } from './log-words.ts';

/** A fact as a line of the log shows it: class, code and frames of the error beside the rest. */
const flat = ({ error, ...rest }: { readonly type: string; readonly error?: CrashFacts }): Record<string, unknown> => ({
  ...rest,
  ...error,
});

/** Logs what happened to a part: its end and its parking for owners, the rest for finding faults. */
export function logSupervision(log: Logger, fact: SupervisionFact & { readonly group: string }): void {
  const [words, facts] = [partWords(fact), flat(fact)];
  if (fact.type === 'parked' || fact.type === 'gave-up') log.error(words, facts);
  else if (fact.type === 'killed' || (fact.type === 'ended' && fact.how === 'failed')) log.warn(words, facts);
  else if (fact.type === 'started' && fact.restarts > 0) log.info(words, facts);
  else log.debug(words, facts);
}

/** Logs a failed operation in a part that goes on; a repeated fault is logged at the level `debug`. */
export const logFault = (log: Logger, { again, ...fact }: FaultFact): void =>
  (again ? log.debug : log.warn)(`Something in the part ${fact.id} failed. The part goes on.`, flat(fact));

/** Logs why the root supervisor itself threw; any other end is logged elsewhere. */
export function logRootCrash(log: Logger, outcome: WorkerOutcome, bundle: string): void {
  const { error, reason } = endOf(outcome, bundle);
  if (error !== undefined) log.error('The supervisor of all parts failed.', { reason, ...error });
}
