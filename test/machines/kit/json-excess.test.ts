import { describe, expect, it } from 'vitest';

import { type JsonBounds, jsonBounds, jsonExcess, jsonJudge } from '#machines/kit/json-excess.ts';
import { jsonDocument } from '#test/fakes/json-documents.ts';
import { sequence } from '#test/fakes/sequence.ts';

const few: JsonBounds = { depth: 3, tokens: 6 };
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('what a JSON text has too much of', () => {
  it.each([
    ['', null],
    ['7', null],
    ['[[[]]]', null],
    ['[[[[', { kind: 'too-deep', at: 3 }],
    ['{"a":{"b":[{', { kind: 'too-deep', at: 11 }],
    ['[[]],[[]]', null],
    ['[1,2,3,4,5,6]', null],
    ['[1,2,3,4,5,6,7]', { kind: 'too-many', at: 12 }],
    ['{"a":1,"b":2,"c":3}', null],
    ['{"a":1,"b":2,"c":3,', { kind: 'too-many', at: 18 }],
    ['"[[[[[,,,,,,::::"', null],
    ['"\\"[[[[[[["', null],
    ['"\\\\"[[[[', { kind: 'too-deep', at: 7 }],
    ['"\\\\\\"[[[["', null],
    ['"ä\u{1F600}"[[[[', { kind: 'too-deep', at: 11 }],
    // It is no JSON from its first character on, and not parsed any further.
    [']]]][[[[[', null],
    ['"[[[[', null],
  ])('%s: %j', (text, excess) => {
    expect(jsonExcess(text, few)).toEqual(excess);
    expect(jsonExcess(bytesOf(text), few)).toEqual(excess);
    for (let cut = 0; cut <= bytesOf(text).length; cut += 1) {
      const judge = jsonJudge(few);
      judge.take(bytesOf(text).subarray(0, cut));
      judge.take(new Uint8Array());
      expect(judge.take(bytesOf(text).subarray(cut))).toEqual(excess);
    }
    const judge = jsonJudge(few);
    for (const byte of bytesOf(text)) judge.take(Uint8Array.of(byte));
    expect(judge.take('')).toEqual(excess);
  });

  it('stays what it was', () => {
    const judge = jsonJudge(few);
    expect(judge.take('[[[[')).toEqual({ kind: 'too-deep', at: 3 });
    expect(judge.take(']]]][1,2,3,4,5,6,7,8,9]')).toEqual({ kind: 'too-deep', at: 3 });
  });

  it('is found in a text of several slices, also where a character is at their seam', () => {
    for (const offset of [65_533, 65_534, 65_535, 65_536, 200_000]) {
      const text = `"${'a'.repeat(offset)}\u{1F600}"[[[[`;
      expect(jsonExcess(text, few)).toEqual({ kind: 'too-deep', at: offset + 9 });
    }
  });

  it('is the same for any way in which documents arrive', () => {
    const random = sequence(20_261_124);
    for (let round = 0; round < 200; round += 1) {
      const text = jsonDocument(random, 500).toWellFormed();
      const bounds = { depth: 1 + random(120), tokens: 1 + random(2000) };
      const whole = jsonExcess(text, bounds);
      const judge = jsonJudge(bounds);
      for (let at = 0, bytes = bytesOf(text); at < bytes.length;) {
        const to = at + 1 + random(40);
        judge.take(bytes.subarray(at, to));
        at = to;
      }
      expect([text, judge.take('')]).toEqual([text, whole]);
    }
  });
});

/** A row of the entity registry as Home Assistant 2026.11 sends it. */
const registered = (index: number) => ({
  area_id: `area_${index % 40}`,
  categories: { automation: '01JCATEGORY' },
  config_entry_id: '01JCONFIGENTRY0123456789AB',
  config_subentry_id: null,
  created_at: 1_700_000_000.123,
  device_id: '0123456789abcdef0123456789abcdef',
  disabled_by: null,
  entity_category: null,
  entity_id: `sensor.kitchen_${index}`,
  has_entity_name: true,
  hidden_by: null,
  icon: null,
  id: '0123456789abcdef0123456789abcdef',
  labels: ['one', 'two'],
  modified_at: 1_700_000_000.123,
  name: null,
  options: { conversation: { should_expose: true }, sensor: { suggested_display_precision: 1 } },
  original_name: 'Temperature',
  platform: 'mqtt',
  translation_key: null,
  unique_id: `unique-${index}`,
});
const stateOf = (index: number) => ({
  entity_id: `light.kitchen_${index}`,
  state: 'on',
  attributes: {
    supported_color_modes: ['color_temp', 'hs', 'xy', 'rgb'],
    effect_list: Array.from({ length: 40 }, (_, effect) => `Effect ${effect}`),
    hs_color: [12.1, 22.2],
    friendly_name: 'Kitchen',
  },
  context: { id: '01J', parent_id: null, user_id: null },
  last_changed: '2026-11-01T00:00:00+00:00',
});
const list = <T>(count: number, row: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => row(index));
const answer = (result: unknown) => ({ id: 1, type: 'result', success: true, result });

describe('what a house needs is within the bounds', () => {
  it.each<[string, JsonBounds, unknown]>([
    [
      '50,000 entity ids in a body',
      jsonBounds.body,
      { mode: 'manual', entity_ids: list(50_000, (n) => `light.l${n}`) },
    ],
    ['an entity registry of 15,000', jsonBounds.homeAssistant, answer(list(15_000, registered))],
    ['the states of 5,000 lights with their effects', jsonBounds.homeAssistant, answer(list(5000, stateOf))],
    [
      'a subscription to 1,000 entities',
      jsonBounds.homeAssistant,
      { id: 1, type: 'event', event: { a: Object.fromEntries(list(1000, (n) => [`light.l${n}`, stateOf(n)])) } },
    ],
  ])('%s', (_, bounds, document) => {
    expect(jsonExcess(JSON.stringify(document), bounds)).toBeNull();
  });
});
