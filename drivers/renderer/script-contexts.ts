import type { DevToolsEvent } from './devtools.ts';
import { at, numberAt, textAt } from './json-fields.ts';

/** A script context that a page of the followed origin runs in. */
interface ScriptContext {
  /** A new process counts from the start again, so calls into the page use this id instead of the number. */
  readonly unique: string;
  readonly frame: string;
}

/** The default script contexts of one origin, in any frame of one session. */
export interface ScriptContexts {
  /** Takes the events of that session. */
  readonly onEvent: (event: DevToolsEvent) => void;
  /** The context with the number that messages carry. */
  readonly find: (number: number) => ScriptContext | undefined;
  /** Unique id of the newest context of a frame; null while there is none. */
  readonly of: (frame: string) => string | null;
}

/** Follows the contexts of an origin; none is followed for null. */
export function followContexts(origin: string | null): ScriptContexts {
  const known = new Map<number, ScriptContext>();
  const created = (params: unknown): void => {
    const id = numberAt(params, 'context', 'id');
    const unique = textAt(100, params, 'context', 'uniqueId');
    const frame = textAt(100, params, 'context', 'auxData', 'frameId');
    const isOfOrigin =
      origin !== null &&
      at(params, 'context', 'origin') === origin &&
      at(params, 'context', 'auxData', 'isDefault') === true;
    if (isOfOrigin && id !== null && unique !== null && frame !== null) known.set(id, { unique, frame });
  };
  return {
    find: (number) => known.get(number),
    of: (frame) => [...known.values()].findLast((context) => context.frame === frame)?.unique ?? null,
    onEvent: ({ method, params }) => {
      if (method === 'Runtime.executionContextCreated') created(params);
      else if (method === 'Runtime.executionContextDestroyed')
        known.delete(numberAt(params, 'executionContextId') ?? -1);
      else if (method === 'Runtime.executionContextsCleared' || method === 'Inspector.targetCrashed') known.clear();
    },
  };
}
