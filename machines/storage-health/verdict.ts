import { checking, needsYou, type Verdict, working } from '../kit/verdict.ts';
import type { StorageHealthContext } from './events.ts';
import { adviseFreeSpace } from './free-space.ts';

export function judgeStorage({ health, facts }: StorageHealthContext): Verdict {
  if (health.state === 'unchecked')
    return health.checked_at === null
      ? checking
      : needsYou('capacity-unknown', `${health.summary} ${health.action}`, 'A readable data folder.');
  if (health.state === 'healthy') return working('healthy', health.summary);
  const reason =
    health.state === 'database_failure'
      ? `save-failed-${(health.failure ?? 'unknown').replace('_', '-')}`
      : `space-${health.state}`;
  const advice = adviseFreeSpace(facts);
  return needsYou(
    reason,
    [health.summary, health.action, advice?.words ?? ''].filter((sentence) => sentence !== '').join(' '),
    health.failure === null || health.failure === 'storage_full' ? 'Free space.' : 'A save that works.',
    advice?.fix ?? null,
  );
}
