import { pick, type Random } from './sequence.ts';

/** Names with a meaning to a language or to the panel, and names without one. */
const names = [
  '__proto__',
  'constructor',
  'toString',
  '',
  'url',
  'id',
  'type',
  'state',
  'result',
  'entity_ids',
  'ä\u{1F600}',
];
const scalars = [
  'null',
  'true',
  '-1',
  '1e400',
  '0.1',
  '"\\u0000"',
  '"\\uD800"',
  '"\\\\\\""',
  '"[{[{"',
  '"}]"',
  '"http://a"',
];

/** What stands where it does not belong. */
const strays = ['"', '\\', '[', '}', ',', ':', '\u0000', '\uD800'];

const repeated = (text: string, times: number): string => text.repeat(times);
const named = (random: Random): string => JSON.stringify(pick(random, names));

function deep(random: Random, most: number): string {
  const levels = 1 + random(pick(random, [10, 64, 100, 128, most]));
  const [open, close] = pick(random, [
    ['[', ']'],
    ['{"a":', '}'],
    [`{${named(random)}:[`, ']}'],
    ['[[],', ']'],
    [' [\n', '\t]'],
  ] as const);
  return `${repeated(open, levels)}${pick(random, scalars)}${repeated(close, levels)}`;
}

function wide(random: Random, most: number): string {
  const count = 1 + random(pick(random, [10, 300, most]));
  switch (random(5)) {
    case 0:
      return `[${repeated('{},', count)}[]]`;
    case 1:
      return `{${Array.from({ length: count }, (_, index) => `"k${index}":${index}`).join(',')}}`;
    case 2:
      return `{${named(random)}:[${repeated(`${pick(random, scalars)},`, count)}0]}`;
    case 3:
      return `[${Array.from({ length: count }, (_, index) => `{"k${index}":1}`).join(',')}]`;
    default:
      return `"${repeated(pick(random, ['a', '[', '\\"', '\\\\', 'ä']), count)}"`;
  }
}

function leaf(random: Random, levels: number): string {
  if (levels === 0 || random(3) === 0) return pick(random, scalars);
  const members = Array.from({ length: random(4) }, () => leaf(random, levels - 1));
  return random(2) === 0
    ? `[${members.join(',')}]`
    : `{${members.map((member) => `${named(random)}:${member}`).join(',')}}`;
}

/** A document that is deep, wide or sound, or one of them with its end or some of its characters gone or others. */
export function jsonDocument(random: Random, most: number): string {
  const text = pick(random, [deep, wide, (of: Random) => leaf(of, 8)])(random, most);
  const at = random(text.length + 1);
  switch (random(4)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return `${text.slice(0, at)}${pick(random, strays)}${text.slice(at + random(3))}`;
    default:
      return text;
  }
}
