import type { AnyActorRef } from 'xstate';

/** The children of an actor by their key; empty if its kind has none. */
export function childrenOf(actor: AnyActorRef): Readonly<Record<string, AnyActorRef>> {
  const snapshot: unknown = actor.getSnapshot();
  if (typeof snapshot !== 'object' || snapshot === null || !('children' in snapshot)) return {};
  // XState types the children of an unknown actor as any; a machine's snapshot holds them by key.
  return (snapshot.children ?? {}) as Record<string, AnyActorRef>;
}

function isActive(actor: AnyActorRef): boolean {
  const snapshot: unknown = actor.getSnapshot();
  return typeof snapshot === 'object' && snapshot !== null && 'status' in snapshot && snapshot.status === 'active';
}

/**
 * Stops what a crashed machine left behind: XState does not stop the children of a machine whose action, guard or
 * assign threw. The event is the public form of a stop; a running child stops its own children with it.
 */
export function reapOrphans(crashed: AnyActorRef | undefined): void {
  if (!crashed || isActive(crashed)) return;
  for (const orphan of Object.values(childrenOf(crashed))) {
    if (isActive(orphan)) orphan.send({ type: 'xstate.stop' });
    else reapOrphans(orphan);
  }
}

/**
 * The key of one generation among a supervisor's children, so that an event of an older one is never taken for one of a
 * newer one.
 */
export const generationKey = (id: string, generation: number): string => `${id}:${generation}`;

export function parseGenerationKey(key: string): { readonly id: string; readonly generation: number } {
  const colon = key.lastIndexOf(':');
  return { id: key.slice(0, colon), generation: Number(key.slice(colon + 1)) };
}
