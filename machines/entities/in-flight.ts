/**
 * Commands under way by entity key, each with the newest waiting one; at most one waits per entity. `C` is the type of
 * a command.
 */
export type InFlight<C> = Readonly<Record<string, { readonly waiting: { readonly command: C } | null }>>;

/** The queue after a step, and the command to carry out now, if any. */
export interface InFlightStep<C> {
  readonly inFlight: InFlight<C>;
  readonly next: { readonly command: C } | null;
}

/** Adds a command: it runs at once if its entity is free, else it replaces the waiting one. */
export const enter = <C>(inFlight: InFlight<C>, key: string, command: C): InFlightStep<C> =>
  inFlight[key] === undefined
    ? { inFlight: { ...inFlight, [key]: { waiting: null } }, next: { command } }
    : { inFlight: { ...inFlight, [key]: { waiting: { command } } }, next: null };

/** Ends a command; the waiting one runs next. */
export function leave<C>(inFlight: InFlight<C>, key: string): InFlightStep<C> {
  const next = inFlight[key]?.waiting ?? null;
  if (next !== null) return { inFlight: { ...inFlight, [key]: { waiting: null } }, next };
  return { inFlight: Object.fromEntries(Object.entries(inFlight).filter(([name]) => name !== key)), next };
}
