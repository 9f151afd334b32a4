'use strict';
// Loaded before the agent: tells on the fourth of its standard files when it darkened the screen, and for each touch
// that lit it when which step was done. Times are milliseconds since 1970, as exact as the kernel's.
const fs = require('node:fs');
const { performance, PerformanceObserver } = require('node:perf_hooks');

const OUT = 3;
const EVENT_BYTES = 24;
/** EV_KEY, BTN_TOUCH (linux/input-event-codes.h). */
const KEY = 1;
const TOUCH = 0x14a;
/** A collection is told of a moment after it. */
const COLLECTED_MS = 30;

const now = () => performance.timeOrigin + performance.now();
const tell = (fact) => fs.writeSync(OUT, `${JSON.stringify(fact)}\n`);

let pauses = [];
new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries())
    pauses.push({ from: performance.timeOrigin + startTime, ms: duration });
  pauses = pauses.slice(-50);
}).observe({ entryTypes: ['gc'] });

/** Nanoseconds that the main thread has run, and waited for a processor (Documentation/scheduler/sched-stats.rst). */
const schedule = () =>
  fs.readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'latin1').split(' ').slice(0, 2).map(Number);

/** When a touch began that is among these events, in milliseconds; null where none did. */
function touchIn(events) {
  for (let at = 0; at < events.length; at += EVENT_BYTES) {
    if (events.readUInt16LE(at + 16) !== KEY || events.readUInt16LE(at + 18) !== TOUCH) continue;
    if (events.readInt32LE(at + 20) !== 1) continue;
    return Number(events.readBigUInt64LE(at)) * 1000 + Number(events.readBigUInt64LE(at + 8)) / 1000;
  }
  return null;
}

let touch = null;
const { readSync } = fs;
fs.readSync = (fd, buffer, ...rest) => {
  const length = readSync(fd, buffer, ...rest);
  if (touch !== null || length === 0 || length % EVENT_BYTES !== 0) return length;
  const happened = touchIn(buffer.subarray(0, length));
  if (happened !== null) touch = { happened, read: now(), schedule: schedule() };
  return length;
};

const { writeFile } = fs.promises;
fs.promises.writeFile = async (path, text, ...rest) => {
  if (typeof path !== 'string' || !path.endsWith('/bl_power')) return writeFile(path, text, ...rest);
  const begun = now();
  await writeFile(path, text, ...rest);
  const written = now();
  const mine = touch;
  touch = null;
  if (text !== '0\n') tell({ dark: true });
  else if (mine !== null) {
    const [ran, waited] = schedule().map((ns, index) => (ns - mine.schedule[index]) / 1e6);
    setTimeout(() => {
      const within = pauses.filter(({ from }) => from >= mine.happened && from <= written);
      tell({
        took: written - mine.happened,
        untilRead: mine.read - mine.happened,
        untilWrite: begun - mine.read,
        write: written - begun,
        collecting: within.reduce((sum, { ms }) => sum + ms, 0),
        ran,
        waited,
      });
    }, COLLECTED_MS);
  }
  return undefined;
};
