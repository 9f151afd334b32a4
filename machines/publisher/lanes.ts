import type { NamedEvent } from '../kit/actor.ts';

/** Commands under way by entity key, each with the newest one that waits behind it; at most one waits per entity. */
export type Lanes<E extends NamedEvent> = Readonly<Record<string, { readonly waiting: E | null }>>;

/** The lanes after a step, and the command to carry out now, if any. */
export interface LaneStep<E extends NamedEvent> {
  readonly lanes: Lanes<E>;
  readonly next: E | null;
}

/** A command came: it runs at once when its entity is free, else it replaces the one that waits. */
export const enter = <E extends NamedEvent>(lanes: Lanes<E>, key: string, command: E): LaneStep<E> =>
  lanes[key]
    ? { lanes: { ...lanes, [key]: { waiting: command } }, next: null }
    : { lanes: { ...lanes, [key]: { waiting: null } }, next: command };

/** A command ended: the one that waited runs. */
export const leave = <E extends NamedEvent>(lanes: Lanes<E>, key: string): LaneStep<E> => {
  const next = lanes[key]?.waiting ?? null;
  if (next !== null) return { lanes: { ...lanes, [key]: { waiting: null } }, next };
  return { lanes: Object.fromEntries(Object.entries(lanes).filter(([name]) => name !== key)), next };
};
