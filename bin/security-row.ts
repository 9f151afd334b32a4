import type { StatusDocument } from '#machines/status.ts';
import type { DoctorRow } from './doctor-rows.ts';

/** What the row is made from. */
export type SecurityStatus = Pick<
  StatusDocument['security'],
  'mode' | 'place' | 'place_detail' | 'pending' | 'silent' | 'barred'
>;

const places: Readonly<Record<'screen' | 'simulator', string>> = {
  screen: 'on its screen',
  simulator: 'on the page of the simulated panel',
};

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
    return row('needs_you', `Hardened, but this panel cannot ask. ${security.place_detail ?? ''}`, {
      missing: 'A screen to ask on; without one, Relaxed mode.',
      fix: { command: 'bin/sconce approvals --relaxed', effect: 'Leaves Hardened mode.' },
    });
  if (barred.length > 0)
    return row('needs_you', `Hardened, and nothing can be approved. ${barred.map(({ message }) => message).join(' ')}`);
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
