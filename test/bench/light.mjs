// Prints in milliseconds how long the fit of a full week, and its chart, hold the loop at most: run as the driver does,
// a slice at a time, in a process that has not run them before. Its argument is a bundle of the decisions.
import { createRequire } from 'node:module';

const { fitMinutes, chartOf } = createRequire(import.meta.url)(process.argv[2]);

const MINUTES = 10_080;
const now = Date.UTC(2026, 8, 21);
const place = { latitude: 50, longitude: 10, timeZone: 'Europe/Berlin' };
const settings = { minimumPercent: 4, maximumPercent: 100, responsePercent: 50 };
const minutes = Array.from({ length: MINUTES }, (_, index) => {
  const lux = 500 * Math.max(0, Math.sin((index / 1440) * 2 * Math.PI)) + (index % 7);
  const minute = now / 60_000 - MINUTES + index;
  const baseline = { baselineLogMs: Math.log1p(lux) * 60_000, baselineMs: 60_000 };
  return { minute, luxMs: lux * 60_000, coveredMs: 60_000, min: lux, max: lux, last: lux, samples: 6, ...baseline };
});

/** The result, and the longest slice. */
function run(work) {
  let longest = 0;
  for (;;) {
    const began = performance.now();
    const slice = work.next();
    longest = Math.max(longest, performance.now() - began);
    if (slice.done) return { value: slice.value, longest };
  }
}

const fit = run(fitMinutes(minutes, place, now));
const input = { minutes, fit: fit.value, place, now, hours: 168, settings, sourceRevision: 1 };
const chart = run(chartOf(input));
console.log(JSON.stringify({ fit: fit.longest, chart: chart.longest }));
