import type { Registry } from '#actors/kit/registry.ts';

export const portOf = (registry: Registry): number => {
  const http = registry.read('http')?.context;
  return (http as { port: number } | undefined)?.port ?? -1; // refused: a cast of what was read
};

export const saved = async (registry: Registry): Promise<string | null> => {
  const asked = await registry.ask('store', { type: 'store.read', section: 'screen' }, 100);
  return asked.ok ? (asked.value as string) : null; // refused: a cast of what was read
};

export const widthOf = (registry: Registry): number => {
  const { context } = registry.read('screen') ?? { context: null };
  return context!.display?.width ?? 0; // refused: a cast of what was read
};
