import type { EpochMs } from '#machines/kit/units.ts';
import { maintenanceEnded } from '#machines/maintenance/stored.ts';
import { readRestore, restoreSection } from '#machines/backup/record.ts';
import { failureWords } from '#machines/backup/words.ts';

type Sections = Readonly<Record<string, unknown>>;

/** The sections that change when a start gives the ordered restore up, with the code of why. */
export function sectionsAfterGivingUp(sections: Sections, code: string, at: EpochMs): Sections {
  const order = readRestore(sections['restore']);
  return {
    restore: restoreSection(order && { ...order, state: 'failed', failure: code.slice(0, 64) }),
    maintenance: maintenanceEnded(sections['maintenance'], {
      kind: 'restore',
      at,
      message: failureWords({ code, again: false }),
      result: { status: 'failed' },
    }),
  };
}
