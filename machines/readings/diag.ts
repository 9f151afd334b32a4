import { pairs } from '../kit/diag.ts';
import { textLines } from '../subsystem.ts';

const tenth = (value: number | null | undefined): number | null =>
  value === null || value === undefined ? null : Math.round(value * 10) / 10;

/** How busy and how warm the machine is, as a line of the diagnostics. */
export const diag = [
  textLines({
    order: 12,
    reads: ['readings'],
    lines: ({ read }) => {
      const reading = read('readings')?.reading;
      return [
        pairs({
          cpu_percent: tenth(reading?.cpuPercent),
          memory_percent: tenth(reading?.memoryPercent),
          soc_celsius: tenth(reading?.socCelsius),
        }),
      ];
    },
  }),
];
