import { textLines } from '../subsystem.ts';

const TOUCHES_NOTHING = 'no hardware is touched.';

/** Warns that the panel is simulated, with the reason if that was not chosen. */
export const warnings = [
  textLines({
    key: 'profile',
    after: 'advertiser',
    reads: ['active-profile', 'profile-catalog'],
    lines: ({ read }) => {
      if (read('active-profile')?.simulated !== true) return [];
      return read('profile-catalog')?.catalog?.selection.mode === 'auto'
        ? [
            `No screen was found on this machine, so this is a simulated panel: ${TOUCHES_NOTHING} Connect a screen and start Sconce again.`,
          ]
        : [`Simulated panel: ${TOUCHES_NOTHING}`];
    },
  }),
];
