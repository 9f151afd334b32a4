import { describe, expect, test, vi } from 'vitest';
import type { ActorId } from '#machines/actors.ts';
import { capabilities } from '#machines/capabilities.ts';
import { StatusDocument } from '#machines/status.ts';
import type { Manifest, ProjectionInput } from '#machines/subsystem.ts';
import { subsystems } from '#machines/subsystems.ts';
import { createIncremental, type FieldGroup } from '#routes/status/incremental.ts';
import { readCapabilities } from '#routes/status/read-status.ts';
import { createStatusReader } from '#routes/status/status-reader.ts';
import { factsFrom } from '#test/fakes/facts.ts';
import { fakeDeps, settledFacts } from '#test/fakes/route-deps.ts';
import { pick, sequence } from '#test/fakes/sequence.ts';

const manifests: readonly Manifest[] = subsystems;
const ids: readonly ActorId[] = manifests.flatMap((manifest) => manifest.ids);
const startMs = 1_700_000_000_000;

describe('fields that are made from facts', () => {
  const forty = ids.slice(0, 40);
  /** Forty sections, each of one actor, with the words that are made from a few of them, and what was made. */
  const start = () => {
    const facts: Record<string, unknown> = Object.fromEntries(forty.map((id) => [id, { level: 1 }]));
    const made: string[] = [];
    const sections = forty.map((id, index): FieldGroup => ({
      reads: [id],
      uses: index === 0 ? ['now'] : [],
      from: [],
      make: ({ view }) => ({ [id]: { level: Reflect.get(view(id)?.context ?? {}, 'level') } }),
    }));
    const [, second = '', third = ''] = forty;
    const words: FieldGroup = {
      reads: [],
      uses: ['tree'],
      from: [second, third],
      make: ({ tree }, fields) => ({ words: [tree.restarts, fields.get(second), fields.get(third)] }),
    };
    const look = createIncremental(
      [...sections, words].map((group) => ({
        ...group,
        make: (...given) => {
          const fields = group.make(...given);
          made.push(...Object.keys(fields));
          return fields;
        },
      })),
    );
    return {
      put: (index: number, level: number) => void (facts[forty[index] ?? ''] = { level }),
      look: (more: Partial<ProjectionInput> = {}, patience = 0) => {
        const found = look({ ...factsFrom(facts), ...more }, patience);
        return { fields: Object.fromEntries(found.made), made: made.splice(0) };
      },
    };
  };

  test('are all made once, and then none while nothing changes', () => {
    const { look } = start();
    expect(forty).toHaveLength(40);
    expect(look().made).toEqual([...forty, 'words']);
    expect(look().made).toEqual([]);
  });

  test('are made again where the facts of their actor changed, and nowhere else', () => {
    const { look, put } = start();
    look();
    put(30, 2);
    const { fields, made } = look();
    expect(made).toEqual([forty[30]]);
    expect(fields[forty[30] ?? '']).toEqual({ level: 2 });
  });

  test('are made from a section that says something else, and not from one that says the same', () => {
    const { look, put } = start();
    look();
    put(1, 1);
    expect(look().made).toEqual([forty[1]]);
    put(1, 2);
    expect(look().made).toEqual([forty[1], 'words']);
  });

  test('are made from a tree that is another one, however often it is read', () => {
    const { look } = start();
    look();
    const { tree } = factsFrom({});
    expect(look({ tree: { ...tree } }).made).toEqual([]);
    expect(look({ tree: { ...tree, restarts: 1 } }).made).toEqual(['words']);
  });

  test('that depend on the time are made as often as is asked for', () => {
    const { look } = start();
    const { now } = factsFrom({});
    look();
    expect(look({ now: now + 9_999 }, 10_000).made).toEqual([]);
    expect(look({ now: now + 10_000 }, 10_000).made).toEqual([forty[0]]);
    expect(look({ now: now + 10_001 }).made).toEqual([forty[0]]);
    // A clock that was set back.
    expect(look({ now: now - 1 }, 10_000).made).toEqual([forty[0]]);
  });

  test('are made again after one that threw', () => {
    let fails = true;
    const look = createIncremental([
      {
        reads: [],
        uses: [],
        from: [],
        make: () => {
          if (fails) throw new Error('not now');
          return { level: 1 };
        },
      },
    ]);
    expect(() => look(factsFrom({}), 0)).toThrow('not now');
    fails = false;
    expect(look(factsFrom({}), 0).made.get('level')).toBe(1);
  });
});

describe('the status document', () => {
  test('is handed out again for a second on which nothing happened, as text too', () => {
    let now = startMs;
    const status = createStatusReader({ ...fakeDeps(), now: () => now });
    const first = status.document();
    expect(JSON.parse(status.text())).toEqual(JSON.parse(JSON.stringify(first)));
    now += 999;
    expect(status.document()).toBe(first);
    now += 1;
    expect(status.document().taken_at).toBe(now);
  });

  test('tells of a change at once', () => {
    const deps = fakeDeps();
    const first = deps.status.document();
    deps.registry.put('volume', Object.assign({}, deps.registry.read('volume')?.context, { percent: 41 }));
    expect(first.volume?.percent).toBe(40);
    expect(deps.status.document().volume?.percent).toBe(41);
  });

  test('is made from verdicts that others read without judging them again', () => {
    const deps = fakeDeps();
    const document = deps.status.document();
    const first = capabilities.find(({ id }) => id === document.capabilities[0]?.id);
    if (first === undefined) throw new Error('there are none');
    const judge = vi.spyOn(first, 'judge');
    const read = readCapabilities(deps);
    expect(judge).not.toHaveBeenCalled();
    judge.mockRestore();
    expect(read.map(({ id, state }) => [id, state])).toEqual(document.capabilities.map(({ id, state }) => [id, state]));
    expect(read.length).toBeGreaterThan(0);
    deps.registry.put(
      'active-profile',
      Object.assign({}, deps.registry.read('active-profile')?.context, { absent: [read[0]?.id] }),
    );
    expect(readCapabilities(deps)).toEqual(read.slice(1));
  });

  test.each([1, 2, 3, 4])('is the same however it was made, whatever goes, comes and passes (%i)', (seed) => {
    const random = sequence(seed);
    const facts = settledFacts();
    const names = Object.keys(facts);
    let now = startMs;
    const plain = fakeDeps({}, facts);
    const deps = { ...plain, now: () => now, elapsed: () => now - startMs };
    const kept = createStatusReader(deps);
    for (let step = 0; step < 120; step += 1) {
      const id = pick(random, names);
      if (random(5) < 2) plain.registry.put(id, undefined);
      else plain.registry.put(id, Object.assign({}, facts[id]));
      // Within the second of a document, the seconds of the stream, and far more.
      now += random(pick(random, [2, 900, 8_000, 90_000]));
      kept.look(10_000);
      const document = kept.document();
      const whole = createStatusReader({
        ...deps,
        now: () => document.taken_at,
        elapsed: () => document.taken_at - startMs,
      });
      expect(document).toEqual(whole.document());
      expect(StatusDocument().safeParse(document).error).toBeUndefined();
      expect(Object.keys(document)).toEqual(Object.keys(whole.document()));
    }
  });
});
