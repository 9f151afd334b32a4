import { expect } from 'vitest';

import { filterIn, type PanelOptions, sectionsIn, seed } from '../scenarios/panels.ts';

const names = ['hall', 'kitchen'] as const;
type Name = (typeof names)[number];

/** The options of a stopped panel whose every file says its name. */
export function seeded(name: Name, options: PanelOptions): PanelOptions {
  seed(options.data, {
    sections: {
      settings: {
        revision: 1,
        values: { friendly_name: name, mqtt_broker: 'mqtt://127.0.0.1:1', mqtt_user: name },
        expose: { diag_cpu: name === 'hall' },
      },
      secrets: { mqtt_password: `${name}-password` },
      setup: { version: 1, answers: {}, reached_at: name.length },
      'auto-sleep-sources': { version: 1, excluded: [name] },
    },
    filter: [`light.${name}`],
    profiles: [`${name}-panel`],
  });
  return options;
}

/** Whose files these are, each by itself. */
function namesIn(data: string): readonly unknown[] {
  const { settings, secrets, setup, 'auto-sleep-sources': sources } = sectionsIn(data) as Record<string, unknown>;
  const of = (value: unknown): unknown => names.find((name) => JSON.stringify(value).includes(name));
  const { values, expose } = settings as { readonly values: object; readonly expose: Record<string, unknown> };
  const { reached_at: reached } = setup as { readonly reached_at: unknown };
  return [
    of(values),
    expose['diag_cpu'] === true ? 'hall' : 'kitchen',
    of(secrets),
    names.find(({ length }) => length === reached),
    of(sources),
    of(filterIn(data)),
  ];
}

/** The one panel whose files these are; fails if they are of two. */
export function nameIn(data: string): Name {
  const found = new Set(namesIn(data));
  expect([...found]).toHaveLength(1);
  const [name] = found;
  return name === 'hall' ? 'hall' : 'kitchen';
}
