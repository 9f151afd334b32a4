import { partLine } from '../kit/diag.ts';
import { textLines } from '../subsystem.ts';

/** The line on the catalogue of profiles and on the activation. */
export const diag = [
  textLines({
    order: 24,
    reads: ['profiles'],
    lines: ({ read, tree }) => {
      const profiles = read('profiles');
      const catalog = profiles?.catalog;
      return [
        partLine(
          'profiles',
          tree,
          'profiles',
          profiles && {
            state: catalog?.activation.state,
            reason: catalog == null ? null : (catalog.activation.reason ?? 'none'),
            selection: catalog?.selection.mode,
            trial: profiles.trial,
            saved: catalog?.profiles.filter(({ origin }) => origin === 'local').length,
            pending: catalog == null ? null : catalog.pending !== null,
            rollback: catalog == null ? null : catalog.rollback_to !== null,
            issues: catalog?.issues.length,
            boot_issues: profiles.boot.issues.length,
            restart_due: profiles.restartDue,
          },
        ),
      ];
    },
  }),
];
