import type { Result } from '#machines/kit/result.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

import type { CallRefusal, DevTools, DevToolsEvent } from './devtools.ts';
import { at, textAt } from './json-fields.ts';

/** Background of pages that draw none, so that a panel does not flash white at night. */
export const DARK = { r: 17, g: 17, b: 17, a: 1 } as const;

/** A session of the protocol with the browser's page. */
export interface PageSession {
  readonly id: string;
  readonly targetId: string;
  readonly call: (method: string, params?: object, withinMs?: Milliseconds) => Promise<Result<unknown, CallRefusal>>;
  /**
   * Value of an expression in the main frame, or in the context with the given unique id; with `awaitPromise` that of
   * its promise. Undefined without a value in time.
   */
  readonly evaluate: (
    expression: string,
    options?: { readonly context?: string; readonly withinMs?: Milliseconds; readonly awaitPromise?: boolean },
  ) => Promise<unknown>;
  /** Calls the listener with every event of this page. */
  readonly listen: (listener: (event: DevToolsEvent) => void) => void;
}

/** Longest wait for a value; an overloaded page needs up to 2.3 s (measured with Chromium 156). */
const EVALUATE_MS: Milliseconds = 5000;

export function pageSession(
  tools: DevTools,
  id: string,
  targetId: string,
  listeners: Set<(event: DevToolsEvent) => void>,
): PageSession {
  const call: PageSession['call'] = (method, params, withinMs) =>
    tools.call(method, params, { session: id, ...(withinMs !== undefined && { withinMs }) });
  return {
    id,
    targetId,
    call,
    evaluate: async (expression, { context, withinMs = EVALUATE_MS, awaitPromise = false } = {}) => {
      const answer = await call(
        'Runtime.evaluate',
        {
          expression,
          returnByValue: true,
          silent: true,
          awaitPromise,
          ...(context !== undefined && { uniqueContextId: context }),
        },
        withinMs,
      );
      return answer.ok && at(answer.value, 'exceptionDetails') === undefined
        ? at(answer.value, 'result', 'value')
        : undefined;
    },
    listen: (listener) => {
      listeners.add((event) => {
        if (event.session === id) listener(event);
      });
    },
  };
}

/** Id of the main frame in a `Page.frameNavigated`; null if it is about an inner frame. */
export const mainFrameIn = (params: unknown): string | null =>
  at(params, 'frame', 'parentId') === undefined ? textAt(100, params, 'frame', 'id') : null;
