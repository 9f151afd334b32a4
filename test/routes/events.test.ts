import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { HomeAssistantContext } from '#machines/home-assistant/events.ts';
import type { StatusDocument } from '#machines/status.ts';
import { createApp } from '#routes/app.ts';
import { fieldGroups } from '#routes/status/field-groups.ts';
import { createStatusReader } from '#routes/status/status-reader.ts';
import { fakeDeps, settledFacts } from '#test/fakes/route-deps.ts';

interface Event {
  readonly id: string;
  readonly name: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const eventOf = (text: string): Event => ({
  id: /^id: (.*)$/m.exec(text)?.[1] ?? '',
  name: /^event: (.*)$/m.exec(text)?.[1] ?? text,
  data: JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? '{}') as Event['data'],
});

/** A connection to Home Assistant of which nothing was observed. */
const heldFacts = {
  samples: [],
  lastAnsweredAt: null,
  lastProbedAt: null,
  established: false,
  settling: false,
  lifecycle: null,
  reasons: [],
  route: null,
  missed: 0,
  doubts: 0,
  failure: null,
  excess: null,
  isParked: false,
} satisfies HomeAssistantContext;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Lets everything that waits for no timer happen. */
const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

/** A panel, and the sections of its status document that were made. */
function start() {
  const facts = settledFacts();
  const made: string[] = [];
  let stopping = false;
  const plain = fakeDeps({}, facts);
  const sources = { ...plain, now: Date.now };
  const counted = fieldGroups({ rootShell: false, inspecting: false }).map((group) => ({
    ...group,
    make: (...given: Parameters<typeof group.make>) => {
      const fields = group.make(...given);
      made.push(...Object.keys(fields));
      return fields;
    },
  }));
  const deps = { ...sources, stopping: () => stopping, status: createStatusReader(sources, counted) };
  const app = createApp(deps);
  let revision = 0;
  const { registry } = plain;
  /** Opens a stream; `take` gives what has come since, `read` goes on reading. */
  const open = async (query = '', init: RequestInit = {}) => {
    const response = await app.fetch(new Request(`http://panel.invalid/api/v1/events${query}`, init), {});
    const body = response.ok ? response.body : null;
    const reader = body?.getReader();
    const decoder = new TextDecoder();
    let text = '';
    let ended = false;
    const hasEnded = (): boolean => ended;
    let pending: Promise<void> | null = null;
    const pull = async (): Promise<void> => {
      const chunk = await reader?.read();
      if (chunk === undefined || chunk.done) ended = true;
      else text += decoder.decode(chunk.value);
    };
    const read = async (): Promise<readonly Event[]> => {
      for (let before = -1; before !== text.length && !hasEnded();) {
        before = text.length;
        pending ??= pull().finally(() => (pending = null));
        // oxlint-disable-next-line no-await-in-loop -- until nothing more comes
        await settle();
      }
      const frames = text.split('\n\n').slice(0, -1);
      text = '';
      return frames.map(eventOf);
    };
    return { response, read, ended: hasEnded, leave: async () => reader?.cancel() };
  };
  return {
    registry,
    open,
    /** What was made since this was asked last. */
    made: () => made.splice(0),
    stop: () => {
      stopping = true;
    },
    /** Says that something may have changed. */
    touch: () => {
      revision += 1;
      registry.put('stream', { revision, viewers: 1 });
    },
    put: (id: string, more: object) => {
      facts[id] = Object.assign({}, facts[id], more);
      registry.put(id, facts[id]);
    },
  };
}

describe('the live status', () => {
  test('begins with the whole document, and goes on with the sections that differ', async () => {
    const { open, put, touch, made } = start();
    const viewer = await open();
    const [whole] = await viewer.read();
    made();
    expect([whole?.id, whole?.name, Object.keys(whole?.data ?? {}).length > 30]).toEqual(['1', 'status', true]);
    put('volume', { percent: 41 });
    touch();
    const [change, ...more] = await viewer.read();
    expect(more).toEqual([]);
    expect([change?.id, change?.name]).toEqual(['2', 'change']);
    expect(change?.data).toEqual({
      revision: 2,
      taken_at: Date.now(),
      sections: { volume: { ...(whole?.data['volume'] as StatusDocument['volume']), percent: 41 } },
    });
    expect(made()).toEqual(['verdict volume', 'volume']);
    await viewer.leave();
  });

  test('says null for a section that went away, and the section when it is back', async () => {
    const { open, put, registry, touch } = start();
    const viewer = await open();
    await viewer.read();
    registry.put('volume', undefined);
    touch();
    expect((await viewer.read())[0]?.data['sections']).toMatchObject({ volume: null });
    put('volume', {});
    touch();
    expect((await viewer.read())[0]?.data['sections']).toMatchObject({ volume: { percent: 40 } });
    await viewer.leave();
  });

  test('sends nothing but pings while nothing changes, whatever stirs and however old things get', async () => {
    const { open, put, touch } = start();
    put('renderer', { at: Date.now() });
    const viewer = await open();
    await viewer.read();
    const names: string[] = [];
    for (let second = 0; second < 60; second += 1) {
      put('renderer', { at: Date.now() });
      touch();
      // oxlint-disable-next-line no-await-in-loop -- one second after another
      await vi.advanceTimersByTimeAsync(1_000);
      // oxlint-disable-next-line no-await-in-loop -- as above
      names.push(...(await viewer.read()).map(({ name }) => name));
    }
    expect(names).toEqual(Array.from({ length: 4 }, () => ': ping'));
    await viewer.leave();
  });

  test('makes each section once for all viewers, and none without one', async () => {
    const { open, put, touch, made } = start();
    touch();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(made()).toEqual([]);
    const viewers = await Promise.all(Array.from({ length: 10 }, () => open()));
    for (const { read } of viewers) await read();
    const first = made();
    expect(first.length).toBeGreaterThan(60);
    expect(new Set(first).size).toBe(first.length);
    put('volume', { percent: 42 });
    touch();
    for (const { read } of viewers) expect((await read()).map(({ data }) => data['revision'])).toEqual([2]);
    expect(made()).toEqual(['verdict volume', 'volume']);
    await Promise.all(viewers.map(({ leave }) => leave()));
  });

  test('sees at a ping what time alone has changed, made once for all viewers', async () => {
    const { open, registry, made } = start();
    const excess = { code: 'message-flood', count: 1, at: Date.now(), until: Date.now() + 12_000 } as const;
    registry.put(
      'home-assistant',
      { ...heldFacts, isParked: true, excess },
      { running: { link: 'parked' }, lifecycle: 'unwatched' },
    );
    const viewers = await Promise.all([open(), open()]);
    for (const { read } of viewers)
      expect((await read())[0]?.data['home_assistant']).toMatchObject({ parked_until: excess.until });
    made();
    await vi.advanceTimersByTimeAsync(15_000);
    for (const { read } of viewers)
      expect((await read())[0]?.data['sections']).toMatchObject({ home_assistant: { parked_until: null } });
    const again = made();
    expect(again).toContain('home_assistant');
    expect(again).not.toContain('volume');
    await Promise.all(viewers.map(({ leave }) => leave()));
  });

  test('tells an age with the moment at which it was one', async () => {
    const { open, put, touch } = start();
    put('renderer', { at: Date.now() - 1_000 });
    const viewer = await open();
    await viewer.read();
    await vi.advanceTimersByTimeAsync(4_000);
    put('renderer', { place: 'login' });
    touch();
    await vi.advanceTimersByTimeAsync(3_000);
    const [change] = await viewer.read();
    const renderer = change?.data['sections'] as Pick<StatusDocument, 'renderer'>;
    const toldAt = Number(change?.data['taken_at']);
    expect(renderer.renderer?.observed_age_ms).toBe(toldAt - (Date.now() - 8_000));
    await viewer.leave();
  });

  test('gives a slow viewer what it missed as one change, with the next number', async () => {
    const { open, put, touch } = start();
    const [slow, quick] = await Promise.all([open(), open()]);
    await quick.read();
    let quickly = 0;
    for (let percent = 50; percent < 70; percent += 1) {
      put('volume', { percent });
      if (percent === 52) put('identity', { friendlyName: 'Kitchen' });
      touch();
      // oxlint-disable-next-line no-await-in-loop -- one change after another
      quickly += (await quick.read()).length;
    }
    expect(quickly).toBe(20);
    const events = await slow.read();
    expect(events.length).toBeLessThan(8);
    expect(events.map(({ id }) => Number(id))).toEqual(events.map((_, index) => index + 1));
    const merged = Object.assign({}, events[0]?.data, ...events.slice(1).map(({ data }) => data['sections']));
    expect(merged).toMatchObject({ volume: { percent: 69 }, panel: { name: 'Kitchen' } });
    await Promise.all([slow.leave(), quick.leave()]);
  });

  test('begins anew with a whole document, whatever a viewer says that it knows', async () => {
    const { open } = start();
    const viewer = await open('', { headers: { 'Last-Event-ID': '7' } });
    expect((await viewer.read()).map(({ id, name }) => [id, name])).toEqual([['1', 'status']]);
    await viewer.leave();
  });

  test('sends whole documents at each change where that is wanted, and none for ages', async () => {
    const { open, put, touch } = start();
    const viewer = await open('?full=1');
    const [first] = await viewer.read();
    touch();
    expect(await viewer.read()).toEqual([]);
    put('volume', { percent: 41 });
    touch();
    const [second] = await viewer.read();
    expect([second?.id, second?.name]).toEqual(['2', 'status']);
    expect(Object.keys(second?.data ?? {})).toEqual(Object.keys(first?.data ?? {}));
    expect(second?.data).toMatchObject({ volume: { percent: 41 } });
    await viewer.leave();
  });

  test.each(['?full=0', '?full=', '?all=1'])('%s is refused', async (query) => {
    const { response } = await start().open(query);
    expect([response.status, await response.json()]).toMatchObject([400, { error: 'invalid-query' }]);
  });

  test('ends with the actor that counts its viewers, so that they come anew and are counted', async () => {
    const { open, registry } = start();
    const viewer = await open();
    await viewer.read();
    registry.put('stream', undefined);
    await viewer.read();
    expect(viewer.ended()).toBe(true);
    expect(registry.told.map(({ event }) => event.type)).toEqual(['stream.viewer-joined']);
  });

  test('ends when the agent stops', async () => {
    const { open, stop, touch } = start();
    const viewer = await open();
    await viewer.read();
    stop();
    touch();
    await viewer.read();
    expect(viewer.ended()).toBe(true);
  });
});
