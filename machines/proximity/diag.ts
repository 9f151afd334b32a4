import { partLine, verdictFacts } from '../kit/diag.ts';
import { textLines } from '../subsystem.ts';
import { judgeProximity } from './decide.ts';
import { shownProximity } from './shown.ts';

/** The line on the proximity sensor: how it is, never whether somebody is near. */
export const diag = [
  textLines({
    order: 63,
    reads: ['proximity'],
    lines: ({ view, tree }) => {
      const snapshot = view('proximity');
      const proximity = snapshot && shownProximity(snapshot);
      return [
        partLine(
          'proximity',
          tree,
          'proximity',
          proximity && {
            ...verdictFacts(judgeProximity(proximity)),
            driver: proximity.source?.driver ?? 'none',
            calibrations: proximity.calibrations.length,
            calibrating: proximity.calibrating,
            wake_on_wave: proximity.wakeOnWave,
            waves: proximity.waves,
            fault: proximity.fault === null ? 'none' : 'not-kept',
          },
        ),
      ];
    },
  }),
];
