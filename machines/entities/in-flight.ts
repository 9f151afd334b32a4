/**
 * Commands under way by entity key, each with the newest one that waits behind it; at most one waits per entity. `C` is
 * what is carried out.
 */
export type InFlight<C> = Readonly<Record<string, { readonly waiting: { readonly command: C } | null }>>;

/** The queue after a step, and the command to carry out now, null for none. */
export interface InFlightStep<C> {
  readonly inFlight: InFlight<C>;
  readonly next: { readonly command: C } | null;
}

/** A command came: it runs at once when its entity is free, else it takes the place of the one that waits. */
export const enter = <C>(inFlight: InFlight<C>, key: string, command: C): InFlightStep<C> =>
  inFlight[key] === undefined
    ? { inFlight: { ...inFlight, [key]: { waiting: null } }, next: { command } }
    : { inFlight: { ...inFlight, [key]: { waiting: { command } } }, next: null };

/** A command ended: the one that waited runs. */
export function leave<C>(inFlight: InFlight<C>, key: string): InFlightStep<C> {
  const next = inFlight[key]?.waiting ?? null;
  if (next !== null) return { inFlight: { ...inFlight, [key]: { waiting: null } }, next };
  return { inFlight: Object.fromEntries(Object.entries(inFlight).filter(([name]) => name !== key)), next };
}
