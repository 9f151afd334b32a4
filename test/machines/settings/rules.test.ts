import { describe, expect, it, test } from 'vitest';
import type { SettingRule } from '#machines/kit/setting.ts';
import { plainSettings, settingRules } from '#machines/settings.ts';
import { type Configuration, defaultConfiguration, judgeBeside, mergeSettings } from '#machines/settings/merge.ts';
import { contradicting, judgedWith, refusedTogether } from '#machines/settings/rules.ts';
import { readStored, withChanges } from '#machines/settings/stored.ts';
import { sequence } from '#test/fakes/sequence.ts';

const MIN = 'auto_brightness_minimum_percent';
const MAX = 'auto_brightness_maximum_percent';
const below = (maximum: number): string =>
  `Automatic brightness, darkest must be below the brightest, which is ${maximum} %.`;
const above = (minimum: number): string =>
  `Automatic brightness, brightest must be above the darkest, which is ${minimum} %.`;

const panel = (values: Configuration['values'] = {}): Configuration => ({
  ...defaultConfiguration,
  values: { ...defaultConfiguration.values, ...values },
});

describe('the rules over several settings', () => {
  it('are over settings that exist, hold for the defaults, and have no setting in common', () => {
    const keys = settingRules.flatMap((rule) => rule.keys);
    const plain = plainSettings.map(({ key }) => key);
    expect(keys).toEqual(expect.arrayContaining([MIN, MAX]));
    expect(keys.filter((key) => !plain.includes(key))).toEqual([]);
    expect(keys.length).toBe(new Set(keys).size);
    expect(contradicting(defaultConfiguration.values)).toEqual([]);
    expect(judgedWith(MIN)).toEqual([MAX]);
    expect(judgedWith('log_level')).toEqual([]);
  });

  it('refuse the posted one also where they only name another', () => {
    const rule: SettingRule = { keys: ['a', 'b'], judge: ({ a, b }) => (a === b ? { a: 'A is taken.' } : {}) };
    expect(refusedTogether({ a: 1, b: 1 }, ['b', 'c'], [rule])).toEqual([['b', 'A is taken.']]);
    expect(refusedTogether({ a: 1, b: 1 }, ['c'], [rule])).toEqual([]);
    expect(refusedTogether({ a: 1, b: 2 }, ['a', 'b'], [rule])).toEqual([]);
  });
});

describe('a save of one end or both', () => {
  test.each<[Configuration['values'], Readonly<Record<string, unknown>>, Readonly<Record<string, string>> | null]>([
    [{}, { [MIN]: 99 }, null],
    [{}, { [MAX]: 5 }, null],
    [{ [MAX]: 50 }, { [MIN]: 49 }, null],
    [{ [MAX]: 50 }, { [MIN]: 50 }, { [MIN]: below(50) }],
    [{ [MAX]: 50 }, { [MIN]: '80' }, { [MIN]: below(50) }],
    [{ [MIN]: 80 }, { [MAX]: 80 }, { [MAX]: above(80) }],
    [{ [MIN]: 80 }, { [MAX]: 79, log_level: 'debug' }, { [MAX]: above(80) }],
    // Judged together, whatever is in force now.
    [{ [MIN]: 10, [MAX]: 20 }, { [MIN]: 60, [MAX]: 70 }, null],
    [{}, { [MIN]: 60, [MAX]: 60 }, { [MIN]: below(60), [MAX]: above(60) }],
    // The default counts where it comes back.
    [{ [MIN]: 10, [MAX]: 20 }, { [MIN]: 60, [MAX]: null }, null],
    [{ [MIN]: 10, [MAX]: 20 }, { [MIN]: 60, [MAX]: '' }, null],
    [{ [MIN]: 60 }, { [MIN]: null, [MAX]: 10 }, null],
    [{ [MIN]: 60 }, { [MAX]: 10, [MIN]: 60 }, { [MAX]: above(60), [MIN]: below(10) }],
    // What is refused by itself says nothing about the other.
    [{}, { [MIN]: 99, [MAX]: 300 }, { [MAX]: expect.stringContaining('from 5 to 100 %') as unknown as string }],
    // A pair in force that breaks the rule is no reason to refuse something else.
    [{ [MIN]: 80, [MAX]: 50 }, { log_level: 'debug' }, null],
    [{ [MIN]: 80, [MAX]: 50 }, { [MAX]: 90 }, null],
  ])('%j, then %j', (values, patch, reasons) => {
    const merged = mergeSettings(panel(values), patch);
    if (reasons === null) expect(merged.status).toBe('saved');
    else expect(merged).toEqual({ status: 'refused', reasons });
  });

  it('also by the agent itself', () => {
    expect(mergeSettings(panel({ [MIN]: 80 }), { [MAX]: 50 }, { expect: {} }).status).toBe('refused');
  });
});

describe('a check of one value beside others', () => {
  test.each<[string, unknown, Readonly<Record<string, unknown>>, string | null]>([
    [MIN, '50', {}, below(40)],
    [MIN, '50', { [MAX]: '90' }, null],
    [MIN, '50', { [MAX]: '' }, null],
    [MIN, '20', { [MAX]: '15' }, below(15)],
    [MAX, '', { [MIN]: '99' }, null],
    // One that is refused by itself counts as not entered.
    [MIN, '50', { [MAX]: '900' }, below(40)],
    [MIN, '50', { [MAX]: { toString: 1 } }, below(40)],
    [MIN, '50', JSON.parse('{"__proto__":"90","log_level":"x"}'), below(40)],
    ['log_level', 'debug', { [MIN]: '80' }, null],
  ])('%s: %j with %j', (key, value, beside, why) => {
    const judged = judgeBeside(panel({ [MAX]: 40 }).values, [key, value], beside);
    expect(judged.ok ? null : judged.message).toBe(why);
  });
});

describe('stored values that contradict each other', () => {
  const stored = (values: Readonly<Record<string, unknown>>) => ({ settings: { revision: 3, values }, secrets: {} });
  const pair = ({ settings, secrets }: { readonly settings: unknown; readonly secrets: unknown }) => {
    const { configuration, dropped } = readStored({ settings, secrets });
    return [configuration.values[MIN], configuration.values[MAX], dropped];
  };

  it('fall back together, and only they', () => {
    expect(pair(stored({ [MIN]: 80, [MAX]: 50, gone: 1 }))).toEqual([4, 100, ['gone', MIN, MAX]]);
    expect(pair(stored({ [MIN]: 80, [MAX]: 'x' }))).toEqual([80, 100, [MAX]]);
    expect(pair(stored({ [MIN]: 20, [MAX]: 50 }))).toEqual([20, 50, []]);
  });

  it('stay as stored through a save of something else, and are gone once one of them is saved', () => {
    const other = { values: { log_level: 'debug' }, secrets: {}, expose: {} };
    const kept = withChanges(stored({ [MIN]: 80, [MAX]: 50 }), other, 4);
    expect(kept.settings['values']).toEqual({ [MIN]: 80, [MAX]: 50, log_level: 'debug' });
    const saved = withChanges(kept, { values: { [MAX]: 60 }, secrets: {}, expose: {} }, 5);
    expect(pair(saved)).toEqual([4, 60, []]);
    const both = withChanges(kept, { values: { [MIN]: 30, [MAX]: 60 }, secrets: {}, expose: {} }, 5);
    expect(pair(both)).toEqual([30, 60, []]);
  });
});

test('whatever is stored and saved in whatever order, the darkest in force is below the brightest', () => {
  let refused = 0;
  for (let seed = 1; seed <= 100; seed += 1) {
    const next = sequence(seed);
    const one = (low: number): unknown => [null, '', ...Array<number>(8).fill(low + next(96))][next(10)];
    let sections: { readonly settings: unknown; readonly secrets: unknown } = {
      settings: { values: { [MIN]: one(4), [MAX]: one(5) } },
      secrets: {},
    };
    for (let step = 1; step <= 12; step += 1) {
      const { configuration } = readStored(sections);
      const patch = {
        ...(next(10) < 6 && { [MIN]: one(4) }),
        ...(next(10) < 6 && { [MAX]: one(5) }),
        ...(next(10) < 3 && { log_level: next(2) === 0 ? 'debug' : 'warn' }),
      };
      const merged = mergeSettings(configuration, patch);
      if (merged.status === 'refused') refused += 1;
      if (merged.status === 'saved') sections = withChanges(sections, merged.changes, step);
      const { values } = readStored(sections).configuration;
      expect(Number(values[MIN]), `seed ${seed}, step ${step}`).toBeLessThan(Number(values[MAX]));
      // What was saved is in force.
      if (merged.status === 'saved')
        for (const [key, to] of Object.entries(merged.changes.values))
          expect(values[key]).toBe(to ?? defaultConfiguration.values[key]);
    }
  }
  expect(refused).toBeGreaterThan(50);
});
