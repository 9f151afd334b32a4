import type { EntityEvent } from '../kit/entity.ts';

/** Commands under way by entity key, each with the newest one that waits behind it; at most one waits per entity. */
export type Lanes = Readonly<Record<string, { readonly waiting: EntityEvent | null }>>;

/** The lanes after a step, and the command to carry out now, if any. */
export interface LaneStep {
  readonly lanes: Lanes;
  readonly next: EntityEvent | null;
}

/** A command came: it runs at once when its entity is free, else it replaces the one that waits. */
export const enter = (lanes: Lanes, key: string, command: EntityEvent): LaneStep =>
  lanes[key]
    ? { lanes: { ...lanes, [key]: { waiting: command } }, next: null }
    : { lanes: { ...lanes, [key]: { waiting: null } }, next: command };

/** A command ended: the one that waited runs. */
export const leave = (lanes: Lanes, key: string): LaneStep => {
  const next = lanes[key]?.waiting ?? null;
  if (next !== null) return { lanes: { ...lanes, [key]: { waiting: null } }, next };
  return { lanes: Object.fromEntries(Object.entries(lanes).filter(([name]) => name !== key)), next };
};
