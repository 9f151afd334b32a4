import type { Registry } from '#actors/kit/registry.ts';

export const dim = (registry: Registry, level: unknown): unknown =>
  registry.tell('screen', { type: 'screen.set', level } as { type: string }); // refused: a cast in the call

export const save = (registry: Registry, patch: unknown): unknown =>
  registry.ask('settings', { type: 'settings.merge', patch: patch as object }, 100); // refused: a cast in the call
