import { textLines } from '../subsystem.ts';

/** Which profile is active. */
export const diag = [
  textLines({
    order: 11,
    reads: ['profile'],
    lines: ({ read }) => {
      const profile = read('profile');
      return [`profile=${profile?.id ?? ''} simulated=${profile?.simulated ?? false}`];
    },
  }),
];

/** That nothing of this machine is touched. */
export const warnings = [
  textLines({
    order: 70,
    reads: ['profile'],
    lines: ({ read }) =>
      read('profile')?.simulated === true
        ? ['This is a simulated panel: no screen, sound or relay of this machine is touched.']
        : [],
  }),
];
