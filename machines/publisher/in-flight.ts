/**
 * Commands under way by entity key, each with what waits behind it; at most one waits per entity. `C` is what is
 * carried out.
 */
export type InFlight<C> = Readonly<Record<string, { readonly waiting: { readonly command: C } | null }>>;

/** The queue after a step, and the command to carry out now, null for none. */
export interface InFlightStep<C> {
  readonly inFlight: InFlight<C>;
  readonly next: { readonly command: C } | null;
}

/**
 * A command came: it runs at once when its entity is free, else it is `joined` with the one that waits, so that of many
 * one is left, the newest.
 */
export const enter = <C>(
  inFlight: InFlight<C>,
  key: string,
  command: C,
  join: (older: C, newer: C) => C,
): InFlightStep<C> => {
  const running = inFlight[key];
  if (running === undefined) return { inFlight: { ...inFlight, [key]: { waiting: null } }, next: { command } };
  const joined = running.waiting === null ? command : join(running.waiting.command, command);
  return { inFlight: { ...inFlight, [key]: { waiting: { command: joined } } }, next: null };
};

/** A command ended: the one that waited runs. */
export const leave = <C>(inFlight: InFlight<C>, key: string): InFlightStep<C> => {
  const next = inFlight[key]?.waiting ?? null;
  if (next !== null) return { inFlight: { ...inFlight, [key]: { waiting: null } }, next };
  return { inFlight: Object.fromEntries(Object.entries(inFlight).filter(([name]) => name !== key)), next };
};

/** Whether a command waits behind the one of that entity which is under way. */
export const isFollowed = (inFlight: InFlight<unknown>, key: string): boolean =>
  (inFlight[key]?.waiting ?? null) !== null;
