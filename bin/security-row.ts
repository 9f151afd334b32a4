import { noPlaceReasons } from '#machines/approvals/events.ts';
import { noPlaceWords } from '#machines/approvals/place-words.ts';
import type { DoctorRow } from './doctor-rows.ts';

/** The security mode as the status document has it. */
export interface SecurityStatus {
  /** Null until it is read. */
  readonly mode: 'relaxed' | 'hardened' | null;
  readonly place: 'screen' | 'simulator' | 'none';
  /** Code or sentence of why there is no place to ask; null if there is one. */
  readonly place_reason: string | null;
  readonly pending: number;
  /** True while requests wait behind a button. */
  readonly silent: boolean;
  /** What bars approving, one sentence each. */
  readonly barred: readonly string[];
}

const places: Readonly<Record<'screen' | 'simulator', string>> = {
  screen: 'on its screen',
  simulator: 'on the page of the simulated panel',
};

function placeSentence({ place_reason: why }: SecurityStatus): string {
  const reason = noPlaceReasons.find((one) => one === why);
  return reason === undefined ? (why ?? '') : (noPlaceWords({ kind: 'none', reason }) ?? '');
}

const waiting = (pending: number): string => (pending === 1 ? ' 1 request waits.' : ` ${pending} requests wait.`);

const row = (state: DoctorRow['state'], detail: string, more: Partial<DoctorRow> = {}): DoctorRow => ({
  title: 'Security mode',
  state,
  detail,
  missing: null,
  fix: null,
  ...more,
});

function hardenedRow(security: SecurityStatus): DoctorRow {
  const { place, pending, silent, barred } = security;
  if (place === 'none')
    return row('needs_you', `Hardened, but this panel cannot ask. ${placeSentence(security)}`, {
      missing: 'A screen to ask on; without one, Relaxed mode.',
      fix: { command: 'sconce approvals --relaxed', effect: 'Leaves Hardened mode.' },
    });
  if (barred.length > 0) return row('needs_you', `Hardened, and nothing can be approved. ${barred.join(' ')}`);
  const asks = `Hardened: it asks ${places[place]}.`;
  if (silent)
    return row('needs_you', `${asks}${waiting(pending)} New questions wait behind a button on the panel’s own pages.`, {
      missing: 'A person at the panel: three questions in a row were not answered.',
    });
  return row('working', pending > 0 ? `${asks}${waiting(pending)}` : asks, { isInFull: true });
}

/** The row of doctor for the security mode; none for an agent that has none, as an older one. */
export function securityRows(security: SecurityStatus | null | undefined): readonly DoctorRow[] {
  if (security === null || security === undefined) return [];
  switch (security.mode) {
    case null:
      return [row('checking', 'It is not read yet.')];
    case 'relaxed':
      return [row('off', 'Relaxed: what devices of the local network ask is done without a question.')];
    case 'hardened':
      return [hardenedRow(security)];
  }
}
