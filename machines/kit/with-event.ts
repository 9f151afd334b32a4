/** An action or guard that receives the whole event of its transition. */
interface WithEvent<T extends string> {
  readonly type: T;
  readonly params: <E>(scope: { readonly event: E }) => E;
}

/**
 * Names an action or guard and passes it the event of its transition as params. An event of the wrong type does not
 * compile, so nothing is silently ignored.
 */
export const withEvent = <T extends string>(type: T): WithEvent<T> => ({ type, params: ({ event }) => event });
