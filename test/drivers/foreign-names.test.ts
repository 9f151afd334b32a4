import { decode, encode } from 'dns-packet';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { findPanel, parseDevices } from '#drivers/adb/bridge.ts';
import { instancesIn, nothingObserved, withResponse } from '#drivers/finder/records.ts';
import type { Ask } from '#drivers/home-assistant/bounded.ts';
import { readDashboard } from '#drivers/home-assistant/dashboard.ts';
import { entityAfter } from '#drivers/home-assistant/entity-state.ts';
import { sourceOf } from '#drivers/home-assistant/topics.ts';
import { fieldsOf, messagesOf } from '#drivers/kit/json-fields.ts';
import { openEntityReports } from '#drivers/renderer/entity-reports.ts';
import { at } from '#drivers/renderer/json-fields.ts';
import { primaryLan } from '#drivers/readings/address.ts';
import { foreignNames, titleOf, watchPrototypes } from '#test/fakes/foreign-names.ts';

const SERVICE = '_home-assistant._tcp.local';

/** An object with a field of that name, as JSON brings it; a literal would set the prototype. */
const withField = (name: string, value: unknown): Readonly<Record<string, unknown>> =>
  Object.fromEntries([[name, value]]);

let isKept: () => void;
beforeEach(() => {
  isKept = watchPrototypes();
});
afterEach(() => isKept());

describe.each(foreignNames.map((name) => [titleOf(name), name]))('the name %s', (_, name) => {
  it('is a host and an instance like any other over mDNS, and goes with its farewell', () => {
    const records = (ttl: number) => [
      { type: 'A' as const, name, ttl, data: '10.0.0.9' },
      { type: 'PTR' as const, name: SERVICE, ttl, data: `${name}.${SERVICE}` },
      { type: 'SRV' as const, name: `${name}.${SERVICE}`, ttl, data: { target: name, port: 1 } },
      { type: 'TXT' as const, name: `${name}.${SERVICE}`, ttl, data: [name, `${name}=1`, `uuid=${name}`] },
    ];
    const hear = (seen: typeof nothingObserved, ttl: number) =>
      withResponse(seen, { answers: records(ttl), additionals: records(ttl) }, '10.0.0.8', 0);
    let seen = nothingObserved;
    for (let packet = 0; packet < 20; packet += 1) seen = hear(seen, 120);
    // One that is longer than a name may be is cut, and is no instance then.
    const found = name.length > 255 ? [] : [{ name: name.toLowerCase(), host: '10.0.0.9', port: 1 }];
    expect(instancesIn(seen, 1)).toMatchObject(found);
    expect(instancesIn(seen, 1)).toHaveLength(found.length);
    expect(instancesIn(hear(seen, 0), 1)).toEqual([]);
  });

  it('is decoded from a packet as it was sent, where a packet can hold it', () => {
    // A label has 63 bytes at most, and none is empty.
    const fits = name.length > 0 && name.length < 64 && name.isWellFormed();
    const sent = fits ? name : 'fits';
    const packet = decode(encode({ type: 'response', answers: [{ type: 'A', name: sent, ttl: 1, data: '10.0.0.9' }] }));
    expect(packet.answers?.[0]).toMatchObject({ name: sent });
  });

  it('is found in no object of a message that has none of it', () => {
    expect(fieldsOf({ other: 1 })[name]).toBeUndefined();
    expect(fieldsOf(JSON.parse(JSON.stringify(withField(name, 1))))[name]).toBe(1);
    expect(messagesOf(JSON.stringify([withField(name, 1), name]))).toHaveLength(2);
    expect(at({ other: 1 }, name)).toBeUndefined();
    expect(at({ a: {} }, 'a', name, name)).toBeUndefined();
  });

  it('is an entity, a panel and a dashboard that Home Assistant said nothing of', async () => {
    const before = { kind: 'entity', entityId: name, state: 'on', deviceClass: null, unit: null } as const;
    expect(entityAfter(name, before, { a: {}, c: {} })).toBeNull();
    expect(entityAfter(name, before, { a: withField(name, { s: 'off' }) })).toMatchObject({ state: 'off' });
    const telling =
      (value: unknown): Ask =>
      () =>
        Promise.resolve({ ok: true, value });
    // Of no name the one that the start page leads to is read.
    expect(await readDashboard(name || 'nowhere', telling({ lovelace: { component_name: 'lovelace' } }))).toBeNull();
    const all = withField(name, withField(name, { url_path: name, component_name: 'lovelace' }));
    for (const kind of [
      'areas',
      'floors',
      'entities',
      'devices',
      'dashboards',
      'entity-ids',
      'energy',
      'light-sensors',
      'place',
    ] as const)
      for (const value of [all, Object.values(all), [all], name, [name]])
        // oxlint-disable-next-line no-await-in-loop -- one after another
        expect(await sourceOf({ kind }).read(telling(value), () => Promise.resolve({}), 0)).toMatchObject({ kind });
  });

  it('is no report of a page, no network and no state of a panel', () => {
    const sent: unknown[] = [];
    const hear = openEntityReports(
      () => 0,
      (fact) => sent.push(fact),
    );
    expect(hear({ type: name, dashboard: 'a' })).toBe(false);
    hear({ type: 'opened', dashboard: name, id: name });
    hear({ type: 'read', dashboard: 'a', ids: [name] });
    expect(sent).toEqual([]);
    expect(primaryLan({ ipv4: { interface: name, gateway: null }, ipv6: null } as never, {})).toBeNull();
    expect(findPanel(parseDevices(`List\nserial ${name}\n`), { kind: 'only' }).phase).toBe('waiting');
  });
});
