import type { CommandValue } from './command.ts';

/** Commands under way by entity key, each with the newest one that waits behind it; at most one waits per entity. */
export type Lanes = Readonly<Record<string, { readonly waiting: { readonly value: CommandValue } | null }>>;

/** The lanes after a step, and the command to carry out now, if any. */
export interface LaneStep {
  readonly lanes: Lanes;
  readonly run: { readonly key: string; readonly value: CommandValue } | null;
}

const without = (lanes: Lanes, key: string): Lanes => Object.fromEntries(Object.entries(lanes).filter(([name]) => name !== key));

/** A command came: it runs at once when its entity is free, else it replaces the one that waits. */
export const enter = (lanes: Lanes, key: string, value: CommandValue): LaneStep =>
  lanes[key] ? { lanes: { ...lanes, [key]: { waiting: { value } } }, run: null } : { lanes: { ...lanes, [key]: { waiting: null } }, run: { key, value } };

/** A command ended: the one that waited runs. */
export const leave = (lanes: Lanes, key: string): LaneStep => {
  const lane = lanes[key];
  if (!lane) return { lanes, run: null };
  if (!lane.waiting) return { lanes: without(lanes, key), run: null };
  return { lanes: { ...lanes, [key]: { waiting: null } }, run: { key, value: lane.waiting.value } };
};
