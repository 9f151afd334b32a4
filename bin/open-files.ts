import { statSync } from 'node:fs';
import { givenFile } from '#drivers/install/given-file.ts';
import { isOpenToOthers, quoted } from './credential-file.ts';
import type { DoctorRow } from './doctor-rows.ts';

/** The mode of a file; null where there is none, or it lies in a folder that is closed to whoever asks. */
function modeOf(file: string): number | null {
  try {
    return statSync(file).mode;
  } catch {
    return null;
  }
}

/** What doctor tells of such a file that others can read. */
export const openRow = (file: string): DoctorRow => ({
  title: 'Password file',
  state: 'needs_you',
  detail: 'Others on this machine can read what "sconce install" was given for this panel, passwords too.',
  missing: 'A file that its owner alone can read.',
  fix: { command: `chmod 600 ${quoted(file)}`, effect: null },
});

/** What doctor tells where others can read what an installation left for the agents of these data folders. */
export const openGivenRows = (folders: readonly string[]): readonly DoctorRow[] =>
  [...new Set(folders.map(givenFile))].flatMap((file) => {
    const mode = modeOf(file);
    return mode === null || !isOpenToOthers(file, mode) ? [] : [openRow(file)];
  });
