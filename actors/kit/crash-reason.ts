import { crashCode, crashFactsOf, type CrashFacts } from './crash-facts.ts';

/** How a child ended, and what may be published of the error behind it. */
export interface End {
  readonly how: 'stopped' | 'failed';
  /** `zigbee-driver/EMFILE`: what failed and the error's code, or one of the two. */
  readonly reason: string;
  readonly error?: CrashFacts;
}

const REASON = /^[\w.:/-]{1,160}$/;

/** The end of a child that crashed with an uncaught error. */
export function crashEnd(error: unknown, bundle: string): End {
  const facts = crashFactsOf(error, bundle);
  return { how: 'failed', reason: crashCode(facts), error: facts };
}

/** The end of a child that finished: failed if its output says so, otherwise an exit. */
export function endOf(output: unknown, bundle: string): End {
  const failed = typeof output === 'object' && output !== null && 'ended' in output && output.ended === 'failed';
  if (!failed) return { how: 'stopped', reason: 'exited' };
  const named = 'reason' in output ? output.reason : undefined;
  const reason = typeof named === 'string' && REASON.test(named) ? named : 'failed';
  if (!('error' in output)) return { how: 'failed', reason };
  const error = crashFactsOf(output.error, bundle);
  return { how: 'failed', reason: `${reason}/${crashCode(error)}`, error };
}
