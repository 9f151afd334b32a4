import { describe, expect, test } from 'vitest';
import { spotAt } from '#ui/elements/yaml-outline.ts';
import { wordsAt, type SchemaNode } from '#ui/elements/yaml-words.ts';

const choice = (driver: string, options: Readonly<Record<string, SchemaNode>>): SchemaNode => ({
  type: 'object',
  properties: {
    driver: { const: driver, description: `Title of ${driver}.` },
    options: { type: 'object', properties: options },
  },
  required: ['driver'],
});

const relay: SchemaNode = {
  description: 'A relay.',
  oneOf: [
    choice('relay.gpio', { line: { type: 'string', description: 'Name of the line.' }, inverted: { type: 'boolean' } }),
    choice('relay.leds', { name: { type: 'string' } }),
  ],
};

const schema: SchemaNode = {
  type: 'object',
  required: ['schema', 'metadata', 'requires'],
  properties: {
    schema: { const: 1, description: 'Version of this format.' },
    display_name: { type: 'string' },
    metadata: {
      type: 'object',
      required: ['maturity'],
      properties: {
        maturity: { enum: ['draft', 'experimental', 'verified'] },
        author: { type: 'string', description: 'Who wrote it.' },
      },
    },
    requires: { type: 'object', properties: { drivers: { type: 'array', items: { type: 'string' } } } },
    hardware: {
      type: 'object',
      properties: { camera: { enum: ['auto', 'absent'] }, screen: relay, relays: { type: 'array', items: relay } },
    },
  },
};

/** The words at the cursor, which stands at `|`. */
function words(text: string): readonly string[] | null {
  const before = text.slice(0, text.indexOf('|')).split('\n');
  const spot = spotAt(text.replace('|', '').split('\n'), before.length - 1, before[before.length - 1]?.length ?? 0);
  return spot === null ? null : wordsAt(schema, spot).map(({ word }) => word);
}

describe('what fits at the cursor', () => {
  test.each<readonly [string, string, readonly string[] | null]>([
    ['an empty document', '|', ['schema', 'metadata', 'requires', 'display_name', 'hardware']],
    ['a key that is begun', 'schema: 1\nme|', ['metadata', 'requires', 'display_name', 'hardware']],
    [
      'what is written below is not offered again',
      'sch|\nmetadata:\n  author: x\nrequires:\n',
      ['schema', 'display_name', 'hardware'],
    ],
    ['a fixed value', 'schema: |', ['1']],
    ['keys of a map', 'metadata:\n  |', ['maturity', 'author']],
    ['values of a word list', 'metadata:\n  maturity: dr|', ['draft', 'experimental', 'verified']],
    ['a quoted value', 'metadata:\n  maturity: "|', ['draft', 'experimental', 'verified']],
    ['drivers of a slot', 'hardware:\n  screen:\n    driver: |', ['relay.gpio', 'relay.leds']],
    [
      'options of the driver that is named',
      'hardware:\n  screen:\n    driver: relay.leds\n    options:\n      |',
      ['name'],
    ],
    [
      'options of the driver that is named below',
      'hardware:\n  screen:\n    options:\n      |\n    driver: relay.gpio\n',
      ['line', 'inverted'],
    ],
    [
      'options of every driver where none is named',
      'hardware:\n  screen:\n    options:\n      |',
      ['line', 'inverted', 'name'],
    ],
    [
      'yes or no',
      'hardware:\n  relays:\n    - driver: relay.gpio\n      options:\n        inverted: |',
      ['true', 'false'],
    ],
    ['an item of a list', 'hardware:\n  relays:\n    - |', ['driver', 'options']],
    [
      'a list at the column of its key',
      'hardware:\n  relays:\n  - driver: relay.leds\n    options:\n      |',
      ['name'],
    ],
    [
      'the second item is its own',
      'hardware:\n  relays:\n    - driver: relay.leds\n      options:\n        name: x\n    - driver: relay.gpio\n      |',
      ['options'],
    ],
    ['back to the outer map', 'hardware:\n  relays:\n    - driver: relay.leds\n  c|', ['camera', 'screen']],
    [
      'a list of drivers, item by item',
      'requires:\n  drivers:\n    - relay.leds\n    - |',
      ['relay.gpio', 'relay.leds'],
    ],
    ['a list of drivers on one line', 'requires:\n  drivers: [relay.leds, re|', ['relay.gpio', 'relay.leds']],
    ['a value in braces', 'hardware:\n  screen: { driver: re|', ['relay.gpio', 'relay.leds']],
    ['a key in braces', 'hardware:\n  screen: { driver: relay.leds, |', ['options']],
    ['options in braces', 'hardware:\n  screen: { driver: relay.leds, options: { |', ['name']],
    [
      'a list item in braces',
      'hardware:\n  relays:\n    - { driver: relay.gpio, options: { inverted: |',
      ['true', 'false'],
    ],
    ['behind braces', 'hardware:\n  screen: { driver: relay.leds }|', null],
    [
      'what braces on other lines hold is known',
      'hardware:\n  screen: { driver: relay.leds }\n  |',
      ['camera', 'relays'],
    ],
    ['a list of maps in brackets', 'hardware: { relays: [{ driver: |', ['relay.gpio', 'relay.leds']],
    ['a comment', 'metadata: # |', null],
    ['a block of text', 'display_name: |-\n  word'.replace('|-', '>-') + ' |', null],
    ['a text with spaces', 'display_name: My panel|', null],
    ['a place that the schema does not know', 'nonsense:\n  |', []],
  ])('%s', (_, text, expected) => {
    expect(words(text)).toEqual(expected);
  });

  test('a word brings what it is for, and what comes after it', () => {
    const spot = spotAt(['metadata:', '  author: x', '  '], 2, 2);
    expect(spot === null ? [] : wordsAt(schema, spot)).toEqual([
      { word: 'maturity', follows: 'scalar', required: true, about: '' },
    ]);
    const top = spotAt([''], 0, 0);
    expect(top === null ? [] : wordsAt(schema, top).map(({ word, follows }) => [word, follows])).toEqual([
      ['schema', 'scalar'],
      ['metadata', 'map'],
      ['requires', 'map'],
      ['display_name', 'scalar'],
      ['hardware', 'map'],
    ]);
  });

  test('a long document is read in one go', () => {
    const lines = Array.from({ length: 9000 }, (_, index) =>
      index % 3 === 0 ? `key_${index}:` : `  inner_${index}: 1`,
    );
    const started = performance.now();
    expect(spotAt(lines, 8999, 4)).not.toBeNull();
    expect(performance.now() - started).toBeLessThan(1000);
  });
});
