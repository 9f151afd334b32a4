import { partLine } from '../kit/diag.ts';
import { subsystem, textLines } from '../subsystem.ts';
import type { HomeProbeActor } from './events.ts';

/** The look at an address of Home Assistant before it is saved. */
export const homeProbe = subsystem<HomeProbeActor>()({
  ids: ['home-probe'],
  group: 'link',
  diag: [
    textLines({
      order: 48,
      reads: ['home-probe'],
      lines: ({ read, tree }) => {
        const probe = read('home-probe');
        return [partLine('home-probe', tree, 'home-probe', probe && { probing: probe.requestId !== null })];
      },
    }),
  ],
});
