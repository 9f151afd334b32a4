import type { EpochMs } from '../kit/units.ts';
import type { PathProbeContext, PathProbeObject, RouteFamily } from './events.ts';
import { judgeWay, unknownWay } from './judge.ts';
import { floor } from './schedule.ts';

/** The facts before the first try. */
export const nothingProbed = (family: RouteFamily): PathProbeContext => ({
  family,
  supported: null,
  connection: null,
  otherResolved: null,
  ...unknownWay,
  schedule: floor,
  lastBurstAt: null,
});

function availability({ supported, proven }: PathProbeContext): PathProbeObject['available'] {
  if (supported === null) return 'unowned';
  if (!supported) return 'unsupported';
  return proven ? 'proven' : 'unproven';
}

/**
 * The contract's `ha_path_probe` at `now`. It is `unproven` before the permission was tried, since only a refusal by
 * the system makes it `unsupported`.
 */
export function probeView(facts: PathProbeContext, now: EpochMs): PathProbeObject {
  const { verdict, ...numbers } = judgeWay(facts);
  return {
    state: facts.supported === false ? 'unsupported' : (verdict ?? 'unproven'),
    family: facts.family,
    available: availability(facts),
    other_resolved: facts.otherResolved,
    ...numbers,
    interval_ms: facts.connection === null || facts.supported !== true ? -1 : facts.schedule.intervalMs,
    last_burst_age_ms: facts.lastBurstAt === null ? -1 : Math.max(0, now - facts.lastBurstAt),
  };
}
