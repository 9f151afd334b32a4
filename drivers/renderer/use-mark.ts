import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { InUseHolder, MarkCommand, MarkDriver, MarkFact } from '#machines/in-use/events.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

import type { Mark, MarkBrowser, MarkDeps } from './mark.ts';

export interface UseMarkDeps {
  /** Milliseconds of the monotonic clock. */
  readonly elapsed: () => Milliseconds;
  /** Another `OUTLAST_MS`, for tests. */
  readonly outlastMs?: Milliseconds;
}

/** What the driver of the browser calls. */
export interface AttachedMark extends Pick<Mark, 'onEvent' | 'inFront'> {
  /** The browser has ended. */
  readonly detach: () => void;
}

/**
 * How long a mark outlasts a part that ended while it was wanted, which only a crash does: what is in use learns of it
 * at once, and is closed well before that.
 */
const OUTLAST_MS: Milliseconds = 2000;

/** Joins the driver that shows what is in use with the browser that happens to run. */
export interface UseMark {
  readonly driver: MarkDriver;
  /** Called when a browser is ready; its tabs, in which `open` draws, take the mark until it is detached. */
  readonly attach: (browser: MarkBrowser, open: (deps: MarkDeps) => Mark) => AttachedMark;
}

/** The mark on a real screen. It is made at the start, so what draws comes with the browser. */
export function createUseMark({ elapsed, outlastMs = OUTLAST_MS }: UseMarkDeps): UseMark {
  let report: ((fact: MarkFact) => void) | null = null;
  let attached: Mark | null = null;
  let wanted: readonly InUseHolder[] | null = null;
  /** Ends a mark that nothing wants any more. */
  let outlasting: NodeJS.Timeout | undefined;
  const send = (fact: MarkFact): void => report?.(fact);

  return {
    driver: fromDriver<MarkCommand, undefined, MarkFact>((scope) => {
      report = scope.send;
      scope.onEvent((command) => {
        clearTimeout(outlasting);
        wanted = command.type === 'mark.show' ? command.of : null;
        if (attached !== null) return attached.onCommand(command);
        scope.send(wanted !== null ? { type: 'mark.unconfirmed', at: elapsed() } : { type: 'mark.hidden' });
      });
      return () => {
        if (report === scope.send) report = null;
        if (wanted === null) return;
        clearTimeout(outlasting);
        outlasting = setTimeout(() => {
          wanted = null;
          void attached?.onCommand({ type: 'mark.hide' });
        }, outlastMs);
        outlasting.unref();
      };
    }),
    attach: (browser, open) => {
      const mark = open({ ...browser, elapsed, send });
      attached?.end();
      attached = mark;
      if (wanted !== null) void mark.onCommand({ type: 'mark.show', of: wanted });
      return {
        onEvent: mark.onEvent,
        inFront: mark.inFront,
        detach: () => {
          mark.end();
          if (attached === mark) attached = null;
        },
      };
    },
  };
}
