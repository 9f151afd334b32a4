import { subsystem, textLines } from '../subsystem.ts';
import type { BackupActor } from './events.ts';
import { failureWords } from './words.ts';

export const backup = subsystem<BackupActor>()({
  ids: ['backup'],
  group: 'upkeep',
  warnings: [
    textLines({
      key: 'restore',
      after: 'reset',
      reads: ['backup'],
      lines: ({ read }) => {
        const failure = read('backup')?.failure ?? null;
        return failure === null ? [] : [failureWords(failure)];
      },
    }),
  ],
  // The order of a restore, and how the last one ended; what a restore does is in files beside it until then.
  sections: { restore: 'never' },
  operations: {
    BACKUP_EXPORT: { in: 'hardened', title: 'Make a backup with passwords and sign-in' },
    BACKUP_RESTORE: { in: 'hardened', title: 'Restore a backup' },
    IDENTITY_REPLACE: {
      in: 'every',
      title: 'Take the place of another panel',
      withoutPlace: 'On the panel itself, type: sconce restore FILE --replaces',
    },
  },
  problems: {
    'passphrase-required': 400,
    'invalid-passphrase': 400,
    'invalid-include-companion': 400,
    'owner-not-proven': 403,
    'archive-too-large': 413,
    'wrong-passphrase-or-damaged': 422,
    'another-product': 422,
    'newer-version': 422,
    'bad-archive': 422,
    'backup-failed': 500,
  },
});
