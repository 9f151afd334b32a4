import type { Registry } from '#actors/kit/registry.ts';

export const dim = (registry: Registry, level: unknown): unknown =>
  registry.tell('screen', <{ type: string }>{ type: 'screen.set', level }); // refused: a cast in the call
