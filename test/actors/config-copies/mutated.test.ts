import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { descriptors } from '#machines/settings.ts';
import { amount } from '#test/fakes/amount.ts';
import { pick, type Random, sequence } from '#test/fakes/sequence.ts';
import { startPanel } from './panel.ts';

type Panel = Awaited<ReturnType<typeof startPanel>>;
type Json = Record<string, unknown>;

const strange: readonly unknown[] = [
  null,
  true,
  -1,
  1e308,
  '',
  ' ',
  '\0',
  '\ud800',
  '\u202Ex',
  'x'.repeat(70_000),
  [],
  {},
  [[[[]]]],
  { toString: 1 },
  'NaN',
  '[object Object]',
  '12e999',
  'http://192.0.2.66:8123',
  'true',
];
const names = [
  ...descriptors.map(({ key }) => key),
  ...descriptors.map(({ key }) => `ha_expose_${key}`),
  '__proto__',
  'constructor',
  'recipients',
  'ha_expose_',
  'camera_enabled',
  'voice_enabled',
  'x'.repeat(300),
];

/** What happens to a bundle on its way: fields lost, replaced and added, at random. */
function mutated(random: Random, bundle: Json): unknown {
  const copy = structuredClone(bundle);
  const values = copy['values'] as Json;
  for (let times = 0; times <= random(6); times += 1) {
    const name = pick(random, names);
    const deeds: readonly (() => void)[] = [
      () => void (values[pick(random, Object.keys(values))] = pick(random, strange)),
      () =>
        void Object.defineProperty(values, name, { value: pick(random, strange), enumerable: true, writable: true }),
      () => void delete values[pick(random, Object.keys(values))],
      () => void (values[name] = String(random(1000))),
      () => void (values[name] = values[pick(random, ['ha_url', 'mqtt_broker', 'panel_id', 'dashboard_zoom'])]),
    ];
    pick(random, deeds)();
  }
  if (random(4) === 0)
    copy[pick(random, ['kind', 'schema', 'origin', 'values', 'exported_by'])] = pick(random, strange);
  if (random(20) === 0) return pick(random, strange);
  return copy;
}

/** The text of a bundle with a few of its characters changed; null if that is no JSON any more. */
function scrambled(random: Random, bundle: unknown): unknown {
  let text = JSON.stringify(bundle);
  for (let times = 0; times <= random(3); times += 1) {
    const at = random(text.length);
    text = text.slice(0, at) + pick(random, ['', '"', '{', ',', '0', 'e', 'ü', ':']) + text.slice(at + random(4));
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

/** Keys that no bundle may change. */
const closed = descriptors.filter(({ readOnly, hidden, consent }) => readOnly || hidden || consent !== null);

describe('a bundle that was changed on its way', () => {
  let panel: Panel;
  let bundle: Json;
  const outcomes = new Set<string>();
  beforeAll(async () => {
    panel = await startPanel({
      settings: { revision: 1, values: { friendly_name: 'Hall', ha_url: 'http://192.0.2.1:8123' } },
      secrets: { ha_token: 'marker-token', ha_oauth: 'marker-oauth', mqtt_password: 'marker-password' },
    });
    bundle = { ...(await panel.exported(true)) };
  });
  afterAll(async () => {
    await panel.stop();
    // None of them is left out by the way in which bundles are changed.
    expect([...outcomes].toSorted()).toEqual([
      'applied',
      'bad-bundle',
      'no-op',
      'partial',
      'preview',
      'rejected',
      'wrong-kind-or-schema',
    ]);
  });

  it.each(Array.from({ length: amount(100, 1000) }, (_, seed) => seed))('seed %i', async (seed) => {
    const random = sequence(seed);
    const sent = random(3) === 0 ? scrambled(random, bundle) : mutated(random, bundle);
    const options = {
      mode: pick(random, ['restore', 'fleet'] as const),
      strict: random(4) === 0,
      dryRun: random(4) === 0,
      hidesStored: random(2) === 0,
    };
    const before = { commits: panel.store.commits, digest: panel.settings()?.digest };
    const outcome = await panel.import(sent, options);
    outcomes.add(outcome.status);
    const isDone = outcome.status === 'applied' || outcome.status === 'partial';
    expect(panel.store.commits - before.commits).toBe(isDone ? 1 : 0);
    if (!isDone) expect(panel.settings()?.digest).toBe(before.digest);
    else {
      expect(outcome.applied.length).toBeGreaterThan(0);
      const strangers = outcome.applied.filter((key) => closed.some((row) => row.key === key && key !== 'ha_oauth'));
      expect(strangers).toEqual([]);
      // It may be cleared with its address, and is never replaced.
      expect([undefined, 'marker-oauth']).toContain((panel.store.sections['secrets'] as Json)['ha_oauth']);
    }
    expect(JSON.stringify([outcome, panel.facts(), panel.file.book])).not.toContain('marker-');
    expect(outcome.status).not.toBe('error');
  });
});
