import { describe, expect, it } from 'vitest';

import { handOver } from '#bin/credentials.ts';
import { createLogger } from '#drivers/log/logger.ts';
import { settle } from '#test/fakes/kit-clock.ts';
import { fakeRegistry } from '#test/fakes/registry.ts';

const credentials = { mqtt_password: 'hunter2' };

const run = (outcome: unknown, given: Readonly<Record<string, string>> = credentials) => {
  const registry = fakeRegistry({ settings: { revision: 0 } });
  registry.answer = () => ({ ok: true, value: outcome });
  const lines: string[] = [];
  const log = createLogger({ level: 'info', secretKeys: [], human: false, write: (line) => void lines.push(line) });
  const ending = new AbortController();
  const done = handOver(registry, given, log, ending.signal);
  return { registry, lines, done, end: () => ending.abort() };
};

describe('credentials handed over in files', () => {
  it('are saved once, and not before the settings are loaded', async () => {
    const { registry, lines, done } = run({ status: 'saved' });
    await settle();
    expect(registry.told).toEqual([]);
    registry.put('settings', { revision: 1 });
    await done;
    registry.put('settings', { revision: 2 });
    await settle();
    expect(registry.told).toEqual([{ id: 'settings', event: { type: 'settings.merge', patch: credentials } }]);
    expect(lines).toEqual([]);
  });

  it('that are not saved are an error in the log, by name only', async () => {
    const { registry, lines, done } = run({ status: 'refused' });
    registry.put('settings', { revision: 1 });
    await done;
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('mqtt_password');
    expect(lines[0]).not.toContain('hunter2');
  });

  it('are let go of when the agent ends before the settings are loaded', async () => {
    const { registry, lines, done, end } = run({ status: 'saved' });
    end();
    await done;
    registry.put('settings', { revision: 1 });
    await settle();
    expect([registry.told, lines]).toEqual([[], []]);
  });

  it('that are none wait for nothing', async () => {
    const { registry, done } = run({ status: 'saved' }, {});
    await done;
    expect(registry.told).toEqual([]);
  });
});
