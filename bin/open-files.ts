import { statSync } from 'node:fs';
import { givenFile } from '#drivers/install/given-file.ts';
import { isOpenToOthers, quoted } from './credential-file.ts';
import type { DoctorRow } from './doctor-rows.ts';

/** The mode of a file; null if it does not exist, or if this user cannot enter its folder. */
function modeOf(file: string): number | null {
  try {
    return statSync(file).mode;
  } catch {
    return null;
  }
}

/** The row that doctor shows for such a file that others can read. */
export const openRow = (file: string): DoctorRow => ({
  title: 'Password file',
  state: 'needs_you',
  detail: 'Others on this machine can read what "sconce install" was given for this panel, passwords too.',
  missing: 'A file that only its owner can read.',
  fix: { command: `chmod 600 ${quoted(file)}`, effect: null },
});

/** The rows that doctor shows if others can read what an installation left for the agents of these data folders. */
export const openGivenRows = (folders: readonly string[]): readonly DoctorRow[] =>
  [...new Set(folders.map(givenFile))].flatMap((file) => {
    const mode = modeOf(file);
    return mode === null || !isOpenToOthers(file, mode) ? [] : [openRow(file)];
  });
