import { setTimeout as pause } from 'node:timers/promises';

import type { DraftEvidence } from '#machines/profile-catalog/reading.ts';

import type { DriverEntry } from './driver-entry.ts';
import { allDrivers } from './drivers/all.ts';
import { systemOf } from './rules.ts';

/** Time limit of one scan, in milliseconds. */
const lookMs = 2000;

const unknown = (driver: string, detail: string): DraftEvidence => ({ driver, state: 'unknown', names: [], detail });

async function scan(entry: DriverEntry): Promise<DraftEvidence> {
  const options = entry.options().safeParse({});
  if (!options.success) return unknown(entry.id, 'It can only be checked once its options are known.');
  const ended = new AbortController();
  try {
    const late = pause(lookMs, null, { signal: ended.signal }).catch(() => null);
    const evidence = await Promise.race([entry.scan(options.data), late]);
    return evidence === null ? unknown(entry.id, 'The scan timed out.') : { driver: entry.id, ...evidence };
  } catch {
    return unknown(entry.id, 'The scan failed.');
  } finally {
    ended.abort();
  }
}

/** Runs the passive scan of each Linux driver; writes nothing and queries no device. */
export const gatherEvidence = (drivers: readonly DriverEntry[] = allDrivers): Promise<readonly DraftEvidence[]> =>
  Promise.all(drivers.filter(({ id }) => systemOf(id) === 'linux').map(scan));
