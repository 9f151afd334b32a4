import type { Registry } from '#actors/kit/registry.ts';

interface Facts {
  readonly port: number;
}

export const watch = (registry: Registry, onChange: (port: number) => void): (() => void) =>
  registry.follow(
    'http',
    (snapshot) => {
      const facts = snapshot?.context as Facts | undefined; // refused: a cast in the call
      return facts?.port ?? -1;
    },
    onChange,
  );

export const hear = (registry: Registry, said: (reason: string) => void): (() => void) =>
  registry.listen('mqtt', 'fault', (event) => said((event as { operation: string }).operation)); // refused: a cast in the call
