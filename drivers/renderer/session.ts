import type { Result } from '#machines/kit/result.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

import type { CallRefusal, DevTools, DevToolsEvent } from './devtools.ts';
import { at, textAt } from './json-fields.ts';

/** The one page of the browser. */
export interface PageSession {
  readonly id: string;
  readonly targetId: string;
  readonly call: (method: string, params?: object, withinMs?: Milliseconds) => Promise<Result<unknown, CallRefusal>>;
  /**
   * Value of an expression in the main frame, or in the context of a given unique id, with `awaitPromise` that of the
   * promise it gives; undefined when it gave none in time.
   */
  readonly evaluate: (
    expression: string,
    options?: { readonly context?: string; readonly withinMs?: Milliseconds; readonly awaitPromise?: boolean },
  ) => Promise<unknown>;
  /** Calls the listener with every event of this page. */
  readonly listen: (listener: (event: DevToolsEvent) => void) => void;
}

/** Longest wait for the value of an expression; an overloaded page needs up to 2.3 s (measured with Chromium 156). */
const EVALUATE_MS: Milliseconds = 5000;

/** Wraps a session of the protocol. */
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

/** Id of the main frame that a `Page.frameNavigated` speaks of; null when it speaks of a frame within. */
export const mainFrameIn = (params: unknown): string | null =>
  at(params, 'frame', 'parentId') === undefined ? textAt(100, params, 'frame', 'id') : null;
