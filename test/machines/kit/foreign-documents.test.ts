import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';

import { parseStreams } from '#drivers/announcer/pulseaudio-streams.ts';
import { messagesOf } from '#drivers/kit/json-fields.ts';
import { parsed } from '#drivers/renderer/json-fields.ts';
import { jsonOf } from '#drivers/sign-in/json-of.ts';
import { findUrl } from '#machines/announcer/find-url.ts';
import { parseForeign } from '#machines/kit/foreign-json.ts';
import { type JsonBounds, jsonBounds } from '#machines/kit/json-excess.ts';
import { parseCommand } from '#machines/publisher/command.ts';
import { readYaml } from '#profiles/yaml/read-yaml.ts';
import { readObject } from '#routes/kit/body.ts';
import { amount } from '#test/fakes/amount.ts';
import { jsonDocument } from '#test/fakes/json-documents.ts';
import { pick, sequence } from '#test/fakes/sequence.ts';

const count = amount(400, 20_000);
const small: JsonBounds = { depth: 20, tokens: 200 };

/** How deep a value is, and how many values it has. */
function measured(value: unknown): { readonly depth: number; readonly values: number } {
  let [depth, values] = [0, 0];
  const open: { readonly value: unknown; readonly level: number }[] = [{ value, level: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    values += 1;
    if (typeof next.value !== 'object' || next.value === null) continue;
    const level = next.level + 1;
    depth = Math.max(depth, level);
    for (const member of Object.values(next.value)) open.push({ value: member, level });
  }
  return { depth, values };
}
function expectWithin(value: unknown, bounds: JsonBounds, text: string): void {
  const { depth, values } = measured(value);
  // Outside the assertion: one per document is most of the time of these tests.
  if (depth > bounds.depth || values > bounds.tokens + 1)
    expect({ text: text.slice(0, 200), depth, values }).toMatchObject({ depth: 0 });
}

const app = new Hono().post('/', async (c) => {
  const read = await readObject(c);
  return c.json(read.ok ? { ok: true } : read, read.ok ? 200 : 400);
});
const post = (body: string, type = 'application/json'): Promise<Response> =>
  Promise.resolve(app.request('/', { method: 'POST', body, headers: { 'content-type': type } }));
const light = { entityKind: 'light' } as Parameters<typeof parseCommand>[0];

const parsers: Readonly<Record<string, (text: string) => void | Promise<void>>> = {
  'the kit, which refuses nothing but what JSON.parse or a bound refuses': (text) => {
    const found = parseForeign(text, small);
    let isJson = true;
    try {
      JSON.parse(text);
    } catch {
      isJson = false;
    }
    if (found.ok) expectWithin(found.value, small, text);
    // Outside the assertion, as above.
    if (found.ok ? !isJson : found.reason === 'not-json' && isJson) expect({ text, found }).toBe('judged otherwise');
  },
  'a command from the broker': (text) => {
    const command = parseCommand(light, text);
    if (!command.ok) expect(['malformed', 'too-long', 'not-an-option']).toContain(command.reason);
  },
  'the body of an announcement': (text) => void findUrl(text),
  'a message of Home Assistant': (text) => expectWithin([...messagesOf(text)], { depth: 102, tokens: 1e6 }, text),
  'an answer of Home Assistant': (text) => expectWithin(jsonOf(text), jsonBounds.homeAssistant, text),
  'a message of the browser': (text) => expectWithin(parsed(text), jsonBounds.program, text),
  'the streams of the sound system': (text) => void parseStreams(text),
  'a profile': (text) => void readYaml(new TextEncoder().encode(text)),
  'the body of a request': async (text) => {
    const response = await post(text);
    if (response.status !== 200) expect(await response.json()).toMatchObject({ ok: false, reason: 'invalid-body' });
  },
};

describe(`${count} documents, deep, wide and truncated, do no harm to`, () => {
  it.each(Object.entries(parsers))('%s', async (_, parse) => {
    const random = sequence(20_261_124);
    for (let round = 0; round < count; round += 1) await parse(jsonDocument(random, pick(random, [100, 1000, 10_000])));
  });
});

describe('a body that is too deep or has too much in it', () => {
  it.each([
    [
      'a field that is too deep',
      `{"ä":1,"ids":${'['.repeat(64)}`,
      {
        message: 'The field "ids" is nested deeper than 64 levels, at byte 77. Make it flatter.',
        reasons: { ids: expect.stringMatching(/at byte 77/) },
      },
    ],
    [
      'a body that is no object',
      '['.repeat(2_000_000),
      { message: 'The body is nested deeper than 64 levels, at byte 64. Make it flatter.' },
    ],
    [
      'a field with too much in it',
      `{"ids":[${'{},'.repeat(900_000)}{}]}`,
      {
        message: expect.stringMatching(
          /^The field "ids" takes .* above 100000 .*, at byte \d+\. Send less at a time\.$/,
        ),
        reasons: { ids: expect.anything() },
      },
    ],
  ])('names %s, the reason and the fix', async (_, body, answer) => {
    const response = await post(body);
    expect([response.status, await response.json()]).toEqual([400, { ok: false, reason: 'invalid-body', ...answer }]);
  });

  it('is refused with too many fields in a form, without taking it apart', async () => {
    const response = await post('a&'.repeat(2_000_000), 'application/x-www-form-urlencoded');
    expect(await response.json()).toMatchObject({ message: expect.stringMatching(/more than 256 fields/) });
  });

  it('is refused for a name that is there twice, however it is written', async () => {
    const response = await post('{"a":{"b":1},"x\\"y":1,"\\u0061" :2}');
    expect(await response.json()).toMatchObject({ message: 'The field "a" is sent twice. Send it once.' });
  });
});
