import { observed } from '../kit/observed.ts';
import type { ReadingsContext, ReadingsDriverCommand, ReadingsEvent, ReadingsFact } from './events.ts';
import { steadyBoot } from './steady-boot.ts';

/** Reads the machine itself; what it cannot provide is null in the reading, never a failure. */
export const readingsMachine = observed<ReadingsContext, ReadingsEvent>()<ReadingsDriverCommand, ReadingsFact>({
  id: 'readings',
  initial: () => ({ reading: null, takenAt: null }),
  take: {
    'readings.taken': ({ reading: before }, { reading, at }) => ({
      reading: { ...reading, bootedAt: steadyBoot(before?.bootedAt ?? null, reading.bootedAt) },
      takenAt: at,
    }),
  },
  hand: { 'readings.refresh': () => ({ type: 'readings.read' }) },
  failed: 'readings-driver',
});
