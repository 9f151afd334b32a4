import { partLine, verdictFacts } from '../kit/diag.ts';
import { textLines } from '../subsystem.ts';
import { sensorIds } from './events.ts';

const seconds = (ms: number): number => Math.max(0, Math.round(ms / 1000));

/** A line for each sensor of the room: how it is read, never what it reads, which would tell when somebody is there. */
export const diag = [
  textLines({
    order: 62,
    reads: sensorIds,
    lines: ({ read, tree, now }) =>
      sensorIds.map((id) => {
        const sensor = read(id);
        return partLine(
          id,
          tree,
          id,
          sensor && {
            ...verdictFacts(sensor.verdict),
            every_ms: sensor.everyMs,
            age_s: sensor.at === null ? null : seconds(now - sensor.at),
            doubts: sensor.doubts,
            corrected: sensor.offset !== 0,
          },
        );
      }),
  }),
];
