import type { ResetOutcome, ResetRequest, Withdrawal } from './events.ts';

/** True if a reset continues after its withdrawal: leaving entities in Home Assistant requires consent. */
export const mayGoOn = ({ withoutBroker }: Pick<ResetRequest, 'withoutBroker'>, { status }: Withdrawal): boolean =>
  status !== 'left' || withoutBroker;

/** The discovery topics that stay behind. */
export const leftTopics = (withdrawal: Withdrawal | null): readonly string[] =>
  withdrawal?.status === 'left' ? withdrawal.topics : [];

/** The answer to a reset that does not continue. */
export const leftOutcome = (withdrawal: Withdrawal): ResetOutcome =>
  withdrawal.status === 'left'
    ? {
        status: 'entities-left',
        reason: withdrawal.reason,
        entities: withdrawal.entities,
        topics: withdrawal.topics,
      }
    : { status: 'failed', reason: 'withdrawal' };

/** The answer to a reset whose order was stored. */
export const orderedOutcome = (withdrawal: Withdrawal | null): ResetOutcome => ({
  status: 'ordered',
  entities: withdrawal?.status === 'withdrawn' ? withdrawal.entities : 0,
  leftBehind: leftTopics(withdrawal),
});

/** The code of an error; `unknown` if it has none. */
export const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : 'unknown';
