import type { Manifest } from '#machines/install/events.ts';
import type { CapabilityRow } from '#machines/kit/status.ts';

/** What to do about a missing display, by the shape of the installation: none of it is to install Sconce. */
const displays: Readonly<Record<Manifest['shape'], Pick<CapabilityRow, 'detail' | 'fix'>>> = {
  kiosk: {
    detail:
      'No display was found. The session that was installed with Sconce needs a connected screen: connect one, then restart Sconce.',
    fix: { command: 'sudo systemctl restart sconce', effect: 'Starts Sconce and its session again.' },
  },
  user: {
    detail:
      'No display was found. Sconce draws in the desktop session of the user it was installed for: log in to that session, on a connected screen.',
    fix: null,
  },
};

/** The capabilities of a panel as an installed one reports them; those of others are as they are. */
export const installedRows = (
  rows: readonly CapabilityRow[],
  installed: Pick<Manifest, 'shape'> | null,
): readonly CapabilityRow[] =>
  installed === null
    ? rows
    : rows.map((row) => (row.reason === 'no-display' ? { ...row, ...displays[installed.shape] } : row));
