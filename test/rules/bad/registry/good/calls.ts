import type { Registry } from '#actors/kit/registry.ts';

/** Whether the listener is up; `registry.read<Facts>('http') as Facts` in a comment is no code. */
export const isUp = (registry: Registry): boolean => (registry.read('http')?.context.port ?? -1) > 0;

export const dim = (registry: Registry, level: number): unknown =>
  registry.tell('screen', { type: 'screen.set', brightness: level, origin: 'x as y' });

export const watch = (registry: Registry, onChange: (kind: string) => void): (() => void) =>
  registry.follow(
    'http',
    (snapshot) => ({ kind: 'port', port: snapshot?.context.port ?? -1 }) as const,
    ({ kind }) => onChange(kind),
  );

export const save = async (registry: Registry): Promise<boolean> => {
  const event = { type: 'settings.merge', patch: {} } as const;
  const asked = await registry.ask('settings', event, 100);
  return asked.ok && asked.value.status === 'saved';
};

/** A cast of something else stays with the linter's own rules. */
export const other = (value: unknown): string => (value as Map<string, string>).get('http') ?? '';
