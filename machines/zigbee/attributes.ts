import type { ZigbeeContext } from './events.ts';
import { isBusy } from './judge.ts';

const MINUTE_MS = 60_000;

/** The redacted facts beside the state: classes, shares and counts, never a process number, a network or a device. */
export const gatewayAttributes = ({
  gateway,
  facts,
  verdict,
}: ZigbeeContext): Readonly<Record<string, string | number | boolean | null>> => ({
  gateway,
  running: facts.sample?.running ?? null,
  joined: facts.sample?.joined === null || facts.sample === null ? 'unknown' : facts.sample.joined ? 'yes' : 'no',
  cpu_percent: facts.sample === null || facts.sample.cpuPercent === null ? null : Math.round(facts.sample.cpuPercent),
  busy: isBusy(facts),
  // In steps of five minutes, so that a running gateway does not publish a new state every minute.
  running_minutes:
    facts.sample === null || facts.sample.runningForMs === null
      ? null
      : Math.floor(facts.sample.runningForMs / MINUTE_MS / 5) * 5,
  restarts_10m: facts.restarts.length,
  reason: verdict.reason,
  summary: verdict.detail,
});
