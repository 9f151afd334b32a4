import { type GroupSpec, isGroup } from '#actors/kit/spec.ts';

/** Groups that act on the panel, the network or the data folder. */
const acting: ReadonlySet<string> = new Set(['edge', 'link', 'view', 'access', 'upkeep']);

/** The tree of an agent that only probes the machine. */
export const withoutActing = (root: GroupSpec): GroupSpec => ({
  ...root,
  children: root.children.filter((child) => !isGroup(child) || !acting.has(child.id)),
});
