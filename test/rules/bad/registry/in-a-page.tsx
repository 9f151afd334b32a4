import type { Registry } from '#actors/kit/registry.ts';

export const Port = ({ registry }: { readonly registry: Registry }) => (
  <b>{(registry.read('http')?.context as { port: number }).port}</b> // refused: a cast of the answer
);
