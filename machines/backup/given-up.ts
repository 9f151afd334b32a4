import { note, recallEntries } from '../history/record.ts';
import type { EpochMs } from '../kit/units.ts';
import { maintenanceEnded } from '../maintenance/stored.ts';
import { readRestore, restoreSection } from './record.ts';
import { failureWords } from './words.ts';

type Sections = Readonly<Record<string, unknown>>;

/** The sections that change when a start gives the ordered restore up, with the code of why. */
export function sectionsAfterGivingUp(sections: Sections, code: string, at: EpochMs): Sections {
  const order = readRestore(sections['restore']);
  const entry = { at, kind: 'restore', by: order?.by ?? null, code: 'failed' };
  return {
    restore: restoreSection(order && { ...order, state: 'failed', failure: code.slice(0, 64) }),
    history: { version: 1, entries: note(recallEntries(sections['history']), entry) },
    maintenance: maintenanceEnded(sections['maintenance'], {
      kind: 'restore',
      at,
      message: failureWords({ code, again: false }),
      result: { status: 'failed' },
    }),
  };
}
