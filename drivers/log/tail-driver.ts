import type { EventObject } from 'xstate';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { LiveLogFact } from '#machines/live-log/events.ts';

import type { LogTail } from './tail.ts';

/** Pause between two reports: short enough for an eye, and thousands of lines become one event. */
const REPORT_MS: Milliseconds = 100;

/** Reports the newest position of the log, at once and then at most ten times a second. */
export const tailDriver = (tail: Pick<LogTail, 'newest' | 'onMove'>) =>
  fromDriver<EventObject, undefined, LiveLogFact>(({ send, guard }) => {
    let timer: NodeJS.Timeout | undefined;
    const report = guard(() => {
      timer = undefined;
      send({ type: 'log.moved', newest: tail.newest() });
    });
    report();
    const unlisten = tail.onMove(() => {
      timer ??= setTimeout(report, REPORT_MS);
    });
    return () => {
      unlisten();
      clearTimeout(timer);
    };
  });
