import multicastDns from 'multicast-dns';
import { afterEach, describe, expect, it } from 'vitest';

import { homeAssistantBrowser } from '#drivers/finder/browse.ts';
import { nothingObserved, instancesIn, withResponse, type Observed } from '#drivers/finder/records.ts';
import type { FinderEvent, FinderFact } from '#machines/finder/events.ts';
import { runDriver } from '#test/drivers/run-driver.ts';

type Answers = Parameters<typeof withResponse>[1]['answers'];

const SERVICE = '_home-assistant._tcp.local';
const advert = (name: string, uuid: string | null, address: string | null, ttl = 120): Answers => [
  { type: 'PTR', name: SERVICE, ttl, data: `${name}.${SERVICE}` },
  { type: 'SRV', name: `${name}.${SERVICE}`, ttl, data: { target: `${name}.local`, port: 8123 } },
  {
    type: 'TXT',
    name: `${name}.${SERVICE}`,
    ttl,
    data: [...(uuid === null ? [] : [`uuid=${uuid}`]), 'version=2026.11.0'],
  },
  ...(address === null ? [] : [{ type: 'A' as const, name: `${name}.local`, ttl, data: address }]),
];
const heard = (answers: Answers, seen: Observed = nothingObserved, from = '10.9.9.9', now = 0): Observed =>
  withResponse(seen, { answers, additionals: [] }, from, now);

describe('records', () => {
  it('give a platform with its uuid and address', () => {
    expect(instancesIn(heard(advert('Home', 'u1', '10.0.0.2')), 0)).toEqual([
      { id: 'u1', name: 'home.local', host: '10.0.0.2', port: 8123, internalUrl: null },
    ]);
  });
  it('fall back on host name and sender', () => {
    expect(instancesIn(heard(advert('home', null, null)), 0)).toEqual([
      { id: 'home.local', name: 'home.local', host: '10.9.9.9', port: 8123, internalUrl: null },
    ]);
  });
  it('tell its port, and what it says is its address, at most 255 characters of that', () => {
    const records = (port: number, url: string): Answers => [
      ...(advert('home', 'u1', '10.0.0.2') ?? []),
      { type: 'SRV', name: `home.${SERVICE}`, ttl: 9, data: { target: 'home.local', port } },
      { type: 'TXT', name: `home.${SERVICE}`, ttl: 9, data: ['uuid=u1', `internal_url=${url}`] },
    ];
    const said = (answers: Answers) => instancesIn(heard(answers), 0)[0];
    expect(said(records(80, 'https://home.test'))).toMatchObject({ port: 80, internalUrl: 'https://home.test' });
    expect(said(records(0, ''))).toMatchObject({ port: 8123, internalUrl: null });
    expect(said(records(80, 'x'.repeat(999)))?.internalUrl).toHaveLength(255);
  });
  it('expire, and go with a farewell', () => {
    const seen = heard(advert('home', 'u1', '10.0.0.2'));
    expect(instancesIn(seen, 119_999)).toHaveLength(1);
    expect(instancesIn(seen, 120_000)).toEqual([]);
    expect(instancesIn(heard([{ type: 'PTR', name: SERVICE, ttl: 0, data: `HOME.${SERVICE}` }], seen), 1)).toEqual([]);
  });
  it('follow a host to its newer address, and lose one that said farewell', () => {
    const at = (data: string, ttl = 120) => ({ type: 'A' as const, name: 'home.local', ttl, data });
    const host = (seen: Observed) => instancesIn(seen, 1).map((instance) => instance.host);
    const first = heard(advert('home', 'u1', '10.0.0.2'));
    expect(host(heard([at('10.0.0.3')], first))).toEqual(['10.0.0.3']);
    expect(host(heard([at('10.0.0.3'), at('10.0.0.2')], first))).toEqual(['10.0.0.2']);
    expect(host(heard([at('10.0.0.2', 0), at('10.0.0.3')], first))).toEqual(['10.0.0.3']);
    expect(host(heard([at('10.0.0.9', 0)], first))).toEqual(['10.0.0.2']);
    const gone = heard([at('10.0.0.2', 0)], first);
    expect(host(gone)).toEqual([]);
    expect(host(heard(advert('home', 'u1', '10.0.0.4'), gone))).toEqual(['10.0.0.4']);
  });
  it('of other services and broken ones are left alone', () => {
    expect(
      instancesIn(heard([{ type: 'PTR', name: '_http._tcp.local', ttl: 9, data: 'x._http._tcp.local' }]), 0),
    ).toEqual([]);
    expect(instancesIn(heard([{ type: 'PTR', name: SERVICE, ttl: 9, data: 'elsewhere.local' }]), 0)).toEqual([]);
    expect(heard(undefined)).toEqual(nothingObserved);
  });
  it('are bounded', () => {
    let seen = nothingObserved;
    for (let n = 0; n < 100; n += 1) seen = heard(advert(`h${n}`, `u${n}`, '10.0.0.2'), seen);
    expect(seen.instances.size).toBe(32);
    expect(seen.addresses.size).toBe(32);
  });
});

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

describe('homeAssistantBrowser on loopback', () => {
  const port = 40_000 + (process.pid % 20_000);
  it('finds who answers, and is still when it is stopped', async () => {
    const responder = multicastDns({ interface: '127.0.0.1', bind: '0.0.0.0', port, reuseAddr: true });
    open.push(() => responder.destroy());
    responder.on('query', (query) => {
      if ((query.questions ?? []).some(({ name }) => name === SERVICE))
        responder.respond({ answers: [...(advert('home', 'u1', '127.0.0.1') ?? [])] });
    });
    await new Promise<void>((resolve) => responder.once('ready', () => resolve()));
    const driver = runDriver<FinderEvent, FinderFact>(homeAssistantBrowser({ port, interfaces: ['127.0.0.1'] }));
    open.push(driver.stop);
    const fact = await driver.until(
      (one): one is Extract<FinderFact, { type: 'finder.observed' }> => one.type === 'finder.observed',
    );
    expect(fact.instances).toEqual([
      { id: 'u1', name: 'home.local', host: '127.0.0.1', port: 8123, internalUrl: null },
    ]);
    expect(driver.crashed()).toBeUndefined();
  });

  it('says so when the port is not to be had', async () => {
    const taken = multicastDns({ interface: '127.0.0.1', bind: '0.0.0.0', port: port + 1, reuseAddr: false });
    open.push(() => taken.destroy());
    await new Promise<void>((resolve) => taken.once('ready', () => resolve()));
    const driver = runDriver<FinderEvent, FinderFact>(
      homeAssistantBrowser({ port: port + 1, interfaces: ['127.0.0.1'] }),
    );
    open.push(driver.stop);
    const fact = await driver.until(
      (one): one is Extract<FinderFact, { type: 'finder.unavailable' }> => one.type === 'finder.unavailable',
    );
    expect(fact.code).toBe('EADDRINUSE');
    expect(driver.crashed()).toBeUndefined();
  });
});
