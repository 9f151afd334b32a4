import type { Registry } from '#actors/kit/registry.ts';

export const isHere = (registry: Registry, id: string): boolean =>
  registry.read(id as 'screen') !== undefined; // refused: a cast in the call

export const touch = (registry: Registry, ids: readonly 'screen'[]): unknown =>
  registry.tell(ids[0]!, { type: 'screen.probe' }); // refused: a cast in the call
