import type { Registry } from '#actors/kit/registry.ts';

interface Facts {
  readonly port: number;
}

export const portOf = (registry: Registry): number =>
  (registry.read('http')?.context as Facts | undefined)?.port ?? -1; // refused: a cast of the answer

export const viewOf = (registry: Registry): unknown => registry.read('http')!.value; // refused: a cast of the answer

export const saved = async (registry: Registry): Promise<unknown> =>
  (await registry.ask('store', { type: 'store.read', section: 'screen' }, 100)) as unknown; // refused: a cast of the answer

export const factsOf = (registry: Registry, none: Facts): Facts =>
  (registry.read('http')?.context ?? none) as Facts; // refused: a cast of the answer
