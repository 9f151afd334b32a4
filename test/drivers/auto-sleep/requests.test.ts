import { describe, expect, it } from 'vitest';

import { restingView } from '#machines/auto-sleep/off.ts';

import { areaOf, chosen, key, rig } from './rig.ts';

/** A promise that the test fulfils. */
function waiting<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((fulfil) => {
    resolve = fulfil;
  });
  return { promise, resolve };
}

const include = (requestId: string, sourceKey: string, included: boolean, areaKey = key('e')) =>
  ({ type: 'auto-sleep.include', requestId, areaKey, sourceKey, included }) as const;

describe('the sources', () => {
  it('are those of the area, if it is known', async () => {
    const { begin, ask, current } = rig();
    begin();
    expect(await ask({ type: 'auto-sleep.sources', requestId: 'a' })).toMatchObject({ reason: 'no-sources' });
    current().area = areaOf([]);
    expect(await ask({ type: 'auto-sleep.sources', requestId: 'b' })).toEqual({ ok: true, value: areaOf([]) });
  });

  it('are left out durably, and watched anew', async () => {
    const { begin, ask, current, observed, written } = rig();
    begin();
    current().area = areaOf([]);
    expect(await ask(include('a', key('b'), false))).toEqual({ ok: true, value: { included: false } });
    expect(written).toEqual([[key('b')]]);
    expect(observed.map(({ excluded, isOver }) => [excluded, isOver])).toEqual([
      [[], true],
      [[key('b')], false],
    ]);
    // Until the new watch knows its area.
    expect(await ask({ type: 'auto-sleep.sources', requestId: 'b' })).toEqual({
      ok: true,
      value: areaOf([key('b')]),
    });
    expect(await ask(include('c', key('b'), true))).toEqual({ ok: true, value: { included: true } });
    expect(written.at(-1)).toEqual([]);
  });

  it('are no more once the panel has no area', async () => {
    const { begin, ask, current } = rig();
    begin();
    current().area = areaOf([]);
    await ask(include('a', key('b'), false));
    current().handlers.onDiscovered(0);
    expect(await ask({ type: 'auto-sleep.sources', requestId: 'b' })).toMatchObject({ reason: 'no-sources' });
    expect(await ask(include('c', key('b'), true))).toMatchObject({ reason: 'stale' });
  });

  it('stay as they are if nothing changes', async () => {
    const { begin, ask, current, observed, written } = rig();
    begin();
    current().area = areaOf([]);
    expect(await ask(include('a', key('b'), true))).toEqual({ ok: true, value: { included: true } });
    expect([observed.length, written]).toEqual([1, []]);
  });

  it('stay as they are if the disk refuses', async () => {
    const { begin, ask, current, observed, refuse } = rig();
    begin();
    current().area = areaOf([]);
    refuse(true);
    expect(await ask(include('a', key('b'), false))).toMatchObject({ ok: false, reason: 'not-kept' });
    expect(observed).toHaveLength(1);
  });

  it.each([
    ['another area', key('a'), key('d')],
    ['a sensor that is gone', key('c'), key('e')],
  ])('refuse %s', async (_, source, area) => {
    const { begin, ask, current, written } = rig();
    begin();
    current().area = areaOf([]);
    expect(await ask(include('a', source, false, area))).toMatchObject({ ok: false, reason: 'stale' });
    expect(written).toEqual([]);
  });

  it('of an earlier area are forgotten with it', async () => {
    const { begin, ask, current, driver } = rig();
    begin();
    current().area = areaOf([]);
    await ask(include('a', key('b'), false));
    driver.tell({ type: 'sleep.settings', settings: { ...chosen, source: 'panel' } });
    expect(await ask(include('b', key('b'), true))).toMatchObject({ reason: 'stale' });
  });

  it('are at most 256 left out, the newest of them', async () => {
    const before = Array.from({ length: 256 }, (_, at) => at.toString(16).padStart(64, '0'));
    const { begin, ask, current, written } = rig({ excluded: before });
    begin();
    current().area = areaOf([]);
    await ask(include('a', key('b'), false));
    expect(written).toEqual([[...before.slice(1), key('b')]]);
  });
});

describe('the replay', () => {
  const replay = (requestId: string, hours = 6) => ({ type: 'auto-sleep.replay', requestId, hours }) as const;
  const HOUR = 3_600_000;

  it('reads the included sources, an hour more than asked for, and uses the lease in force', async () => {
    const { begin, ask, current, lanes, clock, decide } = rig({ excluded: [key('b')] });
    decide(({ type }) =>
      type === 'settings'
        ? [{ type: 'sleep.decided', view: { ...restingView, leaseMs: 900_000 }, ceiling: null, at: 1 }]
        : [],
    );
    begin();
    current().area = areaOf([key('b')]);
    const now = clock.now();
    expect(await ask(replay('a'))).toEqual({
      ok: true,
      value: {
        fault: null,
        settled: { from: now - 6 * HOUR, to: now, leaseMs: 900_000, lanes: [], segments: [] },
      },
    });
    expect(lanes).toEqual([{ lanes: [{ key: key('a'), entityId: 'binary_sensor.a' }], from: now - 7 * HOUR, to: now }]);
  });

  it.each<[string, Partial<typeof chosen>, string]>([
    ['is off', { enabled: false, offHours: '22:00-06:00' }, 'runtime_unavailable'],
    ['has no recorded source', { source: 'touch' }, 'local_history_unavailable'],
    ['has no area', {}, 'history_unavailable'],
  ])('fails while it %s', async (_, changes, fault) => {
    const { begin, ask, lanes } = rig();
    begin({ ...chosen, ...changes });
    expect(await ask(replay('a'))).toEqual({ ok: true, value: { fault, settled: null } });
    expect(lanes).toEqual([]);
  });

  it('passes on why Home Assistant gave nothing', async () => {
    const { begin, ask, current, records } = rig();
    begin();
    current().area = areaOf([]);
    records(async () => ({ fault: 'history_auth' }));
    expect(await ask(replay('a'))).toEqual({ ok: true, value: { fault: 'history_auth', settled: null } });
  });

  it('is dropped if the sources changed meanwhile', async () => {
    const { begin, ask, current, driver, records } = rig();
    begin();
    current().area = areaOf([]);
    const read = waiting<{ readonly lanes: readonly [] }>();
    records(() => read.promise);
    driver.tell(replay('a'));
    await ask(include('b', key('b'), false));
    read.resolve({ lanes: [] });
    await ask({ type: 'auto-sleep.sources', requestId: 'c' });
    const answered = driver.facts.find((fact) => fact.type === 'sleep.answered' && fact.requestId === 'a');
    expect(answered).toMatchObject({ outcome: { value: { fault: 'sources_changed', settled: null } } });
  });
});
