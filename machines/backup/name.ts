import type { EpochMs } from '../kit/units.ts';

/** Longest part of a file's name that a panel id takes. */
const ID_LENGTH = 63;

/** Name of the file of a backup: the panel, the day in UTC, and `.hpb` if it is encrypted. */
export function archiveName(panelId: string, at: EpochMs, encrypted: boolean): string {
  const panel = panelId.replaceAll(/[^a-z0-9_]/g, '').slice(0, ID_LENGTH) || 'panel';
  return `${panel}-backup-${new Date(at).toISOString().slice(0, 10)}.${encrypted ? 'hpb' : 'zip'}`;
}
