import type { CompanionVerdict } from './companion-view.tsx';
import type { Sections } from './sections.ts';

/** The verdict on the connection; null where it is not in use, since then there is nothing to judge. */
export function companionVerdict({ capabilities }: Sections<'capabilities'>): CompanionVerdict | null {
  const row = capabilities.find(({ id }) => id === 'companion');
  return row === undefined ? null : { state: row.state, detail: row.state === 'working' ? '' : row.detail };
}
