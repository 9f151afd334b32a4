import { describe, expect, it } from 'vitest';

import { filesAfter, sectionsAfter } from '#actors/reset-after.ts';
import { type ResetOrder, type ResetScope, resetScopes } from '#machines/reset/events.ts';
import { isReset } from '#machines/reset/scope.ts';
import { consentKeys } from '#machines/settings/consents.ts';
import { readMarks } from '#machines/settings/provision.ts';
import { SETTINGS_SCHEMA } from '#machines/settings/schema.ts';
import { readStored } from '#machines/settings/stored.ts';
import { emptyState } from '#machines/entity-filter/document.ts';

const order = (scope: ResetScope): ResetOrder => ({ scope, by: 'http', at: 100, leftBehind: 0 });
const before = {
  identity: { installId: 'a'.repeat(32), fingerprint: null, fingerprints: [], autoPanelId: 'vm' },
  settings: {
    revision: 4,
    values: { panel_id: 'hall', friendly_name: 'Hall', mqtt_broker: 'mqtt://b', ha_url: 'http://ha:8123', of_later: 1 },
    expose: { diag_cpu: true },
  },
  secrets: { mqtt_password: 'secret', ha_oauth: 'oauth', ha_token: 'token' },
  broker: { version: 1, password: 'mark', binding: { kind: 'unconfirmed' } },
  announced: { version: 1, devices: [] },
  proximity: { version: 1 },
  setup: { version: 1, answers: {}, reached_at: 4 },
  'auto-brightness': { version: 1, place: { latitude: 52.5 } },
  'auto-sleep': { version: 1, learned: null, darkened: { screen: 'clock' }, isSuppressed: true, place: null },
  'auto-sleep-sources': { version: 1, excluded: ['a'.repeat(64)] },
  history: { version: 1, entries: [{ at: 5, kind: 'screen', by: 'http', code: 'off', times: 1 }] },
  reset: { version: 1, state: 'ordered', scope: 'connection', by: 'http', at: 100, left_behind: 0 },
  maintenance: {
    version: 1,
    running: { token: 't', kind: 'reset', since: 90, ordered: true, run: 'r' },
    last: null,
    lastBackupAt: 12,
  },
  of_tomorrow: { kept: true },
};
const entriesIn = (sections: Readonly<Record<string, unknown>>): readonly unknown[] =>
  (sections['history'] as { readonly entries: readonly unknown[] }).entries;
const entry = (scope: ResetScope) => ({ at: 100, kind: 'reset', by: 'http', code: scope, times: 1 });

describe('after a reset', () => {
  it('of the connection, the panel knows neither broker nor Home Assistant, and all else', () => {
    const after = sectionsAfter(before, order('connection'));
    const { settings, secrets, broker, history: _history, maintenance, reset, ...rest } = after;
    expect(settings).toEqual({
      schema: SETTINGS_SCHEMA,
      revision: 5,
      values: { panel_id: 'hall', friendly_name: 'Hall', of_later: 1 },
      expose: { diag_cpu: true },
    });
    expect([secrets, broker]).toEqual([{}, undefined]);
    expect(rest).toEqual({
      identity: before.identity,
      announced: before.announced,
      proximity: before.proximity,
      of_tomorrow: before.of_tomorrow,
    });
    expect(reset).toMatchObject({ state: 'done', scope: 'connection', at: 100 });
    expect(maintenance).toMatchObject({
      running: null,
      last: { kind: 'reset', since: 90, endedAt: 100, result: { status: 'succeeded' } },
      lastBackupAt: 12,
    });
    expect(entriesIn(after)).toEqual([...before.history.entries, entry('connection')]);
  });

  it('of the settings, all of them are at their defaults but who the panel is', () => {
    const after = sectionsAfter(before, order('settings'));
    expect(after['settings']).toEqual({
      schema: SETTINGS_SCHEMA,
      revision: 5,
      values: { panel_id: 'hall' },
      expose: {},
    });
    expect([after['secrets'], after['broker'], after['proximity']]).toEqual([{}, undefined, before.proximity]);
    expect(entriesIn(after)).toEqual([...before.history.entries, entry('settings')]);
  });

  it('of the connection, a command line that gave some of it gives it again', () => {
    const marks = { mqtt_broker: 'm1', friendly_name: 'm2', ha_token: 'm3' };
    const given = { ...before, settings: { ...before.settings, given: { key: 'k', marks } } };
    const after = sectionsAfter(given, order('connection'));
    expect(readMarks(after['settings'])).toEqual({ key: 'k', marks: { friendly_name: 'm2' } });
  });

  it('of everything, only which machine this is stays, and who did it', () => {
    const after = sectionsAfter(before, order('everything'));
    expect(Object.keys(after).toSorted()).toEqual(['history', 'identity', 'maintenance', 'reset']);
    expect(after['maintenance']).toMatchObject({ last: { kind: 'reset', since: 100 }, lastBackupAt: null });
    expect([after['identity'], entriesIn(after)]).toEqual([before.identity, [entry('everything')]]);
  });

  it.each(['connection', 'settings', 'everything'] as const)('no credential is left: %s', (scope) => {
    const after = sectionsAfter(before, order(scope));
    expect(readStored({ settings: after['settings'], secrets: after['secrets'] }).configuration.secrets).toEqual({});
    expect(JSON.stringify(after)).not.toMatch(/secret"|"oauth"|"token"/);
  });

  it.each(['connection', 'settings', 'everything'] as const)('doing it again comes to the same: %s', (scope) => {
    const once = sectionsAfter(before, order(scope));
    expect(sectionsAfter({ ...once, reset: before.reset }, order(scope))).toMatchObject({
      history: once['history'] as object,
      reset: once['reset'] as object,
    });
  });

  it.each([{}, { settings: 'torn', secrets: 7, history: null }])('odd sections are no obstacle: %j', (sections) => {
    expect(entriesIn(sectionsAfter(sections, order('settings')))).toEqual([entry('settings')]);
  });
});

describe('the other files', () => {
  const account = (server: string) => ({ server, user: 'u', start: null, dashboards: [] });
  const kept = { ...emptyState, accounts: [account('http://ha:8123'), account('http://other:8123')] };

  it('lose what was learned of that Home Assistant, with the connection', () => {
    const { profiles, filter } = filesAfter(before, order('connection'));
    expect(profiles).toBe(false);
    expect(typeof filter === 'function' && filter(kept)).toEqual({
      ...kept,
      accounts: [account('http://other:8123')],
    });
  });
  it('lose the light that an entity of that Home Assistant measured, and not that of the own sensor', () => {
    const light = (entity: string, scope: ResetScope) =>
      filesAfter({ settings: { values: { auto_brightness_ha_entity: entity } } }, order(scope)).light;
    expect([light('sensor.lux', 'connection'), light('', 'connection')]).toEqual([true, false]);
    expect([light('sensor.lux', 'settings'), light('', 'everything')]).toEqual([false, true]);
  });
  it('stay where no Home Assistant is known, and with the settings', () => {
    expect(filesAfter({}, order('connection'))).toEqual({
      profiles: false,
      light: false,
      copies: false,
      filter: 'keep',
    });
    expect(filesAfter(before, order('settings'))).toEqual({
      profiles: false,
      light: false,
      copies: false,
      filter: 'keep',
    });
  });
  it('go with everything', () => {
    expect(filesAfter(before, order('everything'))).toEqual({
      profiles: true,
      light: true,
      copies: true,
      filter: 'remove',
    });
  });
});

describe.each(consentKeys)('the consent to %s', (key) => {
  const agreed = {
    ...before,
    settings: { ...before.settings, values: { ...before.settings.values, [key]: true } },
    consents: { [key]: before.identity.installId },
  };

  it.each(resetScopes)('ends with a reset of %s', (scope) => {
    const after = sectionsAfter(agreed, order(scope));
    expect(Object.keys(after)).not.toContain('consents');
    expect(JSON.stringify(after['settings'] ?? null)).not.toContain(key);
    const { settings, secrets, consents } = after;
    const read = readStored({ settings, secrets, consents }, before.identity.installId);
    expect(read.configuration.values[key]).toBe(false);
  });

  it('is counted before each reset', () => {
    for (const scope of resetScopes) expect(isReset(scope, key)).toBe(true);
  });
});
