import { checking, needsYou, type Verdict, working } from '../kit/verdict.ts';
import type { StorageHealthContext } from './events.ts';

export function judgeStorage({ health }: Pick<StorageHealthContext, 'health'>): Verdict {
  if (health.state === 'unchecked')
    return health.checked_at === null
      ? checking
      : needsYou('capacity-unknown', `${health.summary} ${health.action}`, 'A readable data folder.');
  if (health.state === 'healthy') return working('healthy', health.summary);
  const reason =
    health.state === 'database_failure'
      ? `save-failed-${(health.failure ?? 'unknown').replace('_', '-')}`
      : `space-${health.state}`;
  return needsYou(
    reason,
    `${health.summary} ${health.action}`,
    health.failure === null || health.failure === 'storage_full' ? 'Free space.' : 'A save that works.',
  );
}
