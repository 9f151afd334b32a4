import type { Registry } from '#actors/kit/registry.ts';

interface Facts {
  readonly port: number;
}

export const portOf = (registry: Registry): number => registry.read<Facts>('http')?.context.port ?? -1; // refused: type arguments

export const merge = (registry: Registry, event: object): unknown =>
  registry.ask<string>('settings', event, 100); // refused: type arguments

export const touch = (registry: Registry): unknown =>
  registry.tell<'stream'>('stream', { type: 'stream.touched' }); // refused: type arguments

export const hear = (registry: Registry): (() => void) =>
  registry.listen<'mqtt'>('mqtt', 'reply', () => {}); // refused: type arguments

export const watch = (registry: Registry, onChange: (port: number) => void): (() => void) =>
  registry.follow<number>( // refused: type arguments
    'http',
    (snapshot) => snapshot?.context.port ?? -1,
    onChange,
  );
