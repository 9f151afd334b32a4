import { historyOf } from '../kit/history-event.ts';
import type { Milliseconds } from '../kit/units.ts';
import type { JobKind, JobStatus, MaintenanceActor } from './events.ts';

/** How long a start still reports the end of a job; that of an older one is in the history already. */
const reportsForMs: Milliseconds = 10 * 60_000;

type Reported = Extract<JobKind, 'import' | 'revision-restore' | 'backup' | 'restore'>;
type Ending = 'done' | 'partial' | 'failed';

/** Codes of the history for the ends of jobs. A reset and a change of the profile have kinds of their own. */
export type MaintenanceCode = `${Reported}-${Ending}`;

const kinds = ['import', 'revision-restore', 'backup', 'restore'] as const satisfies readonly Reported[];
const endings = ['done', 'partial', 'failed'] as const satisfies readonly Ending[];

export const maintenanceCodes: readonly MaintenanceCode[] = kinds.flatMap((kind) =>
  endings.map((ending): MaintenanceCode => `${kind}-${ending}`),
);

const endingOf: Readonly<Record<JobStatus, Ending | null>> = {
  succeeded: 'done',
  partial: 'partial',
  failed: 'failed',
  rolled_back: 'failed',
  rollback_failed: 'failed',
  skipped: null,
};

/** The code for the end of a job; null if it has none. */
export function maintenanceCode(kind: JobKind, status: JobStatus): MaintenanceCode | null {
  const reported = kinds.find((one) => one === kind);
  const ending = endingOf[status];
  return reported === undefined || ending === null ? null : `${reported}-${ending}`;
}

export const history = [
  historyOf<MaintenanceActor>()({
    actor: 'maintenance',
    kind: 'maintenance',
    codes: maintenanceCodes,
    single: true,
    selector: ({ last }) => last && { at: last.endedAt, code: maintenanceCode(last.kind, last.result.status) },
    historyEvents: (before, after, now, entry) => {
      if (after.code === null || before?.at === after.at) return [];
      return before === null && now - after.at > reportsForMs ? [] : entry(after.at, after.code);
    },
  }),
];
