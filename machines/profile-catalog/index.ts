import { subsystem, textLines } from '../subsystem.ts';
import type { ProfileCatalogActor } from './events.ts';
import { history } from './history.ts';

export const profileCatalog = subsystem<ProfileCatalogActor>()({
  ids: ['profile-catalog'],
  group: 'upkeep',
  tags: [
    {
      id: 'profiles',
      about: 'Which hardware the panel has and which drivers it uses: catalogue, previews, activation, plan.',
      after: 'approvals',
    },
  ],
  warnings: [
    textLines({
      key: 'profiles',
      after: 'open-files',
      reads: ['profile-catalog'],
      lines: ({ read }) => {
        const activation = read('profile-catalog')?.catalog?.activation;
        return activation?.state === 'rolled_back' && activation.detail !== null ? [activation.detail] : [];
      },
    }),
  ],
  historyKinds: [{ kind: 'profile', about: 'settings', icon: 'mdi:file-cog-outline' }],
  history,
  operations: { PROFILE_ACTIVATE: { in: 'hardened', title: 'Change the hardware profile' } },
  problems: {
    'profile-ref-both-forms': 400,
    'profile-unknown': 404,
    'catalog-stale': 409,
    'preview-required': 400,
    'preview-stale': 409,
    'profile-active-already': 409,
    'profile-in-use': 409,
    'profile-bundled': 409,
    'profile-limit': 409,
    'profile-on-command-line': 409,
    'platform-not-confirmed': 409,
    'nothing-to-roll-back': 409,
    'profile-invalid': 422,
  },
});
