import { partLine, verdictFacts } from '../kit/diag.ts';
import { textLines } from '../subsystem.ts';

/** The line on the bridge to an Android panel. */
export const diag = [
  textLines({
    order: 58,
    reads: ['adb'],
    lines: ({ read, tree }) => {
      const adb = read('adb');
      return [partLine('adb', tree, 'adb', adb && { ...verdictFacts(adb.verdict), network: adb.network })];
    },
  }),
];
