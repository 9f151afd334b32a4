/** An action or guard that is given the whole event of the transition at which it stands. */
interface WithEvent<T extends string> {
  readonly type: T;
  readonly params: <E>(scope: { readonly event: E }) => E;
}

/**
 * Names an action or guard and gives it the event of the transition at which it stands as its params. Where that event
 * is not one that the action takes, it does not compile: nothing is done silently at the wrong event.
 */
export const withEvent = <T extends string>(type: T): WithEvent<T> => ({ type, params: ({ event }) => event });
