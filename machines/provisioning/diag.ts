import { partLine } from '../kit/diag.ts';
import { textLines } from '../subsystem.ts';
import type { SlotEvidence } from './events.ts';

/** The line on what the profile wants of the machine, in numbers. */
export const diag = [
  textLines({
    order: 26,
    reads: ['provisioning'],
    lines: ({ read, tree }) => {
      const provisioning = read('provisioning');
      const observed = provisioning?.observed ?? null;
      const inState = (wanted: SlotEvidence['state']): number | null =>
        observed === null ? null : Object.values(observed.evidence).filter(({ state }) => state === wanted).length;
      return [
        partLine(
          'provisioning',
          tree,
          'provisioning',
          provisioning && {
            state: observed === null ? 'not-scanned' : 'scanned',
            wanted: provisioning.requirements.length,
            found: inState('found'),
            denied: inState('denied'),
            missing: inState('missing'),
          },
        ),
      ];
    },
  }),
];
