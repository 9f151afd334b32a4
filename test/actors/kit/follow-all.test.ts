import { describe, expect, it } from 'vitest';

import { followAll, followList, lastKnown } from '#actors/kit/follow-all.ts';

import { fakeRegistry } from '../../fakes/registry.ts';

describe('following several actors as one', () => {
  it('says all values once at the start, and again when one of them changes', () => {
    const registry = fakeRegistry({ http: { port: 80 }, identity: { panelId: 'hall' } });
    const seen: unknown[] = [];
    const end = followAll(
      registry,
      { http: (snapshot) => snapshot?.context.port ?? -1, identity: (snapshot) => snapshot?.context.panelId ?? null },
      ({ http, identity }) => {
        const known: readonly [number, string | null] = [http, identity];
        seen.push(known);
      },
    );
    expect(seen).toEqual([[80, 'hall']]);
    registry.put('http', { port: 81 });
    registry.put('identity', undefined);
    expect(seen).toEqual([
      [80, 'hall'],
      [81, 'hall'],
      [81, null],
    ]);
    end();
    registry.put('http', { port: 82 });
    expect(seen).toHaveLength(3);
  });

  it('takes the ids of actors alone, with their own facts', () => {
    const registry = fakeRegistry({});
    // @ts-expect-error no actor has this id
    followAll(registry, { nobody: () => 1 }, () => {})();
    // @ts-expect-error the HTTP server shows no such fact
    followAll(registry, { http: (snapshot) => snapshot?.context.panelId }, () => {})();
  });

  it('follows a list in which an actor stands several times, values that are lists included', () => {
    const registry = fakeRegistry({ http: { port: 80 } });
    const seen: unknown[] = [];
    followList(
      registry,
      [
        { id: 'http', selector: (snapshot) => [snapshot === undefined] },
        { id: 'http', selector: () => undefined },
      ],
      (values) => seen.push(values),
    );
    expect(seen).toEqual([[[false], undefined]]);
    followList(registry, [], (values) => seen.push(values));
    expect(seen.at(-1)).toEqual([]);
  });

  it('gives what was known last of an actor that is away', () => {
    const registry = fakeRegistry({ http: { port: 80 } });
    const seen: unknown[] = [];
    followAll(registry, { http: lastKnown((snapshot) => snapshot?.context.port ?? null) }, ({ http }) => {
      const port: number | null = http;
      seen.push(port);
    });
    registry.put('http', undefined);
    registry.put('http', { port: 81 });
    expect(seen).toEqual([80, 80, 81]);
  });
});
