import { subsystem, textLines } from '../subsystem.ts';
import type { ConfigCopiesActor } from './events.ts';
import { history } from './history.ts';

export const configCopies = subsystem<ConfigCopiesActor>()({
  ids: ['config-copies'],
  group: 'upkeep',
  warnings: [
    textLines({
      key: 'revisions',
      after: 'profile',
      reads: ['config-copies'],
      lines: ({ read }) => {
        const failure = read('config-copies')?.failure ?? null;
        return failure === null
          ? []
          : [`Earlier configurations are not kept: the disk refuses them (${failure}). Free or repair the disk.`];
      },
    }),
  ],
  historyKinds: [{ kind: 'config-copies', about: 'settings', icon: 'mdi:file-cog-outline' }],
  history,
  operations: {
    CONFIG_SECRET_EXPORT: { in: 'hardened', title: 'Export the settings with passwords' },
    CONFIG_IMPORT: { in: 'hardened', title: 'Replace the settings' },
  },
  problems: {
    'bad-bundle': 400,
    'wrong-kind-or-schema': 400,
    'bad-expected-cfg': 400,
    'bad-id': 400,
    'stale-preview': 409,
    rejected: 422,
  },
});
