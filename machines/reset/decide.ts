import type { ResetOutcome, ResetRequest, Withdrawal } from './events.ts';

/** True if a reset goes on after its withdrawal: what stays behind in Home Assistant has to be agreed to. */
export const mayGoOn = ({ withoutBroker }: Pick<ResetRequest, 'withoutBroker'>, { status }: Withdrawal): boolean =>
  status !== 'left' || withoutBroker;

/** What stays behind, where nothing else is known of it. */
export const leftTopics = (withdrawal: Withdrawal | null): readonly string[] =>
  withdrawal?.status === 'left' ? withdrawal.topics : [];

/** The answer to who asked for a reset that does not go on. */
export const leftOutcome = (withdrawal: Withdrawal): ResetOutcome =>
  withdrawal.status === 'left'
    ? {
        status: 'entities-left',
        reason: withdrawal.reason,
        entities: withdrawal.entities,
        topics: withdrawal.topics,
      }
    : { status: 'failed', reason: 'withdrawal' };

/** The answer to who asked for a reset that is written down. */
export const orderedOutcome = (withdrawal: Withdrawal | null): ResetOutcome => ({
  status: 'ordered',
  entities: withdrawal?.status === 'withdrawn' ? withdrawal.entities : 0,
  leftBehind: leftTopics(withdrawal),
});

/** The stable code of an error; `unknown` where it has none. */
export const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : 'unknown';
