import { describe, expect, it } from 'vitest';

import { followForLog } from '#bin/log-policy.ts';
import { createLogger } from '#drivers/log/logger.ts';
import { fakeRegistry } from '#test/fakes/registry.ts';

/** A log of what becomes of a registry without actors. */
function logged() {
  const registry = fakeRegistry({});
  const lines: string[] = [];
  const log = createLogger({ level: 'info', secretKeys: [], human: false, write: (line) => void lines.push(line) });
  const ends = followForLog(registry, log);
  return { registry, lines, stop: (): void => ends.forEach((end) => end()) };
}

describe('what is logged of a password that was handed over', () => {
  it('is each change of where it stands, in codes, and nothing where none was or the part is absent', () => {
    const { registry, lines, stop } = logged();
    const hear = (password: string): readonly unknown[] => {
      registry.put('sign-in', { password });
      // Each line is one JSON object.
      return lines.splice(0).map((line) => {
        const { level, state, why } = JSON.parse(line) as Record<string, unknown>;
        return [level, state ?? why];
      });
    };
    expect(hear('none')).toEqual([]);
    expect(hear('trying')).toEqual([['info', 'trying']]);
    expect(hear('trying')).toEqual([]);
    expect(hear('unreachable')).toEqual([['info', 'unreachable']]);
    expect(hear('password-refused')).toEqual([['error', 'password-refused']]);
    registry.put('sign-in', undefined);
    expect(lines).toEqual([]);
    expect(hear('none')).toEqual([['info', undefined]]);
    stop();
  });
});

describe('what is logged of the link to the broker', () => {
  it('is nothing before the settings were read, and that it is off only after it was not', () => {
    const { registry, lines, stop } = logged();
    const hear = (state: string): readonly unknown[] => {
      registry.put('mqtt', { failure: null, refusedCredentials: false, attempt: 0, onlyLost: false }, state);
      // Each line is one JSON object.
      return lines.splice(0).map((line) => (JSON.parse(line) as Record<string, unknown>)['msg']);
    };
    expect(hear('off')).toEqual([]);
    expect(hear('unconfigured')).toEqual(['No broker is set up.']);
    expect(hear('off')).toEqual(['The broker is not used.']);
    stop();
  });
});

describe('what is logged of the log on the disk', () => {
  it('is one line when the disk refuses it, and one more only after it was kept again', () => {
    const { registry, lines, stop } = logged();
    const hear = (failure: string | null): number => {
      registry.put('log-files', { failure });
      return lines.splice(0).length;
    };
    expect([hear(null), hear('ENOSPC'), hear('ENOSPC'), hear('EROFS'), hear(null), hear('ENOSPC')]).toEqual([
      0, 1, 0, 0, 0, 1,
    ]);
    stop();
  });
});

describe('what is logged of the settings', () => {
  it('is which were saved, by name and never by value, and nothing of how they were at the start', () => {
    const { registry, lines, stop } = logged();
    const first = {
      revision: 0,
      values: { mqtt_broker: '', log_level: 'info' },
      secrets: { mqtt_password: false },
      expose: { screen: false },
      recipientChange: null,
    };
    const hear = (context: object): readonly unknown[] => {
      registry.put('settings', context);
      // Each line is one JSON object.
      return lines.splice(0).map((line) => {
        const { level, msg } = JSON.parse(line) as Record<string, unknown>;
        return [level, msg];
      });
    };
    expect(hear(first)).toEqual([]);
    const read = { ...first, revision: 1 };
    expect(hear(read)).toEqual([]);
    const values = { ...first.values, mqtt_broker: 'mqtt://192.0.2.77' };
    const moved = { ...read, revision: 2, values, secrets: { mqtt_password: true }, expose: { screen: true } };
    expect(hear(moved)).toEqual([
      ['info', 'Settings were saved: Address of the broker, Password of the broker, Screen in Home Assistant.'],
    ]);
    expect(hear(moved)).toEqual([]);
    // Whom a password is for is no setting that was saved.
    expect(hear({ ...moved, recipientChange: { at: 5, code: 'confirmed', from: 'panel' } })).toEqual([]);
    expect(hear({ ...moved, revision: 3, secrets: { mqtt_password: false } })).toEqual([
      ['info', 'Password of the broker was removed.'],
    ]);
    expect(hear({ ...moved, revision: 4 })).toEqual([['info', 'Settings were saved: Password of the broker.']]);
    expect(hear({ ...moved, revision: 5 })).toEqual([['info', 'A stored secret was replaced.']]);
    stop();
  });
});
