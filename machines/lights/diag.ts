import { partLine, verdictFacts } from '../kit/diag.ts';
import { textLines } from '../subsystem.ts';
import { lightIds } from './events.ts';

/** A line for each light beside the screen. */
export const diag = [
  textLines({
    order: 60,
    reads: lightIds,
    lines: ({ read, tree }) =>
      lightIds.map((id) => {
        const light = read(id);
        return partLine(
          id === 'buttons' ? 'button_backlight' : id,
          tree,
          id,
          light && {
            ...verdictFacts(light.verdict),
            colour: light.ability?.colour,
            on: light.on,
            level: light.level,
            effect: light.effect,
            fault: light.fault ?? 'none',
          },
        );
      }),
  }),
];
