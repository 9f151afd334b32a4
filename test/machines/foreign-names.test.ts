import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { configuredOf } from '#machines/entity-filter/configured.ts';
import { setOf } from '#machines/entity-filter/sets.ts';
import { parseOrigin } from '#machines/http/authority.ts';
import { initialFacts as watchFacts, takeWatch } from '#machines/home-assistant/facts.ts';
import { identityView } from '#machines/identity/view.ts';
import { afterChange, noButtons } from '#machines/input/buttons.ts';
import { ownField } from '#machines/kit/own-field.ts';
import { parseBrokerAddress } from '#machines/mqtt/broker-address.ts';
import { initialFacts } from '#machines/publisher/facts.ts';
import { meaningIn } from '#machines/publisher/incoming.ts';
import { ownerOf, verdictOf } from '#machines/publisher/selectors.ts';
import { takeOwner, takeStatus } from '#machines/publisher/transitions.ts';
import { defaultConfiguration, judgePosted, mergeSettings } from '#machines/settings/merge.ts';
import { readStored } from '#machines/settings/stored.ts';
import { foreignNames, titleOf, watchPrototypes } from '#test/fakes/foreign-names.ts';

import { cards, existing, scanOf } from './entity-filter/house.ts';

/** An object with a field of that name, as JSON brings it; a literal would set the prototype. */
const withField = (name: string, value: unknown): Readonly<Record<string, unknown>> =>
  Object.fromEntries([[name, value]]);

const panel = {
  panelId: 'hall',
  installId: 'a'.repeat(32),
  friendlyName: 'Hall',
  manufacturer: '',
  model: '',
  version: '1',
  configurationUrl: null,
  prefix: 'ha',
  hidden: [],
  shapes: [{ key: 'led', entityKind: 'light' as const, name: 'Light', attributes: false }],
};

let isKept: () => void;
beforeEach(() => {
  isKept = watchPrototypes();
});
afterEach(() => isKept());

describe.each(foreignNames.map((name) => [titleOf(name), name]))('the name %s', (_, name) => {
  it('is no field of a record that has none of it, and one of a record that has', () => {
    expect(ownField({ other: 1 }, name)).toBeUndefined();
    expect(ownField(Object.fromEntries([[name, 1]]), name)).toBe(1);
  });

  it('is no setting', () => {
    for (const key of [name, `ha_expose_${name}`]) {
      const merged = mergeSettings(defaultConfiguration, withField(key, 'x'));
      expect(merged.status).toBe('refused');
      expect(merged.status === 'refused' && Object.keys(merged.reasons)).toEqual([key]);
      expect(judgePosted(key, 'x').ok).toBe(false);
    }
  });

  it('is dropped from what was stored', () => {
    const stored = readStored({
      settings: { values: withField(name, 'x'), expose: withField(name, true) },
      secrets: withField(name, 'x'),
    });
    expect(stored.configuration).toEqual(defaultConfiguration);
    expect(stored.dropped).toEqual([name, `ha_expose_${name}`, name]);
  });

  it('means nothing as a topic or a field over MQTT', () => {
    const incoming = (topic: string, payload: string) => meaningIn(panel, { topic, payload, retained: false });
    expect(incoming(name, '')).toBeNull();
    expect(incoming(`sconce/hall/${name}/set`, '1')).toBeNull();
    expect(incoming('sconce/hall/led/set', JSON.stringify(withField(name, 1)))).toMatchObject({
      command: { ok: false },
    });
    expect(incoming('sconce/hall/led/set', `{"color":${JSON.stringify(withField(name, 1))}}`)).toMatchObject({
      command: { ok: false },
    });
  });

  it('is a panel id and an owner like any other', () => {
    expect(takeOwner({ ...initialFacts, panel }, { panelId: name, owner: 'x' })).toEqual({});
    const facts = { ...initialFacts, panel: { ...panel, panelId: name } };
    expect(ownerOf(facts)).toBeNull();
    expect(verdictOf(facts)).toBe('claim');
    const owned = { ...facts, ...takeOwner(facts, { panelId: name, owner: name || 'x' }) };
    expect(ownerOf(owned)).toBe(name || 'x');
    expect(verdictOf(owned)).toBe('take-over');
    const other = { ...owned, ...takeStatus(owned, { install: (name || 'x').slice(0, 8), status: 'online' }) };
    expect(verdictOf(other)).toBe('duplicate');
  });

  it('is a button that is pressed once', () => {
    const change = { name, down: true, at: 1, longMs: 0, doubleMs: 0 };
    const buttons = afterChange(afterChange(noButtons, change), { ...change, down: false, at: 2 });
    expect(buttons.occurrences.map(({ button, event }) => [button, event])).toEqual([
      [name, 'press'],
      [name, 'release'],
    ]);
  });

  it('is a dashboard, an entity, a card or a watcher of which nothing is known', () => {
    expect(setOf({}, name)).toBeNull();
    const scan = scanOf(
      {
        ...(cards({ type: name, entity: name, ...withField(name, [name]) }).configuration as object),
        ...withField(name, [1]),
      },
      { dashboard: name, existing: [...existing, name], energyIds: [name] },
    );
    expect([...configuredOf(scan).found.keys()].filter((id) => id !== name)).toEqual([]);
    const facts = {
      ...watchFacts({ settleMs: 0 }),
      ...takeWatch(watchFacts({ settleMs: 0 }), { watcher: name, topics: [{ kind: 'areas' }] }),
    };
    expect(Object.keys(facts.watches)).toEqual([name]);
  });

  it('is no scheme, and no vendor that is called otherwise', () => {
    expect(parseBrokerAddress(`${name}://host`).ok).toBe(false);
    expect(parseOrigin(`${name}://host`)?.defaultPort ?? null).toBeNull();
    const { manufacturer } = identityView(
      { installId: 'a'.repeat(32), autoPanelId: 'hall', fingerprint: name, fingerprints: [] },
      { hostName: name, vendor: name, product: name, system: name, fingerprint: name, fingerprints: [] },
      { panelId: '', friendlyName: '', manufacturer: '', model: '' },
    );
    expect(typeof manufacturer).toBe('string');
  });
});
